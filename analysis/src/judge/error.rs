//! Why records cannot be judged.

use std::path::PathBuf;

use coinche_selfplay::base::ModuleError;

/// Why a file of records cannot be judged.
#[derive(Debug, thiserror::Error)]
pub(super) enum JudgeError {
    #[error("{} has no deal records: play with `arena run … --records full`", .0.display())]
    NoRecords(PathBuf),
    #[error("--shard: stdin is read only once: give the records as a file, which all shards read")]
    ShardOfStdin,
    #[error(
        "{what} {unit} comes after {what} {before}: the unit is the {what}, so that its records must stand \
             together; judge the records of one run at a time, in order"
    )]
    Order { what: &'static str, unit: u64, before: u64 },
}

impl ModuleError for JudgeError {}
