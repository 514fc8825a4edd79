//! A data set as a directory of parts: settings, lock, sums, going on.
//!
//! A data set is a directory: `labels.toml`, the settings, written first and locked by the process at work; then a file
//! for each chunk of deals and each form, such as `part-000000.csv` and `part-000000.parquet`, each written whole under
//! another name and then renamed; and `checksums.txt`, the sums of the parts that are there. The same command goes on
//! with the chunks that it does not list.

use core::ops::Range;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use coinche_engine::Seed;
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::files::{CHECKSUMS, foreign_data, link_or_copy, read_text, remove, write_whole};
use coinche_selfplay::base::progress::{Meter, ProgressMode};
use serde::Deserialize;

use super::LabelFormat;
use super::error::LabelError;
use crate::run::checksums::{Checksums, Sum};
use crate::run::config::Shard;
use crate::run::directory::Held;

/// The file of the settings.
pub(crate) const SETTINGS: &str = "labels.toml";
/// How often the sums are written, at most: parts that they do not list are made again.
const SAVE: Duration = Duration::from_secs(2);

/// What came of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Labelled {
    /// Deals labelled now.
    pub(crate) deals: u64,
    /// Deals that were there before.
    pub(crate) before: u64,
    /// Deals, or lines of a file, that are left out.
    pub(crate) bad: u64,
}

/// Makes the parts of a data set in order.
pub(crate) trait MakeParts {
    /// Leaves out the next deals.
    ///
    /// # Errors
    ///
    /// When they cannot be read.
    fn skip(&mut self, deals: u64) -> Result<(), ArenaError>;

    /// Makes the part of the next deals, which are these.
    ///
    /// # Errors
    ///
    /// When they cannot be read or labelled.
    fn make(&mut self, deals: Range<u64>, meter: &Meter) -> Result<Part, ArenaError>;
}

/// What is to be in a file.
pub(crate) enum Contents {
    /// These bytes.
    Bytes(Vec<u8>),
    /// Those of another file, which had this sum when it was written.
    Of(PathBuf, Sum),
}

impl Contents {
    /// Writes the file, and returns its sum.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or the other file is damaged.
    fn write(&self, directory: &Path, name: &str) -> Result<Sum, ArenaError> {
        let path = directory.join(name);
        match self {
            Self::Bytes(bytes) => {
                write_whole(&path, bytes)?;
                Ok(Sum::of(bytes))
            }
            Self::Of(other, sum) => {
                let damaged = |path: &Path, why| LabelError::Damaged { path: path.to_owned(), why };
                if !other.is_file() {
                    return Err(damaged(other, "it is missing".to_owned()).into());
                }
                link_or_copy(other, &path)?;
                // What is there now is read: of a copy, that is more than reading the other file would say.
                if let Some(why) = Checksums::difference(directory, name, *sum)? {
                    remove(&path)?;
                    return Err(damaged(other, why).into());
                }
                Ok(*sum)
            }
        }
    }
}

/// A part that was made.
pub(crate) struct Part {
    /// What is in its files, in the order of the endings of the format.
    pub(crate) files: Vec<Contents>,
    /// How many deals are in it.
    pub(crate) good: u64,
    /// How many are left out.
    pub(crate) bad: u64,
}

