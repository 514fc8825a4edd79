//! A bidder that looks at calls in worlds.

use core::marker::PhantomData;

use coinche_engine::{Call, Key, LegalCalls, RuleSet, View};

use super::candidates::CallCandidates;
use super::guide::Guide;
use super::search::Simulation;
use crate::table::logistic;
use crate::{Agent, Bidder, Thought, reported};

/// The least chance, 0 to 1, of a slam that is worth a thought, where nothing else is said.
pub(super) const LEAST_SLAM: f32 = 0.1;

/// What simulations of a kind differ in, beside their parts.
pub trait AuctionSearch: Send + 'static {
    /// The name in the registry.
    const NAME: &'static str;
    /// The least chance of a slam that is worth a thought.
    const LEAST_SLAM: f32 = LEAST_SLAM;

    /// Returns the chance that is told, of the odds by which the guide forecasts a bid or another call.
    fn chance(_guide: &Guide, _rules: &RuleSet, odds: f32, _is_bid: bool) -> f32 {
        logistic(odds)
    }
}

/// Makes the calls that `table` finds worth a thought in worlds, and the one whose deal then scores best.
#[derive(Debug)]
pub struct SimulatingBidder<S> {
    /// Finds the calls that are worth a thought.
    guide: Guide,
    simulation: Simulation,
    thought: Option<Thought>,
    of: PhantomData<S>,
}

impl<S> SimulatingBidder<S> {
    pub(crate) const fn with(guide: Guide, simulation: Simulation) -> Self {
        Self { guide, simulation, thought: None, of: PhantomData }
    }
}

impl<S: AuctionSearch> Agent for SimulatingBidder<S> {
    fn start(&mut self) {
        self.thought = None;
    }

    fn thinks(&self) -> bool {
        true
    }

    fn thought(&self) -> Option<&Thought> {
        self.thought.as_ref()
    }
}

impl<S: AuctionSearch> Bidder for SimulatingBidder<S> {
    fn call(&mut self, view: &View<'_>, legal: &LegalCalls, key: Key) -> Call {
        self.thought = None;
        let chance = |guide: &Guide, odds, is_bid| S::chance(guide, view.rules(), odds, is_bid);
        let mut candidates = CallCandidates::of(&mut self.guide, view, legal, S::LEAST_SLAM, chance);
        if candidates.len() > 1 {
            self.simulation.search(view, &mut candidates, &mut key.rng());
        }
        let Some(call) = candidates.choice() else { return Call::Pass };
        let mut thought = candidates.thought(call);
        // Of a single call the guide reports.
        let bidder = if thought.options.iter().any(|it| it.worlds > 0) {
            S::NAME
        } else if self.guide.is_net(view.rules()) {
            "net"
        } else {
            "table"
        };
        reported::correct(&mut thought, bidder, view.rules(), call);
        self.thought = Some(thought);
        call
    }
}
