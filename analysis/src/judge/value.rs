//! The value of each card of a deal.
//!
//! Cards are valued from last to first. The value of a position is at least that of the position after the
//! played card, which is known by then, so that one zero-window search decides whether the card was a best one.
//! Only losing decisions need the exact value and a search for the best card. The solver keeps its table for
//! the whole deal, and fills it with small positions first.

use coinche_bots::search::Payoff;
use coinche_engine::solver::Solver;
use coinche_engine::{Card, PlayState, RuleSet, Seat, Team};

use super::decision::Decision;
use super::played::Played;

/// The outcome of the cards for one team, as one number: its card points, one less than zero if it takes no
/// trick, one more than all if it takes every trick.
///
/// More is never worse, so that best play for this number is best play for the points and, if the score never
/// decreases with it, for the score.
type Fall = i32;

/// Outcomes of the cards in one deal, for the side to play.
struct Values<'a> {
    solver: &'a mut Solver,
    rules: &'a RuleSet,
    all: i32,
}

impl Values<'_> {
    /// Returns the same outcome for the other side.
    const fn turned(&self, fall: Fall) -> Fall {
        self.all - fall
    }

    /// The card points that the side to play has won so far.
    fn won(&self, state: &PlayState) -> i32 {
        state.card_points(self.rules)[state.to_play().team()].into()
    }

    /// Returns a team's outcome after the last card.
    fn end(&self, state: &PlayState, team: Team) -> Fall {
        let points = i32::from(state.card_points(self.rules)[team]);
        points + i32::from(state.tricks_won(team) == 8) - i32::from(state.tricks_won(team) == 0)
    }

    /// Tests if the side to play can reach an outcome.
    fn reaches(&mut self, state: &PlayState, fall: Fall) -> bool {
        let won = self.won(state);
        self.solver.reaches(self.rules, state, fall - won)
    }

    /// Returns the outcome for the side to play, known to be at least `low`.
    fn at_least(&mut self, state: &PlayState, low: Fall) -> Fall {
        let won = self.won(state);
        won + self.solver.value_within(self.rules, state, low - won - 1, self.all + 2 - won)
    }

    /// Tests if a card preserves an outcome for the side to play.
    fn keeps(&mut self, state: &PlayState, card: Card, fall: Fall) -> bool {
        let mut after = *state;
        after.play_unchecked(card);
        let team = state.to_play().team();
        if after.is_over() {
            self.end(&after, team) >= fall
        } else if after.to_play().team() == team {
            self.reaches(&after, fall)
        } else {
            let more = self.turned(fall) + 1;
            !self.reaches(&after, more)
        }
    }
}

/// Judges the cards of a deal: each one chosen among several, in playing order, and whether score losses are
/// known.
pub(super) fn decisions(solver: &mut Solver, played: &Played) -> (Vec<Decision>, bool) {
    let rules = &played.dealt.rules;
    let declarers = played.contract.declarer.team();
    let start = played.start();
    let payoff = Payoff::new(rules, played.contract, &start, declarers, played.belote, played.melds);
    let worth = Some(payoff).filter(Payoff::is_exact);
    let mut states = vec![start];
    for card in &played.cards {
        let mut next = states[states.len() - 1];
        next.play_unchecked(*card);
        states.push(next);
    }
    let mut decisions = Vec::with_capacity(32);
    let end = states[states.len() - 1];
    let mut values = Values { solver, rules, all: rules.all_points(played.contract.strain).into() };
    values.solver.set_prizes(Payoff::PRIZES);
    // A query without a search, so that the solver keeps its table for the whole deal.
    let _ = values.solver.reaches(rules, &states[0], -values.all);
    let mut seen_by = Seat::S0.team();
    let mut fall = values.end(&end, seen_by);
    for (state, card) in states.iter().zip(&played.cards).rev() {
        let team = state.to_play().team();
        if team != seen_by {
            fall = values.turned(fall);
            seen_by = team;
        }
        let legal = state.legal_plays();
        if legal.len() == 1 {
            continue;
        }
        let points = |fall: Fall| fall.clamp(0, values.all);
        let mut decision = Decision::new(&played.contract, state, *card, points(fall));
        let played_fall = fall;
        if values.reaches(state, fall + 1) {
            fall = values.at_least(state, fall + 1);
            let best = legal.into_iter().find(|card| values.keeps(state, *card, fall));
            decision.best_card = best.unwrap_or(*card);
            decision.best_value = fall.clamp(0, values.all);
        }
        decision.score_loss = worth.as_ref().map(|worth| {
            if team == declarers {
                worth.at(fall) - worth.at(played_fall)
            } else {
                worth.at(values.turned(played_fall)) - worth.at(values.turned(fall))
            }
        });
        decisions.push(decision);
    }
    decisions.reverse();
    (decisions, worth.is_some())
}
