//! Simulation with a tree of the seat's own later calls.
//!
//! The others bid by the policy, each by its own hand. What the seat itself calls later depends on what it will know then: its
//! hand, which is the same in all worlds, and the calls until then. So each sequence of calls after the decision that comes to
//! its turn again is an information set of its own, with a mean for each call, and is gone on with by UCB1 (information-set
//! Monte Carlo tree search; Cowling, Powley & Whitehouse 2012). The calls that are chosen from are looked at in the same worlds.

use std::collections::HashMap;

use coinche_engine::{Call, DealState, Seat, Turn, View};
use rand_xoshiro::rand_core::Rng;

use super::candidates::CallCandidates;
use super::flat::{BEFORE_PRUNING, Simulation};
use super::guide::Guide;
use super::value::Worth;
use crate::search::Stopwatch;
use crate::table::{BiddingContext, best_of};
use crate::worlds::Worlds;

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

/// Looks at calls in worlds, and at what the seat may call after them.
#[derive(Debug)]
pub(crate) struct TreeSearch {
    pub(crate) simulation: Simulation,
    /// Finds the later calls that are worth a thought.
    pub(crate) guide: Guide,
    /// The constant of UCB1, in points.
    pub(crate) exploration: f64,
    /// By the calls since the decision.
    nodes: HashMap<Vec<Call>, Vec<Later>>,
    /// Those that are passed in a world, with the calls that were chosen.
    path: Vec<(Vec<Call>, usize)>,
}

impl TreeSearch {
    pub(crate) fn new(simulation: Simulation, guide: Guide, exploration: f64) -> Self {
        Self { simulation, guide, exploration, nodes: HashMap::new(), path: Vec::new() }
    }

    /// Looks at the candidates in worlds.
    pub(crate) fn search(&mut self, view: &View<'_>, candidates: &mut CallCandidates, rng: &mut impl Rng) {
        self.nodes.clear();
        let (worlds, watch) = (Worlds::of(view), Stopwatch::start());
        for n in 1..=self.simulation.limits.count() {
            let Simulation { sampler, policy, value, .. } = &mut self.simulation;
            if let Some(state) = sampler.draw(view, &worlds, policy.guide(), rng) {
                value.begin_world();
                for (at, call) in candidates.remaining() {
                    if let Some(worth) = self.worth(&state, call, view.seat()) {
                        candidates.score(at, worth);
                    }
                }
            }
            if self.simulation.prunes && n % BEFORE_PRUNING == 0 {
                candidates.prune();
                if candidates.len() == 1 {
                    break;
                }
            }
            if self.simulation.limits.is_over(watch, 1.0) {
                break;
            }
        }
    }

    /// Lets the auction go on after a call, and returns what the seat's side gets.
    fn worth(&mut self, state: &DealState, call: Call, own: Seat) -> Option<Worth> {
        let mut state = state.clone();
        let from = state.auction().calls().len();
        state.call(call).ok()?;
        self.path.clear();
        while let Turn::Call(seat) = state.turn() {
            let call = if seat == own {
                let history: Vec<Call> =
                    state.auction().calls().iter().skip(from).map(|(_, call)| *call).collect();
                self.later(&state, own, history)
            } else {
                self.simulation.policy.call(&state, seat)
            };
            state.call(call).ok()?;
        }
        let Simulation { policy, value, .. } = &mut self.simulation;
        let worth = value.of(policy.bidding_table(), state, own.team());
        for (history, chosen) in self.path.drain(..) {
            if let Some(option) = self.nodes.get_mut(&history).and_then(|options| options.get_mut(chosen)) {
                option.visits += 1.0;
                option.sum += worth.net;
            }
        }
        Some(worth)
    }

    /// Chooses a later call of the seat by UCB1; one that was never tried comes first.
    fn later(&mut self, state: &DealState, own: Seat, history: Vec<Call>) -> Call {
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
