//! The forms in which played deals are written.
//!
//! Lines are written by hand into a buffer that is used again: that is ten times as fast as making a
//! [`Record`](coinche_engine::record::Record) of strings first, and a test holds the two equal.

mod jsonl;
mod recorder;

pub use jsonl::JsonLines;
pub use jsonl::push_call;
pub use recorder::Recorder;

use coinche_engine::{Card, CardSet, Seat};

pub use crate::base::text::{push_number, push_signed, push_str};

/// Returns the bots by leg and seat of two teams: the first partner at the lower seat of the team's, the second
/// across.
pub(super) fn by_seat(teams: [[&str; 2]; 2]) -> [[&str; 4]; 2] {
    [0, 1].map(|leg| [0, 1, 2, 3].map(|seat: usize| teams[(seat + leg) % 2][seat / 2]))
}

/// Appends a list of two numbers.
pub fn push_pair(out: &mut Vec<u8>, [first, second]: [i32; 2]) {
    out.push(b'[');
    push_signed(out, first);
    out.push(b',');
    push_signed(out, second);
    out.push(b']');
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
    /// Prepares the notation of all 32 cards.
    fn default() -> Self {
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
}

impl CardCodes {
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
