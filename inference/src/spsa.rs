//! Tuning by simultaneous perturbation (SPSA): all parameters are moved at once by the outcome of one match.
//!
//! Iteration `k` of `N` (from 0) perturbs every parameter of θ by its width times a random sign,
//! `θ± = θ ± c_k Δ`, measures the mean difference `y` of θ+ against θ−, and moves along the perturbation
//! (Spall 1992; for the gains Spall 1998):
//!
//! ```text
//! c_k = step · (N / (k+1))^0.101                 the width; `step` at the last iteration
//! r_k = gain · ((A+N) / (A+k+1))^0.602           A = N/10
//! θ  += r_k · step² / c_k · z · Δ                z = y / standard error of y
//! ```
//!
//! As in the tuning of chess engines the gains are given where they end: `step` is by how much a parameter
//! is moved at the end to be told apart, `gain` how many steps it then follows a difference of one standard
//! error. The standard error comes from all pairs so far, so the numbers mean the same for any bot, unit and
//! size of a batch.
//!
//! The answer is the mean of θ over the second half of the iterations (Polyak & Juditsky 1992), which
//! leaves the last steps' noise out. On noisy quadratics of one parameter, 400 iterations of 250 deals, it lost
//! 0.02 points at every gain from 0.05 to 0.4 where a step from the optimum costs a point, the last θ 0.05 to
//! 0.5. Where a step costs a tenth of a point, it lost 0.11 to 0.15 points at gains from 0.1 on; smaller gains do
//! not arrive in time (0.3 at 0.05, 1.3 at 0.02, of 3.7 at the start). See `docs/statistics.md`.
//!
//! A match can be played only at multiples of a parameter's unit, which for whole numbers is 1. Values are
//! rounded at random, up or down so that they are right on average, both sides of a match with the same
//! draw: widths and moves below a unit are not lost.

use crate::StatsError;
use crate::error::{check, check_positive};
use crate::float::{count, to_f64};

/// The exponents of the gains (Spall 1998, section III.B).
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// The offset of the first gain, as a share of the iterations.
const STABILITY: f64 = 0.1;

/// A parameter that is tuned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpsaParam {
    /// The least value.
    pub low: f64,
    /// The greatest value.
    pub high: f64,
    /// The value at the start.
    pub start: f64,
    /// The width of the perturbation at the last iteration.
    pub step: f64,
    /// How many decimal places a value has: 0 for whole numbers.
    pub digits: u32,
}

/// What a match between the two sides of a perturbation came to.
///
/// Counted in half the unit of `y`, as [`PairedSums`](crate::PairedSums) does: twice the difference of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Measured {
    /// How many pairs.
    pub pairs: u64,
    /// The sum of twice the difference θ+ − θ−.
    pub doubled: i128,
    /// The sum of its squares.
    pub squares: i128,
}

impl Measured {
    /// Returns the mean difference; 0 of no pairs.
    pub fn mean(&self) -> f64 {
        if self.pairs == 0 { 0.0 } else { to_f64(self.doubled) / (2.0 * to_f64(self.pairs.into())) }
    }

    /// Returns the sum of the squares about the mean, in the unit of the mean.
    fn spread(&self) -> f64 {
        let n = i128::from(self.pairs.max(1));
        to_f64(n * self.squares - self.doubled * self.doubled) / (4.0 * to_f64(n))
    }
}

/// The two sides of a perturbation.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// By parameter, the values of θ+ to play with.
    pub plus: Vec<f64>,
    /// By parameter, the values of θ− to play with.
    pub minus: Vec<f64>,
    /// By parameter, the sign of the perturbation of θ+.
    signs: Vec<f64>,
}

/// Parameters under way.
///
/// ```
/// use coinche_inference::{Measured, Spsa, SpsaParam};
///
/// let param = SpsaParam { low: -20.0, high: 20.0, start: 10.0, step: 2.0, digits: 0 };
/// let mut spsa = Spsa::new(vec![param], 200, 0.15)?;
/// // A generator of one's own; here the finaliser of SplitMix64.
/// let random = |iteration: u64, param: u64| {
///     let z = (iteration << 8 | param).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
///     let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
///     let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
///     z ^ z >> 31
/// };
/// while let Some(trial) = spsa.trial(random) {
///     // The nearer to −5 the better.
///     let [plus, minus] = [trial.plus[0], trial.minus[0]].map(|value| -(value + 5.0).powi(2));
///     let doubled = (2.0 * (plus - minus)) as i128;
///     // A hundred pairs with a standard deviation of 130 points about that.
///     let squares = 100 * (doubled * doubled + 4 * 130 * 130);
///     spsa.feed(&trial, Measured { pairs: 100, doubled: 100 * doubled, squares });
/// }
/// assert_eq!(spsa.result(), [-5.0]);
/// # Ok::<(), coinche_inference::StatsError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Spsa {
    params: Vec<SpsaParam>,
    iterations: u64,
    gain: f64,
    /// How many iterations are over.
    done: u64,
    theta: Vec<f64>,
    /// Sums of θ and θ² over the second half.
    late: Vec<[f64; 2]>,
    /// Pairs so far, and the sum of their squares about the means.
    pairs: f64,
    spread: f64,
}

impl SpsaParam {
    /// Returns the unit that values are multiples of.
    fn unit(&self) -> f64 {
        10f64.powi(-i32::try_from(self.digits).unwrap_or(0))
    }

