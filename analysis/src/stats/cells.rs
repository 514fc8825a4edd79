//! Shares and means over records, with the deal as the unit.
//!
//! Records of one deal are correlated: the same cards are played twice or more, with the bots exchanged. Their
//! values are summed before they are counted. A cell detects the start of another deal by itself, so that
//! adding to it costs the same however many cells there are. A saved cell consists of the sums alone: no deal
//! is in progress.

use coinche_inference::ratio::{Contrast, Mean, Part, Ratio};
use coinche_inference::{Merge, wilson_of_share};
use serde::{Deserialize, Serialize};

/// The number of the current deal, counted from 1; in matches, of the match.
pub(crate) type Unit = u64;

/// With fewer deals, the variance is not estimated but assumed to be maximal.
const FEW_UNITS: u64 = 30;

/// A share: how often something occurred.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(from = "[u64; 6]", into = "[u64; 6]")]
pub struct Share {
    hits: u64,
    count: u64,
    hits_hits: u64,
    hits_count: u64,
    count_count: u64,
    units: u64,
    /// Hits and count of the current unit.
    part: [u64; 2],
    last: Unit,
}

impl From<[u64; 6]> for Share {
    fn from([hits, count, hits_hits, hits_count, count_count, units]: [u64; 6]) -> Self {
        Self { hits, count, hits_hits, hits_count, count_count, units, ..Self::default() }
    }
}

impl From<Share> for [u64; 6] {
    fn from(share: Share) -> Self {
        let Share { hits, count, hits_hits, hits_count, count_count, units, .. } = share.settled();
        [hits, count, hits_hits, hits_count, count_count, units]
    }
}

impl Share {
    /// Counts one case, a hit or not.
    #[inline]
    pub fn add(&mut self, unit: Unit, hit: bool) {
        self.add_many(unit, u64::from(hit), 1);
    }

    /// Counts some cases, of which a part are hits.
    #[inline]
    pub fn add_many(&mut self, unit: Unit, hits: u64, count: u64) {
        if self.last != unit {
            self.settle();
            self.last = unit;
        }
        self.part[0] += hits;
        self.part[1] += count;
    }

    #[inline]
    fn settle(&mut self) {
        let [hits, count] = core::mem::take(&mut self.part);
        if count > 0 {
            self.hits += hits;
            self.count += count;
            self.hits_hits += hits * hits;
            self.hits_count += hits * count;
            self.count_count += count * count;
            self.units += 1;
        }
    }

    fn settled(&self) -> Self {
        let mut settled = *self;
        settled.settle();
        settled
    }

    /// Returns the number of cases.
    pub const fn count(&self) -> u64 {
        self.count + self.part[1]
    }

    /// Returns the number of hits.
    pub const fn hits(&self) -> u64 {
        self.hits + self.part[0]
    }

    /// Returns the share, or `None` without cases.
    #[expect(clippy::cast_precision_loss, reason = "counts are below 2^53")]
    pub fn share(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.hits() as f64 / self.count() as f64)
    }

    /// Returns the effective number of independent trials if the records of a deal are all alike: Kish's
    /// effective size (1965, *Survey Sampling*, section 11.7).
    #[expect(clippy::cast_precision_loss, reason = "counts are below 2^53")]
    fn least_trials(&self) -> f64 {
        let settled = self.settled();
        (settled.count as f64).powi(2) / (settled.count_count as f64)
    }

    /// Returns the effective number of independent trials: from the variance of the share with the deal as the
    /// unit, at least [`Share::least_trials`] and at most the count.
    #[expect(clippy::cast_precision_loss, reason = "counts are below 2^53")]
    pub fn trials(&self) -> f64 {
        let settled = self.settled();
        let least = settled.least_trials();
        let Some(share) = settled.share().filter(|share| *share > 0.0 && *share < 1.0) else { return least };
        if settled.units < FEW_UNITS {
            return least;
        }
        let [hh, hn, nn, n, units] =
            [settled.hits_hits, settled.hits_count, settled.count_count, settled.count, settled.units]
                .map(|sum| sum as f64);
        let residuals = share.mul_add(share * nn, hh) - 2.0 * share * hn;
        let variance = residuals.max(0.0) * units / (units - 1.0) / (n * n);
        // With zero variance, the number of trials is maximal.
        (share * (1.0 - share) / variance).clamp(least, n)
    }

    /// Returns the 95 % interval of the share: Wilson's, with the effective number of trials.
    pub fn interval(&self) -> Option<[f64; 2]> {
        self.share().map(|share| wilson_of_share(share, self.trials(), 0.95))
    }

    /// Returns the share and interval of a subset known only by its count, which is assumed to be as correlated
    /// within deals as this share.
    #[expect(clippy::cast_precision_loss, reason = "counts are below 2^53")]
    pub fn of_part(&self, hits: u64) -> Option<[f64; 3]> {
        (self.count() > 0).then(|| {
            let share = hits as f64 / self.count() as f64;
            let [low, high] = wilson_of_share(share, self.trials(), 0.95);
            [share, low, high]
        })
    }
}

