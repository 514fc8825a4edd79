//! `arena train cards`: the network of the card player `net`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use coinche_bots::Registry;
use coinche_bots::net::cards::CardNetwork;
use coinche_engine::{RuleSet, Seed};
use coinche_selfplay::{Cell, Exit, OutOfRange, Result, Table, finish, thousands};

use super::{FromFlag, TrainArgsError, TrainFlags, bidders, names};
use crate::commands::count::count;
use crate::commands::label::told;
use coinche_analysis::label;
use coinche_analysis::train::cards::dataset::{self, Data, Loaded};
use coinche_analysis::train::cards::{self, Fit, POPULATION, Pass, Policy, Round, Settings, Trials};
use coinche_runs::{Job, Shard};

/// The flags of `arena train cards`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("train-cards"))]
pub(crate) struct TrainCardsArgs {
    /// What all trainings have in common.
    #[command(flatten)]
    pub common: TrainFlags,
    /// The network to start from.
    #[command(flatten)]
    pub from: FromFlag,
    /// Bidders of the contracts [default: five]
    ///
    /// The default is net and table, rules and two styles of it.
    #[arg(long, value_name = "BOT", num_args = 1..)]
    pub bidders: Vec<String>,
    /// Number of random deals per round [default: 200k]
    #[arg(long, value_name = "N", default_value = "200k", hide_default_value = true, value_parser = count::<u64>)]
    pub deals: u64,
    /// Rounds of play and learning
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = count::<u64>)]
    pub rounds: u64,
    /// Rounds by the network itself [default: a quarter]
    ///
    /// In the last N rounds the network plays each card out. Before, four rules players play each card out, which takes a tenth of the time. A network learns more from what cards are worth to itself.
    #[arg(long, value_name = "N", value_parser = count::<u64>)]
    pub net_rounds: Option<u64>,
    /// First trick that is solved, too
    ///
    /// 1 to 9; 9 is never. To solve the first three tricks takes four fifths of the time, and nothing was gained by it.
    #[arg(long, value_name = "TRICK", default_value_t = 4, value_parser = count::<u64>)]
    pub solve_from: u64,
    /// Rows in files.
    #[command(flatten)]
    pub data: TrainRowFlags,
}

/// The flags of rows that are written, and learnt from.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rows")]
pub(crate) struct TrainRowFlags {
    /// Write rows into --out, and learn nothing
    ///
    /// The choices of --deals, with what cards were worth. They are played as in a round that starts from --from.
    #[arg(long, conflicts_with_all = ["rounds", "net_rounds"])]
    pub rows: bool,
    /// Who plays each card out: rules, net
    #[arg(long, value_enum, value_name = "POLICY", requires = "rows", default_value_t = Policy::Rules)]
    pub policy: Policy,
    /// Share of deals that are held out
    ///
    /// 0 to 1. Their rows are written, and marked: nothing is learnt from them, and how far a network is off there is told.
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.05,
        allow_negative_numbers = true,
        requires = "rows"
    )]
    pub held_out: f64,
    /// Number of deals per file [default: 1000]
    ///
    /// After an interruption, at most this many deals are played again.
    #[arg(long, value_name = "N", requires = "rows", value_parser = count::<u64>)]
    pub chunk: Option<u64>,
    /// Make only the i-th of n shards of the files, from 1
    ///
    /// Files keep their numbers. `arena merge` joins all shards into the whole data set.
    #[arg(long, value_name = "I/N", requires = "rows")]
    pub shard: Option<Shard>,
    /// Learn from the rows of these directories
    ///
    /// Nothing is played. The rows of all are learnt from in random order.
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with_all = ["rows", "deals", "rounds", "net_rounds", "solve_from", "bidders", "rules"])]
    pub from_rows: Vec<PathBuf>,
    /// Passes over the rows [default: 4]
    ///
    /// After each pass the file holds the network as it is then.
    #[arg(long, value_name = "N", requires = "from_rows", value_parser = count::<u64>)]
    pub epochs: Option<u64>,
}

/// Runs the command.
pub(super) fn train(args: &TrainCardsArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let from = args.from.load(CardNetwork::built_in, CardNetwork::read)?;
    if !args.data.from_rows.is_empty() {
        return fit_rows(args, from, out);
    }
    let least = if args.data.rows { 1 } else { 100 };
    OutOfRange::check("deals", args.deals, least..=10_000_000)?;
    OutOfRange::check("rounds", args.rounds, 1..=1_000)?;
    let net_rounds =
        OutOfRange::check("net-rounds", args.net_rounds.unwrap_or(args.rounds / 4), 0..=args.rounds)?;
    OutOfRange::check("solve-from", args.solve_from, 1..=9)?;
    let needs_network =
        if args.data.rows { args.data.policy == Policy::Net } else { net_rounds == args.rounds };
    if needs_network && from.is_none() {
        return Err(TrainArgsError::NoPolicy.into());
    }
    let trials =
        Trials { policy: args.data.policy, solved_from: u8::try_from(args.solve_from - 1).unwrap_or(8) };
    let rules = args.common.rules(|_| true)?;
    let names = names(&args.bidders, &POPULATION);
    let population = bidders(&names, &rules, registry)?;
    let presets = rules.iter().filter_map(RuleSet::preset_name).collect::<Vec<_>>().join(" ");
    let settings = |seed| Settings {
        seed,
        deals: args.deals,
        rounds: args.rounds,
        net_rounds,
        trials,
        rules,
        population,
        from,
    };
    if args.data.rows {
        return write_rows(args, settings, out);
    }
    let seed = args.common.seed.or_drawn();
    let made = |rounds: usize| {
        [
            ("deals", args.deals.to_string()),
            ("rounds", rounds.to_string()),
            ("net_rounds", net_rounds.to_string()),
            ("solve_from", args.solve_from.to_string()),
            ("rules", presets.clone()),
            ("bidders", names.join(" ")),
            args.from.setting(),
        ]
    };
    let mut rounds: Vec<Round> = Vec::new();
    // A file that cannot be written is reported after the first round, not after the last.
    cards::train(&settings(seed.clone()), &args.common.pool()?, args.common.progress, |round, network| {
        rounds.push(round);
        args.common.write(network.layers(), &CardNetwork::KIND, &seed, &made(rounds.len()))
    })?;
    let deals = format!("{} deals per round", thousands(args.deals));
    args.common.report("the card player net", &deals, &seed, table(&rounds), out)
}

