//! The commands of the program, one a file.

mod advise;
mod bench;
mod bidding;
mod bots;
#[cfg(unix)]
mod check_bot;
mod engine;
mod export;
mod fit;
mod flags;
mod judge;
mod label;
mod merge;
mod power;
mod report;
mod rules;
mod run;
mod show;
mod solve;
mod sprt;
mod stats;
mod tune;
mod verify;

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
pub use engine::EngineArgs;
pub(crate) use engine::engine;
pub use export::{ExportArgs, ExportForm, ImportArgs};
pub(crate) use export::{export, import};
pub use fit::FitArgs;
pub(crate) use fit::fit;
pub use flags::{PageFlags, PlayFlags, RulesFlags};
pub use judge::JudgeArgs;
pub(crate) use judge::judge;
pub use label::LabelArgs;
pub(crate) use label::label;
pub use merge::MergeArgs;
pub(crate) use merge::merge;
pub use power::PowerArgs;
pub(crate) use power::power;
pub use report::ReportArgs;
pub(crate) use report::report;
pub use rules::RulesArgs;
pub(crate) use rules::rules;
pub(crate) use run::run;
pub use run::{RunArgs, interrupt};
pub use show::ShowArgs;
pub(crate) use show::show;
pub use solve::SolveArgs;
pub(crate) use solve::solve;
pub use sprt::SprtArgs;
pub(crate) use sprt::sprt;
pub(crate) use stats::stats;
pub use stats::{HandsArgs, RecordsArgs, StatsArgs, StatsOf};
pub use tune::TuneArgs;
pub(crate) use tune::tune;
pub use verify::VerifyArgs;
pub(crate) use verify::verify;

use std::io::Write;

use crate::base::error::ArenaError;

/// Writes to the standard output what comes before the end. A reader that has gone is no error: the files are
/// wanted all the same.
fn print_early(out: &mut dyn Write, text: &str) -> Result<(), ArenaError> {
    match print(out, text) {
        Err(ArenaError::BrokenPipe) => Ok(()),
        printed => printed,
    }
}

/// Writes to the standard output.
fn print(out: &mut dyn Write, text: &str) -> Result<(), ArenaError> {
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(ArenaError::stdout)
}
