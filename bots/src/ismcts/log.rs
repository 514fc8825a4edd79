//! Logarithms that are the same on every machine, for the bounds of the search.

/// The exact part of the table.
const SIZE: usize = 1024;

/// Natural logarithms of 0 (taken as 1) to 1023.
static LN: [f64; SIZE] = table();

const fn table() -> [f64; SIZE] {
    let mut table = [0.0; SIZE];
    let mut n = 2;
    while n < SIZE {
        // ln n - ln (n - 1) = 2 artanh (1 / (2n - 1)).
        let x = 1.0 / (2 * n - 1) as f64;
        let (mut power, mut sum, mut k) = (x, 0.0, 1);
        while k < 40 {
            sum += power / k as f64;
            power *= x * x;
            k += 2;
        }
        table[n] = table[n - 1] + 2.0 * sum;
        n += 1;
    }
    table
}

/// Returns the natural logarithm of a number from 1 on, to 0.002.
#[inline]
pub(super) fn ln(n: u32) -> f64 {
    let shift = 22_u32.saturating_sub(n.leading_zeros());
    LN[(n >> shift) as usize & (SIZE - 1)] + f64::from(shift) * core::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_close() {
        for n in (1..3000).chain([4096, 99_999, 1 << 20, 4_000_000_000, u32::MAX]) {
            assert!((ln(n) - libm::log(f64::from(n))).abs() < 0.002, "{n}");
        }
    }
}
