//! What every floor needs and no game is in: errors, exit codes, clocks, progress, text, files.

pub(crate) mod cpu;
pub(crate) mod error;
pub(crate) mod exit;
pub(crate) mod files;
pub(crate) mod hash;
pub(crate) mod output;
pub(crate) mod progress;
pub(crate) mod style;
pub(crate) mod threads;

/// The commit that the program was built from; `+changes` behind it when the sources differed from it.
pub const COMMIT: &str = env!("ARENA_COMMIT");

/// The version of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
