//! How far the parts of commands are: read from their directories, which others may be writing at the same time.
//!
//! | module | |
//! |---|---|
//! | `found` | what is in one directory, of whatever command |
//! | `work` | whether somebody is at work there |
//! | `logs` | what the scripts of a plan wrote down |
//! | `plan` | the parts of a plan, those that were not begun among them |
//! | `loose` | parts without a plan, those of one command together |
//! | `gather` | what parts of one command come to: overlaps, speed, verdict |
//! | `json`, `document` | the two forms of the answer |
//!
//! Nothing is locked and nothing written: a part that is looked at does not notice.

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
use coinche_selfplay::base::error::{ArenaError, ModuleError};

use crate::analysis::plan::{Kind, PlanFile};
use found::Found;
use gather::Verdict;

pub(crate) use document::document;
pub(crate) use json::json;

/// Parts that are of one command.
pub(crate) struct Job {
    /// The directory of its plan, where it has one.
    pub(crate) plan: Option<PathBuf>,
    /// Its command, as far as it is known.
    command: String,
    kind: Kind,
    commit: Option<String>,
    of_matches: bool,
    /// Deals or matches of the whole, where that is known.
    asked: Option<u64>,
    /// Of a command in waves, those of earlier waves.
    before: u64,
    parts: Vec<Part>,
    /// What does not fit together.
    problems: Vec<String>,
    /// Parts whose deals are in others, too: they do not count.
    twice: Vec<PathBuf>,
    /// Whether the whole is there; of a command in waves whether it is over.
    is_merged: bool,
    /// How the merge ended, where that was no success.
    merge_failed: Option<(i32, Vec<String>)>,
    /// What is known of the result so far.
    verdict: Option<Verdict>,
}

/// One part.
struct Part {
    /// Its number, from 1, and of how many.
    number: Option<(u64, u64)>,
    path: PathBuf,
    state: PartState,
    /// What is in it.
    found: Option<Found>,
    /// The exit code of the last attempt.
    exit: Option<i32>,
    /// The last lines of its standard error, where it failed.
    stderr: Vec<String>,
    /// What is wrong with it.
    problem: Option<String>,
}

/// How a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PartState {
    /// All of it is done.
    Done,
    /// Somebody is at work on it.
    Working,
    /// It was begun, and nobody is at work on it.
    Stopped,
    /// The last attempt ended with an error.
    Failed,
    /// It was not begun.
    Waiting,
    /// Its directory holds something else.
    Foreign,
    /// Its directory cannot be read.
    Damaged,
}

impl PartState {
    /// All, in the order in which they are told.
    const ALL: [Self; 7] =
        [Self::Done, Self::Working, Self::Stopped, Self::Failed, Self::Foreign, Self::Damaged, Self::Waiting];

    const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Working => "working",
            Self::Stopped => "stopped",
            Self::Failed => "failed",
            Self::Waiting => "waiting",
            Self::Foreign => "foreign",
            Self::Damaged => "damaged",
        }
    }
}

/// How a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JobState {
    /// It is over.
    Done,
    /// Somebody is at work.
    Working,
    /// Nobody is at work, and something failed.
    Failed,
    /// All parts are done, and not merged.
    Ready,
    /// Parts are missing, and nobody is at work.
    Waiting,
}

impl JobState {
    const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Working => "working",
            Self::Failed => "failed",
            Self::Ready => "ready",
            Self::Waiting => "waiting",
        }
    }
}

/// There is nothing to tell the status of.
#[derive(Debug, thiserror::Error)]
#[error(
    "{}: neither a plan (plan.toml) nor a part of one (totals.json, labels.toml or part.json), nor a directory of parts",
    .0.display()
)]
struct Nothing(PathBuf);

impl ModuleError for Nothing {}

/// Reads directories: of plans, of parts, or of several parts.
///
/// # Errors
///
/// When there is nothing in one of them.
pub(crate) fn read(directories: &[PathBuf], registry: &Registry) -> Result<Vec<Job>, ArenaError> {
    let (mut jobs, mut parts) = (Vec::new(), Vec::new());
    for directory in directories {
        if let Some(plan) = PlanFile::read(directory)? {
            jobs.push(plan::read(directory, &plan, registry));
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

impl Job {
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

    /// Returns the numbers of the parts that are not done; of a command in waves all while it is not over.
    pub(crate) fn missing(&self) -> Vec<u64> {
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
