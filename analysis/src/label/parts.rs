//! A data set as a directory of files, each of a chunk of deals.
//!
//! A data set is a part like any other (`run::job`), with a file for each chunk and each form, such as `part-000000.csv` and
//! `part-000000.parquet`, each written whole under another name and then renamed. `part.json` has the sums of the files
//! that are there; the same command goes on with the chunks that it does not list.

use core::fmt::Display;
use core::ops::Range;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use coinche_engine::Seed;
use coinche_selfplay::base::files::checksums::{Checksums, Sum};
use coinche_selfplay::base::files::{link_or_copy, remove, write_whole};
use coinche_selfplay::base::{ArenaError, Meter, ProgressMode, Result};
use serde::{Deserialize, Serialize};

use super::LabelFormat;
use super::error::LabelError;
use coinche_runs::job::raw;
use coinche_runs::{Damage, Identity, Job, NotEnded, PartDir, STATE, Shard, State, Task};

/// What came of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Labelled {
    /// Deals labelled now.
    pub deals: u64,
    /// Deals that were there before.
    pub before: u64,
    /// Deals, or lines of a file, that are left out.
    pub bad: u64,
}

/// What is to be in a file.
pub enum Contents {
    /// These bytes.
    Bytes(Vec<u8>),
    /// Those of another file, which had this sum when it was written.
    Of(PathBuf, Sum),
}

impl Contents {
    /// Writes the file, and returns its sum.
    fn write(&self, directory: &Path, name: &str) -> Result<Sum> {
        let path = directory.join(name);
        match self {
            Self::Bytes(bytes) => {
                write_whole(&path, bytes)?;
                Ok(Sum::of(bytes))
            }
            Self::Of(other, sum) => {
                if !other.is_file() {
                    return Err(damaged(other, &"it is missing"));
                }
                link_or_copy(other, &path)?;
                // What is there now is read: of a copy, that is more than reading the other file would say.
                if let Some(why) = Checksums::difference(directory, name, *sum)? {
                    remove(&path)?;
                    return Err(damaged(other, &why));
                }
                Ok(*sum)
            }
        }
    }
}

/// A chunk that was made.
pub struct Chunk {
    /// What is in its files, in the order of the endings of the format.
    pub files: Vec<Contents>,
    /// How many deals are in it.
    pub good: u64,
    /// How many are left out.
    pub bad: u64,
}

/// The files of a data set that are there, with their sums: what `part.json` keeps of it.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Files {
    files: BTreeMap<String, Sum>,
}

impl Files {
    /// Reads them from the state of a data set, where each must be one that it is to have.
    pub fn of(state: &State, chunks: &Chunks) -> Result<Self, Damage> {
        if state.sums.get() == "null" {
            return Ok(Self::default());
        }
        let this: Self = serde_json::from_str(state.sums.get())?;
        match this.files.keys().find(|name| !chunks.has(name)) {
            Some(name) => Err(Damage::NoFileOfRun(name.clone())),
            None => Ok(this),
        }
    }

    /// Returns the sum of a file, where it is there.
    pub fn get(&self, name: &str) -> Option<Sum> {
        self.files.get(name).copied()
    }

    /// Returns all of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Sum)> {
        self.files.iter().map(|(name, sum)| (name.as_str(), *sum))
    }

    /// Returns how many there are.
    pub fn count(&self) -> u64 {
        self.files.len() as u64
    }
}

/// A data set that is there.
pub struct DataSet {
    /// Its state.
    pub state: State,
    /// Its chunks of deals.
    pub chunks: Chunks,
    /// Its files.
    pub files: Files,
}

