//! The commands of the program, one per file.

/// The end of a command's `--help`, a file of `src/help`.
macro_rules! help {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/help/", $name, ".txt")).trim_ascii_end()
    };
}

pub(crate) mod advise;
pub(crate) mod bench;
pub(crate) mod bidding;
pub(crate) mod bots;
#[cfg(unix)]
pub(crate) mod check_bot;
pub(crate) mod compare;
mod count;
pub(crate) mod engine;
pub(crate) mod export;
pub(crate) mod fit;
mod flags;
pub(crate) mod judge;
pub(crate) mod label;
pub(crate) mod leaderboard;
pub(crate) mod merge;
pub(crate) mod new_bot;
pub(crate) mod plan;
pub(crate) mod play;
pub(crate) mod power;
pub(crate) mod report;
pub(crate) mod rules;
pub(crate) mod run;
pub(crate) mod selfcheck;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod shell;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod sprt;
pub(crate) mod stats;
pub(crate) mod status;
mod steps;
pub(crate) mod system;
pub(crate) mod train;
pub(crate) mod tune;
pub(crate) mod verify;
mod wrap;

pub use verify::check_part;
