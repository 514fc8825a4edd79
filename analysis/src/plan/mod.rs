//! Divides a command into shards for many machines: a plan, and scripts to run it.
//!
//! | module | |
//! |---|---|
//! | `words` | the words of such a command: which ones a plan adds, and which ones are not allowed |
//! | `file` | `plan.toml` |
//! | `trial` | measures the cost of a small part of the command |
//! | `size` | how many shards, and how long one takes |
//! | `scripts` | the scripts for each scheduler |
//!
//! No scheduler is needed: a part is a directory that resumes where it stopped, and the scripts are short
//! enough to be read and edited.

mod error;
mod file;
mod scripts;
mod size;
mod trial;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

use coinche_engine::Seed;
use coinche_selfplay::base::files::{foreign_data, make_directory, write_whole};
use coinche_selfplay::{ArenaError, Result, VERSION};

use coinche_runs::{COMMIT, Job};

pub use error::PlanError;
pub use file::PlanFile;
pub use scripts::Scheduler;
pub use size::{Estimate, MOST_SHARDS};
pub use words::{Words, split};

/// The properties of a command to divide.
#[derive(Debug, Clone)]
pub struct Inner {
    /// The job.
    pub kind: Job,
    /// Its seed, if given or in a file.
    pub seed: Option<Seed>,
    /// Whether the result depends on a seed.
    pub is_random: bool,
    /// The number of deals or matches, if known beforehand.
    pub deals: Option<u64>,
    /// Whether these are matches.
    pub of_matches: bool,
    /// The maximum number of non-empty shards, if known beforehand.
    pub pieces: Option<u64>,
}

/// The division requested.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The command in words.
    pub words: Words,
    /// The command.
    pub inner: Inner,
    /// How it is divided.
    pub divided: Divided,
    /// The threads of a part.
    pub threads: usize,
    /// Whether to play a small part, to estimate the total cost.
    pub estimates: bool,
    /// The program.
    pub arena: PathBuf,
    /// The base directory of relative paths.
    pub from: PathBuf,
}

/// The number of parts.
#[derive(Debug, Clone, Copy)]
pub enum Divided {
    /// This many.
    Shards(u64),
    /// As many as suit this many workers.
    Workers(u64),
}

/// The result of a command.
#[derive(Debug)]
pub struct Made {
    /// What it planned.
    pub plan: PlanFile,
    /// Whether the plan existed before.
    pub was_there: bool,
    /// The newly written scripts.
    pub written: Vec<&'static str>,
}

/// Writes a plan and its scripts into a directory; for an existing plan only the missing scripts.
pub fn make(asked: &Asked, scheduler: Scheduler, directory: &Path) -> Result<Made> {
    let there = PlanFile::read(directory)?;
    if there.is_none()
        && let Some(file) = foreign_data(directory, &[])
    {
        return Err(ArenaError::RunExists { path: directory.to_owned(), file });
    }
    if let Divided::Shards(shards) = asked.divided {
        check(asked, shards)?;
    }
    let plan = match (&there, asked.divided) {
        (Some(there), Divided::Shards(shards)) => new(asked, shards, there.estimate),
        // The number of shards for the workers was chosen when the plan was made.
        (Some(there), Divided::Workers(_)) => new(asked, there.shards, there.estimate),
        (None, _) => first(asked)?,
    };
    if let Some(there) = &there {
        let differences = there.differences(&plan);
        if !differences.is_empty() {
            return Err(PlanError::Other { directory: directory.to_owned(), differences }.into());
        }
    }
    let plan = there.clone().unwrap_or(plan);
    make_directory(directory)?;
    let mut written = Vec::new();
    for (name, text) in scripts::all(&plan, scheduler, directory)? {
        let path = directory.join(name);
        // An existing script may have been edited by the user.
        if fs::symlink_metadata(&path).is_err() {
            write_whole(&path, text.as_bytes())?;
            written.push(name);
        }
    }
    for name in ["parts", "logs"] {
        make_directory(&directory.join(name))?;
    }
    if there.is_none() {
        plan.write(directory)?;
    }
    Ok(Made { plan, was_there: there.is_some(), written })
}

/// Tries a command, and makes its plan.
fn first(asked: &Asked) -> Result<PlanFile> {
    let tried = match asked.divided {
        Divided::Shards(shards) => shards,
        Divided::Workers(workers) => workers.min(asked.inner.pieces.unwrap_or(workers)),
    };
    let cost = trial::run(asked, tried)?.map(|trial| trial.cost(asked.inner.kind, tried));
    let shards = match asked.divided {
        Divided::Shards(shards) => shards,
        Divided::Workers(workers) => size::shards(workers, asked, cost.as_ref()),
    };
    let estimate = cost.map(|cost| Estimate::new(&cost, shards, asked.threads));
    Ok(new(asked, shards, estimate))
}

/// Checks that no shard is empty.
fn check(asked: &Asked, shards: u64) -> Result<(), PlanError> {
    match asked.inner.pieces.filter(|pieces| *pieces < shards) {
        Some(pieces) => Err(PlanError::Empty { shards, pieces, kind: asked.inner.kind }),
        None => Ok(()),
    }
}

fn new(asked: &Asked, shards: u64, estimate: Option<Estimate>) -> PlanFile {
    PlanFile {
        v: file::FORM,
        version: VERSION.to_owned(),
        commit: COMMIT.to_owned(),
        kind: asked.inner.kind,
        stepwise: asked.inner.kind.is_stepwise(),
        shards,
        command: asked.words.command.clone(),
        output: asked.words.output.clone(),
        seed: asked.inner.seed.as_ref().map(ToString::to_string),
        deals: asked.inner.deals,
        unit: if asked.inner.of_matches { "matches" } else { "deals" }.to_owned(),
        threads: asked.threads,
        arena: asked.arena.clone(),
        from: asked.from.clone(),
        estimate,
    }
}
