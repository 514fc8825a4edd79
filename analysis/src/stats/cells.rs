//! Shares and means over records, with the deal as the unit.
//!
//! Records of one deal are correlated: the same cards are played twice or more, with the bots exchanged. Their
//! values are summed before they are counted. A cell detects the start of another deal by itself, so that
//! adding to it costs the same however many cells there are. A saved cell consists of the sums alone: no deal
//! is in progress.

use coinche_inference::ratio::{Contrast, Mean, Part, Ratio};
use coinche_inference::{Merge, merge, wilson_of_share};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The number of the current deal, counted from 1; in matches, of the match.
pub(crate) type Unit = u64;

/// With fewer deals, the variance is not estimated but assumed to be maximal.
const FEW_UNITS: u64 = 30;

/// Sums to which deals are added one by one.
pub(crate) trait Sums: Copy + Default + Merge {
    /// The values of one deal.
    type Part: Copy + Default;

    /// Adds a deal; one without values adds nothing.
    fn add_unit(&mut self, part: Self::Part);
}

/// Sums with the deal as the unit, of which one may be in progress.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ByUnit<S: Sums> {
    sums: S,
    /// The values of the current unit.
    part: S::Part,
    last: Unit,
}

impl<S: Sums> ByUnit<S> {
    /// Returns the values of a unit, to be added to.
    #[inline]
    fn part_of(&mut self, unit: Unit) -> &mut S::Part {
        if self.last != unit {
            self.settle();
            self.last = unit;
        }
        &mut self.part
    }

    #[inline]
    fn settle(&mut self) {
        self.sums.add_unit(core::mem::take(&mut self.part));
    }

    fn settled(&self) -> S {
        let mut settled = *self;
        settled.settle();
        settled.sums
    }
}

impl<S: Sums> Merge for ByUnit<S> {
    fn merge(&mut self, other: &Self) {
        self.settle();
        self.sums.merge(&other.settled());
    }
}

impl<S: Sums + Serialize> Serialize for ByUnit<S> {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        self.settled().serialize(serializer)
    }
}

impl<'de, S: Sums + Deserialize<'de>> Deserialize<'de> for ByUnit<S> {
    fn deserialize<T: Deserializer<'de>>(deserializer: T) -> Result<Self, T::Error> {
        S::deserialize(deserializer).map(|sums| Self { sums, ..Self::default() })
    }
}

/// Hits, cases, the sums over deals of their products (hits by hits, hits by cases, cases by cases), and deals.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Hits([u64; 6]);

merge! { Hits { 0 } }

impl Sums for Hits {
    type Part = [u64; 2];

    #[inline]
    fn add_unit(&mut self, [hits, count]: [u64; 2]) {
        if count > 0 {
            self.0.merge(&[hits, count, hits * hits, hits * count, count * count, 1]);
        }
    }
}

impl Sums for Ratio {
    type Part = Part;

    #[inline]
    fn add_unit(&mut self, part: Part) {
        self.add(part);
    }
}

impl Sums for Contrast {
    type Part = [Part; 2];

    #[inline]
    fn add_unit(&mut self, [a, b]: [Part; 2]) {
        self.add(a, b);
    }
}

/// A share: how often something occurred.
pub(crate) type Share = ByUnit<Hits>;

impl Share {
    /// Counts one case, a hit or not.
    #[inline]
    pub(crate) fn add(&mut self, unit: Unit, hit: bool) {
        self.add_many(unit, u64::from(hit), 1);
    }

    /// Counts some cases, of which a part are hits.
    #[inline]
    pub(crate) fn add_many(&mut self, unit: Unit, hits: u64, count: u64) {
        self.part_of(unit).merge(&[hits, count]);
    }

    /// Returns the number of cases.
    pub(crate) const fn count(&self) -> u64 {
        self.sums.0[1] + self.part[1]
    }

    /// Returns the number of hits.
    pub(crate) const fn hits(&self) -> u64 {
        self.sums.0[0] + self.part[0]
    }

    /// Returns the share, or `None` without cases.
    pub(crate) fn share(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.hits() as f64 / self.count() as f64)
    }

    /// Returns the effective number of independent trials: from the variance of the share with the deal as the
    /// unit, at most the count. It is at least that of records of a deal that are all alike: Kish's effective size
    /// (1965, *Survey Sampling*, section 11.7).
    pub(crate) fn trials(&self) -> f64 {
        let Hits(sums) = self.settled();
        let [_, n, hh, hn, nn, units] = sums.map(|sum| sum as f64);
        let least = n.powi(2) / nn;
        let Some(share) = self.share().filter(|share| *share > 0.0 && *share < 1.0) else { return least };
        if sums[5] < FEW_UNITS {
            return least;
        }
        let residuals = share.mul_add(share * nn, hh) - 2.0 * share * hn;
        let variance = residuals.max(0.0) * units / (units - 1.0) / (n * n);
        // With zero variance, the number of trials is maximal.
        (share * (1.0 - share) / variance).clamp(least, n)
    }

    /// Returns the 95 % interval of the share: Wilson's, with the effective number of trials.
    pub(crate) fn interval(&self) -> Option<[f64; 2]> {
        self.share().map(|share| wilson_of_share(share, self.trials(), 0.95))
    }

    /// Returns the share and interval of a subset known only by its count, which is assumed to be as correlated
    /// within deals as this share.
    pub(crate) fn of_part(&self, hits: u64) -> Option<[f64; 3]> {
        (self.count() > 0).then(|| {
            let share = hits as f64 / self.count() as f64;
            let [low, high] = wilson_of_share(share, self.trials(), 0.95);
            [share, low, high]
        })
    }
}

