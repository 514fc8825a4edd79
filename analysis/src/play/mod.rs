//! `arena play`: a person at one seat of the table, bots at the others.
//!
//! | module | |
//! |---|---|
//! | `session` | deal after deal, matches, records |
//! | `game` | a game of people and bots, which `arena serve` has too: deals, bots, matches |
//! | `hand` | one deal: queries the bots and the person |
//! | `desk` | the terminal: lines in, commands out |
//! | `picture` | the hand, the table, legal calls and cards as text |
//! | `result` | the result of a deal, and the cost of the person's cards |
//!
//! The person sees the [`View`](coinche_engine::View) of one seat until the deal is over. Input is parsed by
//! [`typed`](super::typed); the cards follow from the seed as in a run of matches with `--match`.

mod desk;
pub mod game;
mod hand;
mod result;
mod session;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::Duration;

use coinche_bots::BotSpec;
use coinche_engine::{BySeat, RuleSet, Seat, Seed};

use super::advise::Models;
use super::picture::Picture;
use super::typed::Language;

pub use desk::{Desk, Line};
pub use session::play;

/// The person's name in records.
pub const PERSON: &str = "human";

/// The settings of a game.
#[derive(Debug)]
pub struct Settings {
    /// The rules.
    pub rules: RuleSet,
    /// The person's seat.
    pub seat: Seat,
    /// The partner's bot.
    pub partner: BotSpec,
    /// The opponents' bot.
    pub others: BotSpec,
    /// How advice assumes that partner and opponents bid and play.
    pub models: Models,
    /// The seed of the cards and of all randomness.
    pub seed: Seed,
    /// The number of deals; `None`: until the person stops.
    pub deals: Option<u64>,
    /// The directory of the records.
    pub out: Option<PathBuf>,
    /// The time budget for advice.
    pub time: Duration,
    /// The language of all that is printed.
    pub language: Language,
}

impl Settings {
    /// Returns the bot at a seat; the one at the person's own seat is never asked.
    fn bot(&self, seat: Seat) -> &BotSpec {
        if seat.team() == self.seat.team() { &self.partner } else { &self.others }
    }

    /// Returns the person's view of the table.
    fn picture(&self) -> Picture {
        Picture { seat: self.seat, rotation: self.rules.deal.rotation, language: self.language }
    }

    /// Returns the names in records.
    fn names(&self) -> BySeat<&str> {
        BySeat::from_fn(|seat| if seat == self.seat { PERSON } else { self.bot(seat).name() })
    }
}
