//! Charts, written as SVG by hand.
//!
//! A plotting library would fix colours and fonts; here they are classes, so that one picture follows the reader's
//! choice of light or dark, prints well, and stays sharp and readable at the width of a phone. All are 400 units wide,
//! 370 pixels on a phone of 400 and at most 560 elsewhere: letters are 11 to 18 pixels high.

mod axis;
mod curve;
mod forest;
mod grid;
mod histogram;
mod ranges;
mod reliability;
mod svg;

pub use curve::{Curve, curve, stacked};
pub use forest::{Mark, forest, forest_in};
pub use grid::{GridCell, grid, shade};
pub use histogram::{Bins, histogram};
pub use ranges::{Range, ranges};
pub use reliability::{Reliability, reliability};
pub(super) use svg::standalone;

/// The width of every picture.
const WIDTH: f64 = 400.0;

/// The colour classes of elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Ahead, or bot A.
    A,
    /// Behind, or bot B.
    B,
    /// Undecided.
    Grey,
}

impl Ink {
    const fn class(self) -> &'static str {
        match self {
            Self::A => "ink-a",
            Self::B => "ink-b",
            Self::Grey => "ink-g",
        }
    }

    /// Returns the ink of an interval: of the side of 0 on which the whole interval lies.
    pub fn of(mean: f64, half: Option<f64>) -> Self {
        match half {
            Some(half) if mean > half => Self::A,
            Some(half) if mean < -half => Self::B,
            _ => Self::Grey,
        }
    }
}
