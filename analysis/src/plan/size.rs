//! How many shards, and how long one takes.

use serde::{Deserialize, Serialize};

use super::Asked;

/// The maximum number of shards in a plan: their directories are arguments of one command, `arena merge`.
pub const MOST_SHARDS: u64 = 10_000;

/// Shards per worker. Deals of bots that search, and matches, take very different times, and machines differ:
/// with one shard each, all would wait for the slowest. With eight, the last one to finish is late by a
/// fraction of an eighth.
const EACH: u64 = 8;
/// The shortest part, in seconds: starting one costs a scheduler up to a second, and the program some
/// hundredths.
const SHORTEST: f64 = 10.0;
/// How many times the estimate a part may take before a scheduler ends it: allows for another processor, a
/// shared disk, the longest of many parts. An interrupted part resumes when the scripts are run again.
const SLACK: f64 = 3.0;
/// Seconds added to that.
const GRACE: f64 = 600.0;
/// Time requests are rounded to steps of this many seconds.
const STEP: f64 = 300.0;

/// The cost of a command, measured on a small part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cost {
    /// Core seconds per deal or match.
    pub(super) per_deal: f64,
    /// The total number of deals or matches.
    pub(super) deals: f64,
}

/// The cost of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// Core seconds per deal or match.
    pub core_seconds_per_deal: f64,
    /// Total core hours.
    pub core_hours: f64,
    /// The duration of one part with its threads, in seconds; for a command in waves, all the work of one
    /// worker.
    pub seconds_per_part: f64,
    /// The time requested of a scheduler for it, in seconds.
    pub time_request: u64,
}

impl Estimate {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float too large saturates"
    )]
    pub(super) fn new(cost: &Cost, shards: u64, threads: usize) -> Self {
        let seconds = cost.per_deal * cost.deals;
        let of_part = seconds / shards as f64 / threads as f64;
        Self {
            core_seconds_per_deal: round(cost.per_deal),
            core_hours: round(seconds / 3600.0),
            seconds_per_part: round(of_part),
            time_request: (((of_part * SLACK + GRACE) / STEP).ceil() * STEP) as u64,
        }
    }
}

/// Rounds to three digits: an estimate has no more.
fn round(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

/// Returns the number of shards that suits this many workers.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float too large saturates")]
pub(super) fn shards(workers: u64, asked: &Asked, cost: Option<&Cost>) -> u64 {
    let most = asked.inner.pieces.unwrap_or(MOST_SHARDS).min(MOST_SHARDS);
    if asked.inner.kind.is_stepwise() {
        // Each wave waits for all of its parts anyway.
        return workers.min(most);
    }
    let long_enough = cost.map_or(u64::MAX, |cost| {
        (cost.per_deal * cost.deals / asked.threads as f64 / SHORTEST).ceil().max(1.0) as u64
    });
    workers.saturating_mul(EACH).min(long_enough).min(most)
}
