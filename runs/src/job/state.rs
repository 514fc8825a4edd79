//! `part.json`: the identity of a part, its progress, and its sums.

use core::ops::Range;
use std::path::{Path, PathBuf};

use coinche_selfplay::base::files::checksums::{Checksums, Mismatch, sealed, unsealed};
use coinche_selfplay::base::files::{if_there, read_data, read_json, read_toml};
use coinche_selfplay::base::{ArenaError, ModuleError, Result};
use coinche_selfplay::records::forms::{LinesForm, TableForm};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::error::JobError;
use super::identity::Identity;
use super::list::Job;
use super::sink::SavedSink;
use crate::config::Shard;
use crate::damage::Damage;

/// The file name.
pub const STATE: &str = "part.json";

/// The configuration of a run, which is also its lock, and its figures.
pub(crate) const CONFIG: &str = "config.toml";
pub(crate) const FIGURES: &str = "run.json";

/// The rows that `arena judge` stores in addition to its sums.
pub(super) const ROWS: &str = "decisions.csv.zst";

/// The most bytes read: the file contains rows that are buffered until the end of their block.
const MOST: u64 = 1 << 30;

/// The version of its format.
const VERSION: u32 = 3;

/// The state of a part: of a shard, or of the whole if the command is not divided.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The version of the format.
    pub v: u32,
    /// The job.
    pub job: Job,
    /// The command of the whole, for a job that is merged by it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// What is compared with other parts.
    pub identity: Identity,
    /// The shard; `None` for the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The number of deals in a chunk, which shards do not split.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub chunk: u64,
    /// The first deal (or match) of the whole.
    pub first: u64,
    /// The first deal of the part.
    pub start: u64,
    /// The first deal that is not done.
    pub done: u64,
    /// The end of the part (exclusive).
    pub end: u64,
    /// The end of the whole (exclusive).
    pub asked: u64,
    /// The tables of the part, with the positions where the finished deals end in them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<SavedSink>,
    /// The sums, in the format of the job.
    pub sums: Box<RawValue>,
    /// The time it took; a run has that in `run.json`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timing: Option<PartTiming>,
}

const fn one() -> u64 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_one(chunk: &u64) -> bool {
    *chunk == 1
}

/// The time and speed of making a part: not compared.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartTiming {
    /// The seconds of all processes that made it.
    pub seconds: f64,
    /// The threads of the last process.
    pub threads: usize,
}

/// A directory does not hold a finished part.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum NotEnded {
    #[error("{} is no run and no part: it has no {STATE}", .0.display())]
    NoPart(PathBuf),
    #[error("{} is running or was killed: repeat its command", .0.display())]
    Unfinished(PathBuf),
}

impl ModuleError for NotEnded {}

/// The work that a part is a share of.
#[derive(Debug, Clone)]
pub struct Task {
    /// The job.
    pub job: Job,
    /// The command of the whole, for a job that is merged by it.
    pub command: String,
    /// The settings that affect the result.
    pub identity: Identity,
    /// The shard; `None` for the whole.
    pub shard: Option<Shard>,
    /// The deals of the whole.
    pub whole: Range<u64>,
    /// The number of deals in a chunk, which shards do not split.
    pub chunk: u64,
    /// The threads that make it.
    pub threads: usize,
}

impl Task {
    /// Creates the task of a shard in chunks of one deal.
    pub fn shard(job: Job, identity: Identity, shard: Shard, whole: Range<u64>) -> Self {
        Self { job, command: String::new(), identity, shard: Some(shard), whole, chunk: 1, threads: 1 }
    }

    /// Sets the number of threads.
    #[must_use]
    pub fn by(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Returns the deals of the part.
    pub fn range(&self) -> Range<u64> {
        share(self.shard, self.whole.clone(), self.chunk)
    }

    /// Checks that the part in a directory is of this task; a run may have fewer deals than are asked for now.
    pub fn check(&self, path: &Path, there: &State) -> Result<()> {
        let (path, range, differences) = (path.to_owned(), self.range(), there.differences(self));
        if !differences.is_empty() {
            return Err(match self.job {
                Job::Run => ArenaError::OtherRun { path, differences },
                _ => JobError::OtherSettings { path, differences }.into(),
            });
        }
        if let Some(why) = there.contradictions().into_iter().next() {
            return Err(ArenaError::damaged(path.join(STATE), why));
        }
        if there.done > range.end {
            let (there, asked) = (there.done - there.start, range.end - range.start);
            return Err(JobError::HasMore { path, there, asked, unit: self.identity.unit() }.into());
        }
        Ok(())
    }

    /// Returns the initial state of the part.
    pub fn start(&self) -> State {
        let Range { start, end } = self.range();
        State {
            v: VERSION,
            job: self.job,
            command: self.command.clone(),
            identity: self.identity.clone(),
            shard: self.shard,
            chunk: self.chunk,
            first: self.whole.start,
            start,
            done: start,
            end,
            asked: self.whole.end,
            tables: Vec::new(),
            sums: RawValue::NULL.to_owned(),
            timing: None,
        }
    }
}

/// Serialises sums for storage.
pub fn raw(sums: &impl Serialize) -> Box<RawValue> {
    to_raw_value(sums).expect("sums are numbers, texts and lists")
}

impl State {
    /// Tests if a directory holds a part.
    pub fn is_in(directory: &Path) -> bool {
        directory.join(STATE).is_file()
    }

