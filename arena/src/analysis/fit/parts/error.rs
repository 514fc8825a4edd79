//! Why the stages of a fit cannot be shared or merged.

use std::path::PathBuf;

use coinche_selfplay::base::error::ModuleError;
use coinche_selfplay::base::exit::Exit;

use super::super::saved::SavedError;

/// Why the stages of a fit cannot be shared or merged.
#[derive(Debug, thiserror::Error)]
pub(super) enum FitPartsError {
    #[error("cannot merge: {} has no shard yet: `arena fit --out FILE --shard I/N` makes them", .0.display())]
    Nothing(PathBuf),
    #[error("cannot merge: {} is missing: make it by `{command}`", several(shards))]
    Missing { shards: Vec<String>, command: String },
    #[error("cannot merge: {} is not finished: repeat its command, `{command}`", path.display())]
    Unfinished { path: PathBuf, command: String },
    #[error("cannot merge: {} is of another fit or stage: {}; remove it", path.display(), differences.join("; "))]
    Other { path: PathBuf, differences: Vec<String> },
    #[error("the shards were made by another build of arena: {}; merge them with that build", .0.join("; "))]
    OtherProgram(Vec<String>),
    #[error("{} is damaged: {why}; remove its directory and repeat the command that made it", path.display())]
    Rows { path: PathBuf, why: SavedError },
    #[error("{} is damaged: {why}; remove its directory and repeat the command that made it", path.display())]
    Damaged { path: PathBuf, why: String },
    #[error("{} has the settings of no fit: remove it", .0.display())]
    Settings(PathBuf),
}

/// Names shards.
fn several(shards: &[String]) -> String {
    const MOST: usize = 8;
    let names = shards.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(", ");
    match shards.len().saturating_sub(MOST) {
        0 => format!("shard {names}"),
        more => format!("shard {names} and {more} more"),
    }
}

impl ModuleError for FitPartsError {
    fn exit(&self) -> Exit {
        match self {
            Self::Nothing(_) => Exit::Usage,
            _ => Exit::Disagreements,
        }
    }
}
