//! Counts of all ways to go on: the test of generators of legal calls and plays.

use crate::{AuctionState, PlayState};

/// Counts the sequences of `depth` legal cards from a state (fewer where the play ends).
///
/// ```
/// use coinche_engine::{PlayState, RuleSet, Seat, Strain, parse_hands};
/// use coinche_engine::perft::perft_play;
///
/// let hands = parse_hands("7C 8C | 9C TC | JC QC | KC AC").expect("a deal");
/// let state = PlayState::new(&RuleSet::BGA.play, Strain::NoTrump, hands, Seat::S0);
/// assert_eq!(perft_play(&state, 8), 16);
/// ```
pub fn perft_play(state: &PlayState, depth: u32) -> u64 {
    if depth == 0 || state.is_over() {
        return 1;
    }
    let plays = state.legal_plays();
    if depth == 1 {
        return plays.len() as u64;
    }
    plays
        .into_iter()
        .map(|card| {
            let mut next = *state;
            next.play_unchecked(card);
            perft_play(&next, depth - 1)
        })
        .sum()
}

/// Counts the sequences of `depth` legal calls from a state (fewer where the auction ends); a declined
/// offer of an any-time coinche is a call.
pub fn perft_auction(state: &AuctionState, depth: u32) -> u64 {
    let calls = state.legal_calls();
    if depth == 0 || calls.is_empty() {
        return 1;
    }
    if depth == 1 {
        return calls.len() as u64;
    }
    calls
        .iter()
        .map(|call| {
            let mut next = *state;
            next.call(call).expect("a legal call");
            perft_auction(&next, depth - 1)
        })
        .sum()
}
