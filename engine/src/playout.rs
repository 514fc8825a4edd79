//! Random playouts: the measure of the engine's speed, and the simplest policy for sampling.

use rand_xoshiro::rand_core::Rng;

use crate::random::below;
use crate::{ByTeam, PlayState, RuleSet};

impl PlayState {
    /// Plays uniformly random legal cards to the end of the deal.
    #[inline]
    pub fn play_randomly(&mut self, rng: &mut impl Rng) {
        while !self.is_over() {
            let plays = self.legal_plays();
            let word = (rng.next_u64() >> 32) as u32;
            let n = below(word, plays.bits().count_ones()) as usize;
            let card = plays.nth(n).expect("there is a legal card");
            self.play_unchecked(card);
        }
    }
}

/// Plays a deal to its end with uniformly random legal cards and returns the card points by team, last
/// trick included.
pub fn playout(rules: &RuleSet, state: &PlayState, rng: &mut impl Rng) -> ByTeam<u16> {
    let mut state = *state;
    state.play_randomly(rng);
    state.card_points(rules)
}
