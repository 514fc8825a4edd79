//! Damage in the files of a run.

use core::convert::Infallible;

use coinche_selfplay::base::files::checksums::Mismatch;
use coinche_selfplay::records::summary::RowsError;

/// An error in a file of a run.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum Damage {
    #[error("format version {found}: this program reads version {read}")]
    Version { found: u32, read: u32 },
    #[error("the run writes {0}")]
    OtherFile(String),
    #[error("`{0}` is not the name of a file of a run")]
    NoFileOfRun(String),
    #[error("not a Parquet file")]
    NotParquet,
    #[error(transparent)]
    Sum(#[from] Mismatch),
    #[error("the first line does not name the columns")]
    Header,
    #[error("the rows of deals {from} to {to} take more than {} MB", .most >> 20)]
    Block { from: u64, to: u64, most: usize },
    #[error("a row group has no deals")]
    NoDeal,
    #[error("a line is not a row of the table")]
    NoRow,
    #[error("the contracts do not match the rules")]
    Contracts,
    #[error("the pairings have not played the same deals")]
    Encounters,
    #[error("it is of another run than the part.json beside it ({0}): the directory was copied in part")]
    OtherRun(String),
    #[error("its totals are not those of its command")]
    Totals,
    #[error("it is part {found}, in the place of {expected}")]
    Place { found: String, expected: String },
    #[error("its stretches are not of its deals")]
    Stretches,
    #[error("the joint sums do not match the pairings")]
    Covariance,
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("its settings: {}", .0.to_string().trim_end())]
    Settings(#[from] toml::de::Error),
    #[error(transparent)]
    Row(#[from] RowsError<Infallible>),
}