impl DataSet {
    /// Reads what is in a directory; `None` where there is no data set.
    pub fn read(directory: &Path) -> Result<Option<Self>> {
        match State::read(directory)? {
            Some(state) if matches!(state.job, Job::Label | Job::Decisions | Job::Games | Job::Rows) => {
                Self::of(directory, state).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Reads the state of a data set.
    pub fn of(directory: &Path, state: State) -> Result<Self> {
        let read = || {
            let chunks = Chunks::of(&state)?;
            let files = Files::of(&state, &chunks)?;
            Ok((chunks, files))
        };
        let (chunks, files) =
            read().map_err(|why: Damage| ArenaError::damaged(directory.join(STATE), why))?;
        Ok(Self { state, chunks, files })
    }

    /// Reads what is in a directory.
    pub fn open(directory: &Path) -> Result<Self> {
        Self::read(directory)?.ok_or_else(|| NotEnded::NoPart(directory.to_owned()).into())
    }
}

/// What a data set is of: its settings, and the files that its bots are made of.
pub fn task(job: Job, mut settings: toml::Table, files: BTreeMap<String, String>, chunks: &Chunks) -> Task {
    // Always as text: one type for whoever reads it.
    settings.insert("chunk".to_owned(), chunks.chunk.to_string().into());
    settings.insert("format".to_owned(), chunks.format.name().into());
    Task {
        job,
        command: String::new(),
        identity: Identity::of(settings).with_files(files),
        shard: chunks.shard,
        whole: 0..chunks.deals,
        chunk: chunks.chunk,
        threads: 1,
    }
}

/// Makes what is missing of a data set: `maker` the chunks of some deals, in order.
pub fn make(
    chunks: &Chunks,
    task: &Task,
    directory: &Path,
    progress: ProgressMode,
    mut maker: impl FnMut(Range<u64>, &Meter) -> Result<Chunk>,
) -> Result<Labelled> {
    let forms = [LabelFormat::Both, LabelFormat::Npy, LabelFormat::Games];
    let mut files = forms.iter().flat_map(|form| form.names(0));
    if !State::is_in(directory) && files.any(|name| directory.join(name).exists()) {
        return Err(LabelError::NoState(directory.to_owned()).into());
    }
    let mut dir = PartDir::open(directory, task, false)?;
    let mut there = Files::of(dir.state(), chunks).map_err(|why| dir.damaged(why))?;
    let all = chunks.deals();
    let meter = Meter::new(progress, all.end - all.start);
    let mut done = Labelled::default();
    for chunk in chunks.numbers.clone() {
        let files = chunks.files(chunk);
        let deals = chunks.deals_of_range(chunk..chunk + 1);
        let (size, end) = (deals.end - deals.start, deals.end);
        if are_there(directory, &files, &there)? {
            done.before += size;
            meter.skip(size);
            continue;
        }
        if done.deals + done.bad == 0 {
            // From now on the directory is being written.
            dir.save(raw(&there))?;
        }
        let made = maker(deals, &meter)?;
        for (name, contents) in files.into_iter().zip(&made.files) {
            let sum = contents.write(directory, &name)?;
            there.files.insert(name, sum);
        }
        done.deals += made.good;
        done.bad += made.bad;
        dir.keep(end.max(dir.done()), || raw(&there))?;
    }
    if done.deals + done.bad > 0 || !dir.is_sealed() {
        let sums = there.files.iter().map(|(name, sum)| (name.clone(), *sum));
        dir.close(raw(&there), sums)?;
    }
    meter.finish();
    Ok(done)
}

/// Tests if the files of a chunk are there.
fn are_there(directory: &Path, files: &[String], there: &Files) -> Result<bool> {
    for name in files {
        let Some(sum) = there.get(name).filter(|_| directory.join(name).exists()) else { return Ok(false) };
        check(directory, name, sum)?;
    }
    Ok(true)
}

/// Checks that a file is what was written.
pub fn check(directory: &Path, name: &str, sum: Sum) -> Result<()> {
    match Checksums::difference(directory, name, sum)? {
        None => Ok(()),
        Some(why) => Err(damaged(&directory.join(name), &why)),
    }
}

/// Returns the error for a file that is not what was written.
pub fn damaged(path: &Path, why: &dyn Display) -> ArenaError {
    LabelError::Damaged { path: path.to_owned(), why: why.to_string() }.into()
}

/// The files that a data set is to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunks {
    /// Their numbers; of a shard not all.
    numbers: Range<u64>,
    /// The deals of the whole data set.
    deals: u64,
    chunk: u64,
    format: LabelFormat,
    shard: Option<Shard>,
}

impl Chunks {
    /// The files of so many deals, `chunk` (above 0) each; of a shard its share of the chunks.
    pub fn new(deals: u64, chunk: u64, shard: Option<Shard>, format: LabelFormat) -> Self {
        let all = deals.div_ceil(chunk);
        Self { numbers: shard.map_or(0..all, |shard| shard.range(all)), deals, chunk, format, shard }
    }

    /// Reads those of a state.
    pub fn of(state: &State) -> Result<Self, Damage> {
        let format = state.identity.settings.get("format").cloned().ok_or(Damage::Totals)?;
        let State { first, asked, chunk, shard, .. } = *state;
        if first != 0 || chunk == 0 {
            return Err(Damage::Totals);
        }
        Ok(Self::new(asked, chunk, shard, format.try_into()?))
    }

    /// Returns how many files there are.
    pub fn number(&self) -> u64 {
        let chunks = self.numbers.end - self.numbers.start;
        chunks.saturating_mul(self.format.files().len() as u64)
    }

    /// Tests if a file is one of them.
    pub fn has(&self, name: &str) -> bool {
        let stem = name.split_once('.').and_then(|(stem, _)| stem.split_once('-'));
        let chunk = stem.and_then(|(_, digits)| digits.parse::<u64>().ok());
        chunk.is_some_and(|chunk| {
            self.numbers.contains(&chunk) && self.format.names(chunk).any(|file| file == name)
        })
    }

    /// Those of the whole data set.
    pub(super) fn of_all(&self) -> Self {
        Self::new(self.deals, self.chunk, None, self.format)
    }

    /// The chunk of a deal.
    pub(super) const fn chunk_of(&self, deal: u64) -> u64 {
        deal / self.chunk
    }

    /// The chunks by number.
    pub fn chunks(&self) -> Range<u64> {
        self.numbers.clone()
    }

    /// The deals of all of them.
    pub fn deals(&self) -> Range<u64> {
        self.deals_of_range(self.numbers.clone())
    }

    /// The deals of some chunks.
    pub(super) fn deals_of_range(&self, chunks: Range<u64>) -> Range<u64> {
        let at = |chunk: u64| self.deals.min(chunk.saturating_mul(self.chunk));
        at(chunks.start)..at(chunks.end)
    }

    /// The files of a chunk.
    pub(super) fn files(&self, chunk: u64) -> Vec<String> {
        self.format.names(chunk).collect()
    }
}

/// Returns the seed of the data set in a directory, where there is one.
pub fn seed_of(directory: &Path) -> Option<Seed> {
    State::read(directory).ok()??.identity.settings.get("seed")?.as_str()?.parse().ok()
}
