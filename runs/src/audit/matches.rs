//! Follows the matches of a run deal by deal.

use coinche_engine::{DealScore, MatchState, RuleSet, Team};
use coinche_selfplay::{LegResult, MAX_DEALS_IN_MATCH};

use super::counts::side;
use super::told::{Ending, Played, Told};

/// Follows the current match: its deals come leg by leg, each leg to its end.
#[derive(Debug, Default)]
pub(super) struct Follower {
    leg: Option<Unfinished>,
    /// The result of the first leg, once it is over.
    first: Option<LegResult>,
}

/// A leg of a match that is not over.
#[derive(Debug)]
struct Unfinished {
    game: u64,
    leg: usize,
    pairing: usize,
    /// The number of the next deal.
    next: u64,
    state: MatchState,
}

/// The effect of a deal on its match.
#[derive(Debug)]
pub(super) enum Step {
    /// The match is not over in both legs.
    GoOn,
    /// Both legs are over.
    Over([LegResult; 2]),
    /// The deal does not follow the previous one.
    OutOfTurn,
}

impl Follower {
    /// Adds the next deal.
    pub(super) fn add(&mut self, told: &Told, rules: &RuleSet) -> Step {
        let Some((game, deal)) = told.in_match else { return Step::OutOfTurn };
        let mut leg = match self.leg.take() {
            Some(leg) => leg,
            None if told.leg == usize::from(self.first.is_some()) => {
                let state = MatchState::new(rules, told.dealer);
                Unfinished { game, leg: told.leg, pairing: told.pairing, next: 0, state }
            }
            None => return Step::OutOfTurn,
        };
        let is_next = (game, told.leg, told.pairing, deal) == (leg.game, leg.leg, leg.pairing, leg.next);
        let number = game.checked_mul(MAX_DEALS_IN_MATCH).and_then(|first| first.checked_add(deal));
        if !is_next || told.dealer != leg.state.dealer() || Some(told.deal) != number {
            return Step::OutOfTurn;
        }
        advance(&mut leg.state, told);
        leg.next += 1;
        if leg.state.winner().is_none() && leg.next < MAX_DEALS_IN_MATCH {
            self.leg = Some(leg);
            return Step::GoOn;
        }
        let result = LegResult { score: leg.state.score(), winner: leg.state.winner() };
        match self.first.take() {
            None => {
                self.first = Some(result);
                Step::GoOn
            }
            Some(first) => Step::Over([first, result]),
        }
    }
}

fn advance(state: &mut MatchState, told: &Told) {
    match &told.ending {
        Ending::PassedOut => state.add_thrown_in(),
        Ending::Forfeit(team) => {
            state.add(&DealScore { made: false, points: told.score, held: 0 }, *team);
        }
        Ending::Played(Played { declarers, made, held, .. }) => {
            let score = DealScore { made: *made, points: told.score, held: held.unwrap_or(0) };
            state.add(&score, *declarers);
        }
    }
}

/// Returns the differences A − B of both legs of a match, in points and in wins: 1, 0 or −1 a leg.
pub(super) fn paired(legs: &[LegResult; 2]) -> [[i64; 2]; 2] {
    let [mut points, mut wins] = [[0; 2]; 2];
    for (leg, result) in legs.iter().enumerate() {
        for team in Team::ALL {
            let sign = if side(team, leg) == 0 { 1 } else { -1 };
            points[leg] += sign * i64::from(result.score[team]);
            wins[leg] += if result.winner == Some(team) { sign } else { 0 };
        }
    }
    [points, wins]
}
