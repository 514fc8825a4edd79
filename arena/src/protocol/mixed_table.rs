//! A table at which bots of the registry and programs may sit.

use coinche_selfplay::play::lineup::Lineup;
use coinche_selfplay::play::played::{LegResult, Scribe};
use coinche_selfplay::play::schedule::Schedule;
use coinche_selfplay::play::table::Table;
use coinche_selfplay::play::times::Gathered;
use core::ops::Range;

use coinche_bots::BotSpec;
use coinche_engine::RuleSet;

#[cfg(unix)]
use super::in_flight::Flights;
use super::log::StderrLog;
use super::lost::{Halted, ProgramLost};
#[cfg(not(unix))]
use super::unsupported::Flights;

/// A table for any two bots: one leg at a time where each seat decides for itself, many in flight where a program plays or
/// a [`BatchBot`](coinche_bots::BatchBot).
pub struct MixedTable(Kind);

enum Kind {
    Own(Box<Table>),
    Programs(Box<Flights>),
}

impl MixedTable {
    /// Sets the table for two bots; what programs write to their standard error goes to the log.
    ///
    /// Programs are started by the first deal, and end with the table. What they have started ends with them: in the
    /// program `arena` and whatever calls [`main_with`](crate::main_with) all of it, else the process group of each.
    pub fn new(rules: &RuleSet, schedule: Schedule, bots: [BotSpec; 2], log: &StderrLog) -> Self {
        Self::set(rules, schedule, Lineup::of_bots(bots), log)
    }

    /// Sets the table for a lineup.
    pub(crate) fn set(rules: &RuleSet, schedule: Schedule, lineup: Lineup, log: &StderrLog) -> Self {
        Self(if lineup.has_program() || (cfg!(unix) && lineup.batch().is_some()) {
            Kind::Programs(Box::new(Flights::new(rules, schedule, &lineup, log)))
        } else {
            Kind::Own(Box::new(Table::set(rules, schedule, lineup)))
        })
    }

    /// Times the decisions of bots of the registry beside a program, by side: in all legs, or in a few.
    pub(crate) fn time(&mut self, clocks: [Gathered; 2], of_all: bool) {
        match &mut self.0 {
            // Its bots are timed one by one when they are built.
            Kind::Own(_) => {}
            Kind::Programs(flights) => flights.time(clocks, of_all),
        }
    }

    /// Lets a program that fails for good forfeit its deals, where otherwise nothing more is played.
    #[must_use]
    pub fn forfeit(mut self) -> Self {
        if let Kind::Programs(flights) = &mut self.0 {
            flights.forfeit();
        }
        self
    }

    /// Plays some pairs in a row; the scribe gets their deals and results in order.
    ///
    /// # Errors
    ///
    /// When a program fails for good: it cannot be started again, or answers nothing.
    pub fn play_pairs(
        &mut self,
        pairs: Range<u64>,
        scribe: &mut impl Scribe,
    ) -> Result<(), Box<ProgramLost>> {
        self.play_ahead(pairs.clone())?;
        for index in pairs {
            let legs = self.play_pair(index, scribe)?;
            scribe.pair(index, &legs);
        }
        Ok(())
    }

    /// Plays some pairs in advance, where that is quicker: programs and bots that take batches are asked about
    /// many of them at a time. [`MixedTable::play_pair`] then hands out their results.
    ///
    /// # Errors
    ///
    /// Those of [`MixedTable::play_pairs`].
    pub fn play_ahead(&mut self, pairs: Range<u64>) -> Result<(), Box<ProgramLost>> {
        match self.play_ahead_until(pairs, &|| false) {
            Err(Halted::Lost(lost)) => Err(lost),
            // Nobody asks.
            Ok(()) | Err(Halted::Asked) => Ok(()),
        }
    }

    /// Does the same until the run is over.
    pub(crate) fn play_ahead_until(
        &mut self,
        pairs: Range<u64>,
        is_over: &dyn Fn() -> bool,
    ) -> Result<(), Halted> {
        match &mut self.0 {
            Kind::Own(_) => Ok(()),
            Kind::Programs(flights) => flights.play_ahead(pairs, is_over),
        }
    }

    /// Tests if a program has failed at the last questions that it was asked: it may turn out to fail for good.
    pub(crate) fn is_in_doubt(&self) -> bool {
        match &self.0 {
            Kind::Own(_) => false,
            Kind::Programs(flights) => flights.is_in_doubt(),
        }
    }

    /// Plays both legs of a deal or match.
    ///
    /// # Errors
    ///
    /// Those of [`MixedTable::play_pairs`].
    pub fn play_pair(
        &mut self,
        index: u64,
        scribe: &mut impl Scribe,
    ) -> Result<[LegResult; 2], Box<ProgramLost>> {
        match &mut self.0 {
            Kind::Own(table) => Ok(table.play_pair(index, scribe)),
            Kind::Programs(flights) => flights.play_pair(index, scribe),
        }
    }

    /// Plays the first leg of a deal alone: the result of both legs where all seats have the same bot. Where a
    /// program plays both are played, and reported.
    pub(crate) fn play_first_leg(
        &mut self,
        index: u64,
        scribe: &mut impl Scribe,
    ) -> Result<(), Box<ProgramLost>> {
        match &mut self.0 {
            Kind::Own(table) => {
                table.play_first_leg(index, scribe);
                Ok(())
            }
            Kind::Programs(flights) => flights.play_pair(index, scribe).map(drop),
        }
    }
}

impl From<Table> for MixedTable {
    fn from(table: Table) -> Self {
        Self(Kind::Own(Box::new(table)))
    }
}
