//! `arena train cards`: the network of the card player `net`.

use std::io::Write;
use std::sync::Arc;

use clap::Args;
use coinche_bots::Registry;
use coinche_bots::net::cards::CardNetwork;
use coinche_selfplay::base::error::{ArenaError, OutOfRange};
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::files::output;
use coinche_selfplay::base::output::print;
use coinche_selfplay::base::style::thousands;
use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::model::{Block, Cell, Document, Table};
use coinche_selfplay::document::text::Detail;

use super::{TrainArgsError, TrainFlags, bidders};
use crate::analysis::train::cards::{self, POPULATION, Round, Settings};
use crate::commands::count::count;

/// The flags of `arena train cards`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Plays deals in which bidders of a population bid, and rules players and the network as it is play the cards. At every choice each card is solved double dummy, and played out by four rules players, in the true deal; the network learns what each scores more than the mean of them. After each round the file holds the network as it is then. docs/search.md describes the method.

Examples:
  arena train cards --seed 1 --out cards.net     8 rounds of 150,000 deals
  arena train cards --rules contree --deals 20k --rounds 2 --out quick.net
                                                 a first try
  arena run rules+net:cards=quick.net rules      play by it

Exit codes: 0 done, 2 wrong arguments or a damaged network, 3 output cannot be written.")]
pub struct TrainCardsArgs {
    /// What all trainings have in common.
    #[command(flatten)]
    pub common: TrainFlags,
    /// Network to start from [default: random]
    ///
    /// A file, or built-in.
    #[arg(long, value_name = "FILE")]
    pub from: Option<String>,
    /// Bidders of the contracts [default: five]
    ///
    /// The default is net and table, rules and two styles of it.
    #[arg(long, value_name = "BOT", num_args = 1..)]
    pub bidders: Vec<String>,
    /// Number of random deals per round [default: 150k]
    #[arg(long, value_name = "N", default_value = "150k", hide_default_value = true, value_parser = count::<u64>)]
    pub deals: u64,
    /// Rounds of play and learning
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = count::<u64>)]
    pub rounds: u64,
}

/// Runs the command.
///
/// # Errors
///
/// When an argument is out of range, a bidder or the network to start from cannot be read, or the file cannot be written.
pub(super) fn train(
    args: &TrainCardsArgs,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<Exit, ArenaError> {
    OutOfRange::check("deals", args.deals, 100..=10_000_000)?;
    OutOfRange::check("rounds", args.rounds, 1..=1_000)?;
    let rules = args.common.rules(|_| true)?;
    let names: Vec<&str> = match &args.bidders[..] {
        [] => POPULATION.to_vec(),
        given => given.iter().map(String::as_str).collect(),
    };
    let played = rules.as_ref().map_or(cards::RULES.as_slice(), core::slice::from_ref);
    let population = bidders(&names, played, registry)?;
    let from = match args.from.as_deref() {
        None => None,
        Some("built-in") => Some(CardNetwork::built_in()),
        Some(path) => Some(Arc::new(CardNetwork::read(path).map_err(TrainArgsError::from)?)),
    };
    let seed = args.common.seed.or_drawn();
    let settings =
        Settings { seed: seed.clone(), deals: args.deals, rounds: args.rounds, rules, population, from };
    let pool = args.common.pool()?;
    let made = |rounds: usize| {
        [
            ("seed", seed.to_string()),
            ("deals", args.deals.to_string()),
            ("rounds", rounds.to_string()),
            ("rules", args.common.rules.clone().unwrap_or_else(|| "all presets in turn".to_owned())),
            ("bidders", names.join(" ")),
            ("from", args.from.clone().unwrap_or_else(|| "random weights".to_owned())),
        ]
    };
    let mut rounds: Vec<Round> = Vec::new();
    // A file that cannot be written is reported after the first round, not after the last.
    cards::train(&settings, &pool, args.common.progress, |round, network| {
        rounds.push(round);
        output(&args.common.out, |file| {
            file.write_all(&network.layers.to_bytes(&CardNetwork::KIND, &made(rounds.len())))
        })
    })?;
    print(out, &report(&rounds, args, &seed.to_string()).render(Detail::Full))?;
    Ok(Exit::Done)
}

/// What was learnt in each round.
fn report(rounds: &[Round], args: &TrainCardsArgs, seed: &str) -> Document {
    let caption = "How far the network was off in each round, on average over the cards of the positions that it learned from, while it \
                   learned: root mean square in points for what a card scores more than the mean, solved and played out (most of it is \
                   the luck of the deal), log loss for which card is played.";
    let columns = [
        Column::count("round"),
        Column::count("positions"),
        Column::number("solved_off").head("solved off by"),
        Column::number("played_off").head("played off by"),
        Column::number("log_loss").head("log loss"),
    ];
    let mut table = Table::new("rounds", caption, &columns);
    for (n, round) in rounds.iter().enumerate() {
        table.rows.push(vec![
            Cell::Count(n as u64 + 1),
            Cell::Count(round.positions as u64),
            Cell::Plain(round.off[0]),
            Cell::Plain(round.off[1]),
            Cell::Number(round.played, 4),
        ]);
    }
    Document {
        scope: vec![format!(
            "{} deals per round, seed {seed}, written to {}",
            thousands(args.deals),
            args.common.out.display()
        )],
        ..Document::of_blocks("Training of the card player net", vec![Block::Table(table)])
    }
}
