//! One deal from the first call to the score.
//!
//! [`DealState`] is the referee's state: it knows all hands and the rules, accepts calls and cards, and
//! keeps what a record needs. What a seat may know of it is its [`crate::View`].

mod announce;
mod bytes;
pub mod observation;

pub use announce::Belote;
pub use bytes::StateBytesError;

pub(crate) use announce::couple;

use core::mem::take;

use crate::auction::ContractError;
use crate::trick::PlayLog;
use crate::{
    Auction, AuctionTurn, BySeat, ByTeam, Call, Card, CardSet, Contract, Deal, DealError, DealResult,
    DealScore, IllegalCall, LegalCalls, Melds, PastDeal, PlayError, PlayState, RuleSet, Seat, Strain, Suit,
    Trick,
};

/// A card with what its player says while playing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Play {
    /// The card.
    pub card: Card,
    /// Whether a belote is announced, where the card is the first of its king and queen and the rules
    /// leave the choice to the player; without a meaning elsewhere.
    pub announce_belote: bool,
    /// The melds to announce with the first card, where there is a choice; `None`: the best.
    pub melds: Option<Melds>,
}

impl From<Card> for Play {
    /// Plays a card, announces a belote and the best melds.
    fn from(card: Card) -> Self {
        Self { card, announce_belote: true, melds: None }
    }
}

/// Why a play is not legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalPlay {
    /// The auction is not over, or nobody bid.
    #[error("{0}: there is no play now")]
    NotPlaying(Card),
    /// The card breaks a rule of play.
    #[error(transparent)]
    Card(#[from] PlayError),
    /// These melds are not a choice that the hand leaves.
    #[error("the melds announced are not a choice of the hand")]
    Melds,
}

/// What the deal is waiting for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// This seat must make a call (or answer an offer).
    Call(Seat),
    /// This seat must play a card.
    Play(Seat),
    /// The deal is over: passed out, or all cards played.
    Over,
}

/// What came out of a deal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Nobody bid.
    ThrownIn,
    /// It was played.
    Played {
        /// What the score depends on.
        result: DealResult,
        /// The score.
        score: DealScore,
    },
}

impl Outcome {
    /// Returns the score of a deal that was played.
    pub const fn score(self) -> Option<DealScore> {
        match self {
            Self::ThrownIn => None,
            Self::Played { score, .. } => Some(score),
        }
    }
}

/// The whole state of one deal.
///
/// ```
/// use coinche_engine::{Card, Deal, DealState, Deck, RuleSet, Seat, Turn};
///
/// let rules = RuleSet::BGA;
/// let deal = Deal::new(&rules.deal, Deck::sorted(), Seat::S3);
/// let mut state = DealState::new(&rules, &deal);
/// for call in ["82C", "P", "P", "P"] {
///     state.call(call.parse()?)?;
/// }
/// while let Turn::Play(_) = state.turn() {
///     let card: Card = state.legal_plays().first().expect("there is a legal card");
///     state.play(card)?;
/// }
/// assert!(state.outcome().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Equality
///
/// Equal states have the same rules, hands and match, and the same happened in them. The order of the deck does not matter, as far as it gives the
/// same hands. Costs some microseconds.
#[derive(Debug)]
pub struct DealState {
    rules: RuleSet,
    deal: Deal,
    auction: Auction,
    /// The hands with which play began; before it, those dealt so far.
    hands: BySeat<CardSet>,
    /// The play, once there is a contract.
    play: Option<(Contract, PlayState)>,
    /// The cards that may be played now.
    legal: CardSet,
    log: PlayLog,
    announcements: announce::Announcements,
    /// Cards that everyone can tell a seat does not hold.
    excluded: BySeat<CardSet>,
    match_score: ByTeam<i32>,
    held: i32,
    deals_left: u16,
    past: Vec<PastDeal>,
}

impl Clone for DealState {
    fn clone(&self) -> Self {
        Self { auction: self.auction.clone(), past: self.past.clone(), ..*self }
    }

    /// Copies in the memory that is there: nothing is allocated.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        let (auction, mut past) = (self.auction.copy_of(&source.auction), take(&mut self.past));
        past.clone_from(&source.past);
        *self = Self { auction, past, ..*source };
    }
}

