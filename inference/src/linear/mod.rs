//! Linear algebra of a few rows and columns: what ratings, regressions and equilibria need, and no more.
//!
//! A general library takes longer to build than all the rest of the statistics, and nothing here is in a hot loop.

mod cholesky;
mod eigen;
mod null_space;

use std::ops::{Index, IndexMut};

pub use cholesky::Cholesky;
pub(crate) use eigen::Eigen;
pub(crate) use null_space::null_space;

/// A dense matrix, row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    values: Vec<f64>,
}

impl Matrix {
    /// Makes a matrix of zeros.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Self { rows, columns, values: vec![0.0; rows * columns] }
    }

    /// Makes a matrix of a value for each row and column.
    pub fn from_fn(rows: usize, columns: usize, value: impl Fn(usize, usize) -> f64) -> Self {
        let mut matrix = Self::zeros(rows, columns);
        for row in 0..rows {
            for column in 0..columns {
                matrix[(row, column)] = value(row, column);
            }
        }
        matrix
    }

    pub(crate) fn from_diagonal(diagonal: &[f64]) -> Self {
        let n = diagonal.len();
        Self::from_fn(n, n, |row, column| if row == column { diagonal[row] } else { 0.0 })
    }

    pub(crate) fn identity(n: usize) -> Self {
        Self::from_diagonal(&vec![1.0; n])
    }

    pub(crate) const fn rows(&self) -> usize {
        self.rows
    }

    pub(crate) const fn columns(&self) -> usize {
        self.columns
    }

    pub(crate) fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.columns..(row + 1) * self.columns]
    }

    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.values[row * self.columns..(row + 1) * self.columns]
    }

    pub(crate) fn column(&self, column: usize) -> Vec<f64> {
        (0..self.rows).map(|row| self[(row, column)]).collect()
    }

    pub(crate) fn diagonal(&self) -> Vec<f64> {
        (0..self.rows.min(self.columns)).map(|n| self[(n, n)]).collect()
    }

    pub(crate) fn transpose(&self) -> Self {
        Self::from_fn(self.columns, self.rows, |row, column| self[(column, row)])
    }

    /// Returns the product with a matrix at its right.
    ///
    /// # Panics
    ///
    /// When that has not as many rows as this has columns.
    pub(crate) fn times(&self, other: &Self) -> Self {
        assert_eq!(self.columns, other.rows, "factors fit");
        let mut product = Self::zeros(self.rows, other.columns);
        for row in 0..self.rows {
            for (factor, values) in self.row(row).iter().zip(other.values.chunks(other.columns.max(1))) {
                add_scaled(product.row_mut(row), *factor, values);
            }
        }
        product
    }

    /// Returns the product with a column at its right.
    pub(crate) fn apply(&self, vector: &[f64]) -> Vec<f64> {
        assert_eq!(self.columns, vector.len(), "factors fit");
        (0..self.rows).map(|row| dot(self.row(row), vector)).collect()
    }

    /// Returns the product of the transposed matrix with a column.
    pub(crate) fn apply_transposed(&self, vector: &[f64]) -> Vec<f64> {
        assert_eq!(self.rows, vector.len(), "factors fit");
        let mut product = vec![0.0; self.columns];
        for (row, factor) in vector.iter().enumerate() {
            add_scaled(&mut product, *factor, self.row(row));
        }
        product
    }

    /// Rotates two rows in their plane.
    pub(crate) fn rotate(&mut self, first: usize, second: usize, (cosine, sine): (f64, f64)) {
        for column in 0..self.columns {
            let (a, b) = (self[(first, column)], self[(second, column)]);
            self[(first, column)] = cosine * a - sine * b;
            self[(second, column)] = sine * a + cosine * b;
        }
    }

    /// Adds `factor · v vᵀ`.
    pub(crate) fn add_square(&mut self, factor: f64, vector: &[f64]) {
        for (row, value) in vector.iter().enumerate() {
            add_scaled(self.row_mut(row), factor * value, vector);
        }
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        debug_assert!(column < self.columns);
        &self.values[row * self.columns + column]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        debug_assert!(column < self.columns);
        &mut self.values[row * self.columns + column]
    }
}

/// Returns the sum of the products of two columns.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Adds `factor · other` to a column.
pub(crate) fn add_scaled(to: &mut [f64], factor: f64, other: &[f64]) {
    to.iter_mut().zip(other).for_each(|(to, other)| *to += factor * other);
}

/// Returns the largest absolute value, 0 of none.
pub(crate) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest, value| value.abs().max(largest))
}

#[cfg(test)]
mod tests;
