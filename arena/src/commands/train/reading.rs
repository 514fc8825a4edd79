//! `arena train reading`: the network that interprets calls.

use std::io::Write;

use clap::Args;
use coinche_bots::Registry;
use coinche_bots::net::Loss;
use coinche_bots::net::reading::Population;
use coinche_selfplay::base::error::{ArenaError, OutOfRange};
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::files::output;
use coinche_selfplay::base::output::print;
use coinche_selfplay::base::style::thousands;
use coinche_selfplay::document::model::{Block, Cell, Document, Table};
use coinche_selfplay::document::text::Detail;

use super::{TrainArgsError, TrainFlags, bidders, made_by};
use crate::commands::count::count;
use coinche_analysis::train::reading::{self, BIDDERS, Settings};

/// The flags of `arena train reading`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Holds auctions of a population of bidders. The network learns how likely each call is with a hand: what players who search need to read the others with model=population. docs/search.md describes the method.

Examples:
  arena train reading --seed 1 --out read.net    1,500,000 auctions
  arena train reading --deals 20k --bidders rules table --out quick.net
                                                 of few bots
  arena run rules+pimc:worlds=20,model=population,population=quick.net rules
                                                 read by it

Exit codes: 0 done, 2 wrong arguments, 3 output cannot be written.")]
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
pub(super) fn train(
    args: &TrainReadingArgs,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<Exit, ArenaError> {
    OutOfRange::check("deals", args.deals, 100..=10_000_000)?;
    let rules = args.common.rules(|_| true)?;
    let given = |given: &[String], default: &[&'static str]| -> Vec<String> {
        if given.is_empty() {
            default.iter().map(|name| (*name).to_owned()).collect()
        } else {
            given.to_vec()
        }
    };
    let bidder_names = given(&args.bidders, &BIDDERS);
    let words = |names: &[String]| names.iter().map(String::clone).collect::<Vec<_>>().join(" ");
    let seed = args.common.seed.or_drawn();
    let settings = Settings {
        seed: seed.clone(),
        deals: args.deals,
        rules,
        bidders: bidders(&bidder_names.iter().map(String::as_str).collect::<Vec<_>>(), &[], registry)?,
    };
    // A system for some rules only bids under these; every rule set needs some bidder.
    for rules in settings.rules() {
        if settings.able(&rules).is_empty() {
            settings
                .bidders
                .iter()
                .try_for_each(|bidder| bidder.check_rules(&rules))
                .map_err(TrainArgsError::Bidder)?;
        }
    }
    let (population, learnt) = reading::train(&settings, &args.common.pool()?, args.common.progress);
    let made = [
        ("seed", seed.to_string()),
        ("deals", args.deals.to_string()),
        ("rules", args.common.rules.clone().unwrap_or_else(|| "all presets in turn".to_owned())),
        ("bidders", words(&bidder_names)),
        made_by(),
    ];
    output(&args.common.out, |file| file.write_all(&population.layers.to_bytes(&Population::KIND, &made)))?;
    print(out, &report(learnt, args, &seed.to_string()).render(Detail::Full))?;
    Ok(Exit::Done)
}

/// Reports the result.
fn report((calls, loss): (usize, Loss), args: &TrainReadingArgs, seed: &str) -> Document {
    let caption = "The log loss of the network while it learned: how surprising the calls were to it.";
    let table = Table::of("network", caption, [(calls, loss.mean(0))])
        .count("calls", |(calls, _)| *calls)
        .number("log loss", |(_, loss)| Cell::Number(*loss, 4))
        .build();
    Document {
        scope: vec![format!(
            "{} auctions, seed {seed}, written to {}",
            thousands(args.deals),
            args.common.out.display()
        )],
        ..Document::of_blocks("Training of what reads the others", vec![Block::Table(table)])
    }
}