impl DealState {
    /// Starts a deal outside of a match.
    ///
    /// # Panics
    ///
    /// Panics when the cards were dealt by another method or in other packets than the rules have it.
    pub fn new(rules: &RuleSet, deal: &Deal) -> Self {
        assert!(deal.is_dealt_by(&rules.deal), "{}", DealError::OtherRules);
        Self::start(rules, deal)
    }

    /// Starts a deal as [`DealState::new`] does.
    ///
    /// ```
    /// use coinche_engine::{Deal, DealError, DealState, Deck, RuleSet, Seat};
    ///
    /// let deal = Deal::new(&RuleSet::BELOTE.deal, Deck::sorted(), Seat::S3);
    /// assert!(DealState::try_new(&RuleSet::BELOTE, &deal).is_ok());
    /// assert_eq!(DealState::try_new(&RuleSet::BGA, &deal).err(), Some(DealError::OtherRules));
    /// ```
    ///
    /// # Errors
    ///
    /// [`DealError::OtherRules`] when the cards were dealt by another method or in other packets than the
    /// rules have it.
    pub fn try_new(rules: &RuleSet, deal: &Deal) -> Result<Self, DealError> {
        if deal.is_dealt_by(&rules.deal) { Ok(Self::start(rules, deal)) } else { Err(DealError::OtherRules) }
    }

    fn start(rules: &RuleSet, deal: &Deal) -> Self {
        Self {
            rules: *rules,
            deal: *deal,
            auction: Auction::new(rules, deal.dealer(), deal.turned().map(Card::suit)),
            hands: *deal.hands(),
            play: None,
            legal: CardSet::EMPTY,
            log: PlayLog::new(),
            announcements: announce::Announcements::default(),
            excluded: BySeat([CardSet::EMPTY; 4]),
            match_score: ByTeam([0; 2]),
            held: 0,
            deals_left: 0,
            past: Vec::new(),
        }
    }

    /// Starts with the play: of this contract, as if it had come out of an auction of which nothing was heard.
    ///
    /// In the turn-up game the declarer takes the turned card. No record can be written of such a deal, since records have
    /// an auction.
    ///
    /// ```
    /// use coinche_engine::{Contract, Deal, DealState, Deck, RuleSet, Seat, Stake, Turn};
    ///
    /// let rules = RuleSet::BGA;
    /// let deal = Deal::new(&rules.deal, Deck::sorted(), Seat::S3);
    /// let contract = Contract::from_code("100H", Seat::S2, Stake::Plain)?;
    /// let state = DealState::play_from(&rules, &deal, contract)?;
    /// assert_eq!(state.turn(), Turn::Play(Seat::S0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the rules do not have this contract, or deal otherwise.
    pub fn play_from(rules: &RuleSet, deal: &Deal, contract: Contract) -> Result<Self, ContractError> {
        let mut state = Self::try_new(rules, deal)?;
        state.settle(contract)?;
        Ok(state)
    }

    /// Ends the auction, in which nothing was said, with a contract, and begins the play.
    fn settle(&mut self, contract: Contract) -> Result<(), ContractError> {
        self.auction.settle(&self.rules, contract)?;
        self.begin_play(contract);
        Ok(())
    }

    fn begin_play(&mut self, contract: Contract) {
        self.hands = self.deal.complete(contract.declarer);
        let leader = self.deal.dealer().next();
        let play = PlayState::of_hands(&self.rules.play, contract.strain, self.hands, leader);
        self.legal = play.legal_plays();
        self.play = Some((contract, play));
        self.announcements.start(&self.rules, contract.strain, &self.hands);
    }

    /// Starts another deal under the same rules in the same memory, outside of a match.
    ///
    /// # Panics
    ///
    /// Panics as [`DealState::new`] does.
    pub fn restart(&mut self, deal: &Deal) {
        assert!(deal.is_dealt_by(&self.rules.deal), "{}", DealError::OtherRules);
        self.deal = *deal;
        self.auction.restart(&self.rules, deal.dealer(), deal.turned().map(Card::suit));
        self.hands = *deal.hands();
        self.play = None;
        self.legal = CardSet::EMPTY;
        self.log.clear();
        self.announcements = announce::Announcements::default();
        self.excluded = BySeat([CardSet::EMPTY; 4]);
        self.match_score = ByTeam([0; 2]);
        self.held = 0;
        self.deals_left = 0;
        self.past.clear();
    }

