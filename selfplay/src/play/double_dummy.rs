//! The exact solver as the card player of all seats: one line of double-dummy play.
//!
//! It maximises card points; among lines with all points it prefers one with all tricks; among equal cards it plays the
//! first in the order of sets. Belotes and melds are announced as a [`CardPlayer`](coinche_bots::CardPlayer) does by
//! default: every belote, and the melds with the most points.

use std::sync::{Arc, Mutex, PoisonError};

use coinche_engine::solver::Solver;
use coinche_engine::{ByTeam, Card, DealState, PlayState, RuleSet};

/// The number of cached lines: a deal has one per strain, in the turn-up game one per taker and strain.
const KEPT: usize = 24;

/// A solver with a cache of recent lines, shared by all tables of a thread.
///
/// A line depends only on hands, strain and leader, so both legs of a deal, and all encounters, share the lines of
/// contracts they have in common.
#[derive(Debug, Clone)]
pub struct OpenPlay(Arc<Mutex<Lines>>);

#[derive(Debug)]
struct Lines {
    solver: Solver,
    /// The position where play began, and the cards in order.
    kept: Vec<(PlayState, [Card; 32])>,
    /// The index of the next line to replace.
    next: usize,
}

impl Default for OpenPlay {
    /// Creates a solver. Memory: 256 KiB.
    fn default() -> Self {
        let mut solver = Solver::new();
        // A slam already has all points; a prize of one point only breaks the tie between such lines.
        solver.set_prizes(ByTeam([1; 2]));
        Self(Arc::new(Mutex::new(Lines { solver, kept: Vec::with_capacity(KEPT), next: 0 })))
    }
}

impl OpenPlay {
    /// Plays out the cards of a deal whose auction is over; does nothing if all passed.
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
