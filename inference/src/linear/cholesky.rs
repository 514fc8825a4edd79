//! Systems of equations with a symmetric, positive definite matrix.

use super::Matrix;

/// The lower triangle `L` of `A = L Lᵀ`.
#[derive(Debug, Clone)]
pub struct Cholesky(Matrix);

impl Cholesky {
    /// Factors a matrix, of which only the lower triangle is read; `None` when it is not positive definite.
    pub fn new(matrix: &Matrix) -> Option<Self> {
        let n = matrix.rows();
        let mut factor = Matrix::zeros(n, n);
        for row in 0..n {
            for column in 0..=row {
                let done = factor.row(row)[..column].iter().zip(factor.row(column));
                let rest = done.fold(matrix[(row, column)], |rest, (a, b)| rest - a * b);
                factor[(row, column)] = if column < row {
                    rest / factor[(column, column)]
                } else if rest > 0.0 {
                    rest.sqrt()
                } else {
                    return None;
                };
            }
        }
        Some(Self(factor))
    }

    /// Returns `A⁻¹ b`.
    ///
    /// # Panics
    ///
    /// When there is not one right side for each row.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let Self(factor) = self;
        let n = factor.rows();
        assert_eq!(n, right.len(), "a right side for each row");
        let mut solved = right.to_vec();
        for row in 0..n {
            let done = factor.row(row)[..row].iter().zip(&solved);
            let rest = done.fold(solved[row], |rest, (a, b)| rest - a * b);
            solved[row] = rest / factor[(row, row)];
        }
        for row in (0..n).rev() {
            let sum: f64 = (row + 1..n).map(|below| factor[(below, row)] * solved[below]).sum();
            solved[row] = (solved[row] - sum) / factor[(row, row)];
        }
        solved
    }

    /// Returns `A⁻¹ B`.
    pub(crate) fn solve_all(&self, right: &Matrix) -> Matrix {
        let columns: Vec<_> = (0..right.columns()).map(|column| self.solve(&right.column(column))).collect();
        Matrix::from_fn(right.rows(), right.columns(), |row, column| columns[column][row])
    }

    /// Returns `A⁻¹`.
    pub(crate) fn inverse(&self) -> Matrix {
        self.solve_all(&Matrix::identity(self.0.rows()))
    }
}
