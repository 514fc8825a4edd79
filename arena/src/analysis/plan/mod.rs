//! A command in shards on many machines: the plan of it, and scripts that carry it out.
//!
//! | module | |
//! |---|---|
//! | `kind` | which commands can be divided, and how |
//! | `words` | the words of such a command: what a plan adds, and what it must not have |
//! | `file` | `plan.toml` |
//! | `trial` | what a little of the command costs |
//! | `size` | how many shards, and how long one takes |
//! | `scripts` | the scripts, for one scheduler or another |
//!
//! A scheduler is not needed here: a part is a directory that goes on where it stopped, and the scripts are short
//! enough to be read and changed.

mod error;
mod file;
mod kind;
mod scripts;
mod size;
mod trial;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

use coinche_engine::Seed;
use coinche_selfplay::base::VERSION;
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::files::{foreign_data, make_directory, write_whole};

use crate::run::commit::COMMIT;

pub(crate) use error::PlanError;
pub(crate) use file::PlanFile;
pub(crate) use kind::Kind;
pub use scripts::Scheduler;
pub(crate) use size::{Estimate, MOST_SHARDS};
pub(crate) use words::{Words, split};

/// What is known of a command that is to be divided.
#[derive(Debug, Clone)]
pub(crate) struct Inner {
    pub(crate) kind: Kind,
    /// Its seed, where it has one: given or in a file.
    pub(crate) seed: Option<Seed>,
    /// Whether a seed decides about it.
    pub(crate) is_random: bool,
    /// How many deals or matches it is of, where that is known before.
    pub(crate) deals: Option<u64>,
    /// Whether these are matches.
    pub(crate) of_matches: bool,
    /// The most shards that are not empty, where that is known before.
    pub(crate) pieces: Option<u64>,
}

/// How a command is to be divided.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) words: Words,
    pub(crate) inner: Inner,
    pub(crate) divided: Divided,
    /// The threads of a part.
    pub(crate) threads: usize,
    /// Whether a little of it is played, to tell what all of it costs.
    pub(crate) estimates: bool,
    /// The program.
    pub(crate) arena: PathBuf,
    /// Where paths in the command begin.
    pub(crate) from: PathBuf,
}

/// Into how many parts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Divided {
    /// So many.
    Shards(u64),
    /// As many as suit so many workers.
    Workers(u64),
}

/// What a command left behind.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) plan: PlanFile,
    /// Whether the plan was there before.
    pub(crate) was_there: bool,
    /// The scripts that were written now.
    pub(crate) written: Vec<&'static str>,
}

/// Writes a plan and its scripts into a directory; of one that is there only the scripts that are missing.
///
/// # Errors
///
/// When the command is refused, the directory holds another plan or anything else, or something cannot be written.
pub(crate) fn make(asked: &Asked, scheduler: Scheduler, directory: &Path) -> Result<Made, ArenaError> {
    let there = PlanFile::read(directory)?;
    if there.is_none()
        && let Some(file) = foreign_data(directory, &[])
    {
        return Err(ArenaError::RunExists { path: directory.to_owned(), file });
    }
    if let Divided::Shards(shards) = asked.divided {
        check(asked, shards)?;
    }
    let plan = match &there {
        // The number of shards that suit the workers was found when the plan was made.
        Some(there) => new(asked, there.shards_for(asked.divided), there.estimate),
        None => first(asked)?,
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
        // One that is there may have been changed by its owner.
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

/// Tries a command, and makes the plan of it.
fn first(asked: &Asked) -> Result<PlanFile, ArenaError> {
    let tried = match asked.divided {
        Divided::Shards(shards) => shards,
        Divided::Workers(workers) => workers.min(asked.inner.pieces.unwrap_or(workers)),
    };
    let trial = trial::run(asked, tried)?;
    let cost = trial.map(|trial| trial.cost(asked.inner.kind, tried));
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
