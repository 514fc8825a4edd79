//! `arena train`: trains the networks of the bot `net`, and those that interpret the others' actions.

mod bidding;
mod cards;
mod reading;

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use coinche_bots::net::NetError;
use coinche_bots::{BotSpec, ParseBotError, Registry};
use coinche_engine::{RuleSet, did_you_mean};
use coinche_selfplay::base::error::{ArenaError, ModuleError};
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::progress::ProgressMode;
use coinche_selfplay::base::threads;
use rayon::ThreadPool;

use super::count::count;
use super::flags::SeedFlag;
use coinche_runs::commit::COMMIT;

pub(crate) use bidding::TrainBiddingArgs;
pub(crate) use cards::TrainCardsArgs;
pub(crate) use reading::TrainReadingArgs;

/// The flags of `arena train`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The networks that come with the program were made by these commands; docs/bidders.md and docs/search.md have them with their seeds. What is trained depends on seed and settings alone: on any number of threads, and on any machine, the file has the same bytes.

Examples:
  arena train bidding --seed 1 --out mine.net    what calls gain
  arena train cards --seed 1 --out cards.net     what cards are worth
  arena train reading --seed 1 --out read.net    what others do with which hands
  arena run net:file=mine.net,cards=cards.net rules
                                                 bid and play by your own

Exit codes: 0 done, 2 wrong arguments or a damaged network, 3 output cannot be written.")]
pub(crate) struct TrainArgs {
    /// What to train.
    #[command(subcommand)]
    pub what: TrainCommand,
}

/// What can be trained.
#[derive(Debug, Subcommand)]
pub(crate) enum TrainCommand {
    /// Train the bidder net: what calls gain in auctions of a population
    Bidding(TrainBiddingArgs),
    /// Train the card player net: what cards are worth in deals of a population
    Cards(TrainCardsArgs),
    /// Train what reads the others: how likely calls and cards are with a hand
    Reading(TrainReadingArgs),
}

/// What all trainings have in common.
#[derive(Debug, Args)]
pub(crate) struct TrainFlags {
    /// Output file
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Rules: one preset [default: several in turn]
    #[arg(long, value_name = "NAME")]
    pub rules: Option<String>,
    /// The seed.
    #[command(flatten)]
    pub seed: SeedFlag,
    /// Number of threads [default: all cores]
    ///
    /// Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = count::<usize>)]
    pub threads: Option<usize>,
    /// Progress: auto, plain, json, none
    #[arg(long, value_enum, value_name = "MODE", default_value = "auto")]
    pub progress: ProgressMode,
}

/// Why the arguments are wrong.
#[derive(Debug, thiserror::Error)]
enum TrainArgsError {
    #[error(
        "rules: there is no preset `{name}` to train for{}: expected {}",
        did_you_mean(.name, .presets.iter().copied()),
        presets.join(", ")
    )]
    NoPreset { name: String, presets: Vec<&'static str> },
    #[error("bidders: {0}")]
    Bidder(#[source] ParseBotError),
    #[error(
        "`{0}` plays outside the arena and cannot play here; choose a built-in bot (`arena bots` lists them)"
    )]
    Outside(String),
    #[error(
        "there is no network that could play cards out: name one by --from, or let rules play {}",
        "(--policy rules, fewer --net-rounds)"
    )]
    NoPolicy,
    #[error("held-out: {0} is not in 0 to 1")]
    HeldOut(f64),
    #[error(transparent)]
    Network(#[from] NetError),
}

impl ModuleError for TrainArgsError {}

impl TrainFlags {
    /// Returns the rules, if a suitable preset is named.
    fn rules(&self, fits: impl Fn(&RuleSet) -> bool) -> Result<Option<RuleSet>, TrainArgsError> {
        let Some(name) = &self.rules else { return Ok(None) };
        RuleSet::preset(name).filter(&fits).map(Some).ok_or_else(|| {
            let presets = RuleSet::PRESETS.iter().filter(|(_, rules)| fits(rules)).map(|(name, _)| *name);
            TrainArgsError::NoPreset { name: name.clone(), presets: presets.collect() }
        })
    }

    fn pool(&self) -> Result<ThreadPool, ArenaError> {
        threads::pool(threads::check(self.threads)?)
    }
}

/// Returns the note in a file on the program that made it.
fn made_by() -> (&'static str, String) {
    ("commit", COMMIT.to_owned())
}

/// Parses bidders, which must support all these rules.
fn bidders(names: &[&str], rules: &[RuleSet], registry: &Registry) -> Result<Vec<BotSpec>, TrainArgsError> {
    let read = |name: &&str| {
        let spec = registry.parse_bidder(name).map_err(TrainArgsError::Bidder)?;
        if spec.bidder_program().is_some() || spec.bidder_batch().is_some() {
            return Err(TrainArgsError::Outside((*name).to_owned()));
        }
        rules.iter().try_for_each(|rules| spec.check_rules(rules)).map_err(TrainArgsError::Bidder)?;
        Ok(spec)
    };
    names.iter().map(read).collect()
}

/// Runs the command.
pub(crate) fn train(args: &TrainArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    match &args.what {
        TrainCommand::Bidding(args) => bidding::train(args, registry, out),
        TrainCommand::Cards(args) => cards::train(args, registry, out),
        TrainCommand::Reading(args) => reading::train(args, registry, out),
    }
}
