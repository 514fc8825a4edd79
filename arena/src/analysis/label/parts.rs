//! A data set as a directory of parts: settings, lock, sums, going on.
//!
//! A data set is a directory: `labels.toml`, the settings, written first and locked by the process at work; then a file
//! for each chunk of deals and each form, such as `part-000000.csv` and `part-000000.parquet`, each written whole under
//! another name and then renamed; and `checksums.txt`, the sums of the parts that are there. The same command goes on
//! with the chunks that it does not list.

use core::ops::Range;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use coinche_engine::Seed;
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::files::{CHECKSUMS, foreign_data, read_text, write_whole};
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

/// A part that was made.
pub(crate) struct Part {
    /// What is in its files, in the order of the endings of the format.
    pub(crate) files: Vec<Vec<u8>>,
    /// How many deals are in it.
    pub(crate) good: u64,
    /// How many are left out.
    pub(crate) bad: u64,
}

/// Makes what is missing of a data set with these settings.
///
/// # Errors
///
/// When there is no part of the shard, the directory holds labels of other settings or anything else, is in use or damaged, or something
/// cannot be read or written.
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
    let meter = Meter::new(progress, parts.deals_of_all());
    let mut done = Labelled::default();
    for chunk in parts.chunks.clone() {
        let files = parts.files(chunk);
        let deals = parts.deals_of(chunk);
        let size = deals.end - deals.start;
        if are_there(directory, &files, &sums)? {
            maker.skip(size)?;
            done.before += size;
            meter.skip(size);
            continue;
        }
        let part = maker.make(deals, &meter)?;
        for (name, bytes) in files.iter().zip(&part.files) {
            write_whole(&directory.join(name), bytes)?;
            sums.add(name, Sum::of(bytes));
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

    /// The deals of a chunk.
    fn deals_of(&self, chunk: u64) -> Range<u64> {
        chunk * self.chunk..((chunk + 1) * self.chunk).min(self.deals)
    }

    /// How many deals are in all of them.
    fn deals_of_all(&self) -> u64 {
        self.deals.min(self.chunks.end * self.chunk) - self.deals.min(self.chunks.start * self.chunk)
    }

    /// The files of a chunk.
    fn files(&self, chunk: u64) -> Vec<String> {
        self.format.endings().iter().map(|ending| part(chunk, ending)).collect()
    }
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
