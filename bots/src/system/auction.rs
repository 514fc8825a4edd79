//! What has happened at the moment of a call: the words about the auction, the match and the rules.

use coinche_engine::rules::{CoincheMode, DealMethod};
use coinche_engine::{
    Auction, BidValue, ByTeam, Call, Card, CardSet, Goal, Ladder, LegalCalls, Rank, RuleSet, Seat, Stake,
    Strain, Suit, View,
};

use super::words::{About, WORDS, Word};

/// The moment of a call, as everybody sees it: the auction, the match and the rules.
///
/// What a system's rules say depends on it and on the own hand. Making one costs about 100 ns; it can be asked about
/// any number of hands.
#[derive(Debug, Clone)]
pub struct Moment {
    /// The rules of the game.
    pub(super) rules: RuleSet,
    pub(super) ladder: Ladder,
    pub(super) legal: LegalCalls,
    /// The values of the words, by number.
    pub(super) words: [i32; WORDS],
    /// The card turned up, which a taker gets, and its suit.
    pub(super) turned_card: Option<Card>,
    pub(super) turned: Option<Suit>,
    /// The strains of last bids.
    pub(super) partner: Option<Strain>,
    pub(super) mine: Option<Strain>,
    pub(super) theirs: Option<Strain>,
    pub(super) contract: Option<Strain>,
    /// The strains that were bid, a bit each.
    pub(super) of_partner: u8,
    pub(super) of_mine: u8,
    pub(super) of_theirs: u8,
    /// When each suit was first bid or named, from 1; 0: never. It tells suits apart that are alike in the hand.
    pub(super) mentioned: [u8; 4],
}

/// What one seat has said.
#[derive(Debug, Clone, Copy, Default)]
struct Said {
    spoke: i32,
    bids: i32,
    first: i32,
    last: i32,
    jump: i32,
    strain: Option<Strain>,
    strains: u8,
    waited: bool,
}

/// What was said before a seat's turn.
#[derive(Debug, Default)]
struct Heard {
    /// By distance from the seat: itself, its left, its partner, its right.
    said: [Said; 4],
    /// Who made the first bid, by distance.
    opener: Option<usize>,
    /// How many bids there were.
    all: u8,
    their_last: (i32, Option<Strain>),
    partner_raised: bool,
    i_raised: bool,
    partner_changed: bool,
    mentioned: [u8; 4],
}

impl Heard {
    fn of(rules: &RuleSet, auction: &Auction, seat: Seat) -> Self {
        let ladder = auction.state().ladder();
        let (mut heard, mut floor) = (Self::default(), 0_usize);
        for (caller, call) in auction.calls() {
            let who = seat.distance_to(*caller);
            heard.said[who].spoke += 1;
            let Call::Bid(bid) = call else {
                heard.said[who].waited |= *call == Call::Wait;
                continue;
            };
            heard.all += 1;
            heard.opener.get_or_insert(who);
            let (bit, points) = (1 << bid.strain.index(), worth(rules, bid.value));
            if let Some(suit) = bid.strain.trump()
                && heard.mentioned[suit.index()] == 0
            {
                heard.mentioned[suit.index()] = heard.all;
            }
            let [me, _, partner, _] = &heard.said;
            match who {
                0 => heard.i_raised |= partner.strains & bit != 0,
                2 => {
                    heard.partner_raised |= me.strains & bit != 0;
                    heard.partner_changed = me.strain.is_some_and(|mine| mine != bid.strain);
                }
                _ => heard.their_last = (points, Some(bid.strain)),
            }
            let rung = ladder.index_of(bid.value).unwrap_or_default();
            let it = &mut heard.said[who];
            it.bids += 1;
            it.last = points;
            if it.bids == 1 {
                it.first = points;
            }
            it.jump = i32::try_from(rung.saturating_sub(floor)).unwrap_or_default();
            it.strain = Some(bid.strain);
            it.strains |= bit;
            floor = rung + 1;
        }
        heard
    }
}

impl Moment {
    /// Looks at the moment of a view at which its seat calls; `legal` is what it may call.
    pub fn of(view: &View<'_>, legal: &LegalCalls) -> Self {
        let (rules, score) = (view.rules(), view.match_score());
        Self::new(rules, view.auction(), view.dealer(), view.turned(), view.seat(), score, legal)
    }

