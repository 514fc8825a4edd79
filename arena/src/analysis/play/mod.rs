//! `arena play`: a person at a seat of the table, bots at the others.
//!
//! | module | |
//! |---|---|
//! | `session` | deal after deal, matches, records |
//! | `hand` | one deal: bots are asked, the person is |
//! | `desk` | where the person reads and types: lines in, commands out |
//! | `picture` | the hand, the table, legal calls and cards as text |
//! | `result` | what a deal came to, and what the person's cards cost |
//!
//! The person is shown the [`View`](coinche_engine::View) of one seat until the deal is over. What is typed is read by
//! [`typed`](super::typed); the cards follow from the seed as in a run of matches with `--match`.

mod desk;
mod hand;
mod picture;
mod result;
mod session;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::Duration;

use coinche_bots::BotSpec;
use coinche_engine::{BySeat, RuleSet, Seat, Seed};

use super::advise::Models;
use super::typed::Language;

pub(crate) use desk::{Desk, Line};
use picture::Picture;
pub(crate) use session::play;

/// The person's name in records.
const PERSON: &str = "human";

/// Who plays what.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) rules: RuleSet,
    /// The person's.
    pub(crate) seat: Seat,
    pub(crate) partner: BotSpec,
    pub(crate) others: BotSpec,
    /// How partner and opponents are taken to bid and play where advice is asked for.
    pub(crate) models: Models,
    /// The cards follow from it, and all that is random.
    pub(crate) seed: Seed,
    /// How many deals are played; `None`: until the person stops.
    pub(crate) deals: Option<u64>,
    /// Where the records go.
    pub(crate) out: Option<PathBuf>,
    /// How long advice is thought about.
    pub(crate) time: Duration,
    /// In which language cards and calls are printed.
    pub(crate) language: Language,
}

impl Settings {
    /// The bot at a seat; at the person's own one that is never asked.
    fn bot(&self, seat: Seat) -> &BotSpec {
        if seat.team() == self.seat.team() { &self.partner } else { &self.others }
    }

    /// How the person sees the table.
    fn picture(&self) -> Picture {
        Picture { seat: self.seat, rotation: self.rules.deal.rotation, language: self.language }
    }

    /// The names in records.
    fn names(&self) -> BySeat<&str> {
        BySeat::from_fn(|seat| if seat == self.seat { PERSON } else { self.bot(seat).name() })
    }
}
