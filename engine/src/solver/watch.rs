//! Which moves cut off, and at what cost: what an order of moves is fitted to.

use super::moves::{Moves, Score};
use super::search::Search;
use super::table::Table;
use crate::bits::Form;

/// A move at a node where a window of zero width is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// The row of [`Ordering::lead`](super::Ordering::lead) or, from 48 on, of
    /// [`Ordering::reply`](super::Ordering::reply).
    pub situation: usize,
    /// The place of the card in its suit's order of strength, `0..8`.
    pub rank: usize,
    /// It is the lead that last caused a cutoff.
    pub killer: bool,
    /// It cuts off.
    pub cuts: bool,
    /// The positions at the starts of tricks that its search took.
    pub nodes: u64,
}

/// A sample of nodes, and who is told of it.
pub(super) struct Watch<'a> {
    pub(super) one_in: u64,
    pub(super) seen: u64,
    /// The table before a node's moves are tried.
    pub(super) table: Table,
    pub(super) report: &'a mut dyn FnMut(&[Candidate]),
}

impl<F: Form, const CUT: u32, const DUTY: u32, const ALL: bool> Search<'_, F, CUT, DUTY, ALL> {
    /// Searches each move of a node by itself, all from the same table, when the node is in the sample.
    #[cold]
    pub(super) fn try_each<S: Score>(
        &mut self,
        moves: &Moves<S>,
        killer: u32,
        cuts: impl Fn(&mut Self, u32) -> bool,
    ) {
        let Some(mut watch) = self.watch.take() else { return };
        watch.seen += 1;
        if watch.seen.is_multiple_of(watch.one_in) && !moves.left().is_power_of_two() {
            let (killers, nodes) = (self.killers, self.nodes);
            watch.table.copy_from(self.table);
            let mut candidates = Vec::new();
            let mut left = moves.left();
            while left != 0 {
                let bit = left & left.wrapping_neg();
                left ^= bit;
                self.nodes = 0;
                let cuts = cuts(self, bit);
                candidates.push(Candidate {
                    situation: moves.situation(bit.trailing_zeros()),
                    rank: bit.trailing_zeros() as usize & 7,
                    killer: bit == killer,
                    cuts,
                    nodes: self.nodes,
                });
                self.table.copy_from(&watch.table);
                self.killers = killers;
            }
            self.nodes = nodes;
            (watch.report)(&candidates);
        }
        self.watch = Some(watch);
    }
}
