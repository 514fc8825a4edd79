//! Nash averaging: how good is each bot against those who are worth playing against?
//!
//! The matrix of differences is the payoff of a game in which two people each choose a bot. Among the
//! equilibria of this game the one of greatest entropy is unique; a bot's Nash-averaged skill is its
//! expected difference against it (Balduzzi, Tuyls, Pérolat & Graepel 2018, "Re-evaluating Evaluation",
//! section 5). No bot's skill is above 0, those in the equilibrium have 0, and adding copies of a bot or
//! weak bots to be beaten changes nothing. One bot that beats all others has all the weight; a cycle at
//! the top shares it.
//!
//! Copies, bots with the same row, are counted as one and share its weight evenly. Where the equilibrium is
//! unique that is the one of greatest entropy; where two different bots are exactly even, the greatest
//! entropy would give the one with more copies more weight, against the purpose.
//!
//! An equilibrium can jump where two bots are close, so it is to be read beside the ratings and their
//! certainty, not in their place.

use serde::Serialize;

use crate::StatsError;
use crate::float::count;
use crate::linear::{Cholesky, Matrix, add_scaled, dot, largest, null_space};
use crate::simplex::{ZERO, inner_equilibrium};

/// The equilibrium of greatest entropy and the skills against it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NashAverage {
    /// By bot: its weight in the equilibrium; they add up to 1.
    pub weights: Vec<f64>,
    /// By bot: the expected difference against the equilibrium, in the unit of the matrix; at most 0.
    pub skills: Vec<f64>,
}

/// Returns the Nash average of a matrix of differences: `differences[i][j]` is `i` less `j`.
///
/// The time grows with the fourth power of the number of bots: a moment for fifty.
///
/// ```
/// use coinche_inference::nash_average;
///
/// // Rock, paper, scissors, and one that loses to all.
/// let rows = [[0.0, -5.0, 5.0, 9.0], [5.0, 0.0, -5.0, 9.0], [-5.0, 5.0, 0.0, 9.0], [-9.0, -9.0, -9.0, 0.0]];
/// let nash = nash_average(&rows.map(Vec::from))?;
/// assert!((nash.weights[0] - 1.0 / 3.0).abs() < 1e-9 && nash.weights[3] == 0.0);
/// assert!((nash.skills[3] + 9.0).abs() < 1e-9);
/// # Ok::<(), coinche_inference::StatsError>(())
/// ```
///
/// # Errors
///
/// Without a bot, and when the matrix is not square or not antisymmetric.
pub fn nash_average(differences: &[Vec<f64>]) -> Result<NashAverage, StatsError> {
    let n = differences.len();
    if n == 0 {
        return Err(StatsError::TooFew { what: "bots", least: 1, found: 0 });
    }
    if let Some(row) = differences.iter().find(|row| row.len() != n) {
        return Err(StatsError::Size { what: "columns", expected: n, found: row.len() });
    }
    let entries = differences.iter().flatten();
    let largest = entries.fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let scale = if largest > 0.0 { largest } else { 1.0 };
    for (row, values) in differences.iter().enumerate() {
        for (column, value) in values.iter().enumerate() {
            let sum = value + differences[column][row];
            if sum.is_nan() || sum.abs() > ZERO * scale {
                return Err(StatsError::NotAntisymmetric { row, column });
            }
        }
    }
    let scaled: Vec<Vec<f64>> =
        differences.iter().map(|row| row.iter().map(|value| value / scale).collect()).collect();
    let (kinds, copies) = kinds(&scaled);
    let reduced: Vec<Vec<f64>> =
        kinds.iter().map(|row| kinds.iter().map(|column| scaled[*row][*column]).collect()).collect();
    let shares = most_even(&reduced, &inner_equilibrium(&reduced));
    let of_kind = |kind: usize| count(copies.iter().filter(|copy| **copy == kind).count());
    let weights: Vec<f64> = copies.iter().map(|kind| shares[*kind] / of_kind(*kind)).collect();
    let skill = |row: &Vec<f64>| row.iter().zip(&weights).map(|(value, weight)| value * weight).sum::<f64>();
    // What is above 0 by rounding is 0.
    let skills = scaled.iter().map(|row| if skill(row) > -ZERO { 0.0 } else { scale * skill(row) }).collect();
    Ok(NashAverage { weights, skills })
}

/// Finds bots with the same differences to all, which so have none to each other: the first of each kind,
/// and the number of each bot's kind.
fn kinds(matrix: &[Vec<f64>]) -> (Vec<usize>, Vec<usize>) {
    let same = |a: usize, b: usize| matrix[a].iter().zip(&matrix[b]).all(|(a, b)| (a - b).abs() <= ZERO);
    let mut firsts: Vec<usize> = Vec::new();
    let mut copies = Vec::new();
    for bot in 0..matrix.len() {
        let kind = firsts.iter().position(|first| same(*first, bot)).unwrap_or(firsts.len());
        if kind == firsts.len() {
            firsts.push(bot);
        }
        copies.push(kind);
    }
    (firsts, copies)
}