    /// Tells the players the score of the match, the points that wait for the winner of this deal, and
    /// (where the deck is only cut) the deals since the last one that was played, that one included.
    pub fn set_match(&mut self, score: ByTeam<i32>, held: i32, past: &[PastDeal]) {
        self.match_score = score;
        self.held = held;
        self.past.clear();
        self.past.extend_from_slice(past);
    }

    /// Tells the players how many played deals end the match, this one included, where their number does; else 0.
    pub const fn set_deals_left(&mut self, deals: u16) {
        self.deals_left = deals;
    }

    /// Returns the rules.
    pub const fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Returns the deal.
    pub const fn deal(&self) -> &Deal {
        &self.deal
    }

    /// Returns the auction.
    pub const fn auction(&self) -> &Auction {
        &self.auction
    }

    /// Returns the hands with which play began; before that, those dealt so far.
    pub const fn hands(&self) -> &BySeat<CardSet> {
        &self.hands
    }

    /// Returns the contract, once the auction has ended with one.
    #[inline]
    pub fn contract(&self) -> Option<Contract> {
        self.play.map(|(contract, _)| contract)
    }

    /// Returns the state of the play, once there is one.
    #[inline]
    pub fn play_state(&self) -> Option<&PlayState> {
        self.play.as_ref().map(|(_, play)| play)
    }

    /// Returns what the deal is waiting for.
    #[inline]
    pub fn turn(&self) -> Turn {
        match &self.play {
            Some((_, play)) if play.is_over() => Turn::Over,
            Some((_, play)) => Turn::Play(play.to_play()),
            None => self.auction.state().turn().seat().map_or(Turn::Over, Turn::Call),
        }
    }

    /// Returns the legal calls; none when the auction is over.
    #[inline]
    pub fn legal_calls(&self) -> LegalCalls {
        self.auction.state().legal_calls()
    }

    /// Returns the cards that may be played; none outside of the play.
    pub const fn legal_plays(&self) -> CardSet {
        self.legal
    }

    /// Makes a call for the seat whose turn it is, and returns that seat.
    ///
    /// # Errors
    ///
    /// Says which rule the call breaks; the state is then unchanged.
    pub fn call(&mut self, call: Call) -> Result<Seat, IllegalCall> {
        let seat = self.auction.call(call)?;
        if self.auction.state().turn() == AuctionTurn::Over
            && let Some(contract) = self.auction.state().contract()
        {
            self.begin_play(contract);
        }
        Ok(seat)
    }

    /// Plays a card for the seat whose turn it is, and returns that seat.
    ///
    /// # Errors
    ///
    /// Says which rule the card or the announcement breaks; the state is then unchanged.
    #[inline]
    pub fn play(&mut self, play: impl Into<Play>) -> Result<Seat, IllegalPlay> {
        let Play { card, announce_belote, melds } = play.into();
        let (_, before) = self.play.as_ref().ok_or(IllegalPlay::NotPlaying(card))?;
        if !self.legal.contains(card) {
            before.check(card)?;
        }
        let (seat, leader) = (before.to_play(), before.leader());
        let inferred = before.excluded_by(card);
        if before.tricks_played() == 0 && self.rules.melds.in_strain(before.strain()) {
            let chosen = match melds {
                None => Melds::best(&self.rules.melds, self.hands[seat]),
                Some(melds) if self.meld_options(seat).contains(&melds) => melds,
                Some(_) => return Err(IllegalPlay::Melds),
            };
            self.announcements.melds[seat] = chosen;
        }
        let belote = self.announcements.card_played(&self.rules, before, card, announce_belote);
        self.excluded[seat] |= inferred | belote;
        self.log.push(card);
        let (_, after) = self.play.as_mut().expect("there is a play");
        if let Some(trick) = after.play_unchecked(card) {
            self.log.finish_trick(leader, trick.winner);
            if after.tricks_played() == 1 && self.rules.melds.in_strain(after.strain()) {
                let announced = self.announcements.melds;
                self.announcements.scored =
                    Some(Melds::contest(&self.rules.melds, after.strain(), leader, announced));
            }
        }
        self.legal = if after.is_over() { CardSet::EMPTY } else { after.legal_plays() };
        Ok(seat)
    }

