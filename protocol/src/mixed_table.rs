//! A table for built-in bots and programs.

use coinche_selfplay::play::table::Table;
use coinche_selfplay::{Gathered, LegResult, Lineup, Schedule, Scribe};
use core::ops::Range;

use coinche_bots::BotSpec;
use coinche_engine::RuleSet;

use crate::log::StderrLog;
use crate::lost::{Halted, ProgramLost};
use crate::programs::ConcurrentTable;

/// A table for any two bots: it plays one leg at a time if each seat decides for itself, and keeps many in flight with
/// a program or a [`BatchBot`](coinche_bots::BatchBot).
pub struct MixedTable(TableKind);

enum TableKind {
    InProcess(Box<Table>),
    Concurrent(Box<ConcurrentTable>),
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
    #[cfg_attr(not(unix), expect(unreachable_code, reason = "there are no programs, and so no such table"))]
    pub fn set(rules: &RuleSet, schedule: Schedule, lineup: Lineup, log: &StderrLog) -> Self {
        Self(if lineup.has_program() || (cfg!(unix) && lineup.batch().is_some()) {
            TableKind::Concurrent(Box::new(ConcurrentTable::new(rules, schedule, &lineup, log)))
        } else {
            TableKind::InProcess(Box::new(Table::set(rules, schedule, lineup)))
        })
    }

    /// Times the decisions of built-in bots at a table with programs, by side: in all legs, or in a few.
    pub fn time(&mut self, clocks: [Gathered; 2], of_all: bool) {
        match &mut self.0 {
            // At other tables bots are timed when they are built.
            TableKind::InProcess(_) => {}
            TableKind::Concurrent(table) => table.time(clocks, of_all),
        }
    }

    /// Makes a program that fails for good forfeit its deals, instead of ending play.
    #[must_use]
    pub fn forfeit(mut self) -> Self {
        if let TableKind::Concurrent(table) = &mut self.0 {
            table.forfeit();
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
            Ok(()) | Err(Halted::Interrupted) => Ok(()),
        }
    }

    /// Plays pairs in advance, like [`MixedTable::play_ahead`], until the run is over.
    ///
    /// # Errors
    ///
    /// When a program fails for good, or `is_over` ended the work.
    pub fn play_ahead_until(&mut self, pairs: Range<u64>, is_over: &dyn Fn() -> bool) -> Result<(), Halted> {
        match &mut self.0 {
            TableKind::InProcess(_) => Ok(()),
            TableKind::Concurrent(table) => table.play_ahead(pairs, is_over),
        }
    }

    /// Tests if a program failed at its last questions, and might fail for good.
    pub fn has_recent_failures(&self) -> bool {
        match &self.0 {
            TableKind::InProcess(_) => false,
            TableKind::Concurrent(table) => table.has_recent_failures(),
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
            TableKind::InProcess(table) => Ok(table.play_pair(index, scribe)),
            TableKind::Concurrent(table) => table.play_pair(index, scribe),
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
            TableKind::InProcess(table) => {
                table.play_first_leg(index, scribe);
                Ok(())
            }
            TableKind::Concurrent(table) => table.play_pair(index, scribe).map(drop),
        }
    }
}

impl From<Table> for MixedTable {
    fn from(table: Table) -> Self {
        Self(TableKind::InProcess(Box::new(table)))
    }
}
