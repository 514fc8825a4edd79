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
#[command(after_long_help = "\
Runs of the same seed and rules have the same deals. If A met C in one run and B met C in another, the difference of A and B is computed deal by deal: the cards are the same, so the interval is narrower than that of two separate results. Runs of the same two bots are compared with each other: two versions of a bot, or the same bots with and without --freeze.

The runs need a table of their deals (the default of `arena run`). Deals that only some of the runs have are left out. Runs of different deals are refused. Runs with --match are compared match by match, in points per match; who wins them is a question for one run.

Examples:
  arena run dd+rules rules --seed 1 --out a
  arena run table+rules rules --seed 1 --out b
  arena compare a b                         dd+rules − table+rules
  arena compare gauntlet --against rules    every two bots that met rules
  arena compare a b --csv tables --markdown compared.md

Exit codes: 0 done, 2 not a run, a damaged one, or runs of different deals, 3 output cannot be written.")]
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
