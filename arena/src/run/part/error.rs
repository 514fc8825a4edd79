//! Why a part cannot be made or read.

use std::path::PathBuf;

use coinche_selfplay::base::error::ModuleError;
use coinche_selfplay::base::exit::Exit;

use crate::run::config::Shard;
use crate::run::merge::ShardsError;

/// Why a part cannot be made or read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PartError {
    #[error("{} is not a part: it has no part.json", .0.display())]
    NoPart(PathBuf),
    #[error(
        "{} is a part of `arena {command}`: `arena merge` reads all parts together and tells what the whole command tells",
        path.display()
    )]
    IsPart { path: PathBuf, command: String },
    #[error("{} is a part of `arena {command}`, which this program does not merge", path.display())]
    Unknown { path: PathBuf, command: String },
    #[error("{} holds a part with other settings: {}; use the same settings, or choose another directory with --out",
        path.display(), differences.join("; "))]
    Other { path: PathBuf, differences: Vec<String> },
}

impl ModuleError for PartError {}

/// Why parts do not make a whole.
#[derive(Debug, thiserror::Error)]
pub(super) enum MergeError {
    #[error("cannot merge: {0}")]
    Shards(ShardsError),
    #[error("cannot merge: {error}; not given: shard {}", names(missing))]
    Missing { error: ShardsError, missing: Vec<Shard> },
    #[error("cannot merge: {} is a part of `arena {command}`, {} one of `arena {first_command}`: give the parts of one command",
        path.display(), first.display())]
    OtherCommand { path: PathBuf, command: String, first: PathBuf, first_command: String },
}

/// Names the first few.
fn names(shards: &[Shard]) -> String {
    const MOST: usize = 8;
    let mut names: Vec<_> = shards.iter().take(MOST).map(ToString::to_string).collect();
    if shards.len() > MOST {
        names.push(format!("{} more", shards.len() - MOST));
    }
    names.join(", ")
}

impl ModuleError for MergeError {
    fn exit(&self) -> Exit {
        Exit::Disagreements
    }
}
