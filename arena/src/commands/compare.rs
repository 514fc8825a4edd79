//! `arena compare`: runs on the same deals, compared deal by deal.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use coinche_bots::Registry;
use coinche_selfplay::{Exit, Result};

use super::flags::PageFlags;
use coinche_analysis::compare;

/// The flags of `arena compare`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("compare"))]
pub(crate) struct CompareArgs {
    /// Directories of runs on the same deals
    #[arg(value_name = "RUN", required = true)]
    pub runs: Vec<PathBuf>,
    /// Compare all bots that met this one
    ///
    /// Default: the pairings that several runs have; where there is none, those with a bot in common.
    #[arg(long, value_name = "BOT")]
    pub against: Option<String>,
    /// In which forms, beside the text.
    #[command(flatten)]
    pub page: PageFlags,
}

/// Runs the command.
pub(crate) fn compare(args: &CompareArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let compared = compare::compare(&args.runs, args.against.as_deref(), registry)?;
    args.page.show(&compare::document(&compared), None, out).map(|()| Exit::Done)
}
