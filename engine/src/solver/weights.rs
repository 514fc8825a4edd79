//! The order of moves, by kind of strain: as `benches/examples/solver_fit.rs` prints it, in `engine/data`.

use super::moves::Ordering;
use crate::Strain;

/// The order of moves of a strain.
pub(super) const fn ordering(strain: Strain) -> &'static Ordering {
    static SUIT: Ordering = read(include_bytes!("../../data/order-suit.txt"));
    static NO_TRUMP: Ordering = read(include_bytes!("../../data/order-no-trump.txt"));
    static ALL_TRUMP: Ordering = read(include_bytes!("../../data/order-all-trump.txt"));
    match strain {
        Strain::NoTrump => &NO_TRUMP,
        Strain::AllTrump => &ALL_TRUMP,
        _ => &SUIT,
    }
}

/// Reads an order, when the crate is compiled: a row of scores for each situation, leads first, then the score of the
/// killer.
const fn read(text: &[u8]) -> Ordering {
    let mut ordering = Ordering { lead: [[0; 8]; 48], reply: [[0; 8]; 140], killer: 0 };
    let (mut row, mut at) = (0, 0);
    while row < 48 + 140 {
        let mut rank = 0;
        while rank < 8 {
            let score = number(text, &mut at);
            if row < 48 {
                ordering.lead[row][rank] = score;
            } else {
                ordering.reply[row - 48][rank] = score;
            }
            rank += 1;
        }
        row += 1;
    }
    ordering.killer = number(text, &mut at);
    ordering
}

/// Reads the next number.
const fn number(text: &[u8], at: &mut usize) -> i16 {
    while text[*at].is_ascii_whitespace() {
        *at += 1;
    }
    let is_negative = text[*at] == b'-';
    *at += is_negative as usize;
    let mut number = 0;
    while text[*at].is_ascii_digit() {
        number = 10 * number + (text[*at] - b'0') as i16;
        *at += 1;
    }
    if is_negative { -number } else { number }
}
