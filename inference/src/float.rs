//! Integers as floating-point numbers.

/// Returns an exact sum as a number.
pub(crate) const fn to_f64(n: i128) -> f64 {
    n as f64
}

/// Returns a count as a number.
pub(crate) const fn count(n: usize) -> f64 {
    n as f64
}

/// Adds up products: exactly where they have room, which sums over more than some 10^10 deals have not.
pub(crate) fn sum_of_products<const N: usize>(terms: [[i128; N]; 4]) -> f64 {
    let exact =
        |sum: i128, term: [i128; N]| sum.checked_add(term.into_iter().try_fold(1_i128, i128::checked_mul)?);
    let plain = || terms.iter().map(|term| term.map(to_f64).iter().product::<f64>()).sum();
    terms.into_iter().try_fold(0, exact).map_or_else(plain, to_f64)
}
