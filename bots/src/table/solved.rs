//! From double-dummy points to those of play.

/// What the declarers make in play, where double-dummy play makes so many points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SolvedFit {
    /// What is added, in tenths of points; the factor of the solved points, in thousandths; the standard
    /// deviation, in tenths; the chance to take all tricks, in thousandths, where double-dummy play takes all, and where
    /// not.
    pub numbers: [i32; 5],
}

impl SolvedFit {
    /// The expected points.
    pub fn mean(&self, solved: u16) -> f64 {
        f64::from(self.numbers[0]) / 10.0 + f64::from(self.numbers[1]) / 1000.0 * f64::from(solved)
    }

    /// Their standard deviation.
    pub fn deviation(&self) -> f64 {
        f64::from(self.numbers[2]) / 10.0
    }

    /// The chance to take all tricks.
    pub fn slam(&self, solved: bool) -> f64 {
        f64::from(self.numbers[if solved { 3 } else { 4 }]) / 1000.0
    }
}
