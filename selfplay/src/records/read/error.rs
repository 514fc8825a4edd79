//! Errors of lines that cannot be counted.

use coinche_engine::{Card, Seat, Stake};

use super::line::VERSION;

/// The line is not a record, or its redundant fields disagree.
#[derive(Debug, thiserror::Error)]
pub enum ReadRecordError {
    /// The line is not JSON, or its fields are not those of a record.
    #[error("not a deal record: {0}")]
    Json(#[from] serde_json::Error),
    /// The record has another version.
    #[error("record version {0}: this program reads version {VERSION}")]
    Version(u32),
    /// Only some of contract, tricks and outcome are present.
    #[error("contract, tricks and outcome must all be there, or none of them")]
    HalfPlayed,
    /// A hand has too few or too many cards.
    #[error("seat {seat} has {found} cards, expected {expected}")]
    HandSize {
        /// The seat.
        seat: Seat,
        /// The number of cards found.
        found: usize,
        /// The number expected: five if a turn-up deal was passed out, else eight.
        expected: usize,
    },
    /// A card is in two hands.
    #[error("{0} is in two hands")]
    InTwoHands(Card),
    /// The contract is not the last bid, or not by the player who made it.
    #[error("the contract is not the last bid of the auction")]
    NotTheLastBid,
    /// The stake does not match the auction.
    #[error("the stake is {}, but the auction ends in {}", stake.name(), heard.name())]
    Stake {
        /// The stake of the contract.
        stake: Stake,
        /// The stake according to the calls after the last bid.
        heard: Stake,
    },
    /// A contract was played in fewer than eight tricks.
    #[error("{0} tricks, expected 8")]
    TrickCount(usize),
    /// A trick is led out of turn.
    #[error("trick {trick}: seat {seat} leads, but it is seat {turn}'s turn")]
    Leader {
        /// The number of the trick, from 1.
        trick: usize,
        /// The seat that leads.
        seat: Seat,
        /// The winner of the previous trick; for the first trick, the player after the dealer.
        turn: Seat,
    },
    /// A trick is given to a seat that did not win it.
    #[error("trick {trick}: seat {winner} wins it, not seat {seat}")]
    Winner {
        /// The number of the trick, from 1.
        trick: usize,
        /// The winner in the record.
        seat: Seat,
        /// Who played the best card.
        winner: Seat,
    },
    /// A seat plays a card that it does not hold, or no longer.
    #[error("trick {trick}: seat {seat} does not have {card}")]
    NotHeld {
        /// The number of the trick, from 1.
        trick: usize,
        /// The seat.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// The trick counts do not match the winners of the tricks.
    #[error("tricks_won is {told:?}, but the tricks give {counted:?}")]
    TricksWon {
        /// The counts in the record, by team.
        told: [u8; 2],
        /// The counts from its tricks, by team.
        counted: [u8; 2],
    },
    /// The card points do not match the tricks.
    #[error("card_points is {told:?}, but the tricks give {counted:?}")]
    CardPoints {
        /// The points in the record, by team.
        told: [u16; 2],
        /// The points from its tricks, by team, with those for the last trick.
        counted: [u16; 2],
    },
    /// The score does not match contract, tricks, belotes and melds.
    #[error("score is {told:?}, but contract and tricks give {counted:?}")]
    Score {
        /// The score in the record, by team.
        told: [i32; 2],
        /// The score by the rules.
        counted: [i32; 2],
    },
    /// The contract is called made where it failed, or the other way round.
    #[error("made is {told}, but contract and tricks say {}", !told)]
    Made {
        /// What the record says.
        told: bool,
    },
}
