//! `arena train`: trains the networks of the bot `net`, and those that interpret the others' actions.

mod bidding;
mod cards;
mod reading;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Subcommand};
use coinche_bots::net::{Layers, NetError, NetKind};
use coinche_bots::{BotSpec, ParamError, ParseBotError, Registry};
use coinche_engine::{RuleSet, Seed, did_you_mean};
use coinche_selfplay::base::files::output;
use coinche_selfplay::base::threads;
use coinche_selfplay::{Block, Detail, Document, Exit, ModuleError, ProgressMode, Result, Table, finish};
use rayon::ThreadPool;

use super::count::count;
use super::flags::SeedFlag;
use coinche_analysis::train::RULES;
use coinche_runs::COMMIT;

pub(crate) use bidding::TrainBiddingArgs;
pub(crate) use cards::TrainCardsArgs;
pub(crate) use reading::TrainReadingArgs;

/// The flags of `arena train`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("train"))]
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

/// There is no suitable preset of this name.
#[derive(Debug, thiserror::Error)]
#[error(
    "rules: there is no preset `{name}`{purpose}{}: expected {}",
    did_you_mean(.name, .presets.iter().copied()),
    presets.join(", ")
)]
pub(super) struct PresetError {
    name: String,
    purpose: &'static str,
    presets: Vec<&'static str>,
}

impl ModuleError for PresetError {}

/// Returns the preset that is named, if it is suitable, else the suitable ones of the default rules.
pub(super) fn rules_in_turn(
    name: Option<&str>,
    default: &[RuleSet],
    purpose: &'static str,
    fits: impl Fn(&RuleSet) -> bool,
) -> Result<Vec<RuleSet>, PresetError> {
    let Some(name) = name else { return Ok(default.iter().filter(|rules| fits(rules)).copied().collect()) };
    RuleSet::preset(name).filter(&fits).map(|rules| vec![rules]).ok_or_else(|| {
        let presets = RuleSet::PRESETS.iter().filter(|(_, rules)| fits(rules)).map(|(name, _)| *name);
        PresetError { name: name.to_owned(), purpose, presets: presets.collect() }
    })
}

/// The network to start from.
#[derive(Debug, Args)]
pub(crate) struct FromFlag {
    /// Network to start from [default: random]
    ///
    /// A file, or built-in.
    #[arg(long, value_name = "FILE")]
    pub from: Option<String>,
}

/// Why the arguments are wrong.
#[derive(Debug, thiserror::Error)]
enum TrainArgsError {
    #[error("bidders: {0}")]
    Bidder(#[source] ParseBotError),
    #[error("--cards: {0}")]
    Player(#[source] ParseBotError),
    #[error("--style: {0}")]
    Style(#[source] ParamError),
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
    /// Returns the preset that is named, if it is suitable, else the suitable ones of the default rules.
    fn rules(&self, fits: impl Fn(&RuleSet) -> bool) -> Result<Vec<RuleSet>, PresetError> {
        rules_in_turn(self.rules.as_deref(), &RULES, " to train for", fits)
    }

    fn pool(&self) -> Result<ThreadPool> {
        threads::pool(threads::check(self.threads)?)
    }

    /// Writes a network, with the settings that made it.
    fn write<const I: usize, const A: usize, const B: usize, const O: usize>(
        &self,
        layers: &Layers<I, A, B, O>,
        kind: &NetKind,
        seed: &Seed,
        settings: &[(&str, String)],
    ) -> Result<()> {
        let made = [&[("seed", seed.to_string())], settings, &[("commit", COMMIT.to_owned())]].concat();
        output(&self.out, |file| file.write_all(&layers.to_bytes(kind, &made)))
    }

    /// Reports what was learnt, and from what.
    fn report(&self, of: &str, rows: &str, seed: &Seed, table: Table, out: &mut dyn Write) -> Result<Exit> {
        let document = Document {
            scope: vec![format!("{rows}, seed {seed}, written to {}", self.out.display())],
            ..Document::of_blocks(format!("Training of {of}"), vec![Block::Table(table)])
        };
        finish(out, &document.render(Detail::Full))
    }
}

impl FromFlag {
    /// Returns the network.
    fn load<N>(
        &self,
        built_in: impl Fn() -> Arc<N>,
        read: impl Fn(&str) -> Result<N, NetError>,
    ) -> Result<Option<Arc<N>>, TrainArgsError> {
        Ok(match self.from.as_deref() {
            None => None,
            Some("built-in") => Some(built_in()),
            Some(path) => Some(Arc::new(read(path)?)),
        })
    }

    /// Returns the setting for the file of the new network.
    fn setting(&self) -> (&'static str, String) {
        ("from", self.from.clone().unwrap_or_else(|| "random weights".to_owned()))
    }
}

/// Returns the names that are given, else the default ones.
fn names<'a>(given: &'a [String], default: &[&'static str]) -> Vec<&'a str> {
    if given.is_empty() { default.to_vec() } else { given.iter().map(String::as_str).collect() }
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
pub(crate) fn train(args: &TrainArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    match &args.what {
        TrainCommand::Bidding(args) => bidding::train(args, registry, out),
        TrainCommand::Cards(args) => cards::train(args, registry, out),
        TrainCommand::Reading(args) => reading::train(args, registry, out),
    }
}
