//! Ranges of times on a logarithmic axis.

use super::WIDTH;
use super::svg::{Hold, Svg, shorten};
use crate::document::model::micros;

/// The times of one bot, in microseconds.
#[derive(Debug, Clone)]
pub struct Range {
    /// The name of the bot.
    pub label: String,
    /// The median.
    pub p50: f64,
    /// The 95th percentile.
    pub p95: f64,
    /// The longest.
    pub max: f64,
}

/// Draws times: a thick line from the median to the 95th percentile, a thin one from there to the longest.
pub fn ranges(title: &str, ranges: &[Range]) -> String {
    let rows = f64::from(u32::try_from(ranges.len()).unwrap_or(u32::MAX));
    let bottom = 8.0 + 40.0 * rows;
    let mut svg = Svg::new(WIDTH, bottom + 42.0, title);
    // No time is below a nanosecond.
    let power = |micros: f64| libm::log10(micros.max(0.001));
    let low = ranges.iter().map(|range| power(range.p50).floor()).fold(f64::INFINITY, f64::min);
    let high = ranges.iter().map(|range| power(range.max).ceil()).fold(f64::NEG_INFINITY, f64::max);
    let (low, high) = if low < high { (low, high) } else { (low.min(0.0), low.min(0.0) + 1.0) };
    let at = |power: f64| 24.0 + (power - low) / (high - low) * (WIDTH - 48.0);
    let mut decade = low;
    while decade <= high {
        for row in 0..ranges.len() {
            let y = 36.0 + 40.0 * f64::from(u32::try_from(row).unwrap_or(u32::MAX));
            svg.line([at(decade), y - 7.0], [at(decade), y + 8.0], "grid");
        }
        let label = micros(libm::exp10(decade)).replace(".0", "");
        svg.text([at(decade), bottom + 16.0], Hold::Middle, "tick", &label);
        decade += 1.0;
    }
    svg.text([WIDTH / 2.0, bottom + 36.0], Hold::Middle, "axis", "processor time per decision");
    let mut top = 8.0;
    for range in ranges {
        let [p50, p95, max] = [range.p50, range.p95, range.max].map(|time| at(power(time)));
        let shown = format!("{} · {} · {}", micros(range.p50), micros(range.p95), micros(range.max));
        let room = 54usize.saturating_sub(shown.chars().count());
        svg.text([14.0, top + 15.0], Hold::Start, "label", &shorten(&range.label, room));
        svg.text([WIDTH - 14.0, top + 15.0], Hold::End, "number", &shown);
        let y = top + 28.0;
        svg.line([p95, y], [max, y], "whisker ink-g");
        svg.line([max, y - 4.0], [max, y + 4.0], "whisker ink-g");
        svg.line([p50, y], [p95, y], "thick ink-a");
        svg.circle([p50, y], 4.5, "dot ink-a", &format!("{}: median {}", range.label, micros(range.p50)));
        top += 40.0;
    }
    svg.finish()
}
