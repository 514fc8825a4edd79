//! Paired statistics.
//!
//! The unit is the pair of legs: `x` of deal `i` is the mean over its two legs of (score of A − score of
//! B). Sums are integers, exact and independent of order; divisions come last. The interval is Student's
//! `mean ± t · s / √n` with `n − 1` degrees of freedom (Student 1908), where `s` holds also where few pairs differ
//! ([`MeanOfPairs`]). The estimate of B − A is exactly that of A − B with the sign turned.

use serde::{Deserialize, Serialize};

use crate::float::{sum_of_products, to_f64};
use crate::interval::OF_INTERVALS;
use crate::{MeanInterval, MeanOfPairs, larger, least_p_value, merge, wilson_of_share};

/// Integer sums over pairs of legs.
///
/// ```
/// use coinche_inference::PairedSums;
///
/// let mut sums = PairedSums::default();
/// for legs in [[10, -4], [20, 2], [7, -1]] {
///     sums.add(legs);
/// }
/// let estimate = sums.estimate().ok_or("no pairs")?;
/// assert!((estimate.mean - 17.0 / 3.0).abs() < 1e-12);
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PairedSums {
    /// Pairs.
    pub pairs: u64,
    /// Pairs that differ: their legs do not add up to 0.
    pub differing: u64,
    /// Sum and sum of squares of the pairs' doubled means.
    sum: i128,
    squares: i128,
    /// Sums and sums of squares of the legs' differences.
    leg_sums: [i128; 2],
    leg_squares: [i128; 2],
    /// Sum of cubes of the pairs' doubled means, and the largest difference of a leg. Sums that were stored without them
    /// count as those of legs of one size, without skewness.
    #[serde(default)]
    cubes: i128,
    #[serde(default)]
    largest: u64,
}

merge! { PairedSums { pairs, differing, sum, squares, leg_sums, leg_squares, cubes; with larger: largest } }

/// What is estimated from pairs, in the unit of the differences.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The number of pairs.
    pub pairs: u64,
    /// How many of them differ.
    #[serde(default)]
    pub differing: u64,
    /// The mean paired difference A − B.
    pub mean: f64,
    /// The sample standard deviation of the paired differences.
    pub sd: Option<f64>,
    /// The standard error of the mean, wider than `sd / √pairs` by what rare pairs may hide.
    pub standard_error: Option<f64>,
    /// Half the width of the 95 % interval.
    pub half_width: Option<f64>,
    /// The 95 % interval.
    pub interval: Option<[f64; 2]>,
    /// The means of both legs.
    pub leg_means: [f64; 2],
    /// The sample standard deviation of a single leg's difference, both legs pooled.
    pub leg_sd: Option<f64>,
}

impl Estimate {
    /// Returns what the standard error adds to the variance of the mean that the pairs show.
    pub fn added_variance(&self) -> f64 {
        let pairs = to_f64(self.pairs.into());
        let [error, sd] = [self.standard_error, self.sd].map(Option::unwrap_or_default);
        (error * error - sd * sd / pairs).max(0.0)
    }

    /// Returns what the interval depends on, as far as figures tell: the skewness is what their standard error has beside.
    pub fn mean_of_pairs(&self) -> Option<MeanOfPairs> {
        let (n, sd) = (to_f64(self.pairs.into()), self.sd?);
        let plain = MeanOfPairs {
            pairs: self.pairs,
            differing: self.differing,
            mean: self.mean,
            variance: sd * sd,
            skewness: 0.0,
            leg_square: self.leg_sd?.powi(2) * (2.0 * n - 1.0) / (2.0 * n) + self.mean * self.mean,
            is_even: false,
            degrees: n - 1.0,
        };
        let error = plain.error_of(plain.variance / n, OF_INTERVALS);
        Some(MeanOfPairs { skewness: (n * (self.standard_error? - error)).max(0.0), ..plain })
    }

