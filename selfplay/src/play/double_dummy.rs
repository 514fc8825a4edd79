//! The exact solver as the player of all cards: a double-dummy line of best play.
//!
//! Best play is for card points, and of lines with all points one with all tricks where there is one; of equal
//! cards the first in the order of sets is played. Belotes and melds are announced as a
//! [`CardPlayer`](coinche_bots::CardPlayer) does by default: every belote, and the melds with the most points.

use std::sync::{Arc, Mutex, PoisonError};

use coinche_engine::solver::Solver;
use coinche_engine::{ByTeam, Card, DealState, PlayState, RuleSet};

/// Lines that are kept: of one deal there is one by strain, in the turn-up game one by taker and strain.
const KEPT: usize = 24;

/// A solver with the lines that it found last, for all tables of a thread.
///
/// A line depends on hands, strain and leader alone, so that both legs of a deal, and all encounters, share
/// those of the contracts that they have in common.
#[derive(Debug, Clone)]
pub struct OpenPlay(Arc<Mutex<Lines>>);

#[derive(Debug)]
struct Lines {
    solver: Solver,
    /// Where play began, and the cards in order.
    kept: Vec<(PlayState, [Card; 32])>,
    /// The place of the next line.
    next: usize,
}

impl Default for OpenPlay {
    fn default() -> Self {
        Self::new()
    }
}

impl OpenPlay {
    /// Makes a solver. Memory: 256 KiB.
    pub fn new() -> Self {
        let mut solver = Solver::new();
        // A slam has all points already: a prize of one point only says which of such lines is played.
        solver.set_prizes(ByTeam([1; 2]));
        Self(Arc::new(Mutex::new(Lines { solver, kept: Vec::with_capacity(KEPT), next: 0 })))
    }

    /// Plays a deal out whose auction is over; nothing of one that is thrown in.
    pub fn play_out(&self, state: &mut DealState) {
        let Some(begin) = state.play_state().copied() else { return };
        let line = self.0.lock().unwrap_or_else(PoisonError::into_inner).line(state.rules(), &begin);
        for card in line {
            state.play(card).expect("a line has legal cards");
        }
    }
}

impl Lines {
    fn line(&mut self, rules: &RuleSet, begin: &PlayState) -> [Card; 32] {
        if let Some((_, line)) = self.kept.iter().find(|(known, _)| known == begin) {
            return *line;
        }
        let mut cards = Vec::with_capacity(32);
        self.solver.line(rules, begin, |_, card| cards.push(card));
        let line = cards.try_into().expect("a deal has 32 cards");
        if self.kept.len() < KEPT {
            self.kept.push((*begin, line));
        } else {
            self.kept[self.next] = (*begin, line);
        }
        self.next = (self.next + 1) % KEPT;
        line
    }
}
