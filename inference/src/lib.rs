#![doc = include_str!("../README.md")]

mod bootstrap;
mod bradley_terry;
mod control;
mod distributions;
mod error;
mod float;
mod interval;
pub mod linear;
mod merge;
mod nash;
mod p_value;
mod paired;
mod power;
mod proportion;
mod rating;
pub mod ratio;
mod simplex;
mod sprt;
mod spsa;

pub use bootstrap::{BOOTSTRAP_BLOCKS, Blocks, Bootstrap, BootstrapRating};
pub use bradley_terry::{BradleyTerry, MatchCounts, MatchRating, MatchResidual};
pub use control::{Adjusted, Covariate, CovariateSums};
pub use distributions::{student_p, student_t};
pub use error::StatsError;
pub use interval::{MeanInterval, MeanOfPairs, least_p_value};
pub use merge::{Merge, larger, smaller};
pub use nash::{NashAverage, nash_average};
pub use p_value::holm;
pub use paired::{Estimate, PairedSums};
pub use power::{FEW_PAIRS, detectable_effect, pairs_needed};
pub use proportion::{quantile_of_counts, wilson, wilson_of_share};
pub use rating::{
    Covariance, Pairing, Rating, RatingDifference, Ratings, Residual, intransitive_triples, rate,
};
pub use sprt::{Checkpoint, Decision, SequentialTest, SprtPlan, log_likelihood_ratio};
pub use spsa::{Measured, Spsa, SpsaParam, Trial};
