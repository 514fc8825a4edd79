//! The sequential test: play until it is clear which of two bounds the difference is at.
//!
//! Two hypotheses about the mean paired difference δ, in points: the lower one δ = δ0 and the upper one
//! δ = δ1 > δ0. Where the variance is not known, the generalised likelihood ratio of `n` normal pairs is
//!
//! ```text
//! LLR = n/2 · ln((s² + (x̄ − δ0)²) / (s² + (x̄ − δ1)²))
//! ```
//!
//! with the mean `x̄` and the variance `s²` of divisor `n`: under each hypothesis the most likely variance
//! is the mean square about its δ (Van den Bergh, "Comments on Normalized Elo", section 4.2, where the
//! bounds are in standard deviations; Li, Liu & Ying 2014 for the generalised test). Only the mean needs
//! to be near normal, so differences may be discrete and heavy-tailed; hence the least number of pairs
//! before the first look. The test ends for δ1 at `LLR ≥ ln((1 − β)/α)` and for δ0 at
//! `LLR ≤ ln(β/(1 − α))` (Wald 1945): if δ ≤ δ0, δ1 is accepted with a chance of at most about α; if
//! δ ≥ δ1, δ0 with at most about β. Simulations hold these rates to account (`inference/tests/it/simulation.rs`).
//!
//! **The variance is cautious** where few pairs differ: `s²` is `n` times the square of the standard error that the interval
//! of a mean has ([`MeanOfPairs`](crate::MeanOfPairs)), with ten pseudo-pairs in place of three and half again the skewness. A sample that
//! lacks the rare large differences has at once too small a variance and a mean off to the same side, and a test that looks
//! often stops just there. So tests of thirty pairs of bots err in 4.6 % at most at a nominal 5 %; without caution, in up to
//! 44 % (`tests/it/rare.rs`). For ordinary pairs a test takes 0 to 2 % longer.
//!
//! **Looks are taken at fixed numbers of pairs**, over all pairs from the first without a gap, never when a
//! thread happens to finish: where the test stops depends on the seed alone. The end of a test that is no multiple of the
//! distance of two looks is none of them: it decides nothing, so that a test that is extended ends as one of that length
//! from the start. As looks are some way apart,
//! the ratio jumps past its bound, which makes the error rates smaller than asked for: by simulation, for
//! α = β = 5 % and bounds of 0 and 5 points, 3.4 to 3.8 % for pairs that are normal or as those of two good
//! bots. Lopsided pairs shift them, as mean and variance then err together: 2.4 and 5.0 % at a skewness of
//! 2.5 (measured between bots that differ in most deals: 0 to 2.2), 1.7 and 6.6 % at 5.4.
//!
//! **With a control** ([`SprtPlan::look_with`]) the mean is the adjusted one and `s²` is `n` times its variance, which
//! contains the error of the slope and of the control's mean. The latter error is the same at every look and does not
//! shrink as pairs are added. The ratio of the densities of the adjusted mean under both bounds is still the likelihood
//! ratio of all that was seen, where that error is normal with mean 0: given the error, the last mean says all about δ,
//! and the error is a part of its variance. So Wald's bounds hold over tests with controls measured anew, and a control
//! whose mean is known too badly for the distance of the bounds leaves the test undecided.
//!
//! **The estimate afterwards is biased away from the middle of the bounds**: the test stops when the mean
//! happens to be far out. In the same simulation a true 5 was estimated as 6.2 on average, and intervals of
//! 95 % held the truth in 90 to 92 %. The decision is what was asked for; a number to publish comes from a
//! run of fixed size under another seed.

use serde::{Deserialize, Serialize};

use crate::error::{check, check_probability};
use crate::float::to_f64;
use crate::interval::Caution;
use crate::{Adjusted, Estimate, Merge, PairedSums, StatsError};

