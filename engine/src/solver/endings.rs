//! The last two tricks, all lines of play at once.
//!
//! Arrays are filled by loops and literals: a call of `map` is compiled on its own when the crate is divided into
//! several codegen units, and the loop over the lines is then not vectorised.
#![expect(clippy::inline_always, reason = "the loop over the lines is vectorised only around inlined code")]

use super::search::{Hands, Search};
use crate::bits::{Form, Work, byte_of};
use crate::play::legal_ranked;

/// Two choices of each of four players.
const LINES: usize = 16;

/// What a player makes of its two choices, half the lines apart: the larger or the smaller value.
macro_rules! choose {
    ($values:ident, $limits:expr, $apart:literal, $better:ident, $worse:ident) => {{
        let mut limited = [0i16; LINES];
        for line in 0..LINES {
            limited[line] = $values[line].$worse($limits[line]);
        }
        let mut chosen = [0i16; LINES];
        for line in 0..LINES {
            chosen[line] = limited[line].$better(limited[line ^ $apart]);
        }
        chosen
    }};
}

impl<F: Form, const CUT: u32, const DUTY: u32, const ALL: bool> Search<'_, F, CUT, DUTY, ALL> {
    /// The value of the last two tricks for the leader's side.
    ///
    /// Each player has two cards for the first trick, which leaves the other for the last: sixteen lines
    /// in all, numbered by the choices of the four players as bits. All are played side by side without
    /// a branch; then the fourth player chooses among pairs of lines, the third among what is left, and so on.
    #[inline(always)]
    pub(super) fn two_tricks(&self, hands: Hands, rest: i32) -> i32 {
        self.form.run(self, hands, rest, ())
    }

    /// The same, compiled into the function that runs it.
    #[inline(always)]
    fn two_tricks_here(&self, hands: Hands, rest: i32) -> i32 {
        let [a, b, c, d] = hands;
        let low = [a & a.wrapping_neg(), b & b.wrapping_neg(), c & c.wrapping_neg(), d & d.wrapping_neg()];
        let high = [a ^ low[0], b ^ low[1], c ^ low[2], d ^ low[3]];
        let points = |bit: u32| i16::from(self.points.of_card(bit));
        let low_points = [points(low[0]), points(low[1]), points(low[2]), points(low[3])];
        let high_points = [points(high[0]), points(high[1]), points(high[2]), points(high[3])];
        let mut values = [0i16; LINES];
        let mut limits = [[0i16; LINES]; 4];
        // No prize is left to win here: card points and the last trick.
        let rest = i16::try_from(rest).unwrap_or(i16::MAX);
        for line in 0..LINES {
            let (mut played, mut left, mut points) = (high, low, 0);
            for place in 0..4 {
                let plays_low = line >> place & 1 == 0;
                if plays_low {
                    (played[place], left[place]) = (low[place], high[place]);
                }
                points += if plays_low { low_points[place] } else { high_points[place] };
            }
            let led = byte_of(played[0]);
            let wins = led | CUT;
            let mut best = played[0];
            let mut last = left[0];
            let mut winner = 0u32;
            macro_rules! reply {
                ($place:literal) => {
                    let legal_cards = legal_ranked(
                        hands[$place],
                        led,
                        best,
                        winner + u32::from(self.released_at) == $place,
                        CUT,
                        DUTY,
                        self.free_undertrump,
                        self.overtrump_partner,
                    );
                    let (legal, illegal) = if $place == 2 { (i16::MAX, -1) } else { (-1, i16::MAX) };
                    limits[$place][line] = if legal_cards & played[$place] == 0 { illegal } else { legal };
                    let better = played[$place] & wins > best;
                    best = if better { played[$place] } else { best };
                    last = if better { left[$place] } else { last };
                    winner = if better { $place } else { winner };
                };
            }
            reply!(1);
            reply!(2);
            reply!(3);
            let _ = best;
            let wins = byte_of(last) | CUT;
            let ours = (left[0] & wins).max(left[2] & wins);
            let theirs = (left[1] & wins).max(left[3] & wins);
            let end = if ours > theirs { rest - points } else { 0 };
            values[line] = end + if winner & 1 == 0 { points } else { 0 };
        }
        let values = choose!(values, limits[3], 8, min, max);
        let values = choose!(values, limits[2], 4, max, min);
        let values = choose!(values, limits[1], 2, min, max);
        values[0].max(values[1]).into()
    }
}

impl<F: Form, const CUT: u32, const DUTY: u32, const ALL: bool> Work for &Search<'_, F, CUT, DUTY, ALL> {
    type A = Hands;
    type B = i32;
    type C = ();
    type Output = i32;

    #[inline(always)]
    fn run(self, _: impl Form, hands: Hands, rest: i32, (): ()) -> i32 {
        self.two_tricks_here(hands, rest)
    }
}
