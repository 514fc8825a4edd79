//! Suits, ranks and the 32 cards.
//!
//! A [`Card`] is an index `0..32`: `8 * suit + rank`, with the ranks in the order of a plain suit
//! (7 8 9 J Q K T A), so that within a plain suit the higher bit is the better card. There is no `Ord`
//! on ranks or cards, because strength depends on the strain: see [`crate::Strain::strength`].

use core::fmt::{self, Write as _};

use crate::notation::single;

/// One of the four suits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Suit {
    /// Clubs, trèfle.
    Clubs,
    /// Diamonds, carreau.
    Diamonds,
    /// Hearts, cœur.
    Hearts,
    /// Spades, pique.
    Spades,
}

impl Suit {
    /// The four suits in the order of the notation: C D H S.
    pub const ALL: [Self; 4] = [Self::Clubs, Self::Diamonds, Self::Hearts, Self::Spades];

    /// Returns the suit with this index.
    ///
    /// # Panics
    ///
    /// Panics if `index` is not in `0..4`.
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        Self::ALL[index]
    }

    /// Returns the index of the suit, `0..4`.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the letter of the suit: `C`, `D`, `H` or `S`.
    pub const fn letter(self) -> char {
        ['C', 'D', 'H', 'S'][self as usize]
    }

    /// Returns the symbol of the suit: `♣`, `♦`, `♥` or `♠`.
    pub const fn symbol(self) -> char {
        ['♣', '♦', '♥', '♠'][self as usize]
    }

    pub(crate) const fn from_char(c: char) -> Option<Self> {
        Some(match c {
            'C' | 'c' | '♣' => Self::Clubs,
            'D' | 'd' | '♦' => Self::Diamonds,
            'H' | 'h' | '♥' => Self::Hearts,
            'S' | 's' | '♠' => Self::Spades,
            _ => return None,
        })
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(self.letter())
    }
}

from_text!(Suit, ParseSuitError, "`{0}` is not a suit: expected C, D, H or S", |text| {
    single(text, Self::from_char)
});

/// One of the eight ranks, in the order of a plain suit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Rank {
    /// Seven.
    Seven,
    /// Eight.
    Eight,
    /// Nine.
    Nine,
    /// Jack, valet.
    Jack,
    /// Queen, dame.
    Queen,
    /// King, roi.
    King,
    /// Ten, written `T`.
    Ten,
    /// Ace.
    Ace,
}

impl Rank {
    /// The ranks in the order of a plain suit, low to high: 7 8 9 J Q K T A.
    pub const ALL: [Self; 8] =
        [Self::Seven, Self::Eight, Self::Nine, Self::Jack, Self::Queen, Self::King, Self::Ten, Self::Ace];

    /// The ranks in the order of print and of sequences: 7 8 9 T J Q K A.
    pub const NATURAL: [Self; 8] =
        [Self::Seven, Self::Eight, Self::Nine, Self::Ten, Self::Jack, Self::Queen, Self::King, Self::Ace];

    /// Returns the index of the rank, `0..8`, in the order of [`Rank::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the position of the rank, `0..8`, in the order of [`Rank::NATURAL`].
    pub const fn natural_index(self) -> usize {
        [0, 1, 2, 4, 5, 6, 3, 7][self as usize]
    }

    /// Returns the letter of the rank: `7 8 9 J Q K T A`.
    pub const fn letter(self) -> char {
        ['7', '8', '9', 'J', 'Q', 'K', 'T', 'A'][self as usize]
    }

    pub(crate) const fn from_char(c: char) -> Option<Self> {
        Some(match c {
            '7' => Self::Seven,
            '8' => Self::Eight,
            '9' => Self::Nine,
            'T' | 't' => Self::Ten,
            'J' | 'j' => Self::Jack,
            'Q' | 'q' => Self::Queen,
            'K' | 'k' => Self::King,
            'A' | 'a' => Self::Ace,
            _ => return None,
        })
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(self.letter())
    }
}

from_text!(Rank, ParseRankError, "`{0}` is not a rank: expected 7, 8, 9, T, J, Q, K or A", |text| {
    if text.trim() == "10" { Some(Self::Ten) } else { single(text, Self::from_char) }
});

/// One of the 32 cards, an index `0..32`.
///
/// ```
/// use coinche_engine::{Card, Rank, Suit};
///
/// let card: Card = "10d".parse()?;
/// assert_eq!(card, Card::new(Suit::Diamonds, Rank::Ten));
/// assert_eq!(card.to_string(), "TD");
/// # Ok::<(), coinche_engine::ParseCardError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Card(u8);

impl Card {
    /// Returns the card of this suit and rank.
    #[inline]
    pub const fn new(suit: Suit, rank: Rank) -> Self {
        Self(8 * suit as u8 + rank as u8)
    }

    /// Returns the card with this index, or `None` when it is not in `0..32`.
    #[inline]
    pub const fn try_from_index(index: usize) -> Option<Self> {
        if index < 32 { Some(Self(index.to_le_bytes()[0])) } else { None }
    }

    /// Returns the card with this index modulo 32.
    pub(crate) const fn from_low_bits(index: u32) -> Self {
        Self((index & 31) as u8)
    }

    /// Iterates over the 32 cards in the order of their index.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..32u8).map(Self)
    }

    /// Returns the index of the card, `0..32`: `8 * suit + rank`.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the suit of the card.
    #[inline]
    pub const fn suit(self) -> Suit {
        // A match becomes a shift; the array would be a load.
        match self.0 >> 3 {
            0 => Suit::Clubs,
            1 => Suit::Diamonds,
            2 => Suit::Hearts,
            _ => Suit::Spades,
        }
    }

    /// Returns the rank of the card.
    #[inline]
    pub const fn rank(self) -> Rank {
        match self.0 & 7 {
            0 => Rank::Seven,
            1 => Rank::Eight,
            2 => Rank::Nine,
            3 => Rank::Jack,
            4 => Rank::Queen,
            5 => Rank::King,
            6 => Rank::Ten,
            _ => Rank::Ace,
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(self.rank().letter())?;
        f.write_char(self.suit().letter())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

from_text! {
    Card, ParseCardError, "`{0}` is not a card: expected a rank 7 8 9 T J Q K A and a suit C D H S, as in `TD`",
    |text| {
        let trimmed = text.trim();
        let (last, suit) = trimmed.char_indices().next_back().unwrap_or_default();
        Suit::from_char(suit).zip(trimmed[..last].parse().ok()).map(|(suit, rank)| Self::new(suit, rank))
    }
}
