//! Means over decisions with the deal as the unit.
//!
//! The decisions of one deal are correlated, so they are no sample of single decisions: the interval of
//! a mean is that of a ratio of two sums over deals (Cochran 1977, *Sampling Techniques*, section 2.11): of a deal counts its
//! residual, its sum less the mean times its count. All sums are integers, exact and independent of order.
//!
//! The residuals have the interval of paired differences ([`MeanOfPairs`]), with two changes. The size of a leg is that of the
//! deals that differ from 0 and, as long as there are few (losses that are rare), one that the caller knows; it counts by the
//! share of deals that are 0: where all deals have something, no pseudo-pairs are added. Losses lean to one side also where
//! they are many, so two and a half times the skewness is added to the error as the other leg of a right triangle: much
//! where few large losses make the mean, and little in an ordinary sample.

use serde::{Deserialize, Serialize};

use crate::float::{sum_of_products, to_f64};
use crate::{MeanOfPairs, Merge, merge};

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
#[serde(from = "Stored", into = "Stored")]
pub struct Ratio {
    /// Deals with at least one.
    pub deals: u64,
    /// Those of them whose sum is not 0.
    differing: u64,
    sum: i128,
    count: i128,
    /// Sum by sum, sum by count, count by count.
    squares: [i128; 3],
    /// The products of three, from all of the sum to all of the count.
    cubes: [i128; 4],
}

type Stored = ([u64; 2], [i128; 2], [i128; 3], [i128; 4]);

impl From<Stored> for Ratio {
    fn from(([deals, differing], [sum, count], squares, cubes): Stored) -> Self {
        Self { deals, differing, sum, count, squares, cubes }
    }
}

impl From<Ratio> for Stored {
    fn from(Ratio { deals, differing, sum, count, squares, cubes }: Ratio) -> Self {
        ([deals, differing], [sum, count], squares, cubes)
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
        let [sum_sum, sum_count, count_count] = [sum * sum, sum * count, count * count];
        self.squares.merge(&[sum_sum, sum_count, count_count]);
        self.cubes.merge(&[sum_sum * sum, sum_sum * count, sum * count_count, count_count * count]);
    }

    /// Returns how many were counted.
    pub fn count(&self) -> u64 {
        u64::try_from(self.count).unwrap_or_default()
    }

    /// Returns the sum over all deals.
    pub fn sum(&self) -> i64 {
        i64::try_from(self.sum).unwrap_or(i64::MAX)
    }

    /// `Σ (x − m n)²` and `Σ (x − m n)³`.
    fn residuals(&self) -> [f64; 2] {
        let Self { sum: x, count: n, squares, cubes, .. } = *self;
        let [xx, xn, nn] = squares;
        let [xxx, xxn, xnn, nnn] = cubes;
        let two = [[n, n, xx], [-2 * x, n, xn], [x, x, nn], [0; 3]];
        let three = [[n, n, n, xxx], [-3 * x, n, n, xxn], [3 * x, x, n, xnn], [-x, x, x, nnn]];
        let count = to_f64(n);
        [sum_of_products(two) / count.powi(2), sum_of_products(three) / count.powi(3)]
    }

    /// Returns the mean, or `None` of nothing.
    pub fn mean(&self) -> Option<Mean> {
        self.mean_of(0.0)
    }

    /// Returns the mean of what is 0 in most deals and may be of this size in one, or `None` of nothing.
    pub fn mean_of(&self, size: f64) -> Option<Mean> {
        // No difference, so that there is no sign to test.
        Some(Mean::of(MeanOfPairs { differing: u64::MAX, ..self.deals(size)? }))
    }

    /// Returns the mean of the deals: each is the mean and its residual in the unit of the mean.
    fn deals(&self, size: f64) -> Option<MeanOfPairs> {
        if self.count <= 0 {
            return None;
        }
        let [deals, differing, count] = [self.deals.into(), self.differing.into(), self.count].map(to_f64);
        let [squares, cubes] = self.residuals();
        let each = deals / count;
        let seen = (SEEN * size * size + squares) / (SEEN + differing);
        let variance = squares * each * each / (deals - 1.0);
        let [error, leaning] = [(variance / deals).sqrt(), SKEWNESS * cubes / squares / count];
        Some(MeanOfPairs {
            pairs: self.deals,
            differing: self.differing,
            mean: to_f64(self.sum) / count,
            variance,
            skewness: if squares > 0.0 { deals * (libm::hypot(error, leaning) - error) } else { 0.0 },
            leg_square: (1.0 - differing / deals) * seen * each * each,
            is_even: false,
            degrees: deals - 1.0,
        })
    }
}

