//! `arena fit`: the bidding table of the bots, made from played deals.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use coinche_bots::table;
use coinche_engine::{RuleSet, did_you_mean};
use coinche_inference::wilson;
use coinche_selfplay::base::error::{ArenaError, ModuleError, OutOfRange};
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::print;
use coinche_selfplay::base::progress::ProgressMode;
use coinche_selfplay::base::style::thousands;
use coinche_selfplay::document::model::{Block, Cell, Document, Table};
use coinche_selfplay::document::text::Detail;
use coinche_selfplay::play::solvers::Solvers;

use super::count::count;
use super::flags::SeedFlag;
use crate::analysis::fit;
use crate::analysis::fit::Settings;

/// The flags of `arena fit`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Plays random deals in every contract, holds auctions on them, and fits what hands make and what calls gain. The table depends on seed, deals and rounds alone. docs/bidders.md describes the method.

Examples:
  arena fit --seed 1 --out bidding.txt       the table that is built in
  arena fit --check bidding.txt --deals 100k
                                             predicted chances against results
  arena run table:file=bidding.txt+rules rules             bid by your own table

Exit codes: 0 done, 2 wrong arguments or a damaged table, 3 output cannot be written.")]
pub struct FitArgs {
    /// Output file
    #[arg(long, value_name = "FILE", required_unless_present = "check")]
    pub out: Option<PathBuf>,
    /// Check a table against fresh deals; do not fit
    ///
    /// Compares the chances that the table gives to contracts with the share that is made.
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
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = count::<u64>)]
    pub rounds: u64,
    /// Number of threads [default: all cores]
    ///
    /// Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = count::<usize>)]
    pub threads: Option<usize>,
    /// Progress display on stderr
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
    let seed = args.seed.or_drawn();
    let settings = Settings { seed, deals: args.deals, rounds: args.rounds, rules };
    let solvers = Solvers::new(args.threads)?;
    if let Some(path) = &args.check {
        let table = table::BiddingTable::read(path).map_err(FitArgsError::from)?;
        let deciles = fit::calibrate(&table, &settings, &solvers, args.progress);
        print(out, &calibration(&deciles, seed).render(Detail::Full))?;
    } else if let Some(path) = &args.out {
        // A file that cannot be written is reported before the minutes that a fit takes.
        let error = |source| ArenaError::write(path, source);
        let part = path.with_added_extension("part");
        std::fs::File::create(&part).map_err(error)?;
        let table = fit::fit(&settings, &solvers, args.progress);
        std::fs::write(&part, table.to_text()).map_err(error)?;
        std::fs::rename(&part, path).map_err(error)?;
        print(out, &format!("fitted to {} deals, seed {seed}: {}\n", thousands(args.deals), path.display()))?;
    }
    Ok(Exit::Done)
}

/// Puts chances seen beside contracts made.
fn calibration(deciles: &[fit::Decile], seed: u64) -> Document {
    let heads = ["chance", "contracts", "expected", "made", "low", "high"];
    let mut table = Table::new("calibration", "", &heads);
    for (at, decile) in deciles.iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "a count of deals")]
        let [contracts, made] = [decile.contracts, decile.made].map(|count| count as f64);
        let share = |count: f64| (contracts > 0.0).then_some(count / contracts);
        let bounds = wilson(decile.made, decile.contracts, 0.95);
        table.rows.push(vec![
            Cell::text(format!("{}–{} %", 10 * at, 10 * at + 10)),
            Cell::Count(decile.contracts),
            Cell::maybe(share(decile.expected), Cell::Share),
            Cell::maybe(share(made), Cell::Share),
            Cell::maybe(bounds, |[low, _]| Cell::Share(low)),
            Cell::maybe(bounds, |[_, high]| Cell::Share(high)),
        ]);
    }
    Document {
        scope: vec![format!("seed {seed}")],
        ..Document::of_blocks("Chances and what was made", vec![Block::Table(table)])
    }
}
