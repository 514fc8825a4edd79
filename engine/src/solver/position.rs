//! A position of the play as one line of text.
//!
//! `STRAIN LEADER | hand of seat 0 | hand of seat 1 | hand of seat 2 | hand of seat 3`: the start of a
//! trick, with hands of equal size. The cards of a trick already begun stand before the first bar,
//! `STRAIN LEADER CARD CARD | …`; the hands then hold what is left, so that the seats that have played
//! hold one card less.

use core::fmt;
use core::str::FromStr;

use crate::rules::PlayRules;
use crate::{
    BySeat, Card, CardSet, HandsError, ParseCardError, ParseHandsError, ParseSeatError, ParseStrainError,
    PlayError, PlayState, Seat, Strain, parse_hands,
};

/// The cards still to be played, and those of the trick under way.
///
/// What was played in earlier tricks is not part of it. The sizes of the hands agree with the trick and
/// no card is there twice; whether the trick was legal depends on the rules: see [`Position::to_state`].
///
/// ```
/// use coinche_engine::RuleSet;
/// use coinche_engine::solver::{Position, Solver};
///
/// let position: Position = "H 2 | 7C AS | QH 8C | 9H TS | 8H 7S".parse()?;
/// let state = position.to_state(&RuleSet::BGA.play)?;
/// // Seat 2 draws the trumps first, then its ten of spades goes to its partner's ace.
/// assert_eq!(Solver::new().value(&RuleSet::BGA, &state), 48);
/// assert_eq!(position.to_string(), "H 2 | 7C AS | 8C QH | 9H TS | 8H 7S");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    strain: Strain,
    leader: Seat,
    /// The cards on the table in the order played, then `None`.
    trick: [Option<Card>; 3],
    hands: BySeat<CardSet>,
}

