//! The search of αμ: a few own cards ahead over many worlds at once, then the exact solver.

use coinche_engine::solver::Solver;
use coinche_engine::{Card, CardSet, PlayState, RuleSet, Seat};

use super::front::Front;
use crate::search::{Limits, Payoff, Stopwatch, solve_cards, solve_value};

/// A world under search.
pub(super) struct World {
    pub(super) play: PlayState,
    pub(super) payoff: Payoff,
    pub(super) weight: f64,
}

/// A search over a batch of worlds.
pub(super) struct Tree<'a> {
    pub(super) rules: &'a RuleSet,
    pub(super) me: Seat,
    /// How many vectors a front may have.
    pub(super) width: usize,
    pub(super) worlds: &'a [World],
    /// A solver for each world, whose table is kept from one line of play to the next.
    pub(super) solvers: &'a mut [Solver],
    pub(super) limits: Limits,
    pub(super) watch: Stopwatch,
}

/// A position that the seat cannot tell apart from others, in some of the worlds: their numbers, and the plays.
type Positions = Vec<(usize, PlayState)>;

impl Tree<'_> {
    /// Returns the mean of what a card leads to with `ahead` more own cards chosen without knowing the world;
    /// `None` where time is over.
    pub(super) fn card(&mut self, card: Card, ahead: usize) -> Option<f64> {
        let plays = self.worlds.iter().enumerate().map(|(number, world)| (number, after(&world.play, card)));
        let positions: Positions = plays.collect();
        let front = self.front(&positions, ahead)?;
        let total: f64 = self.worlds.iter().map(|world| world.weight).sum();
        Some(front.best(|n| self.worlds[positions[n].0].weight) / total)
    }

    fn front(&mut self, positions: &Positions, ahead: usize) -> Option<Front> {
        if self.limits.is_over(self.watch, 1.0) {
            return None;
        }
        let (_, first) = positions.first()?;
        if ahead == 0 || first.hand(self.me).len() < 2 {
            return Some(Front::of(positions.iter().map(|position| self.value(position)).collect()));
        }
        let mut front = if first.to_play() == self.me {
            self.own(positions, ahead)?
        } else {
            self.others(positions, ahead)?
        };
        front.limit(self.width, |n| self.worlds[positions[n].0].weight);
        Some(front)
    }

    /// The own choice is one card for all worlds.
    fn own(&mut self, positions: &Positions, ahead: usize) -> Option<Front> {
        let legal = positions[0].1.legal_plays();
        let mut front = Front::nothing();
        if ahead > 1 {
            for card in legal {
                let next = positions.iter().map(|(number, play)| (*number, after(play, card))).collect();
                front.or(self.front(&next, ahead - 1)?);
            }
            return Some(front);
        }
        let mut vectors = vec![Vec::with_capacity(positions.len()); legal.len()];
        for (number, play) in positions {
            let (solver, payoff) = (&mut self.solvers[*number], &self.worlds[*number].payoff);
            let mut cards = 0..;
            solve_cards(solver, self.rules, payoff, play, (legal, payoff.prizes()), |_, points| {
                if let Some(n) = cards.next() {
                    vectors[n].push(outcome(payoff, points));
                }
            });
        }
        for vector in vectors {
            front.or(Front::of(vector));
        }
        Some(front)
    }

    /// Another's choice is one card for each world: the partner's the best, an opponent's the worst.
    ///
    /// Cards that do the same are all tried: which of them is played may tell worlds apart, or not.
    fn others(&mut self, positions: &Positions, ahead: usize) -> Option<Front> {
        let seat = positions[0].1.to_play();
        let choices: Vec<CardSet> = positions.iter().map(|(_, play)| play.legal_plays()).collect();
        let all = choices.iter().fold(CardSet::EMPTY, |all, cards| all | *cards);
        let mut front = Front::of(vec![f32::NAN; positions.len()]);
        for card in all {
            let members = (0..positions.len()).filter(|n| choices[*n].contains(card));
            let members: Vec<usize> = members.collect();
            let next = members.iter().map(|n| (positions[*n].0, after(&positions[*n].1, card))).collect();
            let below = self.front(&next, ahead)?;
            front.join(&members, &below, seat.team() == self.me.team());
            front.limit(self.width, |n| self.worlds[positions[n].0].weight);
        }
        Some(front)
    }

    fn value(&mut self, (number, play): &(usize, PlayState)) -> f32 {
        let payoff = &self.worlds[*number].payoff;
        outcome(payoff, solve_value(&mut self.solvers[*number], self.rules, payoff, play))
    }
}

pub(super) fn after(play: &PlayState, card: Card) -> PlayState {
    let mut play = *play;
    play.play_unchecked(card);
    play
}

fn outcome(payoff: &Payoff, points: i32) -> f32 {
    payoff.at(points) as f32
}
