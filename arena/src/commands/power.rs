//! `arena power`: how many deals detect a difference.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::print;
use coinche_selfplay::base::style::thousands;
use coinche_selfplay::document::model::{Block, Cell, Document, Table};
use coinche_selfplay::document::text::Detail;
use serde::Serialize;
use serde_json::{Value, json};

use coinche_inference::{SprtPlan, StatsError, detectable_effect, pairs_needed};

use super::count::count;
use super::sprt::{EVERY, FIRST};

/// The flags of `arena power`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
A deal counts once, with both of its legs. The sequential test is `arena sprt --lower 0` with --upper at the effect and --beta at 1 − power; its expected number of deals is given for a true difference of nothing, of half the effect, and of all of it.

Examples:
  arena power                                     effects of 1 to 50 points
  arena power --effect 5 --sd 140 --power 0.9
  arena power --effect 5 --from results/runs/…    standard deviation of a run
  arena power --deals 20k                         what 20,000 deals can detect

Exit codes: 0 done, 2 wrong arguments or a run that cannot be read.")]
pub struct PowerArgs {
    /// Differences to detect [default: 1,2,5,10,20,50]
    ///
    /// In points a deal.
    #[arg(long, value_name = "POINTS", value_delimiter = ',')]
    pub effect: Vec<f64>,
    /// Which difference do so many deals detect?
    #[arg(long, alias = "pairs", value_name = "N", value_delimiter = ',', conflicts_with = "effect")]
    #[arg(value_parser = count::<u64>)]
    pub deals: Vec<u64>,
    /// Standard deviation of a deal [default: 166]
    ///
    /// Of the paired difference of its two legs, in points; `arena run` prints it.
    #[arg(long, value_name = "POINTS", conflicts_with = "from")]
    pub sd: Option<f64>,
    /// Take the standard deviation from this run
    ///
    /// The directory of a run, or its run.json.
    #[arg(long, value_name = "RUN")]
    pub from: Option<PathBuf>,
    /// Significance level, two-sided
    ///
    /// The probability to see a difference where there is none.
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub alpha: f64,
    /// Probability to detect the difference
    #[arg(long, value_name = "P", default_value_t = 0.8)]
    pub power: f64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The standard deviation of a pair between two good bots, when none is given.
const SD: f64 = 166.0;
const EFFECTS: [f64; 6] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0];

/// An effect and what it takes to find it.
#[derive(Debug, Serialize)]
struct Needed {
    effect: f64,
    /// Pairs of the test of fixed size.
    pairs: u64,
    /// Expected pairs of the sequential test without an effect, with half of it and with all of it.
    sequential: [u64; 3],
}

impl Needed {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "expected pairs are not below the first look, and the conversion saturates"
    )]
    fn new(effect: f64, sd: f64, alpha: f64, power: f64) -> Result<Self, StatsError> {
        let pairs = pairs_needed(effect, sd, alpha, power)?;
        let upper = effect.abs();
        let plan = SprtPlan {
            lower: 0.0,
            upper,
            alpha,
            beta: 1.0 - power,
            every: EVERY,
            first: FIRST,
            most: u64::MAX,
        };
        let expected = |truth: f64| plan.expected_pairs(truth, sd).map(|pairs| pairs.round() as u64);
        Ok(Self { effect, pairs, sequential: [expected(0.0)?, expected(upper / 2.0)?, expected(upper)?] })
    }
}

/// A run does not say how much its pairs vary.
#[derive(Debug, thiserror::Error)]
#[error("no standard deviation above 0 in figures.points.sd: give the points with --sd")]
struct NoDeviation;

/// Names the number of pairs by its flag.
fn flag(error: StatsError) -> StatsError {
    match error {
        StatsError::Range { name: "pairs", value, range } => {
            StatsError::Range { name: "deals", value, range }
        }
        other => other,
    }
}

/// Reads the standard deviation of a pair from a run.
fn deviation(run: &Path) -> Result<f64, ArenaError> {
    let path = if run.is_dir() { run.join("run.json") } else { run.to_owned() };
    let text = fs::read_to_string(&path).map_err(|source| ArenaError::read(&path, source))?;
    let value: Value = serde_json::from_str(&text).map_err(|error| ArenaError::input(&path, error))?;
    let sd = value["figures"]["points"]["sd"].as_f64().filter(|sd| *sd > 0.0);
    sd.ok_or_else(|| ArenaError::input(&path, NoDeviation))
}

/// Runs the command.
///
/// # Errors
///
/// When a number is out of its range, the run cannot be read, or the output cannot be written.
pub(crate) fn power(args: &PowerArgs, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    let sd = args.from.as_deref().map(deviation).transpose()?.or(args.sd).unwrap_or(SD);
    let (alpha, power) = (args.alpha, args.power);
    let text = if args.deals.is_empty() {
        let effects = if args.effect.is_empty() { &EFFECTS[..] } else { &args.effect };
        let rows: Result<Vec<_>, _> =
            effects.iter().map(|effect| Needed::new(*effect, sd, alpha, power)).collect();
        needed(&rows?, sd, args)
    } else {
        let row = |pairs: &u64| {
            let effect = detectable_effect(*pairs, sd, alpha, power).map_err(flag)?;
            Ok((*pairs, effect))
        };
        let rows: Result<Vec<_>, StatsError> = args.deals.iter().map(row).collect();
        shown(&rows?, sd, args)
    };
    print(out, &text)?;
    Ok(Exit::Done)
}

/// Puts a table under the line that says what it is of.
fn document(sd: f64, args: &PowerArgs, table: Table) -> Document {
    let [alpha, power] = [args.alpha, args.power].map(|share| 100.0 * share);
    let scope = format!(
        "standard deviation {sd:.1} points per pair of legs, two-sided test at {alpha} %, power {power} %"
    );
    Document { scope: vec![scope], ..Document::of_blocks("Power", vec![Block::Table(table)]) }
}

fn as_json(sd: f64, args: &PowerArgs, rows: impl Serialize) -> String {
    format!("{}\n", json!({ "sd": sd, "alpha": args.alpha, "power": args.power, "rows": rows }))
}

fn needed(rows: &[Needed], sd: f64, args: &PowerArgs) -> String {
    if args.json {
        return as_json(sd, args, rows);
    }
    let heads = ["points per deal", "deals, fixed", "sequential: nothing", "half of it", "all of it"];
    let mut table = Table::new("deals-needed", "", &heads);
    for Needed { effect, pairs, sequential } in rows {
        let mut row = vec![Cell::text(effect.to_string()), Cell::Count(*pairs)];
        row.extend(sequential.map(Cell::Count));
        table.rows.push(row);
    }
    document(sd, args, table).render(Detail::Full)
}

fn shown(rows: &[(u64, f64)], sd: f64, args: &PowerArgs) -> String {
    if args.json {
        let rows: Vec<_> =
            rows.iter().map(|(pairs, effect)| json!({ "pairs": pairs, "effect": effect })).collect();
        return as_json(sd, args, rows);
    }
    let mut table = Table::new("effects-shown", "", &["deals", "points per deal"]);
    for (pairs, effect) in rows {
        table.rows.push(vec![Cell::Text(thousands(*pairs)), Cell::Number(*effect, 2)]);
    }
    document(sd, args, table).render(Detail::Full)
}
