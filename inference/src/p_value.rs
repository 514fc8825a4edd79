//! P-values, and their corrections for many comparisons.

use crate::float::count;
use crate::{Estimate, least_p_value, student_p};

impl Estimate {
    /// Returns the two-sided p-value of "there is no difference" by the paired t-test with the interval's standard error,
    /// or `None` below two pairs.
    ///
    /// It is not below the least that so many differing pairs can have ([`least_p_value`]), and 1 where no leg has any
    /// difference.
    pub fn p_value(&self) -> Option<f64> {
        self.sd?;
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
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    let mut corrected = vec![0.0; p_values.len()];
    let mut largest: f64 = 0.0;
    for (rank, &index) in order.iter().enumerate() {
        let others = count(p_values.len() - rank);
        largest = largest.max((others * p_values[index]).min(1.0));
        corrected[index] = largest;
    }
    corrected
}
