//! Means over decisions with the deal as the unit.
//!
//! The decisions of one deal are correlated, so they are no sample of single decisions: the interval of
//! a mean is that of a ratio of two sums over deals (Cochran 1977, *Sampling Techniques*, section 2.11),
//! with Student's quantile. All sums are integers, exact and independent of order.
//!
//! Where few deals differ from 0 (losses that are rare) three more deals are added to the squares, as pseudo-pairs are to
//! paired differences ([`MeanOfPairs`](crate::MeanOfPairs)): of the size of those that differ, and, as long as there are few,
//! of a size that the caller knows. They count by the share of deals that are 0: where all deals have something, none is
//! added.

use serde::{Deserialize, Serialize};

use crate::float::{sum_of_products, to_f64};
use crate::{Merge, merge, student_t};

/// What one deal adds: a sum, and of how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Part {
    /// The sum.
    pub sum: i64,
    /// Of how many.
    pub count: i64,
}

impl Part {
    /// Adds one.
    pub fn add(&mut self, value: i32) {
        self.sum += i64::from(value);
        self.count += 1;
    }
}

/// Sums over deals of sums, counts and their products; as JSON the numbers in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "([u64; 2], [i128; 5])", into = "([u64; 2], [i128; 5])")]
pub struct Ratio {
    /// Deals with at least one.
    pub deals: u64,
    /// Those of them whose sum is not 0.
    differing: u64,
    sum: i128,
    count: i128,
    sum_sum: i128,
    sum_count: i128,
    count_count: i128,
}

impl From<([u64; 2], [i128; 5])> for Ratio {
    fn from(
        ([deals, differing], [sum, count, sum_sum, sum_count, count_count]): ([u64; 2], [i128; 5]),
    ) -> Self {
        Self { deals, differing, sum, count, sum_sum, sum_count, count_count }
    }
}

impl From<Ratio> for ([u64; 2], [i128; 5]) {
    fn from(ratio: Ratio) -> Self {
        let Ratio { deals, differing, sum, count, sum_sum, sum_count, count_count } = ratio;
        ([deals, differing], [sum, count, sum_sum, sum_count, count_count])
    }
}

/// A mean with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Half the width of the 95 % interval; null of a single deal, and where all deals are alike and no size is known of
    /// one that is not.
    pub half_width: Option<f64>,
}

impl Ratio {
    /// Adds a deal; one without anything to count adds nothing.
    pub fn add(&mut self, part: Part) {
        if part.count == 0 {
            return;
        }
        let (sum, count) = (i128::from(part.sum), i128::from(part.count));
        self.deals += 1;
        self.differing += u64::from(sum != 0);
        self.sum += sum;
        self.count += count;
        self.sum_sum += sum * sum;
        self.sum_count += sum * count;
        self.count_count += count * count;
    }

    /// Returns how many were counted.
    pub fn count(&self) -> u64 {
        u64::try_from(self.count).unwrap_or_default()
    }

    /// Returns the sum over all deals.
    pub fn sum(&self) -> i64 {
        i64::try_from(self.sum).unwrap_or(i64::MAX)
    }

    /// `Σ (x − m n)²`, times the square of the count.
    fn residuals(&self) -> f64 {
        let Self { sum, count, sum_sum, sum_count, count_count, .. } = *self;
        sum_of_products([
            [count, count, sum_sum],
            [-2 * sum, count, sum_count],
            [sum, sum, count_count],
            [0; 3],
        ])
    }

    /// Returns the mean, or `None` of nothing.
    pub fn mean(&self) -> Option<Mean> {
        self.mean_of(0.0)
    }

    /// Returns the mean of what is 0 in most deals and may be of this size in one, or `None` of nothing.
    pub fn mean_of(&self, size: f64) -> Option<Mean> {
        let mean = to_f64(self.sum) / to_f64(self.count);
        let variance = || self.variance() + self.added(self.variance(), size);
        (self.count > 0).then(|| Mean { mean, half_width: half_width(self.deals, variance) })
    }

    fn variance(&self) -> f64 {
        spread(self.deals) * self.residuals() / to_f64(self.count).powi(4)
    }

    /// Returns what three more deals add to a variance of the mean.
    fn added(&self, variance: f64, size: f64) -> f64 {
        added(variance, size / to_f64(self.count), self.differing, self.deals)
    }
}

/// Sums over deals of the products of what two ratios count: sum by sum, sum by count, count by sum, count by count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Products([i128; 4]);

impl Products {
    fn add(&mut self, a: Part, b: Part) {
        let [a_sum, a_count, b_sum, b_count] = [a.sum, a.count, b.sum, b.count].map(i128::from);
        self.0.merge(&[a_sum * b_sum, a_sum * b_count, a_count * b_sum, a_count * b_count]);
    }

