//! Which moves to try, and in which order.
//!
//! A move's score depends on its rank and on its situation: what can beat it, who is winning, and so on. The
//! scores are data (`engine/data`), found from which moves caused cutoffs and at what cost.
#![expect(clippy::inline_always, reason = "the search is one function around these")]
#![expect(clippy::needless_bitwise_bool, reason = "no branches: they would be mispredicted")]

use super::search::{Hands, Search, Trick};
use super::tables::Points;
use crate::bits::Form;
use crate::play::suit_mask;

/// The scores by which moves are ordered, by situation and rank: the highest is tried first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ordering {
    /// Leads: situation `((4·trump + 2·left beats + right beats)·2 + an opponent ruffs)·3 + partner`, where
    /// partner is 0, 1 (holds the highest of the suit) or 2 (ruffs).
    pub lead: [[i16; 8]; 48],
    /// Replies: situation `28·role + 4·kind + 2·threatened + helped`.
    ///
    /// The role is 0 for the second player, 1 and 2 for the third, 3 and 4 for the fourth, the higher when
    /// the partner is winning. The kind is 0 for a discard, 1 for a plain suit followed, 3 for a ruff, 5
    /// for a trump led, and one more if the card then wins. Threatened is the card that then wins, by the
    /// next player. Helped is the second player whose partner can beat that card; for others it says
    /// that the card played is the highest of its suit.
    pub reply: [[i16; 8]; 140],
    /// Added to the lead that last caused a cutoff with as many cards.
    pub killer: i16,
}

/// Gives each card of a node its score.
pub(super) trait Score {
    /// The score of the card at a place of the ranked word.
    fn score(&self, index: u32) -> i32;

    /// Its situation, as numbered in [`Candidate`](super::Candidate).
    fn situation(&self, index: u32) -> usize;
}

/// Moves, likely best first.
pub(super) struct Moves<S> {
    scores: S,
    /// The cards still worth trying.
    left: u32,
}

impl<S: Score> Moves<S> {
    /// Takes the move with the highest score out; there is one.
    ///
    /// Nothing is sorted or kept: nine times in ten the first move cuts off or none does.
    #[inline(always)]
    pub(super) fn next(&mut self) -> u32 {
        let mut index = self.left.trailing_zeros();
        let mut others = self.left & (self.left - 1);
        if others != 0 {
            let mut top = self.scores.score(index) << 5 | index.cast_signed();
            while others != 0 {
                index = others.trailing_zeros();
                others &= others - 1;
                top = top.max(self.scores.score(index) << 5 | index.cast_signed());
            }
            index = top.cast_unsigned() & 31;
        }
        let bit = 1 << index;
        self.left ^= bit;
        bit
    }

    /// Takes the lowest card out; there is one.
    #[inline(always)]
    pub(super) const fn lowest(&mut self) -> u32 {
        let bit = self.left & self.left.wrapping_neg();
        self.left ^= bit;
        bit
    }

    pub(super) const fn left(&self) -> u32 {
        self.left
    }

    pub(super) fn situation(&self, index: u32) -> usize {
        self.scores.situation(index)
    }

    #[inline(always)]
    pub(super) const fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// Leaves out the neighbours of a card that failed by a `margin` so large that they do as well.
    ///
    /// Two cards of one hand with no card of `others` between take the same tricks, whichever is played
    /// first; the points that differ fall into another trick. So their values differ by at most the
    /// difference of their points; the largest such difference of those left out is returned.
    #[inline(always)]
    pub(super) fn skip_neighbours(
        &mut self,
        points: &Points,
        bit: u32,
        others: u32,
        margin: i32,
    ) -> Option<i32> {
        let mut near = neighbours(bit, others) & self.left;
        let mut widest = None;
        while near != 0 {
            let other = near & near.wrapping_neg();
            near ^= other;
            let difference = (points.card(bit) - points.card(other)).abs();
            if difference <= margin {
                self.left ^= other;
                widest = widest.max(Some(difference));
            }
        }
        widest
    }
}

/// The places of a suit that no card of `others` parts from a card.
#[inline(always)]
fn neighbours(bit: u32, others: u32) -> u32 {
    let suit = suit_mask(bit);
    let above = others & suit & !(bit | (bit - 1));
    let below = others & suit & (bit - 1);
    let under = (above & above.wrapping_neg()).wrapping_sub(1);
    let over = if below == 0 { u32::MAX } else { !(u32::MAX >> below.leading_zeros()) };
    suit & under & over
}

