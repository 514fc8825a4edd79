//! How many pairs it takes to see an effect, by a test of fixed size and by the sequential one.

use crate::distributions::normal_point;
use crate::error::{check, check_positive, check_probability};
use crate::sprt::OF_TESTS;
use crate::{MeanOfPairs, SprtPlan, StatsError, least_p_value, student_t};

/// With fewer pairs, of which nothing but their deviation is known, the interval of a mean of pairs counts on differences that were not seen, so that it takes more than [`pairs_needed`] says: of 13 pairs in place of 80 %
/// one in five found its effect, of 50 three in five, of 363 four in five.
pub const FEW_PAIRS: u64 = 200;

/// More than anybody plays; whole numbers are exact up to here.
const MOST_PAIRS: f64 = 1e15;

/// Returns the sum of the normal quantiles of a two-sided test at level `alpha` and of its power.
fn quantiles(alpha: f64, power: f64) -> Result<f64, StatsError> {
    check_probability("alpha", alpha)?;
    check_probability("power", power)?;
    check(power >= alpha, "power", power, "at least alpha")?;
    Ok(normal_point(1.0 - alpha / 2.0) + normal_point(power))
}

/// Returns how many pairs the two-sided paired t-test at level `alpha` needs to find an effect of `effect`
/// points with a chance of `power`, when the pairs have a standard deviation of `sd` points.
///
/// The normal approximation `n = ((z_{1−α/2} + z_{power}) · sd / effect)²` with Guenther's correction
/// `+ z²_{1−α/2} / 2` for the estimated variance (Guenther 1981); one pair off at most for `n` ≥ 10. The
/// sign of the effect does not matter.
///
/// ```
/// use coinche_inference::pairs_needed;
///
/// assert_eq!(pairs_needed(5.0, 166.0, 0.05, 0.8)?, 8654);
/// # Ok::<(), coinche_inference::StatsError>(())
/// ```
///
/// # Errors
///
/// When an effect or a deviation is not a number above 0, the effect takes more than 10^15 pairs, or α and the power are not probabilities
/// with α ≤ power.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "rounded up from 0, and the conversion saturates"
)]
pub fn pairs_needed(effect: f64, sd: f64, alpha: f64, power: f64) -> Result<u64, StatsError> {
    check_positive("effect", effect.abs())?;
    check_positive("sd", sd)?;
    let n = (quantiles(alpha, power)? * sd / effect).powi(2);
    check(n <= MOST_PAIRS, "effect", effect, "large enough to be found in 10^15 pairs")?;
    let z = normal_point(1.0 - alpha / 2.0);
    Ok((n + z * z / 2.0).ceil().max(2.0) as u64)
}

/// Returns the effect in points that this many pairs find with a chance of `power`: the inverse of
/// [`pairs_needed`].
///
/// # Errors
///
/// Below four pairs, and as [`pairs_needed`].
pub fn detectable_effect(pairs: u64, sd: f64, alpha: f64, power: f64) -> Result<f64, StatsError> {
    check_positive("sd", sd)?;
    let sum = quantiles(alpha, power)?;
    check(pairs >= 4, "pairs", pairs as f64, "a whole number from 4")?;
    let z = normal_point(1.0 - alpha / 2.0);
    Ok(sd * sum / (pairs as f64 - z * z / 2.0).max(1.0).sqrt())
}

/// Returns the chance of at least so many events of a Poisson distribution.
fn at_least(events: u64, mean: f64) -> f64 {
    let mut term = libm::exp(-mean);
    let mut below = 0.0;
    for k in 0..events {
        below += term;
        term *= mean / (k + 1) as f64;
    }
    1.0 - below
}

