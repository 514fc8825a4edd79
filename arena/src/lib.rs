#![doc = include_str!("../README.md")]

mod analysis;
mod cli;
mod commands;
#[doc(hidden)]
pub mod fuzz;
mod protocol;
mod run;

/// The statistics: the crate `coinche-inference`.
pub use coinche_inference as stats;

pub use analysis::compare::paired_differences;
pub use analysis::label::decisions::{DecisionKinds, SuitNames};
pub use analysis::label::{LabelFormat, Leaders, ParseLeadersError};
pub use analysis::plan::Scheduler;
pub use analysis::typed::Language;
pub use cli::{Cli, Command, main_with, run_command};
pub use coinche_inference::{Estimate, PairedSums, student_t};
pub use coinche_selfplay::base::VERSION;
pub use coinche_selfplay::base::error::{ArenaError, ModuleError, OutOfRange};
pub use coinche_selfplay::base::exit::Exit;
pub use coinche_selfplay::base::progress::ProgressMode;
pub use coinche_selfplay::base::style::thousands;
pub use coinche_selfplay::play::freeze::{Freeze, FreezeError, FreezeText, FrozenPlayer};
pub use coinche_selfplay::play::played::{Ending, InMatch, LegResult, PlayedDeal, Scribe, Thought, forfeit};
pub use coinche_selfplay::play::schedule::{
    Encounter, Format, Leg, MAX_DEALS_IN_MATCH, Schedule, Side, Unit,
};
pub use coinche_selfplay::play::table::Table;
pub use coinche_selfplay::play::tally::{Contracts, FAULT_KINDS, Role, SideTally, Tally};
pub use coinche_selfplay::records::forms::{LinesForm, TableForm};
pub use coinche_selfplay::records::write::{ColumnRows, JsonLines, Rows, SummaryTable};
#[cfg(unix)]
pub use commands::CheckBotArgs;
pub use commands::{
    AdviseArgs, BenchArgs, BiddingArgs, BotsArgs, CompareArgs, CompletionsArgs, DecisionFlags, EngineArgs,
    ExportArgs, ExportForm, FitArgs, HandsArgs, ImportArgs, JudgeArgs, LabelArgs, LeaderboardArgs, ManArgs,
    MergeArgs, PageFlags, PlanArgs, PlayArgs, PlayFlags, PowerArgs, RecordsArgs, ReportArgs, RulesArgs,
    RulesFlags, RunArgs, SeedFlag, ShardFlag, ShowArgs, SolveArgs, SprtArgs, StatsArgs, StatsOf, StatusArgs,
    SystemArgs, SystemCheckArgs, SystemCommand, SystemExplainArgs, SystemListArgs, SystemShowArgs,
    SystemWordsArgs, TrainArgs, TrainBiddingArgs, TrainCardsArgs, TrainCommand, TrainFlags, TrainReadingArgs,
    TrainRowFlags, TuneArgs, VerifyArgs,
};
pub use protocol::{
    EngineError, InjectedFault, MixedTable, ParseInjectedFaultError, ProgramInfo, ProgramLost, StderrLog,
    interrupt, serve,
};
pub use run::commit::COMMIT;
pub use run::config::{
    ConfigError, Control, Crossplay, DEFAULT_DEALS, ParseRecordsError, ParseShardError, Records, RulesText,
    RunConfig, RunFile, Shard, TimesMode, differences, load_rules, nearest_preset,
};
pub use run::covariance::{BlockSums, CovarianceSums, MAX_BLOCKS};
pub use run::figures::{
    BotFigures, ContractFigures, ControlFigures, CrossplayFigures, DecisionTimes, Figures, JointBot,
    JointFigures, JointPairing, Mean, Opponents, PairingFigures, Partnership, RoleFigures, RunJson,
    Strangers, Timing,
};
pub use run::runner::{Batch, play};
pub use run::session::{PlayedRun, play_run};
pub use run::signature::signature;
pub use run::totals::Totals;
pub use run::verdict::verdict;
