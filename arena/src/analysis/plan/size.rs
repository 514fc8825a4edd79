//! How many shards, and how long one takes.

use serde::{Deserialize, Serialize};

use super::Asked;

/// The most shards of a plan: their directories are the words of one command, `arena merge`.
pub(crate) const MOST_SHARDS: u64 = 10_000;

/// Shards for each worker. The deals of bots that search, and matches, take very different times, and machines differ: with
/// one shard each all would wait for the slowest. With eight the last to end is late by a part of an eighth.
const EACH: u64 = 8;
/// The shortest part, in seconds: to start one costs a scheduler up to a second, and the program some hundredths.
const SHORTEST: f64 = 10.0;
/// How much longer than estimated a part may take, before a scheduler ends it: another processor, a disk that is shared, the
/// longest of many parts. One that is ended goes on when the scripts are given again.
const SLACK: f64 = 3.0;
/// What is added to that, in seconds.
const GRACE: f64 = 600.0;
/// Times are requested in steps of so many seconds.
const STEP: f64 = 300.0;

/// What a command costs, by a little of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cost {
    /// Seconds of a core for a deal or match.
    pub(super) per_deal: f64,
    /// How many deals or matches there are in all.
    pub(super) deals: f64,
}

/// What a plan costs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Estimate {
    /// Seconds of a core for a deal or match.
    pub(crate) core_seconds_per_deal: f64,
    /// Hours of a core for all of them.
    pub(crate) core_hours: f64,
    /// How long one part takes with its threads, in seconds; of a command in waves all that one of the workers does.
    pub(crate) seconds_per_part: f64,
    /// What is requested of a scheduler for it, in seconds.
    pub(crate) time_request: u64,
}

impl Estimate {
    #[expect(clippy::cast_precision_loss, reason = "numbers of shards and threads")]
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

/// Returns how many shards suit so many workers.
#[expect(clippy::cast_precision_loss, reason = "numbers of threads")]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float too large saturates")]
pub(super) fn shards(workers: u64, asked: &Asked, cost: Option<&Cost>) -> u64 {
    let most = asked.inner.pieces.unwrap_or(MOST_SHARDS).min(MOST_SHARDS);
    if asked.inner.kind.is_stepwise() {
        // Each wave waits for all of its parts in any case.
        return workers.min(most);
    }
    let long_enough = cost.map_or(u64::MAX, |cost| {
        (cost.per_deal * cost.deals / asked.threads as f64 / SHORTEST).ceil().max(1.0) as u64
    });
    workers.saturating_mul(EACH).min(long_enough).min(most)
}