/// What is added to the variance.
pub(crate) const OF_TESTS: Caution = Caution { pseudo_pairs: 10.0, skewness: 1.5 };

/// What is tested and when it is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SprtPlan {
    /// The lower bound δ0, in points.
    pub lower: f64,
    /// The upper bound δ1, in points; above the lower.
    pub upper: f64,
    /// The chance to accept the upper bound when the truth is the lower.
    pub alpha: f64,
    /// The chance to accept the lower bound when the truth is the upper.
    pub beta: f64,
    /// The pairs between two looks, from 1. Looks are at multiples of it.
    pub every: u64,
    /// The fewest pairs before the first look.
    pub first: u64,
    /// The most pairs; there the test ends undecided, unless that is a look and decides.
    pub most: u64,
}

/// What a look says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// Neither yet.
    GoOn,
    /// The upper bound is accepted.
    Upper,
    /// The lower bound is accepted.
    Lower,
    /// Neither when all pairs were played.
    Undecided,
}

/// One look at the test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Checkpoint {
    /// Pairs so far.
    pub pairs: u64,
    /// Their mean, in points; with a control the adjusted one.
    pub mean: f64,
    /// Their standard deviation with divisor `n`, without the pseudo-pairs; with a control what it leaves, with divisor
    /// `n − 2`.
    pub sd: f64,
    /// Half the width of the 95 % interval that these pairs would have in a run of fixed size.
    pub half_width: Option<f64>,
    /// The log-likelihood ratio of the upper against the lower bound; infinite (null in JSON) where no leg has any
    /// difference and a bound is 0.
    pub llr: f64,
    /// What that says.
    pub decision: Decision,
}

/// Returns the log-likelihood ratio of a mean of `upper` against one of `lower`, given the mean of `n`
/// pairs and their variance with divisor `n`.
///
/// Without any variance it is infinite where the mean is at one of the bounds.
pub fn log_likelihood_ratio(n: f64, mean: f64, variance: f64, lower: f64, upper: f64) -> f64 {
    let square = variance + (mean - upper).powi(2);
    let excess = (upper - lower) * (2.0 * mean - lower - upper);
    if square == 0.0 { f64::INFINITY } else { n / 2.0 * libm::log1p(excess / square) }
}

impl SprtPlan {
    /// Checks all numbers.
    ///
    /// # Errors
    ///
    /// Names the first that is out of its range.
    pub fn check(&self) -> Result<(), StatsError> {
        let fits = |bound: f64| bound.abs() <= 1e6;
        check(fits(self.lower), "lower", self.lower, "a number from −1,000,000 to 1,000,000")?;
        let above = self.upper > self.lower && fits(self.upper);
        check(above, "upper", self.upper, "a number above the lower bound, up to 1,000,000")?;
        check_probability("alpha", self.alpha)?;
        check_probability("beta", self.beta)?;
        check(self.alpha + self.beta < 1.0, "alpha + beta", self.alpha + self.beta, "below 1")?;
        for (name, value) in [("every", self.every), ("most", self.most)] {
            check(value > 0, name, 0.0, "a whole number from 1")?;
        }
        Ok(())
    }

    /// Returns the bounds of the log-likelihood ratio, `[ln(β/(1 − α)), ln((1 − β)/α)]` (Wald 1945).
    pub fn thresholds(&self) -> [f64; 2] {
        [self.beta / (1.0 - self.alpha), (1.0 - self.beta) / self.alpha].map(libm::log)
    }

    /// Returns the number of pairs at the next look after this many, or `None` after the last one: the
    /// multiples of `every` from `first` on, and `most`.
    pub const fn next_look(&self, pairs: u64) -> Option<u64> {
        if pairs >= self.most {
            return None;
        }
        let from = if pairs + 1 > self.first { pairs + 1 } else { self.first };
        let look = from.div_ceil(self.every).saturating_mul(self.every);
        Some(if look < self.most { look } else { self.most })
    }

