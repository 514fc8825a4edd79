//! A set of cards as 32 bits.
//!
//! Bit `i` is the card with index `i`. Every bit pattern is a valid set. Iteration is by index, low to
//! high: by suit C D H S, then by rank in the order of a plain suit; [`CardSet::natural`] iterates in
//! the order of print.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};
use core::str::FromStr;

use crate::{Card, ParseCardError, Rank, Suit};

/// A set of cards: a hand, a trick, the cards gone.
///
/// The operators are those of sets:
///
/// ```
/// use coinche_engine::CardSet;
///
/// let hand: CardSet = "JH 9H AS".parse()?;
/// let red: CardSet = "JH 9H 7D".parse()?;
/// assert_eq!((hand & red).to_string(), "9H JH");
/// assert_eq!((hand | red).len(), 4);
/// assert_eq!((hand - red).to_string(), "AS");
/// assert_eq!((hand ^ red).to_string(), "7D AS");
/// assert_eq!((!hand).len(), 29);
/// # Ok::<(), coinche_engine::ParseHandError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CardSet(u32);

impl CardSet {
    /// No card.
    pub const EMPTY: Self = Self(0);
    /// All 32 cards.
    pub const FULL: Self = Self(u32::MAX);

    /// Returns the set with these bits; bit `i` is the card with index `i`.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// Returns the bits of the set.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Returns the set of one card.
    #[inline]
    pub const fn only(card: Card) -> Self {
        Self(1 << card.index())
    }

    /// Returns the eight cards of a suit.
    #[inline]
    pub const fn suit(suit: Suit) -> Self {
        Self(0xff << (8 * suit.index()))
    }

    /// Returns the four cards of a rank.
    #[inline]
    pub const fn rank(rank: Rank) -> Self {
        Self(0x0101_0101 << rank.index())
    }

    /// Returns the cards of the set that are of this suit.
    #[inline]
    pub const fn of(self, suit: Suit) -> Self {
        Self(self.0 & Self::suit(suit).0)
    }

    /// Returns the number of cards.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Tests if there is no card.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Tests if the card is in the set.
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.index() & 1 != 0
    }

    /// Tests if every card of the set is in the other one.
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Tests if no card is in both.
    pub const fn is_disjoint(self, other: Self) -> bool {
        self.0 & other.0 == 0
    }

    /// Returns the set with the card added.
    #[inline]
    pub const fn with(self, card: Card) -> Self {
        Self(self.0 | 1 << card.index())
    }

    /// Returns the set with the card taken out.
    #[inline]
    pub const fn without(self, card: Card) -> Self {
        Self(self.0 & !(1 << card.index()))
    }

    /// Adds a card and returns whether it was new.
    #[inline]
    #[must_use = "`with` is the quiet twin"]
    pub const fn insert(&mut self, card: Card) -> bool {
        let new = !self.contains(card);
        *self = self.with(card);
        new
    }

    /// Takes a card out and returns whether it was there.
    #[inline]
    #[must_use = "`without` is the quiet twin"]
    pub const fn remove(&mut self, card: Card) -> bool {
        let there = self.contains(card);
        *self = self.without(card);
        there
    }

    /// Returns the card with the lowest index: of one suit, the lowest in plain order.
    #[inline]
    pub const fn first(self) -> Option<Card> {
        if self.0 == 0 { None } else { Some(Card::from_low_bits(self.0.trailing_zeros())) }
    }

    /// Returns the card with the highest index: of one suit, the best in plain order.
    #[inline]
    pub const fn last(self) -> Option<Card> {
        if self.0 == 0 { None } else { Some(Card::from_low_bits(self.0.ilog2())) }
    }

    /// Returns the card number `n` in the order of iteration, from 0.
    ///
    /// One `pdep` where the build targets a processor with BMI2, else a few dozen instructions.
    #[inline]
    pub fn nth(self, n: usize) -> Option<Card> {
        if n < self.len() {
            let bit = crate::bits::nth_bit(self.0, n.to_le_bytes()[0].into());
            Some(Card::from_low_bits(bit.trailing_zeros()))
        } else {
            None
        }
    }

    /// Iterates over the cards, lowest first, as a loop over the set does.
    #[inline]
    pub const fn iter(self) -> Cards {
        Cards(self)
    }

    /// Iterates over the cards in the order of print: suits C D H S, ranks 7 8 9 T J Q K A.
    pub fn natural(self) -> impl Iterator<Item = Card> {
        Suit::ALL
            .into_iter()
            .flat_map(|suit| Rank::NATURAL.into_iter().map(move |rank| Card::new(suit, rank)))
            .filter(move |card| self.contains(*card))
    }

    /// Iterates over all subsets, the empty one first and the set itself last.
    pub fn subsets(self) -> impl Iterator<Item = Self> {
        let mut next = Some(0u32);
        core::iter::from_fn(move || {
            let current = next?;
            let following = current.wrapping_sub(self.0) & self.0;
            next = (following != 0).then_some(following);
            Some(Self(current))
        })
    }
}

