//! Worlds solved double dummy.

use coinche_engine::solver::{Solver, points_to_come};
use coinche_engine::{BySeat, ByTeam, Card, CardSet, PlayState, RuleSet, Team};

use super::{CardCandidates, Payoff, Situation};

/// Solves a world for the candidates that were not pruned.
pub(crate) fn solve(
    solver: &mut Solver,
    situation: &mut Situation<'_>,
    hands: &BySeat<CardSet>,
    candidates: &mut CardCandidates,
) {
    let (play, rules) = (situation.play(hands), situation.rules());
    let payoff = situation.payoff(hands);
    let remaining: Vec<(usize, Card)> = candidates.remaining().collect();
    let cards = remaining.iter().map(|(_, card)| *card).collect();
    solve_cards(solver, rules, payoff, &play, (cards, payoff.prizes()), |card, points| {
        let (index, _) = remaining.iter().find(|(_, other)| *other == card).expect("a candidate");
        let known = payoff.tells_apart(points).then_some(points);
        candidates.score(*index, payoff.at(points), payoff.is_made_at(points), known);
    });
}

/// Calls `report` with cards that the side of a payoff may play and the points that best play of both leads to,
/// exact as far as the payoff tells points apart; `prizes` are those of slams.
pub(crate) fn solve_cards(
    solver: &mut Solver,
    rules: &RuleSet,
    payoff: &Payoff,
    play: &PlayState,
    (cards, prizes): (CardSet, ByTeam<u16>),
    mut report: impl FnMut(Card, i32),
) {
    debug_assert_eq!(play.to_play().team(), payoff.side());
    if payoff.is_settled() {
        for card in cards {
            report(card, 0);
        }
        return;
    }
    let taken = taken(rules, play, payoff.side());
    solver.set_prizes(prizes);
    let (low, high) = payoff.window();
    solver.values_within(rules, play, cards, low - taken, high - taken, |card, value| {
        report(card, taken + value);
    });
}

/// Returns the points that best play of both sides leads to, for the side of a payoff, whoever is to play.
pub(crate) fn solve_value(solver: &mut Solver, rules: &RuleSet, payoff: &Payoff, play: &PlayState) -> i32 {
    if payoff.is_settled() {
        return 0;
    }
    let taken = taken(rules, play, payoff.side());
    solver.set_prizes(payoff.prizes());
    let (low, high) = payoff.window();
    let (low, high) = (low - taken, high - taken);
    if play.to_play().team() == payoff.side() {
        taken + solver.value_within(rules, play, low, high)
    } else {
        let to_come = i32::from(points_to_come(rules, play));
        taken + to_come - solver.value_within(rules, play, to_come - high, to_come - low)
    }
}

fn taken(rules: &RuleSet, play: &PlayState, side: Team) -> i32 {
    play.card_points(rules)[side].into()
}
