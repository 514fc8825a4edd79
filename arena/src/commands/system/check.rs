//! `arena system check`: what a system covers and promises.

use std::io::Write;

use clap::Args;
use coinche_selfplay::base::threads;
use coinche_selfplay::{Exit, OutOfRange, Result};

use super::rules_of;
use crate::commands::count::count;
use crate::commands::flags::{PageFlags, RulesFlags, SeedFlag};
use coinche_analysis::system;
use coinche_analysis::system::{Settings, SystemFile};

/// The maximum number of deals to bid.
const MOST_DEALS: u64 = 10_000_000;

/// The flags of `arena system check`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("system-check"))]
pub(crate) struct SystemCheckArgs {
    /// A file, or a system of `arena system list`
    #[arg(value_name = "SYSTEM")]
    pub system: String,
    /// Number of random deals to bid
    #[arg(long, value_name = "N", default_value = "2000", value_parser = count::<u64>)]
    pub deals: u64,
    /// The seed.
    #[command(flatten)]
    pub seed: SeedFlag,
    /// The rules, and the number of threads.
    #[command(flatten)]
    pub rules: RulesFlags,
    /// In which forms, beside the text.
    #[command(flatten)]
    pub page: PageFlags,
}

/// Runs the command.
pub(super) fn check(args: &SystemCheckArgs, out: &mut dyn Write) -> Result<Exit> {
    let file = SystemFile::read(&args.system)?;
    let rules = rules_of(&args.rules, &file)?;
    let deals = OutOfRange::check("deals", args.deals, 1..=MOST_DEALS)?;
    let pool = threads::pool(args.rules.threads()?)?;
    let settings = Settings { file, rules, seed: args.seed.or_drawn(), deals };
    let findings = pool.install(|| system::check(&settings)).map_err(|error| settings.file.wrong(error))?;
    args.page.show(&system::document(&settings, &findings), None, out).map(|()| Exit::Done)
}
