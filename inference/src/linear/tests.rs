use super::*;

/// Numbers from −1 to 1 that follow no pattern.
fn noise(seed: u64) -> impl Fn(usize, usize) -> f64 {
    move |row, column| {
        let mut mixed = (row as u64 * 131 + column as u64 + seed * 7919).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // Without these steps (SplitMix64) the numbers of a row differ by a constant, and ranks are too low.
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        f64::from(u32::try_from(mixed >> 32).unwrap()) / f64::from(u32::MAX) * 2.0 - 1.0
    }
}

fn near(a: &Matrix, b: &Matrix, within: f64) {
    assert_eq!((a.rows(), a.columns()), (b.rows(), b.columns()));
    for row in 0..a.rows() {
        for (a, b) in a.row(row).iter().zip(b.row(row)) {
            assert!((a - b).abs() <= within, "{a} is not {b}");
        }
    }
}

#[test]
fn products_are_those_worked_by_hand() {
    let a = Matrix::from_fn(2, 3, |row, column| [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]][row][column]);
    let b = Matrix::from_fn(3, 2, |row, column| [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]][row][column]);
    let product = Matrix::from_fn(2, 2, |row, column| [[58.0, 64.0], [139.0, 154.0]][row][column]);
    assert_eq!(a.times(&b), product);
    assert_eq!(a.apply(&[1.0, 0.0, -1.0]), [-2.0, -2.0]);
    assert_eq!(a.apply_transposed(&[1.0, -1.0]), [-3.0, -3.0, -3.0]);
    assert_eq!(a.transpose().row(2), [3.0, 6.0]);
    assert_eq!(product.diagonal(), [58.0, 154.0]);
    let mut square = Matrix::zeros(2, 2);
    square.add_square(2.0, &[1.0, 3.0]);
    assert_eq!((square.row(0), square.row(1)), (&[2.0, 6.0][..], &[6.0, 18.0][..]));
    // Without a row or a column there is nothing to add.
    assert_eq!(Matrix::zeros(2, 0).times(&Matrix::zeros(0, 2)), Matrix::zeros(2, 2));
    assert_eq!(Matrix::zeros(0, 2).apply(&[1.0, 2.0]), [0.0; 0]);
}

#[test]
fn a_factored_matrix_solves_and_inverts() {
    for n in 1..12 {
        let some = Matrix::from_fn(n + 3, n, noise(n as u64));
        let mut square = some.transpose().times(&some);
        let right: Vec<f64> = (0..n).map(|row| noise(99)(row, 0)).collect();
        let cholesky = Cholesky::new(&square).unwrap();
        for (value, expected) in square.apply(&cholesky.solve(&right)).iter().zip(&right) {
            assert!((value - expected).abs() < 1e-9);
        }
        near(&square.times(&cholesky.inverse()), &Matrix::identity(n), 1e-8);
        square[(n - 1, n - 1)] = -1.0;
        assert!(Cholesky::new(&square).is_none());
    }
    assert!(Cholesky::new(&Matrix::zeros(2, 2)).is_none());
    assert!(Cholesky::new(&Matrix::from_diagonal(&[1.0, f64::NAN])).is_none());
}

/// Tests that `A = Vᵀ Λ V` and `V Vᵀ = 1`, and returns the eigenvalues in order.
fn eigenvalues(matrix: &Matrix) -> Vec<f64> {
    let Eigen { mut values, vectors } = Eigen::new(matrix);
    let largest = largest(&values).max(1.0);
    near(&vectors.times(&vectors.transpose()), &Matrix::identity(matrix.rows()), 1e-13);
    let back = vectors.transpose().times(&Matrix::from_diagonal(&values)).times(&vectors);
    near(&back, matrix, 1e-13 * largest);
    values.sort_by(f64::total_cmp);
    values
}

#[test]
fn eigenvalues_and_vectors_make_the_matrix_again() {
    for n in 0..30 {
        let some = Matrix::from_fn(n, n, noise(n as u64));
        let symmetric = Matrix::from_fn(n, n, |row, column| some[(row, column)] + some[(column, row)]);
        let values = eigenvalues(&symmetric);
        let trace: f64 = symmetric.diagonal().iter().sum();
        assert!((values.iter().sum::<f64>() - trace).abs() < 1e-12);
    }
    // The numbers of a path: 2 − 2 cos(π k / (n + 1)).
    let path = Matrix::from_fn(9, 9, |row, column| match row.abs_diff(column) {
        0 => 2.0,
        1 => -1.0,
        _ => 0.0,
    });
    for (k, value) in (1..).zip(eigenvalues(&path)) {
        let expected = 2.0 - 2.0 * libm::cos(std::f64::consts::PI * f64::from(k) / 10.0);
        assert!((value - expected).abs() < 1e-14, "{value} is not {expected}");
    }
    // Equal eigenvalues, and a rank below the number of rows.
    assert_eq!(eigenvalues(&Matrix::from_diagonal(&[3.0, 1.0, 3.0, 0.0])), [0.0, 1.0, 3.0, 3.0]);
    let ones = eigenvalues(&Matrix::from_fn(6, 6, |_, _| 1.0));
    assert!((ones[5] - 6.0).abs() < 1e-13 && largest(&ones[..5]) < 1e-13, "{ones:?}");
}

#[test]
fn the_null_space_is_orthonormal_and_mapped_to_nothing() {
    for (rank, columns) in [(0, 1), (1, 1), (2, 5), (5, 5), (4, 9), (8, 9)] {
        let left = Matrix::from_fn(columns + 1, rank, noise(1));
        let right = Matrix::from_fn(rank, columns, noise(2));
        let matrix = left.times(&right);
        let null = null_space(&matrix, 1e-9);
        assert_eq!((null.rows(), null.columns()), (columns, columns - rank));
        near(&null.transpose().times(&null), &Matrix::identity(columns - rank), 1e-13);
        near(&matrix.times(&null), &Matrix::zeros(columns + 1, columns - rank), 1e-12);
    }
}
