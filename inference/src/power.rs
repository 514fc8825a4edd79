//! How many pairs it takes to see an effect, by a test of fixed size and by the sequential one.

use crate::distributions::normal_point;
use crate::error::{check, check_positive, check_probability};
use crate::{SprtPlan, StatsError};

/// With fewer pairs the interval of a mean of pairs counts on differences that were not seen, so that it takes more than [`pairs_needed`] says: of 13 pairs in place of 80 %
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

/// Returns how many pairs it takes where a control variate is taken out of them: `residual_sd` is what is left of the
/// standard deviation of a pair, and `error` the standard error that the mean known of the control leaves, however many
/// pairs are played. `None` where that error alone hides the effect.
///
/// ```
/// use coinche_inference::{detectable_effect_with_control, pairs_needed, pairs_needed_with_control};
///
/// assert_eq!(pairs_needed_with_control(5.0, 89.0, 0.0, 0.05, 0.8)?, Some(pairs_needed(5.0, 89.0, 0.05, 0.8)?));
/// // A mean that is known to a quarter of a point costs 2 % more pairs.
/// assert_eq!(pairs_needed_with_control(5.0, 89.0, 0.25, 0.05, 0.8)?, Some(2539));
/// let effect = detectable_effect_with_control(2539, 89.0, 0.25, 0.05, 0.8)?;
/// assert!((effect - 5.0).abs() < 1e-3);
/// // One that is known to 2 points hides the effect.
/// assert_eq!(pairs_needed_with_control(5.0, 89.0, 2.0, 0.05, 0.8)?, None);
/// # Ok::<(), coinche_inference::StatsError>(())
/// ```
///
/// # Errors
///
/// As [`pairs_needed`], and when the error is not a number from 0.
pub fn pairs_needed_with_control(
    effect: f64,
    residual_sd: f64,
    error: f64,
    alpha: f64,
    power: f64,
) -> Result<Option<u64>, StatsError> {
    check(error >= 0.0 && error.is_finite(), "error", error, "a number from 0")?;
    let left = effect.powi(2) - (quantiles(alpha, power)? * error).powi(2);
    if left <= 0.0 {
        return check_positive("effect", effect.abs()).map(|()| None);
    }
    pairs_needed(left.sqrt(), residual_sd, alpha, power).map(Some)
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

/// Returns the effect that this many pairs find where a control variate is taken out of them: the inverse of
/// [`pairs_needed_with_control`].
///
/// # Errors
///
/// As [`detectable_effect`], and when the error is not a number from 0.
pub fn detectable_effect_with_control(
    pairs: u64,
    residual_sd: f64,
    error: f64,
    alpha: f64,
    power: f64,
) -> Result<f64, StatsError> {
    check(error >= 0.0 && error.is_finite(), "error", error, "a number from 0")?;
    let effect = detectable_effect(pairs, residual_sd, alpha, power)?;
    Ok(libm::hypot(effect, quantiles(alpha, power)? * error))
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
