//! The search: negamax over the points to come.

use super::order::{Ordering, lead_order, reply_order};
use super::table::{Entry, Table};
use super::tables::Points;
use crate::bits::gather_bits;
use crate::play::{legal_ranked, suit_mask};
use crate::{PlayState, RuleSet, Team};

/// A search in one deal and strain.
///
/// `CUT` and `DUTY` are those of the strain's layout, as constants.
pub(super) struct Search<'a, const CUT: u32, const DUTY: u32> {
    table: &'a mut Table,
    points: &'a Points,
    ordering: &'a Ordering,
    /// Owner planes of the whole deal: bit set in the first for seats 1 and 3, in the second for 2 and 3.
    dealt: [u32; 2],
    free_undertrump: bool,
    overtrump_partner: bool,
    last_trick: i32,
    /// What each team gets for taking all tricks, beside the points.
    prizes: [i32; 2],
    /// The lead that last caused a cutoff, by number of cards.
    killers: [u32; 9],
    pub(super) nodes: u64,
}

/// The start of a trick.
#[derive(Clone, Copy)]
struct Start<'a> {
    hands: &'a [u32; 4],
    leader: usize,
    /// All that is to come.
    rest: i32,
    /// The teams that may still win their prize, a bit each.
    alive: u8,
}

/// A trick under way.
#[derive(Clone, Copy)]
pub(super) struct Trick {
    pub(super) led: u32,
    pub(super) best: u32,
    pub(super) best_seat: usize,
    /// Points of the cards on the table.
    points: i32,
    /// Points to come, with those on the table.
    rest: i32,
    /// Cards on the table.
    pub(super) cards: u32,
    pub(super) place: usize,
    /// The teams that may still win their prize, a bit each.
    alive: u8,
}

impl<'a, const CUT: u32, const DUTY: u32> Search<'a, CUT, DUTY> {
    pub(super) fn new(
        table: &'a mut Table,
        points: &'a Points,
        ordering: &'a Ordering,
        rules: &RuleSet,
        state: &PlayState,
        dealt: [u32; 4],
        prizes: [i32; 2],
    ) -> Self {
        debug_assert_eq!((CUT, DUTY), (state.layout().cut, state.layout().duty));
        Self {
            table,
            points,
            ordering,
            dealt: planes(&dealt),
            free_undertrump: state.free_undertrump,
            overtrump_partner: state.overtrump_partner,
            last_trick: rules.scoring.last_trick_in(state.strain()).into(),
            prizes,
            killers: [0; 9],
            nodes: 0,
        }
    }

    /// The value of a position for the side to play, exact inside the window, a bound outside.
    pub(super) fn position(&mut self, state: &PlayState, alpha: i32, beta: i32) -> i32 {
        if state.is_over() {
            return 0;
        }
        let (trick, seat) = self.trick_of(state);
        match trick {
            None => {
                let start = Start {
                    hands: &state.hands,
                    leader: seat,
                    rest: self.rest(state, 0),
                    alive: self.alive(state),
                };
                self.trick_start(start, alpha, beta)
            }
            Some(trick) => self.reply(&state.hands, seat, trick, alpha, beta),
        }
    }

    /// The exact value of playing a card, with a guess from which to start.
    pub(super) fn card_value(&mut self, state: &PlayState, bit: u32, guess: Option<i32>) -> i32 {
        let (trick, seat) = self.trick_of(state);
        let rest = self.rest(state, trick.map_or(0, |trick| trick.cards));
        let start = Start { hands: &state.hands, leader: seat, rest, alive: self.alive(state) };
        let mut window = guess.map_or((-1, rest + 1), |guess| (guess - 9, guess + 9));
        loop {
            let (alpha, beta) = window;
            let value = match trick {
                None => self.lead(start, bit, alpha, beta),
                Some(trick) => self.play(&state.hands, seat, trick, bit, alpha, beta),
            };
            if value <= alpha {
                window = (-1, value + 1);
            } else if value >= beta {
                window = (value - 1, rest + 1);
            } else {
                return value;
            }
        }
    }

