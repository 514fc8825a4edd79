//! The search: every call that is looked at is made in the same worlds.

use coinche_engine::{Call, DealState, Seat, View};
use rand_xoshiro::rand_core::Rng;

use super::candidates::CallCandidates;
use super::policy::{BiddingPolicy, complete_auction};
use super::sampler::Sampler;
use super::tree::CallTree;
use super::value::{Value, Worth};
use crate::search::{Limits, Stopwatch};
use crate::worlds::Worlds;

/// Looks at calls in worlds.
#[derive(Debug)]
pub(crate) struct Simulation {
    pub(crate) policy: BiddingPolicy,
    pub(crate) sampler: Sampler,
    pub(crate) value: Value,
    pub(crate) limits: Limits,
    /// Whether calls that fall behind are put out.
    pub(crate) prunes: bool,
    /// Chooses the seat's own later calls, where the policy does not.
    pub(crate) tree: Option<CallTree>,
}

/// In how many worlds all calls are looked at before any is put out, and after how many more it is tried again.
const BEFORE_PRUNING: usize = 24;

impl Simulation {
    /// Looks at the candidates in worlds.
    pub(super) fn search(&mut self, view: &View<'_>, candidates: &mut CallCandidates, rng: &mut impl Rng) {
        let (worlds, watch) = (Worlds::of(view), Stopwatch::start());
        self.tree.iter_mut().for_each(CallTree::clear);
        for n in 1..=self.limits.count() {
            if let Some(state) = self.sampler.draw(view, &worlds, self.policy.guide(), rng) {
                self.value.begin_world();
                for (at, call) in candidates.remaining() {
                    if let Some(worth) = self.worth(&state, call, view.seat()) {
                        candidates.score(at, worth);
                    }
                }
            }
            if self.prunes && n % BEFORE_PRUNING == 0 {
                candidates.prune();
                if candidates.len() == 1 {
                    break;
                }
            }
            if self.limits.is_over(watch, 1.0) {
                break;
            }
        }
    }

    /// Completes the auction after a call, and returns what the seat's side gets.
    fn worth(&mut self, state: &DealState, call: Call, own: Seat) -> Option<Worth> {
        let Self { policy, value, tree, .. } = self;
        let from = state.auction().calls().len();
        let end = complete_auction(state, call, |state, seat| match tree {
            Some(tree) if seat == own => tree.later(state, own, from),
            _ => policy.call(state, seat),
        })?;
        let worth = value.of(policy.bidding_table(), end, own.team());
        self.tree.iter_mut().for_each(|tree| tree.learn(worth.net));
        Some(worth)
    }
}
