//! One rating of many bots by least squares on points.
//!
//! The model: the expected difference of bots `a` and `b` is `r_a − r_b`. Weighted least squares with the
//! inverse of the variance of each pairing's mean as its weight gives the ratings, centred at 0; bots that
//! fit no such line show in the residuals and in the test of the fit.
//!
//! Pairings that are played on the same deals are not independent. Their covariance, where it is given,
//! does not change the ratings (which are unbiased under any weights) but their certainty: the variance is
//! `G C Gᵀ` for `r = G d` (the "sandwich", Huber 1967).

use serde::Serialize;

use crate::distributions::{chi_squared_tail, fisher_tail};
use crate::error::{check, check_pairings, check_probability};
use crate::float::count;
use crate::linear::{Cholesky, Eigen, Matrix, dot};
use crate::{Estimate, MeanOfPairs, PairedSums, StatsError, student_t};

/// A pairing of two bots, from its pairs of legs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Pairing {
    /// The first bot, from 0.
    pub a: usize,
    /// The second bot.
    pub b: usize,
    /// Pairs of legs, at least 2.
    pub pairs: u64,
    /// The mean difference a − b in points.
    pub mean: f64,
    /// The variance of one pair: the square of the standard error of the mean, times the pairs.
    pub variance: f64,
    /// What is known of the mean, with which the intervals of ratings are those of any other sum of paired differences.
    #[serde(skip)]
    pub known: Option<MeanOfPairs>,
}

/// The covariance of the means of pairings that share their deals.
#[derive(Debug, Clone, PartialEq)]
pub struct Covariance {
    /// By pairing and pairing.
    pub of_means: Vec<Vec<f64>>,
    /// The degrees of freedom it was estimated with: blocks or pairs less 1.
    pub degrees: f64,
}

/// The rating of one bot.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rating {
    /// Points a deal above the mean of all.
    pub rating: f64,
    /// Half the width of its interval.
    pub half_width: f64,
}

/// How far a pairing is from what the ratings say.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Residual {
    /// The mean difference less that of the ratings, in points.
    pub points: f64,
    /// The same in standard deviations, normal when the model holds; `None` where the ratings follow the
    /// pairing exactly.
    pub standard: Option<f64>,
}

/// The difference of two ratings.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RatingDifference {
    /// In points.
    pub points: f64,
    /// Half the width of its interval.
    pub half_width: f64,
}

/// The ratings of all bots and how well they fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// By bot; their sum is 0.
    pub ratings: Vec<Rating>,
    /// By pairing.
    pub residuals: Vec<Residual>,
    /// The chance of residuals at least as large when the model holds (a lack-of-fit test); `None` when
    /// there are no more pairings than ratings need, or fewer degrees of freedom than pairings to spare.
    pub fit: Option<f64>,
    pairings: Vec<Pairing>,
    /// Bots by pairings: ratings from means.
    estimator: Matrix,
    /// The covariance of the means.
    of_means: Matrix,
    level: f64,
    degrees: f64,
}

impl Pairing {
    /// Makes a pairing of an estimate; `None` below two pairs.
    pub fn new(a: usize, b: usize, estimate: &Estimate) -> Option<Self> {
        estimate.sd?;
        let variance = estimate.standard_error.map_or(0.0, |error| error * error * estimate.pairs as f64);
        Some(Self { a, b, pairs: estimate.pairs, mean: estimate.mean, variance, known: None })
    }

    /// Makes a pairing of its sums; `None` below two pairs.
    pub fn of_sums(a: usize, b: usize, sums: &PairedSums) -> Option<Self> {
        Some(Self { known: sums.mean_of_pairs(), ..Self::new(a, b, &sums.estimate()?)? })
    }

    /// Returns the variance of the mean.
    fn variance_of_mean(&self) -> f64 {
        self.variance / self.pairs as f64
    }

