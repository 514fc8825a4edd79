//! The search: negamax over the points to come.
#![expect(clippy::inline_always, reason = "a trick is one function, with its state in registers")]
#![expect(clippy::needless_bitwise_bool, reason = "no branches: they would be mispredicted")]

use super::moves::{Moves, Ordering, Score, below_highest, lead_moves, reply_moves};
use super::shape::{Shape, planes};
use super::table::Table;
use super::tables::Points;
use super::techniques::Techniques;
use super::watch::Watch;
use crate::bits::{Form, Work};
use crate::play::{legal_ranked, suit_mask, without_undertrumps};
use crate::{PlayState, RuleSet, Team};

/// Hands by place from the leader of a trick, ranked.
pub(super) type Hands = [u32; 4];

/// A search in one deal and strain.
///
/// `CUT` and `DUTY` are those of the strain's layout, as constants. With `ALL` no technique is asked for.
pub(super) struct Search<'a, F, const CUT: u32, const DUTY: u32, const ALL: bool> {
    pub(super) form: F,
    pub(super) table: &'a mut Table,
    pub(super) points: &'a Points,
    pub(super) ordering: &'a Ordering,
    pub(super) techniques: Techniques,
    /// Owner planes of the whole deal: bit set in the first for seats 1 and 3, in the second for 2 and 3.
    dealt: [u32; 2],
    pub(super) free_undertrump: bool,
    /// The trumps where a lower one may not be played, otherwise none.
    no_undertrump: u32,
    pub(super) overtrump_partner: bool,
    pub(super) released_at: u8,
    /// The rules of play are not those of most presets.
    has_house_rules: bool,
    last_trick: i32,
    /// What each team gets for taking all tricks, beside the points.
    prizes: [i32; 2],
    /// The lead that last caused a cutoff, by number of cards.
    pub(super) killers: [u32; 9],
    pub(super) nodes: u64,
    /// Who looks at a sample of nodes; nobody with `ALL`.
    pub(super) watch: Option<Watch<'a>>,
}

/// What is known at the start of a trick, beside the hands.
#[derive(Clone, Copy)]
pub(super) struct Start {
    /// The seat that leads.
    leader: usize,
    /// All that is to come.
    rest: i32,
    /// The teams that may still win their prize, a bit each.
    alive: u8,
}

/// A trick under way.
#[derive(Clone, Copy)]
pub(super) struct Trick {
    pub(super) hands: Hands,
    pub(super) led: u32,
    /// The card that is winning, and its place from the leader.
    pub(super) best: u32,
    pub(super) best_place: usize,
    /// The cards on the table, and their points.
    cards: u32,
    points: i32,
    start: Start,
}