/// Those cards of `moves` that have another right below them, with no card of `others` between.
#[inline(always)]
const fn with_lower(moves: u32, others: u32) -> u32 {
    // Each card climbs through empty places.
    let mut free = !(moves | others) & 0xfefe_fefe;
    let mut reach = moves;
    reach |= free & reach << 1;
    free &= free << 1;
    reach |= free & reach << 2;
    free &= free << 2;
    reach |= free & reach << 4;
    reach << 1 & moves & 0xfefe_fefe
}

/// Those cards of `moves` that have another right above them, with no card of `others` between.
#[inline(always)]
const fn with_higher(moves: u32, others: u32) -> u32 {
    let mut free = !(moves | others) & 0x7f7f_7f7f;
    let mut reach = moves;
    reach |= free & reach >> 1;
    free &= free >> 1;
    reach |= free & reach >> 2;
    free &= free >> 2;
    reach |= free & reach >> 4;
    reach >> 1 & moves & 0x7f7f_7f7f
}

/// The suits of which there is a card, as whole bytes.
#[inline(always)]
const fn suits(cards: u32) -> u32 {
    let some = (cards | ((cards & 0x7f7f_7f7f) + 0x7f7f_7f7f)) & 0x8080_8080;
    (some << 1).wrapping_sub(some >> 7)
}

/// All places below the highest card of each suit.
#[inline(always)]
pub(super) const fn below_highest(cards: u32) -> u32 {
    let cards = cards >> 1 & 0x7f7f_7f7f;
    let cards = cards | cards >> 1 & 0x7f7f_7f7f;
    let cards = cards | cards >> 2 & 0x3f3f_3f3f;
    cards | cards >> 4 & 0x0f0f_0f0f
}

/// The suits that a hand can ruff.
#[inline(always)]
const fn ruffs<const CUT: u32>(hand: u32) -> u32 {
    if hand & CUT == 0 { 0 } else { !suits(hand) & !CUT }
}

/// The cards of a hand that might win a trick.
#[inline(always)]
const fn contenders<const CUT: u32>(hand: u32, led: u32) -> u32 {
    if hand & led != 0 { hand & led } else { hand & CUT }
}

/// All cards above the highest of some.
#[inline(always)]
const fn above_highest(cards: u32) -> u32 {
    if cards == 0 { u32::MAX } else { !(u32::MAX >> cards.leading_zeros()) }
}

/// What a lead's score depends on, as sets of cards.
pub(super) struct LeadScore<'a> {
    ordering: &'a Ordering,
    trumps: u32,
    beaten_left: u32,
    beaten_right: u32,
    ruffed: u32,
    partner_high: u32,
    partner_ruffs: u32,
    killer: u32,
}

impl Score for LeadScore<'_> {
    #[inline(always)]
    fn score(&self, index: u32) -> i32 {
        let killer = if self.killer >> index & 1 != 0 { self.ordering.killer } else { 0 };
        i32::from(self.ordering.lead[self.situation(index)][index as usize & 7]) + i32::from(killer)
    }

    #[inline(always)]
    fn situation(&self, index: u32) -> usize {
        let flag = |cards: u32| (cards >> index & 1) as usize;
        let beaten = 2 * flag(self.beaten_left) + flag(self.beaten_right);
        let partner = flag(self.partner_high) + 2 * flag(self.partner_ruffs);
        (((4 * flag(self.trumps) + beaten) * 2 + flag(self.ruffed)) * 3 + partner) % 48
    }
}

