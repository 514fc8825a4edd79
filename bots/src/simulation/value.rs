//! What a contract is worth in a world.

use coinche_engine::solver::Solver;
use coinche_engine::{BidValue, DealState, Goal, Key, Outcome, Team, Turn};

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

    /// Returns what a team gets when the contract of a finished auction is played.
    pub(super) fn of(&mut self, table: &BiddingTable, state: DealState, team: Team) -> Worth {
        let is_slam = state.contract().is_some_and(|contract| {
            contract.declarer.team() == team
                && matches!(contract.goal, Goal::Bid(bid) if bid >= BidValue::CAPOT)
        });
        let (net, made) = match self {
            Self::Solved(solver, known) => {
                let made = if is_slam { known.chance(solver, table, &state) } else { None };
                (known.net(solver, table, &state, team), made)
            }
            Self::Played => played_out(state, team),
        };
        Worth { net, slam: made.filter(|_| is_slam) }
    }
}

/// What a deal comes to for a team.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Worth {
    /// What it scores, net.
    pub(super) net: f64,
    /// The chance that its slam is made; `None` where it has not bid one.
    pub(super) slam: Option<f64>,
}

/// Plays the cards by `rules` at all four seats, and returns what a team scores, net, and whether the contract is made.
fn played_out(mut state: DealState, team: Team) -> (f64, Option<f64>) {
    // The player uses no randomness.
    play_on(&mut RulesPlayer, &mut state, 8, Key::from_bits(0));
    let Some(score) = state.outcome().and_then(Outcome::score) else { return (0.0, None) };
    let net = f64::from(score.points[team] - score.points[team.other()]);
    (net, Some(f64::from(u8::from(score.made))))
}

/// Has a player at all four seats play on until so many tricks of the deal are played. It is given the same key for every card.
pub fn play_on<P: CardPlayer + ?Sized>(player: &mut P, state: &mut DealState, tricks: usize, key: Key) {
    while let Turn::Play(seat) = state.turn()
        && state.tricks().len() < tricks
    {
        let card = player.play(&state.view(seat), state.legal_plays(), key);
        state.play(card).expect("a player plays legal cards");
    }
}
