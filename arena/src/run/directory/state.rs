//! `totals.json`: how far a run has come, with everything that is needed to go on.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use coinche_selfplay::base::error::{ArenaError, ModuleError};
use coinche_selfplay::base::hash::Fnv;
use serde::{Deserialize, Serialize};

use super::sink::SavedSink;
use crate::run::commit::COMMIT;
use crate::run::config::RunConfig;
use crate::run::damage::Damage;
use crate::run::totals::{SavedTotals, Totals};

/// The name of the file.
pub(crate) const STATE: &str = "totals.json";

/// The version of its form.
const VERSION: u32 = 1;

/// What a run is of: with equal settings deals belong together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Identity {
    /// The commit that the program was built from.
    pub(crate) commit: String,
    /// A hash of commit and settings.
    pub(crate) fingerprint: String,
    /// All that decides about the result of a deal, by name.
    pub(crate) settings: toml::Table,
}

impl Identity {
    /// Returns the identity of a run.
    ///
    /// # Errors
    ///
    /// Never in practice; settings are plain data.
    pub(crate) fn new(config: &RunConfig) -> Result<Self, ArenaError> {
        Ok(Self::of(config.settings()?))
    }

    /// Returns the identity of whatever these settings decide about.
    pub(crate) fn of(settings: toml::Table) -> Self {
        let fingerprint = format!("{:016x}", Fnv::of(&format!("{COMMIT}\n{settings}")));
        Self { commit: COMMIT.to_owned(), fingerprint, settings }
    }

    /// Returns what differs from another, as `name: this here, that there`.
    pub(crate) fn differences(&self, other: &Self) -> Vec<String> {
        let mut found = Vec::new();
        if self.commit != other.commit {
            found.push(format!("commit: {} there, {} now", self.commit, other.commit));
        }
        compare("", &self.settings, &other.settings, &mut found);
        found
    }
}

fn compare(prefix: &str, there: &toml::Table, now: &toml::Table, found: &mut Vec<String>) {
    let mut keys: Vec<_> = there.keys().chain(now.keys()).collect();
    keys.sort();
    keys.dedup();
    for key in keys {
        match (there.get(key), now.get(key)) {
            (there, now) if there == now => {}
            (Some(toml::Value::Table(there)), Some(toml::Value::Table(now))) => {
                compare(&format!("{prefix}{key}."), there, now, found);
            }
            (there, now) => {
                let text = |value: Option<&toml::Value>| match value {
                    None => "not set".to_owned(),
                    Some(toml::Value::String(text)) => text.clone(),
                    Some(toml::Value::Table(_)) => "rules of its own".to_owned(),
                    Some(value) => value.to_string(),
                };
                found.push(format!("{prefix}{key}: {} there, {} now", text(there), text(now)));
            }
        }
    }
}

/// The state of a run.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct State {
    /// The version of this form.
    pub(crate) v: u32,
    pub(crate) identity: Identity,
    /// The first deal of the run: not 0 in a shard.
    pub(crate) start: u64,
    /// The first deal that was not played.
    pub(crate) done: u64,
    /// The first deal that is not to be played: not the number of all in a shard.
    pub(crate) end: u64,
    /// How many deals were asked for, those of other shards included.
    pub(crate) asked: u64,
    pub(crate) table: Option<SavedSink>,
    pub(crate) lines: Option<SavedSink>,
    pub(crate) totals: SavedTotals,
}

/// A directory does not hold a run that has ended.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotEnded {
    #[error("{}: there is no run (no totals.json)", .0.display())]
    NoRun(PathBuf),
    #[error("{} is running or was killed: repeat its command", .0.display())]
    Unfinished(PathBuf),
}

impl ModuleError for NotEnded {}

impl State {
    /// Makes the state of a run.
    pub(crate) fn new(
        identity: Identity,
        config: &RunConfig,
        done: u64,
        sinks: [Option<SavedSink>; 2],
        totals: &Totals,
    ) -> Self {
        let ([table, lines], totals) = (sinks, totals.into());
        let core::ops::Range { start, end } = config.range();
        Self { v: VERSION, identity, start, done, end, asked: config.deals, table, lines, totals }
    }

    /// Reads the state of the run in a directory; `None` where there is no run.
    ///
    /// # Errors
    ///
    /// When it cannot be read or is damaged.
    pub(crate) fn read(directory: &Path) -> Result<Option<Self>, ArenaError> {
        let path = directory.join(STATE);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(source) => return Err(ArenaError::read(&path, source)),
        };
        let state: Self =
            serde_json::from_slice(&bytes).map_err(|error| ArenaError::damaged(&path, error))?;
        if state.v != VERSION {
            let (found, read) = (state.v, VERSION);
            return Err(ArenaError::damaged(&path, Damage::Version { found, read }));
        }
        Ok(Some(state))
    }

    /// Tests if all files are whole: the run has ended, for now or for good.
    pub(crate) fn is_closed(&self) -> bool {
        [&self.table, &self.lines].into_iter().flatten().all(|sink| sink.closed.is_some())
    }

    /// Returns the text of the file.
    pub(crate) fn to_json(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec(self).expect("a state is numbers, texts and lists");
        text.push(b'\n');
        text
    }
}