/// A mean of integers.
pub(crate) type Average = ByUnit<Ratio>;

impl Average {
    /// Counts a number.
    #[inline]
    pub(crate) fn add(&mut self, unit: Unit, number: i32) {
        self.part_of(unit).add(number);
    }

    /// Returns the number of values.
    pub(crate) fn count(&self) -> u64 {
        self.settled().count()
    }

    /// Returns the mean with its interval, or `None` without values.
    pub(crate) fn mean(&self) -> Option<Mean> {
        self.settled().mean()
    }
}

/// The means of two kinds of records, for comparison.
pub(crate) type Compared = ByUnit<Contrast>;

impl Compared {
    /// Counts a number of the first or the second kind.
    #[inline]
    pub(crate) fn add(&mut self, unit: Unit, second: bool, number: i32) {
        self.part_of(unit)[usize::from(second)].add(number);
    }

    /// Returns the number of values of each kind.
    pub(crate) fn counts(&self) -> [u64; 2] {
        let Contrast { a, b, .. } = self.settled();
        [a.count(), b.count()]
    }

    /// Returns both means.
    pub(crate) fn means(&self) -> [Option<Mean>; 2] {
        let Contrast { a, b, .. } = self.settled();
        [a.mean(), b.mean()]
    }

    /// Returns the first mean less the second, or `None` if a kind is missing.
    pub(crate) fn difference(&self) -> Option<Mean> {
        self.settled().difference()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coinche_inference::wilson;

    #[test]
    fn records_of_a_deal_that_are_alike_count_once() {
        let (mut once, mut twice, mut apart) = (Share::default(), Share::default(), Share::default());
        for unit in 1..=200 {
            let hit = unit % 3 == 0;
            once.add(unit, hit);
            for _ in 0..2 {
                twice.add(unit, hit);
            }
            apart.add(2 * unit, hit);
            apart.add(2 * unit + 1, hit);
        }
        let [single, double, other] = [once, twice, apart].map(|share| share.interval().unwrap());
        let expected = wilson(66, 200, 0.95).unwrap();
        for n in 0..2 {
            assert!((double[n] - single[n]).abs() < 1e-9, "{single:?} {double:?}");
            // The variance of a sample of 200, not of the population.
            assert!((single[n] - expected[n]).abs() < 1e-3, "{single:?} {expected:?}");
        }
        assert!(other[1] - other[0] < 0.75 * (single[1] - single[0]));
    }

    #[test]
    fn nothing_and_all_have_intervals_too() {
        let mut share = Share::default();
        assert_eq!((share.share(), share.interval()), (None, None));
        for unit in 1..=40 {
            share.add(unit, false);
            share.add(unit, false);
        }
        let [low, high] = share.interval().unwrap();
        assert!(low.abs() < 1e-12 && (high - wilson(0, 40, 0.95).unwrap()[1]).abs() < 1e-12);
        assert_eq!(share.of_part(0), Some([0.0, low, high]));
    }

    #[test]
    fn parts_put_together_are_the_whole() {
        let numbers = [(1, 4), (1, 6), (2, 1), (3, 9), (3, 9), (4, 0), (5, 2)];
        let (mut whole, mut shares, mut compared) =
            (Average::default(), Share::default(), Compared::default());
        let mut halves = [(); 2].map(|()| (Average::default(), Share::default(), Compared::default()));
        for (unit, number) in numbers {
            whole.add(unit, number);
            shares.add(unit, number > 3);
            compared.add(unit, number > 3, number);
            let (average, share, half) = &mut halves[usize::from(unit > 2)];
            average.add(unit, number);
            share.add(unit, number > 3);
            half.add(unit, number > 3, number);
        }
        let [mut one, two] = halves;
        one.0.merge(&two.0);
        one.1.merge(&two.1);
        one.2.merge(&two.2);
        assert_eq!((one.0.mean(), one.0.count()), (whole.mean(), 7));
        assert_eq!(one.1.interval(), shares.interval());
        assert_eq!((one.1.hits(), one.1.count()), (4, 7));
        assert_eq!((one.2.difference(), one.2.counts()), (compared.difference(), [3, 4]));
    }
}
