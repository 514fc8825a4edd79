//! The output of a sequential test: a line while it is running, and the verdict.

use coinche_selfplay::{Block, Display, Document, Unit, plus_minus, thousands};
use serde_json::json;

use coinche_inference::{Checkpoint, Decision, Estimate, SequentialTest, SprtPlan};

use super::asked::Asked;
use super::under_way::decision;
use coinche_runs::verdict::{control_details, differing, forfeits_of, headline, seen_lines};
use coinche_runs::{Controlled, Totals, nearest_preset};

/// Describes the ratio relative to its bounds, and the difference so far.
pub(super) fn state(
    unit: Unit,
    test: &SequentialTest,
    look: &Checkpoint,
    estimate: Option<&Estimate>,
) -> String {
    let [low, high] = test.plan().thresholds();
    let half = estimate.and_then(|estimate| estimate.half_width);
    let half = half.map_or_else(String::new, |half| plus_minus(half, 1));
    let mean = match unit {
        Unit::Deal => format!("A − B = {:+.1}{half}", look.mean),
        Unit::Match => format!("A wins {:.1}{half} %", 50.0 + look.mean),
    };
    format!("LLR {:+.2} ({low:.2} to {high:.2}), {mean}", look.llr)
}

/// Prints a look to stderr, always including the last one.
pub(super) fn tell(
    display: &mut Display,
    unit: Unit,
    test: &SequentialTest,
    look: &Checkpoint,
    estimate: Option<&Estimate>,
) {
    let json = || json!({ "look": look, "bounds": test.plan().thresholds() });
    if display.is_due() || look.decision != Decision::GoOn {
        if look.decision != Decision::GoOn {
            display.stop_early();
        }
        let state = || state(unit, test, look, estimate);
        display.show(look.pairs, state, json);
    }
}

/// Returns the verdict, with its scope.
pub(super) fn document(asked: &Asked, test: &SequentialTest, totals: &Totals) -> Document {
    let SprtPlan { lower, upper, alpha, beta, .. } = test.plan();
    let Asked { config, .. } = asked;
    let (tally, forfeited) = (totals.first(), forfeits_of(config, totals));
    let decision = decision(test, tally);
    let [what, lower, upper] = match config.unit {
        Unit::Deal => [
            "A − B is".to_owned(),
            format!("{lower:+} points per deal"),
            format!("{upper:+} points per deal"),
        ],
        Unit::Match => [
            "A wins".to_owned(),
            format!("{} % of the matches", 50.0 + lower),
            format!("{} % of the matches", 50.0 + upper),
        ],
    };
    let error = |chance: f64| format!("(error probability {} %)", 100.0 * chance);
    let verdict = match decision {
        Decision::Upper => format!("upper bound accepted: {what} more than {lower} {}", error(*alpha)),
        Decision::Lower => format!("lower bound accepted: {what} less than {upper} {}", error(*beta)),
        Decision::Undecided => format!("undecided between {lower} and {upper}"),
        Decision::GoOn => format!("stopped early, between {lower} and {upper}"),
    };
    let verdict = headline(forfeited.as_ref(), verdict);
    let (rules, settings) = nearest_preset(&config.rules);
    let changed = if settings.is_empty() { "" } else { ", changed" };
    let given = config.freeze.in_words().map_or_else(String::new, |given| format!(", {given}"));
    let [a, b] = config.first_two();
    let (unit, seed) = (config.unit.plural(), &config.seed);
    // Pairs after the last look are not in the verdict.
    let pairs = thousands(test.last().map_or(0, |last| last.pairs));
    let mut details = vec![
        format!("A = {a}, B = {b}"),
        format!("after {pairs} {unit} in pairs, seed {seed}, rules {rules}{changed}{given}"),
    ];
    // After an early stop the difference is biased.
    let early = matches!(decision, Decision::Upper | Decision::Lower);
    let early = if early { " (95 %; biased by the early stop)" } else { "" };
    let estimate = asked.estimate(totals);
    let state = |look| format!("{}{early}", state(config.unit, test, look, estimate.as_ref()));
    details.extend(test.last().map(state));
    details.extend(estimate.as_ref().map(|estimate| differing(estimate, None)));
    if let (Some(control), Some(controlled)) = (&config.control, Controlled::new(config, totals, 0)) {
        details.extend(control_details(control, &controlled));
    }
    let faults = [0, 1].map(|side| tally.sides[side].all_faults());
    if faults != [0, 0] {
        details.push(format!("faults: A {}, B {}", thousands(faults[0]), thousands(faults[1])));
    }
    if decision != test.decision() {
        let remedy = "forfeited legs decide nothing: repair the program and test again with another --out";
        details.push(remedy.to_owned());
    }
    let blocks = vec![Block::Items(details)];
    let scope = seen_lines(config);
    Document { verdicts: vec![verdict], scope, ..Document::of_blocks(format!("{a} against {b}"), blocks) }
}