/// The leads worth trying.
#[inline(always)]
pub(super) fn lead_moves<'a, F: Form, const CUT: u32, const DUTY: u32, const ALL: bool>(
    search: &Search<'a, F, CUT, DUTY, ALL>,
    hands: Hands,
    killer: u32,
) -> Moves<LeadScore<'a>> {
    let (points, ordering) = (search.points, search.ordering);
    let [hand, left, partner, right] = hands;
    let others = left | partner | right;
    let (beaten_left, beaten_right) = (below_highest(left), below_highest(right));
    let ruffed = ruffs::<CUT>(left) | ruffs::<CUT>(right);
    // Below a card of the partner's in suits where no opponent has a higher one.
    let partner_best = partner & !(beaten_left | left | beaten_right | right);
    let lower = with_lower(hand, others) & points.worthless;
    // Of neighbours that take the trick the one with the most points, of worthless ones the lowest.
    let equal = if points.monotonic && search.uses(|techniques| techniques.settled) {
        let takes = !(beaten_left | beaten_right | ruffed);
        with_higher(hand, others) & takes | lower & !takes
    } else {
        lower
    };
    let scores = LeadScore {
        ordering,
        trumps: CUT,
        beaten_left,
        beaten_right,
        ruffed,
        partner_high: below_highest(partner_best),
        partner_ruffs: ruffs::<CUT>(partner),
        killer,
    };
    Moves { scores, left: hand & !equal }
}

/// What a reply's score depends on, as sets of cards.
pub(super) struct ReplyScore<'a> {
    rows: &'a [[i16; 8]; 28],
    role: usize,
    /// The row of the kind of suit that can win.
    kind: usize,
    suited: u32,
    beating: u32,
    threatened: u32,
    helped: u32,
}

impl Score for ReplyScore<'_> {
    #[inline(always)]
    fn score(&self, index: u32) -> i32 {
        self.rows[self.row(index)][index as usize & 7].into()
    }

    fn situation(&self, index: u32) -> usize {
        48 + 28 * self.role + self.row(index)
    }
}

impl ReplyScore<'_> {
    #[inline(always)]
    fn row(&self, index: u32) -> usize {
        let flag = |cards: u32| (cards >> index & 1) as usize;
        let kind = if flag(self.suited) != 0 { self.kind } else { 0 };
        (kind + 4 * flag(self.beating) + 2 * flag(self.threatened) + flag(self.helped)) % 28
    }
}

/// The replies worth trying; `others` are the cards of the other hands and on the table.
#[inline(always)]
pub(super) fn reply_moves<
    'a,
    F: Form,
    const CUT: u32,
    const DUTY: u32,
    const ALL: bool,
    const PLACE: usize,
>(
    search: &Search<'a, F, CUT, DUTY, ALL>,
    trick: &Trick,
    legal: u32,
    others: u32,
) -> Moves<ReplyScore<'a>> {
    let (points, ordering) = (search.points, search.ordering);
    let Trick { hands, led, best, best_place, .. } = *trick;
    let ours = (best_place ^ PLACE) & 1 == 0;
    let beating = legal & (led | CUT) & !(best | (best - 1));
    let misses = legal & !beating;
    // What the next player, an opponent, and the second player's partner can win with.
    let threat = if PLACE < 3 { contenders::<CUT>(hands[(PLACE + 1) & 3], led) } else { 0 };
    let help = if PLACE == 1 { contenders::<CUT>(hands[3], led) } else { 0 };
    // Cards that take the trick whatever comes.
    let takes = if PLACE == 3 { beating } else { beating & above_highest(threat) };
    let lower = with_lower(legal, others);
    let mut equal = lower & points.worthless;
    if points.monotonic && search.uses(|techniques| techniques.settled) {
        // When it is settled who takes the trick, of neighbours the one with the most points is enough, or
        // the one with the least.
        let wins = takes | if ours & (threat < best) { misses } else { 0 };
        let loses = if !ours & (PLACE > 1 || help < best) { misses } else { 0 };
        equal = equal & !wins | with_higher(legal, others) & wins | lower & loses;
    }
    let (suited, kind) = match (legal & led != 0, led == CUT) {
        (true, false) => (led, 4),
        (true, true) => (led, 20),
        (false, _) => (CUT, 12),
    };
    let helped = match PLACE {
        1 if help > best => misses | beating & !above_highest(help),
        1 => 0,
        _ => !below_highest(others),
    };
    let role = if PLACE == 1 { 0 } else { 2 * PLACE - 3 + usize::from(ours) };
    let rows = ordering.reply.as_chunks::<28>().0;
    let threatened = beating & !takes | if threat > best { misses } else { 0 };
    let scores = ReplyScore { rows: &rows[role % 5], role, kind, suited, beating, threatened, helped };
    Moves { scores, left: legal & !equal }
}
