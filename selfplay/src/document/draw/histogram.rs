//! Histograms of differences.

use super::axis::{Axis, round_step};
use super::svg::{Hold, Svg};
use super::{Ink, WIDTH};
use crate::document::model::signed;

/// Differences counted in bins of one width; one bin is centred at 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Bins {
    /// The width in points: a whole number.
    pub width: i64,
    /// The index of the first bin: bin `n` is `(n − ½) · width` (inclusive) to `(n + ½) · width` (exclusive).
    pub first: i64,
    /// The number of differences in each bin, from the first on.
    pub counts: Vec<u64>,
}

/// The target number of bins.
const WANTED: f64 = 40.0;

impl Bins {
    /// Counts differences, given in order as twice the difference and its count. `None` if there are none.
    #[expect(clippy::cast_possible_truncation, reason = "points of a deal")]
    pub fn new(doubled: &[(i64, u64)]) -> Option<Self> {
        let (low, high) = (doubled.first()?.0, doubled.last()?.0);
        let width = (round_step((high - low) as f64 / 2.0, WANTED).round() as i64).max(1);
        let bin = |doubled: i64| (doubled + width).div_euclid(2 * width);
        let (first, last) = (bin(low), bin(high));
        let mut counts = vec![0; usize::try_from(last - first + 1).unwrap_or_default()];
        for (doubled, count) in doubled {
            if let Some(cell) = usize::try_from(bin(*doubled) - first).ok().and_then(|n| counts.get_mut(n)) {
                *cell += count;
            }
        }
        Some(Self { width, first, counts })
    }

    /// Iterates over the bins: the middle and the count.
    pub fn iter(&self) -> impl Iterator<Item = (i64, u64)> {
        (self.first..).map(|n| n * self.width).zip(self.counts.iter().copied())
    }
}

/// Draws a histogram of differences with their mean.
pub fn histogram(title: &str, unit: &str, bins: &Bins, mean: f64) -> String {
    let (top, bottom) = (30.0, 200.0);
    let mut svg = Svg::new(WIDTH, 242.0, title);
    let half = bins.width as f64 / 2.0;
    // Values that are never negative have no sign: they are points, not differences.
    let is_signed = bins.first < 0;
    let ends = bins.iter().flat_map(|(middle, _)| [middle as f64 - half, middle as f64 + half]);
    let across = Axis::around(ends.chain([0.0]), 56.0, WIDTH - 12.0);
    let most = bins.counts.iter().copied().max().unwrap_or(1) as f64;
    let up = Axis { low: 0.0, high: most.max(1.0), from: bottom, to: top };
    for (tick, label) in up.ticks(4.0) {
        let y = up.at(tick);
        svg.line([across.from, y], [across.to, y], "grid");
        svg.text([across.from - 6.0, y + 4.0], Hold::End, "tick", &label);
    }
    for (tick, label) in across.ticks(6.0) {
        svg.text([across.at(tick), bottom + 17.0], Hold::Middle, "tick", &label);
    }
    for (middle, count) in bins.iter().filter(|(_, count)| *count > 0) {
        let [left, right] = [middle as f64 - half, middle as f64 + half].map(|end| across.at(end));
        let y = up.at(count as f64).min(bottom - 1.0);
        let ink = match middle {
            0 => Ink::Grey,
            middle if middle > 0 => Ink::A,
            _ => Ink::B,
        };
        let points = if is_signed { format!("{middle:+}") } else { middle.to_string() };
        let tip = format!("{points} points: {}", crate::base::style::thousands(count));
        let gap = if right - left > 4.0 { 0.75 } else { 0.0 };
        svg.rect(
            [left + gap, y],
            [right - left - 2.0 * gap, bottom - y],
            &format!("bar {}", ink.class()),
            &tip,
        );
    }
    svg.line([across.from, bottom], [across.to, bottom], "zero");
    let x = across.at(mean);
    svg.line([x, top - 8.0], [x, bottom], "mean");
    let (hold, x) = if x > WIDTH / 2.0 { (Hold::End, x - 5.0) } else { (Hold::Start, x + 5.0) };
    let shown = if is_signed { signed(mean) } else { format!("{mean:.1}") };
    svg.text([x, top - 4.0], hold, "number", &format!("mean {shown}"));
    svg.text([8.0, 14.0], Hold::Start, "axis", "deals");
    svg.text([f64::midpoint(across.from, across.to), bottom + 37.0], Hold::Middle, "axis", unit);
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_difference_is_in_the_bin_around_it() {
        let doubled: Vec<(i64, u64)> =
            (-801i64..=640).map(|doubled| (doubled, 1 + doubled.unsigned_abs() % 3)).collect();
        let bins = Bins::new(&doubled).unwrap();
        assert_eq!(bins.counts.iter().sum::<u64>(), doubled.iter().map(|(_, count)| count).sum::<u64>());
        assert!((20..=90).contains(&bins.counts.len()), "{}", bins.counts.len());
        for (middle, count) in bins.iter() {
            let inside = doubled
                .iter()
                .filter(|(d, _)| (2 * middle - bins.width..2 * middle + bins.width).contains(d));
            assert_eq!(count, inside.map(|(_, count)| count).sum::<u64>());
        }
        assert_eq!(Bins::new(&[(0, 7)]).unwrap(), Bins { width: 1, first: 0, counts: vec![7] });
        assert_eq!(Bins::new(&[]), None);
    }
}
