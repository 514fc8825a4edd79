//! What every floor needs and no game is in: errors, exit codes, clocks, progress, text, files.

pub mod cpu;
pub mod error;
pub mod exit;
pub mod files;
pub mod hash;
pub mod output;
pub mod progress;
pub mod shown;
pub mod style;
pub mod threads;
mod write_fault;

/// The version of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
