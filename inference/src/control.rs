//! Control variates: what a number that is known of every deal explains is taken out of the difference.
//!
//! Of deal `i`, `x` is the paired difference and `z` a covariate that the bots compared cannot influence: the paired
//! difference of two cheap bots on the same deal, which `arena run --control` uses, or the exact solver's value. When the mean of `z` over all deals is
//! known, the regression of `x` on `z` estimates the mean of `x` where `z` is at its true mean
//! (Lavenberg & Welch 1981): the part of the luck that `z` explains is gone, a share of ρ² of the variance.
//!
//! The mean of `z` must be known from elsewhere, exactly by symmetry or from far more deals than were
//! played (`z` is cheap where no bot is asked): its standard error is part of the interval. Put to its mean
//! in the same sample the adjustment is nothing at all.

use serde::Serialize;

use crate::error::check;
use crate::float::to_f64;
use crate::{Estimate, StatsError, merge, student_t};

/// Integer sums over deals of the difference `x` and a covariate `z`, in whatever units they are counted.
///
/// Exact for numbers below 2³¹ and up to 2³² deals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CovariateSums {
    /// Deals.
    pub n: u64,
    /// Σx.
    pub x: i128,
    /// Σx².
    pub xx: i128,
    /// Σz.
    pub z: i128,
    /// Σz².
    pub zz: i128,
    /// Σxz.
    pub xz: i128,
}

merge! { CovariateSums { n, x, xx, z, zz, xz } }

/// What is known of the covariate's mean over all deals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Covariate {
    /// The mean.
    pub mean: f64,
    /// Its standard error; 0 where the mean is known exactly. It must come from other deals.
    pub standard_error: f64,
}

/// A difference with the covariate taken out.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Adjusted {
    /// The plain mean of `x`.
    pub plain: f64,
    /// The adjusted mean of `x`.
    pub mean: f64,
    /// Half the width of the 95 % interval of the adjusted mean.
    pub half_width: f64,
    /// The 95 % interval.
    pub interval: [f64; 2],
    /// The standard error of the adjusted mean: of the residuals, of the slope and of the covariate's mean.
    pub standard_error: f64,
    /// The slope of `x` on `z`.
    pub slope: f64,
    /// The standard deviation of `x` about the line: what is left of a pair.
    pub residual_sd: f64,
    /// The variance of the adjusted mean over that of the plain one: below 1 where it helps. As many deals
    /// times this give the same certainty.
    pub variance_ratio: f64,
}

impl Adjusted {
    /// Widens the interval by as much as that of the plain mean exceeds the spread of its pairs: where few pairs differ the
    /// spread underestimates the error, with a control as without. `None` where the plain mean has no interval.
    #[must_use]
    pub fn widened(self, plain: &Estimate) -> Option<Self> {
        let n = to_f64(plain.pairs.into());
        let of_spread = student_t(0.95, n - 1.0) * plain.sd? / n.sqrt();
        let more = (plain.half_width?.powi(2) - of_spread.powi(2)).max(0.0);
        let half_width = libm::hypot(self.half_width, more.sqrt());
        let interval = [self.mean - half_width, self.mean + half_width];
        Some(Self { half_width, interval, ..self })
    }

    /// Returns the same in another unit, of which one is `factor` of the unit of `x` and of `z`.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self {
            plain: factor * self.plain,
            mean: factor * self.mean,
            half_width: factor * self.half_width,
            interval: self.interval.map(|end| factor * end),
            standard_error: factor * self.standard_error,
            residual_sd: factor * self.residual_sd,
            ..self
        }
    }
}

impl CovariateSums {
    /// Adds a deal.
    pub fn add(&mut self, x: i64, z: i64) {
        let [x, z] = [x, z].map(i128::from);
        self.n += 1;
        self.x += x;
        self.xx += x * x;
        self.z += z;
        self.zz += z * z;
        self.xz += x * z;
    }

    /// Returns the difference at the covariate's true mean, with Student's 95 % interval of `n − 2` degrees
    /// of freedom.
    ///
    /// A covariate that is the same for every deal explains nothing: the slope is 0.
    ///
    /// # Errors
    ///
    /// Below three deals, and when what is known of the covariate is not a number or not a standard error.
    pub fn adjust(&self, covariate: Covariate) -> Result<Adjusted, StatsError> {
        let Covariate { mean: known, standard_error } = covariate;
        check(known.is_finite(), "the covariate's mean", known, "a number")?;
        let valid = standard_error >= 0.0 && standard_error.is_finite();
        check(valid, "the covariate's standard error", standard_error, "a number from 0")?;
        if self.n < 3 {
            let found = usize::try_from(self.n).unwrap_or(usize::MAX);
            return Err(StatsError::TooFew { what: "deals", least: 3, found });
        }
        let count = i128::from(self.n);
        let n = to_f64(count);
        // n times the sums of squares about the means: exact until here.
        let [sxx, szz, sxz] = [
            count * self.xx - self.x * self.x,
            count * self.zz - self.z * self.z,
            count * self.xz - self.x * self.z,
        ]
        .map(|sum| to_f64(sum) / n);
        let [plain, z] = [self.x, self.z].map(|sum| to_f64(sum) / n);
        let slope = if szz > 0.0 { sxz / szz } else { 0.0 };
        let away = known - z;
        let mean = slope.mul_add(away, plain);
        let residual = (sxx - slope * sxz).max(0.0) / (n - 2.0);
        let reach = if szz > 0.0 { away * away / szz } else { 0.0 };
        let variance = residual * (1.0 / n + reach) + (slope * standard_error).powi(2);
        let plain_variance = sxx / (n - 1.0) / n;
        let standard_error = variance.sqrt();
        let half_width = student_t(0.95, n - 2.0) * standard_error;
        Ok(Adjusted {
            plain,
            mean,
            half_width,
            interval: [mean - half_width, mean + half_width],
            standard_error,
            slope,
            residual_sd: residual.sqrt(),
            variance_ratio: if plain_variance > 0.0 { variance / plain_variance } else { 1.0 },
        })
    }
}
