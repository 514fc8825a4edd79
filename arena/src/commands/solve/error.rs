//! Why a position cannot be solved.

use std::path::PathBuf;

use coinche_engine::solver::PositionError;
use coinche_selfplay::base::error::ModuleError;

/// Why a position cannot be answered.
#[derive(Debug, thiserror::Error)]
pub(super) enum PositionFault {
    #[error("a line of {0} bytes or more is not a position")]
    TooLong(usize),
    #[error("not UTF-8 text")]
    Encoding,
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error("--par needs whole deals: expected eight cards in each hand")]
    ParOfPart,
}

/// Why nothing could be solved.
#[derive(Debug, thiserror::Error)]
pub(super) enum SolveError {
    #[error("the position: {0}")]
    Position(#[from] PositionFault),
    #[error("{} is empty: expected positions, one per line, such as `H 2 | JH 9H | AS TS | 7C 8C | KD QD`", .0.display())]
    Empty(PathBuf),
}

impl ModuleError for SolveError {}
