//! What is wrong with a question, where, and how to fix it.

use core::fmt;

use coinche_engine::observation::ObservationError;
use coinche_engine::{
    Call, Card, CardSet, Contract, IllegalCall, LegalCalls, MeldKind, ParseSeatError, PlayError, Seat, Suit,
};

use super::auction::in_short;
use super::contract_text;
use crate::typed::{Language, ReadHandError, TypedError};

/// The position of a card in the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardPlace {
    /// In the hand, counted from 1.
    Hand(usize),
    /// In `--tricks`: trick and card, counted from 1.
    Trick(usize, usize),
    /// In `--turned`.
    Turned,
    /// In `--shown`: the word, counted from 1.
    Shown(usize),
}

impl CardPlace {
    /// Returns the position of the card played `n` cards after the first.
    pub(super) const fn of_played(n: usize) -> Self {
        Self::Trick(n / 4 + 1, n % 4 + 1)
    }
}

impl fmt::Display for CardPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hand(card) => write!(f, "the hand, card {card}"),
            Self::Trick(trick, card) => write!(f, "--tricks, trick {trick}, card {card}"),
            Self::Turned => f.write_str("--turned"),
            Self::Shown(word) => write!(f, "--shown, word {word}"),
        }
    }
}

/// What is wrong with a question.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum QuestionError {
    #[error("{place}: {error}")]
    Card { place: CardPlace, error: TypedError },
    #[error("the hand: {0}")]
    Hand(#[from] ReadHandError),
    #[error("{second}: {card} is given twice, first as {first}")]
    Twice { card: Card, first: CardPlace, second: CardPlace },
    #[error("the hand has {found} cards, expected {expected}: give {}", if *.expected == 5 {
        "the five that were dealt first; the turned card goes into --turned"
    } else {
        "all eight of the start of play, those already played too"
    })]
    HandSize { found: usize, expected: usize },
    #[error("these rules turn a card up: name it with --turned")]
    NoTurned,
    #[error("--turned is for the turn-up game: these rules turn no card up")]
    NotTurnUp,
    #[error("{0} is the turned card, which nobody holds before it is taken: take it out of the hand")]
    TurnedInHand(Card),
    #[error("{card} was turned up, and seat {taker} took it: it {} in the hand, which is seat {asker}'s",
        if .taker == .asker { "is missing" } else { "cannot be" })]
    TurnedTaken { card: Card, taker: Seat, asker: Seat },
    #[error("--auction, call {at}: {error}")]
    Call { at: usize, error: TypedError },
    #[error("--auction, call {at}: {error}")]
    CallSeat { at: usize, error: ParseSeatError },
    #[error("--auction, call {at}: {call} by seat {seat}, but it is seat {turn}'s turn to call")]
    OutOfTurn { at: usize, seat: Seat, call: Call, turn: Seat },
    #[error("--auction, call {at}, by seat {seat}: {error}; legal: {}", in_short(.legal))]
    IllegalCall { at: usize, seat: Seat, error: IllegalCall, legal: LegalCalls },
    #[error("--auction, call {at}: {call} after the end of the auction ({}): take it out",
        .how.as_ref().map_or_else(|| "passed out".to_owned(), |how| contract_text(Language::English, how)))]
    AfterTheEnd { at: usize, call: Call, how: Option<Contract> },
    #[error("the auction is over, and the deal is passed out: there is nothing to decide")]
    ThrownIn,
    #[error("the auction is over ({}): to ask for the first lead, by seat {leader}, add --tricks ''",
        contract_text(Language::English, .contract))]
    AuctionOver { contract: Contract, leader: Seat },
    #[error("the auction is not over, it is seat {0}'s turn to call: --tricks needs all calls in --auction")]
    AuctionOpen(Seat),
    #[error("--score {0}: expected two numbers of points, US,THEM, such as `340,-20`")]
    Score(String),
    #[error("--seat {wanted}: it is seat {turn}'s turn{}", if *.plays { " to play" } else { " to call" })]
    NotTheTurn { wanted: Seat, turn: Seat, plays: bool },
    #[error("--offered {0}: no coinche or surcoinche is offered to this seat now")]
    NoOffer(Seat),
    #[error("--tricks, trick {trick} has {cards} cards: four make a trick, and `/` ends it")]
    TrickSize { trick: usize, cards: usize },
    #[error("--tricks has {0} cards: all are played, and there is nothing to decide")]
    AllPlayed(usize),
    #[error(
        "{place}: {card} is played by seat {seat}, who is asked, and is not in the hand (which has all eight \
        cards of the start of play)"
    )]
    NotInHand { place: CardPlace, card: Card, seat: Seat },
    #[error(
        "{place}: {card} is played by seat {seat}, but it is in the hand, which is seat {asker}'s: it is that \
        seat's turn now"
    )]
    Held { place: CardPlace, card: Card, seat: Seat, asker: Seat },
    #[error("{place}, by seat {seat}: {error}; legal: {legal}")]
    IllegalCard { place: CardPlace, seat: Seat, error: PlayError, legal: CardSet },
    #[error("{place}: seat {seat} plays {card}, but showed in trick {shown} that it does not hold it")]
    Excluded { place: CardPlace, card: Card, seat: Seat, shown: usize },
    #[error(
        "{place}: seat {seat} plays {card}, which was turned up: only its taker, seat {taker}, can hold it"
    )]
    TurnedPlayed { place: CardPlace, card: Card, seat: Seat, taker: Seat },
    #[error("{flag}: `{word}` is not of the form {form}")]
    Word { flag: &'static str, word: String, form: &'static str },
    #[error("{0}: these rules have no melds")]
    NoMelds(&'static str),
    #[error("--melds: seat {0} announces with its first card, and has played none")]
    TooEarly(Seat),
    #[error("--melds: seat {0} has more than two melds")]
    TooMany(Seat),
    #[error("--melds: seat {seat} is asked, and {hand} has no such melds: expected {expected}")]
    OwnMelds { seat: Seat, hand: CardSet, expected: String },
    #[error("--shown: melds are shown when the first trick is over")]
    NotShownYet,
    #[error("--shown: {0} is no meld: expected three or more cards in a row of one suit, or four of a rank")]
    NoMeld(CardSet),
    #[error("--shown: the {kind} {cards} of seat {seat} {}", if *.own {
        "is not in the hand, which is that seat's"
    } else {
        "has cards that are in the hand, or that another seat has played"
    })]
    ShownElsewhere { seat: Seat, kind: MeldKind, cards: CardSet, own: bool },
    #[error(
        "both sides announced melds, and the first trick is over: say with --shown which scored, or `none`"
    )]
    WhoScored,
    #[error("{0}")]
    NotInAuction(&'static str),
    #[error("--belote: {0}")]
    Belote(&'static str),
    #[error("--belote: seat {seat} has played neither king nor queen of {suit}, or cannot hold both")]
    NoBelote { seat: Seat, suit: Suit },
    #[error(transparent)]
    Observation(#[from] ObservationError),
    #[error(
        "no deal fits all of this: the cards that the others have shown not to hold cannot be shared out, or what \
        was announced cannot be; look again at the hand, --tricks and what was announced"
    )]
    NoDeal,
}
