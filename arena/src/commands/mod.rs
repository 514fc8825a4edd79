//! The commands of the program, one a file.

mod advise;
mod bench;
mod bidding;
mod bots;
#[cfg(unix)]
mod check_bot;
mod compare;
mod count;
mod engine;
mod export;
mod fit;
mod flags;
mod judge;
mod label;
mod leaderboard;
mod merge;
mod plan;
mod play;
mod power;
mod report;
mod rules;
mod run;
mod shell;
mod show;
mod solve;
mod sprt;
mod stats;
mod status;
mod steps;
mod system;
mod train;
mod tune;
mod verify;
mod wrap;

pub use advise::AdviseArgs;
pub(crate) use advise::advise;
pub use bench::BenchArgs;
pub(crate) use bench::bench;
pub use bidding::BiddingArgs;
pub(crate) use bidding::bidding;
pub use bots::BotsArgs;
pub(crate) use bots::bots;
#[cfg(unix)]
pub use check_bot::CheckBotArgs;
#[cfg(unix)]
pub(crate) use check_bot::check_bot;
pub use compare::CompareArgs;
pub(crate) use compare::compare;
pub use engine::EngineArgs;
pub(crate) use engine::engine;
pub use export::{ExportArgs, ExportForm, ImportArgs};
pub(crate) use export::{export, import, read_rows};
pub use fit::FitArgs;
pub(crate) use fit::fit;
pub use flags::{PageFlags, PlayFlags, RulesFlags, SeedFlag, ShardFlag};
pub use judge::JudgeArgs;
pub(crate) use judge::judge;
pub(crate) use label::label;
pub use label::{DecisionFlags, LabelArgs};
pub use leaderboard::LeaderboardArgs;
pub(crate) use leaderboard::leaderboard;
pub use merge::MergeArgs;
pub(crate) use merge::merge;
pub use plan::PlanArgs;
pub(crate) use plan::{Divisible, plan};
pub use play::PlayArgs;
pub(crate) use play::play;
pub use power::PowerArgs;
pub(crate) use power::power;
pub use report::ReportArgs;
pub(crate) use report::report;
pub use rules::RulesArgs;
pub(crate) use rules::rules;
pub use run::RunArgs;
pub(crate) use run::run;
pub use shell::{CompletionsArgs, ManArgs};
pub(crate) use shell::{completions, man};
pub use show::ShowArgs;
pub(crate) use show::show;
pub use solve::SolveArgs;
pub(crate) use solve::solve;
pub use sprt::SprtArgs;
pub(crate) use sprt::sprt;
pub(crate) use stats::stats;
pub use stats::{HandsArgs, RecordsArgs, StatsArgs, StatsOf};
pub use status::StatusArgs;
pub(crate) use status::status;
pub(crate) use system::system;
pub use system::{
    SystemArgs, SystemCheckArgs, SystemCommand, SystemExplainArgs, SystemListArgs, SystemShowArgs,
    SystemWordsArgs,
};
pub(crate) use train::train;
pub use train::{
    TrainArgs, TrainBiddingArgs, TrainCardsArgs, TrainCommand, TrainFlags, TrainReadingArgs, TrainRowFlags,
};
pub use tune::TuneArgs;
pub(crate) use tune::tune;
pub use verify::VerifyArgs;
pub(crate) use verify::{check_part, verify};
