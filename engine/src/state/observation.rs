//! The state of a deal rebuilt from what one seat knows of it.

use super::DealState;
use super::announce::Announcements;
use crate::auction::ContractError;
use crate::rules::DealMethod;
use crate::trick::PlayLog;
use crate::{
    Auction, AuctionTurn, BySeat, ByTeam, Call, Card, CardSet, Contract, Deal, Deck, IllegalCall, MeldKind,
    Melds, PastDeal, PlayState, RuleSet, Seat, Suit, Trick, Turn,
};

/// Everything that one seat knows of a deal in which it must decide: the contents of a [`crate::View`] as
/// plain data.
///
/// For programs that get their view by a wire: [`Observation::state`] makes a state whose view at this seat is
/// the view that was sent.
///
/// ```
/// use coinche_engine::{Call, RuleSet, Seat, Turn};
/// use coinche_engine::observation::Observation;
///
/// let mut observation = Observation::new(Seat::S1, Seat::S0, "JS 9S AS TS AD KD 7C 8C".parse()?);
/// let state = observation.state(&RuleSet::BGA)?;
/// assert_eq!(state.turn(), Turn::Call(Seat::S1));
/// assert!(state.legal_calls().contains("82S".parse()?));
///
/// observation.seat = Seat::S2;
/// assert!(observation.state(&RuleSet::BGA).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// Whose knowledge it is.
    pub seat: Seat,
    /// Who dealt.
    pub dealer: Seat,
    /// The card turned up, in the turn-up game.
    pub turned: Option<Card>,
    /// The seat's hand when play began; before that, as dealt.
    pub first_hand: CardSet,
    /// The contract of a play that began without an auction ([`DealState::play_from`]).
    pub given: Option<Contract>,
    /// The calls, declined offers of an any-time coinche left out.
    pub calls: Vec<(Seat, Call)>,
    /// Whether the seat is asked about an any-time coinche or surcoinche, not to speak.
    pub offered: bool,
    /// The cards played, in order.
    pub cards: Vec<Card>,
    /// The kinds of meld that each seat has announced, in the order of the record.
    pub announced: BySeat<Vec<MeldKind>>,
    /// The melds that score, once the first trick is over.
    pub scored: Option<BySeat<Melds>>,
    /// The belotes that were announced, or (of the own seat) were not, by suit.
    pub belotes: Vec<(Suit, Seat, bool)>,
    /// The score of the match before the deal.
    pub match_score: ByTeam<i32>,
    /// The points that wait for the winner of the deal.
    pub held: i32,
    /// How many played deals end the match, where their number does.
    pub deals_left: u16,
    /// The earlier deals that the seat saw, where the deck is only cut.
    pub past: Vec<ObservedDeal>,
}

/// What one seat knows of an earlier deal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObservedDeal {
    /// Who dealt.
    pub dealer: Seat,
    /// The card turned up, in the turn-up game.
    pub turned: Option<Card>,
    /// The hand that the seat itself held.
    pub hand: CardSet,
    /// The tricks, none of a deal that was passed out.
    pub tricks: Vec<Trick>,
}

