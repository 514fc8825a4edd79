//! Ridge regression on rows with few numbers that are not zero.

use nalgebra::{DMatrix, DVector};

/// The sums of a regression.
#[derive(Debug)]
pub(super) struct LeastSquares {
    square: DMatrix<f64>,
    right: DVector<f64>,
    pub(super) rows: usize,
}

impl LeastSquares {
    pub(super) fn new(columns: usize) -> Self {
        Self { square: DMatrix::zeros(columns, columns), right: DVector::zeros(columns), rows: 0 }
    }

    /// Adds a row: its columns, each once, in rising order, and what it should give.
    pub(super) fn add(&mut self, row: &[(usize, f64)], target: f64) {
        self.rows += 1;
        for (at, (column, value)) in row.iter().enumerate() {
            self.right[*column] += value * target;
            for (other, by) in &row[at..] {
                // The lower triangle, column by column.
                self.square[(*other, *column)] += value * by;
            }
        }
    }

    /// Solves for weights near `prior`, to which each column is held by its `hold` (the number of rows that
    /// would say the same).
    ///
    /// Returns `None` when a hold is not positive.
    pub(super) fn solve(mut self, prior: &[f64], hold: &[f64]) -> Option<Vec<f64>> {
        for (at, (prior, hold)) in prior.iter().zip(hold).enumerate() {
            self.square[(at, at)] += hold;
            self.right[at] += hold * prior;
        }
        let solved = self.square.cholesky()?.solve(&self.right);
        Some(solved.iter().copied().collect())
    }
}
