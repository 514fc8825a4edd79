//! What a matrix maps to 0.

use super::{Matrix, dot};

/// The most sweeps over all pairs of columns: five to ten are usual.
const MOST_SWEEPS: usize = 60;

/// Returns an orthonormal basis, in columns, of what a matrix maps to 0: singular vectors with values below
/// `least`.
///
/// One-sided Jacobi rotations (Golub & Van Loan 2013, *Matrix Computations*, section 8.6.3) make the columns of the
/// matrix orthogonal, which finds small singular values exactly.
pub(crate) fn null_space(matrix: &Matrix, least: f64) -> Matrix {
    let n = matrix.columns();
    // In rows: the columns of the matrix, and of the rotation that they have had.
    let mut images = matrix.transpose();
    let mut basis = Matrix::identity(n);
    for _ in 0..MOST_SWEEPS {
        let mut rotated = false;
        for first in 0..n {
            for second in first + 1..n {
                let (a, b) = (images.row(first), images.row(second));
                let (long, other, both) = (dot(a, a), dot(b, b), dot(a, b));
                if both.abs() > f64::EPSILON * (long * other).sqrt() {
                    let half = (other - long) / (2.0 * both);
                    let tangent = 1.0_f64.copysign(half) / (half.abs() + libm::hypot(half, 1.0));
                    let cosine = 1.0 / libm::hypot(tangent, 1.0);
                    let by = (cosine, cosine * tangent);
                    images.rotate(first, second, by);
                    basis.rotate(first, second, by);
                    rotated = true;
                }
            }
        }
        if !rotated {
            break;
        }
    }
    let kept: Vec<usize> = (0..n).filter(|at| dot(images.row(*at), images.row(*at)).sqrt() < least).collect();
    Matrix::from_fn(n, kept.len(), |row, column| basis[(kept[column], row)])
}