    fn trick_of(&self, state: &PlayState) -> (Option<Trick>, usize) {
        let seat = state.to_play() as usize;
        if state.cards_in_trick() == 0 {
            return (None, seat);
        }
        let table = &state.trick[..state.cards_in_trick()];
        let cards = table.iter().fold(0, |cards, card| cards | card);
        let trick = Trick {
            led: state.led,
            best: state.best,
            best_seat: usize::from(state.best_seat),
            points: self.points.of(cards),
            rest: self.rest(state, cards),
            cards,
            place: state.cards_in_trick(),
            alive: self.alive(state),
        };
        (Some(trick), seat)
    }

    /// All that is to come: the points of the cards, the last trick, and the prizes still possible.
    fn rest(&self, state: &PlayState, table: u32) -> i32 {
        let cards = state.hands.iter().fold(table, |all, hand| all | hand);
        let alive = self.alive(state);
        let prizes: i32 = (0..2).filter(|team| alive >> team & 1 != 0).map(|team| self.prizes[team]).sum();
        self.points.of(cards) + self.last_trick + prizes
    }

    /// The teams that have a prize and have lost no trick so far.
    fn alive(&self, state: &PlayState) -> u8 {
        Team::ALL
            .into_iter()
            .filter(|team| self.prizes[team.index()] != 0 && state.tricks_won(team.other()) == 0)
            .fold(0, |alive, team| alive | 1 << team.index())
    }

    /// The value of the start of a trick for the leader's side.
    fn trick_start(&mut self, start: Start<'_>, mut alpha: i32, mut beta: i32) -> i32 {
        let Start { hands, leader, rest, alive } = start;
        let cards = hands[leader].count_ones() as usize;
        if cards == 1 {
            return Self::last_trick_value(hands, leader, rest);
        }
        if rest <= alpha {
            return rest;
        }
        if beta <= 0 {
            return 0;
        }
        if cards == 2 {
            return self.two_tricks(start, alpha, beta);
        }
        self.nodes += 1;
        let shape = Shape::new(hands, leader, alive);
        let known = self.probe(&shape, rest);
        let (low, high) = known;
        if low >= beta || low == high {
            return low;
        }
        if high <= alpha {
            return high;
        }
        alpha = alpha.max(low - 1);
        beta = beta.min(high + 1);
        let moves = lead_order::<CUT>(self.points, self.ordering, hands, leader, self.killers[cards]);
        let mut best = -1;
        let mut best_card = 0;
        let floor = alpha;
        let mut low = alpha;
        let mut tried = Tried::new(hands, leader, 0);
        for bit in moves {
            if let Some(bound) = tried.bound(self.points, bit)
                && bound <= low
            {
                best = best.max(bound);
                continue;
            }
            let value = if best < 0 || beta - low <= 1 {
                self.lead(start, bit, low, beta)
            } else {
                let value = self.lead(start, bit, low, low + 1);
                if value > low && value < beta { self.lead(start, bit, value - 1, beta) } else { value }
            };
            tried.push(bit, value);
            if value > best {
                best = value;
                best_card = bit;
                low = low.max(value);
                if value >= beta {
                    break;
                }
            }
        }
        if best >= beta {
            self.killers[cards] = best_card;
        }
        let bounds = if best >= beta {
            (best, known.1)
        } else if best <= floor {
            (known.0, best)
        } else {
            (best, best)
        };
        self.store(&shape, bounds);
        best
    }

    /// The value of the last two tricks for the leader's side: without table and order, the higher card
    /// first.
    fn two_tricks(&mut self, start: Start<'_>, alpha: i32, beta: i32) -> i32 {
        let hand = start.hands[start.leader];
        let high = 1 << hand.ilog2();
        let best = self.lead(start, high, alpha, beta);
        if best >= beta {
            return best;
        }
        best.max(self.lead(start, hand ^ high, alpha.max(best), beta))
    }

    /// The value of leading a card.
    fn lead(&mut self, start: Start<'_>, bit: u32, alpha: i32, beta: i32) -> i32 {
        let Start { leader, rest, alive, .. } = start;
        let mut hands = *start.hands;
        hands[leader] ^= bit;
        let trick = Trick {
            led: suit_mask(bit),
            best: bit,
            best_seat: leader,
            points: self.points.card(bit),
            rest,
            cards: bit,
            place: 1,
            alive,
        };
        rest - self.reply(&hands, (leader + 1) & 3, trick, rest - beta, rest - alpha)
    }