    /// Turns the state into the one that a seat would see here if it had held another hand from the start and all
    /// else that it may know were the same: for asking what the seat would have done with that hand.
    ///
    /// `first_hand` is a hand as when play began (before that, as dealt) with the cards that the seat has played.
    /// The other hands stay, so that cards may be in two of them or in none: use [`DealState::view`] at this seat,
    /// [`DealState::legal_calls`] and, at the seat's turn, [`DealState::legal_plays`], and nothing that depends
    /// on other hands. When all seats have been given the hands of another deal, in which everybody could have done the same, all but
    /// [`DealState::deal`] is as in that deal, unless melds were announced. Costs some nanoseconds.
    pub fn suppose(&mut self, seat: Seat, first_hand: CardSet) {
        if let Some((_, play)) = &mut self.play {
            let played = self.hands[seat] - play.hand(seat);
            debug_assert!(played.is_subset(first_hand), "the seat has played other cards");
            play.set_hand(seat, first_hand - played);
            self.legal = if play.is_over() { CardSet::EMPTY } else { play.legal_plays() };
            self.announcements.suppose(seat, first_hand, played);
        }
        debug_assert_eq!(self.hands[seat].len(), first_hand.len());
        self.hands[seat] = first_hand;
    }

    /// Returns the announcements of melds between which a seat may choose, the default first.
    ///
    /// More than one only before its first card, and only where a carré and a run share a card or the holder may
    /// keep silent.
    pub fn meld_options(&self, seat: Seat) -> Vec<Melds> {
        if self.strain().is_none_or(|strain| self.rules.melds.in_strain(strain)) && self.rules.melds.enabled {
            Melds::options(&self.rules.melds, self.hands[seat])
        } else {
            vec![Melds::NONE]
        }
    }

    /// Returns the melds announced so far.
    pub const fn announced_melds(&self) -> &BySeat<Melds> {
        &self.announcements.melds
    }

    /// Returns the melds that score, known after the first trick.
    pub const fn scored_melds(&self) -> Option<&BySeat<Melds>> {
        self.announcements.scored.as_ref()
    }

    /// Returns the belote of a suit: who held king and queen when play began, and what was said.
    pub const fn belote(&self, suit: Suit) -> Option<Belote> {
        self.announcements.belotes[suit.index()]
    }

    /// Tests if playing this card leaves the player whose turn it is the choice to announce a belote.
    #[inline]
    pub fn may_announce_belote(&self, card: Card) -> bool {
        self.rules.belote.announce == crate::rules::Announce::Voluntary
            && matches!(self.turn(), Turn::Play(seat) if self.announcements.opens(seat, card))
            && self
                .play_state()
                .is_some_and(|play| announce::Announcements::may_open(&self.rules, play, card))
    }

    /// Returns the finished tricks.
    pub fn tricks(&self) -> &[Trick] {
        self.log.tricks()
    }

    /// Returns what came out, once the deal is over.
    pub fn outcome(&self) -> Option<Outcome> {
        match &self.play {
            None if self.auction.state().turn() == AuctionTurn::Over => Some(Outcome::ThrownIn),
            Some((contract, play)) if play.is_over() => {
                let scored = self.announcements.scored.as_ref();
                let melds_of = |melds| Melds::points_of(&self.rules.melds, melds);
                let result = DealResult {
                    contract: *contract,
                    card_points: play.card_points(&self.rules),
                    tricks: BySeat::from_fn(|seat| play.tricks_by(seat)),
                    belote: self.announcements.belote_points(),
                    melds: scored.map_or(ByTeam([0; 2]), melds_of),
                };
                Some(Outcome::Played { result, score: result.score(&self.rules) })
            }
            _ => None,
        }
    }

    /// Returns what the players saw of this deal, for the deals after it under a cut deck.
    pub fn to_past(&self) -> PastDeal {
        PastDeal::new(self.deal, self.hands, self.log)
    }

    /// The strain of the play.
    pub(crate) fn strain(&self) -> Option<Strain> {
        self.contract().map(|contract| contract.strain)
    }

    pub(crate) const fn log(&self) -> &PlayLog {
        &self.log
    }

    pub(crate) const fn excluded(&self) -> &BySeat<CardSet> {
        &self.excluded
    }

    pub(crate) const fn match_score(&self) -> ByTeam<i32> {
        self.match_score
    }

    pub(crate) const fn held(&self) -> i32 {
        self.held
    }

    pub(crate) const fn deals_left(&self) -> u16 {
        self.deals_left
    }

    pub(crate) fn past(&self) -> &[PastDeal] {
        &self.past
    }
}
