//! Analysis of records and solved deals, training, and the deal that a person plays: one module per command, of the
//! command's name. `typed` parses user input, and `coach` prices decisions.

#![allow(clippy::missing_errors_doc, reason = "the variants of the error types say what can go wrong")]

pub mod advise;
pub mod bidding;
pub mod coach;
pub mod compare;
mod cycles;
pub mod fit;
pub mod judge;
pub mod label;
pub mod leaderboard;
mod picture;
pub mod plan;
pub mod play;
pub mod report;
pub mod selfcheck;
pub mod stats;
pub mod stats_hands;
pub mod status;
pub mod system;
mod texts;
pub mod train;
pub mod typed;

pub use texts::{capital, error_in, known_errors};
