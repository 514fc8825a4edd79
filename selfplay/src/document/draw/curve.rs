//! A number plotted against the number of deals, or another one.

use std::fmt::Write as _;

use super::axis::Axis;
use super::svg::{Hold, Svg, standalone};
use super::{Ink, WIDTH};

/// The data of a curve.
#[derive(Debug, Clone)]
pub struct Curve<'a> {
    /// The accessible name of the picture, for screen readers.
    pub title: &'a str,
    /// The caption above the picture.
    pub what: &'a str,
    /// What goes across, such as `deals`.
    pub across: &'a str,
    /// Pairs of what goes across and the value; it is infinite where there is none.
    pub points: &'a [[f64; 2]],
    /// For each point, an interval around the value.
    pub band: &'a [[f64; 2]],
    /// Horizontal levels with their names.
    pub levels: &'a [(f64, String, Ink)],
}

/// The height of a picture.
const HEIGHT: f64 = 288.0;

/// The most points of a line: more would be closer than a pixel.
const MOST: usize = 600;

/// Returns the indices of the points that are drawn: evenly spread, including the last one.
fn drawn(points: usize) -> impl Iterator<Item = usize> + Clone {
    let step = points.div_ceil(MOST).max(1);
    let last = points.checked_sub(1).filter(|last| !last.is_multiple_of(step));
    (0..points).step_by(step).chain(last)
}

/// Draws a curve.
pub fn curve(curve: &Curve<'_>) -> String {
    let Curve { title, what, across: name, points, band, levels } = *curve;
    let (top, bottom) = (34.0, 244.0);
    let mut svg = Svg::new(WIDTH, HEIGHT, title);
    let most = points.last().map_or(1.0, |[deals, _]| *deals);
    let across = Axis { low: 0.0, high: most.max(1.0), from: 52.0, to: WIDTH - 16.0 };
    // A band that is wide only at its beginning must not compress the rest.
    let late = band.iter().skip(band.len() / 8).flatten().copied();
    let numbers = points.iter().map(|[_, number]| *number).chain(levels.iter().map(|(level, ..)| *level));
    let up = Axis::around(numbers.chain(late), bottom, top);
    svg.text([8.0, 16.0], Hold::Start, "axis", what);
    for (tick, label) in up.ticks(5.0) {
        let y = up.at(tick);
        svg.line([across.from, y], [across.to, y], "grid");
        svg.text([across.from - 6.0, y + 4.0], Hold::End, "tick", &label);
    }
    for (tick, label) in across.ticks(5.0) {
        let x = across.at(tick);
        svg.line([x, bottom], [x, bottom + 4.0], "zero");
        svg.text([x, bottom + 18.0], Hold::Middle, "tick", &label);
    }
    svg.line([across.from, bottom], [across.to, bottom], "zero");
    svg.text([f64::midpoint(across.from, across.to), bottom + 38.0], Hold::Middle, "axis", name);
    let place = |n: usize, number: f64| [across.at(points[n][0]), up.at(number)];
    if !band.is_empty() {
        let there = drawn(points.len());
        let back = drawn(points.len()).collect::<Vec<_>>().into_iter().rev();
        let outline = there.map(|n| place(n, band[n][0])).chain(back.map(|n| place(n, band[n][1])));
        svg.path(outline, "band");
    }
    for (level, name, ink) in levels {
        let y = up.at(*level);
        svg.line([across.from, y], [across.to, y], &format!("level {}", ink.class()));
        // Above the line, if there is room.
        let y = if y - top > 14.0 { y - 5.0 } else { y + 14.0 };
        // At the left, where no curve has begun yet.
        svg.text([across.from + 4.0, y], Hold::Start, &format!("note {}", ink.class()), name);
    }
    svg.path(drawn(points.len()).map(|n| place(n, points[n][1])), "curve");
    if let Some([deals, number]) = points.last() {
        svg.circle(
            [across.at(*deals), up.at(*number)],
            4.0,
            "dot ink-g",
            &format!("{deals} {name}: {number:.3}"),
        );
    }
    svg.finish()
}

/// Stacks curves vertically, as a standalone picture.
pub fn stacked(curves: &[String]) -> String {
    let mut body = String::new();
    let mut top = 0.0;
    for curve in curves {
        let inner = curve.strip_prefix("<svg ").unwrap_or(curve);
        let _ = write!(body, r#"<svg y="{top}" width="{WIDTH}" height="{HEIGHT}" {inner}"#);
        top += HEIGHT;
    }
    let head = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" width="{}">"#,
        2.0 * WIDTH
    );
    standalone(&format!("{head}{body}</svg>"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_curve_is_thinned_and_keeps_its_end() {
        for points in [0, 1, 2, MOST, MOST + 1, 100_000] {
            let drawn: Vec<_> = drawn(points).collect();
            assert!(drawn.len() <= MOST + 1);
            assert_eq!(drawn.last().copied(), points.checked_sub(1));
            assert!(drawn.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }
}
