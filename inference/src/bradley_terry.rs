//! One rating of many bots from matches won, lost and drawn.
//!
//! Bradley & Terry (1952): `a` beats `b` with probability `1 / (1 + exp(θ_b − θ_a))`; a draw is half of
//! each. The likelihood is maximised by Newton's method, with one draw of every bot against an imaginary
//! one of rating 0 added (a weak prior), so that a bot that wins or loses all its matches has a finite
//! rating and the maximum is unique. Ratings are in Elo, 400 for odds of ten to one, centred at 0.
//!
//! The two legs of a pair share their cards, and all pairings their deals, so matches are not independent: those of bots
//! that are alike are won one each, and vary much less than independent ones. Where the covariance of the pairings' means
//! is given, the variance is `H⁻¹ M H⁻¹` with the information `H` and the covariance `M` of its gradient (the "sandwich",
//! Huber 1967). Without it matches count as independent, and for alike bots the intervals are twice too wide. Residuals and
//! the test of fit always take them as independent.

use serde::Serialize;

use crate::distributions::{chi_squared_tail, normal_quantile};
use crate::error::{check_pairings, check_probability};
use crate::float::count;
use crate::linear::{Cholesky, Matrix, add_scaled, largest};
use crate::{Covariance, StatsError, student_t};

/// The matches of a pairing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct MatchCounts {
    /// The first bot, from 0.
    pub a: usize,
    /// The second bot.
    pub b: usize,
    /// Matches that the first bot won.
    pub wins: u64,
    /// Matches that the second bot won.
    pub losses: u64,
    /// Matches without a winner.
    pub draws: u64,
}

/// The rating of one bot.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MatchRating {
    /// Elo above the mean of all.
    pub elo: f64,
    /// Half the width of its interval.
    pub half_width: f64,
}

/// How far the matches of a pairing are from what the ratings say.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MatchResidual {
    /// The share of matches that the first bot won, a draw as half.
    pub share: f64,
    /// The share that the ratings say.
    pub expected: f64,
    /// The difference in standard deviations of a pairing with these odds.
    pub standard: f64,
}

/// The ratings of all bots from their matches.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BradleyTerry {
    /// By bot; their sum is 0.
    pub ratings: Vec<MatchRating>,
    /// By pairing; `None` of one without matches.
    pub residuals: Vec<Option<MatchResidual>>,
    /// The chance of residuals at least as large when the model holds (chi-squared); `None` when there are
    /// no more pairings than ratings need.
    pub fit: Option<f64>,
}

/// Matches of the prior: each bot drew this many with an imaginary bot of rating 0.
const PRIOR: f64 = 1.0;
/// Elo of a natural logarithm of odds.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;
const MOST_STEPS: usize = 100;

impl MatchCounts {
    fn matches(&self) -> f64 {
        self.wins as f64 + self.losses as f64 + self.draws as f64
    }

    /// Returns the points of the first bot.
    fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }
}

/// The probability of the first of two bots that are `difference` apart.
fn logistic(difference: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-difference))
}

/// The logarithm of it, without loss far out.
fn log_logistic(difference: f64) -> f64 {
    let of_other = libm::log1p(libm::exp(-difference.abs()));
    if difference > 0.0 { -of_other } else { difference - of_other }
}

/// The logarithm of the posterior.
fn objective(counts: &[MatchCounts], theta: &[f64]) -> f64 {
    let both = |points: f64, matches: f64, difference: f64| {
        points * log_logistic(difference) + (matches - points) * log_logistic(-difference)
    };
    let matches = counts.iter().map(|c| both(c.points(), c.matches(), theta[c.a] - theta[c.b]));
    matches.sum::<f64>() + theta.iter().map(|theta| both(PRIOR / 2.0, PRIOR, *theta)).sum::<f64>()
}

/// The gradient and the negative Hessian of the logarithm of the posterior.
fn derivatives(counts: &[MatchCounts], theta: &[f64]) -> (Vec<f64>, Matrix) {
    let p = theta.iter().map(|theta| logistic(*theta));
    let mut gradient: Vec<f64> = p.clone().map(|p| PRIOR * (0.5 - p)).collect();
    let mut information = Matrix::from_diagonal(&p.map(|p| PRIOR * p * (1.0 - p)).collect::<Vec<_>>());
    for c in counts {
        let p = logistic(theta[c.a] - theta[c.b]);
        let slope = c.points() - c.matches() * p;
        gradient[c.a] += slope;
        gradient[c.b] -= slope;
        let curve = c.matches() * p * (1.0 - p);
        for (row, column, sign) in [(c.a, c.a, 1.0), (c.b, c.b, 1.0), (c.a, c.b, -1.0), (c.b, c.a, -1.0)] {
            information[(row, column)] += sign * curve;
        }
    }
    (gradient, information)
}

