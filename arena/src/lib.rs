#![doc = include_str!("../README.md")]

mod advise;
mod bidding;
mod cli;
mod commands;
mod config;
mod cpu;
mod diagram;
mod error;
mod exit;
mod figures;
mod fit;
mod fnv;
mod hands;
mod joint;
mod judge;
mod label;
mod lineup;
mod merge;
mod open_play;
mod page;
mod pbn;
mod progress;
mod protocol;
mod recount;
mod report;
mod run_dir;
mod runner;
mod schedule;
mod signature;
mod solvers;
pub mod stats;
mod stored;
mod strategy;
mod table;
mod tally;
mod times;
mod totals;
mod write;

pub use cli::{Cli, Command};
#[cfg(unix)]
pub use commands::CheckBotArgs;
pub use commands::{
    AdviseArgs, BenchArgs, BiddingArgs, BotsArgs, EngineArgs, ExportArgs, ExportForm, FitArgs, HandsArgs,
    ImportArgs, JudgeArgs, LabelArgs, MergeArgs, PageFlags, PlayFlags, PowerArgs, RecordsArgs, ReportArgs,
    RulesArgs, RulesFlags, RunArgs, ShowArgs, SolveArgs, SprtArgs, StatsArgs, StatsOf, TuneArgs, VerifyArgs,
    interrupt,
};
pub use config::{
    Crossplay, DEFAULT_DEALS, Freeze, FrozenPlayer, LinesForm, ProgressMode, Records, RulesText, RunConfig,
    RunFile, SeedText, Shard, TableForm, TimesMode, differences, load_rules, nearest_preset,
};
pub use error::ArenaError;
pub use exit::Exit;
pub use figures::{
    BotFigures, COMMIT, ContractFigures, CrossplayFigures, DecisionTimes, Figures, JointBot, JointFigures,
    JointPairing, Mean, PairingFigures, Partnership, ProgramInfo, RoleFigures, RunJson, Strangers, Timing,
    VERSION,
};
pub use joint::{BlockSums, Joint, MAX_BLOCKS};
pub use label::{LabelFormat, Leaders};
pub use protocol::{StderrLog, Vice};
pub use report::{thousands, verdict};
pub use runner::{Batch, play};
pub use schedule::{Encounter, Format, Leg, MAX_DEALS_IN_MATCH, Schedule, Side, Unit};
pub use signature::signature;
pub use stats::{Estimate, PairedSums, student_t};
pub use table::{Ending, InMatch, LegResult, PlayedDeal, Scribe, Table, Thought, forfeit};
pub use tally::{Contracts, FAULT_KINDS, Role, SideTally, Tally};
pub use totals::Totals;
pub use write::{ColumnRows, JsonLines, Rows, SummaryTable};