/// Pairs of two bots, as a run has them: how many it takes until **their** interval, with what it adds for rare pairs, leaves out 0.
///
/// ```
/// use coinche_inference::{PairedSums, pairs_needed};
///
/// // One pair of a hundred differs, by 300 points.
/// let mut sums = PairedSums::default();
/// for pair in 0..2000 {
///     sums.add(if pair % 100 == 0 { [500, 100] } else { [200, -200] });
/// }
/// let [known, estimate] = [sums.mean_of_pairs(), sums.estimate().and_then(|it| it.mean_of_pairs())];
/// let needed = known.ok_or("none")?.pairs_needed(3.0, 0.0, 0.05, 0.8)?;
/// assert_eq!(needed, estimate.ok_or("none")?.pairs_needed(3.0, 0.0, 0.05, 0.8)?);
/// assert!(needed > Some(pairs_needed(3.0, 29.9, 0.05, 0.8)?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl MeanOfPairs {
    /// Returns how many such pairs find an effect of `effect` points by their interval of `1 − alpha` with a chance of `power`;
    /// `None` where no number does. `error` is the standard error that the known mean of a control leaves, however many pairs
    /// are played; 0 without a control.
    ///
    /// # Errors
    ///
    /// As [`pairs_needed`], and when the error is not a number from 0.
    pub fn pairs_needed(
        &self,
        effect: f64,
        error: f64,
        alpha: f64,
        power: f64,
    ) -> Result<Option<u64>, StatsError> {
        check_positive("effect", effect.abs())?;
        let finds = |pairs| self.finds(pairs, effect.abs(), error, alpha, power);
        let mut high = 2_u64;
        while !finds(high)? {
            high *= 2;
            if high as f64 > MOST_PAIRS {
                return Ok(None);
            }
        }
        let mut low = high / 2;
        while high - low > 1 {
            let middle = u64::midpoint(low, high);
            *(if finds(middle)? { &mut high } else { &mut low }) = middle;
        }
        Ok(Some(high))
    }

    /// Returns the effect in points that this many such pairs find: the inverse of [`pairs_needed`](Self::pairs_needed).
    ///
    /// # Errors
    ///
    /// As there, and below four pairs.
    pub fn detectable_effect(
        &self,
        pairs: u64,
        error: f64,
        alpha: f64,
        power: f64,
    ) -> Result<Option<f64>, StatsError> {
        check(pairs >= 4, "pairs", pairs as f64, "a whole number from 4")?;
        let (mut low, mut high) = (0.0, 1e9);
        if !self.finds(pairs, high, error, alpha, power)? {
            return Ok(None);
        }
        while high - low > 1e-9 * high {
            let middle = f64::midpoint(low, high);
            *(if self.finds(pairs, middle, error, alpha, power)? { &mut high } else { &mut low }) = middle;
        }
        Ok(Some(high))
    }

    /// Tests if so many pairs find an effect.
    fn finds(&self, pairs: u64, effect: f64, error: f64, alpha: f64, power: f64) -> Result<bool, StatsError> {
        quantiles(alpha, power)?;
        check(error >= 0.0 && error.is_finite(), "error", error, "a number from 0")?;
        let n = pairs as f64;
        // All that differ on one side decide from here on.
        let least = (1..1000).find(|differing| least_p_value(*differing) <= alpha).unwrap_or(1000);
        let differing = n * self.differing as f64 / self.pairs as f64;
        if at_least(least, differing) < power {
            return Ok(false);
        }
        let known = Self { pairs, differing: pairs.max(least), mean: effect, degrees: n - 1.0, ..*self };
        let Some(interval) = known.interval(1.0 - alpha) else { return Ok(false) };
        let half = libm::hypot(interval.half_width, student_t(1.0 - alpha, n - 1.0) * error);
        let deviation = libm::hypot((self.variance / n).sqrt(), error);
        Ok(effect - half >= normal_point(power) * deviation)
    }

    /// Returns the standard deviation of a pair that a sequential test counts on after so many pairs.
    pub fn sd_in_tests(&self, pairs: u64) -> f64 {
        let n = pairs as f64;
        Self { pairs, ..*self }.error_of(self.variance / n, OF_TESTS) * n.sqrt()
    }
}

/// The expected overshoot of a random walk with normal steps over a bound far away, in standard deviations
/// of a step: −ζ(1/2)/√(2π) (Siegmund 1985, section 10.4).
const OVERSHOOT: f64 = 0.582_597;

/// The log-likelihood ratio as a Brownian motion between two bounds.
struct Motion {
    /// The bounds, beyond Wald's by the expected overshoot.
    low: f64,
    high: f64,
    /// Twice the drift over the variance.
    lean: f64,
    /// The drift and the variance of a pair.
    drift: f64,
    variance: f64,
}

impl Motion {
    fn new(plan: &SprtPlan, effect: f64, sd: f64) -> Result<Self, StatsError> {
        plan.check()?;
        check_positive("sd", sd)?;
        check(effect.is_finite(), "effect", effect, "a number")?;
        let width = plan.upper - plan.lower;
        let drift = width * (effect - f64::midpoint(plan.lower, plan.upper)) / (sd * sd);
        let variance = (width / sd).powi(2);
        let overshoot = OVERSHOOT * (variance * plan.every as f64).sqrt();
        let [low, high] = plan.thresholds();
        Ok(Self {
            low: low - overshoot,
            high: high + overshoot,
            lean: 2.0 * drift / variance,
            drift,
            variance,
        })
    }

    /// Wald's operating characteristic: `exp(−lean · LLR)` is a martingale.
    fn upper(&self) -> f64 {
        let Self { low, high, lean, .. } = *self;
        if (lean * (high - low)).abs() < 1e-9 {
            return -low / (high - low);
        }
        // Written so that no exponent is large and positive.
        if lean > 0.0 {
            libm::expm1(lean * low) / libm::expm1(lean * (low - high))
        } else {
            let [a, b] = [lean * high, lean * (high - low)];
            (libm::exp(a) - libm::exp(b)) / -libm::expm1(b)
        }
    }
}

impl SprtPlan {
    /// Returns the chance that the upper bound is accepted when the true mean is `effect` points, with
    /// pairs of a standard deviation of `sd` points.
    ///
    /// For a walk observed every `every` pairs, its overshoot of the bounds included (Wald 1945, Siegmund
    /// 1985); the first look and the last are left out.
    ///
    /// # Errors
    ///
    /// When the plan or a number is out of its range.
    pub fn chance_of_upper(&self, effect: f64, sd: f64) -> Result<f64, StatsError> {
        Ok(Motion::new(self, effect, sd)?.upper())
    }

    /// Returns how many pairs the test is expected to take when the true mean is `effect` points, under the
    /// same conditions as [`chance_of_upper`](Self::chance_of_upper); it is not below the first look.
    ///
    /// # Errors
    ///
    /// When the plan or a number is out of its range.
    pub fn expected_pairs(&self, effect: f64, sd: f64) -> Result<f64, StatsError> {
        let motion = Motion::new(self, effect, sd)?;
        let Motion { low, high, lean, drift, variance } = motion;
        let pairs = if (lean * (high - low)).abs() < 1e-6 {
            -low * high / variance
        } else {
            let upper = motion.upper();
            (upper * high + (1.0 - upper) * low) / drift
        };
        let first = self.next_look(0).unwrap_or(1) as f64;
        Ok(pairs.max(first))
    }
}