    /// Rounds to a unit, up with the chance of what is over it.
    fn round(&self, value: f64, draw: f64) -> f64 {
        self.nearest((value / self.unit() + draw).floor() * self.unit())
    }

    /// Rounds to the nearest legal value.
    fn nearest(&self, value: f64) -> f64 {
        let scale = 10f64.powi(i32::try_from(self.digits).unwrap_or(0));
        // A quotient of two whole numbers is the number that its decimals are read as.
        (value * scale).round().clamp((self.low * scale).round(), (self.high * scale).round()) / scale
    }

    fn check(&self) -> Result<(), StatsError> {
        check(self.low.is_finite(), "low", self.low, "a number")?;
        check(self.high.is_finite() && self.high > self.low, "high", self.high, "a number above low")?;
        let inside = (self.low..=self.high).contains(&self.start);
        check(inside, "start", self.start, "between low and high")?;
        check_positive("step", self.step)?;
        check(self.digits <= 9, "digits", self.digits.into(), "at most 9")
    }
}

impl Spsa {
    /// Starts at the parameters' starts.
    ///
    /// # Errors
    ///
    /// When a number is out of its range.
    pub fn new(params: Vec<SpsaParam>, iterations: u64, gain: f64) -> Result<Self, StatsError> {
        params.iter().try_for_each(SpsaParam::check)?;
        check(iterations > 0, "iterations", 0.0, "a whole number from 1")?;
        check_positive("gain", gain)?;
        let theta: Vec<f64> = params.iter().map(|param| param.start).collect();
        let late = vec![[0.0; 2]; theta.len()];
        Ok(Self { params, iterations, gain, done: 0, theta, late, pairs: 0.0, spread: 0.0 })
    }

    /// Returns the gain at the last iteration.
    pub const fn gain(&self) -> f64 {
        self.gain
    }

    /// Returns how many iterations are over.
    pub const fn done(&self) -> u64 {
        self.done
    }

    /// Returns the parameters as they are now, between their units.
    pub fn theta(&self) -> &[f64] {
        &self.theta
    }

    /// Returns the factor on the widths: 1 at the last iteration, above before.
    fn width(&self) -> f64 {
        libm::pow(to_f64(self.iterations.into()) / to_f64(i128::from(self.done) + 1), GAMMA)
    }

    /// Returns the two sides of the next match; `None` when all iterations are over.
    ///
    /// `random` gives 64 uniform bits for an iteration and a parameter, both counted from 0: the same for the same
    /// two, independent for others.
    pub fn trial(&self, random: impl Fn(u64, u64) -> u64) -> Option<Trial> {
        if self.done == self.iterations {
            return None;
        }
        let width = self.width();
        let mut trial = Trial { plus: Vec::new(), minus: Vec::new(), signs: Vec::new() };
        for (n, (param, theta)) in (0..).zip(self.params.iter().zip(&self.theta)) {
            let bits = random(self.done, n);
            let sign = if bits & 1 == 0 { 1.0 } else { -1.0 };
            let draw = to_f64((bits >> 11).into()) / to_f64(1 << 53);
            let away = sign * width * param.step;
            let side = |value: f64| param.round(value.clamp(param.low, param.high), draw);
            trial.plus.push(side(theta + away));
            trial.minus.push(side(theta - away));
            trial.signs.push(sign);
        }
        Some(trial)
    }

    /// Moves the parameters by what the match of the last trial came to.
    ///
    /// Where all pairs so far were equal nothing is known and nothing is moved.
    pub fn feed(&mut self, trial: &Trial, measured: Measured) {
        self.pairs += to_f64(measured.pairs.into());
        self.spread += measured.spread();
        let error = (self.spread / self.pairs / to_f64(measured.pairs.into())).sqrt();
        let z = if error > 0.0 { measured.mean() / error } else { 0.0 };
        let [all, k] = [self.iterations.into(), i128::from(self.done) + 1].map(to_f64);
        let offset = STABILITY * all;
        let pace = self.gain * libm::pow((offset + all) / (offset + k), ALPHA) / self.width();
        let is_late = self.done >= self.iterations / 2;
        for (n, param) in self.params.iter().enumerate() {
            let moved = self.theta[n] + pace * param.step * z * trial.signs[n];
            self.theta[n] = moved.clamp(param.low, param.high);
            if is_late {
                self.late[n][0] += self.theta[n];
                self.late[n][1] += self.theta[n] * self.theta[n];
            }
        }
        self.done += 1;
    }

    /// Returns, by parameter, mean and standard deviation of θ over the second half of the iterations;
    /// before there are any, where it is now.
    pub fn late(&self) -> Vec<[f64; 2]> {
        let n = self.done.saturating_sub(self.iterations / 2);
        if n == 0 {
            return self.theta.iter().map(|theta| [*theta, 0.0]).collect();
        }
        let n = count(usize::try_from(n).unwrap_or(usize::MAX));
        let moments =
            |[sum, squares]: &[f64; 2]| [sum / n, (squares / n - (sum / n).powi(2)).max(0.0).sqrt()];
        self.late.iter().map(moments).collect()
    }

    /// Returns the tuned values: the means over the second half, rounded to the nearest that can be played.
    pub fn result(&self) -> Vec<f64> {
        self.params.iter().zip(self.late()).map(|(param, [mean, _])| param.nearest(mean)).collect()
    }
}