    /// Returns the difference of the means A − B over so many deals in all, given what is added to its variance.
    fn difference(&self, a: &Ratio, b: &Ratio, deals: u64, added: impl Fn(f64) -> f64) -> Option<Mean> {
        let (mean_a, mean_b) = (a.mean()?, b.mean()?);
        let [sum_sum, sum_count, count_sum, count_count] = self.0;
        let variance = || {
            let products = sum_of_products([
                [a.count, b.count, sum_sum],
                [-b.sum, a.count, sum_count],
                [-a.sum, b.count, count_sum],
                [a.sum, b.sum, count_count],
            ]);
            let [a_n, b_n] = [a.count, b.count].map(to_f64);
            let own = a.residuals() / a_n.powi(4) + b.residuals() / b_n.powi(4);
            let variance = spread(deals) * (own - 2.0 * products / (a_n * b_n).powi(2)).max(0.0);
            variance + added(variance)
        };
        Some(Mean { mean: mean_a.mean - mean_b.mean, half_width: half_width(deals, variance) })
    }
}

/// Two ratios over the same deals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paired {
    /// The first.
    pub a: Ratio,
    /// The second.
    pub b: Ratio,
    products: Products,
    /// Deals in which the means differ.
    differing: u64,
}

impl Paired {
    /// Adds a deal, if it has something of both.
    pub fn add(&mut self, a: Part, b: Part) {
        if a.count == 0 || b.count == 0 {
            return;
        }
        self.a.add(a);
        self.b.add(b);
        self.products.add(a, b);
        let [first, second] = [a.sum, b.sum].map(i128::from);
        self.differing += u64::from(first * i128::from(b.count) != second * i128::from(a.count));
    }

    /// Returns the same with the second first.
    #[must_use]
    pub const fn swapped(&self) -> Self {
        let Self { a, b, products, differing } = *self;
        let Products([sum_sum, sum_count, count_sum, count_count]) = products;
        Self { a: b, b: a, products: Products([sum_sum, count_sum, sum_count, count_count]), differing }
    }

    /// Returns the difference of the means A − B of what may be of this size in a deal, or `None` without a deal.
    ///
    /// Where every deal counts the same number of both, it is the mean of paired differences with its usual
    /// interval.
    pub fn difference(&self, size: f64) -> Option<Mean> {
        let of_mean = size / to_f64(self.a.count);
        let added = |variance| added(variance, of_mean, self.differing, self.a.deals);
        self.products.difference(&self.a, &self.b, self.a.deals, added)
    }
}

/// Two ratios over deals of which some have one of both, some the other, some both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contrast {
    /// The first.
    pub a: Ratio,
    /// The second.
    pub b: Ratio,
    products: Products,
    /// Deals with at least one of either.
    deals: u64,
}

merge! {
    Ratio { deals, differing, sum, count, sum_sum, sum_count, count_count }
    Products { 0 }
    Paired { a, b, products, differing }
    Contrast { a, b, products, deals }
}

impl Contrast {
    /// Adds a deal; one without anything to count adds nothing.
    pub fn add(&mut self, a: Part, b: Part) {
        self.deals += u64::from(a.count > 0 || b.count > 0);
        self.a.add(a);
        self.b.add(b);
        self.products.add(a, b);
    }

    /// Returns the difference of the means A − B, or `None` where one of both was never counted.
    pub fn difference(&self) -> Option<Mean> {
        let own = self.a.added(self.a.variance(), 0.0) + self.b.added(self.b.variance(), 0.0);
        self.products.difference(&self.a, &self.b, self.deals, |_| own)
    }
}

impl Mean {
    /// The same of a unit so many times as large.
    pub fn times(self, factor: f64) -> Self {
        Self { mean: factor * self.mean, half_width: self.half_width.map(|half| factor * half) }
    }
}

/// `n / (n − 1)`.
fn spread(deals: u64) -> f64 {
    deals as f64 / (deals as f64 - 1.0)
}

/// How many deals are added to the squares, and how many that differ must have been seen for their size to count half.
const ADDED: f64 = 3.0;
const SEEN: f64 = 2.0;

/// Returns what the added deals add to a variance of the mean, given by how much one that is of the size known moves it.
fn added(variance: f64, size: f64, differing: u64, deals: u64) -> f64 {
    let [m, n] = [differing, deals].map(|count| count as f64);
    ADDED * (1.0 - m / n) * (SEEN * size * size + variance) / (SEEN + m)
}

