//! Why a line is no record that can be counted.

use coinche_engine::{Card, Seat, Stake};

use super::line::VERSION;

/// Why a line is no record, or what it says of itself twice and differently.
#[derive(Debug, thiserror::Error)]
pub enum ReadRecordError {
    /// It is no JSON, or its fields are not those of a record.
    #[error("not a deal record: {0}")]
    Json(#[from] serde_json::Error),
    /// The form is of another version.
    #[error("record version {0}: this program reads version {VERSION}")]
    Version(u32),
    /// Contract, tricks and whether it was made: only some of them are there.
    #[error("contract, tricks and outcome must all be there, or none of them")]
    HalfPlayed,
    /// A hand has too few or too many cards.
    #[error("seat {seat} has {found} cards, expected {expected}")]
    HandSize {
        /// Whose hand.
        seat: Seat,
        /// How many cards it has.
        found: usize,
        /// How many it should have: five where a turn-up deal was thrown in, else eight.
        expected: usize,
    },
    /// A card is in two hands.
    #[error("{0} is in two hands")]
    InTwoHands(Card),
    /// The contract is not what was bid or taken last, or not that player's.
    #[error("the contract is not the last bid of the auction")]
    NotTheLastBid,
    /// The stake is not the one that the auction came to.
    #[error("the stake is {}, but the auction ends in {}", stake.name(), heard.name())]
    Stake {
        /// The stake of the contract.
        stake: Stake,
        /// The stake by the calls after the last bid.
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
        /// Who leads.
        seat: Seat,
        /// Who won the trick before; of the first, the player after the dealer.
        turn: Seat,
    },
    /// A card is played that its player does not hold, or no longer.
    #[error("trick {trick}: seat {seat} does not have {card}")]
    NotHeld {
        /// The number of the trick, from 1.
        trick: usize,
        /// Who plays the card.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// The numbers of tricks are not those of the tricks' winners.
    #[error("tricks_won is {told:?}, but the tricks give {counted:?}")]
    TricksWon {
        /// What the record says, by team.
        told: [u8; 2],
        /// What its tricks come to, by team.
        counted: [u8; 2],
    },
    /// The card points are not those of the tricks.
    #[error("card_points is {told:?}, but the tricks give {counted:?}")]
    CardPoints {
        /// What the record says, by team.
        told: [u16; 2],
        /// What its tricks come to, by team, with the points of the last trick.
        counted: [u16; 2],
    },
}
