//! How likely a seat makes a call.

use coinche_engine::{Call, LegalCalls};

use super::model::ConsideredCall;
use super::points::float;

/// Returns how likely a seat makes a call that has considered these: of each call that it would consider
/// `exp(gain / softness)`, in proportion, and a share of one in fifty for the legal calls alike.
///
/// `softness` is in points of the deal's score.
pub(crate) fn likelihood_of(
    considered: &[ConsideredCall],
    legal: &LegalCalls,
    call: Call,
    softness: f32,
) -> f32 {
    const ANY: f32 = 0.02;
    let count = float(i32::try_from(legal.len()).unwrap_or(i32::MAX)).max(1.0);
    let most = considered.iter().fold(0.0, |most: f32, option| most.max(option.gain));
    let (mut all, mut this) = (0.0, 0.0);
    for option in considered {
        let weight = exp((option.gain - most) / softness);
        all += weight;
        // The signal pass and the pass tell little: they share.
        if option.call == call || (option.call.is_pass() && call.is_pass()) {
            this += if option.call == call { weight } else { weight / 4.0 };
        }
    }
    (1.0 - ANY) * this / all + ANY / count
}

/// The exponential of a number that is not positive, the same on every machine.
pub(super) fn exp(x: f32) -> f32 {
    // (1 + x / 256) to the 256th power: within a hundredth where it is not negligible.
    let mut power = (1.0 + x.max(-64.0) / 256.0).max(0.0);
    for _ in 0..8 {
        power *= power;
    }
    power
}