/// Makes what is missing of a data set with these settings.
///
/// # Errors
///
/// When there is no part of the shard, the directory holds labels of other settings or anything else, is in use or
/// damaged, or something cannot be read or written.
pub(crate) fn make(
    parts: &Parts,
    settings: &str,
    directory: &Path,
    maker: &mut impl MakeParts,
    progress: ProgressMode,
) -> Result<Labelled, ArenaError> {
    if let Some(shard) = parts.shard.filter(|_| parts.chunks.is_empty()) {
        return Err(LabelError::EmptyShard(shard).into());
    }
    let (_held, mut sums) = prepare(parts, settings, directory)?;
    let mut saved = Instant::now();
    let all = parts.deals();
    let meter = Meter::new(progress, all.end - all.start);
    let mut done = Labelled::default();
    // The deals before those of a shard.
    maker.skip(all.start)?;
    for chunk in parts.chunks.clone() {
        let files = parts.files(chunk);
        let deals = parts.deals_of_range(chunk..chunk + 1);
        let size = deals.end - deals.start;
        if are_there(directory, &files, &sums)? {
            maker.skip(size)?;
            done.before += size;
            meter.skip(size);
            continue;
        }
        let part = maker.make(deals, &meter)?;
        for (name, contents) in files.iter().zip(&part.files) {
            sums.add(name, contents.write(directory, name)?);
        }
        if saved.elapsed() > SAVE {
            sums.write(directory)?;
            saved = Instant::now();
        }
        done.deals += part.good;
        done.bad += part.bad;
    }
    sums.write(directory)?;
    meter.finish();
    Ok(done)
}

/// Tests if the parts of a chunk are there.
///
/// # Errors
///
/// When one is damaged.
fn are_there(directory: &Path, files: &[String], sums: &Checksums) -> Result<bool, ArenaError> {
    for name in files {
        let Some(sum) = sums.get(name).filter(|_| directory.join(name).exists()) else { return Ok(false) };
        check(directory, name, sum)?;
    }
    Ok(true)
}

/// Checks that a part is what was written.
///
/// # Errors
///
/// When it is not.
pub(crate) fn check(directory: &Path, name: &str, sum: Sum) -> Result<(), ArenaError> {
    match Checksums::difference(directory, name, sum)? {
        None => Ok(()),
        Some(why) => Err(LabelError::Damaged { path: directory.join(name), why }.into()),
    }
}

/// The files that a data set is to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parts {
    /// The chunks by number; of a shard not all.
    chunks: Range<u64>,
    /// The deals of the whole data set.
    deals: u64,
    chunk: u64,
    format: LabelFormat,
    shard: Option<Shard>,
}

impl Parts {
    /// The parts of so many deals, `chunk` (above 0) each; of a shard its share of the chunks.
    pub(crate) fn new(deals: u64, chunk: u64, shard: Option<Shard>, format: LabelFormat) -> Self {
        let all = deals.div_ceil(chunk);
        Self { chunks: shard.map_or(0..all, |shard| shard.range(all)), deals, chunk, format, shard }
    }

    /// Reads the settings in a directory.
    ///
    /// # Errors
    ///
    /// When they are damaged or cannot be read.
    pub(crate) fn of(directory: &Path) -> Result<Self, ArenaError> {
        let path = directory.join(SETTINGS);
        let parts = Self::of_text(&read_text(&path)?);
        Ok(parts.map_err(|why| LabelError::Damaged { path, why })?)
    }

    /// Reads the text of settings, or says what is wrong with it.
    pub(crate) fn of_text(text: &str) -> Result<Self, String> {
        /// What decides about them.
        #[derive(Deserialize)]
        struct Chunks {
            deals: Option<String>,
            lines: Option<String>,
            chunk: String,
            format: LabelFormat,
            shard: Option<Shard>,
        }
        let Chunks { deals, lines, chunk, format, shard } =
            toml::from_str(text).map_err(|error| error.to_string())?;
        let number = |text: &str| text.parse::<u64>().ok().filter(|number| *number > 0);
        let parts = deals.or(lines).as_deref().and_then(number).zip(number(&chunk));
        let parts = parts.map(|(deals, chunk)| Self::new(deals, chunk, shard, format));
        parts.ok_or_else(|| "deals or chunk is not a number above 0".to_owned())
    }

    /// Returns how many files there are.
    pub(crate) fn number(&self) -> u64 {
        let chunks = self.chunks.end - self.chunks.start;
        chunks.saturating_mul(self.format.endings().len() as u64)
    }

