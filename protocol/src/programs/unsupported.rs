//! Stubs for systems without the pipes and process groups of Unix, where programs cannot be bots.

use coinche_selfplay::{ArenaError, Gathered, LegResult, Lineup, ModuleError, Result, Schedule, Scribe};
use core::ops::Range;
use std::path::Path;

use coinche_bots::{Bot, BotSpec, Program};
use coinche_engine::{ByTeam, DealState, RuleSet, Seat};

use crate::log::StderrLog;
use crate::lost::{Halted, ProgramLost};
use crate::program_info::ProgramInfo;

const REFUSAL: &str = "programs as bots need a Unix system";

/// Never constructed.
#[derive(Debug)]
pub(crate) enum ConcurrentTable {}

impl ConcurrentTable {
    /// Panics: [`probe`] rejects programs before a run.
    pub(crate) fn new(_: &RuleSet, _: Schedule, _: &Lineup, _: &StderrLog) -> Self {
        panic!("{REFUSAL}")
    }

    pub(crate) fn time(&mut self, _: [Gathered; 2], _: bool) {
        match *self {}
    }

    pub(crate) fn forfeit(&mut self) {
        match *self {}
    }

    pub(crate) fn play_ahead(&mut self, _: Range<u64>, _: &dyn Fn() -> bool) -> Result<(), Halted> {
        match *self {}
    }

    pub(crate) fn has_recent_failures(&self) -> bool {
        match *self {}
    }

    pub(crate) fn play_pair(
        &mut self,
        _: u64,
        _: &mut impl Scribe,
    ) -> Result<[LegResult; 2], Box<ProgramLost>> {
        match *self {}
    }
}

/// Always empty.
#[derive(Debug, Clone, Default)]
pub struct SeatedPrograms;

impl SeatedPrograms {
    /// Does nothing: no program waits for the end of a deal.
    #[expect(clippy::unused_self, reason = "as where there are programs")]
    pub fn send_over(&self, _: &DealState, _: Seat, _: ByTeam<i32>, _: bool) {}
}

/// Builds a bot without programs: [`probe`] rejects those.
pub fn seat_bot(_: &RuleSet, spec: &BotSpec) -> (Bot, SeatedPrograms) {
    (spec.build(), SeatedPrograms)
}

/// There is nothing to confine.
#[derive(Debug, thiserror::Error)]
#[error("{REFUSAL}")]
pub struct ConfineError;

impl ModuleError for ConfineError {}

/// Rejects a sandbox.
pub fn confine(sandbox: Option<(bool, Option<&Path>)>) -> Result<(), ConfineError> {
    sandbox.map_or(Ok(()), |_| Err(ConfineError))
}

/// There is no second process.
pub const fn own_engine(_: &str) -> Option<String> {
    None
}

/// Rejects programs.
pub fn probe(_: &RuleSet, mut programs: Vec<(String, Program)>) -> Result<Vec<ProgramInfo>> {
    match programs.pop() {
        Some((bot, _)) => Err(ArenaError::Program { bot, reason: REFUSAL.to_owned() }),
        None => Ok(Vec::new()),
    }
}