    /// The value of a position inside a trick for the side to play.
    fn reply(&mut self, hands: &[u32; 4], seat: usize, trick: Trick, alpha: i32, beta: i32) -> i32 {
        let hand = hands[seat];
        let legal = legal_ranked(
            hand,
            trick.led,
            trick.best,
            trick.best_seat == (seat + 2) & 3,
            CUT,
            DUTY,
            self.free_undertrump,
            self.overtrump_partner,
        );
        if legal.is_power_of_two() {
            return self.play(hands, seat, trick, legal, alpha, beta);
        }
        if hand.count_ones() == 2 {
            let high = 1 << legal.ilog2();
            let best = self.play(hands, seat, trick, high, alpha, beta);
            if best >= beta {
                return best;
            }
            return best.max(self.play(hands, seat, trick, legal ^ high, alpha.max(best), beta));
        }
        let moves = reply_order::<CUT>(self.points, self.ordering, hands, seat, legal, &trick);
        let mut best = -1;
        let mut low = alpha;
        let mut tried = Tried::new(hands, seat, trick.cards);
        for bit in moves {
            if let Some(bound) = tried.bound(self.points, bit)
                && bound <= low
            {
                best = best.max(bound);
                continue;
            }
            let value = if best < 0 || beta - low <= 1 {
                self.play(hands, seat, trick, bit, low, beta)
            } else {
                let value = self.play(hands, seat, trick, bit, low, low + 1);
                if value > low && value < beta {
                    self.play(hands, seat, trick, bit, value - 1, beta)
                } else {
                    value
                }
            };
            tried.push(bit, value);
            if value > best {
                best = value;
                low = low.max(value);
                if value >= beta {
                    break;
                }
            }
        }
        best
    }

    /// The value of playing a card to a trick, for the player's side.
    fn play(
        &mut self,
        hands: &[u32; 4],
        seat: usize,
        mut trick: Trick,
        bit: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let mut hands = *hands;
        hands[seat] ^= bit;
        trick.points += self.points.card(bit);
        if bit & (trick.led | CUT) > trick.best {
            trick.best = bit;
            trick.best_seat = seat;
        }
        let rest = trick.rest;
        if trick.place < 3 {
            trick.place += 1;
            trick.cards |= bit;
            return rest - self.reply(&hands, (seat + 1) & 3, trick, rest - beta, rest - alpha);
        }
        let (mut won, winner) = (trick.points, trick.best_seat);
        if hands[winner] == 0 {
            return if winner & 1 == seat & 1 { rest } else { 0 };
        }
        let mut alive = trick.alive;
        if alive != 0 {
            // The side that loses the trick loses its prize to the other: values are differences.
            let lost = 1 - (winner & 1);
            if alive >> lost & 1 != 0 {
                won += self.prizes[lost];
                alive &= !(1 << lost);
            }
        }
        let after = rest - won;
        let start = Start { hands: &hands, leader: winner, rest: after, alive };
        if winner & 1 == seat & 1 {
            won + self.trick_start(start, alpha - won, beta - won)
        } else {
            after - self.trick_start(start, after - beta, after - alpha)
        }
    }

    /// The value of the last trick for its leader's side.
    fn last_trick_value(hands: &[u32; 4], leader: usize, rest: i32) -> i32 {
        let wins = suit_mask(hands[leader]) | CUT;
        let best = hands.iter().map(|hand| hand & wins).max().unwrap_or(0);
        if (hands[leader] | hands[(leader + 2) & 3]) & best != 0 { rest } else { 0 }
    }

