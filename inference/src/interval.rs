//! Intervals of means of paired differences that hold where few pairs differ, and where those that do are large.
//!
//! Bots that are nearly alike play most deals alike: their pairs are 0, but for a few that are as large as a contract. A
//! sample of such pairs knows its own variance badly, and often has none at all, so that Student's interval is too narrow
//! or has no width. Therefore the standard error has three parts:
//!
//! ```text
//! SE = √((Σ(x − x̄)² + 3 Z²) / (n (n − 1))) + |J| / n       x̄ ± t · SE
//! Z² = S² (1 + 24 (2 / (2 + m))²),   m = Σx² / S²,   J = Σ(x − x̄)³ / Σ(x − x̄)²
//! ```
//!
//! * **Three pseudo-pairs** of the size `Z`, to both sides: they widen the interval and do not move the mean, as the
//!   successes and failures that are added to a share do (Wilson 1927; Agresti & Coull 1998). Three is the rule of three
//!   (Hanley & Lippman-Hand 1983): if none of `n` pairs differs, up to 3.0 to 3.7 of `n` may.
//! * **Their size** is that of a leg, `S` (its mean square), where as much was seen as many legs would be. Where little was
//!   seen it is five legs: scores are bounded, and the largest pairs of real bots are some 4 to 8 legs (a capot or a
//!   générale that is coinched and lost). `m` counts in legs what was seen. Legs that are all of one size, as of matches
//!   won, bound a pair by that size: there `Z` is `S`.
//! * **The skewness** `J`, the size of the pairs that lean to one side: by Johnson (1978) and Hall (1992) one
//!   end moves by `(2 t² + 1)/6 · J/n`. Here both move, and by `t · J/n`, since the rare pairs may lie on either side.
//!
//! `S` comes from the same legs, so it is in the unit of the game and the same for A − B and B − A. Fewer than six pairs
//! that differ never decide, whatever their size, as in the sign test: there the interval is widened until it contains 0.
//!
//! `tests/it/rare.rs` simulates the coverage for thirty pairs of bots; `docs/statistics.md` has the table.

use crate::student_t;

/// The size of a pair that was never seen, in legs.
const UNSEEN: f64 = 5.0;
/// How many legs must have been seen for the size of the pseudo-pairs to be halfway to that of a leg.
const FADING: f64 = 2.0;

/// How much is added to what the pairs show.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Caution {
    /// Pairs that are added to the sum of squares.
    pub(crate) pseudo_pairs: f64,
    /// How many times the skewness is added to the sum.
    pub(crate) skewness: f64,
}

/// That of intervals.
pub(crate) const OF_INTERVALS: Caution = Caution { pseudo_pairs: 3.0, skewness: 1.0 };

/// What is known of paired differences, or of any linear combination of them.
///
/// ```
/// use coinche_inference::PairedSums;
///
/// // None of 200 pairs differs; the legs differ by 100 or 500 points.
/// let mut sums = PairedSums::default();
/// for pair in 0..200 {
///     sums.add(if pair % 4 == 0 { [500, -500] } else { [100, -100] });
/// }
/// let half = sums.mean_of_pairs().and_then(|mean| mean.interval(0.95)).ok_or("no interval")?.half_width;
/// assert!((22.5..22.8).contains(&half));
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanOfPairs {
    /// How many pairs there are.
    pub pairs: u64,
    /// How many of them differ: those that are not 0. Of a combination all count.
    pub differing: u64,
    /// Their mean.
    pub mean: f64,
    /// The sample variance of a pair.
    pub variance: f64,
    /// The third central moment over the variance.
    pub skewness: f64,
    /// The mean square of a single leg's difference.
    pub leg_square: f64,
    /// Whether all legs are of one size.
    pub is_even: bool,
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
    /// Returns the same of the second bot's side.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { mean: -self.mean, skewness: -self.skewness, ..self }
    }

    /// Returns what is known of a weighted sum of paired differences on the same deals, given the mean and the sample
    /// variance of the sum.
    ///
    /// The rare pairs of terms of one sign may be the same, so that their sizes add up; those of terms of different sign are
    /// not in the sum then, and the larger side counts.
    pub fn of_sum(terms: &[(f64, Self)], mean: f64, variance: f64) -> Self {
        let size = |sign: f64| -> f64 {
            terms.iter().map(|(weight, it)| (sign * weight).max(0.0) * it.leg_square.sqrt()).sum()
        };
        let third: f64 =
            terms.iter().map(|(weight, it)| weight * libm::cbrt(it.skewness * it.variance)).sum();
        let first = terms.first().map(|(_, it)| *it);
        let pairs = first.map_or(0, |it| it.pairs);
        Self {
            pairs,
            differing: pairs,
            mean,
            variance,
            skewness: if variance > 0.0 { third.powi(3) / variance } else { 0.0 },
            leg_square: size(1.0).max(size(-1.0)).powi(2),
            is_even: terms.iter().all(|(_, it)| it.is_even),
            degrees: first.map_or(0.0, |it| it.degrees),
        }
    }

    /// Returns the standard error of the mean: what else is added to a variance of the mean of `variance`.
    pub(crate) fn error_of(&self, variance: f64, caution: Caution) -> f64 {
        let n = self.pairs as f64;
        let squares = self.variance * (n - 1.0) + n * self.mean * self.mean;
        // How many legs were seen.
        let seen = if self.leg_square > 0.0 { squares / self.leg_square } else { 0.0 };
        let unseen = if self.is_even { 0.0 } else { UNSEEN.powi(2) - 1.0 };
        let size = self.leg_square * (1.0 + unseen * (FADING / (FADING + seen)).powi(2));
        let pseudo = caution.pseudo_pairs * size / (n * (n - 1.0));
        (variance + pseudo).sqrt() + caution.skewness * self.skewness.abs() / n
    }

    /// Returns the interval of a level of confidence, or `None` where nothing can be said: of fewer than two pairs, and
    /// where no leg has any difference.
    pub fn interval(&self, level: f64) -> Option<MeanInterval> {
        if self.pairs < 2 || self.degrees < 1.0 {
            return None;
        }
        let standard_error = self.error_of(self.variance / self.pairs as f64, OF_INTERVALS);
        if standard_error <= 0.0 || !standard_error.is_finite() {
            return None;
        }
        let half = student_t(level, self.degrees) * standard_error;
        let too_few = least_p_value(self.differing) > 1.0 - level;
        let half_width = if too_few { half.max(self.mean.abs()) } else { half };
        let ends = [self.mean - half_width, self.mean + half_width];
        Some(MeanInterval { standard_error, half_width, ends })
    }
}

/// Returns the smallest two-sided p-value that so many differing pairs can have: that of the sign test with all of them on
/// one side, `2^(1 − m)`. Six are needed for 5 %.
pub fn least_p_value(differing: u64) -> f64 {
    let exponent = i32::try_from(differing.min(1000)).unwrap_or(1000);
    2f64.powi(1 - exponent).min(1.0)
}
