//! The result of a tuning: in words, as a table, as JSON and as a picture.

use coinche_engine::Seed;
use std::time::SystemTime;

use coinche_selfplay::base::files::checksums::sealed;
use coinche_selfplay::document::draw::{Curve, Ink, curve, stacked};
use coinche_selfplay::{Block, Cell, Document, Exit, Table, VERSION, plus_minus, thousands};
use serde_json::{Value, json};

use super::params::Param;
use super::tuning::Tuning;
use coinche_runs::verdict::{Forfeits, forfeits_of, headline, seen_lines};
use coinche_runs::{COMMIT, RunConfig, Totals, time_stamp};

/// The result of the match between result and start.
#[derive(Debug, Clone)]
pub(super) struct Verified {
    pub(super) seed: Seed,
    pub(super) pairs: u64,
    /// The number of them that differ; unknown against a third bot.
    pub(super) differing: Option<u64>,
    pub(super) mean: f64,
    /// Half the width of the 95 % interval.
    pub(super) half: Option<f64>,
    /// The legs that were forfeited, if so many that it is to be said.
    pub(super) forfeits: Option<Forfeits>,
}

impl Verified {
    /// Uses the difference of the two bots, or against a third one, the first of three, the difference of their
    /// differences.
    pub(super) fn new(config: &RunConfig, totals: &Totals) -> Self {
        let (seed, pairs) = (config.seed.clone(), totals.pairs());
        let forfeits = forfeits_of(config, totals);
        let points = &totals.first().points;
        let (differing, found) = if totals.tallies.len() == 1 {
            (Some(points.differing), points.estimate().map(|points| (points.mean, points.half_width)))
        } else {
            (None, totals.sum_of(&[(0, -1), (1, 1)]).map(|sum| (sum.mean, sum.half_width)))
        };
        let (mean, half) = found.unwrap_or((0.0, None));
        Self { seed, pairs, differing, mean, half, forfeits }
    }
}

/// Returns the current parameters, in a line.
pub(super) fn state(params: &[Param], theta: &[f64]) -> String {
    let one =
        |(param, theta): (&Param, &f64)| format!("{} {theta:.*}", param.name, param.spsa.digits as usize + 1);
    params.iter().zip(theta).map(one).collect::<Vec<_>>().join(", ")
}

/// Shows the parameters, and the faults of the tuned bot, if any.
pub(super) fn parameters(tuning: &Tuning) -> Document {
    let late = tuning.spsa.late();
    let rows = tuning.params.iter().zip(tuning.spsa.result()).zip(late);
    let figures = |param: &Param, value: f64| Cell::Figures(param.text(value));
    let digits = |param: &Param, value: f64| Cell::Number(value, param.spsa.digits as usize + 1);
    let table = Table::of("parameters", "", rows)
        .text("", |((param, _), _)| param.name.clone())
        .shown("range", |((param, _), _)| {
            Cell::Figures(format!("{} to {}", param.text(param.spsa.low), param.text(param.spsa.high)))
        })
        .shown("step", |((param, _), _)| Cell::Figures(param.spsa.step.to_string()))
        .shown("start", |((param, _), _)| figures(param, param.spsa.start))
        .shown("tuned", |((param, tuned), _)| figures(param, *tuned))
        .number("second half: mean", |((param, _), late)| digits(param, late[0]))
        .number("sd", |((param, _), late)| digits(param, late[1]))
        .build();
    let mut blocks = vec![Block::Table(table)];
    if tuning.faults > 0 {
        let faults = thousands(tuning.faults);
        blocks.push(Block::Text(format!("faults of the tuned bot: {faults}; see `arena run`")));
    }
    Document::of_blocks("Tuned parameters", blocks)
}

/// Returns the verdict of the verification in words, with what bots see besides their hands.
pub(super) fn verdict(tuning: &Tuning, verified: Option<&Verified>) -> Document {
    let verdicts = vec![format!("tuned: {}", tuning.tuned.as_str()), sentence(tuning, verified)];
    let scope = seen_lines(&tuning.match_of([&tuning.tuned, &tuning.start]));
    Document { verdicts, scope, ..Document::default() }
}

