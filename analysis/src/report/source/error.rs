//! Why files of runs and tests cannot be reported on.

use std::path::{Path, PathBuf};

use coinche_engine::ParseRulesError;
use coinche_runs::audit::LegError;
use coinche_selfplay::base::columns::RowError;
use coinche_selfplay::base::{ArenaError, ModuleError, Why};
use coinche_selfplay::records::json::ReadJsonError;
use coinche_selfplay::records::summary::ReadError;

/// Why a directory cannot be reported on.
#[derive(Debug, thiserror::Error)]
pub(in crate::report) enum ReportError {
    #[error("{}: {why}; it was not written by `arena`, or by another version of it", path.display())]
    Unreadable {
        path: PathBuf,
        #[source]
        why: Why,
    },
    #[error("{} holds a tuning: the run of its verification match is {}", .0.display(), .0.join("verify").display())]
    Tuning(PathBuf),
    #[error("{} holds neither run.json nor sprt.json, nor records of `human`: expected the directory of a run, of a sequential test or of `arena play`", .0.display())]
    Nothing(PathBuf),
    #[error("{} has a person's games, whose page stands alone: name one directory", .0.display())]
    Alone(PathBuf),
    #[error("{}: `{}` has no seat in its first record, or it has no records of games", .0.display(), .1)]
    Nobody(PathBuf, String),
    #[error(
        "language: only the page of games of `arena play` is in French: leave out --language for runs and tests"
    )]
    Language,
    #[error("{}:{line}: {why}", path.display())]
    Line { path: PathBuf, line: u64, why: String },
}

impl ModuleError for ReportError {}

/// The error of a file that is not what it should be.
pub(in crate::report) fn unreadable(path: &Path, why: impl Into<Why>) -> ArenaError {
    ReportError::Unreadable { path: path.to_owned(), why: why.into() }.into()
}

/// What is wrong with `run.json`, `sprt.json` or `part.json`.
#[derive(Debug, thiserror::Error)]
pub(super) enum FormError {
    #[error("format version {0}: this program reads version 1")]
    Version(u32),
    #[error("it is not version 1 of a run of two bots")]
    NoTest,
    #[error("its bots and pairings do not match")]
    Pairings,
    #[error("its partnerships do not match its bots")]
    Partnerships,
    #[error("rules: {0}")]
    Rules(#[from] ParseRulesError),
}

/// What is wrong with a summary table, or where it does not fit `run.json`.
#[derive(Debug, thiserror::Error)]
pub(super) enum TableError {
    #[error(transparent)]
    Row(#[from] ReadError<PassError>),
    #[error("the first line does not name the columns of a summary")]
    Header,
    #[error("{number} {units} are missing")]
    Missing { number: u64, units: &'static str },
    #[error("{versus}: its {units} have a mean of {found} points, but run.json has {told}")]
    Mean { versus: String, units: &'static str, found: f64, told: f64 },
}

/// Why a row is not what it should be.
#[derive(Debug, thiserror::Error)]
pub(super) enum PassError {
    #[error(transparent)]
    Row(#[from] RowError),
    #[error(transparent)]
    Leg(#[from] LegError),
    #[error("there is no such pairing in run.json")]
    NoPairing,
}

/// What is wrong with a line of records.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {why}")]
pub(super) struct LineError {
    pub(super) line: u64,
    pub(super) why: RecordError,
}

/// Why a line is no record.
#[derive(Debug, thiserror::Error)]
pub(super) enum RecordError {
    #[error("it is not a deal record")]
    NoRecord,
    #[error(transparent)]
    Record(#[from] ReadJsonError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}
