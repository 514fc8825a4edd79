//! Which moves to try, and in which order.
//!
//! A move's score is linear in its points, its rank and the length of its suit, with weights by situation.
//! The weights were tuned by hill-climbing on the number of nodes; see `weights.rs`.

use super::search::Trick;
use super::tables::Points;
use crate::play::suit_mask;

/// The weights of the order in which moves are tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ordering {
    /// By situation of a lead, see `lead_situation`: base, per point, per rank, per card of the suit.
    pub lead: [[i16; 4]; 24],
    /// By situation of a reply, see `reply_situation`: base, per point, per rank.
    pub reply: [[i16; 3]; 60],
    /// For the move that last caused a cutoff.
    pub killer: i16,
}

/// Moves with their scores.
pub(super) struct Candidates {
    /// The score in the upper half, the place of the bit below.
    moves: [i32; 8],
    len: usize,
}

impl Candidates {
    const fn new() -> Self {
        Self { moves: [0; 8], len: 0 }
    }

    #[inline]
    const fn push(&mut self, bit: u32, score: i32) {
        self.moves[self.len & 7] = score << 5 | bit.trailing_zeros().cast_signed();
        self.len += 1;
    }
}

impl Iterator for Candidates {
    type Item = u32;

    /// Takes the move with the highest score out.
    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        let mut best = 0;
        for index in 1..self.len {
            if self.moves[index & 7] > self.moves[best & 7] {
                best = index;
            }
        }
        let place = self.moves[best & 7] & 31;
        self.len -= 1;
        self.moves[best & 7] = self.moves[self.len & 7];
        Some(1 << place)
    }
}

/// Leaves out cards that are worth the same as a lower one: without points, and with no card of another
/// player (in a hand or on the table) between.
#[inline]
fn distinct(moves: u32, others: u32, points: &Points) -> u32 {
    let [first, second, third] = points.worthless;
    let (low, middle, high) = (moves & first, moves & second, moves & third);
    let same_middle = middle & low << 1;
    let same_high = high & ((middle << 1) | ((low << 2) & !((others & second) << 1)));
    moves & !(same_middle | same_high)
}

#[inline]
const fn above(bit: u32) -> u32 {
    !(bit | (bit - 1))
}

#[inline]
const fn rank(bit: u32) -> i32 {
    (bit.trailing_zeros() & 7).cast_signed()
}

/// The situation of a lead: trump or not, beaten by an opponent's higher card or not, an opponent may
/// ruff or not; and the partner's best: lower, highest of all, or a ruff.
#[inline]
fn lead_situation<const CUT: u32>(hands: &[u32; 4], leader: usize, suit: u32, bit: u32) -> usize {
    let partner = hands[(leader + 2) & 3];
    let (left, right) = (hands[(leader + 1) & 3], hands[(leader + 3) & 3]);
    let trump = suit == CUT;
    let cuts = |hand: u32| hand & suit == 0 && hand & CUT != 0;
    let opponents = (left | right) & suit;
    let beaten = opponents & above(bit) != 0;
    let ruffed = !trump && (cuts(left) || cuts(right));
    let partner_best = if !trump && cuts(partner) {
        2
    } else {
        usize::from(partner & suit > opponents && partner & suit > bit)
    };
    ((usize::from(trump) * 2 + usize::from(beaten)) * 2 + usize::from(ruffed)) * 3 + partner_best
}

/// The leads worth trying, likely best first.
#[inline]
pub(super) fn lead_order<const CUT: u32>(
    points: &Points,
    ordering: &Ordering,
    hands: &[u32; 4],
    leader: usize,
    killer: u32,
) -> Candidates {
    let hand = hands[leader];
    let others = (hands[0] | hands[1] | hands[2] | hands[3]) & !hand;
    let mut moves = distinct(hand, others, points);
    let mut list = Candidates::new();
    while moves != 0 {
        let bit = moves & moves.wrapping_neg();
        moves ^= bit;
        let suit = suit_mask(bit);
        let [base, by_point, by_rank, by_length] =
            ordering.lead[lead_situation::<CUT>(hands, leader, suit, bit)].map(i32::from);
        let length = (hand & suit).count_ones().cast_signed();
        let extra = if bit == killer { i32::from(ordering.killer) } else { 0 };
        let score = base + by_point * points.card(bit) + by_rank * rank(bit) + by_length * length + extra;
        list.push(bit, score);
    }
    list
}

/// The situation of a reply: second, third or fourth; whether the partner is winning; discard, following
/// without or with the best card, trump without or with the best; and whether the next player can beat
/// what would then be the best card.
#[inline]
fn reply_situation<const CUT: u32>(trick: &Trick, next: u32, partner_wins: bool, bit: u32) -> usize {
    let beats = bit & (trick.led | CUT) > trick.best;
    let kind = if bit & trick.led != 0 {
        1 + usize::from(beats)
    } else if bit & CUT != 0 {
        3 + usize::from(beats)
    } else {
        0
    };
    let best = if beats { bit } else { trick.best };
    let follow = next & trick.led;
    let threats = if follow != 0 { follow } else { next & CUT };
    let threatened = trick.place < 3
        && if best & CUT != 0 && trick.led != CUT && follow != 0 {
            false
        } else {
            threats & above(best) != 0
        };
    ((trick.place - 1) * 2 + usize::from(partner_wins)) * 10 + kind * 2 + usize::from(threatened)
}

/// The replies worth trying, likely best first.
#[inline]
pub(super) fn reply_order<const CUT: u32>(
    points: &Points,
    ordering: &Ordering,
    hands: &[u32; 4],
    seat: usize,
    legal: u32,
    trick: &Trick,
) -> Candidates {
    let others = (hands[0] | hands[1] | hands[2] | hands[3] | trick.cards) & !hands[seat];
    let mut moves = distinct(legal, others, points);
    let next = hands[(seat + 1) & 3];
    let partner_wins = trick.best_seat == (seat + 2) & 3;
    let mut list = Candidates::new();
    while moves != 0 {
        let bit = moves & moves.wrapping_neg();
        moves ^= bit;
        let situation = reply_situation::<CUT>(trick, next, partner_wins, bit);
        let [base, by_point, by_rank] = ordering.reply[situation].map(i32::from);
        list.push(bit, base + by_point * points.card(bit) + by_rank * rank(bit));
    }
    list
}