fn sentence(tuning: &Tuning, verified: Option<&Verified>) -> String {
    let Some(Verified { seed, pairs, differing, mean, half, forfeits }) = verified else {
        return if tuning.tuned == tuning.start {
            "the tuned bot is the start bot: nothing better was found".to_owned()
        } else {
            "not verified: only a match on fresh deals shows whether it is better".to_owned()
        };
    };
    let [tuned, start] = [tuning.shown(&tuning.tuned), tuning.shown(&tuning.start)];
    let whom = match &tuning.against {
        Some(other) => format!(" against {other}"),
        None => String::new(),
    };
    let given = tuning.config.freeze.in_words().map_or_else(String::new, |given| format!(", {given}"));
    let differ = differing.map_or_else(String::new, |n| format!(" ({} differ)", thousands(n)));
    let scope = format!("{} fresh deals in pairs{differ}, seed {seed}{given}", thousands(*pairs));
    let half = half.unwrap_or(f64::INFINITY);
    let is_decided = mean.abs() > half;
    let half = plus_minus(half, 1);
    let verdict = if is_decided {
        let (winner, loser) = if *mean > 0.0 { (tuned, start) } else { (start, tuned) };
        let what = if tuning.against.is_some() { "does better than" } else { "beats" };
        let warning = if *mean > 0.0 { "" } else { ": do not use the tuned bot" };
        format!(
            "{winner} {what} {loser}{whom} by {:.1}{half} points per deal (95 %), {scope}{warning}",
            mean.abs()
        )
    } else {
        format!(
            "No significant difference: {tuned} over {start}{whom} is {mean:+.1}{half} points per deal (95 %), {scope}"
        )
    };
    headline(forfeits.as_ref(), verdict)
}

/// Returns how a finished tuning ends: undecided where too many legs of its verification were forfeited.
pub(super) fn exit_of(verified: Option<&Verified>) -> Exit {
    let is_void = verified.and_then(|it| it.forfeits.as_ref()).is_some_and(|forfeits| forfeits.is_void);
    if is_void { Exit::Undecided } else { Exit::Done }
}

/// Returns the text of `tune.json`. All but `timing` is the same for the same command and commit.
pub(super) fn to_json(tuning: &Tuning, verified: Option<&Verified>, seconds: f64) -> String {
    let params: Vec<Value> = tuning
        .params
        .iter()
        .zip(tuning.spsa.result())
        .zip(tuning.spsa.late())
        .map(|((param, tuned), [mean, sd])| {
            let spsa = &param.spsa;
            json!({
                "name": param.name, "low": spsa.low, "high": spsa.high, "start": spsa.start, "step": spsa.step,
                "digits": spsa.digits, "tuned": tuned, "mean": mean, "sd": sd,
            })
        })
        .collect();
    let verification = verified.map(|Verified { seed, pairs, differing, mean, half, forfeits }| {
        let mut value =
            json!({ "seed": seed, "pairs": pairs, "differing": differing, "mean": mean, "half_width": half });
        if forfeits.as_ref().is_some_and(|forfeits| forfeits.is_void) {
            value["is_void"] = true.into();
        }
        value
    });
    let value = json!({
        "v": 1,
        "version": VERSION,
        "commit": COMMIT,
        "command": tuning.to_command(),
        "start": tuning.start.as_str(),
        "tuned": tuning.tuned.as_str(),
        "against": tuning.against.as_ref().map(ToString::to_string),
        "freeze": tuning.config.freeze.named(),
        "iterations": tuning.iterations,
        "done": tuning.spsa.done(),
        "interrupted": tuning.spsa.done() < tuning.iterations,
        "params": params,
        "faults": tuning.faults,
        "verification": verification,
        "timing": {
            "ended": time_stamp(SystemTime::now()),
            "seconds": seconds,
            "threads": tuning.config.threads,
        },
    });
    sealed(&format!("{value:#}"))
}

/// Returns the picture of all parameter trajectories, one below the other.
pub(super) fn picture(tuning: &Tuning) -> String {
    let pictures = tuning.params.iter().enumerate().map(|(n, param)| {
        let points: Vec<[f64; 2]> =
            (0..).zip(&tuning.way).map(|(k, theta)| [(k * tuning.batch) as f64, theta[n]]).collect();
        let [start, tuned] = [param.spsa.start, tuning.spsa.result()[n]];
        curve(&Curve {
            title: &param.name,
            what: &param.name,
            across: "deals",
            points: &points,
            band: &[],
            levels: &[(start, "start".to_owned(), Ink::Grey), (tuned, "tuned".to_owned(), Ink::A)],
        })
    });
    stacked(&pictures.collect::<Vec<_>>())
}
