#![doc = include_str!("../README.md")]

mod cli;
mod commands;

/// The statistics: the crate `coinche-inference`.
pub use coinche_inference as stats;

pub use cli::{main_with, run_command};
pub use coinche_analysis::compare::paired_differences;
pub use coinche_protocol::{EngineError, serve, states};
pub use coinche_runs::commit::COMMIT;
pub use coinche_runs::config::{ConfigError, Control, Crossplay, RulesText, RunConfig, RunFile, TimesMode};
pub use coinche_runs::figures::RunJson;
pub use coinche_runs::runner::Batch;
pub use coinche_runs::session::{PlayedRun, play_run};
pub use coinche_runs::signature::signature;
pub use coinche_runs::totals::Totals;
pub use coinche_selfplay::base::VERSION;
pub use coinche_selfplay::base::error::{ArenaError, ModuleError};
pub use coinche_selfplay::base::exit::Exit;
pub use coinche_selfplay::base::progress::ProgressMode;
pub use coinche_selfplay::play::freeze::{Freeze, FreezeText};
pub use coinche_selfplay::play::schedule::{Format, Unit};
pub use coinche_selfplay::records::forms::{LinesForm, TableForm};
#[doc(hidden)]
pub use commands::check_part;