    /// Returns the share of legs won with the ends of its 95 % interval, of differences that are 1, 0 or −1 a leg: half
    /// of one more than the mean.
    ///
    /// The interval is Wilson's of the number of independent legs that tell as much: at least one a pair, if both legs of
    /// a pair always end alike, and many more where most pairs are shared, one leg each. It stays within 0 to 1, has a
    /// width also where all legs are won, and contains one half while too few pairs differ to tell the sides apart.
    pub fn share_won(&self) -> [f64; 3] {
        if self.mean < 0.0 {
            let [share, low, high] = self.reversed().share_won();
            return [1.0 - share, 1.0 - high, 1.0 - low];
        }
        let pairs = to_f64(i128::from(self.pairs));
        let share = f64::midpoint(1.0, self.mean);
        let variance = self.standard_error.map_or(0.0, |error| error * error / 4.0);
        let legs = if variance > 0.0 { share * (1.0 - share) / variance } else { 0.0 };
        let [low, high] = wilson_of_share(share, legs.max(pairs), 0.95);
        let too_few = least_p_value(self.differing) > 0.05;
        if too_few { [share, low.min(0.5), high.max(0.5)] } else { [share, low, high] }
    }
}

/// The sample variance from exact sums: `(n Σx² − (Σx)²) / (n (n − 1))`.
fn variance(n: u64, sum: i128, squares: i128) -> Option<f64> {
    let count = i128::from(n);
    (n >= 2).then(|| to_f64(count * squares - sum * sum) / (to_f64(count) * to_f64(count - 1)))
}

impl PairedSums {
    /// Adds a pair: the differences A − B of its two legs.
    #[inline]
    pub fn add(&mut self, legs: [i64; 2]) {
        let doubled = i128::from(legs[0] + legs[1]);
        self.pairs += 1;
        self.differing += u64::from(doubled != 0);
        self.sum += doubled;
        self.squares += doubled * doubled;
        self.cubes += doubled * doubled * doubled;
        for (leg, difference) in legs.map(i128::from).into_iter().enumerate() {
            self.leg_sums[leg] += difference;
            self.leg_squares[leg] += difference * difference;
            self.largest = self.largest.max(legs[leg].unsigned_abs());
        }
    }

    /// Returns the sums of the same pairs in a finer unit, of which `factor` make one.
    #[must_use]
    pub fn times(&self, factor: u32) -> Self {
        let largest = u64::from(factor) * self.largest;
        let factor = i128::from(factor);
        let square = factor * factor;
        Self {
            pairs: self.pairs,
            differing: self.differing,
            sum: factor * self.sum,
            squares: square * self.squares,
            leg_sums: self.leg_sums.map(|sum| factor * sum),
            leg_squares: self.leg_squares.map(|sum| square * sum),
            cubes: square * factor * self.cubes,
            largest,
        }
    }

    /// Returns the sum of the differences of both legs over all pairs, exact: twice the sum of the pairs.
    pub const fn total(&self) -> i128 {
        self.sum
    }

