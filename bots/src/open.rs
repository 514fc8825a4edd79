//! `open`: the exact solver with all hands in sight, an upper bound for card players.

use coinche_engine::encoding::SuitOrder;
use coinche_engine::solver::Solver;
use coinche_engine::{ByTeam, Card, DealState, Key, Turn};

use crate::search::Situation;
use crate::{Agent, Choice, Considered, OpenPlayer, Thought};

/// Sees all hands, and plays a card after which best play of both sides takes the most points.
///
/// A slam counts as one point more than all points; so no other card leads to a better score of the deal either,
/// which never falls with the points ([`crate::search::Payoff`]). Of equal cards it plays the cheapest. It takes
/// the others to see all hands too: against players who do not, now and then another card would gain more.
///
/// Cost: one solving for every legal card, about a millisecond at the first lead and far less later.
#[derive(Debug)]
pub struct SolverPlayer {
    solver: Solver,
    thought: Option<Thought>,
}

impl Default for SolverPlayer {
    /// Makes the player.
    fn default() -> Self {
        let mut solver = Solver::new();
        solver.set_prizes(ByTeam([1; 2]));
        Self { solver, thought: None }
    }
}

impl Agent for SolverPlayer {
    fn start(&mut self) {
        self.thought = None;
    }

    fn thinks(&self) -> bool {
        true
    }

    fn thought(&self) -> Option<&Thought> {
        self.thought.as_ref()
    }
}

impl OpenPlayer for SolverPlayer {
    fn play(&mut self, state: &DealState, _key: Key) -> Card {
        self.thought = None;
        let legal = state.legal_plays();
        let only = legal.first().expect("there is a legal card");
        let (Turn::Play(seat), Some(play)) = (state.turn(), state.play_state()) else { return only };
        if legal.len() == 1 {
            return only;
        }
        let view = state.view(seat);
        let Some(mut situation) = Situation::of(&view) else { return only };
        let candidates = situation.candidates(legal, SuitOrder::canonical(&view).cards(legal));
        let mut values = Vec::with_capacity(8);
        self.solver.values(state.rules(), play, |card, value| values.push((card, value)));
        let value = |card: Card| values.iter().find(|(other, _)| *other == card).map_or(i32::MIN, |it| it.1);
        let most = candidates.iter().map(|card| value(*card)).max().unwrap_or_default();
        let chosen = candidates.iter().copied().find(|card| value(*card) == most).unwrap_or(only);

        let taken = situation.taken();
        let payoff = situation.payoff(&state.hands().map(|hand| hand - view.played()));
        let made = |points: i32| f64::from(u8::from(payoff.is_made_at(points)));
        let options = candidates.iter().map(|card| Considered {
            choice: Choice::Card(*card),
            mean: payoff.at(taken + value(*card)).into(),
            half_width: 0.0,
            chance: Some(made(taken + value(*card))),
            best: f64::from(u8::from(payoff.at(taken + value(*card)) == payoff.at(taken + most))),
            worlds: 1,
        });
        self.thought = Some(Thought {
            points: Some(payoff.at(taken + most).into()),
            chance: Some(made(taken + most)),
            options: options.collect(),
        });
        chosen
    }
}
