//! Eigenvalues and eigenvectors of a symmetric matrix.

use super::{Matrix, add_scaled, dot};

/// The eigenvalues of a symmetric matrix, in no order, and a unit vector of each.
#[derive(Debug, Clone)]
pub(crate) struct Eigen {
    pub(crate) values: Vec<f64>,
    /// By eigenvalue.
    pub(crate) vectors: Matrix,
}

/// The most steps for one eigenvalue: two or three are usual.
const MOST_STEPS: usize = 100;

impl Eigen {
    /// Computes them by Householder reflections to tridiagonal form and implicit QL steps (Golub & Van Loan 2013,
    /// *Matrix Computations*, sections 8.3.1 to 8.3.3). The time grows with the third power of the rows.
    pub(crate) fn new(matrix: &Matrix) -> Self {
        let (mut diagonal, mut beside, mut vectors) = tridiagonal(matrix);
        let n = diagonal.len();
        for first in 0..n {
            for _ in 0..MOST_STEPS {
                let small = |at: usize| {
                    beside[at].abs() <= f64::EPSILON * (diagonal[at].abs() + diagonal[at + 1].abs())
                };
                let last = (first..n.saturating_sub(1)).find(|at| small(*at)).unwrap_or(n - 1);
                if last == first {
                    break;
                }
                ql_step(&mut diagonal, &mut beside, &mut vectors, first, last);
            }
        }
        Self { values: diagonal, vectors }
    }
}

/// One QL step with Wilkinson's shift on the rows `first..=last`, none of whose numbers beside the diagonal is 0.
fn ql_step(diagonal: &mut [f64], beside: &mut [f64], vectors: &mut Matrix, first: usize, last: usize) {
    let half = (diagonal[first + 1] - diagonal[first]) / (2.0 * beside[first]);
    let shift = diagonal[first] - beside[first] / (half + libm::hypot(half, 1.0).copysign(half));
    let (mut bulge, mut chased) = (diagonal[last] - shift, 0.0);
    let (mut sine, mut cosine) = (1.0, 1.0);
    for at in (first..last).rev() {
        let (far, near) = (sine * beside[at], cosine * beside[at]);
        let length = libm::hypot(far, bulge);
        beside[at + 1] = length;
        if length == 0.0 {
            // The matrix splits here: the next step works on a part.
            diagonal[at + 1] -= chased;
            beside[last] = 0.0;
            return;
        }
        (sine, cosine) = (far / length, bulge / length);
        let left = diagonal[at + 1] - chased;
        let sum = (diagonal[at] - left) * sine + 2.0 * cosine * near;
        chased = sine * sum;
        diagonal[at + 1] = left + chased;
        bulge = cosine * sum - near;
        vectors.rotate(at, at + 1, (cosine, sine));
    }
    diagonal[first] -= chased;
    beside[first] = bulge;
    beside[last] = 0.0;
}

/// Reduces a symmetric matrix to tridiagonal form: returns its diagonal, the numbers beside it with a 0 as the
/// last, and in rows the basis in which the matrix has this form.
fn tridiagonal(matrix: &Matrix) -> (Vec<f64>, Vec<f64>, Matrix) {
    let n = matrix.rows();
    let mut matrix = matrix.clone();
    let mut basis = Matrix::identity(n);
    for column in 0..n.saturating_sub(2) {
        // The reflection that makes a column zero below the place under the diagonal.
        let mut normal = matrix.column(column);
        normal[..=column].fill(0.0);
        let length = dot(&normal, &normal).sqrt();
        if length == 0.0 {
            continue;
        }
        normal[column + 1] += length.copysign(normal[column + 1]);
        let factor = 2.0 / dot(&normal, &normal);
        // A − v wᵀ − w vᵀ, with w = f A v − (f² vᵀ A v / 2) v.
        let mut image: Vec<_> = matrix.apply(&normal).iter().map(|value| factor * value).collect();
        image[..column].fill(0.0);
        let along = factor / 2.0 * dot(&normal, &image);
        add_scaled(&mut image, -along, &normal);
        for row in column..n {
            let (own, own_image) = (normal[row], image[row]);
            add_scaled(matrix.row_mut(row), -own, &image);
            add_scaled(matrix.row_mut(row), -own_image, &normal);
        }
        let turned: Vec<_> = basis.apply_transposed(&normal).iter().map(|value| factor * value).collect();
        for (row, own) in normal.iter().enumerate().skip(column + 1) {
            add_scaled(basis.row_mut(row), -own, &turned);
        }
    }
    let mut beside: Vec<_> = (1..n).map(|row| matrix[(row, row - 1)]).collect();
    beside.push(0.0);
    (matrix.diagonal(), beside, basis)
}
