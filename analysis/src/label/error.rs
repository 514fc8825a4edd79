//! Why deals cannot be labelled.

use std::path::PathBuf;

use coinche_engine::solver::PositionError;
use coinche_engine::{ParseHandsError, Seat};
use coinche_selfplay::{Exit, ModuleError};

/// Why deals cannot be labelled.
#[derive(Debug, thiserror::Error)]
pub(super) enum LabelError {
    #[error("{} is empty: expected deals, one per line: four hands joined by ` | `", .0.display())]
    Empty(PathBuf),
    #[error("{} became shorter while it was read", .0.display())]
    Shorter(PathBuf),
    #[error("the settings cannot be written: {0}")]
    NotWritten(#[from] toml::ser::Error),
    #[error("the settings cannot be written: {0}")]
    NotJson(#[from] serde_json::Error),
    #[error("the table cannot be made: {0}")]
    Table(#[from] parquet::errors::ParquetError),
    #[error(
        "deal {deal}: a card is worth {score} points, and values have room for -32767 to 32767: choose rules with \
             smaller scores"
    )]
    Score { deal: u64, score: i32 },
    #[error("{} is damaged: {why}; remove it and repeat the command that made it", path.display())]
    Damaged { path: PathBuf, why: String },
    #[error("{} has files of a data set without part.json: choose another directory with --out", .0.display())]
    NoState(PathBuf),
}

impl ModuleError for LabelError {
    fn exit(&self) -> Exit {
        match self {
            Self::Damaged { .. } => Exit::Disagreements,
            _ => Exit::Usage,
        }
    }
}

/// Why a line is no deal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadDealError {
    #[error("not UTF-8 text")]
    Encoding,
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error(transparent)]
    Hands(#[from] ParseHandsError),
    #[error("cards of seat {seat}: {cards}, expected 8")]
    HandSize { seat: Seat, cards: usize },
}