    /// Tests if there is a look at this many pairs in a test of any length: only there is anything decided.
    const fn decides_at(&self, pairs: u64) -> bool {
        pairs >= self.first && pairs.is_multiple_of(self.every)
    }

    /// Looks at all pairs so far; `None` when there are none.
    pub fn look(&self, sums: &PairedSums) -> Option<Checkpoint> {
        let Estimate { mean, half_width, .. } = sums.estimate()?;
        let [_, variance] = sums.moments()?;
        Some(self.look_at(sums, variance / to_f64(sums.pairs.into()), [mean, variance.sqrt()], half_width))
    }

    /// Looks at all pairs so far with what a control explains taken out of their mean; `None` when there are none.
    ///
    /// `adjusted` is of the same pairs, in points. The checkpoint has its mean and residual standard deviation.
    pub fn look_with(&self, sums: &PairedSums, adjusted: &Adjusted) -> Option<Checkpoint> {
        let Adjusted { mean, standard_error, residual_sd, .. } = *adjusted;
        let half_width = adjusted.widened(&sums.estimate()?).map(|adjusted| adjusted.half_width);
        Some(self.look_at(sums, standard_error * standard_error, [mean, residual_sd], half_width))
    }

    /// Looks at a mean with this variance, given the standard deviation of a pair.
    fn look_at(
        &self,
        sums: &PairedSums,
        variance: f64,
        [mean, sd]: [f64; 2],
        half_width: Option<f64>,
    ) -> Checkpoint {
        let n = to_f64(sums.pairs.into());
        // A single pair tells nothing.
        let error = sums.mean_of_pairs().map_or(f64::INFINITY, |known| known.error_of(variance, OF_TESTS));
        let llr = log_likelihood_ratio(n, mean, n * error * error, self.lower, self.upper);
        let [low, high] = self.thresholds();
        let decides = self.decides_at(sums.pairs);
        let decision = if decides && llr >= high {
            Decision::Upper
        } else if decides && llr <= low {
            Decision::Lower
        } else if sums.pairs >= self.most {
            Decision::Undecided
        } else {
            Decision::GoOn
        };
        Checkpoint { pairs: sums.pairs, mean, sd, half_width, llr, decision }
    }

    /// Tests if the ratio of a look can be that of its mean and standard deviation: the variance in it is not below that
    /// of the pairs.
    pub fn fits(&self, look: &Checkpoint) -> bool {
        let Checkpoint { pairs, mean, sd, llr, .. } = *look;
        let n = pairs as f64;
        let (width, off) = (self.upper - self.lower, 2.0 * mean - self.lower - self.upper);
        let held = width * off / libm::expm1(2.0 * llr / n) - (mean - self.upper).powi(2);
        // In the middle of the bounds the ratio tells nothing of it.
        off.abs() <= 1e-6 * width || held >= sd * sd * (1.0 - 1e-6)
    }
}

/// The error of more or fewer pairs than lie before the next look.
fn wrong_pairs(expected: u64, found: u64) -> StatsError {
    let [expected, found] = [expected, found].map(|pairs| usize::try_from(pairs).unwrap_or(usize::MAX));
    StatsError::Size { what: "pairs up to the next look", expected, found }
}

/// A test under way: it says up to which pair to play, and is fed the pairs up to there.
///
/// ```
/// use coinche_inference::{Decision, PairedSums, SequentialTest, SprtPlan};
///
/// let plan = SprtPlan {
///     lower: 0.0, upper: 10.0, alpha: 0.05, beta: 0.05, every: 100, first: 200, most: 10_000,
/// };
/// let mut test = SequentialTest::new(plan)?;
/// while let Some(look) = test.next_look() {
///     let mut part = PairedSums::default();
///     for pair in test.sums().pairs..look {
///         part.add(if pair % 2 == 0 { [170, 150] } else { [-150, -130] }); // ten points on average
///     }
///     test.feed(&part)?;
/// }
/// assert_eq!(test.decision(), Decision::Upper);
/// # Ok::<(), coinche_inference::StatsError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SequentialTest {
    plan: SprtPlan,
    sums: PairedSums,
    last: Option<Checkpoint>,
}

