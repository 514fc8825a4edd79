//! Trains the networks of the bot `net`: `bidding` for the bidder, `cards` for the card player.

pub mod bidding;
pub mod cards;
mod descent;
pub mod reading;

use core::ops::Range;

use coinche_engine::{
    Card, Contract, Deal, DealResult, DealScore, DealState, Deck, Outcome, RuleSet, Seat, Secrets, Stake,
    Team, Turn,
};
use coinche_selfplay::Meter;
use rayon::ThreadPool;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

/// The default rules: those with more to learn appear more often.
pub const RULES: [RuleSet; 12] = [
    RuleSet::BGA,
    RuleSet::CONTREE,
    RuleSet::BGA,
    RuleSet::CONTREE,
    RuleSet::COINCHEE,
    RuleSet::BGA,
    RuleSet::CONTREE,
    RuleSet::COINCHE_MELDS,
    RuleSet::BGA_JA,
    RuleSet::COINCHE,
    RuleSet::BELOTE,
    RuleSet::BELOTE_MELDS,
];

/// Returns the rules of a deal, in rotation.
pub(crate) fn in_turn(rules: &[RuleSet], index: u64) -> &RuleSet {
    &rules[usize::try_from(index % rules.len() as u64).unwrap_or_default()]
}

/// Deals the cards; each seat deals 16 times in a row.
pub(crate) fn dealt(rules: &RuleSet, secrets: Secrets, index: u64) -> Deal {
    let dealer = Seat::from_index(usize::try_from(index / 16 % 4).unwrap_or_default());
    Deal::new(&rules.deal, Deck::shuffled(secrets, index), dealer)
}

/// Returns the standing contract, whatever its stake.
pub(crate) fn standing(state: &DealState) -> Option<Contract> {
    state.auction().state().contract().map(|contract| Contract { stake: Stake::Plain, ..contract })
}

/// Plays the cards after a finished auction; `None` if the deal was passed out.
pub(crate) fn play_out(
    state: &mut DealState,
    mut choose: impl FnMut(&DealState, Seat) -> Card,
) -> Option<(DealResult, DealScore)> {
    while let Turn::Play(seat) = state.turn() {
        let card = choose(state, seat);
        state.play(card).ok()?;
    }
    match state.outcome()? {
        Outcome::Played { result, score } => Some((result, score)),
        Outcome::ThrownIn => None,
    }
}

/// Returns a team's net score, as far as any deal comes.
pub(crate) fn net(score: &DealScore, team: Team) -> i16 {
    clamped(score.points[team] - score.points[team.other()])
}

fn clamped(points: i32) -> i16 {
    i16::try_from(points.clamp(-30_000, 30_000)).unwrap_or_default()
}

fn hundreds(points: i16) -> f32 {
    f32::from(points) / 100.0
}

/// Plays deals on all threads, `chunk` at a time, with the players of each thread; returns their rows in order.
fn collect<P, R: Default + Send>(
    deals: &Range<u64>,
    chunk: usize,
    pool: &ThreadPool,
    meter: &Meter,
    players: impl Fn() -> P + Sync + Send,
    play: impl Fn(&mut P, u64, &mut R) + Sync + Send,
) -> Vec<R> {
    let chunks: Vec<u64> = deals.clone().step_by(chunk).collect();
    let of_chunk = |players: &mut P, from: u64| {
        let to = deals.end.min(from + chunk as u64);
        let mut rows = R::default();
        (from..to).for_each(|index| play(players, index, &mut rows));
        meter.add(to - from);
        rows
    };
    pool.install(|| chunks.into_par_iter().with_max_len(1).map_init(players, of_chunk).collect())
}