    /// Returns the side the difference is on when its interval leaves out 0.
    fn sign(&self, level: f64) -> i32 {
        let half = student_t(level, self.pairs as f64 - 1.0) * self.variance_of_mean().sqrt();
        i32::from(self.mean > half) - i32::from(self.mean < -half)
    }
}

impl Ratings {
    /// Returns the difference of two ratings with its interval: narrower than what the two intervals
    /// suggest, since their errors go together.
    ///
    /// # Errors
    ///
    /// When there is no such bot.
    pub fn difference(&self, a: usize, b: usize) -> Result<RatingDifference, StatsError> {
        let bots = self.ratings.len();
        let found = a.max(b);
        if found >= bots {
            return Err(StatsError::Size { what: "bots at most, counted from 0", expected: bots, found });
        }
        let [first, second] = [a, b].map(|bot| self.estimator.row(bot));
        let weights: Vec<_> = first.iter().zip(second).map(|(a, b)| a - b).collect();
        Ok(RatingDifference {
            points: self.ratings[a].rating - self.ratings[b].rating,
            half_width: self.half_width(&weights),
        })
    }

    /// Returns half the width of the interval of a weighted sum of the means; 0 where there is none.
    fn half_width(&self, weights: &[f64]) -> f64 {
        let variance = dot(weights, &self.of_means.apply(weights)).max(0.0);
        let known: Option<Vec<_>> = self.pairings.iter().map(|pairing| pairing.known).collect();
        let Some(known) = known else { return student_t(self.level, self.degrees) * variance.sqrt() };
        // What rare pairs may hide is of the sum, and not of each pairing alone.
        let added = weights.iter().zip(self.pairings.iter().zip(&known)).map(|(weight, (pairing, known))| {
            let plain = known.variance / pairing.pairs as f64;
            weight * weight * (pairing.variance_of_mean() - plain).max(0.0)
        });
        let plain = (variance - added.sum::<f64>()).max(0.0);
        let terms = weights.iter().zip(known).filter(|(weight, _)| **weight != 0.0);
        let terms: Vec<_> = terms
            .map(|(weight, it)| if *weight < 0.0 { (-weight, it.reversed()) } else { (*weight, it) })
            .collect();
        let mean = terms.iter().map(|(weight, it)| weight * it.mean).sum();
        let pairs = terms.first().map_or(0, |(_, it)| it.pairs) as f64;
        let sum = MeanOfPairs::of_sum(&terms, mean, plain * pairs);
        let interval = MeanOfPairs { degrees: self.degrees, ..sum }.interval(self.level);
        interval.map_or(0.0, |interval| interval.half_width)
    }
}

/// The least variance that a pairing weighs with, as a share of the largest: equal bots have none at all.
const LEAST_VARIANCE: f64 = 1e-6;

/// The matrices of the least squares: the design and the estimator.
pub(super) struct LeastSquares {
    /// Pairings by bots: 1 for the first bot and −1 for the second.
    design: Matrix,
    /// Bots by pairings: ratings from means.
    pub(super) estimator: Matrix,
}

impl LeastSquares {
    /// Makes the estimator `(Xᵀ W X + c 11ᵀ)⁻¹ Xᵀ W`, whose ratings add up to 0. The pairings are joined.
    pub(super) fn new(bots: usize, ends: &[[usize; 2]], variances: &[f64]) -> Self {
        let mut design = Matrix::zeros(ends.len(), bots);
        for (row, [a, b]) in ends.iter().enumerate() {
            design[(row, *a)] = 1.0;
            design[(row, *b)] = -1.0;
        }
        let largest = variances.iter().copied().fold(0.0, f64::max);
        let least = if largest > 0.0 { LEAST_VARIANCE * largest } else { 1.0 };
        // Relative to the smallest: from 1 down.
        let smallest = variances.iter().copied().fold(f64::INFINITY, f64::min).max(least);
        let weight = |variance: f64| smallest / variance.max(least);
        let weighted = Matrix::from_fn(bots, ends.len(), |bot, pairing| {
            weight(variances[pairing]) * design[(pairing, bot)]
        });
        let mut normal = weighted.times(&design);
        normal.add_square(1.0 / count(bots), &vec![1.0; bots]);
        let estimator = Cholesky::new(&normal)
            .expect("the Laplacian of a connected graph is singular only along the ones, which were added")
            .solve_all(&weighted);
        Self { design, estimator }
    }
}

