//! `arena fit`: the bidding table of the bots, made from played deals.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use coinche_bots::table;
use coinche_engine::{RuleSet, Seed, did_you_mean};
use coinche_selfplay::base::error::{ArenaError, ModuleError, OutOfRange};
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::files::output;
use coinche_selfplay::base::output::{print, tell};
use coinche_selfplay::base::progress::ProgressMode;
use coinche_selfplay::base::style::thousands;
use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::model::{Block, Cell, Document, Picture, Table};
use coinche_selfplay::document::text::Detail;
use coinche_selfplay::play::solvers::Solvers;

use super::count::count;
use super::flags::SeedFlag;
use crate::analysis::fit;
use crate::analysis::fit::{PartMade, Settings};
use crate::analysis::report::forecasts_picture;
use crate::run::config::Shard;

/// The flags of `arena fit`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Plays random deals in every contract, holds auctions on them, and fits what hands make, what calls gain, and how their contracts end. The table depends on seed, deals and rounds alone. With --shard, machines share the work of a stage; the table is the same. docs/bidders.md describes the method.

Examples:
  arena fit --seed 1 --out bidding.txt       the table that is built in
  arena fit --check bidding.txt --deals 100k
                                             forecasts against outcomes
  arena run table:file=bidding.txt+rules rules             bid by your own table
  arena fit --seed 1 --out bidding.txt --shard 1/4
                                             of four, for arena merge

Exit codes: 0 done, 1 a shard is damaged, 2 wrong arguments or a damaged table, 3 output cannot be written or is in use.")]
pub struct FitArgs {
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
    /// Make only the i-th of n shards of a stage, from 1
    ///
    /// Collects what the next stage is fitted to, in FILE.stages. `arena merge FILE` fits the stage to all of its shards, and exits with 12 while another stage is needed.
    #[arg(long, value_name = "I/N", conflicts_with = "check")]
    pub shard: Option<Shard>,
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
enum FitArgsError {
    #[error(
        "rules: there is no preset `{name}`{}: expected {}",
        did_you_mean(.name, .presets.iter().copied()),
        presets.join(", ")
    )]
    NoPreset { name: String, presets: Vec<&'static str> },
    #[error(transparent)]
    Table(#[from] table::TableError),
}

impl ModuleError for FitArgsError {}

/// Runs the command.
///
/// # Errors
///
/// When an argument is out of range, the table is damaged, or something cannot be written.
pub(crate) fn fit(args: &FitArgs, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    OutOfRange::check("deals", args.deals, 1_000..=100_000_000)?;
    OutOfRange::check("rounds", args.rounds, 1..=100)?;
    let preset = |name: &String| {
        RuleSet::preset(name).ok_or_else(|| {
            let presets = RuleSet::PRESETS.iter().map(|(name, _)| *name).collect();
            FitArgsError::NoPreset { name: name.clone(), presets }
        })
    };
    let rules = args.rules.as_ref().map(preset).transpose()?;
    let seed = args.seed.or_there(None, args.shard)?;
    let settings = Settings { seed: seed.clone(), deals: args.deals, rounds: args.rounds, rules };
    let solvers = Solvers::new(args.threads)?;
    if let Some(path) = &args.check {
        let table = table::BiddingTable::read(path).map_err(FitArgsError::from)?;
        let calibrated = fit::check(&table, &settings, &solvers, args.progress);
        print(out, &calibration(&calibrated, &seed).render(Detail::Full))?;
    } else if let (Some(path), Some(shard)) = (&args.out, args.shard) {
        let made = fit::make_part(&settings, path, shard, &solvers, args.progress)?;
        print(out, &of_part(&made, path, shard))?;
    } else if let Some(path) = &args.out {
        // A file that cannot be written is reported before the minutes that a fit takes.
        output(path, |file| {
            let table = fit::fit(&settings, &solvers, args.progress);
            file.write_all(table.to_text().as_bytes())
        })?;
        print(out, &fitted(&settings, path))?;
    }
    Ok(Exit::Done)
}

/// Says what a table was fitted to.
fn fitted(settings: &Settings, path: &Path) -> String {
    format!("fitted to {} deals, seed {}: {}\n", thousands(settings.deals), settings.seed, path.display())
}

/// Says what came of a shard.
fn of_part(made: &PartMade, file: &Path, shard: Shard) -> String {
    match made {
        PartMade::NotNeeded => {
            format!(
                "shard {shard} is not needed: its stage is merged already; `arena merge {}` says what is next\n",
                file.display()
            )
        }
        PartMade::Rows { stage, deals, rows, path, before } => {
            let (deals, rows) = (thousands(deals.end - deals.start), thousands(*rows));
            let what = if *before { "were there before" } else { "collected" };
            format!("{stage}, shard {shard}: {rows} rows of {deals} deals {what}, in {}\n", path.display())
        }
    }
}

/// Fits the next stage of a table to its shards.
///
/// # Errors
///
/// When one is missing or of something else, or something cannot be read or written.
pub(super) fn merge(file: &Path, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    let merged = fit::merge(file, &Solvers::new(None)?)?;
    if let Some((stage, shards, rows)) = &merged.stage {
        let [shards, rows] = [*shards as u64, *rows].map(thousands);
        tell(&format!("{stage}: fitted to {rows} rows of {shards} shards"));
    }
    if let Some((stage, command)) = &merged.next {
        tell(&format!("next: {stage}, {command}"));
        return Ok(Exit::More);
    }
    print(out, &fitted(&merged.settings, &merged.file))?;
    Ok(Exit::Done)
}

/// Compares the forecasts of four `table` bidders with the outcomes.
fn calibration(of: &fit::Calibration, seed: &Seed) -> Document {
    let Picture { caption, table, .. } = forecasts_picture("table", "forecasts".to_owned(), &of.chances);
    let chances = Table { caption, ..table };
    let caption = "The score forecast with a call, one per deal, and the score of the deal: own side minus other side, with 95 % \
                   confidence interval.";
    let columns = [
        Column::text("forecast_class").head("forecast"),
        Column::count("calls"),
        Column::number("forecast").head("mean forecast"),
        Column::estimate("scored"),
    ];
    let mut scores = Table::new("scores", caption, &columns);
    for (at, class) in of.scores.iter().enumerate() {
        let (from, to) = (at.checked_sub(1).map(|at| fit::SCORES[at]), fit::SCORES.get(at));
        let name = match (from, to) {
            (Some(from), Some(to)) => format!("{from:+} to {to:+}"),
            (None, Some(to)) => format!("below {to:+}"),
            (Some(from), None) => format!("from {from:+}"),
            (None, None) => String::new(),
        };
        let Some(mean) = class.scored.mean() else { continue };
        #[expect(clippy::cast_precision_loss, reason = "a count of deals")]
        let forecast = class.forecast / class.scored.count() as f64;
        scores.rows.push(vec![
            Cell::text(name),
            Cell::Count(class.scored.count()),
            Cell::Signed(forecast),
            Cell::estimate(mean.mean, mean.half_width, 1),
        ]);
    }
    Document {
        scope: vec![format!("four table bidders, cards by rules, seed {seed}")],
        ..Document::of_blocks("Forecasts and outcomes", vec![Block::Table(chances), Block::Table(scores)])
    }
}
