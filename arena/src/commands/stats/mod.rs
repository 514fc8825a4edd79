//! `arena stats`: statistics of deals.

mod hands;
mod hands_parts;
mod parts;
mod records;

use std::io::Write;

use clap::{Args, Subcommand};
use coinche_bots::Registry;
use coinche_selfplay::{Exit, Result};

pub(crate) use hands::HandsArgs;
pub(crate) use hands_parts::{check as check_hands, merge as merge_hands};
pub(crate) use parts::{check as check_stats, merge as merge_stats};
pub(crate) use records::RecordsArgs;

/// The flags of `arena stats`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, after_long_help = help!("stats"))]
pub(crate) struct StatsArgs {
    /// Of what.
    #[command(subcommand)]
    pub what: Option<StatsOf>,
    /// Without a subcommand: of records.
    #[command(flatten)]
    pub records: RecordsArgs,
}

impl StatsArgs {
    /// Tests if a part is requested, for which Ctrl-C is a clean stop.
    pub(crate) const fn is_part(&self) -> bool {
        match &self.what {
            Some(StatsOf::Hands(args)) => args.shard.is_part(),
            None => self.records.shard.is_part(),
        }
    }
}

/// Other statistics.
#[derive(Debug, Subcommand)]
pub(crate) enum StatsOf {
    /// Classes of hands: points taken double dummy, worth of each card
    Hands(HandsArgs),
}

/// Runs the command.
pub(crate) fn stats(args: &StatsArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    match &args.what {
        Some(StatsOf::Hands(args)) => hands::stats_of_hands(args, out),
        None => records::stats_of_records(&args.records, registry, out),
    }
}
