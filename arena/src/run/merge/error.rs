//! Why shards cannot be merged.

use std::path::{Path, PathBuf};

use coinche_selfplay::base::error::ModuleError;
use coinche_selfplay::base::exit::Exit;

use crate::run::directory::NotEnded;

/// Why shards cannot be merged.
#[derive(Debug, thiserror::Error)]
pub(super) enum MergeError {
    #[error("cannot merge: {0}")]
    Shards(#[from] ShardsError),
    #[error("--out {} is one of the shards", .0.display())]
    OutIsShard(PathBuf),
    #[error("{} already holds a part of this run: choose another directory with --out", .0.display())]
    OutHoldsPart(PathBuf),
}

/// Why shards are not the parts of one run. Deals are counted in `unit`, deals or matches.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ShardsError {
    #[error(transparent)]
    NotEnded(#[from] NotEnded),
    #[error("{} is a shard of a different run than {}: {}", path.display(), first.display(), differences.join("; "))]
    OtherRun { path: PathBuf, first: PathBuf, differences: Vec<String> },
    #[error("{unit} {from} to {to} are missing: {}{} begins with {unit} {}", ends_there(before.as_deref()), path.display(), to + 1)]
    Gap { unit: &'static str, from: u64, to: u64, before: Option<PathBuf>, path: PathBuf },
    #[error("{unit} {from} to {to} are duplicated: in {} and in {}", first.display(), second.display())]
    Overlap { unit: &'static str, from: u64, to: u64, first: PathBuf, second: PathBuf },
    #[error("{unit} {from} to {to} are missing: {} is not complete, repeat its command", path.display())]
    NotAtEnd { unit: &'static str, from: u64, to: u64, path: PathBuf },
    #[error("{unit} {from} to {to} are missing: {} is the last shard given", path.display())]
    LastIsMissing { unit: &'static str, from: u64, to: u64, path: PathBuf },
    #[error("no {0} were played in these shards")]
    NothingPlayed(&'static str),
    #[error("the shards were played by another build of arena: {}; merge them with that build", differences.join("; "))]
    OtherProgram { differences: Vec<String> },
    #[error("the shards were played with other files than are there now: {}; merge where the files are as they were", differences.join("; "))]
    OtherFiles { differences: Vec<String> },
}

fn ends_there(before: Option<&Path>) -> String {
    before.map_or_else(String::new, |path| format!("{} ends there and ", path.display()))
}

impl ModuleError for MergeError {
    fn exit(&self) -> Exit {
        match self {
            Self::Shards(_) => Exit::Disagreements,
            Self::OutIsShard(_) | Self::OutHoldsPart(_) => Exit::Usage,
        }
    }
}
