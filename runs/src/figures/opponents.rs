//! Of a gauntlet, how the opponents compare with each other.

use coinche_selfplay::Format;
use serde::{Deserialize, Serialize};

use super::Mean;
use crate::config::RunConfig;
use crate::totals::Totals;

/// The difference of two opponents: what they score against the first bot, deal by deal.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Opponents {
    /// The number of one opponent in the list of bots, from 0.
    pub a: usize,
    /// The number of the other.
    pub b: usize,
    /// Points of `a` against the first bot less those of `b`, from the covariance of both pairings over deals.
    pub points: Mean,
}

impl Opponents {
    /// Compares every two opponents of a gauntlet; nothing of other formats, and of fewer than two deals.
    pub fn of(config: &RunConfig, totals: &Totals) -> Vec<Self> {
        if config.format != Format::Gauntlet {
            return Vec::new();
        }
        let bots = config.bots.len();
        let every_two = (1..bots).flat_map(|a| (a + 1..bots).map(move |b| (a, b)));
        every_two
            .filter_map(|(a, b)| {
                // The first bot is A in each pairing: who scores more has the smaller difference.
                Some(Self { a, b, points: totals.sum_of(&[(b - 1, 1), (a - 1, -1)])? })
            })
            .collect()
    }
}
