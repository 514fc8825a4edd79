#![doc = include_str!("../README.md")]

mod cli;
mod commands;
mod config;
mod cpu;
mod diagram;
mod error;
mod exit;
mod figures;
mod label;
mod progress;
mod report;
mod run_dir;
mod runner;
mod schedule;
mod signature;
mod solvers;
mod stats;
mod table;
mod tally;
mod write;

pub use cli::{Cli, Command};
pub use commands::{
    BenchArgs, BotsArgs, LabelArgs, RulesArgs, RunArgs, ShowArgs, SolveArgs, VerifyArgs, interrupt,
};
pub use config::{
    DEFAULT_DEALS, ProgressMode, Records, RulesText, RunConfig, RunFile, SeedText, differences, load_rules,
    nearest_preset,
};
pub use error::ArenaError;
pub use exit::Exit;
pub use figures::{BotFigures, COMMIT, ContractFigures, Figures, RoleFigures, RunJson, Timing, VERSION};
pub use label::{LabelFormat, Leaders};
pub use report::{thousands, verdict};
pub use runner::{Batch, play};
pub use schedule::{Leg, MAX_DEALS_IN_MATCH, Schedule, Side, Unit};
pub use signature::signature;
pub use stats::{Estimate, PairedSums, student_t};
pub use table::{Ending, InMatch, LegResult, PlayedDeal, Scribe, Table, forfeit};
pub use tally::{Contracts, FAULT_KINDS, Role, SideTally, Tally};
pub use write::{JsonLines, SummaryTable};
