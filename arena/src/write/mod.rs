//! The forms in which played deals are written.
//!
//! Lines are written by hand into a buffer that is used again: that is ten times as fast as making a
//! [`Record`](coinche_engine::Record) of strings first, and a test holds the two equal.

mod jsonl;
mod summary;

pub use jsonl::JsonLines;
pub use summary::SummaryTable;

use coinche_engine::{Card, CardSet, Seat};

/// Appends an unsigned number.
#[inline]
fn push_number(out: &mut Vec<u8>, mut number: u64) {
    if number < 10 {
        out.push(b'0' + number.to_le_bytes()[0]);
        return;
    }
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    while number > 0 {
        at -= 1;
        digits[at] = b'0' + (number % 10).to_le_bytes()[0];
        number /= 10;
    }
    out.extend_from_slice(&digits[at..]);
}

/// Appends a signed number.
#[inline]
fn push_signed(out: &mut Vec<u8>, number: i32) {
    if number < 0 {
        out.push(b'-');
    }
    push_number(out, number.unsigned_abs().into());
}

#[inline]
fn push_str(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
}

#[inline]
fn push_seat(out: &mut Vec<u8>, seat: Seat) {
    out.push(b'0' + seat as u8);
}

/// The notation of all cards, by index.
fn card_codes() -> [[u8; 2]; 32] {
    let mut codes = [[0; 2]; 32];
    for card in Card::all() {
        let text = card.to_string();
        codes[card.index()].copy_from_slice(text.as_bytes());
    }
    codes
}

/// Appends cards separated by spaces, by suit then rank.
fn push_cards(out: &mut Vec<u8>, codes: &[[u8; 2]; 32], cards: CardSet) {
    for (n, card) in cards.natural().enumerate() {
        if n > 0 {
            out.push(b' ');
        }
        out.extend_from_slice(&codes[card.index()]);
    }
}
