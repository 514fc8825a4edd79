//! Cards that score the same, told apart by the card points they make.

use coinche_engine::solver::Solver;
use coinche_engine::{BySeat, Card, CardSet};

use super::{CardCandidates, Limits, Situation, Stopwatch};

/// The card points are found in so many worlds at most: a few tell nearly all, at a fraction of the cost.
const MOST: usize = 8;

/// Finds the card points of the cards whose mean score is the best, if they are several, in worlds that were solved for the
/// score.
///
/// A score tells points apart only in part: not below a contract that fails, nor where a stake decides all. Then a solver
/// for scores, which is quicker, knows no points. Whoever makes more of them is nearer to the contract, or to its defeat,
/// if the others err or the worlds miss the truth.
pub(crate) fn solve_ties(
    solver: &mut Solver,
    situation: &mut Situation<'_>,
    worlds: &[BySeat<CardSet>],
    candidates: &mut CardCandidates,
    (limits, watch): (Limits, Stopwatch),
) {
    let tied = candidates.tied();
    if tied.len() < 2 {
        return;
    }
    let cards: CardSet = tied.iter().map(|index| candidates.card(*index)).collect();
    for (world, hands) in worlds.iter().enumerate().take(MOST) {
        if tied.iter().all(|index| candidates.points(*index, world).is_some()) {
            continue;
        }
        if limits.is_over(watch, 1.0) {
            break;
        }
        let (play, rules, side) = (situation.play(hands), situation.rules(), situation.side());
        let payoff = situation.payoff(hands);
        let taken = i32::from(play.card_points(rules)[side]);
        solver.set_prizes(payoff.prizes());
        solver.values_within(rules, &play, cards, i32::MIN / 4, i32::MAX / 4, |card: Card, value| {
            let index = tied.iter().find(|index| candidates.card(**index) == card).expect("a tied card");
            candidates.note_points(*index, world, taken + value);
        });
    }
}
