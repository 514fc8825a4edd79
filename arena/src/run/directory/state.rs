//! `totals.json`: how far a run has come, with everything that is needed to go on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use coinche_selfplay::base::error::{ArenaError, ModuleError};
use coinche_selfplay::base::files::{if_there, read_bounded};
use coinche_selfplay::base::hash::Fnv;
use coinche_selfplay::play::schedule::Unit;
use coinche_selfplay::records::forms::{LinesForm, TableForm};
use serde::{Deserialize, Serialize};

use super::sink::SavedSink;
use crate::run::commit::COMMIT;
use crate::run::config::{ConfigError, RunConfig};
use crate::run::damage::Damage;
use crate::run::totals::{SavedTotals, Totals};

/// The name of the file.
pub(crate) const STATE: &str = "totals.json";

/// The most bytes of it that are read: rows that wait for the end of their block are in it.
const MOST: u64 = 1 << 30;

/// The version of its form.
const VERSION: u32 = 1;

/// What a run is of: with equal settings deals belong together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Identity {
    /// The commit that the program was built from.
    pub(crate) commit: String,
    /// A hash of commit, settings and files.
    pub(crate) fingerprint: String,
    /// All that decides about the result of a deal, by name.
    pub(crate) settings: toml::Table,
    /// The files that the bots are made of (weights, tables, systems), each with a checksum of its bytes: the settings
    /// only name them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) files: BTreeMap<String, String>,
}

impl Identity {
    /// Returns the identity of a run.
    ///
    /// # Errors
    ///
    /// Never in practice; settings are plain data.
    pub(crate) fn new(config: &RunConfig) -> Result<Self, ArenaError> {
        Ok(Self::of(config.settings()?).with_files(config.files()))
    }

    /// Returns the identity of whatever these settings decide about.
    pub(crate) fn of(settings: toml::Table) -> Self {
        Self { commit: COMMIT.to_owned(), fingerprint: String::new(), settings, files: BTreeMap::new() }
            .with_files(BTreeMap::new())
    }

    /// Returns the identity of settings in another form.
    ///
    /// # Errors
    ///
    /// Never in practice; settings are plain data.
    pub(crate) fn try_of(settings: &impl Serialize) -> Result<Self, ArenaError> {
        let table = toml::Table::try_from(settings).map_err(ConfigError::from)?;
        Ok(Self::of(table))
    }

    /// Returns the same with the files that the bots are made of.
    #[must_use]
    pub(crate) fn with_files(mut self, files: BTreeMap<String, String>) -> Self {
        self.files = files;
        self.fingerprint = self.expected_fingerprint();
        self
    }

    /// Returns the fingerprint of what the rest says.
    fn expected_fingerprint(&self) -> String {
        let Self { commit, settings, files, .. } = self;
        let mut text = format!("{commit}\n{settings}");
        for (path, sum) in files {
            text.extend(["\n", sum, " ", path]);
        }
        format!("{:016x}", Fnv::of(&text))
    }

    /// Tests if the fingerprint is that of commit, settings and files.
    pub(crate) fn is_sound(&self) -> bool {
        self.fingerprint == self.expected_fingerprint()
    }

    /// Returns the word for several of what is counted: deals or matches.
    pub(crate) fn unit(&self) -> &'static str {
        let of_matches = self.settings.get("match") == Some(&toml::Value::Boolean(true));
        if of_matches { Unit::Match } else { Unit::Deal }.plural()
    }

    /// Returns in which settings others differ, with both values.
    pub(crate) fn settings_other_than(&self, others: &toml::Table) -> Vec<String> {
        let mut found = Vec::new();
        compare("", &self.settings, others, &mut found);
        found
    }

    /// Returns what differs from another, as `name: this here, that there`.
    pub(crate) fn differences(&self, other: &Self) -> Vec<String> {
        let mut found = Vec::new();
        if self.commit != other.commit {
            found.push(format!("commit: {} there, {} now", self.commit, other.commit));
        }
        compare("", &self.settings, &other.settings, &mut found);
        found.extend(self.differing_files(other));
        found
    }

    /// Returns which files differ from those of another.
    pub(crate) fn differing_files(&self, other: &Self) -> Vec<String> {
        let mut paths: Vec<_> = self.files.keys().chain(other.files.keys()).collect();
        paths.sort();
        paths.dedup();
        let sum = |files: &BTreeMap<String, String>, path: &String| {
            files.get(path).map_or_else(|| "none".to_owned(), |sum| format!("sum {sum}"))
        };
        let differing = paths.into_iter().filter(|path| self.files.get(*path) != other.files.get(*path));
        differing
            .map(|path| {
                format!("file {path}: {} there, {} now", sum(&self.files, path), sum(&other.files, path))
            })
            .collect()
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
    #[error("{} is not a run: it has no totals.json", .0.display())]
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

    /// Tests if a directory holds a run.
    pub(crate) fn is_in(directory: &Path) -> bool {
        directory.join(STATE).is_file()
    }

    /// Reads the state of the run in a directory; `None` where there is no run.
    ///
    /// # Errors
    ///
    /// When it cannot be read or is damaged.
    pub(crate) fn read(directory: &Path) -> Result<Option<Self>, ArenaError> {
        let path = directory.join(STATE);
        let Some(bytes) = if_there(read_bounded(&path, MOST))? else { return Ok(None) };
        Self::parse(&bytes).map(Some).map_err(|why| ArenaError::damaged(&path, why))
    }

    /// Reads the text of the file.
    ///
    /// # Errors
    ///
    /// Says what is wrong with it.
    pub(crate) fn parse(text: &[u8]) -> Result<Self, Damage> {
        let state: Self = serde_json::from_slice(text)?;
        if state.v != VERSION {
            return Err(Damage::Version { found: state.v, read: VERSION });
        }
        // Its names lead to files of a run, never anywhere else.
        let tables = TableForm::ALL.map(TableForm::file);
        let lines = LinesForm::ALL.map(LinesForm::file);
        for (sink, names) in [(&state.table, &tables[..]), (&state.lines, &lines[..])] {
            if let Some(sink) = sink.as_ref().filter(|sink| !names.contains(&sink.file.as_str())) {
                return Err(Damage::NoFileOfRun(sink.file.clone()));
            }
        }
        Ok(state)
    }

    /// Returns the totals.
    ///
    /// # Errors
    ///
    /// When they do not fit the configuration.
    pub(crate) fn restore(&self, directory: &Path, config: &RunConfig) -> Result<Totals, ArenaError> {
        let totals = self.totals.clone().restore(&config.rules, config.unit);
        totals.map_err(|why| ArenaError::damaged(directory.join(STATE), why))
    }

    /// Tests if the control of the run was measured.
    pub(crate) fn has_control(&self) -> bool {
        self.totals.has_control()
    }

    /// Returns what does not fit together in the state itself.
    pub(crate) fn contradictions(&self) -> Vec<String> {
        let mut found = Vec::new();
        if !self.identity.is_sound() {
            found.push("its fingerprint is not that of its settings".to_owned());
        }
        if !(self.start <= self.done && self.done <= self.end && self.end <= self.asked) {
            found.push("its first, last and missing deals do not fit together".to_owned());
        } else if self.totals.pairs() != self.done - self.start {
            let (pairs, done) = (self.totals.pairs(), self.done - self.start);
            found.push(format!("its totals are of {pairs} deals or matches, {done} are done"));
        }
        found
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