    /// Reads the state of the part in a directory; `None` if there is none.
    pub fn read(directory: &Path) -> Result<Option<Self>> {
        let path = directory.join(STATE);
        let Some(bytes) = if_there(read_data(&path, MOST))? else { return Ok(None) };
        let state = Self::parse(&bytes).map_err(|why| ArenaError::damaged(&path, why))?;
        state.check_beside(directory)?;
        Ok(Some(state))
    }

    /// Checks that a file of a run is of the run in its directory; without a state of this version nothing says so.
    pub fn check_file(path: &Path) -> Result<()> {
        let directory = path.parent().unwrap_or(path);
        let state = if_there(read_data(&directory.join(STATE), MOST))?;
        let state = state.and_then(|bytes| Self::parse(&bytes).ok());
        state.map_or(Ok(()), |state| state.check_beside(directory))
    }

    /// Checks that the other files of a run are of this one, where a process was killed, so that no checksums vouch for them. What
    /// cannot be read is left to who reads it.
    fn check_beside(&self, directory: &Path) -> Result<()> {
        if self.job != Job::Run || Checksums::are_in(directory) {
            return Ok(());
        }
        let check = |name, mut found: Vec<String>, other: Option<&str>| {
            let shard = self.shard.map_or_else(|| "none".to_owned(), |shard| shard.to_string());
            let other = other.unwrap_or("none");
            found.extend((shard != other).then(|| format!("shard {shard} there, shard {other} now")));
            if found.is_empty() {
                return Ok(());
            }
            Err(ArenaError::damaged(directory.join(name), Damage::OtherRun(found.join("; "))))
        };
        let config =
            read_toml(&directory.join(CONFIG)).ok().and_then(|text| text.parse::<toml::Table>().ok());
        // One that was just created to be locked is empty.
        if let Some(mut config) = config.filter(|config| !config.is_empty()) {
            // A run may be asked for more deals than before.
            config.remove("deals");
            let other = config.remove("shard");
            let found = self.identity.settings_other_than(&config);
            check(CONFIG, found, other.as_ref().and_then(toml::Value::as_str))?;
        }
        let figures = read_json(&directory.join(FIGURES)).ok();
        if let Some(Value::Object(figures)) = figures.and_then(|text| serde_json::from_slice(&text).ok()) {
            let settings = serde_json::to_value(&self.identity.settings).map_err(Damage::from);
            let settings = settings.map_err(|why| ArenaError::damaged(directory.join(STATE), why))?;
            // Rules that are no preset are written otherwise there.
            let is_alike =
                |name: &&str| *name != "rules" || figures[*name].is_string() && settings[*name].is_string();
            let differs = |name: &&str| {
                figures.contains_key(*name) && is_alike(name) && figures[*name] != settings[*name]
            };
            let found = ["bots", "rules", "seed"].into_iter().filter(differs);
            let found = found.map(|name| format!("{name}: {} there, {} now", settings[name], figures[name]));
            check(FIGURES, found.collect(), figures.get("shard").and_then(Value::as_str))?;
        }
        Ok(())
    }

    /// Reads the state of the part that a directory must hold.
    pub fn there(directory: &Path) -> Result<Self> {
        Self::read(directory)?.ok_or_else(|| NotEnded::NoPart(directory.to_owned()).into())
    }

    /// Reads the state of a part that no process is writing.
    pub fn closed(directory: &Path) -> Result<Self> {
        let state = Self::there(directory)?;
        if Checksums::are_in(directory) {
            Ok(state)
        } else {
            Err(NotEnded::Unfinished(directory.to_owned()).into())
        }
    }

    /// Rejects a directory that is a shard of sums, which only `arena merge` reads.
    pub fn refuse(directory: &Path) -> Result<()> {
        match if Self::is_in(directory) { Self::read(directory)? } else { None } {
            Some(Self { job, .. }) if job.is_of_sums() => {
                Err(JobError::IsPart { path: directory.to_owned(), job }.into())
            }
            _ => Ok(()),
        }
    }

