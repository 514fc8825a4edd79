//! What a contract is worth in a world.

use coinche_engine::solver::Solver;
use coinche_engine::{DealState, Key, Outcome, Team, Turn};

use super::Solved;
use crate::table::BiddingTable;
use crate::{CardPlayer, RulesPlayer};

/// How contracts are valued.
#[derive(Debug)]
pub(crate) enum Value {
    /// Solved double dummy, and turned into what is played by what the table says of the difference.
    Solved(Box<Solver>, Solved),
    /// Played out by the card player `rules` at all four seats.
    Played,
}

impl Value {
    pub(crate) fn solved() -> Self {
        Self::Solved(Box::new(Solver::new()), Solved::default())
    }

    /// Another world is looked at.
    pub(super) fn begin_world(&mut self) {
        if let Self::Solved(_, known) = self {
            *known = Solved::default();
        }
    }

    /// Returns what a team scores, net, when the contract of a finished auction is played.
    pub(super) fn net(&mut self, table: &BiddingTable, state: DealState, team: Team) -> f64 {
        match self {
            Self::Solved(solver, known) => known.net(solver, table, &state, team),
            Self::Played => played_out(state, team),
        }
    }
}

/// Plays the cards by `rules` at all four seats, and returns what a team scores, net.
fn played_out(mut state: DealState, team: Team) -> f64 {
    // The player uses no randomness.
    let (mut player, key) = (RulesPlayer, Key::from_bits(0));
    while let Turn::Play(seat) = state.turn() {
        let card = player.play(&state.view(seat), state.legal_plays(), key);
        state.play(card).expect("a player plays legal cards");
    }
    match state.outcome() {
        Some(Outcome::Played { score, .. }) => f64::from(score.points[team] - score.points[team.other()]),
        Some(Outcome::ThrownIn) | None => 0.0,
    }
}
