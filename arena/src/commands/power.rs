//! `arena power`: how many deals detect a difference.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use coinche_selfplay::{
    ArenaError, Block, Cell, Detail, Document, Exit, Result, Table, Unit, finish, thousands,
};
use serde::Serialize;
use serde_json::json;

use coinche_inference::{FEW_PAIRS, MeanOfPairs, SprtPlan, StatsError, detectable_effect, pairs_needed};

use super::count::count;
use super::sprt::{EVERY, FIRST};
use coinche_runs::figures::ControlFigures;
use coinche_runs::{RunJson, State, known_control};

/// The flags of `arena power`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("power"))]
pub(crate) struct PowerArgs {
    /// Differences to detect [default: 1,2,5,10,20,50]
    ///
    /// In points per deal.
    #[arg(long, value_name = "POINTS", value_delimiter = ',')]
    pub effect: Vec<f64>,
    /// Compute the difference that this many deals detect
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
    /// The directory of a run, or its run.json. It counts on the interval of that run, which is wider where few pairs differ.
    /// Where a control is known to help these bots, it is named.
    #[arg(long, value_name = "RUN")]
    pub from: Option<PathBuf>,
    /// Significance level, two-sided
    ///
    /// The probability of detecting a difference that does not exist.
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub alpha: f64,
    /// Probability of detecting the difference
    #[arg(long, value_name = "P", default_value_t = 0.8)]
    pub power: f64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The default standard deviation of a pair, typical of two good bots.
const SD: f64 = 166.0;
const EFFECTS: [f64; 6] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0];

/// The variation of pairs.
#[derive(Debug, Clone, Copy)]
struct Spread {
    sd: f64,
    /// Those of a run.
    known: Option<MeanOfPairs>,
    control: Option<Left>,
    /// A suitable control, for a run without one.
    suggested: Option<[&'static str; 2]>,
    /// What is played in pairs: single deals or matches.
    unit: Unit,
}

/// The variation left by a control: the standard deviation of a pair, and the standard error of its known mean.
#[derive(Debug, Clone, Copy, Serialize)]
struct Left {
    residual_sd: f64,
    error: f64,
}

/// An effect and the pairs needed to detect it.
#[derive(Debug, Serialize)]
#[expect(clippy::option_option, reason = "no control, or none that suffices")]
struct Needed {
    effect: f64,
    /// Pairs of the fixed-size test; `None` if no number suffices.
    pairs: Option<u64>,
    /// The same with the control of the run; in JSON null if the uncertainty of the control's mean hides the effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    with_control: Option<Option<u64>>,
    /// Expected pairs of the sequential test without an effect, with half of it and with all of it.
    sequential: [u64; 3],
}

impl Needed {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "expected pairs are not below the first look, and the conversion saturates"
    )]
    fn new(effect: f64, spread: Spread, alpha: f64, power: f64) -> Result<Self, StatsError> {
        let sd = spread.sd;
        let pairs = match spread.known {
            Some(known) => known.pairs_needed(effect, 0.0, alpha, power)?,
            None => Some(pairs_needed(effect, sd, alpha, power)?),
        };
        let with_control =
            spread.left().map(|(known, error)| known.pairs_needed(effect, error, alpha, power));
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
        let expected = |truth: f64| {
            let mut pairs = plan.expected_pairs(truth, sd)?.round() as u64;
            // What the test adds for rare pairs depends on how many there are.
            for _ in 0..20 {
                let sd = spread.known.map_or(sd, |known| known.sd_in_tests(pairs));
                pairs = plan.expected_pairs(truth, sd)?.round() as u64;
            }
            Ok(pairs)
        };
        let sequential = [expected(0.0)?, expected(upper / 2.0)?, expected(upper)?];
        Ok(Self { effect, pairs, with_control: with_control.transpose()?, sequential })
    }
}

impl Spread {
    /// Returns what a control leaves of the pairs of a run, and the error of its known mean.
    fn left(&self) -> Option<(MeanOfPairs, f64)> {
        let Left { residual_sd, error } = self.control?;
        Some((MeanOfPairs { variance: residual_sd * residual_sd, ..self.known? }, error))
    }
}

/// A run has no standard deviation of pairs.
#[derive(Debug, thiserror::Error)]
#[error("no standard deviation above 0 in figures.points.sd: give the points with --sd")]
struct NoDeviation;

/// Replaces the number of pairs by its flag in an error.
fn flag(error: StatsError) -> StatsError {
    match error {
        StatsError::Range { name: "pairs", value, range } => {
            StatsError::Range { name: "deals", value, range }
        }
        other => other,
    }
}

/// Returns the standard deviation of a pair in a run, and what its control leaves.
fn deviation(run: &Path) -> Result<Spread> {
    let path = if run.is_dir() { run.join("run.json") } else { run.to_owned() };
    State::check_file(&path)?;
    let run = RunJson::read(&path)?;
    let points = run.figures.as_ref().and_then(|figures| figures.points);
    let sd = points.and_then(|points| points.sd).filter(|sd| *sd > 0.0);
    let sd = sd.ok_or_else(|| ArenaError::input(&path, NoDeviation))?;
    let left = |control: &ControlFigures| {
        let error = (control.slope * control.standard_error).abs();
        (control.residual_sd > 0.0).then_some(Left { residual_sd: control.residual_sd, error })
    };
    let control = run.control.as_ref().and_then(left);
    let suggested = if control.is_none() { suggested(&run) } else { None };
    let unit = if run.unit == Unit::Match.singular() { Unit::Match } else { Unit::Deal };
    Ok(Spread { sd, known: points.and_then(|points| points.mean_of_pairs()), control, suggested, unit })
}

