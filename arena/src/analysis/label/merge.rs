//! Shards of a data set put together: the directory of the undivided command, byte for byte.
//!
//! Every shard says in `labels.toml` which parts it has, and in `checksums.txt` what they are. Parts keep their numbers,
//! so that a part of the whole is that file of its shard: a second name of it where both are in one file system, else
//! a copy, compared with its sum either way. The directory is made as `parts` makes any other: it goes on where it was
//! interrupted.

use core::ops::Range;
use std::fs;
use std::path::{Path, PathBuf};

use coinche_selfplay::base::error::{ArenaError, ModuleError};
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::files::read_text;
use coinche_selfplay::base::progress::{Meter, ProgressMode};

use super::error::LabelError;
use super::parts::{self, Contents, Labelled, MakeParts, Part, Parts, SETTINGS, settings_text};
use crate::run::checksums::Checksums;
use crate::run::commit::COMMIT;
use crate::run::config::Shard;
use crate::run::directory::Identity;

/// Why shards cannot be merged. Deals are counted in `unit`, deals or lines.
#[derive(Debug, thiserror::Error)]
enum MergeError {
    #[error("cannot merge: {} has no {SETTINGS}: it is not a shard of labels", .0.display())]
    NoLabels(PathBuf),
    #[error("cannot merge: {} is a shard of other labels than {}: {}", path.display(), first.display(), differences.join("; "))]
    OtherLabels { path: PathBuf, first: PathBuf, differences: Vec<String> },
    #[error(
        "cannot merge: {} was made by another build of arena: commit {theirs}, this is {COMMIT}; merge with that build",
        path.display()
    )]
    OtherProgram { path: PathBuf, theirs: String },
    #[error(
        "cannot merge: {unit} {from} to {to} are missing: {} is not finished ({there} of {all} files are there), repeat its command",
        path.display()
    )]
    Unfinished { unit: &'static str, from: u64, to: u64, path: PathBuf, there: u64, all: u64 },
    #[error("cannot merge: {unit} {from} to {to} are missing: {}", make_them(shards))]
    Missing { unit: &'static str, from: u64, to: u64, shards: Vec<Shard> },
    #[error("cannot merge: {unit} {from} to {to} are duplicated: in {} and in {}; give one of them", first.display(), second.display())]
    Overlap { unit: &'static str, from: u64, to: u64, first: PathBuf, second: PathBuf },
    #[error("--out {} is one of the shards", .0.display())]
    OutIsShard(PathBuf),
    #[error("{} has other contents than {}: choose another directory with --out", there.display(), given.display())]
    OtherContents { there: PathBuf, given: PathBuf },
}

impl ModuleError for MergeError {
    fn exit(&self) -> Exit {
        match self {
            Self::OutIsShard(_) | Self::OtherContents { .. } => Exit::Usage,
            _ => Exit::Disagreements,
        }
    }
}

/// Says how what is missing is made.
fn make_them(shards: &[Shard]) -> String {
    const MOST: usize = 8;
    let mut names: Vec<_> = shards.iter().take(MOST).map(Shard::to_string).collect();
    if shards.len() > MOST {
        names.push(format!("{} more", shards.len() - MOST));
    }
    format!(
        "give the directory of shard {} too, or make it with --shard and the flags of the others",
        names.join(", ")
    )
}

/// A data set that was put together.
pub(crate) struct Merged {
    /// What was added now, and what was there before.
    pub(crate) labelled: Labelled,
    /// What the rows are: `decisions`, `choices`, or nothing, which is points.
    pub(crate) kind: Option<String>,
    /// The seed of the deals; those of a file have none.
    pub(crate) seed: Option<String>,
    /// How many deals, or lines, there are.
    pub(crate) deals: u64,
}

/// A shard.
struct Given {
    path: PathBuf,
    /// The settings of the whole.
    settings: toml::Table,
    /// The commit that it was made by, where it says so.
    commit: Option<String>,
    parts: Parts,
    sums: Checksums,
}

/// Merges shards into a directory.
///
/// # Errors
///
/// When they are not the parts of one data set, one is damaged, the directory holds something else, or something cannot
/// be read or written.
pub(crate) fn merge(paths: &[PathBuf], out: &Path) -> Result<Merged, ArenaError> {
    let mut shards = paths.iter().map(|path| Given::read(path)).collect::<Result<Vec<_>, _>>()?;
    shards.sort_by_key(|shard| (shard.parts.chunks().start, shard.parts.chunks().end));
    check(&shards)?;
    check_out(&shards, out)?;
    let first = &shards[0];
    let (whole, text) = (first.parts.of_all(), settings_text(&first.settings));
    let labelled =
        parts::make(&whole, &text, out, &mut Maker { whole: &whole, shards: &shards }, ProgressMode::None)?;
    let deals = whole.deals().end;
    Ok(Merged { labelled, kind: first.word("kind"), seed: first.word("seed"), deals })
}

impl Given {
    fn read(path: &Path) -> Result<Self, ArenaError> {
        let file = path.join(SETTINGS);
        if !file.is_file() {
            return Err(MergeError::NoLabels(path.to_owned()).into());
        }
        let text = read_text(&file)?;
        let sums = Checksums::read(path)?.unwrap_or_default();
        if let Some(sum) = sums.get(SETTINGS) {
            parts::check(path, SETTINGS, sum)?;
        }
        let damaged = |why| LabelError::Damaged { path: file.clone(), why };
        let parts = Parts::of_text(&text).map_err(damaged)?;
        let mut settings: toml::Table =
            text.parse().map_err(|error: toml::de::Error| damaged(error.to_string()))?;
        settings.remove("shard");
        let commit = settings.get("commit").and_then(toml::Value::as_str).map(str::to_owned);
        let mut this = Self { path: path.to_owned(), settings, commit, parts, sums };
        if this.word("kind").is_none() {
            // The whole of points does not say it.
            this.settings.remove("commit");
        }
        Ok(this)
    }

    fn word(&self, key: &str) -> Option<String> {
        self.settings.get(key).and_then(toml::Value::as_str).map(str::to_owned)
    }

    /// What this shard has that another one has not.
    fn differences(&self, first: &Self) -> Vec<String> {
        let [mut there, mut now] = [first, self].map(|shard| shard.settings.clone());
        // A whole of points names none, and has all parts.
        if let (Some(theirs), Some(ours)) = (&first.commit, &self.commit) {
            there.insert("commit".to_owned(), theirs.as_str().into());
            now.insert("commit".to_owned(), ours.as_str().into());
        }
        Identity::of(there).settings_other_than(&now)
    }

    /// Says what is missing of the shard.
    fn unfinished(&self, unit: &'static str) -> Option<MergeError> {
        let is_there = |chunk: &u64| self.parts.files(*chunk).iter().all(|name| self.sums.has(name));
        let mut missing = self.parts.chunks().filter(|chunk| !is_there(chunk));
        let first = missing.next()?;
        let last = missing.next_back().unwrap_or(first);
        let deals = self.parts.deals_of_range(first..last + 1);
        let there = self.sums.iter().filter(|(name, _)| self.parts.has(name)).count() as u64;
        let (path, all) = (self.path.clone(), self.parts.number());
        Some(MergeError::Unfinished { unit, from: deals.start, to: deals.end - 1, path, there, all })
    }
}

/// Checks that the shards are of one data set and have each part of it once.
fn check(shards: &[Given]) -> Result<(), MergeError> {
    let first = &shards[0];
    let unit = if first.settings.contains_key("lines") { "lines" } else { "deals" };
    for shard in shards {
        let path = shard.path.clone();
        let differences = shard.differences(first);
        if !differences.is_empty() {
            return Err(MergeError::OtherLabels { path, first: first.path.clone(), differences });
        }
        // Rows of choices name in each file what they are of; other builds named the shard too.
        let theirs = shard.commit.clone().unwrap_or_default();
        if shard.word("kind").as_deref() == Some("choices") && theirs != COMMIT {
            return Err(MergeError::OtherProgram { path, theirs });
        }
        if let Some(unfinished) = shard.unfinished(unit) {
            return Err(unfinished);
        }
    }
    let whole = first.parts.of_all();
    let missing = |chunks: Range<u64>| {
        let deals = whole.deals_of_range(chunks.clone());
        let division = shards.iter().find_map(|shard| shard.parts.shard());
        let is_in = |shard: &Shard| {
            let range = shard.range(whole.chunks().end);
            range.start < chunks.end && chunks.start < range.end
        };
        let shards = division.into_iter().flat_map(Shard::all).filter(is_in).collect();
        MergeError::Missing { unit, from: deals.start, to: deals.end - 1, shards }
    };
    let (mut next, mut last) = (0, &first.path);
    for shard in shards {
        let Range { start, end } = shard.parts.chunks();
        if start > next {
            return Err(missing(next..start));
        }
        if start < next {
            let deals = whole.deals_of_range(start..next.min(end));
            let (first, second) = (last.clone(), shard.path.clone());
            return Err(MergeError::Overlap { unit, from: deals.start, to: deals.end - 1, first, second });
        }
        (next, last) = (end, &shard.path);
    }
    let all = whole.chunks().end;
    if next < all { Err(missing(next..all)) } else { Ok(()) }
}

/// Checks that the directory is none of the shards, and has no part with other contents.
fn check_out(shards: &[Given], out: &Path) -> Result<(), ArenaError> {
    let place = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if shards.iter().any(|shard| place(&shard.path) == place(out)) {
        return Err(MergeError::OutIsShard(out.to_owned()).into());
    }
    // Sums that are damaged are refused where the directory is taken.
    let Ok(Some(there)) = Checksums::read(out) else { return Ok(()) };
    for shard in shards {
        for (name, sum) in shard.sums.iter().filter(|(name, _)| shard.parts.has(name)) {
            if there.get(name).is_some_and(|found| found != sum) {
                let [there, given] = [out, &shard.path].map(|directory| directory.join(name));
                return Err(MergeError::OtherContents { there, given }.into());
            }
        }
    }
    Ok(())
}

/// Takes the parts from the shards.
struct Maker<'a> {
    whole: &'a Parts,
    shards: &'a [Given],
}

impl MakeParts for Maker<'_> {
    fn skip(&mut self, _deals: u64) -> Result<(), ArenaError> {
        Ok(())
    }

    fn make(&mut self, deals: Range<u64>, _meter: &Meter) -> Result<Part, ArenaError> {
        let chunk = self.whole.chunk_of(deals.start);
        // Sorted, and each part in one of them.
        let shard = &self.shards[self.shards.partition_point(|shard| shard.parts.chunks().end <= chunk)];
        let of = |name: String| Some(Contents::Of(shard.path.join(&name), shard.sums.get(&name)?));
        let files = self.whole.files(chunk).into_iter().filter_map(of).collect();
        Ok(Part { files, good: deals.end - deals.start, bad: 0 })
    }
}
