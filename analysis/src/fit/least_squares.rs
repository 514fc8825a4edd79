//! Ridge regression on sparse rows.

use coinche_inference::linear::{Cholesky, Matrix};

/// The sums of a regression.
#[derive(Debug)]
pub(super) struct LeastSquares {
    /// The lower triangle.
    square: Matrix,
    right: Vec<f64>,
    pub(super) rows: usize,
}

impl LeastSquares {
    pub(super) fn new(columns: usize) -> Self {
        Self { square: Matrix::zeros(columns, columns), right: vec![0.0; columns], rows: 0 }
    }

    /// Adds a row: its columns, each once, in ascending order, and its target.
    pub(super) fn add(&mut self, row: &[(usize, f64)], target: f64) {
        self.rows += 1;
        for (at, (column, value)) in row.iter().enumerate() {
            self.right[*column] += value * target;
            for (other, by) in &row[at..] {
                self.square[(*other, *column)] += value * by;
            }
        }
    }

    /// Solves for weights near `prior`; the prior of each column weighs as much as `hold` rows. A column
    /// without rows keeps its prior.
    ///
    /// Returns `None` if a hold is not positive.
    pub(super) fn solve(&self, prior: &[f64], holds: &[f64]) -> Option<Vec<f64>> {
        let met: Vec<usize> = (0..prior.len()).filter(|at| self.square[(*at, *at)] > 0.0).collect();
        let square = Matrix::from_fn(met.len(), met.len(), |row, column| {
            let held = if row == column { holds[met[row]] } else { 0.0 };
            self.square[(met[row], met[column])] + held
        });
        let right: Vec<_> = met.iter().map(|at| self.right[*at] + holds[*at] * prior[*at]).collect();
        let solved = Cholesky::new(&square)?.solve(&right);
        let mut weights = prior.to_vec();
        for (column, weight) in met.iter().zip(solved) {
            weights[*column] = weight;
        }
        Some(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_and_what_is_not_known_keeps_its_prior() {
        let mut squares = LeastSquares::new(3);
        for x in 0..100 {
            let x = f64::from(x);
            squares.add(&[(0, 1.0), (1, x)], 7.0 - 2.0 * x);
        }
        let weights = squares.solve(&[0.0, 0.0, 5.0], &[1e-9, 1e-9, 1.0]).unwrap();
        assert!((weights[0] - 7.0).abs() < 1e-6 && (weights[1] + 2.0).abs() < 1e-6, "{weights:?}");
        assert!((weights[2] - 5.0).abs() < 1e-9);
        // With a prior as heavy as the data, the slope stays halfway.
        let mut one = LeastSquares::new(1);
        (0..10).for_each(|_| one.add(&[(0, 1.0)], 4.0));
        assert!((one.solve(&[0.0], &[10.0]).unwrap()[0] - 2.0).abs() < 1e-9);
    }
}
