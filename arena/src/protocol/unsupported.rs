//! Where programs cannot be bots: systems without the pipes and process groups of Unix.

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::play::lineup::Lineup;
use coinche_selfplay::play::played::{LegResult, Scribe};
use coinche_selfplay::play::schedule::Schedule;
use coinche_selfplay::play::times::Gathered;
use core::ops::Range;

use coinche_bots::Program;
use coinche_engine::RuleSet;

use super::log::StderrLog;
use super::program_info::ProgramInfo;

const REFUSAL: &str = "programs as bots need a Unix system";

/// There are none.
#[derive(Debug)]
pub(crate) enum Flights {}

impl Flights {
    /// Refuses: [`probe`] says so before a run.
    pub(crate) fn new(_: &RuleSet, _: Schedule, _: &Lineup, _: &StderrLog) -> Self {
        panic!("{REFUSAL}")
    }

    pub(crate) fn time(&mut self, _: [Gathered; 2], _: bool) {
        match *self {}
    }

    pub(crate) fn play_ahead(&mut self, _: Range<u64>) {
        match *self {}
    }

    pub(crate) fn play_pair(&mut self, _: u64, _: &mut impl Scribe) -> [LegResult; 2] {
        match *self {}
    }
}

/// Refuses programs.
pub(crate) fn probe(
    _: &RuleSet,
    mut programs: Vec<(String, Program)>,
) -> Result<Vec<ProgramInfo>, ArenaError> {
    match programs.pop() {
        Some((bot, _)) => Err(ArenaError::Program { bot, reason: REFUSAL.to_owned() }),
        None => Ok(Vec::new()),
    }
}
