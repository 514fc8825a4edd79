//! Tails and quantiles of the distributions that intervals and tests are made of, in the same bits on every machine.
//!
//! They are made of incomplete beta and gamma functions over exponentials and logarithms in Rust. Those that the
//! standard library has are the platform's, and C libraries differ in the last bit: from one version to another, and
//! one version from a processor with fused multiplication to one without.

use special::{Beta as _, Error as _, Gamma as _};

/// From this number of degrees of freedom the expansions of Student's distribution are exact to ten digits.
const MANY_DEGREES: f64 = 100.0;

/// Returns below which point a standard normal variable is with probability `p`.
pub(crate) fn normal_point(p: f64) -> f64 {
    core::f64::consts::SQRT_2 * (2.0 * p - 1.0).inv_error()
}

/// Returns the two-sided normal quantile of a level of confidence.
pub(crate) fn normal_quantile(level: f64) -> f64 {
    normal_point(f64::midpoint(1.0, level))
}

/// Returns the chance that a standard normal variable is above `z`.
fn normal_tail(z: f64) -> f64 {
    libm::erfc(z / core::f64::consts::SQRT_2) / 2.0
}

/// Returns below which point a variable of Student's distribution is with probability `p`, a half or more.
fn student_point(p: f64, degrees: f64) -> f64 {
    let (a, b) = (degrees / 2.0, 0.5);
    let share = (2.0 * (1.0 - p)).inv_inc_beta(a, b, a.ln_beta(b));
    (degrees * (1.0 - share) / share).sqrt()
}

/// Returns the chance that a variable of Student's distribution is as far from 0 as `t`, on either side.
fn student_tails(t: f64, degrees: f64) -> f64 {
    beta_share(degrees / (degrees + t * t), degrees / 2.0, 0.5)
}

/// Returns the two-sided quantile `t` of Student's distribution for a level of confidence.
///
/// For many degrees of freedom it is Fisher's expansion about the normal quantile (Abramowitz & Stegun
/// 1964, 26.7.5), since the library's numerical inversion loses digits there: 1.95985 for 10⁶ degrees, 1.83
/// for 10⁹, in place of 1.95997.
pub fn student_t(level: f64, degrees: f64) -> f64 {
    let p = f64::midpoint(1.0, level);
    if degrees < MANY_DEGREES {
        return student_point(p, degrees.max(1.0));
    }
    let z = normal_point(p);
    let q = z * z;
    let terms = [
        z * (q + 1.0) / 4.0,
        z * ((5.0 * q + 16.0) * q + 3.0) / 96.0,
        z * (((3.0 * q + 19.0) * q + 17.0) * q - 15.0) / 384.0,
        z * ((((79.0 * q + 776.0) * q + 1482.0) * q - 1920.0) * q - 945.0) / 92_160.0,
    ];
    // Horner's scheme in 1 / degrees.
    z + terms.iter().rev().fold(0.0, |sum, term| (sum + term) / degrees)
}

/// Returns the two-sided p-value of a value of Student's `t`.
///
/// For many degrees of freedom it is Hill's expansion about the normal distribution (Hill 1970, CACM
/// algorithm 395), since the library's continued fraction loses digits there.
pub fn student_p(t: f64, degrees: f64) -> f64 {
    if degrees < MANY_DEGREES {
        return student_tails(t, degrees.max(1.0));
    }
    let shifted = degrees - 0.5;
    let scale = 48.0 * shifted * shifted;
    let square = shifted * libm::log1p(t * t / degrees);
    let inner = ((-0.4 * square - 3.3) * square - 24.0) * square - 85.5;
    let outer = inner / (0.8 * square * square + 100.0 + scale) + square + 3.0;
    let z = (outer / scale + 1.0) * square.sqrt();
    (2.0 * normal_tail(z)).min(1.0)
}

/// Returns the chance that a chi-squared variable is above `square`.
pub(crate) fn chi_squared_tail(square: f64, degrees: f64) -> f64 {
    if square.is_nan() { square } else { 1.0 - (square / 2.0).inc_gamma(degrees / 2.0) }
}

/// Returns the chance that a variable of Fisher's and Snedecor's distribution is above `ratio`.
pub(crate) fn fisher_tail(ratio: f64, above: f64, below: f64) -> f64 {
    beta_share(below / (below + above * ratio), below / 2.0, above / 2.0)
}

/// The regularised incomplete beta function; no number of no number.
fn beta_share(x: f64, a: f64, b: f64) -> f64 {
    if x.is_nan() { x } else { x.inc_beta(a, b, a.ln_beta(b)) }
}

#[cfg(test)]
mod tests {
    use statrs::distribution::{ChiSquared, ContinuousCDF, FisherSnedecor, Normal, StudentsT};

    use super::*;

    fn close(a: f64, b: f64, what: &str) {
        assert!((a - b).abs() <= 1e-9 * b.abs() + 1e-13, "{what}: {a} is not {b}");
    }

    #[test]
    fn they_are_those_of_another_library_to_its_nine_digits() {
        for n in 1..1000 {
            let p = f64::from(n) / 1000.0;
            close(normal_point(p), Normal::standard().inverse_cdf(p), "normal point");
            let z = f64::from(n) / 100.0 - 5.0;
            close(normal_tail(z), Normal::standard().sf(z), "normal tail");
        }
        for degrees in (1..100).map(f64::from).chain([1.5, 17.3, 99.9]) {
            let student = StudentsT::new(0.0, 1.0, degrees).unwrap();
            for p in [0.75, 0.9, 0.975, 0.995, 0.9995, 0.999_999] {
                close(student_point(p, degrees), student.inverse_cdf(p), "Student's point");
            }
            for x in [0.0, 0.1, 1.0, 2.5, 10.0, 50.0] {
                close(student_tails(-x, degrees), 2.0 * student.sf(x), "Student's tails");
                let chi = ChiSquared::new(degrees).unwrap();
                close(chi_squared_tail(3.0 * x, degrees), chi.sf(3.0 * x), "chi-squared");
                for rest in [1.0, 3.0, 50.0, 1000.0] {
                    let f = FisherSnedecor::new(degrees, rest).unwrap();
                    close(fisher_tail(x, degrees, rest), f.sf(x), "Fisher");
                }
            }
        }
    }

    /// The bits are the same whatever the build is for: these are those of one for x86-64.
    #[test]
    fn they_are_these_bits() {
        let found = [
            normal_point(0.975),
            normal_tail(2.5),
            student_point(0.975, 12.0),
            student_tails(2.5, 12.0),
            chi_squared_tail(7.5, 4.0),
            fisher_tail(2.5, 3.0, 40.0),
        ];
        let bits = [
            0x3fff_5c03_31ee_ff83,
            0x3f79_6f4e_57e4_9ce9,
            0x4001_6e35_6bbc_3528,
            0x3f9c_95da_c0da_bdbb,
            0x3fbc_98fa_ef4d_dfa0,
            0x3fb2_c0cc_1634_ee89,
        ];
        assert_eq!(found.map(f64::to_bits), bits);
    }

    #[test]
    fn what_is_no_number_stays_none() {
        assert!(chi_squared_tail(f64::NAN, 3.0).is_nan());
        assert!(fisher_tail(f64::NAN, 3.0, 4.0).is_nan());
        assert!(student_tails(f64::NAN, 3.0).is_nan());
    }
}
