//! Finished legs, kept until those before them are handed out.

use coinche_selfplay::play::schedule::Leg;
use coinche_selfplay::{FinishedDeal, LegResult};

/// A finished leg, with its deals.
#[derive(Debug)]
pub(super) struct FinishedLeg {
    pub(super) leg: Leg,
    pub(super) deals: Vec<FinishedDeal>,
    pub(super) result: LegResult,
}
