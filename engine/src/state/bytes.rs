//! States as bytes: what happened, to be replayed.

use super::{DealState, Play, Turn};
use crate::auction::ContractError;
use crate::trick::PlayLog;
use crate::{
    AuctionTurn, Bid, BidValue, BySeat, ByTeam, Call, Card, Contract, Deal, DealError, Deck, Goal,
    IllegalCall, IllegalPlay, LegalCalls, PastDeal, RuleSet, Seat, Stake, Strain, Suit, Trick,
};

/// Why bytes are no state under these rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StateBytesError {
    /// The bytes do not begin as those of a state do.
    #[error("these are not the bytes of a deal's state, or they are of another version")]
    Header,
    /// The bytes end too early or go on after the end, or a number among them is out of range.
    #[error("the bytes of the state are damaged at {0}")]
    Damaged(&'static str),
    /// The cards were dealt under other rules.
    #[error(transparent)]
    Deal(#[from] DealError),
    /// The contract is none of these rules.
    #[error(transparent)]
    Contract(#[from] ContractError),
    /// A call breaks a rule.
    #[error(transparent)]
    Call(#[from] IllegalCall),
    /// A card breaks a rule.
    #[error(transparent)]
    Play(#[from] IllegalPlay),
}

/// Four letters and the version of the form.
const MAGIC: [u8; 4] = *b"CDS2";
/// Where what happened follows, behind the dealer and the deck.
const AFTER_THE_DECK: usize = MAGIC.len() + 1 + 32;

impl DealState {
    /// Returns the state as bytes, from which [`DealState::from_bytes`] makes it again: the deck, the score of the match, and all
    /// that was said and played, offers of a coinche included. The rules are not in it.
    ///
    /// Some 60 to 120 bytes, a microsecond. Not for states made by [`DealState::suppose`] or from an observation: of these the
    /// hands are not those of the deck.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(128);
        bytes.extend(MAGIC);
        write_deal(&mut bytes, &self.deal);
        for number in [self.match_score.0[0], self.match_score.0[1], self.held, self.deals_left.into()] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.push(self.past.len().to_le_bytes()[0]);
        for past in &self.past {
            write_deal(&mut bytes, &past.deal);
            let taker = Seat::ALL.into_iter().find(|seat| past.deal.complete(*seat) == past.hands);
            bytes.push(taker.map_or(NOBODY, |seat| seat as u8));
            bytes.push(past.tricks().len().to_le_bytes()[0]);
            for trick in past.tricks() {
                bytes.extend([trick.leader as u8, trick.winner as u8]);
                bytes.extend(trick.cards.map(index));
            }
        }
        let calls = self.auction.calls();
        // A contract without a call: the state began with the play.
        let given = self.contract().filter(|_| calls.is_empty());
        bytes.push(u8::from(given.is_some()));
        if let Some(contract) = given {
            bytes.extend([contract.declarer as u8, contract.strain as u8, contract.stake as u8]);
            let value = match contract.goal {
                Goal::Majority => 0,
                Goal::Bid(value) => value.number(),
            };
            bytes.extend(value.to_le_bytes());
        }
        bytes.extend(calls.len().to_le_bytes()[..2].iter());
        for (seat, call) in calls {
            bytes.extend((code(*call) | u16::from(*seat as u8) << 14).to_le_bytes());
        }
        bytes.extend(turn_code(self.auction.state().turn()));
        let belotes = Suit::ALL.map(|suit| match self.belote(suit).and_then(|belote| belote.announced) {
            Some(false) => 1u8 << suit as u8,
            _ => 0,
        });
        bytes.push(belotes.into_iter().sum());
        for seat in Seat::ALL {
            let options = self.meld_options(seat);
            let chosen = options.iter().position(|melds| *melds == self.announcements.melds[seat]);
            bytes.push(chosen.unwrap_or(0).to_le_bytes()[0]);
        }
        let cards = self.log.tricks().iter().flat_map(|trick| trick.cards);
        let under_way = self.play_state().into_iter().flat_map(crate::PlayState::trick).map(|(_, card)| card);
        let cards: Vec<u8> = cards.chain(under_way).map(index).collect();
        bytes.push(cards.len().to_le_bytes()[0]);
        bytes.extend(cards);
        bytes
    }

    /// Makes the state again that [`DealState::to_bytes`] wrote, under the same rules, by replaying it.
    ///
    /// ```
    /// use coinche_engine::{Deal, DealState, Deck, RuleSet, Seat};
    ///
    /// let rules = RuleSet::BGA;
    /// let mut state = DealState::new(&rules, &Deal::new(&rules.deal, Deck::sorted(), Seat::S3));
    /// state.call("82C".parse()?)?;
    /// let again = DealState::from_bytes(&rules, &state.to_bytes())?;
    /// assert_eq!(again.turn(), state.turn());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Says what is wrong with the bytes, or what these rules do not allow in them.
    pub fn from_bytes(rules: &RuleSet, bytes: &[u8]) -> Result<Self, StateBytesError> {
        let mut reader = Reader(bytes);
        if reader.take::<4>("the header")? != MAGIC {
            return Err(StateBytesError::Header);
        }
        let deal = reader.deal(rules)?;
        let mut state = Self::try_new(rules, &deal)?;
        state.match_score = ByTeam([reader.number("the match")?, reader.number("the match")?]);
        state.held = reader.number("the match")?;
        let deals = reader.number("the match")?;
        state.deals_left = u16::try_from(deals).map_err(|_| StateBytesError::Damaged("the match"))?;
        for _ in 0..reader.byte("the earlier deals")? {
            state.past.push(reader.past(rules)?);
        }
        if reader.byte("the contract")? != 0 {
            let contract = reader.contract()?;
            state.settle(contract)?;
        }
        reader.calls(&mut state)?;
        reader.plays(&mut state)?;
        if reader.0.is_empty() { Ok(state) } else { Err(StateBytesError::Damaged("the end")) }
    }
}

impl PartialEq for DealState {
    fn eq(&self, other: &Self) -> bool {
        let dealt = |state: &Self| (state.rules, state.deal.dealer(), state.deal.turned(), state.hands);
        // Until the play begins, the cards that are dealt to the taker last count, too.
        let all = |state: &Self| Seat::ALL.map(|taker| state.deal.complete(taker));
        let since = |state: &Self| state.to_bytes().split_off(AFTER_THE_DECK);
        dealt(self) == dealt(other)
            && (self.play.is_some() || all(self) == all(other))
            && since(self) == since(other)
    }
}

impl Eq for DealState {}

/// In place of a seat.
const NOBODY: u8 = 4;

fn index(card: Card) -> u8 {
    card.index().to_le_bytes()[0]
}

fn write_deal(bytes: &mut Vec<u8>, deal: &Deal) {
    bytes.push(deal.dealer() as u8);
    bytes.extend(deal.deck().cards().map(index));
}

/// The first code of a bid: 8 × value + strain above it.
const BIDS: u16 = 16;

fn code(call: Call) -> u16 {
    match call {
        Call::TakeIn(suit) => 5 + suit as u16,
        Call::Bid(bid) => BIDS + 8 * bid.value.number() + bid.strain as u16,
        other => (0..).zip(LegalCalls::OTHERS).find(|(_, call)| *call == other).map_or(0, |(code, _)| code),
    }
}

fn call_of(code: u16) -> Option<Call> {
    match code {
        0..=4 => Some(LegalCalls::OTHERS[usize::from(code)]),
        5..=8 => Some(Call::TakeIn(Suit::from_index(usize::from(code - 5)))),
        9..BIDS => None,
        _ => {
            let strain = *Strain::ALL.get(usize::from((code - BIDS) % 8))?;
            Some(Call::Bid(Bid::new(BidValue::of_number((code - BIDS) / 8)?, strain)))
        }
    }
}

fn turn_code(turn: AuctionTurn) -> [u8; 2] {
    match turn {
        AuctionTurn::Over => [0, NOBODY],
        AuctionTurn::Speak(seat) => [1, seat as u8],
        AuctionTurn::OfferCoinche(seat) => [2, seat as u8],
        AuctionTurn::OfferSurcoinche(seat) => [3, seat as u8],
    }
}

/// The bytes that are left.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], StateBytesError> {
        let (first, rest) = self.0.split_first_chunk().ok_or(StateBytesError::Damaged(what))?;
        self.0 = rest;
        Ok(*first)
    }

    fn byte(&mut self, what: &'static str) -> Result<u8, StateBytesError> {
        self.take(what).map(|[byte]| byte)
    }

    fn number(&mut self, what: &'static str) -> Result<i32, StateBytesError> {
        self.take(what).map(i32::from_le_bytes)
    }

    fn seat(&mut self, what: &'static str) -> Result<Seat, StateBytesError> {
        let seat = self.byte(what)?;
        Seat::ALL.get(usize::from(seat)).copied().ok_or(StateBytesError::Damaged(what))
    }

    fn card(&mut self, what: &'static str) -> Result<Card, StateBytesError> {
        let card = self.byte(what)?;
        Card::try_from_index(card.into()).ok_or(StateBytesError::Damaged(what))
    }

    fn deal(&mut self, rules: &RuleSet) -> Result<Deal, StateBytesError> {
        let dealer = self.seat("the dealer")?;
        let mut cards = *Deck::sorted().cards();
        for card in &mut cards {
            *card = self.card("the deck")?;
        }
        let deck = Deck::from_cards(cards).ok_or(StateBytesError::Damaged("the deck"))?;
        Ok(Deal::try_new(&rules.deal, deck, dealer)?)
    }

    fn past(&mut self, rules: &RuleSet) -> Result<PastDeal, StateBytesError> {
        const WHAT: &str = "the earlier deals";
        let deal = self.deal(rules)?;
        let hands = match self.byte(WHAT)? {
            NOBODY => *deal.hands(),
            taker => deal.complete(*Seat::ALL.get(usize::from(taker)).ok_or(StateBytesError::Damaged(WHAT))?),
        };
        let mut log = PlayLog::new();
        let tricks = self.byte(WHAT)?;
        if tricks != 0 && tricks != 8 {
            return Err(StateBytesError::Damaged(WHAT));
        }
        for _ in 0..tricks {
            let (leader, winner) = (self.seat(WHAT)?, self.seat(WHAT)?);
            let mut cards = [Card::from_low_bits(0); 4];
            for card in &mut cards {
                *card = self.card(WHAT)?;
            }
            log.push_trick(Trick { leader, cards, winner });
        }
        if tricks == 8 && log.played() != crate::CardSet::FULL {
            return Err(StateBytesError::Damaged(WHAT));
        }
        Ok(PastDeal::new(deal, hands, log))
    }

    fn contract(&mut self) -> Result<Contract, StateBytesError> {
        const WHAT: &str = "the contract";
        let declarer = self.seat(WHAT)?;
        let strain = Strain::ALL.get(usize::from(self.byte(WHAT)?)).ok_or(StateBytesError::Damaged(WHAT))?;
        let stake = Stake::ALL.get(usize::from(self.byte(WHAT)?)).ok_or(StateBytesError::Damaged(WHAT))?;
        let goal = match u16::from_le_bytes(self.take(WHAT)?) {
            0 => Goal::Majority,
            number => Goal::Bid(BidValue::of_number(number).ok_or(StateBytesError::Damaged(WHAT))?),
        };
        Ok(Contract { declarer, strain: *strain, goal, stake: *stake })
    }

    /// Makes the calls, with the offers that were declined.
    fn calls(&mut self, state: &mut DealState) -> Result<(), StateBytesError> {
        const WHAT: &str = "the calls";
        for _ in 0..u16::from_le_bytes(self.take(WHAT)?) {
            let word = u16::from_le_bytes(self.take(WHAT)?);
            let call = call_of(word & 0x3fff).ok_or(StateBytesError::Damaged(WHAT))?;
            let seat = Seat::from_index(usize::from(word >> 14));
            while state.auction.state().turn().was_declined(Some((seat, call))) {
                state.call(Call::Pass)?;
            }
            if state.turn() != Turn::Call(seat) {
                return Err(StateBytesError::Damaged(WHAT));
            }
            state.call(call)?;
        }
        let turn = self.take::<2>(WHAT)?;
        let is_there = |now| turn_code(now) == turn;
        while !is_there(state.auction.state().turn()) {
            if !state.auction.state().turn().is_offer() {
                return Err(StateBytesError::Damaged(WHAT));
            }
            // By the state, since declining may end the auction.
            state.call(Call::Pass)?;
        }
        Ok(())
    }

    /// Plays the cards.
    fn plays(&mut self, state: &mut DealState) -> Result<(), StateBytesError> {
        const WHAT: &str = "the cards";
        let silent = self.byte(WHAT)?;
        let melds = BySeat(self.take::<4>(WHAT)?);
        for _ in 0..self.byte(WHAT)? {
            let card = self.card(WHAT)?;
            let Turn::Play(seat) = state.turn() else { return Err(StateBytesError::Damaged(WHAT)) };
            let options = state.meld_options(seat);
            let chosen = options.get(usize::from(melds[seat])).ok_or(StateBytesError::Damaged(WHAT))?;
            let announce_belote = silent >> card.suit() as u8 & 1 == 0;
            state.play(Play { card, announce_belote, melds: Some(*chosen) })?;
        }
        Ok(())
    }
}
