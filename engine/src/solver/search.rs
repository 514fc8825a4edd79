//! The search: negamax over the points to come.

use super::order::{Ordering, lead_order, reply_order};
use super::shape::{Shape, planes};
use super::table::{Entry, Table};
use super::tables::Points;
use super::tried::Tried;
use crate::play::{legal_ranked, suit_mask};
use crate::{PlayState, RuleSet, Team};

/// A search in one deal and strain.
///
/// `CUT` and `DUTY` are those of the strain's layout, as constants.
pub(super) struct Search<'a, const CUT: u32, const DUTY: u32> {
    table: &'a mut Table,
    pub(super) points: &'a Points,
    ordering: &'a Ordering,
    /// Owner planes of the whole deal: bit set in the first for seats 1 and 3, in the second for 2 and 3.
    dealt: [u32; 2],
    pub(super) free_undertrump: bool,
    pub(super) overtrump_partner: bool,
    last_trick: i32,
    /// What each team gets for taking all tricks, beside the points.
    prizes: [i32; 2],
    /// The lead that last caused a cutoff, by number of cards.
    killers: [u32; 9],
    pub(super) nodes: u64,
}

/// The start of a trick.
#[derive(Clone, Copy)]
pub(super) struct Start<'a> {
    pub(super) hands: &'a [u32; 4],
    pub(super) leader: usize,
    /// All that is to come.
    pub(super) rest: i32,
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
        if cards == 2 && alive == 0 {
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
