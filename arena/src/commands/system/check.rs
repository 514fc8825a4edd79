//! `arena system check`: what a system covers and promises.

use std::io::Write;
use std::path::Path;

use clap::Args;
use coinche_bots::system::text_of;
use coinche_bots::{BotSpec, ParseBotError, Registry};
use coinche_selfplay::{Exit, ModuleError, OutOfRange, Result};

use super::rules_of;
use crate::commands::count::count;
use crate::commands::flags::{PageFlags, RulesFlags, SeedFlag};
use coinche_analysis::system;
use coinche_analysis::system::{CardSettings, Settings, SystemFile};

/// The maximum number of deals to bid.
const MOST_DEALS: u64 = 10_000_000;

/// The same of a bidder without rules: each turn is kept.
const MOST_DEALS_OF_BIDDER: u64 = 500_000;

/// The flags of `arena system check`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("system-check"))]
pub(crate) struct SystemCheckArgs {
    /// A file, a system of `arena system list`, or another bidder
    ///
    /// Of a bidder without rules, as `net`, the hands of its calls are counted in deals that it bids.
    #[arg(value_name = "SYSTEM|BIDDER")]
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
    if let Some(bidder) = bidder(&args.system) {
        return check_bidder(args, bidder.map_err(CheckError::Bidder)?, out);
    }
    let file = SystemFile::read(&args.system)?;
    let rules = rules_of(&args.rules, &file)?;
    let deals = OutOfRange::check("deals", args.deals, 1..=MOST_DEALS)?;
    let pool = args.rules.pool()?;
    let settings = Settings { file, rules, seed: args.seed.or_drawn(), deals };
    let findings = pool.install(|| system::check(&settings)).map_err(|error| settings.file.wrong(error))?;
    args.page.show(&system::document(&settings, &findings), None, out).map(|()| Exit::Done)
}

/// Returns the bidder of this name, where it is none of a system; that of a bot with parameters may be wrong.
fn bidder(name: &str) -> Option<std::result::Result<BotSpec, ParseBotError>> {
    if text_of(name).is_some() || Path::new(name).is_file() {
        return None;
    }
    let registry = Registry::builtin();
    let bot = name.split([':', '+']).next().unwrap_or(name);
    registry.parse_bidder(bot).is_ok().then(|| registry.parse_bidder(name))
}

/// Counts what the calls of another bidder promise.
fn check_bidder(args: &SystemCheckArgs, bidder: BotSpec, out: &mut dyn Write) -> Result<Exit> {
    let rules = args.rules.load()?;
    bidder.check_rules(&rules).map_err(CheckError::Bidder)?;
    let deals = OutOfRange::check("deals", args.deals, 1..=MOST_DEALS_OF_BIDDER)?;
    if bidder.bidder_program().is_some() || bidder.bidder_batch().is_some() {
        return Err(CheckError::Outside(bidder.name().to_owned()).into());
    }
    let pool = args.rules.pool()?;
    let settings = CardSettings { bidder, rules, seed: args.seed.or_drawn(), deals };
    let card = pool.install(|| system::card(&settings));
    args.page.show(&card.document(&settings), None, out).map(|()| Exit::Done)
}

/// Why a bidder cannot be checked.
#[derive(Debug, thiserror::Error)]
enum CheckError {
    #[error(transparent)]
    Bidder(ParseBotError),
    #[error("{0} is a program of its own: only bidders of this program are checked")]
    Outside(String),
}

impl ModuleError for CheckError {}