/// What is wrong with a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PositionError {
    /// There is no bar at all, or nothing before the first.
    #[error(
        "expected `STRAIN LEADER | hand | hand | hand | hand`, as in `H 2 | JH 9H | AS TS | 7C 8C | KD QD`"
    )]
    Form,
    /// The strain cannot be read.
    #[error(transparent)]
    Strain(#[from] ParseStrainError),
    /// The leader is not a seat.
    #[error("leader: {0}")]
    Leader(#[from] ParseSeatError),
    /// A card of the trick cannot be read.
    #[error("the trick: {0}")]
    TrickCard(#[from] ParseCardError),
    /// Four cards or more are on the table.
    #[error("the trick has {0} cards: expected at most 3 on the table")]
    LongTrick(usize),
    /// A card is on the table twice.
    #[error("{0} is in the trick twice")]
    TwiceInTrick(Card),
    /// The hands cannot be read.
    #[error(transparent)]
    Hands(#[from] ParseHandsError),
    /// A card on the table is in a hand as well.
    #[error("{card} is in the trick and in the hand of seat {seat}")]
    StillInHand {
        /// The card.
        card: Card,
        /// Whose hand.
        seat: Seat,
    },
    /// A hand has more or fewer cards than the others.
    #[error(
        "cards of seat {seat}: {cards}, expected {expected}: hands are of equal size, less one card for who has played to the trick"
    )]
    Size {
        /// Whose hand.
        seat: Seat,
        /// How many cards are in it.
        cards: usize,
        /// How many should be.
        expected: usize,
    },
    /// No cards are left.
    #[error("there is no card to play")]
    Empty,
    /// A card of the trick was not legal.
    #[error("the trick: seat {seat} may not play {error}")]
    Illegal {
        /// Who played it.
        seat: Seat,
        /// The card and the rule it breaks.
        error: PlayError,
    },
}

impl Position {
    /// Makes the position in which `leader` has led the first of the cards of `trick`, or is to lead.
    ///
    /// # Errors
    ///
    /// When a card is there twice, or the sizes of the hands do not agree with the trick.
    pub fn new(
        strain: Strain,
        leader: Seat,
        trick: &[Card],
        hands: BySeat<CardSet>,
    ) -> Result<Self, PositionError> {
        if trick.len() > 3 {
            return Err(PositionError::LongTrick(trick.len()));
        }
        let mut table = CardSet::EMPTY;
        for card in trick {
            if !table.insert(*card) {
                return Err(PositionError::TwiceInTrick(*card));
            }
        }
        for (seat, hand) in hands.iter() {
            if let Some(card) = (table & *hand).first() {
                return Err(PositionError::StillInHand { card, seat });
            }
        }
        HandsError::shared(&hands).map_err(ParseHandsError::from)?;
        let mut cards = [None; 3];
        for (slot, card) in cards.iter_mut().zip(trick) {
            *slot = Some(*card);
        }
        let position = Self { strain, leader, trick: cards, hands };
        position.check_sizes()?;
        Ok(position)
    }

    /// Returns the position of a state of the play.
    ///
    /// # Errors
    ///
    /// When all cards are played.
    pub fn of(state: &PlayState) -> Result<Self, PositionError> {
        let trick: Vec<Card> = state.trick().map(|(_, card)| card).collect();
        Self::new(state.strain(), state.leader(), &trick, BySeat::from_fn(|seat| state.hand(seat)))
    }

    /// Compares the hands with the size that most of them have.
    fn check_sizes(&self) -> Result<(), PositionError> {
        let played = self.trick().count();
        let done = |seat: Seat| usize::from(self.leader.distance_to(seat) < played);
        let sizes = BySeat::from_fn(|seat| self.hands[seat].len() + done(seat));
        let alike = |size: usize| sizes.0.iter().filter(|other| **other == size).count();
        let size = sizes.0.iter().copied().max_by_key(|size| (alike(*size), *size)).unwrap_or_default();
        for (seat, cards) in sizes.iter() {
            if *cards != size {
                let (cards, expected) = (self.hands[seat].len(), size - done(seat).min(size));
                return Err(PositionError::Size { seat, cards, expected });
            }
        }
        if size == 0 { Err(PositionError::Empty) } else { Ok(()) }
    }

    /// Returns what is trump.
    pub const fn strain(&self) -> Strain {
        self.strain
    }

    /// Returns who led the trick under way, or leads the next.
    pub const fn leader(&self) -> Seat {
        self.leader
    }

    /// Iterates over the cards of the trick under way, in the order played.
    pub fn trick(&self) -> impl Iterator<Item = Card> + use<> {
        self.trick.into_iter().flatten()
    }

    /// Returns what each seat still holds.
    pub const fn hands(&self) -> &BySeat<CardSet> {
        &self.hands
    }

    /// Tests if the position is the beginning of a whole deal.
    pub fn is_deal(&self) -> bool {
        self.hands.0.iter().all(|hand| hand.len() == 8)
    }

    /// Returns the state of the play under these rules.
    ///
    /// # Errors
    ///
    /// When a card of the trick was not legal, the holdings of its player given.
    pub fn to_state(&self, rules: &PlayRules) -> Result<PlayState, PositionError> {
        let mut hands = self.hands;
        for (index, card) in self.trick().enumerate() {
            let seat = self.leader.plus(index);
            hands[seat] = hands[seat].with(card);
        }
        let mut state = PlayState::new(rules, self.strain, hands, self.leader);
        for card in self.trick() {
            let seat = state.to_play();
            (state, _) = state.play(card).map_err(|error| PositionError::Illegal { seat, error })?;
        }
        Ok(state)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.strain, self.leader)?;
        for card in self.trick() {
            write!(f, " {card}")?;
        }
        for hand in self.hands.0 {
            f.write_str(if hand.is_empty() { " |" } else { " | " })?;
            fmt::Display::fmt(&hand, f)?;
        }
        Ok(())
    }
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (head, hands) = text.split_once('|').ok_or(PositionError::Form)?;
        let mut words = head.split_whitespace();
        let (Some(strain), Some(leader)) = (words.next(), words.next()) else {
            return Err(PositionError::Form);
        };
        let (strain, leader) = (strain.parse()?, leader.parse()?);
        let trick = words.map(str::parse).collect::<Result<Vec<Card>, _>>()?;
        Self::new(strain, leader, &trick, parse_hands(hands)?)
    }
}
