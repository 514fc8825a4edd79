//! Reliability diagrams: forecasts against outcomes.

use super::axis::Axis;
use super::svg::{Hold, Svg};
use crate::document::model::percent;

/// The forecasts of one tenth of the range.
#[derive(Debug, Clone)]
pub struct Reliability {
    /// The mean forecast, 0 to 1.
    pub forecast: f64,
    /// The share of forecasts that came true, 0 to 1.
    pub made: f64,
    /// The ends of the interval of that share, lower first.
    pub interval: [f64; 2],
    /// The number of forecasts.
    pub count: u64,
}

/// Draws a reliability diagram: on the dotted line forecasts are calibrated.
pub fn reliability(title: &str, points: &[Reliability]) -> String {
    let (left, right, top, bottom) = (52.0, 332.0, 12.0, 292.0);
    let mut svg = Svg::new(super::WIDTH, 392.0, title);
    let across = Axis { low: 0.0, high: 1.0, from: left, to: right };
    let up = Axis { low: 0.0, high: 1.0, from: bottom, to: top };
    for n in 0..=5 {
        let share = f64::from(n) / 5.0;
        let label = format!("{} %", 20 * n);
        svg.line([left, up.at(share)], [right, up.at(share)], "grid");
        svg.line([across.at(share), top], [across.at(share), bottom], "grid");
        svg.text([left - 6.0, up.at(share) + 4.0], Hold::End, "tick", &label);
        svg.text([across.at(share), 368.0], Hold::Middle, "tick", &label);
    }
    svg.line([left, bottom], [right, top], "level ink-g");
    svg.text([right + 8.0, top + 12.0], Hold::Start, "note ink-g", "calibrated");
    let most = points.iter().map(|point| point.count).max().unwrap_or(1).max(1) as f64;
    let floor = 352.0;
    for point in points {
        let (x, y) = (across.at(point.forecast), up.at(point.made));
        let [low, high] = point.interval.map(|end| up.at(end));
        for y in [low, high] {
            svg.line([x - 4.0, y], [x + 4.0, y], "whisker ink-a");
        }
        svg.line([x, low], [x, high], "whisker ink-a");
        let count = crate::base::style::thousands(point.count);
        let tip =
            format!("forecast {}, made {}, {count} contracts", percent(point.forecast), percent(point.made));
        svg.circle([x, y], 4.5, "dot ink-a", &tip);
        let height = (48.0 * point.count as f64 / most).max(1.0);
        svg.rect([x - 8.0, floor - height], [16.0, height], "bar ink-g", &tip);
    }
    svg.line([left, floor], [right, floor], "zero");
    svg.text([right + 8.0, floor - 2.0], Hold::Start, "note ink-g", "contracts");
    svg.text([f64::midpoint(left, right), 387.0], Hold::Middle, "axis", "forecast chance");
    svg.text([right + 8.0, bottom - 4.0], Hold::Start, "axis", "made");
    svg.finish()
}
