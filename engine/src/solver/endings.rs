//! The last two tricks, without recursion, table or order.

use super::search::{Search, Start};
use crate::play::{legal_ranked, suit_mask};

/// Takes the highest bit out of a word that is not 0.
#[inline]
const fn take_highest(word: &mut u32) -> u32 {
    let bit = 1 << word.ilog2();
    *word ^= bit;
    bit
}

/// The card that is winning a trick, and its place from the leader.
#[derive(Clone, Copy)]
struct Winning {
    card: u32,
    place: usize,
}

impl Winning {
    #[inline]
    const fn with(self, card: u32, wins: u32, place: usize) -> Self {
        if card & wins > self.card { Self { card, place } } else { self }
    }
}

impl<const CUT: u32, const DUTY: u32> Search<'_, CUT, DUTY> {
    /// The value of the last two tricks for the leader's side.
    ///
    /// Four nested loops, the leader's side taking the largest, the other the least; the last trick is then
    /// the larger of the cards that are left.
    pub(super) fn two_tricks(&self, start: Start<'_>, alpha: i32, beta: i32) -> i32 {
        let hands = [0, 1, 2, 3].map(|place: usize| start.hands[(start.leader + place) & 3]);
        let mut best = -1;
        let mut leads = hands[0];
        while leads != 0 && best < beta {
            let card = take_highest(&mut leads);
            best = best.max(self.second(hands, card, start.rest, alpha.max(best), beta));
        }
        best
    }

    /// The second player's side takes the least.
    #[inline]
    fn second(&self, hands: [u32; 4], first: u32, rest: i32, alpha: i32, beta: i32) -> i32 {
        let led = suit_mask(first);
        let opening = Winning { card: first, place: 0 };
        let mut least = i32::MAX;
        let mut seconds = self.legal(hands[1], led, opening, 1);
        while seconds != 0 && least > alpha {
            let second = take_highest(&mut seconds);
            let winning = opening.with(second, led | CUT, 1);
            let beta = beta.min(least);
            let mut most = -1;
            let mut thirds = self.legal(hands[2], led, winning, 2);
            while thirds != 0 && most < beta {
                let third = take_highest(&mut thirds);
                let winning = winning.with(third, led | CUT, 2);
                let cards = [first, second, third];
                most = most.max(self.fourth(hands, cards, winning, rest, alpha.max(most)));
            }
            least = least.min(most);
        }
        least
    }

    /// The fourth player's side takes the least.
    #[inline]
    fn fourth(&self, hands: [u32; 4], cards: [u32; 3], winning: Winning, rest: i32, alpha: i32) -> i32 {
        let led = suit_mask(cards[0]);
        let [first, second, third] = cards;
        let three = self.points.card(first) + self.points.card(second) + self.points.card(third);
        let mut least = i32::MAX;
        let mut fourths = self.legal(hands[3], led, winning, 3);
        while fourths != 0 && least > alpha {
            let fourth = take_highest(&mut fourths);
            let winner = winning.with(fourth, led | CUT, 3).place;
            let points = three + self.points.card(fourth);
            let left = [hands[0] ^ first, hands[1] ^ second, hands[2] ^ third, hands[3] ^ fourth];
            let wins = suit_mask(left[winner]) | CUT;
            let ours = (left[0] & wins).max(left[2] & wins);
            let theirs = (left[1] & wins).max(left[3] & wins);
            let end = if ours > theirs { rest - points } else { 0 };
            least = least.min(end + if winner & 1 == 0 { points } else { 0 });
        }
        least
    }

    #[inline]
    fn legal(&self, hand: u32, led: u32, winning: Winning, place: usize) -> u32 {
        legal_ranked(
            hand,
            led,
            winning.card,
            winning.place + 2 == place,
            CUT,
            DUTY,
            self.free_undertrump,
            self.overtrump_partner,
        )
    }
}
