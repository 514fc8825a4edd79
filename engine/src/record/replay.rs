//! Replaying a deal record: every disagreement with the rules, and where it is.

use core::fmt;

use super::{MeldRecord, Record, belote_records, meld_records};
use crate::rules::DealMethod;
use crate::{
    BySeat, Call, Card, CardSet, Deal, DealState, IllegalCall, Meld, Melds, Outcome, Play, RuleSet, Seat,
    Strain, Suit, Turn,
};

/// Where in a deal a disagreement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Rules, dealer, hands, turned card.
    Deal,
    /// The auction.
    Auction,
    /// A trick, from 1.
    Trick(usize),
    /// Melds, belote, points and score.
    Score,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deal => f.write_str("deal"),
            Self::Auction => f.write_str("auction"),
            Self::Trick(trick) => write!(f, "trick {trick}"),
            Self::Score => f.write_str("score"),
        }
    }
}

/// One point on which a record and the rules do not agree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// The number of the deal.
    pub deal: u64,
    /// The number of the seating.
    pub leg: u32,
    /// Where.
    pub place: Place,
    /// Whose call, card or announcement it is.
    pub seat: Option<Seat>,
    /// The rule, and what record and rules say.
    pub rule: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "deal {} leg {}, {}", self.deal, self.leg, self.place)?;
        if let Some(seat) = self.seat {
            write!(f, ", seat {seat}")?;
        }
        write!(f, ": {}", self.rule)
    }
}

/// Replays a record under its own rules and returns every disagreement, none when it is right.
///
/// After a call or a card that is not legal the rest of the deal cannot be judged and is left out.
///
/// ```
/// use coinche_engine::record::{Record, replay};
///
/// let line = r#"{"v":1,"deal":0,"leg":0,"rules":"bga","dealer":3,"bots":["a","b","a","b"],
///   "hands":["7C 8C 9C TD AD TS KS AS","TC JC QC 7H 8H 9H 7D 8D","KC AC 7S TH JH QH 9D JD",
///            "QD KD 8S 9S JS QS KH AH"],
///   "turned":null,"auction":[[0,"P"],[1,"P"],[2,"P"],[3,"P"]],"contract":null,"melds":[],
///   "belote":null,"tricks":[],"tricks_won":[0,0],"card_points":[0,0],"made":null,
///   "score":[0,0],"faults":[]}"#;
/// let mut record = Record::from_json(line)?;
/// assert!(replay(&record).is_empty());
/// record.auction[3].1 = "72S".parse()?;
/// assert!(replay(&record)[0].to_string().contains("seat 3"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn replay(record: &Record) -> Vec<Disagreement> {
    replay_steps(record, |_, _| {})
}

/// What a seat did at its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// It made a call; an offer of an any-time coinche that it declined is a pass.
    Call(Call),
    /// It played a card.
    Play(Play),
}

/// Replays a record as [`replay`] does, and shows every state with what was done there by the seat whose turn
/// it was, until a disagreement ends the replay.
///
/// Of a match the states have the score before the deal, but neither points that are held nor earlier deals,
/// which the record of a deal does not tell.
pub fn replay_steps(record: &Record, mut watch: impl FnMut(&DealState, &Step)) -> Vec<Disagreement> {
    let mut referee = Referee { record, found: Vec::new(), watch: &mut watch };
    // `None` means that the replay could not go on; what was found says why.
    let _ = referee.run();
    referee.found
}

struct Referee<'a> {
    record: &'a Record,
    found: Vec<Disagreement>,
    watch: &'a mut dyn FnMut(&DealState, &Step),
}

