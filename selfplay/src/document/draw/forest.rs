//! Forest plots: intervals one below the other, on one axis with 0.

use super::axis::Axis;
use super::svg::{Hold, Svg, shorten};
use super::{Ink, WIDTH};
use crate::document::words::Language;

/// One interval.
#[derive(Debug, Clone)]
pub struct Mark {
    /// The label at the left.
    pub label: String,
    /// The text at the right.
    pub shown: String,
    /// The position of the dot, in the unit of the axis.
    pub mean: f64,
    /// The ends of the line through the dot, lower first; `None` draws the dot alone.
    pub interval: Option<[f64; 2]>,
    /// The colour of dot and line.
    pub ink: Ink,
}

const ROW: f64 = 40.0;

/// Draws intervals; `unit` is written under the axis.
pub fn forest(title: &str, unit: &str, marks: &[Mark]) -> String {
    forest_in(Language::English, title, unit, marks)
}

/// Draws the same with numbers in a language.
pub fn forest_in(language: Language, title: &str, unit: &str, marks: &[Mark]) -> String {
    let rows = f64::from(u32::try_from(marks.len()).unwrap_or(u32::MAX));
    let bottom = 8.0 + rows * ROW;
    let mut svg = Svg::new(WIDTH, bottom + 42.0, title);
    let ends = marks.iter().flat_map(|mark| mark.interval.unwrap_or([mark.mean; 2]));
    let axis = Axis::around(ends.chain([0.0]), 14.0, WIDTH - 14.0);
    let ticks = axis.ticks(5.0);
    for (tick, label) in &ticks {
        svg.text([axis.at(*tick), bottom + 16.0], Hold::Middle, "tick", &language.number(label));
    }
    svg.text([WIDTH / 2.0, bottom + 36.0], Hold::Middle, "axis", unit);
    let mut top = 8.0;
    for mark in marks {
        let shown = language.number(&mark.shown);
        let room = 54usize.saturating_sub(shown.chars().count());
        svg.text([14.0, top + 15.0], Hold::Start, "label", &shorten(&mark.label, room));
        svg.text([WIDTH - 14.0, top + 15.0], Hold::End, "number", &shown);
        let y = top + 28.0;
        // Grid lines do not cross the names.
        for (tick, _) in &ticks {
            let class = if *tick == 0.0 { "zero" } else { "grid" };
            svg.line([axis.at(*tick), y - 7.0], [axis.at(*tick), y + 8.0], class);
        }
        let tip = format!("{}{}{shown}", mark.label, language.of(": ", "\u{a0}: "));
        if let Some([low, high]) = mark.interval {
            let class = format!("whisker {}", mark.ink.class());
            let [low, high] = [axis.at(low), axis.at(high)];
            svg.line([low, y], [high, y], &class);
            for end in [low, high] {
                svg.line([end, y - 4.0], [end, y + 4.0], &class);
            }
        }
        svg.circle([axis.at(mark.mean), y], 4.5, &format!("dot {}", mark.ink.class()), &tip);
        top += ROW;
    }
    svg.finish()
}
