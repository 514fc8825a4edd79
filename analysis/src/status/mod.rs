//! The progress of the parts of commands, read from directories that other processes may be writing.
//!
//! | module | |
//! |---|---|
//! | `found` | reads the directory of a part of any command |
//! | `work` | detects running processes |
//! | `logs` | the logs written by the scripts of a plan |
//! | `plan` | the parts of a plan, including those not begun |
//! | `loose` | parts without a plan, grouped by command |
//! | `gather` | combines the parts of one command: overlaps, speed, verdict |
//! | `json`, `document` | the two forms of the answer |
//!
//! Nothing is locked or written, so that running parts are not affected.

mod document;
mod found;
mod gather;
mod json;
mod logs;
mod loose;
mod plan;
mod work;

use std::path::PathBuf;

use coinche_bots::Registry;
use coinche_selfplay::{ModuleError, Result};

use crate::plan::PlanFile;
use coinche_runs::job;
use found::Found;
use gather::Verdict;
use logs::Log;
use work::Work;

pub use document::document;
pub use json::json;

/// Parts of one command.
pub struct Job {
    /// The directory of its plan, if it has one.
    pub plan: Option<PathBuf>,
    /// Its command, as far as known.
    command: String,
    kind: job::Job,
    commit: Option<String>,
    of_matches: bool,
    /// Total deals or matches, if known.
    asked: Option<u64>,
    /// For a command in waves, deals of earlier waves.
    before: u64,
    parts: Vec<Part>,
    /// Inconsistencies.
    problems: Vec<String>,
    /// Parts whose deals are also in others; they do not count.
    twice: Vec<PathBuf>,
    /// Whether the merged result exists; for a command in waves, whether it is over.
    is_merged: bool,
    /// Exit code and stderr of the merge, if it failed.
    merge_failed: Option<(i32, Vec<String>)>,
    /// The result so far.
    verdict: Option<Verdict>,
}

/// One part.
struct Part {
    /// Its number, counted from 1, and the number of parts.
    number: Option<(u64, u64)>,
    path: PathBuf,
    state: PartState,
    /// Its contents.
    found: Option<Found>,
    /// The exit code of the last attempt.
    exit: Option<i32>,
    /// The last lines of its stderr, if it failed.
    stderr: Vec<String>,
    /// What is wrong with it.
    problem: Option<String>,
}

/// The state of a part, in display order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PartState {
    /// Complete.
    Done,
    /// A process is running on it.
    Working,
    /// Begun, but no process is running on it.
    Stopped,
    /// The last attempt ended with an error.
    Failed,
    /// Its directory holds something else.
    Foreign,
    /// Its directory cannot be read.
    Damaged,
    /// Not begun.
    Waiting,
}

impl PartState {
    /// All states.
    const ALL: [Self; 7] =
        [Self::Done, Self::Working, Self::Stopped, Self::Failed, Self::Foreign, Self::Damaged, Self::Waiting];

    const fn name(self) -> &'static str {
        ["done", "working", "stopped", "failed", "foreign", "damaged", "waiting"][self as usize]
    }
}

/// The state of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JobState {
    /// Complete.
    Done,
    /// A process is running.
    Working,
    /// No process is running, and something failed.
    Failed,
    /// All parts are complete, but not merged.
    Ready,
    /// Parts are missing, and no process is running.
    Waiting,
}

impl JobState {
    const fn name(self) -> &'static str {
        ["done", "working", "failed", "ready", "waiting"][self as usize]
    }
}

/// A directory has nothing whose status can be reported.
#[derive(Debug, thiserror::Error)]
#[error(
    "{}: neither a plan (plan.toml) nor a part (part.json), nor a directory of parts",
    .0.display()
)]
struct Nothing(PathBuf);

impl ModuleError for Nothing {}

/// Reads directories: of plans, of parts, or of several parts.
pub fn read(directories: &[PathBuf], registry: &Registry) -> Result<Vec<Job>> {
    let (mut jobs, mut parts) = (Vec::new(), Vec::new());
    for directory in directories {
        if let Some(plan) = PlanFile::read(directory)? {
            jobs.push(plan::read(directory, &plan, registry)?);
            continue;
        }
        let found = loose::parts(directory);
        if found.is_empty() {
            return Err(Nothing(directory.clone()).into());
        }
        parts.extend(found);
    }
    jobs.extend(loose::jobs(parts, registry));
    Ok(jobs)
}

impl Part {
    const fn new(number: Option<(u64, u64)>, path: PathBuf, state: PartState) -> Self {
        Self { number, path, state, found: None, exit: None, stderr: Vec::new(), problem: None }
    }

    /// Returns a part with what is in its directory, given how its last attempt ended.
    fn of(
        number: Option<(u64, u64)>,
        path: PathBuf,
        found: Result<Option<Found>, String>,
        log: &Log,
        work: &Work,
    ) -> Self {
        let (state, found, problem) = match found {
            Ok(Some(found)) if found.is_complete => (PartState::Done, Some(found), None),
            Ok(found) if work.is_in(&path, log.ended) => (PartState::Working, found, None),
            Ok(found) => {
                let state = match log.exit {
                    _ if log.has_failed() => PartState::Failed,
                    // If the script reports success but the part does not exist, it was removed.
                    Some(0) | None if found.is_none() => PartState::Waiting,
                    _ => PartState::Stopped,
                };
                (state, found, None)
            }
            Err(problem) => (PartState::Damaged, None, Some(problem)),
        };
        Self { found, problem, ..Self::new(number, path, state) }
    }
}

impl Job {
    fn new(kind: job::Job, command: String, parts: Vec<Part>) -> Self {
        Self {
            plan: None,
            command,
            kind,
            commit: None,
            of_matches: false,
            asked: None,
            before: 0,
            parts,
            problems: Vec::new(),
            twice: Vec::new(),
            is_merged: false,
            merge_failed: None,
            verdict: None,
        }
    }

    fn count(&self, state: PartState) -> usize {
        self.parts.iter().filter(|part| part.state == state).count()
    }

    fn state(&self) -> JobState {
        let has = |state| self.count(state) > 0;
        if self.is_merged {
            JobState::Done
        } else if has(PartState::Working) {
            JobState::Working
        } else if self.merge_failed.is_some()
            || [PartState::Failed, PartState::Foreign, PartState::Damaged].into_iter().any(has)
        {
            JobState::Failed
        } else if self.missing().is_empty() && !self.kind.is_stepwise() {
            JobState::Ready
        } else {
            JobState::Waiting
        }
    }

    /// Returns the numbers of the incomplete parts; for a command in waves, all until it is over.
    pub fn missing(&self) -> Vec<u64> {
        let is_missing = |part: &&Part| {
            if self.kind.is_stepwise() { !self.is_merged } else { part.state != PartState::Done }
        };
        let mut missing: Vec<u64> =
            self.parts.iter().filter(is_missing).filter_map(|part| Some(part.number?.0)).collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    const fn unit(&self) -> [&'static str; 2] {
        if self.of_matches { ["match", "matches"] } else { ["deal", "deals"] }
    }
}