    /// Parses the text of the file.
    pub fn parse(text: &[u8]) -> Result<Self, Damage> {
        #[derive(Deserialize)]
        struct Version {
            v: u32,
        }
        let text = match unsealed(text) {
            // Those of older versions have none.
            Err(Mismatch::NoSum) if serde_json::from_slice(text).is_ok_and(|Version { v }| v < VERSION) => {
                text.to_owned()
            }
            read => read?,
        };
        let Version { v } = serde_json::from_slice(&text)?;
        if v != VERSION {
            return Err(Damage::Version { found: v, read: VERSION });
        }
        let state: Self = serde_json::from_slice(&text)?;
        // File names must be those of tables, so that they cannot point elsewhere.
        let names =
            TableForm::ALL.map(TableForm::file).into_iter().chain(LinesForm::ALL.map(LinesForm::file));
        let known: Vec<&str> = names.chain([ROWS]).collect();
        match state.tables.iter().find(|table| !known.contains(&table.file.as_str())) {
            Some(table) => Err(Damage::NoFileOfRun(table.file.clone())),
            None => Ok(state),
        }
    }

    /// Returns the text of the file.
    pub fn to_json(&self) -> Vec<u8> {
        sealed(&serde_json::to_string(self).expect("a state is numbers, texts and lists")).into_bytes()
    }

    /// Returns the summary of a run, if it has one.
    pub fn summary(&self) -> Option<&SavedSink> {
        self.tables.iter().find(|table| TableForm::ALL.map(TableForm::file).contains(&table.file.as_str()))
    }

    /// Returns the records of a run, if it has any.
    pub fn records(&self) -> Option<&SavedSink> {
        self.tables.iter().find(|table| LinesForm::ALL.map(LinesForm::file).contains(&table.file.as_str()))
    }

    /// Returns the state without its sums.
    pub(super) fn without_sums(&self) -> Self {
        let (command, identity, tables) = (self.command.clone(), self.identity.clone(), self.tables.clone());
        Self { command, identity, tables, sums: RawValue::NULL.to_owned(), ..*self }
    }

    /// Tests if all deals are done.
    pub const fn is_done(&self) -> bool {
        self.done == self.end
    }

    /// Tests if all tables are complete: the part is paused or finished.
    pub fn is_closed(&self) -> bool {
        self.tables.iter().all(|table| table.closed.is_some())
    }

    /// Returns the plural name of the unit: deals or matches.
    pub fn unit(&self) -> &'static str {
        self.identity.unit()
    }

    /// Returns the settings as the type of the job.
    pub fn settings<T: serde::de::DeserializeOwned>(&self) -> Result<T, Damage> {
        Ok(self.identity.settings.clone().try_into()?)
    }

    /// Returns the differences from a task, as `name: this there, that now`.
    pub fn differences(&self, task: &Task) -> Vec<String> {
        let mut found = self.identity.differences(&task.identity);
        let mut compare = |name: &str, there: String, now: String| {
            if there != now {
                found.push(format!("{name}: {there} there, {now} now"));
            }
        };
        if self.job == Job::Run {
            compare("first deal", self.start.to_string(), task.range().start.to_string());
            return found;
        }
        compare("command", format!("`{}`", self.command), format!("`{}`", task.command));
        let shard = |shard: Option<Shard>| shard.map_or_else(|| "none".to_owned(), |shard| shard.to_string());
        compare("shard", shard(self.shard), shard(task.shard));
        compare(self.unit(), range(self.first..self.asked), range(task.whole.clone()));
        found
    }

    /// Returns the contradictions within the state.
    pub fn contradictions(&self) -> Vec<String> {
        let mut found = Vec::new();
        if !self.identity.is_sound() {
            found.push("its fingerprint is not that of its settings".to_owned());
        }
        let Self { first, start, done, end, asked, chunk, shard, .. } = *self;
        let is_share = first <= asked && chunk > 0 && share(shard, first..asked, chunk) == (start..end);
        // A run that was extended matches none of its original shards.
        if !(is_share && start <= done && done <= end) {
            found.push("its first, last and missing deals do not fit together".to_owned());
        }
        found
    }
}

/// Formats a range: the number of deals if it begins at 0, else first to last.
pub(super) fn range(Range { start, end }: Range<u64>) -> String {
    if start == 0 { end.to_string() } else { format!("{start} to {}", end.saturating_sub(1)) }
}

/// Returns the deals of a shard.
pub(super) fn share(shard: Option<Shard>, Range { start, end }: Range<u64>, chunk: u64) -> Range<u64> {
    let Some(shard) = shard else { return start..end };
    let deals = end.saturating_sub(start);
    let chunks = shard.range(deals.div_ceil(chunk.max(1)));
    let at = |chunks: u64| start + deals.min(chunks.saturating_mul(chunk));
    at(chunks.start)..at(chunks.end)
}
