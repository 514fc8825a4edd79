//! `arena fit`: fits the bots' bidding table to played deals.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use coinche_bots::table;
use coinche_engine::Seed;
use coinche_selfplay::base::files::output;
use coinche_selfplay::{
    Block, Detail, Document, Exit, ModuleError, OutOfRange, Picture, ProgressMode, Result, Solvers, Table,
    print, thousands,
};

use super::count::count;
use super::flags::SeedFlag;
use super::train::rules_in_turn;
use coinche_analysis::fit;
use coinche_analysis::fit::Settings;
use coinche_analysis::report::forecasts_picture;

/// The flags of `arena fit`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("fit"))]
pub(crate) struct FitArgs {
    /// Output file
    #[arg(long, value_name = "FILE", required_unless_present = "check")]
    pub out: Option<PathBuf>,
    /// Check a table against fresh deals; do not fit
    ///
    /// Compares the forecasts of four `table` bidders with the outcomes: the chance of a contract, as forecast with its bid, with the share
    /// made, over all contracts and over those not coinched; and the expected score with the score.
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    pub check: Option<PathBuf>,
    /// Rules: one preset [default: eight in turn]
    #[arg(long, value_name = "NAME")]
    pub rules: Option<String>,
    /// Number of random deals [default: 150k]
    #[arg(long, value_name = "N", default_value = "150k", hide_default_value = true, value_parser = count::<u64>)]
    pub deals: u64,
    /// The seed.
    #[command(flatten)]
    pub seed: SeedFlag,
    /// Rounds of bidding and fitting
    #[arg(long, value_name = "N", default_value_t = 6, conflicts_with = "check", value_parser = count::<u64>)]
    pub rounds: u64,
    /// Number of threads [default: all cores]
    ///
    /// Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = count::<usize>)]
    pub threads: Option<usize>,
    /// Progress: auto, plain, json, none
    #[arg(long, value_enum, value_name = "MODE", default_value = "auto")]
    pub progress: ProgressMode,
}

/// The table to check cannot be used.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
struct CheckedTable(table::TableError);

impl ModuleError for CheckedTable {}

/// Runs the command.
pub(crate) fn fit(args: &FitArgs, out: &mut dyn Write) -> Result<Exit> {
    OutOfRange::check("deals", args.deals, 1_000..=100_000_000)?;
    OutOfRange::check("rounds", args.rounds, 1..=100)?;
    let rules = rules_in_turn(args.rules.as_deref(), &fit::RULES, "", |_| true)?;
    let seed = args.seed.or_drawn();
    let settings = Settings { seed: seed.clone(), deals: args.deals, rounds: args.rounds, rules };
    let solvers = Solvers::new(args.threads)?;
    if let Some(path) = &args.check {
        let table = table::BiddingTable::read(path).map_err(CheckedTable)?;
        let calibrated = fit::check(&table, &settings, &solvers, args.progress);
        print(out, &calibration(&calibrated, &seed).render(Detail::Full))?;
    } else if let Some(path) = &args.out {
        // Report an unwritable file before a fit that takes minutes.
        output(path, |file| {
            let table = fit::fit(&settings, &solvers, args.progress);
            file.write_all(table.to_text().as_bytes())
        })?;
        print(out, &fitted(&settings, path))?;
    }
    Ok(Exit::Done)
}

/// Describes what a table was fitted to.
fn fitted(settings: &Settings, path: &Path) -> String {
    format!("fitted to {} deals, seed {}: {}\n", thousands(settings.deals), settings.seed, path.display())
}

/// Compares the forecasts of four `table` bidders with the outcomes.
fn calibration(of: &fit::Calibration, seed: &Seed) -> Document {
    let Picture { caption, table, .. } = forecasts_picture("table", "forecasts".to_owned(), &of.chances);
    let chances = Table { caption, ..table };
    let caption = "The score forecast with a call, one per deal, and the score of the deal: own side minus other side, with 95 % \
                   confidence interval.";
    let classes =
        of.scores.iter().enumerate().filter_map(|(at, class)| Some((at, class, class.scored.mean()?)));
    let scores = Table::of("scores", caption, classes)
        .text("forecast", |(at, ..)| {
            let (from, to) = (at.checked_sub(1).map(|at| fit::SCORES[at]), fit::SCORES.get(*at));
            match (from, to) {
                (Some(from), Some(to)) => format!("{from:+} to {to:+}"),
                (None, Some(to)) => format!("below {to:+}"),
                (Some(from), None) => format!("from {from:+}"),
                (None, None) => String::new(),
            }
        })
        .count("calls", |(_, class, _)| class.scored.count())
        .signed("mean forecast", |(_, class, _)| class.forecast / class.scored.count() as f64)
        .estimate("scored", |(.., mean)| *mean)
        .build();
    Document {
        scope: vec![format!("four table bidders, cards by rules, seed {seed}")],
        ..Document::of_blocks("Forecasts and outcomes", vec![Block::Table(chances), Block::Table(scores)])
    }
}
