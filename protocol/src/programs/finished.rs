//! Finished legs, kept until those before them are handed out.

use coinche_engine::record::Fault;
use coinche_engine::{ByTeam, DealState};
use coinche_selfplay::play::played::{Ending, InMatch, LegResult, PlayedDeal, Thought};
use coinche_selfplay::play::schedule::Leg;

/// A finished deal, kept until those before it are finished.
#[derive(Debug, Clone)]
pub(super) struct FinishedDeal {
    pub(super) deal: u64,
    pub(super) in_match: Option<InMatch>,
    pub(super) state: DealState,
    pub(super) ending: Ending,
    pub(super) score: ByTeam<i32>,
    pub(super) faults: Vec<Fault>,
    pub(super) thoughts: Vec<Thought>,
}

impl FinishedDeal {
    pub(super) fn played<'a>(&'a self, leg: &'a Leg) -> PlayedDeal<'a> {
        PlayedDeal {
            leg,
            deal: self.deal,
            in_match: self.in_match,
            state: &self.state,
            ending: self.ending,
            score: self.score,
            faults: &self.faults,
            thoughts: &self.thoughts,
        }
    }
}

/// A finished leg, with its deals.
#[derive(Debug)]
pub(super) struct FinishedLeg {
    pub(super) leg: Leg,
    pub(super) deals: Vec<FinishedDeal>,
    pub(super) result: LegResult,
}
