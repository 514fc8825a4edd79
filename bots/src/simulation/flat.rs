//! Flat simulation: every call that is looked at is followed by the policy in the same worlds.

use coinche_engine::{Call, DealState, Seat, View};
use rand_xoshiro::rand_core::Rng;

use super::candidates::CallCandidates;
use super::policy::BiddingPolicy;
use super::sampler::Sampler;
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
}

/// In how many worlds all calls are looked at before any is put out, and after how many more it is tried again.
pub(super) const BEFORE_PRUNING: usize = 24;

impl Simulation {
    /// Looks at the candidates in worlds.
    pub(crate) fn search(&mut self, view: &View<'_>, candidates: &mut CallCandidates, rng: &mut impl Rng) {
        let (worlds, watch) = (Worlds::of(view), Stopwatch::start());
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

    /// Lets the auction go on after a call, and returns what the seat's side gets.
    fn worth(&mut self, state: &DealState, call: Call, seat: Seat) -> Option<Worth> {
        let mut state = state.clone();
        state.call(call).ok()?;
        self.policy.finish(&mut state)?;
        Some(self.value.of(self.policy.bidding_table(), state, seat.team()))
    }
}