impl From<Card> for CardSet {
    fn from(card: Card) -> Self {
        Self::only(card)
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl Extend<Card> for CardSet {
    fn extend<I: IntoIterator<Item = Card>>(&mut self, cards: I) {
        for card in cards {
            *self = self.with(card);
        }
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $assign:ident $by:ident |$a:ident, $b:ident| $value:expr;)*) => {$(
        impl $trait for CardSet {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                Self($value)
            }
        }

        impl $assign for CardSet {
            #[inline]
            fn $by(&mut self, other: Self) {
                *self = $trait::$method(*self, other);
            }
        }
    )*};
}
operators! {
    BitAnd bitand BitAndAssign bitand_assign |a, b| a & b;
    BitOr bitor BitOrAssign bitor_assign |a, b| a | b;
    BitXor bitxor BitXorAssign bitxor_assign |a, b| a ^ b;
    Sub sub SubAssign sub_assign |a, b| a & !b;
}

impl Not for CardSet {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// The iterator over a [`CardSet`], by index.
#[derive(Debug, Clone)]
pub struct Cards(CardSet);

impl Iterator for Cards {
    type Item = Card;

    #[inline]
    fn next(&mut self) -> Option<Card> {
        let card = self.0.first()?;
        self.0 = CardSet(self.0.0 & (self.0.0 - 1));
        Some(card)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl DoubleEndedIterator for Cards {
    #[inline]
    fn next_back(&mut self) -> Option<Card> {
        let card = self.0.last()?;
        self.0 = self.0.without(card);
        Some(card)
    }
}

impl ExactSizeIterator for Cards {}
impl FusedIterator for Cards {}

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = Cards;

    #[inline]
    fn into_iter(self) -> Cards {
        Cards(self)
    }
}

impl fmt::Display for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, card) in self.natural().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            fmt::Display::fmt(&card, f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CardSet({self})")
    }
}

/// What is wrong with a hand.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseHandError {
    /// Something is not a card.
    #[error(transparent)]
    Card(#[from] ParseCardError),
    /// A card is there twice.
    #[error("{0} is given twice")]
    Duplicate(Card),
    /// A suit of the short form is there twice.
    #[error("suit {0} is given twice")]
    DuplicateSuit(Suit),
    /// A part of the short form is not `suit:ranks`.
    #[error("`{0}` is not a suit with its ranks: expected as in `C:J97 D:A H:- S:KQ87`")]
    ShortForm(String),
}

impl FromStr for CardSet {
    type Err = ParseHandError;

    /// Reads `TD JS 7C` or the short form by suit, `C:J97 D:A H:- S:KQ87`, in capitals or not, and `10` as `T`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut hand = Self::EMPTY;
        let mut add = |card: Card| {
            if hand.insert(card) { Ok(()) } else { Err(ParseHandError::Duplicate(card)) }
        };
        if text.contains(':') {
            let mut suits = 0u8;
            for part in text.split_whitespace() {
                let error = || ParseHandError::ShortForm(part.to_owned());
                let (suit, ranks) = part.split_once(':').ok_or_else(error)?;
                let suit: Suit = suit.parse().map_err(|_| error())?;
                if suits >> suit.index() & 1 != 0 {
                    return Err(ParseHandError::DuplicateSuit(suit));
                }
                suits |= 1 << suit.index();
                if ranks == "-" {
                    continue;
                }
                for letter in ranks.replace("10", "T").chars() {
                    add(Card::new(suit, Rank::from_char(letter).ok_or_else(error)?))?;
                }
            }
        } else {
            for card in text.split_whitespace() {
                add(card.parse()?)?;
            }
        }
        Ok(hand)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_both_forms_of_a_hand() {
        let long: CardSet = "7c 10c JC aD ks Qs 8s 7S".parse().unwrap();
        let short: CardSet = "S:KQ87 C:J107 D:A H:-".parse().unwrap();
        assert_eq!(long, short);
        assert_eq!(long.to_string(), "7C TC JC AD 7S 8S QS KS");
        assert_eq!("C:-".parse::<CardSet>(), Ok(CardSet::EMPTY));
    }

    #[test]
    fn names_what_is_wrong_with_a_hand() {
        let error = |text: &str| text.parse::<CardSet>().unwrap_err().to_string();
        assert!(error("7C 1D").contains("`1D`"));
        assert!(error("7C 7c").contains("7C is given twice"));
        assert!(error("C:77").contains("7C is given twice"));
        assert!(error("C:7 C:8").contains("suit C"));
        assert!(error("C:7 X:8").contains("`X:8`"));
    }
}
