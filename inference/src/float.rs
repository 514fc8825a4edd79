//! Integers as floating-point numbers.

/// Returns an exact sum as a number.
pub(crate) const fn to_f64(n: i128) -> f64 {
    n as f64
}

/// Returns a count as a number.
pub(crate) const fn count(n: usize) -> f64 {
    n as f64
}

/// Adds up products of three: exactly where they have room, which sums over more than some 10^10 deals have not.
pub(crate) fn sum_of_products(terms: [[i128; 3]; 4]) -> f64 {
    let exact =
        terms.iter().try_fold(0_i128, |sum, [a, b, c]| sum.checked_add(a.checked_mul(*b)?.checked_mul(*c)?));
    exact.map_or_else(|| terms.iter().map(|term| term.map(to_f64).iter().product::<f64>()).sum(), to_f64)
}
