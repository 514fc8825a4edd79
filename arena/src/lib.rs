#![doc = include_str!("../README.md")]

mod analysis;
mod cli;
mod commands;
#[doc(hidden)]
pub mod fuzz;
mod run;

/// The statistics: the crate `coinche-inference`.
pub use coinche_inference as stats;

pub use analysis::compare::paired_differences;
pub use cli::{main_with, run_command};
pub use coinche_protocol::{EngineError, serve};
pub use coinche_selfplay::base::VERSION;
pub use coinche_selfplay::base::error::{ArenaError, ModuleError};
pub use coinche_selfplay::base::exit::Exit;
pub use coinche_selfplay::base::progress::ProgressMode;
pub use coinche_selfplay::play::freeze::{Freeze, FreezeText};
pub use coinche_selfplay::play::schedule::{Format, Unit};
pub use coinche_selfplay::records::forms::{LinesForm, TableForm};
pub use run::commit::COMMIT;
pub use run::config::{ConfigError, Control, Crossplay, RulesText, RunConfig, RunFile, TimesMode};
pub use run::figures::RunJson;
pub use run::runner::Batch;
pub use run::session::{PlayedRun, play_run};
pub use run::signature::signature;
pub use run::totals::Totals;
