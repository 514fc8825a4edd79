//! Shards of a data set put together: the files of the undivided command, byte for byte.
//!
//! Files keep their numbers, so that a file of the whole is that file of its shard: a second name of it where both are in one
//! file system, else a copy, compared with its sum either way.

use core::ops::Range;
use std::fs;
use std::path::{Path, PathBuf};

use coinche_selfplay::{ProgressMode, Result};

use super::parts::{self, Chunk, Contents, DataSet, Files, Labelled};
use coinche_runs::{MergeError, Parts, State, Task};

/// A data set that was put together.
pub struct Merged {
    /// What was added now, and what was there before.
    pub labelled: Labelled,
    /// The seed of the deals; those of a file have none.
    pub seed: Option<String>,
}

/// A shard.
struct Given {
    path: PathBuf,
    chunks: Range<u64>,
    files: Files,
}

/// Merges shards into a directory.
pub fn merge(shards: &Parts, out: &Path) -> Result<Merged> {
    let mut given = Vec::new();
    shards.each(|path, state| {
        let DataSet { chunks, files, .. } = DataSet::of(path, state)?;
        given.push(Given { path: path.to_owned(), chunks: chunks.chunks(), files });
        Ok(())
    })?;
    check_out(&given, out)?;
    let DataSet { state, chunks, .. } = DataSet::open(&given[0].path)?;
    let whole = chunks.of_all();
    let State { job, identity, .. } = state;
    let seed = identity.settings.get("seed").and_then(toml::Value::as_str).map(str::to_owned);
    let task =
        Task { identity: identity.clone(), ..parts::task(job, identity.settings, identity.files, &whole) };
    let labelled = parts::make(&whole, &task, out, ProgressMode::None, |deals, _| {
        let chunk = whole.chunk_of(deals.start);
        // Sorted, and each chunk in one of them.
        let shard = &given[given.partition_point(|shard| shard.chunks.end <= chunk)];
        let of = |name: String| Some(Contents::Of(shard.path.join(&name), shard.files.get(&name)?));
        let files = whole.files(chunk).into_iter().filter_map(of).collect();
        Ok(Chunk { files, good: deals.end - deals.start, bad: 0 })
    })?;
    Ok(Merged { labelled, seed })
}

/// Checks that the directory is none of the shards, and has no file with other contents.
fn check_out(given: &[Given], out: &Path) -> Result<()> {
    let place = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if given.iter().any(|shard| place(&shard.path) == place(out)) {
        return Err(MergeError::OutIsShard(out.to_owned()).into());
    }
    // What is damaged there is refused where the directory is taken.
    let Ok(Some(there)) = DataSet::read(out) else { return Ok(()) };
    for shard in given {
        for (name, sum) in shard.files.iter() {
            if there.files.get(name).is_some_and(|found| found != sum) {
                let [there, given] = [out, &shard.path].map(|directory| directory.join(name));
                return Err(MergeError::OtherContents { there, given }.into());
            }
        }
    }
    Ok(())
}
