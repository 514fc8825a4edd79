//! Fits forecasts (the chance of the contract and the score of the deal) to the outcomes of calls.

use coinche_bots::table::{BiddingTable, CONTEXTS, CallContext, Company, TERMS, Terms, logistic};
use coinche_engine::RuleSet;

use super::HOLD_GAIN;
use super::calls::CallRow;
use super::least_squares::LeastSquares;

/// The prior weight of chance parameters, in rows whose outcome is uncertain.
const HOLD_CHANCE: f64 = 5.0;
/// The prior weight of the shift and factor by which `dd` corrects the odds.
const HOLD_DD: f64 = 5.0;
/// Number of Newton steps of a logistic regression.
const STEPS: usize = 10;

/// A call made in an auction, with its outcome.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ForecastRow {
    /// The index of its weights.
    pub(super) weights: usize,
    pub(super) terms: Terms,
    pub(super) score: f32,
    /// Whether the contract standing then was made, if it became the final one.
    pub(super) made: Option<bool>,
}

impl ForecastRow {
    pub(super) fn new(row: &CallRow, rules: &RuleSet) -> Self {
        let CallRow { option, score, contract } = row;
        let made = contract.map(|(_, made)| made);
        Self { weights: option.context.weights(rules), terms: option.terms, score: *score, made }
    }
}

/// The index of the correction, the odds predicted by the table at a call of `dd`, and whether the contract was made.
pub(super) type DdRow = (usize, f32, bool);

/// Fits the forecasts for one company.
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
        // The prior: odds follow the chance of the points; after a double, the chance of failing.
        let sign = if CallContext::of_weights(at).is_double() { -1.0 } else { 1.0 };
        (prior[0], prior[2]) = (-3.0 * sign, 6.0 * sign);
        let outcomes: Vec<(Vec<(usize, f64)>, bool)> =
            of_context().filter_map(|row| Some((line(&row.terms), row.made?))).collect();
        let weights = logistic_regression(&outcomes, &prior, HOLD_CHANCE);
        made[at] = core::array::from_fn(|term| short(weights[term], 10_000.0));
    }
}

/// Fits how `dd` corrects the table's predictions.
pub(super) fn fit_dd(table: &mut BiddingTable, rows: &[DdRow]) {
    for at in 0..table.dd.len() {
        let rows = rows.iter().filter(|(of, ..)| *of == at);
        let outcomes: Vec<(Vec<(usize, f64)>, bool)> =
            rows.map(|(_, odds, made)| (vec![(0, 1.0), (1, f64::from(*odds))], *made)).collect();
        let weights = logistic_regression(&outcomes, &[0.0, 1.0], HOLD_DD);
        table.dd[at] = core::array::from_fn(|term| short(weights[term], 10_000.0));
    }
}

fn line(terms: &Terms) -> Vec<(usize, f64)> {
    let terms = terms.iter().enumerate().filter(|(_, term)| **term != 0.0);
    terms.map(|(at, term)| (at, f64::from(*term))).collect()
}

/// Finds weights whose sums are the log odds of outcomes, by Newton's method (iteratively reweighted least
/// squares).
fn logistic_regression(outcomes: &[(Vec<(usize, f64)>, bool)], prior: &[f64], hold: f64) -> Vec<f64> {
    let mut weights = prior.to_vec();
    for _ in 0..STEPS {
        let mut squares = LeastSquares::new(prior.len());
        for (line, came_true) in outcomes {
            let odds = line.iter().map(|(at, term)| weights[*at] * term).sum::<f64>().clamp(-8.0, 8.0);
            let chance = chance(odds);
            // The variance of the outcome: rows that are certain carry little information.
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

/// Returns the chance for these odds.
#[expect(clippy::cast_possible_truncation, reason = "as the table computes it")]
fn chance(odds: f64) -> f64 {
    f64::from(logistic(odds as f32))
}

/// Rounds a number to the digits that the table keeps.
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
        // Without data the prior remains.
        assert_eq!(logistic_regression(&[], &[0.5, 1.0], 1.0), [0.5, 1.0]);
    }
}