    /// Looks at an auction from a seat.
    pub fn new(
        rules: &RuleSet,
        auction: &Auction,
        dealer: Seat,
        turned: Option<Card>,
        seat: Seat,
        score: ByTeam<i32>,
        legal: &LegalCalls,
    ) -> Self {
        let state = auction.state();
        let ladder = state.ladder();
        let heard = Heard::of(rules, auction, seat);
        let Heard { all, opener, their_last, mentioned, .. } = heard;
        let [own, left, partner, right] = heard.said;
        let contract = state.contract();
        let by = contract.map(|contract| seat.distance_to(contract.declarer));
        let standing = match contract.map(|contract| contract.goal) {
            Some(Goal::Bid(value)) => worth(rules, value),
            _ => 0,
        };
        let mut words = [0; WORDS];
        let mut put = |word: Word, value: i32| words[word as usize] = value;
        let has_passed = |it: &Said| it.spoke > 0 && it.bids == 0;
        let is = i32::from;
        put(Word::Opening, is(all == 0));
        put(Word::Position, i32::try_from(dealer.next().distance_to(seat)).unwrap_or_default() + 1);
        put(Word::Round, own.spoke + 1);
        put(Word::Bids, all.into());
        put(Word::MyBids, own.bids);
        put(Word::PartnerBids, partner.bids);
        put(Word::TheirBids, left.bids + right.bids);
        put(Word::IOpened, is(opener == Some(0)));
        put(Word::PartnerOpened, is(opener == Some(2)));
        put(Word::TheyOpened, is(matches!(opener, Some(1 | 3))));
        put(Word::IPassed, is(has_passed(&own)));
        put(Word::PartnerPassed, is(has_passed(&partner)));
        put(Word::TheirPasses, is(has_passed(&left)) + is(has_passed(&right)));
        put(Word::PartnerWaited, is(partner.waited));
        put(Word::Level, standing);
        put(Word::MyLevel, own.last);
        put(Word::PartnerLevel, partner.last);
        put(Word::PartnerFirst, partner.first);
        put(Word::PartnerJump, partner.jump);
        put(Word::TheirLevel, their_last.0);
        put(Word::Next, legal.lowest_value().map_or(0, |value| worth(rules, value)));
        put(Word::OurBid, is(matches!(by, Some(0 | 2))));
        put(Word::TheirBid, is(matches!(by, Some(1 | 3))));
        put(Word::PartnersBid, is(by == Some(2)));
        put(Word::PartnerRaised, is(heard.partner_raised));
        put(Word::PartnerChanged, is(heard.partner_changed));
        put(Word::IRaised, is(heard.i_raised));
        let doubled = contract.map(|contract| contract.stake);
        put(Word::Coinched, is(doubled == Some(Stake::Coinche)));
        put(Word::Surcoinched, is(doubled == Some(Stake::Surcoinche)));
        put(Word::Offered, is(state.turn().is_offer()));
        put(Word::SecondRound, is(state.is_second_round()));
        let turns_up = |rank: Rank| is(turned.is_some_and(|card| card.rank() == rank));
        put(Word::TurnedJack, turns_up(Rank::Jack));
        put(Word::TurnedNine, turns_up(Rank::Nine));
        put(Word::TurnedAce, turns_up(Rank::Ace));
        put(Word::OurScore, score[seat.team()]);
        put(Word::TheirScore, score[seat.team().other()]);
        for word in Word::ALL.iter().filter(|word| word.about() == About::Rules) {
            put(*word, of_rules(rules, *word).unwrap_or_default());
        }
        Self {
            rules: *rules,
            ladder,
            legal: *legal,
            words,
            turned_card: turned,
            turned: turned.map(Card::suit),
            partner: partner.strain,
            mine: own.strain,
            theirs: their_last.1,
            contract: contract.map(|contract| contract.strain),
            of_partner: partner.strains,
            of_mine: own.strains,
            of_theirs: left.strains | right.strains,
            mentioned,
        }
    }

    /// Returns the rules.
    pub const fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Returns the calls that are legal.
    pub const fn legal(&self) -> &LegalCalls {
        &self.legal
    }

    /// Returns the cards that count for what the seat declares: in the turn-up game with the card turned up.
    pub(super) fn cards(&self, hand: CardSet) -> CardSet {
        self.turned_card.map_or(hand, |card| hand.with(card))
    }
}

/// What a bid is worth; of numbers the tens, so that 82, where it is the lowest bid, is 80 as elsewhere.
pub(super) fn worth(rules: &RuleSet, value: BidValue) -> i32 {
    value.as_points().map_or_else(|| rules.bid_worth(value).into(), |points| i32::from(points / 10 * 10))
}

/// What a word about the rules is under these rules; `None` of another word.
pub(super) fn of_rules(rules: &RuleSet, word: Word) -> Option<i32> {
    let auction = &rules.auction;
    let turn_up = rules.deal.method == DealMethod::TurnUp;
    let in_bids = |has: bool| i32::from(has && !turn_up);
    let tens = |points: u16| i32::from(points / 10 * 10);
    Some(match word {
        Word::Target => i32::try_from(rules.game.target).unwrap_or(i32::MAX),
        Word::Lowest => in_bids(true) * tens(auction.lowest),
        Word::Highest => {
            in_bids(true) * tens(auction.highest.unwrap_or(BidValue::MAX_POINTS).max(auction.lowest))
        }
        Word::TurnUp => i32::from(turn_up),
        Word::HasSa => i32::from(auction.no_trump),
        Word::HasTa => i32::from(auction.all_trump),
        Word::HasCapot => in_bids(auction.capot),
        Word::HasGenerale => in_bids(auction.generale),
        Word::HasWait => in_bids(auction.signal_pass),
        Word::HasCoinche => i32::from(auction.coinche != CoincheMode::Off),
        Word::HasMelds => i32::from(rules.melds.enabled && rules.melds.counts_for_contract),
        _ => return None,
    })
}
