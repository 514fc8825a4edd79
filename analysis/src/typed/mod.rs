//! Parses and prints cards and calls for people: in the notation of records, in English, or in French.
//!
//! Records and positions are parsed strictly (`docs/formats.md`). This is the only lenient parser.
//!
//! * What the strict parser accepts keeps its meaning: `7C` is the seven of clubs, `KD` the king of diamonds, `80C`
//!   eighty in clubs.
//! * Otherwise a card is a rank and then a suit, in letters, words or symbols: `V♠`, `10 carreau`, `dame de cœur`,
//!   `queen of hearts`, `RP`. A suit's symbol may also come first, as `show` prints it: `♠J`. Case and accents do
//!   not matter.
//! * The meaning of a letter depends on its place. As a rank, `V D R` are jack, queen and king, `T` is the ten and
//!   `K` the king. As a suit, `P K T` are spades, diamonds and clubs (pique, carreau, trèfle), `D H S` those of the
//!   notation.
//! * Only `C` remains ambiguous: clubs or cœur. Where the strict parser does not accept it (`VC`, `prends C`), it is
//!   an error that names both readings. In a list of cards the other suits decide: with `P K T` it is cœur, with
//!   `D H S` clubs, with both it is an error.

mod calls;
mod cards;
mod words;

#[cfg(test)]
mod tests;

pub(crate) use calls::bids;
pub use calls::{call, next_call};
pub use cards::{CardReader, ReadHandError, hand_by_suit};
pub use coinche_selfplay::document::words::Language;
pub use words::suit;

/// Invalid or ambiguous input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum TypedError {
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
