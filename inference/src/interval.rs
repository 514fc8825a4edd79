//! Intervals of means of paired differences that hold where few pairs differ.
//!
//! Bots that are nearly alike play most deals alike: their pairs are 0, but for a few that are as large as a contract. A
//! sample of such pairs knows its own variance badly, and often has none at all, so that Student's interval is too narrow
//! or has no width. Therefore the sum of squares gets that of [`PSEUDO_PAIRS`] more pairs which differ by the size of a
//! leg, to both sides: they widen the interval and do not move the mean, as the successes and failures that are added to a
//! share do (Wilson 1927; Agresti & Coull 1998).
//!
//! ```text
//! s²  = (Σ(x − x̄)² + 3 S²) / (n − 1),   S² = mean square of a leg's difference
//! x̄ ± t · s / √n
//! ```
//!
//! The size `S` comes from the same legs, so it is in the unit of the game and the same for A − B and B − A. Three pairs
//! agree with two exact rules. If none of `n` pairs differs, the interval reaches to `3.4 S / n`; by the rule of three
//! (Hanley & Lippman-Hand 1983) up to 3.0 to 3.7 of `n` pairs may differ. If all pairs that differ do so by `S` to one
//! side, six of them leave out 0, as in the sign test. Fewer than six never do, whatever their size: there the interval is
//! widened until it contains 0. For ordinary pairs, where the sum of squares is that of many legs, nothing changes: 4 % of
//! the width at 200 pairs, 1 % at 1,000.
//!
//! `tests/it/rare.rs` simulates the coverage for pairs of real bots; `docs/statistics.md` has the table.

use crate::student_t;

/// How many pairs that differ by the size of a leg are added to the sum of squares.
pub const PSEUDO_PAIRS: f64 = 3.0;

/// What is known of paired differences, or of any linear combination of them.
///
/// ```
/// use coinche_inference::MeanOfPairs;
///
/// // None of 200 pairs differs; the legs differ by 280 points.
/// let mean = MeanOfPairs {
///     pairs: 200, differing: 0, mean: 0.0, variance: 0.0, leg_square: 280.0 * 280.0, degrees: 199.0,
/// };
/// let half = mean.interval(0.95).ok_or("no interval")?.half_width;
/// assert!((half - 4.8).abs() < 0.1);
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanOfPairs {
    /// How many pairs there are.
    pub pairs: u64,
    /// How many of them differ: those that are not 0.
    pub differing: u64,
    /// Their mean.
    pub mean: f64,
    /// The sample variance of a pair.
    pub variance: f64,
    /// The mean square of a single leg's difference.
    pub leg_square: f64,
    /// The degrees of freedom of the variance: pairs less 1, or fewer where more than the mean was fitted.
    pub degrees: f64,
}

/// A mean with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanInterval {
    /// The standard error of the mean.
    pub standard_error: f64,
    /// Half the width of the interval.
    pub half_width: f64,
    /// The ends of the interval, `mean ± half_width`.
    pub ends: [f64; 2],
}

impl MeanOfPairs {
    /// Returns the variance of the mean, with the pseudo-pairs in it.
    #[expect(clippy::cast_precision_loss, reason = "counts of pairs are below 2^53")]
    pub fn variance_of_mean(&self) -> f64 {
        let n = self.pairs as f64;
        self.variance / n + pseudo_variance_of_mean(self.leg_square, n)
    }

    /// Returns the interval of a level of confidence, or `None` where nothing can be said: of fewer than two pairs, and
    /// where no leg has any difference.
    pub fn interval(&self, level: f64) -> Option<MeanInterval> {
        let variance = self.variance_of_mean();
        if self.pairs < 2 || self.degrees < 1.0 || variance <= 0.0 || !variance.is_finite() {
            return None;
        }
        let standard_error = variance.sqrt();
        let half = student_t(level, self.degrees) * standard_error;
        let too_few = least_p_value(self.differing) > 1.0 - level;
        let half_width = if too_few { half.max(self.mean.abs()) } else { half };
        let ends = [self.mean - half_width, self.mean + half_width];
        Some(MeanInterval { standard_error, half_width, ends })
    }
}

/// Returns what the pseudo-pairs add to the variance of a mean of so many pairs, at least 2, given the mean square of a
/// leg's difference.
pub fn pseudo_variance_of_mean(leg_square: f64, pairs: f64) -> f64 {
    PSEUDO_PAIRS * leg_square / (pairs * (pairs - 1.0))
}

/// Returns the smallest two-sided p-value that so many differing pairs can have: that of the sign test with all of them on
/// one side, `2^(1 − m)`. Six are needed for 5 %.
pub fn least_p_value(differing: u64) -> f64 {
    let exponent = i32::try_from(differing.min(1000)).unwrap_or(1000);
    2f64.powi(1 - exponent).min(1.0)
}
