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

/// The notation of the cards.
#[derive(Debug, Clone)]
struct CardCodes {
    /// By index.
    codes: [[u8; 2]; 32],
    /// The cards in the order of print, as sets of one and codes.
    natural: [(u32, [u8; 2]); 32],
}

impl CardCodes {
    fn new() -> Self {
        let mut codes = [[0; 2]; 32];
        for card in Card::all() {
            codes[card.index()].copy_from_slice(card.to_string().as_bytes());
        }
        let mut natural = [(0, [0; 2]); 32];
        for (slot, card) in natural.iter_mut().zip(CardSet::FULL.natural()) {
            *slot = (CardSet::only(card).bits(), codes[card.index()]);
        }
        Self { codes, natural }
    }

    #[inline]
    fn push(&self, out: &mut Vec<u8>, card: Card) {
        out.extend_from_slice(&self.codes[card.index()]);
    }

    /// Appends cards separated by spaces, by suit then rank.
    fn push_set(&self, out: &mut Vec<u8>, cards: CardSet) {
        let bits = cards.bits();
        // At most 32 cards of three letters, put together without a branch.
        let mut text = [b' '; 99];
        let mut at = 0;
        for (card, code) in self.natural {
            text[at..at + 2].copy_from_slice(&code);
            text[at + 2] = b' ';
            at += if bits & card != 0 { 3 } else { 0 };
        }
        out.extend_from_slice(&text[..at.saturating_sub(1)]);
    }
}