/// Returns the control that is known to help the two bots of a run of single deals.
fn suggested(run: &RunJson) -> Option<[&'static str; 2]> {
    let [a, b] = run.bots.as_slice() else { return None };
    if run.unit == "deal" { known_control([a, b]) } else { None }
}

/// Runs the command.
pub(crate) fn power(args: &PowerArgs, out: &mut dyn Write) -> Result<Exit> {
    let given =
        Spread { sd: args.sd.unwrap_or(SD), known: None, control: None, suggested: None, unit: Unit::Deal };
    let spread = args.from.as_deref().map_or(Ok(given), deviation)?;
    let (alpha, power) = (args.alpha, args.power);
    let text = if args.deals.is_empty() {
        let effects = if args.effect.is_empty() { &EFFECTS[..] } else { &args.effect };
        let rows: Result<Vec<_>, _> =
            effects.iter().map(|effect| Needed::new(*effect, spread, alpha, power)).collect();
        needed(&rows?, spread, args)
    } else {
        let row = |pairs: &u64| {
            let effect = match spread.known {
                Some(known) => known.detectable_effect(*pairs, 0.0, alpha, power).map_err(flag)?,
                None => Some(detectable_effect(*pairs, spread.sd, alpha, power).map_err(flag)?),
            };
            let with_control =
                spread.left().map(|(known, error)| known.detectable_effect(*pairs, error, alpha, power));
            Ok(Shown { pairs: *pairs, effect, with_control: with_control.transpose()? })
        };
        let rows: Result<Vec<_>, StatsError> = args.deals.iter().map(row).collect();
        shown(&rows?, spread, args)
    };
    finish(out, &text)
}

/// Returns rows as JSON, or as a table with a line above it on its scope.
fn printed(
    spread: Spread,
    args: &PowerArgs,
    fewest: Option<u64>,
    rows: impl Serialize,
    table: Table,
) -> String {
    let Spread { sd, known, control, suggested, unit } = spread;
    if args.json {
        let mut value = json!({ "unit": unit.singular(), "sd": sd, "alpha": args.alpha, "power": args.power, "rows": rows });
        if let Some(control) = control {
            value["control"] = json!(control);
        }
        if let Some(suggested) = suggested {
            value["suggested_control"] = json!(suggested);
        }
        return format!("{value}\n");
    }
    let [alpha, power] = [args.alpha, args.power].map(|share| 100.0 * share);
    let left = |left: Left| format!(" ({:.1} with the control of the run)", left.residual_sd);
    let control = control.map_or_else(String::new, left);
    let scope = format!(
        "standard deviation {sd:.1} points per pair of legs{control}, two-sided test at {alpha} %, power {power} %"
    );
    let suggested = suggested.map(|[c, d]| {
        format!(
            "with `--control {c} {d}` a run of these bidders needs fewer deals; choose it for the next run, under another \
             seed"
        )
    });
    let few = fewest.filter(|fewest| *fewest < FEW_PAIRS && known.is_none()).map(|_| {
        format!(
            "with fewer than {FEW_PAIRS} deals, and where few pairs differ, the intervals of `arena run` are wider than this assumes: \
             play more, or name a run of these bots with --from"
        )
    });
    let scope = core::iter::once(scope).chain(few).chain(suggested).collect();
    Document { scope, ..Document::of_blocks("Power", vec![Block::Table(table)]) }.render(Detail::Full)
}

fn needed(rows: &[Needed], spread: Spread, args: &PowerArgs) -> String {
    let mut table = Table::of("deals-needed", "", rows)
        .text(format!("points per {}", spread.unit.singular()), |row| row.effect.to_string())
        .shown(format!("{}, fixed", spread.unit.plural()), |row| row.pairs.map_or(Cell::Empty, Cell::Count));
    if spread.control.is_some() {
        table =
            table.shown("with control", |row| row.with_control.flatten().map_or(Cell::Empty, Cell::Count));
    }
    for (n, head) in ["sequential: nothing", "half of it", "all of it"].into_iter().enumerate() {
        table = table.count(head, move |row| row.sequential[n]);
    }
    printed(spread, args, rows.iter().filter_map(|row| row.pairs).min(), rows, table.build())
}

/// The effects detectable with a number of pairs.
#[derive(Debug, Serialize)]
#[expect(clippy::option_option, reason = "no control, or none that suffices")]
struct Shown {
    pairs: u64,
    /// `None` if none is large enough.
    effect: Option<f64>,
    /// The same with the control of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    with_control: Option<Option<f64>>,
}

fn shown(rows: &[Shown], spread: Spread, args: &PowerArgs) -> String {
    let mut table = Table::of("effects-shown", "", rows)
        .text(spread.unit.plural(), |row| thousands(row.pairs))
        .number(format!("points per {}", spread.unit.singular()), |row| {
            row.effect.map(|effect| Cell::Number(effect, 2))
        });
    if spread.control.is_some() {
        table = table
            .number("with control", |row| row.with_control.flatten().map(|effect| Cell::Number(effect, 2)));
    }
    printed(spread, args, rows.iter().map(|row| row.pairs).min(), rows, table.build())
}
