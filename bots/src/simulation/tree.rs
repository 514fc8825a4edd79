//! A tree of the seat's own later calls.
//!
//! The others bid by the policy, each by its own hand. What the seat itself calls later depends on what it will know then: its
//! hand, which is the same in all worlds, and the calls until then. So each sequence of calls after the decision that comes to
//! its turn again is an information set of its own, with a mean for each call, and is gone on with by UCB1 (information-set
//! Monte Carlo tree search; Cowling, Powley & Whitehouse 2012). The calls that are chosen from are looked at in the same worlds.

use std::collections::HashMap;

use coinche_engine::{Call, DealState, Seat};

use super::guide::Guide;
use crate::table::{BiddingContext, best_of};

/// How far below the best call, in points, a later one may be for the table to be worth a thought, and how many are.
const REACH: f32 = 40.0;
const MOST_CALLS: usize = 3;

/// A later call of the seat.
#[derive(Debug, Clone, Copy)]
struct Later {
    call: Call,
    visits: f64,
    sum: f64,
}

/// What the seat may call later.
#[derive(Debug)]
pub(crate) struct CallTree {
    /// Finds the later calls that are worth a thought.
    guide: Guide,
    /// The constant of UCB1, in points.
    exploration: f64,
    /// By the calls since the decision.
    nodes: HashMap<Vec<Call>, Vec<Later>>,
    /// Those that are passed in a world, with the calls that were chosen.
    path: Vec<(Vec<Call>, usize)>,
}

impl CallTree {
    pub(crate) fn new(guide: Guide, exploration: f64) -> Self {
        Self { guide, exploration, nodes: HashMap::new(), path: Vec::new() }
    }

    /// Forgets other decisions.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.path.clear();
    }

    /// Counts what the calls chosen since the last time have led to.
    pub(super) fn learn(&mut self, net: f64) {
        for (history, chosen) in self.path.drain(..) {
            if let Some(option) = self.nodes.get_mut(&history).and_then(|options| options.get_mut(chosen)) {
                option.visits += 1.0;
                option.sum += net;
            }
        }
    }

    /// Chooses a later call of the seat by UCB1, after `from` calls at the decision; one that was never tried comes first.
    pub(super) fn later(&mut self, state: &DealState, own: Seat, from: usize) -> Call {
        let history: Vec<Call> = state.auction().calls().iter().skip(from).map(|(_, call)| *call).collect();
        let guide = &mut self.guide;
        let options = self.nodes.entry(history.clone()).or_insert_with(|| {
            let (bidding, legal) = (BiddingContext::from(&state.view(own)), state.legal_calls());
            let considered = guide.consider(&bidding, &legal);
            let best = best_of(considered, bidding.hand);
            let most = considered.iter().find(|it| it.call == best).map_or(0.0, |it| it.gain);
            let mut others: Vec<_> =
                considered.iter().filter(|it| it.call != best && it.gain > most - REACH).collect();
            others.sort_by(|a, b| b.gain.total_cmp(&a.gain));
            let calls = core::iter::once(best).chain(others.into_iter().map(|it| it.call));
            calls.take(MOST_CALLS).map(|call| Later { call, visits: 0.0, sum: 0.0 }).collect()
        });
        let all: f64 = options.iter().map(|option| option.visits).sum();
        let of_all = libm::log(all);
        let bound = |option: &Later| {
            if option.visits < 1.0 {
                return f64::INFINITY;
            }
            option.sum / option.visits + self.exploration * (of_all / option.visits).sqrt()
        };
        let chosen = (0..options.len())
            .reduce(|best, at| if bound(&options[at]) > bound(&options[best]) { at } else { best })
            .unwrap_or(0);
        let call = options[chosen].call;
        self.path.push((history, chosen));
        call
    }
}
