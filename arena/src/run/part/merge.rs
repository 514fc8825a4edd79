//! Parts put together: the totals of the undivided command.

use std::io::Read;
use std::path::{Path, PathBuf};

use coinche_bots::Registry;
use coinche_selfplay::base::error::ArenaError;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::error::MergeError;
use super::state::{STATE, State};
use super::{ROWS, rows};
use crate::run::config::{RunConfig, RunFile, Shard};
use crate::run::damage::Damage;
use crate::run::directory::Identity;
use crate::run::merge::{ShardsError, Span, check};

/// All parts of a command, in the order of their deals.
#[derive(Debug)]
pub(crate) struct Parts {
    paths: Vec<PathBuf>,
    pub(crate) command: String,
    pub(crate) identity: Identity,
    /// The first deal of the whole, and the first one behind it.
    first: u64,
    asked: u64,
}

/// A part without its totals: those of a thousand parts are not in memory at once.
struct Head {
    path: PathBuf,
    command: String,
    identity: Identity,
    shard: Shard,
    first: u64,
    start: u64,
    done: u64,
    end: u64,
    asked: u64,
}

impl Parts {
    /// Reads what the parts are of, and checks that together they have every deal once.
    ///
    /// # Errors
    ///
    /// When one is none, is not finished or damaged, or they do not make a whole.
    pub(crate) fn read(paths: &[PathBuf]) -> Result<Self, ArenaError> {
        let mut heads = Vec::new();
        for path in paths {
            let State { command, identity, shard, first, start, done, end, asked, .. } = State::closed(path)?;
            let path = path.clone();
            heads.push(Head { path, command, identity, shard, first, start, done, end, asked });
        }
        heads.sort_by_key(|head| (head.start, head.done));
        check_all(&heads)?;
        let paths = heads.iter().map(|head| head.path.clone()).collect();
        let Head { command, identity, first, asked, .. } = heads.swap_remove(0);
        Ok(Self { paths, command, identity, first, asked })
    }

    /// Returns how many deals there are.
    pub(crate) const fn deals(&self) -> u64 {
        self.asked - self.first
    }

    /// Returns the configuration of settings that are those of a run.
    ///
    /// # Errors
    ///
    /// When they are not.
    pub(crate) fn config(&self, settings: toml::Table, registry: &Registry) -> Result<RunConfig, ArenaError> {
        let file: RunFile = settings.try_into().map_err(|why: toml::de::Error| self.damaged(why))?;
        RunFile { deals: Some(self.deals()), ..file }.check(registry)
    }

    /// Returns the settings in the form of the command.
    ///
    /// # Errors
    ///
    /// When they have another.
    pub(crate) fn settings<T: DeserializeOwned>(&self) -> Result<T, ArenaError> {
        self.identity.settings.clone().try_into().map_err(|why: toml::de::Error| self.damaged(why))
    }

    /// Returns the first directory.
    pub(crate) fn first(&self) -> &Path {
        &self.paths[0]
    }

    /// Makes the error of a first part that is not what its command writes.
    pub(crate) fn damaged(&self, why: impl std::error::Error + Send + Sync + 'static) -> ArenaError {
        ArenaError::damaged(self.paths[0].join(STATE), why)
    }

    /// Hands out the totals of the parts, in the order of their deals.
    ///
    /// # Errors
    ///
    /// When a file cannot be read again, or the totals are not those of the command.
    pub(crate) fn each(
        &self,
        mut add: impl FnMut(&RawValue) -> Result<(), Damage>,
    ) -> Result<(), ArenaError> {
        for path in &self.paths {
            let state = State::closed(path)?;
            add(&state.totals).map_err(|why| ArenaError::damaged(path.join(STATE), why))?;
        }
        Ok(())
    }
}

impl Parts {
    /// Hands out the rows of the parts, in the order of their deals, each with its path.
    ///
    /// # Errors
    ///
    /// When they are not what was written or cannot be read, and those of `add`.
    pub(crate) fn each_rows(
        &self,
        mut add: impl FnMut(&Path, &mut dyn Read) -> Result<(), ArenaError>,
    ) -> Result<(), ArenaError> {
        for path in &self.paths {
            let state = State::closed(path)?;
            let rows = state.rows.ok_or_else(|| ArenaError::damaged(path.join(STATE), Damage::Totals))?;
            let path = path.join(ROWS);
            add(&path, &mut rows::read(&path, rows)?)?;
        }
        Ok(())
    }
}

/// Checks that parts are of one command, finished, and have every deal once.
fn check_all(heads: &[Head]) -> Result<(), ArenaError> {
    let first = &heads[0];
    for head in heads {
        if head.command != first.command {
            let (path, command) = (head.path.clone(), head.command.clone());
            let (first, first_command) = (first.path.clone(), first.command.clone());
            return Err(MergeError::OtherCommand { path, command, first, first_command }.into());
        }
        let mut differences = first.identity.differences(&head.identity);
        if (head.first, head.asked) != (first.first, first.asked) {
            let [there, now] = [first, head].map(|head| head.asked - head.first);
            differences.push(format!("{}: {there} there, {now} now", head.identity.unit()));
        }
        if !differences.is_empty() {
            let (path, first) = (head.path.clone(), first.path.clone());
            return Err(MergeError::Shards(ShardsError::OtherRun { path, first, differences }).into());
        }
    }
    let again = Identity::of(first.identity.settings.clone()).with_files(first.identity.files.clone());
    if again != first.identity {
        let differences = first.identity.differences(&again);
        return Err(MergeError::Shards(ShardsError::OtherProgram { differences }).into());
    }
    let unit = first.identity.unit();
    // Named first, since its remedy is another than that of a part that is not given.
    if let Some(head) = heads.iter().find(|head| head.done < head.end) {
        let (from, to, path) = (head.done, head.end - 1, head.path.clone());
        return Err(MergeError::Shards(ShardsError::NotAtEnd { unit, from, to, path }).into());
    }
    let span = |head: &Head| {
        let Head { start, done, end, asked, .. } = *head;
        Span { path: head.path.clone(), start, done, end, asked }
    };
    let spans: Vec<Span> = heads.iter().map(span).collect();
    match check(&spans, first.first, unit) {
        Ok(_) => Ok(()),
        Err(error) => {
            let missing = missing(heads);
            Err(if missing.is_empty() {
                MergeError::Shards(error).into()
            } else {
                MergeError::Missing { error, missing }.into()
            })
        }
    }
}

/// Returns the shards that are not given, where all are of so many.
fn missing(heads: &[Head]) -> Vec<Shard> {
    let of = heads[0].shard.of();
    if heads.iter().any(|head| head.shard.of() != of) {
        return Vec::new();
    }
    let is_given = |shard: &Shard| heads.iter().any(|head| head.shard == *shard);
    let deals = heads[0].asked - heads[0].first;
    heads[0].shard.all().filter(|shard| !shard.range(deals).is_empty() && !is_given(shard)).collect()
}