    /// The bounds that the table knows for a position.
    #[inline]
    fn probe(&mut self, shape: &Shape, rest: i32) -> (i32, i32) {
        let (mut low, mut high) = (0, rest);
        let generation = self.table.generation();
        let dealt = self.dealt;
        let points = self.points;
        for entry in self.table.bucket(shape.hash) {
            if entry.generation != generation || entry.tag != shape.tag {
                continue;
            }
            if entry.remaining == shape.remaining {
                low = low.max(entry.low.into());
                high = high.min(entry.high_value());
                break;
            }
            if !shape.is_shape_of(entry.remaining, dealt) {
                continue;
            }
            let (down, up) = points.differences(shape.remaining, entry.remaining);
            low = low.max(i32::from(entry.low) - down);
            high = high.min(entry.high_value().saturating_add(up));
        }
        (low, high)
    }

    #[inline]
    fn store(&mut self, shape: &Shape, (low, high): (i32, i32)) {
        let generation = self.table.generation();
        let entry = Entry::new(shape.remaining, low, high, shape.tag, generation);
        let bucket = self.table.bucket(shape.hash);
        let slot = bucket
            .iter()
            .position(|old| {
                old.generation == generation && old.remaining == shape.remaining && old.tag == shape.tag
            })
            .or_else(|| bucket.iter().position(|old| old.generation != generation))
            // Any place will do: one that differs from position to position.
            .unwrap_or(shape.owners[0] as usize & 3);
        bucket[slot] = entry;
    }
}

/// The moves tried at a node, with upper bounds of their values.
///
/// Two cards of one hand with no card of another player between take the same tricks, whichever is played
/// first; the points that differ fall into another trick. So their values differ by at most the difference
/// of their points, and what failed low by more than that need not be tried again with its neighbour.
struct Tried {
    others: u32,
    moves: [(u32, i32); 8],
    len: usize,
}

impl Tried {
    #[inline]
    const fn new(hands: &[u32; 4], seat: usize, table: u32) -> Self {
        let others = (hands[0] | hands[1] | hands[2] | hands[3] | table) & !hands[seat];
        Self { others, moves: [(0, 0); 8], len: 0 }
    }

    #[inline]
    const fn push(&mut self, bit: u32, value: i32) {
        self.moves[self.len & 7] = (bit, value);
        self.len += 1;
    }

    /// An upper bound of the value of a move, from its neighbours that were tried.
    #[inline]
    fn bound(&self, points: &Points, bit: u32) -> Option<i32> {
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

/// Owner planes: bit set in the first for seats 1 and 3, in the second for seats 2 and 3.
#[inline]
const fn planes(hands: &[u32; 4]) -> [u32; 2] {
    [hands[1] | hands[3], hands[2] | hands[3]]
}

/// The shape of a position: for each suit the sequence of the owners of the remaining cards.
struct Shape {
    remaining: u32,
    owners: [u32; 2],
    lengths: u32,
    hash: u64,
    tag: u8,
}

impl Shape {
    #[inline]
    fn new(hands: &[u32; 4], leader: usize, alive: u8) -> Self {
        let remaining = hands[0] | hands[1] | hands[2] | hands[3];
        let owners = planes(hands).map(|plane| gather_bits(plane, remaining));
        let lengths = byte_counts(remaining);
        let mixed = (u64::from(owners[0]) | u64::from(owners[1]) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ (u64::from(lengths) << 4 | u64::from(alive) << 2 | leader as u64)
                .wrapping_mul(0xd6e8_feb8_6659_fd93);
        let hash = (mixed ^ mixed >> 32).wrapping_mul(0x94d0_49bb_1331_11eb);
        let tag = (hash & 0xf0) as u8 | alive << 2 | leader.to_le_bytes()[0];
        Self { remaining, owners, lengths, hash, tag }
    }

    /// Tests if other remaining cards of the same deal have this shape.
    #[inline]
    fn is_shape_of(&self, remaining: u32, dealt: [u32; 2]) -> bool {
        byte_counts(remaining) == self.lengths
            && gather_bits(dealt[0], remaining) == self.owners[0]
            && gather_bits(dealt[1], remaining) == self.owners[1]
    }
}

/// The number of set bits of each byte.
#[inline]
const fn byte_counts(word: u32) -> u32 {
    let pairs = word - (word >> 1 & 0x5555_5555);
    let fours = (pairs & 0x3333_3333) + (pairs >> 2 & 0x3333_3333);
    (fours + (fours >> 4)) & 0x0f0f_0f0f
}
