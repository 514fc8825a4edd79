//! Fits forecasts, the chance of the contract and the score of the deal, to the outcomes of calls that were made.

use coinche_bots::table::{BiddingTable, CONTEXTS, CallContext, Company, TERMS, Terms, logistic};
use coinche_engine::RuleSet;

use super::HOLD_GAIN;
use super::calls::CallRow;
use super::least_squares::LeastSquares;

/// The hold of the weights of chances, in rows whose outcome is open.
const HOLD_CHANCE: f64 = 5.0;
/// Of the shift and the factor by which `dd` corrects the odds.
const HOLD_DD: f64 = 5.0;
/// How often the weights of a logistic regression are made better.
const STEPS: usize = 10;

/// A call that was made, with what came of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ForecastRow {
    /// The number of its weights.
    pub(super) weights: usize,
    pub(super) terms: Terms,
    pub(super) score: f32,
    /// Whether the contract that stood then was made, if it became that of the deal.
    pub(super) made: Option<bool>,
}

impl ForecastRow {
    pub(super) fn new(row: &CallRow, rules: &RuleSet) -> Self {
        let CallRow { option, score, contract } = row;
        let made = contract.map(|(_, made)| made);
        Self { weights: option.context.weights(rules), terms: option.terms, score: *score, made }
    }
}

/// The odds that the table tells at a call of `dd`, and whether the contract was made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DdRow {
    /// The number of the correction.
    pub(super) at: usize,
    pub(super) odds: f32,
    pub(super) made: bool,
}

/// Fits the forecasts of one company.
pub(super) fn fit(table: &mut BiddingTable, rows: &[ForecastRow], company: Company) {
    let [made, scores] = &mut table.forecasts[company as usize];
    for at in 0..CONTEXTS {
        let of_context = || rows.iter().filter(move |row| row.weights == at);
        let mut squares = LeastSquares::new(TERMS);
        for row in of_context() {
            squares.add(&line(&row.terms), f64::from(row.score));
        }
        let mut prior = [0.0; TERMS];
        if let Some(weights) = squares.solve(&prior, &[HOLD_GAIN; TERMS]) {
            scores[at] = core::array::from_fn(|term| short(weights[term], 100.0));
        }
        // What is not known better: odds that go with the chance of the points; a double tells that of failing.
        let sign = if CallContext::of_weights(at).is_double() { -1.0 } else { 1.0 };
        (prior[0], prior[2]) = (-3.0 * sign, 6.0 * sign);
        let outcomes: Vec<(Vec<(usize, f64)>, bool)> =
            of_context().filter_map(|row| Some((line(&row.terms), row.made?))).collect();
        let weights = logistic_regression(&outcomes, &prior, HOLD_CHANCE);
        made[at] = core::array::from_fn(|term| short(weights[term], 10_000.0));
    }
}

/// Fits how `dd` corrects what the table tells.
pub(super) fn fit_dd(table: &mut BiddingTable, rows: &[DdRow]) {
    for at in 0..table.dd.len() {
        let outcomes: Vec<(Vec<(usize, f64)>, bool)> = rows
            .iter()
            .filter(|row| row.at == at)
            .map(|row| (vec![(0, 1.0), (1, f64::from(row.odds))], row.made))
            .collect();
        let weights = logistic_regression(&outcomes, &[0.0, 1.0], HOLD_DD);
        table.dd[at] = core::array::from_fn(|term| short(weights[term], 10_000.0));
    }
}

fn line(terms: &Terms) -> Vec<(usize, f64)> {
    let terms = terms.iter().enumerate().filter(|(_, term)| **term != 0.0);
    terms.map(|(at, term)| (at, f64::from(*term))).collect()
}

/// Finds weights whose sums are the logarithms of the odds of outcomes, by Newton's method: weighted least squares, again and
/// again.
fn logistic_regression(outcomes: &[(Vec<(usize, f64)>, bool)], prior: &[f64], hold: f64) -> Vec<f64> {
    let mut weights = prior.to_vec();
    for _ in 0..STEPS {
        let mut squares = LeastSquares::new(prior.len());
        for (line, came_true) in outcomes {
            let odds = line.iter().map(|(at, term)| weights[*at] * term).sum::<f64>().clamp(-8.0, 8.0);
            let chance = chance(odds);
            // How open the outcome is: rows that are certain say little.
            let open = chance * (1.0 - chance);
            let target = odds + (f64::from(u8::from(*came_true)) - chance) / open;
            let scaled: Vec<_> = line.iter().map(|(at, term)| (*at, term * open.sqrt())).collect();
            squares.add(&scaled, target * open.sqrt());
        }
        let Some(better) = squares.solve(prior, &vec![hold; prior.len()]) else { break };
        weights = better;
    }
    weights
}

/// The chance that is told at these odds.
#[expect(clippy::cast_possible_truncation, reason = "as the table computes it")]
fn chance(odds: f64) -> f64 {
    f64::from(logistic(odds as f32))
}

/// A number with as many digits as the table keeps.
#[expect(clippy::cast_possible_truncation, reason = "a weight is a small number")]
pub(super) fn short(weight: f64, scale: f64) -> f32 {
    ((weight * scale).round() / scale) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odds_are_found() {
        // Made in one of four, and in three of four.
        let row = |x: f64, came_true: bool| (vec![(0, 1.0), (1, x)], came_true);
        let outcomes: Vec<_> = (0..4000)
            .map(|n| row(f64::from(n % 2), if n % 2 == 0 { n % 8 == 0 } else { n % 8 != 1 }))
            .collect();
        let weights = logistic_regression(&outcomes, &[0.0, 0.0], 1e-6);
        assert!((chance(weights[0]) - 0.25).abs() < 0.01, "{weights:?}");
        assert!((chance(weights[0] + weights[1]) - 0.75).abs() < 0.01, "{weights:?}");
        // Of nothing the prior is left.
        assert_eq!(logistic_regression(&[], &[0.5, 1.0], 1.0), [0.5, 1.0]);
    }
}