fn half_width(deals: u64, variance: impl FnOnce() -> f64) -> Option<f64> {
    let half = (deals > 1).then(|| student_t(0.95, deals as f64 - 1.0) * variance().sqrt());
    half.filter(|half| *half > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_counts_are_the_textbook_interval() {
        // Differences 4, −1, 3, 2: mean 2, standard deviation √(14/3), t(3) = 3.182446.
        let mut paired = Paired::default();
        for (a, b) in [(9, 5), (3, 4), (8, 5), (6, 4)] {
            paired.add(Part { sum: 2 * a, count: 2 }, Part { sum: 2 * b, count: 2 });
        }
        let difference = paired.difference(0.0).unwrap();
        assert!((difference.mean - 2.0).abs() < 1e-12);
        let expected = 3.182_446 * (14.0f64 / 3.0 / 4.0).sqrt();
        assert!((difference.half_width.unwrap() - expected).abs() < 1e-5, "{difference:?}");
    }

    #[test]
    fn sums_without_room_for_their_products_have_intervals_too() {
        let parts = [(3, 1), (1, 4), (7, 2), (5, 5)].map(|(sum, count)| Part { sum, count });
        let (mut ratio, mut paired) = (Ratio::default(), Paired::default());
        for part in parts {
            ratio.add(part);
            paired.add(part, Part { sum: 9 - part.sum, ..part });
        }
        let (few, differ) = (ratio.mean().unwrap(), paired.difference(0.0).unwrap());
        // Each deal 2^42 times over.
        for _ in 0..42 {
            let (same, pairs) = (ratio, paired);
            ratio.merge(&same);
            paired.merge(&pairs);
        }
        let wider = |small: Mean, deals: f64| {
            let t = student_t(0.95, 3.0) / student_t(0.95, deals - 1.0);
            small.half_width.unwrap() / t / (4.0_f64 / 3.0 * deals / 4.0).sqrt()
        };
        for (many, few) in [(ratio.mean().unwrap(), few), (paired.difference(0.0).unwrap(), differ)] {
            assert!((many.mean - few.mean).abs() < 1e-9);
            let expected = wider(few, 4.0 * libm::exp2(42.0));
            assert!((many.half_width.unwrap() / expected - 1.0).abs() < 1e-6, "{many:?}, {expected}");
        }
    }

    #[test]
    fn sums_of_parts_are_read_again_and_put_together() {
        let big = Part { sum: i64::MIN / 4, count: i64::MAX / 4 };
        let parts = [big, Part { sum: 7, count: 2 }, big, Part { sum: -3, count: 1 }];
        let (mut whole, mut contrast) = (Paired::default(), Contrast::default());
        let mut halves = [(whole, contrast); 2];
        let mut swapped = Paired::default();
        for (n, part) in parts.into_iter().enumerate() {
            let other = Part { sum: part.sum / 3, count: 1 };
            whole.add(part, other);
            swapped.add(other, part);
            contrast.add(part, other);
            halves[n % 2].0.add(part, other);
            halves[n % 2].1.add(part, other);
        }
        // Sums of 120 bits are in the text, digit by digit.
        let read = halves.map(|half| {
            let text = serde_json::to_string(&half).unwrap();
            serde_json::from_str::<(Paired, Contrast)>(&text).unwrap()
        });
        assert_eq!(read, halves);
        let [(mut paired, mut joined), other] = read;
        paired.merge(&other.0);
        joined.merge(&other.1);
        assert_eq!((paired, joined), (whole, contrast));
        assert_eq!(paired.swapped(), swapped);
    }

    #[test]
    fn a_ratio_is_that_of_its_residuals() {
        let parts = [(3, 1), (0, 4), (7, 2), (5, 5), (0, 0)].map(|(sum, count)| Part { sum, count });
        let mut ratio = Ratio::default();
        let mut paired = Paired::default();
        for part in parts {
            ratio.add(part);
            paired.add(part, part);
        }
        let mean = ratio.mean().unwrap();
        assert_eq!((ratio.deals, ratio.count()), (4, 12));
        assert!((mean.mean - 1.25).abs() < 1e-12);
        let squares: f64 = [3.0 - 1.25, 0.0 - 5.0, 7.0 - 2.5, 5.0 - 6.25f64].iter().map(|e| e * e).sum();
        // One of four deals is 0: a quarter of three deals is added, of the size of the three that are not and of two known.
        let more = 1.0 + 3.0 / 4.0 / 5.0;
        let expected = student_t(0.95, 3.0) * (more * 4.0 / 3.0 * squares).sqrt() / 12.0;
        assert!((mean.half_width.unwrap() - expected).abs() < 1e-9);
        // Apart and together the mean is the same, and what is apart has the sum of both variances.
        let (mut contrast, mut first, mut second) =
            (Contrast::default(), Contrast::default(), Contrast::default());
        for part in parts {
            contrast.add(part, part);
            first.add(part, Part::default());
            second.add(Part::default(), Part { sum: part.sum + 9 * part.count, ..part });
        }
        let [apart, together] =
            [contrast.difference(), paired.difference(0.0)].map(|mean| mean.unwrap().mean);
        assert!((apart - together).abs() < 1e-12);
        assert_eq!(first.difference(), None);
        first.merge(&second);
        let difference = first.difference().unwrap();
        assert!((difference.mean + 9.0).abs() < 1e-12);
        let added = (more - 1.0) * 4.0 / 3.0;
        let expected = student_t(0.95, 7.0) * ((8.0 / 7.0 * 2.0 + added) * squares).sqrt() / 12.0;
        assert!((difference.half_width.unwrap() - expected).abs() < 1e-9, "{difference:?}");
        // Where no deal differs, only a known size makes a width: three deals of it in four.
        assert_eq!(paired.difference(0.0).unwrap(), Mean { mean: 0.0, half_width: None });
        let nothing = paired.difference(5.0).unwrap();
        let expected = student_t(0.95, 3.0) * 3.0_f64.sqrt() * 5.0 / 12.0;
        assert!((nothing.half_width.unwrap() - expected).abs() < 1e-9, "{nothing:?}");
        assert_eq!(Ratio::default().mean(), None);
    }
}