/// How many deals that differ must have been seen for their size to count half.
const SEEN: f64 = 2.0;

/// How many times the skewness counts, beside the error.
const SKEWNESS: f64 = 2.5;

/// Two ratios over the same deals: the ratio of their differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Paired(Ratio);

impl Paired {
    /// Adds a deal, if it has something of both: what either would have of the least common number.
    pub fn add(&mut self, a: Part, b: Part) {
        if a.count == 0 || b.count == 0 {
            return;
        }
        let common = a.count / divisor(a.count, b.count) * b.count;
        let [first, second] = [a, b].map(|part| part.sum * (common / part.count));
        self.0.add(Part { sum: first - second, count: common });
    }

    /// Returns how many deals were added.
    pub const fn deals(&self) -> u64 {
        self.0.deals
    }

    /// Returns the same with the second first.
    #[must_use]
    pub fn swapped(self) -> Self {
        let Ratio { deals, differing, sum, count, squares: [xx, xn, nn], cubes: [xxx, xxn, xnn, nnn] } =
            self.0;
        let (squares, cubes) = ([xx, -xn, nn], [-xxx, xxn, -xnn, nnn]);
        Self(Ratio { deals, differing, sum: -sum, count, squares, cubes })
    }

    /// Returns the difference of the means A − B of what may be of this size in a deal, or `None` without a deal.
    ///
    /// Where every deal counts the same number of both, it is the mean of paired differences with its usual
    /// interval.
    pub fn difference(&self, size: f64) -> Option<Mean> {
        self.0.deals(size).map(Mean::of)
    }
}

/// Returns the greatest common divisor.
const fn divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// Two ratios over deals of which some have one of both, some the other, some both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contrast {
    /// The first.
    pub a: Ratio,
    /// The second.
    pub b: Ratio,
    /// Sum by sum, sum by count, count by sum, count by count.
    products: [i128; 4],
    /// Deals with at least one of either.
    deals: u64,
}

merge! {
    Ratio { deals, differing, sum, count, squares, cubes }
    Paired { 0 }
    Contrast { a, b, products, deals }
}

/// In how many deals both must have been counted for an interval.
const LEAST_DEALS: u64 = 4;

impl Contrast {
    /// Adds a deal; one without anything to count adds nothing.
    pub fn add(&mut self, a: Part, b: Part) {
        self.deals += u64::from(a.count > 0 || b.count > 0);
        self.a.add(a);
        self.b.add(b);
        let [a_sum, a_count, b_sum, b_count] = [a.sum, a.count, b.sum, b.count].map(i128::from);
        self.products.merge(&[a_sum * b_sum, a_sum * b_count, a_count * b_sum, a_count * b_count]);
    }

    /// Returns the difference of the means A − B, or `None` where one of both was never counted; without an interval where one was counted in
    /// fewer than four deals, whose spread says little.
    pub fn difference(&self) -> Option<Mean> {
        let (a, b) = (self.a.deals(0.0)?, self.b.deals(0.0)?);
        let [sum_sum, sum_count, count_sum, count_count] = self.products;
        let products = sum_of_products([
            [self.a.count, self.b.count, sum_sum],
            [-self.b.sum, self.a.count, sum_count],
            [-self.a.sum, self.b.count, count_sum],
            [self.a.sum, self.b.sum, count_count],
        ]);
        let [deals, of_a, of_b] = [self.deals, self.a.deals, self.b.deals].map(|deals| to_f64(deals.into()));
        let [a_count, b_count] = [&self.a, &self.b].map(|it| to_f64(it.count));
        let squares = |it: &Ratio| it.residuals()[0] / to_f64(it.count).powi(2);
        let spread = squares(&self.a) + squares(&self.b) - 2.0 * products / (a_count * b_count).powi(2);
        let mean = a.mean - b.mean;
        if self.a.deals.min(self.b.deals) < LEAST_DEALS {
            return Some(Mean { mean, half_width: None });
        }
        Some(Mean::of(MeanOfPairs {
            pairs: self.deals,
            differing: u64::MAX,
            mean,
            variance: (spread * deals * deals / (deals - 1.0)).max(0.0),
            skewness: deals * libm::hypot(a.skewness / of_a, b.skewness / of_b),
            leg_square: deals * deals * (a.leg_square / (of_a * of_a) + b.leg_square / (of_b * of_b)),
            is_even: false,
            degrees: deals - 1.0,
        }))
    }
}

