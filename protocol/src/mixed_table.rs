//! A table for built-in bots and programs.

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

/// A table for any two bots: it plays one leg at a time if each seat decides for itself, and keeps many in flight with
/// a program or a [`BatchBot`](coinche_bots::BatchBot).
pub struct MixedTable(Kind);

enum Kind {
    Own(Box<Table>),
    Programs(Box<Flights>),
}

impl MixedTable {
    /// Creates a table for two bots; the stderr of programs goes to the log.
    ///
    /// Programs start with the first deal and end with the table. Their descendants end with them: all of them in the
    /// program `arena` and whatever calls `coinche_arena::main_with`, else the process group of each program.
    pub fn new(rules: &RuleSet, schedule: Schedule, bots: [BotSpec; 2], log: &StderrLog) -> Self {
        Self::set(rules, schedule, Lineup::of_bots(bots), log)
    }

    /// Creates a table for a lineup.
    pub fn set(rules: &RuleSet, schedule: Schedule, lineup: Lineup, log: &StderrLog) -> Self {
        Self(if lineup.has_program() || (cfg!(unix) && lineup.batch().is_some()) {
            Kind::Programs(Box::new(Flights::new(rules, schedule, &lineup, log)))
        } else {
            Kind::Own(Box::new(Table::set(rules, schedule, lineup)))
        })
    }

    /// Times the decisions of built-in bots at a table with programs, by side: in all legs, or in a few.
    pub fn time(&mut self, clocks: [Gathered; 2], of_all: bool) {
        match &mut self.0 {
            // At other tables bots are timed when they are built.
            Kind::Own(_) => {}
            Kind::Programs(flights) => flights.time(clocks, of_all),
        }
    }

    /// Makes a program that fails for good forfeit its deals, instead of ending play.
    #[must_use]
    pub fn forfeit(mut self) -> Self {
        if let Kind::Programs(flights) = &mut self.0 {
            flights.forfeit();
        }
        self
    }

    /// Plays a range of pairs; the scribe receives their deals and results in order.
    ///
    /// # Errors
    ///
    /// When a program fails for good: it cannot be restarted, or does not answer.
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

    /// Plays some pairs in advance, if that is faster: programs and batch bots then answer for many of them at a time.
    /// [`MixedTable::play_pair`] hands out their results.
    ///
    /// # Errors
    ///
    /// Those of [`MixedTable::play_pairs`].
    pub fn play_ahead(&mut self, pairs: Range<u64>) -> Result<(), Box<ProgramLost>> {
        match self.play_ahead_until(pairs, &|| false) {
            Err(Halted::Lost(lost)) => Err(lost),
            // Cannot happen: nothing asks to stop here.
            Ok(()) | Err(Halted::Asked) => Ok(()),
        }
    }

    /// Plays pairs in advance, like [`MixedTable::play_ahead`], until the run is over.
    ///
    /// # Errors
    ///
    /// When a program fails for good, or `is_over` ended the work.
    pub fn play_ahead_until(&mut self, pairs: Range<u64>, is_over: &dyn Fn() -> bool) -> Result<(), Halted> {
        match &mut self.0 {
            Kind::Own(_) => Ok(()),
            Kind::Programs(flights) => flights.play_ahead(pairs, is_over),
        }
    }

    /// Tests if a program failed at its last questions, and might fail for good.
    pub fn is_in_doubt(&self) -> bool {
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

    /// Plays the first leg of a deal alone: if all seats have the same bot, both legs have the same result. With a
    /// program both legs are played and reported.
    ///
    /// # Errors
    ///
    /// When a program fails for good.
    pub fn play_first_leg(&mut self, index: u64, scribe: &mut impl Scribe) -> Result<(), Box<ProgramLost>> {
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