/// What is wrong with a [`Observation`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ObservationError {
    /// The hand does not have the cards of this moment.
    #[error("{0} cards in the hand, expected {1}")]
    Hand(usize, usize),
    /// There is a turned card without a turn-up game, or none in one.
    #[error("there is a turned card in the turn-up game, and only there")]
    Turned,
    /// A call breaks a rule.
    #[error(transparent)]
    Call(#[from] IllegalCall),
    /// The contract of a play without an auction is none of these rules.
    #[error(transparent)]
    Contract(#[from] ContractError),
    /// Both a contract without an auction and calls.
    #[error("there are calls before a contract that was given without an auction")]
    GivenContract,
    /// A call out of turn.
    #[error("{1} out of turn by seat {0}")]
    OutOfTurn(Seat, Call),
    /// Cards are played although the auction has not ended with a contract.
    #[error("cards are played without a contract")]
    NoContract,
    /// A card cannot be played by this seat: it was played before, or another holds it.
    #[error("{1} cannot be played by seat {0}")]
    Card(Seat, Card),
    /// A list is too long.
    #[error("{0}: more than a deal can have")]
    TooMany(&'static str),
    /// It is not this seat that must decide.
    #[error("it is not the turn of seat {0}")]
    NotTheTurn(Seat),
}

impl Observation {
    /// Starts with a hand before the first call.
    pub fn new(seat: Seat, dealer: Seat, first_hand: CardSet) -> Self {
        Self {
            seat,
            dealer,
            turned: None,
            first_hand,
            given: None,
            calls: Vec::new(),
            offered: false,
            cards: Vec::new(),
            announced: BySeat([const { Vec::new() }; 4]),
            scored: None,
            belotes: Vec::new(),
            match_score: ByTeam([0; 2]),
            held: 0,
            deals_left: 0,
            past: Vec::new(),
        }
    }

    /// Rebuilds the state of the deal, at a moment in which the seat must decide.
    ///
    /// Its view at the seat, the legal calls and cards and the choices of melds are those of the deal that
    /// was observed. **What the others hold is made up**: cards are laid into their hands without regard to
    /// what they have shown. So use [`DealState::view`] at this seat, and nothing that depends on other
    /// hands.
    ///
    /// # Errors
    ///
    /// Says what cannot be: a hand of the wrong size, a call or card out of turn, a decision that is not
    /// the seat's.
    pub fn state(&self, rules: &RuleSet) -> Result<DealState, ObservationError> {
        if self.turned.is_some() != (rules.deal.method == DealMethod::TurnUp) {
            return Err(ObservationError::Turned);
        }
        let deal = made_up_deal(rules, self.dealer, self.turned);
        let mut state = DealState::new(rules, &deal);
        state.match_score = self.match_score;
        state.held = self.held;
        state.deals_left = self.deals_left;
        for past in &self.past {
            state.past.push(past.to_past(rules, self.seat)?);
        }
        match self.given {
            Some(contract) if self.calls.is_empty() => state.auction.settle(rules, contract)?,
            Some(_) => return Err(ObservationError::GivenContract),
            None => self.speak(&mut state.auction)?,
        }
        let over = state.auction.state().turn() == AuctionTurn::Over;
        let expected = if over { 8 } else { rules.deal.packets.total() };
        if self.first_hand.len() != expected {
            return Err(ObservationError::Hand(self.first_hand.len(), expected));
        }
        state.hands = BySeat([CardSet::EMPTY; 4]);
        state.hands[self.seat] = self.first_hand;
        if over {
            self.play(&mut state)?;
        } else if !self.cards.is_empty() {
            return Err(ObservationError::NoContract);
        }
        match state.turn() {
            Turn::Call(seat) | Turn::Play(seat) if seat == self.seat => Ok(state),
            _ => Err(ObservationError::NotTheTurn(self.seat)),
        }
    }

    /// Makes the calls, with the offers that were declined.
    fn speak(&self, auction: &mut Auction) -> Result<(), ObservationError> {
        for (seat, call) in &self.calls {
            while auction.state().turn().was_declined(Some((*seat, *call))) {
                auction.call(Call::Pass)?;
            }
            if auction.state().turn().seat() != Some(*seat) {
                return Err(ObservationError::OutOfTurn(*seat, *call));
            }
            auction.call(*call)?;
        }
        while auction.state().turn().is_offer()
            && !(self.offered && auction.state().turn().seat() == Some(self.seat))
        {
            auction.call(Call::Pass)?;
        }
        Ok(())
    }

    /// Plays the cards.
    fn play(&self, state: &mut DealState) -> Result<(), ObservationError> {
        let contract = state.auction.state().contract().ok_or(ObservationError::NoContract)?;
        if self.cards.len() > 32 {
            return Err(ObservationError::TooMany("cards"));
        }
        state.hands = self.hands(state)?;
        let mut play =
            PlayState::new(&state.rules.play, contract.strain, state.hands, state.deal.dealer().next());
        state.announcements =
            Announcements::observed(&state.rules, contract.strain, self.seat, self.first_hand, &self.belotes);
        for card in &self.cards {
            let (seat, leader) = (play.to_play(), play.leader());
            let said = self.belotes.iter().find(|(suit, other, _)| *suit == card.suit() && *other == seat);
            let announce = said.is_none_or(|(_, _, announced)| *announced);
            let inferred = play.excluded_by(*card);
            let belote = state.announcements.card_played(&state.rules, &play, *card, announce);
            state.excluded[seat] |= inferred | belote;
            state.log.push(*card);
            if let Some(trick) = play.play_ranked(play.layout().bit(*card)) {
                state.log.finish_trick(leader, trick.winner);
            }
        }
        for (seat, kinds) in self.announced.iter() {
            let scored = self.scored.map_or(Melds::NONE, |scored| scored[seat]);
            state.announcements.melds[seat] =
                Melds::announced(kinds, scored).ok_or(ObservationError::TooMany("melds"))?;
        }
        state.announcements.scored = self.scored;
        state.legal = if play.is_over() { CardSet::EMPTY } else { play.legal_plays() };
        state.play = Some((contract, play));
        Ok(())
    }

    /// The own hand, and hands of the others that have the cards they played.
    fn hands(&self, state: &DealState) -> Result<BySeat<CardSet>, ObservationError> {
        let mut hands = BySeat([CardSet::EMPTY; 4]);
        hands[self.seat] = self.first_hand;
        let contract = state.auction.state().contract().ok_or(ObservationError::NoContract)?;
        // Whose turn it is does not depend on what else the hands hold.
        let made_up = state.deal.complete(contract.declarer);
        let leader = state.deal.dealer().next();
        let mut play = PlayState::new(&state.rules.play, contract.strain, made_up, leader);
        let mut played = CardSet::EMPTY;
        for card in &self.cards {
            let seat = play.to_play();
            let own = seat == self.seat;
            if own != self.first_hand.contains(*card) || !played.insert(*card) {
                return Err(ObservationError::Card(seat, *card));
            }
            hands[seat] = hands[seat].with(*card);
            play.play_ranked(play.layout().bit(*card));
        }
        let mut rest = (!(self.first_hand | played)).into_iter();
        for seat in Seat::ALL {
            if seat != self.seat {
                let missing = 8 - hands[seat].len();
                hands[seat].extend(rest.by_ref().take(missing));
            }
        }
        Ok(hands)
    }
}

impl ObservedDeal {
    fn to_past(&self, rules: &RuleSet, seat: Seat) -> Result<PastDeal, ObservationError> {
        if self.tricks.len() > 8 {
            return Err(ObservationError::TooMany("tricks"));
        }
        if self.turned.is_some() != (rules.deal.method == DealMethod::TurnUp) {
            return Err(ObservationError::Turned);
        }
        let mut log = PlayLog::new();
        for trick in &self.tricks {
            log.push_trick(*trick);
        }
        let mut hands = BySeat([CardSet::EMPTY; 4]);
        hands[seat] = self.hand;
        Ok(PastDeal::new(made_up_deal(rules, self.dealer, self.turned), hands, log))
    }
}

/// A deal of made-up cards with this card turned up.
fn made_up_deal(rules: &RuleSet, dealer: Seat, turned: Option<Card>) -> Deal {
    let mut cards = *Deck::sorted().cards();
    if let Some(turned) = turned {
        // The card after the twenty that are dealt first.
        cards.swap(20, turned.index());
    }
    Deal::new(&rules.deal, Deck::from_cards(cards).expect("two cards of a deck exchanged"), dealer)
}