impl Mean {
    fn of(deals: MeanOfPairs) -> Self {
        Self { mean: deals.mean, half_width: deals.interval(0.95).map(|interval| interval.half_width) }
    }

    /// The same of a unit so many times as large.
    pub fn times(self, factor: f64) -> Self {
        Self { mean: factor * self.mean, half_width: self.half_width.map(|half| factor * half) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::student_t;

    #[test]
    fn equal_counts_are_the_textbook_interval() {
        // Differences 6, −2, 5, −1, 3, 1: mean 2, variance 52/5, no skewness, t(5) = 2.570582.
        let mut paired = Paired::default();
        for (a, b) in [(9, 3), (3, 5), (8, 3), (4, 5), (7, 4), (2, 1)] {
            paired.add(Part { sum: 2 * a, count: 2 }, Part { sum: b, count: 1 });
        }
        let difference = paired.difference(0.0).unwrap();
        assert!((difference.mean - 2.0).abs() < 1e-12);
        let expected = 2.570_582 * (52.0f64 / 5.0 / 6.0).sqrt();
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
        let big = Part { sum: -(1 << 20), count: 1 << 20 };
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
        // Sums of 110 bits are in the text, digit by digit.
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
        let residuals = [3.0 - 1.25, 0.0 - 5.0, 7.0 - 2.5, 5.0 - 6.25f64];
        let sum = |power: i32| residuals.iter().map(|e| e.powi(power)).sum::<f64>();
        let squares = sum(2);
        // A leg: of the three that are not 0 and of two known, by the quarter that are 0. Pseudo-pairs: by how many were seen.
        let leg = squares / 5.0 / 4.0;
        let pseudo =
            |leg: f64, seen: f64| 3.0 * leg * 24.0f64.mul_add((2.0 / (2.0 + seen / leg)).powi(2), 1.0);
        let spread = (4.0 / 3.0 * squares).sqrt();
        let leaning = libm::hypot(spread, 2.5 * sum(3) / squares) - spread;
        let added = pseudo(leg, squares + 4.0 * (3.0 * 1.25_f64).powi(2));
        let expected = student_t(0.95, 3.0) * ((4.0 / 3.0 * (squares + added)).sqrt() + leaning) / 12.0;
        assert!((mean.half_width.unwrap() - expected).abs() < 1e-9, "{mean:?}, {expected}");
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
        // Of eight deals, four of each; all of the second differ from 0.
        let added = pseudo(64.0 * leg / 144.0, 64.0 * squares / 72.0 + 8.0 * 81.0) / 56.0;
        let spread = 8.0 / 7.0 * squares / 72.0;
        let leaning = std::f64::consts::SQRT_2 * leaning / 12.0;
        let expected = student_t(0.95, 7.0) * ((spread + added).sqrt() + leaning);
        assert!((difference.half_width.unwrap() - expected).abs() < 1e-9, "{difference:?}");
        let mut few = Contrast::default();
        parts[..3].iter().for_each(|part| few.add(*part, Part::default()));
        few.merge(&second);
        assert!(few.difference().unwrap().half_width.is_none());
        // Where no deal differs, only a known size makes a width: three deals of five times it.
        assert_eq!(paired.difference(0.0).unwrap(), Mean { mean: 0.0, half_width: None });
        let nothing = paired.difference(5.0).unwrap();
        let expected = student_t(0.95, 3.0) * (4.0 / 3.0 * pseudo(25.0, 0.0)).sqrt() / 12.0;
        assert!((nothing.half_width.unwrap() - expected).abs() < 1e-9, "{nothing:?}");
        assert_eq!(Ratio::default().mean(), None);
    }
}
