//! Moves that need not be tried.

use super::tables::Points;
use crate::play::suit_mask;

/// The moves tried at a node, with upper bounds of their values.
///
/// Two cards of one hand with no card of another player between take the same tricks, whichever is played
/// first; the points that differ fall into another trick. So their values differ by at most the difference
/// of their points, and what failed low by more than that need not be tried again with its neighbour.
pub(super) struct Tried {
    others: u32,
    moves: [(u32, i32); 8],
    len: usize,
}

impl Tried {
    #[inline]
    pub(super) const fn new(hands: &[u32; 4], seat: usize, table: u32) -> Self {
        let others = (hands[0] | hands[1] | hands[2] | hands[3] | table) & !hands[seat];
        Self { others, moves: [(0, 0); 8], len: 0 }
    }

    #[inline]
    pub(super) const fn push(&mut self, bit: u32, value: i32) {
        self.moves[self.len & 7] = (bit, value);
        self.len += 1;
    }

    /// An upper bound of the value of a move, from its neighbours that were tried.
    #[inline]
    pub(super) fn bound(&self, points: &Points, bit: u32) -> Option<i32> {
        let mut bound = None;
        for (other, value) in &self.moves[..self.len.min(8)] {
            let (low, high) = if bit < *other { (bit, *other) } else { (*other, bit) };
            let between = (high - 1) & !(low | (low - 1));
            if suit_mask(low) & high != 0 && between & self.others == 0 {
                let widened = value + (points.card(bit) - points.card(*other)).abs();
                bound = Some(bound.map_or(widened, |bound: i32| bound.min(widened)));
            }
        }
        bound
    }
}