impl Merge for Share {
    fn merge(&mut self, other: &Self) {
        let other = other.settled();
        self.settle();
        self.hits += other.hits;
        self.count += other.count;
        self.hits_hits += other.hits_hits;
        self.hits_count += other.hits_count;
        self.count_count += other.count_count;
        self.units += other.units;
    }
}

/// A mean of integers.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(from = "Ratio", into = "Ratio")]
pub struct Average {
    ratio: Ratio,
    part: Part,
    last: Unit,
}

impl From<Ratio> for Average {
    fn from(ratio: Ratio) -> Self {
        Self { ratio, ..Self::default() }
    }
}

impl From<Average> for Ratio {
    fn from(average: Average) -> Self {
        average.settled()
    }
}

impl Average {
    /// Counts a number.
    #[inline]
    pub fn add(&mut self, unit: Unit, number: i32) {
        if self.last != unit {
            self.ratio.add(core::mem::take(&mut self.part));
            self.last = unit;
        }
        self.part.add(number);
    }

    fn settled(&self) -> Ratio {
        let mut ratio = self.ratio;
        ratio.add(self.part);
        ratio
    }

    /// Returns the number of values.
    pub fn count(&self) -> u64 {
        self.settled().count()
    }

    /// Returns the mean with its interval, or `None` without values.
    pub fn mean(&self) -> Option<Mean> {
        self.settled().mean()
    }
}

impl Merge for Average {
    fn merge(&mut self, other: &Self) {
        self.ratio.add(core::mem::take(&mut self.part));
        self.ratio.merge(&other.settled());
    }
}

/// The means of two kinds of records, for comparison.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(from = "Contrast", into = "Contrast")]
pub struct Compared {
    contrast: Contrast,
    parts: [Part; 2],
    last: Unit,
}

impl From<Contrast> for Compared {
    fn from(contrast: Contrast) -> Self {
        Self { contrast, ..Self::default() }
    }
}

impl From<Compared> for Contrast {
    fn from(compared: Compared) -> Self {
        compared.settled()
    }
}

impl Compared {
    /// Counts a number of the first or the second kind.
    #[inline]
    pub fn add(&mut self, unit: Unit, second: bool, number: i32) {
        if self.last != unit {
            let [a, b] = core::mem::take(&mut self.parts);
            self.contrast.add(a, b);
            self.last = unit;
        }
        self.parts[usize::from(second)].add(number);
    }

    fn settled(&self) -> Contrast {
        let mut contrast = self.contrast;
        contrast.add(self.parts[0], self.parts[1]);
        contrast
    }

    /// Returns the number of values of each kind.
    pub fn counts(&self) -> [u64; 2] {
        let Contrast { a, b, .. } = self.settled();
        [a.count(), b.count()]
    }

    /// Returns both means.
    pub fn means(&self) -> [Option<Mean>; 2] {
        let Contrast { a, b, .. } = self.settled();
        [a.mean(), b.mean()]
    }

    /// Returns the first mean less the second, or `None` if a kind is missing.
    pub fn difference(&self) -> Option<Mean> {
        self.settled().difference()
    }
}

impl Merge for Compared {
    fn merge(&mut self, other: &Self) {
        let mut sums = self.settled();
        sums.merge(&other.settled());
        *self = Self { contrast: sums, parts: [Part::default(); 2], last: 0 };
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
