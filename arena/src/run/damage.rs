//! What can be wrong with the files of a run.

use coinche_selfplay::records::write::columns::RowError;

/// What is wrong with a file of a run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Damage {
    #[error("its form is version {found}, this program reads {read}")]
    Version { found: u32, read: u32 },
    #[error("the run writes {0} instead")]
    OtherFile(String),
    #[error("{left} bytes are left of {whole}")]
    Cut { left: u64, whole: u64 },
    #[error("it is not Parquet")]
    NotParquet,
    #[error("it has {found} bytes, not {written}")]
    Size { found: u64, written: u64 },
    #[error("its CRC-32 is not that of what was written")]
    Checksum,
    #[error("its first line is not the names of the columns")]
    Header,
    #[error("a row group has no deal")]
    NoDeal,
    #[error("a line is no row")]
    NoRow,
    #[error("the contracts do not fit the rules")]
    Contracts,
    #[error("the encounters have not played the same deals")]
    Encounters,
    #[error("the joint sums do not fit the encounters")]
    Covariance,
    #[error(transparent)]
    Row(#[from] RowError),
}