/// What was learnt in each round.
fn table(rounds: &[Round]) -> Table {
    let caption = "How far the network was off in each round, on average over the cards of the positions that it learned from, while it \
                   learned: root mean square in points for what a card scores more than the mean, solved and played out (most of it is \
                   the luck of the deal), log loss for which card is played.";
    Table::of("rounds", caption, rounds.iter().enumerate())
        .count("round", |(n, _)| n + 1)
        .count("positions", |(_, round)| round.positions)
        .plain("solved off by", |(_, round)| round.off.values[0])
        .plain("played off by", |(_, round)| round.off.values[1])
        .number("log loss", |(_, round)| Cell::Number(round.off.played, 4))
        .build()
}

/// Deals per file, unless it is given: some ten thousands of rows.
const CHUNK: u64 = 1_000;
/// Passes over the rows, unless they are given.
const EPOCHS: u64 = 4;

/// Writes rows.
fn write_rows(
    args: &TrainCardsArgs,
    settings: impl FnOnce(Seed) -> Settings,
    out: &mut dyn Write,
) -> Result<Exit> {
    let (flags, directory) = (&args.data, &args.common.out);
    let chunk = flags.chunk.unwrap_or(CHUNK);
    OutOfRange::check("chunk", chunk, 1..=100_000)?;
    if !(0.0..=1.0).contains(&flags.held_out) {
        return Err(TrainArgsError::HeldOut(flags.held_out).into());
    }
    // An interrupted command had drawn a seed: repeated, it has to go on with that one.
    let seed = args.common.seed.or_there(label::seed_of(directory), flags.shard)?;
    let settings = settings(seed);
    let data = Data { settings, held_out: flags.held_out, chunk, shard: flags.shard };
    let done = dataset::make(&data, directory, &args.common.pool()?, args.common.progress)?;
    finish(out, &told(Job::Rows, &done, "deals", &format!("seed {}", data.settings.seed), directory))
}

/// Learns from rows.
fn fit_rows(args: &TrainCardsArgs, from: Option<Arc<CardNetwork>>, out: &mut dyn Write) -> Result<Exit> {
    let epochs = OutOfRange::check("epochs", args.data.epochs.unwrap_or(EPOCHS), 1..=1_000)?;
    let pool = args.common.pool()?;
    let rows = Loaded::read(&args.data.from_rows, args.common.progress)?;
    let seed = args.common.seed.or_drawn();
    let made = |passes: usize| {
        [
            ("rows", rows.rows()[0].to_string()),
            ("rows_seed", rows.said("seed")),
            ("rows_commit", rows.said("commit")),
            ("rows_network", rows.said("network")),
            ("rows_policy", rows.said("policy")),
            ("epochs", format!("{passes} of {epochs}")),
            ("rules", rows.said("presets")),
            ("bidders", rows.said("bidders")),
            args.from.setting(),
        ]
    };
    let mut passes: Vec<Pass> = Vec::new();
    let fit = Fit { seed: seed.clone(), passes: usize::try_from(epochs).unwrap_or(usize::MAX), from };
    cards::fit(&fit, &rows, &pool, |pass, network| {
        passes.push(pass);
        args.common.write(network.layers(), &CardNetwork::KIND, &seed, &made(passes.len()))
    })?;
    let [learnt, held_out] = rows.rows().map(|rows| thousands(rows as u64));
    let rows = format!("{learnt} rows, {held_out} held out");
    args.common.report("the card player net", &rows, &seed, table_of_passes(&passes), out)
}

/// What was learnt in each pass.
fn table_of_passes(passes: &[Pass]) -> Table {
    let caption = "How far the network was off in each pass over the rows while it learned, and after it in the deals that are held out: root \
                   mean square in points for what a card scores more than the mean, solved and played out (most of it is the luck of the \
                   deal), log loss for which card is played.";
    let rows = passes.iter().enumerate().flat_map(|(n, pass)| {
        let deals = [("learning", Some(pass.learning)), ("held out", pass.held_out)];
        deals.into_iter().filter_map(move |(name, off)| Some((n + 1, name, off?)))
    });
    Table::of("epochs", caption, rows)
        .count("epoch", |(epoch, ..)| *epoch)
        .text("deals", |(_, deals, _)| *deals)
        .plain("solved off by", |(.., off)| off.values[0])
        .plain("played off by", |(.., off)| off.values[1])
        .number("log loss", |(.., off)| Cell::Number(off.played, 4))
        .build()
}