impl SequentialTest {
    /// Starts a test.
    ///
    /// # Errors
    ///
    /// When the plan has a number out of its range.
    pub fn new(plan: SprtPlan) -> Result<Self, StatsError> {
        plan.check()?;
        Ok(Self { plan, sums: PairedSums::default(), last: None })
    }

    /// Goes on with a test from its last look, if there was one, with the sums over all pairs so far: those of
    /// that look, or some more, up to the next look.
    ///
    /// # Errors
    ///
    /// When the plan has a number out of its range, or the pairs are not between the two looks.
    pub fn resume(plan: SprtPlan, last: Option<Checkpoint>, sums: PairedSums) -> Result<Self, StatsError> {
        plan.check()?;
        let this = Self { plan, sums, last };
        let seen = last.map_or(0, |last| last.pairs);
        let end = this.next_look().unwrap_or(seen);
        if (seen..=end).contains(&sums.pairs) { Ok(this) } else { Err(wrong_pairs(seen, sums.pairs)) }
    }

    /// Returns the plan.
    pub const fn plan(&self) -> &SprtPlan {
        &self.plan
    }

    /// Returns the sums over all pairs fed.
    pub const fn sums(&self) -> &PairedSums {
        &self.sums
    }

    /// Returns the last look.
    pub const fn last(&self) -> Option<&Checkpoint> {
        self.last.as_ref()
    }

    /// Returns what the last look said.
    pub fn decision(&self) -> Decision {
        self.last.map_or(Decision::GoOn, |last| last.decision)
    }

    /// Returns the number of pairs up to which to play before the next look; `None` when the test is over.
    pub fn next_look(&self) -> Option<u64> {
        let seen = self.last.map_or(0, |last| last.pairs);
        if self.decision() == Decision::GoOn { self.plan.next_look(seen) } else { None }
    }

    /// Takes the pairs that are missing up to the next look, and looks.
    ///
    /// # Errors
    ///
    /// When these are more or fewer pairs than lie between the two looks, or the test is over: a look at
    /// any other place would make the stopping point depend on something else than the pairs.
    pub fn feed(&mut self, part: &PairedSums) -> Result<Checkpoint, StatsError> {
        self.take(part, SprtPlan::look)
    }

    /// Does the same for a test with a control: `adjusted` is the difference over all pairs so far, these included,
    /// with what the control explains taken out.
    ///
    /// # Errors
    ///
    /// Those of [`Self::feed`].
    pub fn feed_with(&mut self, part: &PairedSums, adjusted: &Adjusted) -> Result<Checkpoint, StatsError> {
        self.take(part, |plan, sums| plan.look_with(sums, adjusted))
    }

    fn take(
        &mut self,
        part: &PairedSums,
        look: impl FnOnce(&SprtPlan, &PairedSums) -> Option<Checkpoint>,
    ) -> Result<Checkpoint, StatsError> {
        let expected = self.next_look().map_or(0, |look| look - self.sums.pairs);
        if part.pairs != expected || self.next_look().is_none() {
            return Err(wrong_pairs(expected, part.pairs));
        }
        self.sums.merge(part);
        let look = look(&self.plan, &self.sums).ok_or_else(|| wrong_pairs(1, 0))?;
        self.last = Some(look);
        Ok(look)
    }

    /// Returns the estimate over all pairs fed: the mean and Student's interval as of a run of fixed size.
    ///
    /// After a test that stopped early it is biased away from the middle of the bounds, and its interval
    /// covers less often than it says (see the module's documentation).
    pub fn estimate(&self) -> Option<Estimate> {
        self.sums.estimate()
    }
}
