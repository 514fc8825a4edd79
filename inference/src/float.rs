//! Integers as floating-point numbers.

/// Returns an exact sum as a number.
#[expect(clippy::cast_precision_loss, reason = "averages are rounded once, here")]
pub(crate) const fn to_f64(n: i128) -> f64 {
    n as f64
}

/// Returns a count as a number.
#[expect(clippy::cast_precision_loss, reason = "counts of bots, blocks and deals are below 2^53")]
pub(crate) const fn count(n: usize) -> f64 {
    n as f64
}
