//! How likely a seat makes a call, if it bids by a system.

use coinche_engine::{Call, CardSet, LegalCalls};

use super::System;
use super::auction::Moment;

/// The share of calls that players make outside of their system: forgotten, misjudged, or of another system.
const ANY: f32 = 0.02;
/// How likely a bid of the strain that the system bids is, at another level, among those.
const SAME_STRAIN: f32 = 4.0;

impl System {
    /// Returns how likely a seat with this hand makes a call: of the call of the system nearly certain, of every other one a
    /// small share, more of another level in the same strain.
    ///
    /// No call is impossible, so that a stranger's never leaves no hand. `floor` says what is called with a hand that no rule
    /// covers. Costs about as much as [`System::decide`].
    pub fn likelihood(
        &self,
        moment: &Moment,
        hand: CardSet,
        call: Call,
        floor: impl FnOnce() -> Call,
    ) -> f32 {
        let expected = self.decide(moment, hand).map_or_else(floor, |claim| claim.call);
        compared(expected, call, moment.legal())
    }
}

/// How likely a call is where another one is expected.
pub(super) fn compared(expected: Call, call: Call, legal: &LegalCalls) -> f32 {
    if expected == call {
        return 1.0 - ANY;
    }
    let others = u16::try_from(legal.len().saturating_sub(1)).unwrap_or(u16::MAX);
    let share = ANY / f32::from(others.max(1));
    match (expected, call) {
        (Call::Bid(expected), Call::Bid(call)) if expected.strain == call.strain => SAME_STRAIN * share,
        _ => share,
    }
}
