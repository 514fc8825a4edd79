//! The forms in which played deals are written.
//!
//! Lines are written by hand into a buffer that is used again: that is ten times as fast as making a
//! [`Record`](coinche_engine::record::Record) of strings first, and a test holds the two equal.

pub mod columns;
mod jsonl;
pub mod parquet;
mod record_row;
mod recorder;
mod rows;
mod summary;

pub use jsonl::JsonLines;
pub use jsonl::push_call;
pub use record_row::push_record_row;
pub use recorder::Recorder;
pub use rows::RowsPart;
pub use rows::{ColumnRows, Rows};
pub use summary::SummaryTable;

use coinche_engine::{Card, CardSet, Seat};

/// Returns the bots by leg and seat of two teams: the first partner at the lower seat of the team's, the second
/// across.
fn by_seat(teams: [[&str; 2]; 2]) -> [[&str; 4]; 2] {
    [0, 1].map(|leg| [0, 1, 2, 3].map(|seat: usize| teams[(seat + leg) % 2][seat / 2]))
}

/// A short text.
#[derive(Debug, Clone, Copy)]
struct Short<const N: usize> {
    text: [u8; N],
    len: u8,
}

impl<const N: usize> Short<N> {
    /// Takes a text of at most `N` bytes; of a longer one the beginning.
    fn new(text: &str) -> Self {
        let mut short = Self { text: [0; N], len: 0 };
        for (slot, byte) in short.text.iter_mut().zip(text.bytes()) {
            *slot = byte;
            short.len += 1;
        }
        short
    }

    #[inline]
    fn bytes(&self) -> &[u8] {
        &self.text[..usize::from(self.len)]
    }

    #[inline]
    fn push(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.bytes());
    }
}

/// The digits of the numbers below 1000: most numbers that are written.
static SMALL: [Short<3>; 1000] = small();

#[expect(clippy::cast_possible_truncation, reason = "digits")]
const fn small() -> [Short<3>; 1000] {
    let mut all = [Short { text: [0; 3], len: 0 }; 1000];
    let mut n = 0;
    while n < 1000 {
        let [hundreds, tens, ones] =
            [b'0' + (n / 100) as u8, b'0' + (n / 10 % 10) as u8, b'0' + (n % 10) as u8];
        all[n] = match n {
            0..10 => Short { text: [ones, 0, 0], len: 1 },
            10..100 => Short { text: [tens, ones, 0], len: 2 },
            _ => Short { text: [hundreds, tens, ones], len: 3 },
        };
        n += 1;
    }
    all
}

/// Appends an unsigned number.
#[inline]
pub fn push_number(out: &mut Vec<u8>, mut number: u64) {
    if let Ok(index) = usize::try_from(number)
        && let Some(digits) = SMALL.get(index)
    {
        // A digit at a time: a copy of a slice would be a call.
        for digit in digits.bytes() {
            out.push(*digit);
        }
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
pub fn push_signed(out: &mut Vec<u8>, number: i32) {
    if number < 0 {
        out.push(b'-');
    }
    push_number(out, number.unsigned_abs().into());
}

/// Appends a list of two numbers.
pub fn push_pair(out: &mut Vec<u8>, [first, second]: [i32; 2]) {
    out.push(b'[');
    push_signed(out, first);
    out.push(b',');
    push_signed(out, second);
    out.push(b']');
}

/// Appends a signed number of 64 bits.
fn push_long(out: &mut Vec<u8>, number: i64) {
    if number < 0 {
        out.push(b'-');
    }
    push_number(out, number.unsigned_abs());
}

/// Appends a cell of text to comma-separated values, in quotes where it needs them.
fn push_cell(out: &mut Vec<u8>, text: &[u8]) {
    if !text.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        out.extend_from_slice(text);
        return;
    }
    out.push(b'"');
    for byte in text {
        if *byte == b'"' {
            out.push(b'"');
        }
        out.push(*byte);
    }
    out.push(b'"');
}

/// Appends a text as it is.
#[inline]
pub fn push_str(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
}

/// Appends the number of a seat, 0 to 3.
#[inline]
pub fn push_seat(out: &mut Vec<u8>, seat: Seat) {
    out.push(b'0' + seat as u8);
}

/// The notation of the cards.
#[derive(Debug, Clone)]
pub struct CardCodes {
    /// By index.
    codes: [[u8; 2]; 32],
    /// The cards in the order of print, as sets of one and codes with a space behind.
    natural: [(u32, [u8; 3]); 32],
}

impl Default for CardCodes {
    fn default() -> Self {
        Self::new()
    }
}

impl CardCodes {
    /// Prepares the notation of all 32 cards.
    pub fn new() -> Self {
        let mut codes = [[0; 2]; 32];
        for card in Card::all() {
            codes[card.index()].copy_from_slice(card.to_string().as_bytes());
        }
        let mut natural = [(0, [b' '; 3]); 32];
        for (slot, card) in natural.iter_mut().zip(CardSet::FULL.natural()) {
            let [rank, suit] = codes[card.index()];
            *slot = (CardSet::only(card).bits(), [rank, suit, b' ']);
        }
        Self { codes, natural }
    }

    /// Appends a card: rank, then suit, as `TD`.
    #[inline]
    pub fn push(&self, out: &mut Vec<u8>, card: Card) {
        let [rank, suit] = self.codes[card.index()];
        out.push(rank);
        out.push(suit);
    }

    /// Appends cards separated by spaces, by suit then rank.
    pub fn push_set(&self, out: &mut Vec<u8>, cards: CardSet) {
        let bits = cards.bits();
        // Put together without a branch; the mask says that no place is out of bounds.
        let mut text = [[b' '; 3]; 64];
        let mut count = 0;
        for (card, code) in self.natural {
            text[count & 63] = code;
            count += usize::from(bits & card != 0);
        }
        out.extend_from_slice(&text.as_flattened()[..(3 * count).saturating_sub(1)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_everywhere() {
        let mut numbers: Vec<i64> = (0..2100).collect();
        numbers.extend([9_999, 10_000, 123_456_789, i64::MAX]);
        for number in numbers.iter().flat_map(|number| [*number, -number]) {
            let mut out = Vec::new();
            push_long(&mut out, number);
            assert_eq!(String::from_utf8(out).unwrap(), number.to_string());
        }
    }
}