impl<'a, F: Form, const CUT: u32, const DUTY: u32, const ALL: bool> Search<'a, F, CUT, DUTY, ALL> {
    pub(super) fn new(
        form: F,
        (table, points, ordering): (&'a mut Table, &'a Points, &'a Ordering),
        techniques: Techniques,
        rules: &RuleSet,
        state: &PlayState,
        dealt: [u32; 4],
        prizes: [i32; 2],
    ) -> Self {
        debug_assert_eq!((CUT, DUTY), (state.layout().cut, state.layout().duty));
        Self {
            form,
            table,
            points,
            ordering,
            techniques,
            dealt: planes(&dealt),
            free_undertrump: state.free_undertrump,
            no_undertrump: if state.no_undertrump { CUT } else { 0 },
            overtrump_partner: state.overtrump_partner,
            released_at: state.released_at,
            has_house_rules: state.duties() != (false, false, false, 2),
            last_trick: rules.scoring.last_trick_in(state.strain()).into(),
            prizes,
            killers: [0; 9],
            nodes: 0,
            watch: None,
        }
    }

    /// The value of a position for the side to play, exact inside the window, a bound outside.
    pub(super) fn position(&mut self, state: &PlayState, alpha: i32, beta: i32) -> i32 {
        if state.is_over() {
            return 0;
        }
        let trick = self.trick_of(state);
        let rest = trick.start.rest;
        match state.cards_in_trick() {
            0 => self.trick_start(trick.hands, trick.start, alpha, beta),
            1 => rest - self.open_reply::<1>(&trick, rest - beta, rest - alpha),
            2 => self.open_reply::<2>(&trick, alpha, beta),
            _ => rest - self.open_reply::<3>(&trick, rest - beta, rest - alpha),
        }
    }

    /// The value of playing a card, for the side to play, with a guess from which to start: exact strictly
    /// between the bounds, some number on the same side of them elsewhere.
    pub(super) fn card_value(
        &mut self,
        state: &PlayState,
        bit: u32,
        guess: Option<i32>,
        (low, high): (i32, i32),
    ) -> i32 {
        let trick = self.trick_of(state);
        let rest = trick.start.rest;
        let ours = state.cards_in_trick() & 1 == 0;
        let sided = |value: i32| if ours { value } else { rest - value };
        let (low, high) = if ours { (low, high) } else { (rest - high, rest - low) };
        let (low, high) = (low.max(-1), high.min(rest + 1));
        if low >= high {
            // Nothing that can be lies inside.
            return sided(low.min(rest + 1));
        }
        let mut window = (low, high);
        if let Some(guess) = guess.map(sided) {
            let alpha = (guess - 9).clamp(low, high - 1);
            window = (alpha, (guess + 9).clamp(alpha + 1, high));
        }
        loop {
            let (alpha, beta) = window;
            let value = self.try_card(state, &trick, bit, alpha, beta);
            if low < value && value <= alpha {
                window = (low, value + 1);
            } else if beta <= value && value < high {
                window = (value - 1, high);
            } else {
                return sided(value);
            }
        }
    }

    /// Tests if playing a card is worth at least `value` to the side to play.
    pub(super) fn card_reaches(&mut self, state: &PlayState, bit: u32, value: i32) -> bool {
        let trick = self.trick_of(state);
        if state.cards_in_trick() & 1 == 0 {
            self.try_card(state, &trick, bit, value - 1, value) >= value
        } else {
            let theirs = trick.start.rest - value;
            self.try_card(state, &trick, bit, theirs, theirs + 1) <= theirs
        }
    }

    /// The value of playing a card for the side of the trick's leader, exact inside the window.
    fn try_card(&mut self, state: &PlayState, trick: &Trick, bit: u32, alpha: i32, beta: i32) -> i32 {
        match state.cards_in_trick() {
            0 => self.lead::<true>(trick.hands, trick.start, bit, alpha, beta),
            1 => self.play::<1, true>(trick, bit, alpha, beta),
            2 => self.play::<2, true>(trick, bit, alpha, beta),
            _ => self.play::<3, true>(trick, bit, alpha, beta),
        }
    }

    /// The trick under way; between tricks one without cards.
    fn trick_of(&self, state: &PlayState) -> Trick {
        let leader = state.leader() as usize;
        let hand = |place: usize| state.hands[(leader + place) & 3];
        let table = &state.trick[..state.cards_in_trick()];
        let cards = table.iter().fold(0, |cards, card| cards | card);
        Trick {
            hands: [hand(0), hand(1), hand(2), hand(3)],
            led: state.led,
            best: state.best,
            best_place: (usize::from(state.best_seat) + 4 - leader) & 3,
            cards,
            points: self.points.of(cards),
            start: Start { leader, rest: self.rest(state, cards), alive: self.alive(state) },
        }
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

    /// Tests if a technique is in use.
    #[inline(always)]
    pub(super) fn uses(&self, technique: impl FnOnce(&Techniques) -> bool) -> bool {
        ALL || technique(&self.techniques)
    }

    /// Takes the next move out.
    #[inline(always)]
    fn next<S: Score>(&self, moves: &mut Moves<S>) -> u32 {
        if self.uses(|techniques| techniques.ordering) { moves.next() } else { moves.lowest() }
    }

    /// Leaves out the neighbours of a card that failed by a margin, see [`Moves::skip_neighbours`].
    #[inline(always)]
    fn skip<S: Score>(&self, moves: &mut Moves<S>, bit: u32, others: u32, margin: i32) -> Option<i32> {
        if !self.uses(|techniques| techniques.neighbours) {
            return None;
        }
        moves.skip_neighbours(self.points, bit, others, margin)
    }

    /// The value of the start of a trick for the leader's side.
    #[inline(always)]
    fn trick_start(&mut self, hands: Hands, start: Start, alpha: i32, beta: i32) -> i32 {
        self.form.run(self, hands, start, (alpha, beta))
    }

    /// The same, compiled into the function that runs it.
    #[inline(always)]
    fn trick_start_here(&mut self, hands: Hands, start: Start, mut alpha: i32, mut beta: i32) -> i32 {
        let Start { leader, rest, alive } = start;
        if rest <= alpha {
            return rest;
        }
        if beta <= 0 {
            return 0;
        }
        let cards = hands[0].count_ones() as usize;
        match cards {
            0 => return rest,
            1 => return Self::last_trick_value(hands, rest),
            2 if alive == 0 && self.uses(|techniques| techniques.endings) => {
                return self.two_tricks(hands, rest);
            }
            _ => {}
        }
        let others = hands[1] | hands[2] | hands[3];
        if CUT == 0 && alive == 0 && self.uses(|techniques| techniques.sure_tricks) {
            // Without a trump suit nothing beats the highest card of a suit.
            let sure = hands[0] & !below_highest(others);
            let points = if sure == hands[0] { rest } else { self.points.of(sure) };
            if points >= beta || points == rest {
                return points;
            }
        }
        self.nodes += 1;
        let shape = Shape::new(self.form, hands, self.dealt, leader, alive);
        let known = if self.uses(|techniques| techniques.table) {
            let shapes = self.uses(|techniques| techniques.shapes);
            self.table.bounds(&shape, self.points, self.dealt, rest, shapes)
        } else {
            (0, rest)
        };
        let (low, high) = known;
        if low >= beta || low == high {
            return low;
        }
        if high <= alpha {
            return high;
        }
        alpha = alpha.max(low - 1);
        beta = beta.min(high + 1);
        let killer = if self.uses(|techniques| techniques.killer) { self.killers[cards & 7] } else { 0 };
        let mut moves = lead_moves(self, hands, killer);
        if !ALL && beta - alpha == 1 {
            self.try_each(&moves, killer, |search, bit| {
                search.lead::<false>(hands, start, bit, alpha, beta) >= beta
            });
        }
        let mut best = -1;
        let mut low = alpha;
        loop {
            let bit = self.next(&mut moves);
            let scout = best >= 0 && self.uses(|techniques| techniques.scout) || beta - low == 1;
            let mut value = if scout {
                self.lead::<false>(hands, start, bit, low, low + 1)
            } else {
                self.lead::<true>(hands, start, bit, low, beta)
            };
            if scout && value > low && value < beta {
                value = self.lead::<true>(hands, start, bit, value - 1, beta);
            }
            best = best.max(value);
            low = low.max(value);
            if value >= beta {
                self.killers[cards & 7] = bit;
                break;
            }
            if let Some(difference) = self.skip(&mut moves, bit, others, low - value) {
                best = best.max(value + difference);
            }
            if moves.is_empty() {
                break;
            }
        }
        if self.uses(|techniques| techniques.table) {
            let bounds = if best >= beta {
                (best, known.1)
            } else if best <= alpha {
                (known.0, best)
            } else {
                (best, best)
            };
            self.table.store(&shape, bounds);
        }
        best
    }

    /// The value of leading a card. With `OPEN` the window may be wider than one.
    #[inline(always)]
    fn lead<const OPEN: bool>(
        &mut self,
        mut hands: Hands,
        start: Start,
        bit: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        hands[0] ^= bit;
        let trick = Trick {
            hands,
            led: suit_mask(bit),
            best: bit,
            best_place: 0,
            cards: bit,
            points: self.points.card(bit),
            start,
        };
        if OPEN {
            self.open_reply::<1>(&trick, alpha, beta)
        } else {
            self.reply::<1, false>(&trick, alpha, beta)
        }
    }

    /// A reply with an open window: rare, so that it is kept out of the way of the others.
    #[inline(always)]
    fn open_reply<const PLACE: usize>(&mut self, trick: &Trick, alpha: i32, beta: i32) -> i32 {
        self.form.run((self, OpenReply::<PLACE>), trick, (), (alpha, beta))
    }

    /// The value of a position inside a trick, for the side of the trick's *leader*; `PLACE` is to play.
    #[inline(always)]
    fn reply<const PLACE: usize, const OPEN: bool>(
        &mut self,
        trick: &Trick,
        mut alpha: i32,
        mut beta: i32,
    ) -> i32 {
        let legal = self.legal::<PLACE>(trick);
        if legal.is_power_of_two() {
            return self.play::<PLACE, OPEN>(trick, legal, alpha, beta);
        }
        let [a, b, c, d] = trick.hands;
        let others = (a | b | c | d | trick.cards) & !trick.hands[PLACE];
        let mut moves = reply_moves::<F, CUT, DUTY, ALL, PLACE>(self, trick, legal, others);
        // The leader's side takes the largest value, the other the least.
        let largest = PLACE == 2;
        if !ALL && !OPEN {
            self.try_each(&moves, 0, |search, bit| {
                let value = search.play::<PLACE, false>(trick, bit, alpha, beta);
                if largest { value >= beta } else { value <= alpha }
            });
        }
        let mut best = if largest { -1 } else { i32::MAX };
        let mut first = true;
        loop {
            let bit = self.next(&mut moves);
            let scout = OPEN && !first && self.uses(|techniques| techniques.scout);
            first = false;
            let mut value = if !scout {
                self.play::<PLACE, OPEN>(trick, bit, alpha, beta)
            } else if largest {
                self.play::<PLACE, false>(trick, bit, alpha, alpha + 1)
            } else {
                self.play::<PLACE, false>(trick, bit, beta - 1, beta)
            };
            if scout && value > alpha && value < beta {
                let (from, to) = if largest { (value - 1, beta) } else { (alpha, value + 1) };
                value = self.play::<PLACE, OPEN>(trick, bit, from, to);
            }
            let margin;
            if largest {
                best = best.max(value);
                alpha = alpha.max(value);
                margin = alpha - value;
            } else {
                best = best.min(value);
                beta = beta.min(value);
                margin = value - beta;
            }
            if alpha >= beta || moves.is_empty() {
                return best;
            }
            if let Some(difference) = self.skip(&mut moves, bit, others, margin) {
                best = if largest { best.max(value + difference) } else { best.min(value - difference) };
                if moves.is_empty() {
                    return best;
                }
            }
        }
    }

    /// The legal cards of the player at a place.
    #[inline(always)]
    fn legal<const PLACE: usize>(&self, trick: &Trick) -> u32 {
        let Trick { hands, led, best, best_place, .. } = *trick;
        let hand = hands[PLACE];
        if self.has_house_rules {
            let (free, over) = (self.free_undertrump, self.overtrump_partner);
            let is_released = best_place + usize::from(self.released_at) == PLACE;
            let legal = legal_ranked(hand, led, best, is_released, CUT, DUTY, free, over);
            return without_undertrumps(legal, hand, led, best, self.no_undertrump);
        }
        // The same without these rules.
        let partner_wins = best_place + 2 == PLACE;
        let (follow, cut) = (hand & led, hand & CUT);
        let suited = if follow == 0 { cut } else { follow };
        let higher = suited & DUTY & !(best | (best - 1));
        let free = (follow == 0) & (partner_wins | (cut == 0));
        let due = if higher == 0 { suited } else { higher };
        if free { hand } else { due }
    }

    /// The value of playing a card to a trick, for the side of the trick's leader.
    #[inline(always)]
    fn play<const PLACE: usize, const OPEN: bool>(
        &mut self,
        trick: &Trick,
        bit: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let mut trick = *trick;
        trick.hands[PLACE] ^= bit;
        trick.points += self.points.card(bit);
        if bit & (trick.led | CUT) > trick.best {
            trick.best = bit;
            trick.best_place = PLACE;
        }
        trick.cards |= bit;
        match (PLACE, OPEN) {
            (1, true) => self.open_reply::<2>(&trick, alpha, beta),
            (2, true) => self.open_reply::<3>(&trick, alpha, beta),
            (1, false) => self.reply::<2, false>(&trick, alpha, beta),
            (2, false) => self.reply::<3, false>(&trick, alpha, beta),
            _ => self.trick_end(&trick, alpha, beta),
        }
    }

    /// The value of a finished trick and all that comes after it, for the side of the trick's leader.
    #[inline(always)]
    fn trick_end(&mut self, trick: &Trick, alpha: i32, beta: i32) -> i32 {
        let Trick { hands, best_place, start: Start { leader, rest, mut alive }, points: mut won, .. } =
            *trick;
        let winner = (leader + best_place) & 3;
        if alive != 0 {
            // The side that loses the trick loses its prize to the other: values are differences.
            let lost = 1 - (winner & 1);
            if alive >> lost & 1 != 0 {
                won += self.prizes[lost];
                alive &= !(1 << lost);
            }
        }
        let after = rest - won;
        let start = Start { leader: winner, rest: after, alive };
        let hands = turned(hands, best_place);
        let ours = best_place & 1 == 0;
        let (low, high) = if ours { (alpha - won, beta - won) } else { (after - beta, after - alpha) };
        let value = self.trick_start(hands, start, low, high);
        if ours { won + value } else { after - value }
    }

    /// The value of the last trick for its leader's side.
    fn last_trick_value(hands: Hands, rest: i32) -> i32 {
        let wins = suit_mask(hands[0]) | CUT;
        let [first, second, third, fourth] = hands;
        let ours = (first & wins).max(third & wins);
        let theirs = (second & wins).max(fourth & wins);
        if ours > theirs { rest } else { 0 }
    }
}

impl<F: Form, const CUT: u32, const DUTY: u32, const ALL: bool> Work for &mut Search<'_, F, CUT, DUTY, ALL> {
    type A = Hands;
    type B = Start;
    type C = (i32, i32);
    type Output = i32;

    #[inline(always)]
    fn run(self, _: impl Form, hands: Hands, start: Start, (alpha, beta): (i32, i32)) -> i32 {
        self.trick_start_here(hands, start, alpha, beta)
    }
}

/// Marks the work of a reply with an open window.
struct OpenReply<const PLACE: usize>;

impl<'a, F: Form, const CUT: u32, const DUTY: u32, const ALL: bool, const PLACE: usize> Work
    for (&'a mut Search<'_, F, CUT, DUTY, ALL>, OpenReply<PLACE>)
{
    type A = &'a Trick;
    type B = ();
    type C = (i32, i32);
    type Output = i32;

    #[inline(always)]
    fn run(self, _: impl Form, trick: &Trick, (): (), (alpha, beta): (i32, i32)) -> i32 {
        self.0.reply::<PLACE, true>(trick, alpha, beta)
    }
}

/// The hands by place from the player at `place`, without branches, which would be mispredicted.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "two words are taken apart")]
fn turned([a, b, c, d]: Hands, place: usize) -> Hands {
    let all_if = |bit: usize| 0u64.wrapping_sub((place >> bit & 1) as u64);
    let (front, back) = (u64::from(a) | u64::from(b) << 32, u64::from(c) | u64::from(d) << 32);
    let swap = (front ^ back) & all_if(1);
    let (front, back) = (front ^ swap, back ^ swap);
    let (next_front, next_back) = (front >> 32 | back << 32, back >> 32 | front << 32);
    let front = front ^ (front ^ next_front) & all_if(0);
    let back = back ^ (back ^ next_back) & all_if(0);
    [front as u32, (front >> 32) as u32, back as u32, (back >> 32) as u32]
}