impl Referee<'_> {
    fn report(&mut self, place: Place, seat: Option<Seat>, rule: impl Into<String>) {
        let Record { deal, leg, .. } = *self.record;
        self.found.push(Disagreement { deal, leg, place, seat, rule: rule.into() });
    }

    /// Reports what ends the replay.
    fn fail<T>(&mut self, place: Place, seat: impl Into<Option<Seat>>, rule: impl Into<String>) -> Option<T> {
        self.report(place, seat.into(), rule);
        None
    }

    /// Reports an error as the reason why the replay stops.
    fn stop<T, E: fmt::Display>(
        &mut self,
        place: Place,
        seat: Option<Seat>,
        result: Result<T, E>,
    ) -> Option<T> {
        result.map_err(|error| self.report(place, seat, error.to_string())).ok()
    }

    fn compare<T: PartialEq + fmt::Debug>(&mut self, place: Place, what: &str, record: &T, rules: &T) {
        if record != rules {
            self.report(place, None, format!("{what}: the record has {record:?}, the rules give {rules:?}"));
        }
    }

    fn run(&mut self) -> Option<()> {
        let record = self.record;
        self.compare(Place::Deal, "version", &record.v, &1);
        if record.misdeals > 0 && record.game.is_none() {
            self.report(Place::Deal, None, "misdeals: only a match counts them, and the record is of none");
        }
        let rules = self.stop(Place::Deal, None, record.rules.rules())?;
        let deal = self.deal(&rules)?;
        let state = DealState::try_new(&rules, &deal);
        let mut state = self.stop(Place::Deal, None, state)?;
        state.set_match(record.match_score.unwrap_or_default(), 0, &[]);
        self.auction(&mut state)?;
        if state.turn() != Turn::Over {
            self.play(&mut state)?;
        }
        self.outcome(&state);
        Some(())
    }

    fn deal(&mut self, rules: &RuleSet) -> Option<Deal> {
        let place = Place::Deal;
        let Record { dealer, hands, turned, .. } = *self.record;
        for seat in Seat::ALL {
            for other in Seat::ALL.into_iter().take(seat.index()) {
                if let Some(card) = (hands[seat] & hands[other]).first() {
                    return self.fail(place, seat, format!("{card} is also in the hand of seat {other}"));
                }
            }
        }
        if turned.is_some() != (rules.deal.method == DealMethod::TurnUp) {
            return self.fail(place, None, "there is a turned card in the turn-up game, and only there");
        }
        let taker = self.record.auction.iter().find(|(_, call)| !call.is_pass()).map(|(seat, _)| *seat);
        // The rest is dealt after the auction.
        let is_part = rules.deal.method != DealMethod::Full && taker.is_none();
        let expected = if is_part { rules.deal.packets.total() } else { 8 };
        for (seat, hand) in hands.iter() {
            if hand.len() != expected {
                let found = hand.len();
                return self.fail(place, seat, format!("{found} cards in the hand instead of {expected}"));
            }
        }
        if is_part {
            return self.thrown_in_part(rules, dealer, &hands, turned);
        }
        let deal = Deal::from_hands(&rules.deal, dealer, hands, turned.zip(taker));
        self.stop(place, taker, deal)
    }

    /// A passed-out deal of which each seat has its first cards, the rest in any order.
    fn thrown_in_part(
        &mut self,
        rules: &RuleSet,
        dealer: Seat,
        hands: &BySeat<CardSet>,
        turned: Option<Card>,
    ) -> Option<Deal> {
        let mut dealt = hands.0.iter().fold(CardSet::EMPTY, |dealt, hand| dealt | *hand);
        if let Some(turned) = turned.filter(|turned| dealt.contains(*turned)) {
            return self.fail(Place::Deal, None, format!("the turned card {turned} is in a hand"));
        }
        let mut order = Vec::with_capacity(32);
        let mut piles = hands.map(CardSet::into_iter);
        for packet in rules.deal.packets.iter() {
            for seat in dealer.next().around() {
                order.extend(piles[seat].by_ref().take(packet));
            }
        }
        order.extend(turned);
        dealt.extend(turned);
        order.extend(!dealt);
        let deck = order.try_into().ok().and_then(crate::Deck::from_cards)?;
        self.stop(Place::Deal, None, Deal::try_new(&rules.deal, deck, dealer))
    }

    fn auction(&mut self, state: &mut DealState) -> Option<()> {
        let place = Place::Auction;
        for (seat, call) in &self.record.auction {
            self.decline_offers(state, Some((*seat, *call)));
            let Some(speaker) = state.auction().state().turn().seat() else {
                return self.fail(place, *seat, format!("{call} after the end of the auction"));
            };
            if speaker != *seat {
                return self.fail(place, *seat, format!("{call} out of turn: seat {speaker} speaks"));
            }
            let made = self.call(state, *call);
            self.stop(place, Some(*seat), made)?;
        }
        self.decline_offers(state, None);
        if let Some(speaker) = state.auction().state().turn().seat() {
            return self.fail(place, speaker, "the auction is not over");
        }
        Some(())
    }

    /// Declines the offers of an any-time coinche that are not taken up by the next call of the record.
    fn decline_offers(&mut self, state: &mut DealState, next: Option<(Seat, Call)>) {
        while state.auction().state().turn().was_declined(next) {
            if self.call(state, Call::Pass).is_err() {
                return;
            }
        }
    }

    /// Makes a call that is shown first, if it is legal.
    fn call(&mut self, state: &mut DealState, call: Call) -> Result<(), IllegalCall> {
        if state.legal_calls().contains(call) {
            (self.watch)(state, &Step::Call(call));
        }
        state.call(call).map(drop)
    }

    fn play(&mut self, state: &mut DealState) -> Option<()> {
        let record = self.record;
        if record.tricks.len() != 8 {
            return self.fail(Place::Score, None, format!("{} tricks instead of 8", record.tricks.len()));
        }
        for (index, trick) in record.tricks.iter().enumerate() {
            let place = Place::Trick(index + 1);
            let leader = trick.leader;
            if state.turn() != Turn::Play(leader) {
                return self.fail(place, leader, "leads without having won the trick before");
            }
            for (seat, card) in leader.around().into_iter().zip(trick.cards) {
                let play = Play {
                    card,
                    announce_belote: self.announced_belote(state, card.suit()),
                    melds: if index == 0 { Some(self.announced_melds(state, seat)?) } else { None },
                };
                if state.legal_plays().contains(card) {
                    (self.watch)(state, &Step::Play(play));
                }
                let played = state.play(play);
                self.stop(place, Some(seat), played)?;
            }
            let winner = state.tricks()[index].winner;
            if trick.winner != winner {
                let rule =
                    format!("the record has seat {} win the trick, the rules seat {winner}", trick.winner);
                return self.fail(place, winner, rule);
            }
        }
        Some(())
    }

    fn announced_belote(&self, state: &DealState, suit: Suit) -> bool {
        let belote = if state.strain() == Some(Strain::AllTrump) {
            self.record.belotes.iter().find(|belote| belote.suit == Some(suit))
        } else {
            self.record.belote.as_ref()
        };
        belote.is_some_and(|belote| belote.announced)
    }

    /// The melds of a seat in the record.
    fn announced_melds(&mut self, state: &DealState, seat: Seat) -> Option<Melds> {
        let record = self.record;
        if !state.strain().is_some_and(|strain| state.rules().melds.in_strain(strain)) {
            return Some(Melds::NONE);
        }
        let mut melds = Vec::new();
        for meld in record.melds.iter().filter(|meld| meld.seat == seat) {
            let Some(meld) = Meld::of(meld.cards) else {
                return self.fail(Place::Trick(1), seat, format!("{} is no meld", meld.cards));
            };
            melds.push(meld);
        }
        // The order in which the record lists them does not matter.
        let options = state.meld_options(seat);
        let chosen = options.into_iter().find(|option| {
            option.iter().count() == melds.len() && option.iter().all(|meld| melds.contains(&meld))
        });
        if chosen.is_none() {
            self.report(Place::Trick(1), Some(seat), "the melds announced are not a choice of the hand");
        }
        chosen
    }

    fn outcome(&mut self, state: &DealState) {
        let record = self.record;
        let place = Place::Score;
        let Some(outcome) = state.outcome() else { return };
        let Outcome::Played { result, score } = outcome else {
            return self.thrown_in();
        };
        self.compare(Place::Auction, "contract", &record.contract, &Some(result.contract));
        let by_seat = |melds: &mut Vec<MeldRecord>| {
            melds.sort_by_key(|meld| (meld.seat.index(), meld.cards.bits()));
        };
        let (mut announced, mut rules) = (record.melds.clone(), meld_records(state));
        by_seat(&mut announced);
        by_seat(&mut rules);
        self.compare(place, "melds", &announced, &rules);
        let (belote, belotes) = belote_records(state, result.contract.strain);
        self.compare(place, "belote", &record.belote, &belote);
        self.compare(place, "belotes", &record.belotes, &belotes);
        self.compare(place, "tricks won", &record.tricks_won.0, &result.tricks_won().0);
        self.compare(place, "card points", &record.card_points.0, &result.card_points.0);
        self.compare(place, "made", &record.made, &Some(score.made));
        self.compare(place, "score", &record.score.0, &score.points.0);
        self.compare(place, "held points", &record.held, &score.held);
    }

    /// Compares what must be empty in the record of a deal that was passed out.
    fn thrown_in(&mut self) {
        let record = self.record;
        let place = Place::Score;
        self.compare(place, "contract of a passed-out deal", &record.contract, &None);
        self.compare(place, "melds of a passed-out deal", &record.melds.len(), &0);
        self.compare(place, "belote of a passed-out deal", &record.belote, &None);
        self.compare(place, "belotes of a passed-out deal", &record.belotes.len(), &0);
        self.compare(place, "tricks of a passed-out deal", &record.tricks.len(), &0);
        self.compare(place, "tricks won in a passed-out deal", &record.tricks_won.0, &[0, 0]);
        self.compare(place, "card points of a passed-out deal", &record.card_points.0, &[0, 0]);
        self.compare(place, "made, of a passed-out deal", &record.made, &None);
        self.compare(place, "score of a passed-out deal", &record.score.0, &[0, 0]);
        self.compare(place, "held points of a passed-out deal", &record.held, &0);
    }
}
