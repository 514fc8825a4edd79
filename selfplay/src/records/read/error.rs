//! Why a line is no record that can be counted.

use coinche_engine::{Card, Seat, Stake};

use super::line::VERSION;

/// Why a line is no record, or what it says of itself twice and differently.
#[derive(Debug, thiserror::Error)]
pub enum ReadRecordError {
    #[error("not a deal record: {0}")]
    Json(#[from] serde_json::Error),
    #[error("record version {0}: this program reads version {VERSION}")]
    Version(u32),
    #[error("there is a contract with tricks and an end, or none of them")]
    HalfPlayed,
    #[error("seat {seat} has {found} cards instead of {expected}")]
    HandSize { seat: Seat, found: usize, expected: usize },
    #[error("{0} is in two hands")]
    InTwoHands(Card),
    #[error("the contract is not the last bid of the auction")]
    NotTheLastBid,
    #[error("the stake is {}, the auction says {}", stake.name(), heard.name())]
    Stake { stake: Stake, heard: Stake },
    #[error("{0} tricks instead of 8")]
    TrickCount(usize),
    #[error("trick {trick}: seat {seat} leads, but it is seat {turn}'s turn")]
    Leader { trick: usize, seat: Seat, turn: Seat },
    #[error("trick {trick}: seat {seat} does not have {card}")]
    NotHeld { trick: usize, seat: Seat, card: Card },
    #[error("tricks_won is {told:?}, the tricks say {counted:?}")]
    TricksWon { told: [u8; 2], counted: [u8; 2] },
    #[error("card_points is {told:?}, the tricks say {counted:?}")]
    CardPoints { told: [u16; 2], counted: [u16; 2] },
}
