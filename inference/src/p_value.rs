//! P-values, and their corrections for many comparisons.

use crate::distributions::{normal_tail, student_tails};
use crate::{Estimate, least_p_value};

/// From this number of degrees of freedom Hill's expansion is exact to ten digits.
const MANY_DEGREES: f64 = 100.0;

/// Returns the two-sided p-value of a value of Student's `t`.
///
/// For many degrees of freedom it is Hill's expansion about the normal distribution (Hill 1970, CACM
/// algorithm 395), since the library's continued fraction loses digits there.
pub fn student_p(t: f64, degrees: f64) -> f64 {
    if degrees < MANY_DEGREES {
        return student_tails(t, degrees.max(1.0));
    }
    let shifted = degrees - 0.5;
    let scale = 48.0 * shifted * shifted;
    let square = shifted * libm::log1p(t * t / degrees);
    let inner = ((-0.4 * square - 3.3) * square - 24.0) * square - 85.5;
    let outer = inner / (0.8 * square * square + 100.0 + scale) + square + 3.0;
    let z = (outer / scale + 1.0) * square.sqrt();
    (2.0 * normal_tail(z)).min(1.0)
}

impl Estimate {
    /// Returns the two-sided p-value of "there is no difference" by the paired t-test with the interval's standard error,
    /// or `None` below two pairs.
    ///
    /// It is not below the least that so many differing pairs can have ([`least_p_value`]), and 1 where no leg has any
    /// difference.
    pub fn p_value(&self) -> Option<f64> {
        self.sd?;
        #[expect(clippy::cast_precision_loss, reason = "counts of pairs are below 2^53")]
        let degrees = self.pairs as f64 - 1.0;
        let p = self.standard_error.map_or(1.0, |error| student_p(self.mean / error, degrees));
        Some(p.max(least_p_value(self.differing)))
    }
}

/// Returns p-values corrected by Holm (1979): where one is at most α, the chance of any false finding
/// among them all is at most α, whatever their dependence.
///
/// ```
/// use coinche_inference::holm;
///
/// assert_eq!(holm(&[0.01, 0.04, 0.03]), [0.03, 0.06, 0.06]);
/// ```
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let order = sorted(p_values);
    let mut corrected = vec![0.0; p_values.len()];
    let mut largest: f64 = 0.0;
    for (rank, &index) in order.iter().enumerate() {
        let others = crate::count(p_values.len() - rank);
        largest = largest.max((others * p_values[index]).min(1.0));
        corrected[index] = largest;
    }
    corrected
}

/// Returns p-values corrected by Benjamini & Hochberg (1995): of the findings with at most α, the share
/// that is false is expected to be at most α, when they are independent or positively dependent.
///
/// ```
/// use coinche_inference::benjamini_hochberg;
///
/// assert_eq!(benjamini_hochberg(&[0.01, 0.04, 0.03]), [0.03, 0.04, 0.04]);
/// ```
pub fn benjamini_hochberg(p_values: &[f64]) -> Vec<f64> {
    let order = sorted(p_values);
    let mut corrected = vec![0.0; p_values.len()];
    let mut smallest: f64 = 1.0;
    for (rank, &index) in order.iter().enumerate().rev() {
        let factor = crate::count(p_values.len()) / crate::count(rank + 1);
        smallest = smallest.min(factor * p_values[index]);
        corrected[index] = smallest;
    }
    corrected
}

/// Returns the indices from the smallest number to the largest.
fn sorted(numbers: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by(|a, b| numbers[*a].total_cmp(&numbers[*b]));
    order
}
