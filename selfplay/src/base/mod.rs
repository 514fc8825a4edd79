//! What every layer needs and what is independent of the game: errors, exit codes, clocks, progress, text, files.

pub mod columns;
pub mod cpu;
pub mod error;
pub mod exit;
pub mod files;
pub mod guard;
pub mod hash;
pub mod output;
pub mod progress;
pub mod shown;
pub mod style;
pub mod text;
pub mod threads;
mod write_fault;

pub use error::{ArenaError, ModuleError, OutOfRange, Result, Why};
pub use exit::Exit;
pub use output::{complain, finish, print, print_early, tell};
pub use progress::{Display, Meter, ProgressMode, rate, span};
pub use style::thousands;

/// The version of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