    /// Tests if a file is one of them.
    pub(crate) fn has(&self, name: &str) -> bool {
        let Some((stem, ending)) = name.split_once('.') else { return false };
        let chunk = stem.strip_prefix("part-").and_then(|digits| digits.parse::<u64>().ok());
        chunk.is_some_and(|chunk| {
            self.chunks.contains(&chunk)
                && self.format.endings().contains(&ending)
                && part(chunk, ending) == name
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
    pub(crate) fn chunks(&self) -> Range<u64> {
        self.chunks.clone()
    }

    /// The shard that they are.
    pub(super) const fn shard(&self) -> Option<Shard> {
        self.shard
    }

    /// The deals of all of them.
    pub(crate) fn deals(&self) -> Range<u64> {
        self.deals_of_range(self.chunks.clone())
    }

    /// The deals of some chunks.
    pub(super) fn deals_of_range(&self, chunks: Range<u64>) -> Range<u64> {
        let at = |chunk: u64| self.deals.min(chunk.saturating_mul(self.chunk));
        at(chunks.start)..at(chunks.end)
    }

    /// The files of a chunk.
    pub(super) fn files(&self, chunk: u64) -> Vec<String> {
        self.format.endings().iter().map(|ending| part(chunk, ending)).collect()
    }
}

/// Returns the text of settings.
pub(crate) fn settings_text(table: &toml::Table) -> String {
    let what =
        if table.get("kind").and_then(toml::Value::as_str) == Some("choices") { "rows" } else { "labels" };
    format!("# The settings of these {what}; the same command goes on with them.\n{table}")
}

/// Returns the seed of the data set in a directory, where there is one.
pub(crate) fn seed_of(directory: &Path) -> Option<Seed> {
    let text = read_text(&directory.join(SETTINGS)).ok()?;
    text.parse::<toml::Table>().ok()?.get("seed")?.as_str()?.parse().ok()
}

/// The file of a chunk.
fn part(chunk: u64, ending: &str) -> String {
    format!("part-{chunk:06}.{ending}")
}

/// Makes the directory with its settings, or compares those that are there; takes it, and returns the sums of the parts.
fn prepare(parts: &Parts, text: &str, directory: &Path) -> Result<(Held, Checksums), ArenaError> {
    let path = directory.join(SETTINGS);
    let is_new = fs::symlink_metadata(&path).is_err();
    let own: &[&str] = if is_new { &[] } else { &[SETTINGS, CHECKSUMS] };
    if let Some(file) = foreign_data(directory, own) {
        return Err(ArenaError::RunExists { path: directory.to_owned(), file });
    }
    if is_new && ["csv", "parquet", "npy"].iter().any(|ending| directory.join(part(0, ending)).exists()) {
        return Err(LabelError::NoSettings(directory.to_owned()).into());
    }
    let mut held = Held::lock(directory, SETTINGS)?;
    let before = String::from_utf8_lossy(&held.read()?).into_owned();
    let sums = match Checksums::read(directory) {
        Err(ArenaError::Damaged { path, why }) => {
            return Err(LabelError::Damaged { path, why: why.to_string() }.into());
        }
        sums => sums?,
    };
    if before != text {
        // Without a part there is nothing to lose: another process was killed at once.
        let is_begun = sums.is_some() || directory.join(&parts.files(parts.chunks.start)[0]).exists();
        if is_begun {
            let fields = differing(&before, text);
            return Err(LabelError::OtherSettings { directory: directory.to_owned(), fields }.into());
        }
        held.write(text)?;
    }
    let mut sums = sums.unwrap_or_default();
    sums.add(SETTINGS, Sum::of(text.as_bytes()));
    Ok((held, sums))
}

/// The settings in which two files differ.
fn differing(before: &str, after: &str) -> Vec<String> {
    let [before, after]: [toml::Table; 2] = [before, after].map(|text| text.parse().unwrap_or_default());
    let mut keys: Vec<_> = before.keys().chain(after.keys()).cloned().collect();
    keys.sort();
    keys.dedup();
    keys.retain(|key| before.get(key) != after.get(key));
    keys
}
