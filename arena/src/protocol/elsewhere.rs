//! Where programs cannot be bots: systems without the pipes and process groups of Unix.

use core::ops::Range;

use coinche_engine::RuleSet;

use super::StderrLog;
use crate::ArenaError;
use crate::config::RunConfig;
use crate::figures::ProgramInfo;
use crate::lineup::Lineup;
use crate::schedule::Schedule;
use crate::table::{LegResult, Scribe};

const REFUSAL: &str = "programs as bots need a Unix system";

/// There are none.
#[derive(Debug)]
pub(crate) enum Flights {}

impl Flights {
    /// Refuses: [`probe`] says so before a run.
    pub(crate) fn new(_: &RuleSet, _: Schedule, _: &Lineup, _: &StderrLog) -> Self {
        panic!("{REFUSAL}")
    }

    pub(crate) fn play_ahead(&mut self, _: Range<u64>) {
        match *self {}
    }

    pub(crate) fn play_pair(&mut self, _: u64, _: &mut impl Scribe) -> [LegResult; 2] {
        match *self {}
    }
}

/// Refuses programs.
pub(crate) fn probe(config: &RunConfig) -> Result<Vec<ProgramInfo>, ArenaError> {
    match config.programs().pop() {
        Some((bot, _)) => Err(ArenaError::Program { bot, reason: REFUSAL.to_owned() }),
        None => Ok(Vec::new()),
    }
}