/// Rates bots by weighted least squares on the points of their pairings; intervals are of `level`.
///
/// Where of every pairing more than its variance is known ([`Pairing::of_sums`]), intervals are those of weighted sums of paired
/// differences ([`MeanOfPairs::of_sum`]): rare pairs may be the same in several pairings.
///
/// Without a covariance the pairings are taken as independent, that is as played on different deals; on the
/// same deals that makes intervals too narrow (of 95 %, 88 % hold the truth in `tests/it/simulation.rs`). The
/// time grows with the third power of the number of pairings.
///
/// # Errors
///
/// When a pairing is of no two bots or of fewer than two pairs, when some bots have not met the others,
/// when the covariance is not of these pairings, and when the level is not between 0 and 1.
pub fn rate(
    bots: usize,
    pairings: &[Pairing],
    covariance: Option<&Covariance>,
    level: f64,
) -> Result<Ratings, StatsError> {
    check_probability("level", level)?;
    let ends: Vec<_> = pairings.iter().map(|pairing| [pairing.a, pairing.b]).collect();
    check_pairings(bots, ends.iter().copied())?;
    for pairing in pairings {
        if pairing.pairs < 2 {
            let found = usize::from(pairing.pairs == 1);
            return Err(StatsError::TooFew { what: "pairs of a pairing", least: 2, found });
        }
        check(pairing.mean.is_finite(), "mean", pairing.mean, "a number")?;
        let valid = pairing.variance.is_finite() && pairing.variance >= 0.0;
        check(valid, "variance", pairing.variance, "a number from 0")?;
    }
    let variances: Vec<_> = pairings.iter().map(Pairing::variance_of_mean).collect();
    let (of_means, degrees) = match covariance {
        None => {
            let fewest = pairings.iter().map(|pairing| pairing.pairs).min().unwrap_or(2);
            let degrees = (fewest - 1) as f64;
            (Matrix::from_diagonal(&variances), degrees)
        }
        Some(covariance) => (covariance.matrix(pairings.len())?, covariance.degrees),
    };
    let squares = LeastSquares::new(bots, &ends, &variances);
    let means: Vec<_> = pairings.iter().map(|pairing| pairing.mean).collect();
    let ratings = squares.estimator.apply(&means);
    let (residuals, fit) = fit(&squares, &means, &of_means, degrees);
    let (estimator, pairings) = (squares.estimator, pairings.to_vec());
    let mut rated =
        Ratings { ratings: Vec::new(), residuals, fit, pairings, estimator, of_means, level, degrees };
    let halves: Vec<_> = (0..bots).map(|bot| rated.half_width(rated.estimator.row(bot))).collect();
    rated.ratings =
        ratings.into_iter().zip(halves).map(|(rating, half_width)| Rating { rating, half_width }).collect();
    Ok(rated)
}

impl Covariance {
    /// Checks that it is of so many pairings.
    pub(super) fn check(&self, pairings: usize) -> Result<(), StatsError> {
        let size =
            |found| StatsError::Size { what: "rows and columns of covariance", expected: pairings, found };
        if self.of_means.len() != pairings {
            return Err(size(self.of_means.len()));
        }
        for row in &self.of_means {
            if row.len() != pairings {
                return Err(size(row.len()));
            }
            for value in row {
                check(value.is_finite(), "covariance", *value, "a number")?;
            }
        }
        check(self.degrees >= 1.0, "degrees of freedom of the covariance", self.degrees, "at least 1")
    }

