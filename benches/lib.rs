//! The fixed set of deals that the benchmarks play.

use coinche_engine::{Deal, Deck, PlayState, RuleSet, Seat, Strain};

/// The seed of the benchmark deals.
pub const SEED: u64 = 20_260_101;

/// Returns the first `n` benchmark deals at the start of play in a strain, led by the dealer's left.
pub fn positions(strain: Strain, n: u64) -> Vec<PlayState> {
    let rules = RuleSet::BGA;
    (0..n)
        .map(|index| {
            let deal = Deal::new(&rules.deal, Deck::shuffled(SEED, index), Seat::S3);
            PlayState::new(&rules.play, strain, *deal.hands(), Seat::S0)
        })
        .collect()
}
