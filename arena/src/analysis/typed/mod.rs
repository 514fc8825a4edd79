//! Cards and calls as people type and read them: in the notation of records, in English, or in French.
//!
//! Records and positions are read strictly (`docs/formats.md`). This reader is for people, and the only one of its kind.
//!
//! * What the strict reader accepts keeps its meaning: `7C` is the seven of clubs, `KD` the king of diamonds, `80C` eighty
//!   in clubs.
//! * Otherwise a card is a rank and then a suit, in letters, words or symbols: `V♠`, `10 carreau`, `dame de cœur`,
//!   `queen of hearts`, `RP`. A suit's symbol may also come first, as `show` prints it: `♠J`. Case and accents do not matter.
//! * A letter is read by its place. As a rank, `V D R` are jack, queen and king, `T` is the ten and `K` the king. As a suit,
//!   `P K T` are spades, diamonds and clubs (pique, carreau, trèfle), `D H S` those of the notation.
//! * The one letter that stays ambiguous is `C`, which is clubs or cœur. In what the strict reader does not accept (`VC`,
//!   `prends C`) it is refused, and the error names both readings. In a list of cards the other suits decide: beside
//!   `P K T` it is cœur, beside `D H S` clubs, beside both it is refused.

mod calls;
mod cards;
mod print;
mod words;

#[cfg(test)]
mod tests;

pub(crate) use calls::{call, next_call};
pub(crate) use cards::{CardReader, ReadHandError, hand_by_suit};
pub use print::Language;
pub(crate) use words::suit;

/// What was typed is no card, no call, or two of them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TypedError {
    #[error(
        "`{0}` is not a card: expected a rank 7 8 9 T J Q K A (10, V D R) and a suit C D H S (♣ ♦ ♥ ♠, or its name), as in \
         `TD` or `10 carreau`"
    )]
    Card(String),
    #[error(
        "`{0}` is not a call: expected P, W, X, XX, a bid such as `82H` or `CAPOTS`, TAKE, or `TAKE H`; in French `passe`, \
         `coinche`, `80 cœur`, `je prends`"
    )]
    Call(String),
    #[error("`{0}` is not a suit: expected C D H S, ♣ ♦ ♥ ♠, or its name")]
    Suit(String),
    #[error("`{text}` can be read as {first} or {second}: type one of these")]
    Ambiguous { text: String, first: String, second: String },
}