/// Moves from an inner equilibrium to the one of greatest entropy.
///
/// All equilibria lie in the plane through it in which the bots with weight have no gain against each
/// other. There the negative entropy is minimised by Newton's method; a logarithmic barrier, lowered step
/// by step, keeps the gains of the other bots below 0.
fn most_even(matrix: &[Vec<f64>], inner: &[f64]) -> Vec<f64> {
    let n = matrix.len();
    let (inside, outside): (Vec<usize>, Vec<usize>) = (0..n).partition(|bot| inner[*bot] > 0.0);
    let m = inside.len();
    let equations =
        Matrix::from_fn(
            m + 1,
            m,
            |row, column| {
                if row == m { 1.0 } else { matrix[inside[row]][inside[column]] }
            },
        );
    let plane = null_space(&equations, ZERO);
    if plane.columns() == 0 {
        return inner.to_vec();
    }
    let start: Vec<f64> = inside.iter().map(|bot| inner[*bot]).collect();
    let gains =
        outside.iter().map(|bot| inside.iter().map(|column| matrix[*bot][*column]).collect::<Vec<_>>());
    // Those whose gain is the same all over the plane, or at 0 by rounding, bound nothing.
    let bounding: Vec<_> = gains
        .filter(|gain| largest(&plane.apply_transposed(gain)) > ZERO && dot(gain, &start) < -ZERO)
        .collect();
    let gains = Matrix::from_fn(bounding.len(), m, |row, column| bounding[row][column]);
    let problem = Problem { plane, gains };
    let mut p = start;
    let mut barrier = 0.1;
    while barrier > 1e-13 {
        p = problem.minimise(p, barrier);
        barrier /= 10.0;
    }
    let mut weights = vec![0.0; n];
    let total: f64 = p.iter().sum();
    inside.iter().zip(&p).for_each(|(bot, weight)| weights[*bot] = weight / total);
    weights
}

/// Minimise `Σ p ln p − barrier · Σ ln(−gains · p)` over `p` in a plane.
struct Problem {
    plane: Matrix,
    gains: Matrix,
}

const MOST_STEPS: usize = 100;

impl Problem {
    fn losses(&self, p: &[f64]) -> Vec<f64> {
        self.gains.apply(p).iter().map(|gain| -gain).collect()
    }

    /// The value, or `None` outside.
    fn value(&self, p: &[f64], barrier: f64) -> Option<f64> {
        let losses = self.losses(p);
        let within = p.iter().chain(&losses).all(|value| *value > 0.0);
        within.then(|| {
            p.iter().map(|p| p * libm::log(*p)).sum::<f64>()
                - barrier * losses.iter().map(|loss| libm::log(*loss)).sum::<f64>()
        })
    }

    fn minimise(&self, mut p: Vec<f64>, barrier: f64) -> Vec<f64> {
        for _ in 0..MOST_STEPS {
            let losses = self.losses(&p);
            let pull: Vec<f64> = losses.iter().map(|loss| barrier / loss).collect();
            let mut gradient = self.gains.apply_transposed(&pull);
            gradient.iter_mut().zip(&p).for_each(|(slope, p)| *slope += libm::log(*p) + 1.0);
            let mut curve = Matrix::from_diagonal(&p.iter().map(|p| 1.0 / p).collect::<Vec<_>>());
            for (row, loss) in losses.iter().enumerate() {
                curve.add_square(barrier / (loss * loss), self.gains.row(row));
            }
            let inner = self.plane.apply_transposed(&gradient);
            let Some(cholesky) = Cholesky::new(&self.plane.transpose().times(&curve).times(&self.plane))
            else {
                break;
            };
            let slope = cholesky.solve(&inner);
            let step: Vec<f64> = self.plane.apply(&slope).iter().map(|value| -value).collect();
            let descent = dot(&inner, &slope);
            let Some(next) = self.shortened(&p, &step, descent, barrier) else { break };
            p = next;
            if descent < 1e-26 {
                break;
            }
        }
        p
    }

    /// Halves a step until it stays inside and gains enough.
    fn shortened(&self, p: &[f64], step: &[f64], descent: f64, barrier: f64) -> Option<Vec<f64>> {
        let value = self.value(p, barrier)?;
        let mut share = 1.0;
        while share > 1e-12 {
            let mut next = p.to_vec();
            add_scaled(&mut next, share, step);
            // The last steps gain less than a value can show.
            let enough = |next: f64| next <= value - 0.1 * share * descent + 1e-15;
            if self.value(&next, barrier).is_some_and(enough) {
                return Some(next);
            }
            share /= 2.0;
        }
        None
    }
}