impl BradleyTerry {
    /// Rates bots from their matches; intervals are of `level`. The covariance is that of the pairings' mean differences
    /// in wins, where a leg won is 1 and a leg lost −1, over pairs of matches
    /// ([`Blocks::covariance`](crate::Blocks::covariance)).
    ///
    /// # Errors
    ///
    /// When a pairing is of no two bots, when some bots have played no match against the others, when the covariance is
    /// not of these pairings, and when the level is not between 0 and 1.
    pub fn fit(
        bots: usize,
        counts: &[MatchCounts],
        covariance: Option<&Covariance>,
        level: f64,
    ) -> Result<Self, StatsError> {
        check_probability("level", level)?;
        if let Some(covariance) = covariance {
            covariance.check(counts.len())?;
        }
        let played = counts.iter().filter(|counts| counts.matches() > 0.0);
        check_pairings(bots, played.map(|counts| [counts.a, counts.b]))?;
        // Also those without a match must name bots.
        for (index, c) in counts.iter().enumerate() {
            if c.a >= bots || c.b >= bots || c.a == c.b {
                return Err(StatsError::Pairing { index, a: c.a, b: c.b, bots });
            }
        }
        let theta = maximise(bots, counts);
        let (_, information) = derivatives(counts, &theta);
        let centre =
            Matrix::from_fn(bots, bots, |row, column| f64::from(u8::from(row == column)) - 1.0 / count(bots));
        let variance = Cholesky::new(&information).map(|cholesky| {
            let inverse = cholesky.inverse();
            let variance = covariance.map_or_else(
                || inverse.clone(),
                |covariance| inverse.times(&gradient_covariance(bots, counts, covariance)).times(&inverse),
            );
            centre.times(&variance).times(&centre).diagonal()
        });
        let centred = centre.apply(&theta);
        let quantile = covariance
            .map_or_else(|| normal_quantile(level), |covariance| student_t(level, covariance.degrees));
        let ratings = (0..bots).map(|bot| MatchRating {
            elo: ELO * centred[bot],
            half_width: variance
                .as_ref()
                .map_or(f64::INFINITY, |variance| ELO * quantile * variance[bot].max(0.0).sqrt()),
        });
        let residuals: Vec<_> = counts.iter().map(|counts| residual(counts, &theta)).collect();
        let listed = residuals.iter().flatten();
        let (square, pairings) = listed.fold((0.0, 0), |(sum, n), r| (sum + r.standard * r.standard, n + 1));
        let free = pairings + 1 - bots.min(pairings + 1);
        let fit = (free > 0).then(|| chi_squared_tail(square, count(free)));
        Ok(Self { ratings: ratings.collect(), fit, residuals })
    }
}

/// The covariance of the gradient: of each pairing the points vary by half its matches times the mean.
fn gradient_covariance(bots: usize, counts: &[MatchCounts], covariance: &Covariance) -> Matrix {
    let mut matrix = Matrix::zeros(bots, bots);
    for (first, row) in counts.iter().zip(&covariance.of_means) {
        for (second, of_means) in counts.iter().zip(row) {
            let of_points = first.matches() / 2.0 * (second.matches() / 2.0) * of_means;
            for (bot, sign) in [(first.a, 1.0), (first.b, -1.0)] {
                matrix[(bot, second.a)] += sign * of_points;
                matrix[(bot, second.b)] -= sign * of_points;
            }
        }
    }
    matrix
}

/// Newton's method with halved steps; the objective is strictly concave.
fn maximise(bots: usize, counts: &[MatchCounts]) -> Vec<f64> {
    let mut theta = vec![0.0; bots];
    let mut best = objective(counts, &theta);
    for _ in 0..MOST_STEPS {
        let (gradient, information) = derivatives(counts, &theta);
        let Some(cholesky) = Cholesky::new(&information) else { break };
        let step = cholesky.solve(&gradient);
        let mut share = 1.0;
        let found = loop {
            let mut next = theta.clone();
            add_scaled(&mut next, share, &step);
            let value = objective(counts, &next);
            if value >= best {
                break Some((next, value));
            }
            share /= 2.0;
            if share < 1e-9 {
                break None;
            }
        };
        let Some((next, value)) = found else { break };
        (theta, best) = (next, value);
        if largest(&step) < 1e-12 {
            break;
        }
    }
    theta
}

fn residual(counts: &MatchCounts, theta: &[f64]) -> Option<MatchResidual> {
    let matches = counts.matches();
    (matches > 0.0).then(|| {
        let expected = logistic(theta[counts.a] - theta[counts.b]);
        let share = counts.points() / matches;
        let deviation = (expected * (1.0 - expected) / matches).sqrt().max(f64::MIN_POSITIVE);
        MatchResidual { share, expected, standard: (share - expected) / deviation }
    })
}
