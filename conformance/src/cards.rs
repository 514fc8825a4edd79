//! Cards, suits, strains and how they are written.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Why a text is not a card, a hand, a strain or a call.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("cannot read `{text}` as {expected}")]
pub struct ParseError {
    /// What was to be read.
    pub text: String,
    /// What was expected.
    pub expected: &'static str,
}

/// Makes a [`ParseError`].
pub(crate) fn cannot_read(text: &str, expected: &'static str) -> ParseError {
    ParseError { text: text.to_owned(), expected }
}

/// A suit, in the order they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suit {
    /// ♣
    Clubs,
    /// ♦
    Diamonds,
    /// ♥
    Hearts,
    /// ♠
    Spades,
}

impl Suit {
    /// All suits.
    pub const ALL: [Self; 4] = [Self::Clubs, Self::Diamonds, Self::Hearts, Self::Spades];

    /// The letter of a suit.
    pub fn letter(self) -> char {
        match self {
            Self::Clubs => 'C',
            Self::Diamonds => 'D',
            Self::Hearts => 'H',
            Self::Spades => 'S',
        }
    }

    /// The suit of a letter, whatever its case.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|suit| suit.letter() == letter.to_ascii_uppercase())
    }
}

/// A rank, in the order of sequences, which is that of writing: 7 8 9 T J Q K A.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    /// 7
    Seven,
    /// 8
    Eight,
    /// 9
    Nine,
    /// 10
    Ten,
    /// Jack
    Jack,
    /// Queen
    Queen,
    /// King
    King,
    /// Ace
    Ace,
}

impl Rank {
    /// All ranks, in the order of sequences.
    pub const ALL: [Self; 8] =
        [Self::Seven, Self::Eight, Self::Nine, Self::Ten, Self::Jack, Self::Queen, Self::King, Self::Ace];

    /// The letter of a rank.
    pub fn letter(self) -> char {
        match self {
            Self::Seven => '7',
            Self::Eight => '8',
            Self::Nine => '9',
            Self::Ten => 'T',
            Self::Jack => 'J',
            Self::Queen => 'Q',
            Self::King => 'K',
            Self::Ace => 'A',
        }
    }

    /// The rank of a letter, whatever its case.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|rank| rank.letter() == letter.to_ascii_uppercase())
    }
}

/// A card. The order is that of writing, by suit then rank, and says nothing about strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card {
    /// Its suit.
    pub suit: Suit,
    /// Its rank.
    pub rank: Rank,
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank.letter(), self.suit.letter())
    }
}

impl FromStr for Card {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let short = text.replace("10", "T");
        let letters: Vec<char> = short.chars().collect();
        if let [rank, suit] = letters[..]
            && let (Some(rank), Some(suit)) = (Rank::from_letter(rank), Suit::from_letter(suit))
        {
            return Ok(Self { suit, rank });
        }
        Err(cannot_read(text, "a card"))
    }
}

/// What is trump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strain {
    /// One suit.
    Suit(Suit),
    /// No suit (SA).
    NoTrump,
    /// Every suit (TA).
    AllTrump,
}

impl Strain {
    /// All strains, in the order they are written.
    pub const ALL: [Self; 6] = [
        Self::Suit(Suit::Clubs),
        Self::Suit(Suit::Diamonds),
        Self::Suit(Suit::Hearts),
        Self::Suit(Suit::Spades),
        Self::NoTrump,
        Self::AllTrump,
    ];

    /// Whether cards of this suit are trumps.
    pub fn is_trump(self, suit: Suit) -> bool {
        match self {
            Self::Suit(trump) => trump == suit,
            Self::NoTrump => false,
            Self::AllTrump => true,
        }
    }
}

impl fmt::Display for Strain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Suit(suit) => write!(f, "{}", suit.letter()),
            Self::NoTrump => f.write_str("SA"),
            Self::AllTrump => f.write_str("TA"),
        }
    }
}

impl FromStr for Strain {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let wanted = text.to_ascii_uppercase();
        Self::ALL
            .into_iter()
            .find(|strain| strain.to_string() == wanted)
            .ok_or_else(|| cannot_read(text, "a strain (C D H S SA TA)"))
    }
}

/// The 32 cards, in the order of writing.
pub fn deck() -> Vec<Card> {
    Suit::ALL
        .into_iter()
        .flat_map(|suit| Rank::ALL.into_iter().map(move |rank| Card { suit, rank }))
        .collect()
}

/// Reads a hand: cards separated by spaces, or the short form by suit.
///
/// # Errors
/// When a part is not a card, or a card is there twice.
pub fn parse_hand(text: &str) -> Result<Vec<Card>, ParseError> {
    let mut hand = Vec::new();
    for part in text.split_whitespace() {
        if let Some((suit, ranks)) = part.split_once(':') {
            for rank in ranks.replace("10", "T").chars().filter(|&c| c != '-') {
                hand.push(format!("{rank}{suit}").parse()?);
            }
        } else {
            hand.push(part.parse()?);
        }
    }
    let twice = (1..hand.len()).any(|i| hand[..i].contains(&hand[i]));
    if twice { Err(cannot_read(text, "a hand of different cards")) } else { Ok(hand) }
}

/// Writes cards separated by spaces, by suit then rank.
pub fn hand_text(cards: &[Card]) -> String {
    let mut sorted = cards.to_vec();
    sorted.sort_unstable();
    cards_text(&sorted)
}

/// Writes cards separated by spaces, in the order given.
pub fn cards_text(cards: &[Card]) -> String {
    cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ")
}
