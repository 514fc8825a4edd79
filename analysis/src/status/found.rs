//! Reads the directory of a part of any command.

use core::ops::Range;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use coinche_selfplay::base::files::checksums::Checksums;
use coinche_selfplay::base::files::{if_there, read_json};
use coinche_selfplay::{ArenaError, Result};
use serde_json::Value;

use crate::label::{Chunks, Files};
use coinche_runs::{Job, LOCK, State};

/// The contents of a part's directory.
#[derive(Debug)]
pub(super) struct Found {
    /// The command, as far as the directory has it.
    pub(super) command: String,
    /// The time that its deals or matches took, if known.
    pub(super) seconds: Option<f64>,
    /// Whether it is complete and valid.
    pub(super) is_complete: bool,
    pub(super) state: Box<State>,
}

impl Found {
    /// Returns its number, counted from 1, and the number of shards.
    pub(super) fn shard(&self) -> Option<(u64, u64)> {
        self.state.shard.map(|shard| (shard.number(), shard.of()))
    }

    /// Returns its deals or matches.
    pub(super) fn range(&self) -> Range<u64> {
        self.state.start..self.state.end
    }

    /// Returns the number of them done.
    pub(super) fn done(&self) -> u64 {
        self.state.done.saturating_sub(self.state.start)
    }

    /// Returns the total number in all parts; a part of a step does not know it.
    pub(super) fn asked(&self) -> Option<u64> {
        (!self.state.job.is_stepwise()).then(|| self.state.asked.saturating_sub(self.state.first))
    }
}

/// Reads a directory; `None` if it has no part.
pub(super) fn read(directory: &Path) -> Result<Option<Found>> {
    let Some(state) = State::read(directory)? else { return Ok(None) };
    let (command, seconds) = match state.job {
        Job::Run => of_run(directory)?,
        Job::Label | Job::Decisions | Job::Games | Job::Rows => {
            (of_labels(&state), seconds_of_files(directory, &state))
        }
        _ if state.command.is_empty() => (state.job.command().to_owned(), None),
        _ => (state.command.strip_prefix("arena ").unwrap_or(&state.command).to_owned(), None),
    };
    Ok(Some(Found {
        command,
        seconds: seconds.or(state.timing.map(|timing| timing.seconds)),
        is_complete: state.is_done() && state.is_closed() && Checksums::are_in(directory),
        state: Box::new(state),
    }))
}

/// Returns the command of a run, and its duration, from `run.json`.
fn of_run(directory: &Path) -> Result<(String, Option<f64>)> {
    let run = json(&directory.join("run.json"))?;
    let command = run["command"].as_str().and_then(|command| command.strip_prefix("arena "));
    Ok((command.unwrap_or("run").to_owned(), run["timing"]["seconds"].as_f64()))
}

/// Reads a file of JSON; null if there is none.
pub(super) fn json(path: &Path) -> Result<Value> {
    let Some(text) = if_there(read_json(path))? else { return Ok(Value::Null) };
    serde_json::from_slice(&text).map_err(|error| ArenaError::damaged(path, error))
}

/// Returns the command of a data set, as far as its settings have it.
fn of_labels(state: &State) -> String {
    let seed = state.identity.settings.get("seed").and_then(toml::Value::as_str);
    let seed = seed.map_or_else(String::new, |seed| format!(" --seed {seed}"));
    format!("{} --deals {}{seed}", state.job.command(), state.asked)
}

/// Estimates the time spent on the existing chunks: their number times the median time between two files, since
/// nothing else records it. Pauses do not count.
fn seconds_of_files(directory: &Path, state: &State) -> Option<f64> {
    let set = Chunks::of(state).and_then(|chunks| Files::of(state, &chunks)).ok()?;
    let changed = |name: &str| fs::metadata(directory.join(name)).and_then(|file| file.modified()).ok();
    let mut times: Vec<SystemTime> =
        set.iter().filter_map(|(name, _)| changed(name)).chain(changed(LOCK)).collect();
    times.sort();
    let mut between: Vec<Duration> =
        times.windows(2).filter_map(|two| two[1].duration_since(two[0]).ok()).collect();
    between.sort();
    let middle = between.get(between.len() / 2)?;
    u32::try_from(set.count()).ok().map(|files| middle.as_secs_f64() * f64::from(files))
}
