//! `arena train reading`: the network that interprets calls.

use std::io::Write;

use clap::Args;
use coinche_bots::Registry;
use coinche_bots::net::reading::Population;
use coinche_selfplay::{Cell, Exit, OutOfRange, Result, Table, thousands};

use super::{TrainArgsError, TrainFlags, bidders, names};
use crate::commands::count::count;
use coinche_analysis::train::reading::{self, BIDDERS, Settings};

/// The flags of `arena train reading`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("train-reading"))]
pub(crate) struct TrainReadingArgs {
    /// What all trainings have in common.
    #[command(flatten)]
    pub common: TrainFlags,
    /// Bidders of the population [default: thirteen]
    ///
    /// The default is net three times, table and rules twice, three styles of rules, and three of the systems that come with the program.
    #[arg(long, value_name = "BOT", num_args = 1..)]
    pub bidders: Vec<String>,
    /// Number of random deals [default: 1500k]
    #[arg(long, value_name = "N", default_value = "1500k", hide_default_value = true, value_parser = count::<u64>)]
    pub deals: u64,
}

/// Runs the command.
pub(super) fn train(args: &TrainReadingArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    OutOfRange::check("deals", args.deals, 100..=10_000_000)?;
    let rules = args.common.rules(|_| true)?;
    let names = names(&args.bidders, &BIDDERS);
    let seed = args.common.seed.or_drawn();
    let bidders = bidders(&names, &[], registry)?;
    let settings = Settings { seed: seed.clone(), deals: args.deals, rules, bidders };
    // A system for some rules only bids under these; every rule set needs some bidder.
    for rules in settings.rules.iter().filter(|rules| settings.able(rules).is_empty()) {
        let checked = settings.bidders.iter().try_for_each(|bidder| bidder.check_rules(rules));
        checked.map_err(TrainArgsError::Bidder)?;
    }
    let (population, (calls, loss)) = reading::train(&settings, &args.common.pool()?, args.common.progress);
    let made = [
        ("deals", args.deals.to_string()),
        ("rules", args.common.rules.clone().unwrap_or_else(|| "all presets in turn".to_owned())),
        ("bidders", names.join(" ")),
    ];
    args.common.write(&population.layers, &Population::KIND, &seed, &made)?;
    let caption = "The log loss of the network while it learned: how surprising the calls were to it.";
    let table = Table::of("network", caption, [(calls, loss.mean(0))])
        .count("calls", |(calls, _)| *calls)
        .number("log loss", |(_, loss)| Cell::Number(*loss, 4))
        .build();
    let auctions = format!("{} auctions", thousands(args.deals));
    args.common.report("what reads the others", &auctions, &seed, table, out)
}
