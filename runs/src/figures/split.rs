//! What of a difference is due to bidding, and what to card play.

use coinche_selfplay::{Encounter, Format};
use serde::{Deserialize, Serialize};

use super::Mean;
use crate::config::RunConfig;
use crate::totals::Totals;

/// The difference of two bots A and B, split by halves: in a round robin of A, B, A's bidding with B's cards, and B's
/// bidding with A's cards, which all play the same deals.
///
/// A half's share is its Shapley value: what it adds before and what it adds after the other half is exchanged, averaged;
/// against A and against B, averaged too. So the shares add up to the difference of A and B exactly.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SplitFigures {
    /// The share of bidding, in points.
    pub bidding: Mean,
    /// The share of card play.
    pub cards: Mean,
    /// A − B.
    pub difference: Mean,
}

/// The number of each bot in the list: A, B, and which bids as the first and plays cards as the second.
const A: usize = 0;
const B: usize = 1;
const AB: usize = 2;
const BA: usize = 3;

impl SplitFigures {
    /// Tests if a run has these four bots.
    pub fn is_of(config: &RunConfig) -> bool {
        let [a, b, ab, ba] = &config.bots[..] else { return false };
        let is_one = [a, b].iter().all(|team| team.partner(0) == team.partner(1));
        let [a, b] = [a.partner(0), b.partner(0)];
        config.format == Format::RoundRobin
            && is_one
            && [ab.as_str(), ba.as_str()] == [a.with_cards_of(b), b.with_cards_of(a)]
    }

    /// Computes the figures; `None` of other runs, and of fewer than two deals.
    pub fn new(config: &RunConfig, totals: &Totals) -> Option<Self> {
        if !Self::is_of(config) {
            return None;
        }
        // With v(x, y) for what x scores against y, the share of bidding is the mean over y = A and B of
        // ((v(AB, y) − v(B, y)) + (v(A, y) − v(BA, y))) / 2, and that of cards the same with AB and BA exchanged.
        let exchanged = [(AB, A, 1), (BA, A, -1), (AB, B, 1), (BA, B, -1)];
        let terms = |sign: i128| {
            let exchanged = exchanged.iter().map(move |(x, y, weight)| (*x, *y, sign * weight));
            exchanged.chain([(A, B, 2)]).collect::<Vec<_>>()
        };
        Some(Self {
            bidding: mean(totals, &terms(1), 4.0)?,
            cards: mean(totals, &terms(-1), 4.0)?,
            difference: mean(totals, &[(A, B, 1)], 1.0)?,
        })
    }

    /// Returns the shares and the difference, by name.
    pub const fn rows(&self) -> [(&'static str, Mean); 3] {
        [("bidding", self.bidding), ("cards", self.cards), ("all", self.difference)]
    }
}

/// The mean over deals of a weighted sum of what some bots score against others, out of so many parts.
fn mean(totals: &Totals, terms: &[(usize, usize, i128)], parts: f64) -> Option<Mean> {
    let find = |a: usize, b: usize| totals.encounters.iter().position(|it| *it == Encounter { a, b });
    let terms = terms.iter().map(|(x, y, weight)| {
        find(*x, *y).map(|n| (n, *weight)).or_else(|| find(*y, *x).map(|n| (n, -weight)))
    });
    totals.sum_of(&terms.collect::<Option<Vec<_>>>()?).map(|sum| sum.out_of(parts))
}