    /// Returns all numbers with their names, to compare two sums one by one. Of a pair the sums have twice the mean.
    pub fn numbers(&self) -> [(&'static str, i128); 10] {
        [
            ("number", self.pairs.into()),
            ("number differing", self.differing.into()),
            ("sum", self.sum),
            ("sum of squares", self.squares),
            ("sum in leg 0", self.leg_sums[0]),
            ("sum in leg 1", self.leg_sums[1]),
            ("sum of squares in leg 0", self.leg_squares[0]),
            ("sum of squares in leg 1", self.leg_squares[1]),
            ("sum of cubes", self.cubes),
            ("largest difference of a leg", self.largest.into()),
        ]
    }

    /// Returns the mean of the pairs and their variance with divisor `n`, or `None` without a pair.
    ///
    /// The variance is exactly 0 when all pairs are equal.
    pub fn moments(&self) -> Option<[f64; 2]> {
        let n = i128::from(self.pairs);
        (n > 0).then(|| {
            let [count, doubled] = [to_f64(n), to_f64(self.sum)];
            [doubled / (2.0 * count), to_f64(n * self.squares - self.sum * self.sum) / (4.0 * count * count)]
        })
    }

    /// Returns the third central moment of the pairs over their variance.
    fn skewness(&self) -> f64 {
        let n = i128::from(self.pairs);
        let square = to_f64(n * self.squares - self.sum * self.sum);
        if self.largest == 0 || square <= 0.0 {
            return 0.0;
        }
        // n² times the sum of the cubes about the mean, of doubled numbers.
        let cube = sum_of_products([
            [n, n, self.cubes],
            [-3 * n, self.sum, self.squares],
            [2 * self.sum, self.sum, self.sum],
            [0; 3],
        ]);
        cube / (2.0 * to_f64(n) * square)
    }

    /// Returns the mean square of a leg's difference, or `None` without a pair.
    fn leg_square(&self) -> Option<f64> {
        let squares = to_f64(self.leg_squares[0] + self.leg_squares[1]);
        (self.pairs > 0).then(|| squares / (2.0 * to_f64(self.pairs.into())))
    }

    /// Returns what the interval of the mean depends on, or `None` below two pairs.
    pub fn mean_of_pairs(&self) -> Option<MeanOfPairs> {
        let n = to_f64(self.pairs.into());
        Some(MeanOfPairs {
            pairs: self.pairs,
            differing: self.differing,
            mean: to_f64(self.sum) / (2.0 * n),
            variance: variance(self.pairs, self.sum, self.squares)? / 4.0,
            skewness: self.skewness(),
            leg_square: self.leg_square()?,
            // A few legs may be drawn.
            is_even: to_f64(i128::from(self.largest).pow(2)) <= 1.25 * self.leg_square()?,
            degrees: n - 1.0,
        })
    }

    /// Returns the estimate, or `None` without a pair.
    pub fn estimate(&self) -> Option<Estimate> {
        if self.pairs == 0 {
            return None;
        }
        let n = to_f64(self.pairs.into());
        let mean = to_f64(self.sum) / (2.0 * n);
        let sd = variance(self.pairs, self.sum, self.squares).map(|variance| variance.sqrt() / 2.0);
        let interval = self.mean_of_pairs().and_then(|mean| mean.interval(0.95));
        let [first, second] = self.leg_sums;
        let leg_sd = variance(2 * self.pairs, first + second, self.leg_squares[0] + self.leg_squares[1]);
        let plain = Estimate {
            pairs: self.pairs,
            differing: self.differing,
            mean,
            sd,
            standard_error: None,
            half_width: None,
            interval: None,
            leg_means: self.leg_sums.map(|sum| to_f64(sum) / n),
            leg_sd: leg_sd.map(f64::sqrt),
        };
        Some(plain.with(interval))
    }
}

impl Estimate {
    /// Returns the same with this interval.
    #[must_use]
    pub fn with(self, interval: Option<MeanInterval>) -> Self {
        Self {
            standard_error: interval.map(|interval| interval.standard_error),
            half_width: interval.map(|interval| interval.half_width),
            interval: interval.map(|interval| interval.ends),
            ..self
        }
    }

    /// Returns the same from the other side: B − A.
    #[must_use]
    pub fn reversed(self) -> Self {
        let [first, second] = self.leg_means;
        Self {
            // Subtracted from 0, so that there is no −0.
            mean: 0.0 - self.mean,
            interval: self.interval.map(|[low, high]| [0.0 - high, 0.0 - low]),
            // A sits East–West where B sits North–South.
            leg_means: [0.0 - second, 0.0 - first],
            ..self
        }
    }

    /// Tests if the interval leaves out zero.
    pub fn is_decided(&self) -> bool {
        self.half_width.is_some_and(|half| self.mean.abs() > half)
    }
}