    fn matrix(&self, pairings: usize) -> Result<Matrix, StatsError> {
        self.check(pairings)?;
        Ok(Matrix::from_fn(pairings, pairings, |row, column| self.of_means[row][column]))
    }
}

/// Below this share of the largest a variance of residuals is rounding.
const ROUNDING: f64 = 1e-9;

/// Computes the residuals and the lack-of-fit test: the squares of the residuals over their covariance,
/// which is Hotelling's T² where that was estimated.
fn fit(
    squares: &LeastSquares,
    means: &[f64],
    of_means: &Matrix,
    degrees: f64,
) -> (Vec<Residual>, Option<f64>) {
    let pairings = means.len();
    let followed = squares.design.times(&squares.estimator);
    let maker = Matrix::from_fn(pairings, pairings, |row, column| {
        f64::from(u8::from(row == column)) - followed[(row, column)]
    });
    let residuals = maker.apply(means);
    let covariance = maker.times(of_means).times(&maker.transpose());
    // In units of each pairing's own deviation, so that "rounding" means the same for all.
    let scale: Vec<_> = of_means.diagonal().iter().map(|variance| variance.max(0.0).sqrt()).collect();
    let unit = |n: usize| if scale[n] > 0.0 { 1.0 / scale[n] } else { 0.0 };
    let scaled = Matrix::from_fn(pairings, pairings, |row, column| {
        covariance[(row, column)] * unit(row) * unit(column)
    });
    let listed = (0..pairings)
        .map(|n| Residual {
            points: residuals[n],
            standard: (scaled[(n, n)] > ROUNDING).then(|| residuals[n] / covariance[(n, n)].sqrt()),
        })
        .collect();
    let direction: Vec<_> = (0..pairings).map(|n| residuals[n] * unit(n)).collect();
    let Eigen { values, vectors } = Eigen::new(&scaled);
    let (mut square, mut rank) = (0.0, 0);
    for (row, value) in values.iter().enumerate() {
        if *value > ROUNDING {
            square += dot(vectors.row(row), &direction).powi(2) / value;
            rank += 1;
        }
    }
    (listed, tail(square, count(rank), degrees))
}

/// From this number of degrees of freedom Hotelling's T² is taken as chi-squared.
const MANY_DEGREES: f64 = 10_000.0;

/// Returns the chance of a T² at least this large.
fn tail(square: f64, rank: f64, degrees: f64) -> Option<f64> {
    let rest = degrees - rank + 1.0;
    if rank == 0.0 || rest < 1.0 {
        None
    } else if degrees > MANY_DEGREES {
        Some(chi_squared_tail(square, rank))
    } else {
        Some(fisher_tail(square * rest / (rank * degrees), rank, rest))
    }
}

/// Finds all triples of bots with A ahead of B, B ahead of C and C ahead of A, each with its interval of
/// `level` clear of 0; the one with the lowest number first.
///
/// With many bots some triples are expected by chance: see [`holm`](crate::holm) for the level to ask for.
/// Of a pairing that is listed twice the first counts; what lacks a pairing is no triple.
pub fn intransitive_triples(bots: usize, pairings: &[Pairing], level: f64) -> Vec<[usize; 3]> {
    let mut ahead = vec![vec![None; bots]; bots];
    for pairing in pairings {
        let (a, b) = (pairing.a, pairing.b);
        if a < bots && b < bots && a != b && pairing.pairs >= 2 && ahead[a][b].is_none() {
            let sign = pairing.sign(level);
            ahead[a][b] = Some(sign == 1);
            ahead[b][a] = Some(sign == -1);
        }
    }
    let beats = |a: usize, b: usize| ahead[a][b] == Some(true);
    let mut triples = Vec::new();
    for a in 0..bots {
        for b in a + 1..bots {
            for c in a + 1..bots {
                if beats(a, b) && beats(b, c) && beats(c, a) {
                    triples.push([a, b, c]);
                }
            }
        }
    }
    triples
}
