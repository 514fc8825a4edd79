//! A mean with its interval.

use coinche_selfplay::Cell;
use coinche_selfplay::document::field::{Signs, Value};
use serde::{Deserialize, Serialize};

/// A mean over deals or matches.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Mean {
    /// The mean, in points.
    pub mean: f64,
    /// Half the width of its 95 % interval; `None` where it has none, as of legs that all end 0 to 0.
    pub half_width: Option<f64>,
}

impl Value<Signs> for Mean {
    fn cell(self) -> Cell {
        Cell::estimate(self.mean, self.half_width, 1)
    }
}

impl Mean {
    /// Returns the same from the other side.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { mean: 0.0 - self.mean, ..self }
    }

    /// Tests if 0 is outside of the interval.
    pub fn is_decided(&self) -> bool {
        self.half_width.is_some_and(|half| self.mean.abs() > half)
    }

    /// Returns the mean of a sum of so many parts.
    #[must_use]
    pub fn out_of(self, parts: f64) -> Self {
        // Adding zero makes −0 a 0.
        Self { mean: self.mean / parts + 0.0, half_width: self.half_width.map(|half| half / parts) }
    }
}
