//! Parses the words of a record in place: cards, hands, calls, names.
//!
//! The usual spelling is parsed byte by byte; any other spelling is passed to the engine's parser.

use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;
use std::borrow::Cow;

use coinche_engine::{
    Bid, BidValue, Call, Card, CardSet, Contract, ParseCallError, Rank, Seat, Stake, Strain, Suit,
};
use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// A value that is written as one string.
pub(super) trait Word: Sized {
    /// The expected value, for error messages.
    const WHAT: &'static str;

    /// The parse error.
    type Error: fmt::Display;

    /// Parses the value.
    fn read(text: &str) -> Result<Self, Self::Error>;
}

/// A word, as a field of a record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct As<T>(pub(super) T);

struct WordVisitor<T>(PhantomData<T>);

impl<T: Word> Visitor<'_> for WordVisitor<T> {
    type Value = As<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::WHAT)
    }

    #[inline]
    fn visit_str<E: Error>(self, text: &str) -> Result<As<T>, E> {
        T::read(text).map(As).map_err(E::custom)
    }
}

impl<'de, T: Word> Deserialize<'de> for As<T> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(WordVisitor(PhantomData))
    }
}

/// Parses a card in its usual spelling.
#[inline]
pub(super) const fn card(bytes: &[u8]) -> Option<Card> {
    let [rank, suit] = bytes else { return None };
    let rank = match rank {
        b'7' => Rank::Seven,
        b'8' => Rank::Eight,
        b'9' => Rank::Nine,
        b'T' => Rank::Ten,
        b'J' => Rank::Jack,
        b'Q' => Rank::Queen,
        b'K' => Rank::King,
        b'A' => Rank::Ace,
        _ => return None,
    };
    match self::suit(*suit) {
        Some(suit) => Some(Card::new(suit, rank)),
        None => None,
    }
}

#[inline]
const fn suit(letter: u8) -> Option<Suit> {
    match letter {
        b'C' => Some(Suit::Clubs),
        b'D' => Some(Suit::Diamonds),
        b'H' => Some(Suit::Hearts),
        b'S' => Some(Suit::Spades),
        _ => None,
    }
}

impl Word for Card {
    const WHAT: &'static str = "a card such as `TD`";

    type Error = <Self as FromStr>::Err;

    #[inline]
    fn read(text: &str) -> Result<Self, Self::Error> {
        card(text.as_bytes()).map_or_else(|| text.parse(), Ok)
    }
}

impl Word for CardSet {
    const WHAT: &'static str = "a hand such as `7C TC AD`";

    type Error = <Self as FromStr>::Err;

    #[inline]
    fn read(text: &str) -> Result<Self, Self::Error> {
        let mut cards = Self::EMPTY;
        for word in text.as_bytes().split(|byte| *byte == b' ') {
            if card(word).is_none_or(|card| !cards.insert(card)) {
                return text.parse();
            }
        }
        Ok(cards)
    }
}

/// Parses a bid of points in a suit in its usual spelling.
#[inline]
pub(super) fn bid(text: &[u8]) -> Option<Bid> {
    let (letter, digits) = text.split_last()?;
    let suit = suit(*letter)?;
    if digits.is_empty() || digits.len() > 3 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let points = digits.iter().fold(0, |points, digit| 10 * points + u16::from(digit - b'0'));
    Some(Bid::new(BidValue::points(points)?, Strain::of(suit)))
}

impl Word for Call {
    const WHAT: &'static str = "a call such as `P` or `90H`";

    type Error = <Self as FromStr>::Err;

    #[inline]
    fn read(text: &str) -> Result<Self, Self::Error> {
        match text.as_bytes() {
            b"P" => Ok(Self::Pass),
            b"W" => Ok(Self::Wait),
            b"X" => Ok(Self::Coinche),
            bytes => bid(bytes).map_or_else(|| text.parse(), |bid| Ok(Self::Bid(bid))),
        }
    }
}

/// The goal of a contract: the points or tricks that were bid, in a strain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aim {
    /// Points, capot or générale; `None` of a contract without value, whose takers need more points than their opponents.
    pub value: Option<BidValue>,
    /// The trump suit, no trump or all trump.
    pub strain: Strain,
}

/// The error of a text that is not a contract.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ReadAimError {
    #[error(transparent)]
    Call(#[from] ParseCallError),
    #[error("`{0}` is not a contract: expected {what}", what = Aim::WHAT)]
    NoBid(String),
}

impl Word for Aim {
    const WHAT: &'static str = "a bid such as `90H` or `TAKEH`";

    type Error = ReadAimError;

    #[inline]
    fn read(text: &str) -> Result<Self, Self::Error> {
        match Call::read(text) {
            Ok(Call::Bid(Bid { value, strain })) if value != BidValue::NONE => {
                Ok(Self { value: Some(value), strain })
            }
            Ok(Call::TakeIn(suit)) => Ok(Self { value: None, strain: Strain::of(suit) }),
            // Of a strain alone: `TAKESA`, too.
            other => match Contract::from_code(text, Seat::S0, Stake::Plain) {
                Ok(contract) => Ok(Self { value: None, strain: contract.strain }),
                Err(_) => other.map_err(ReadAimError::from).and(Err(ReadAimError::NoBid(text.to_owned()))),
            },
        }
    }
}

impl Word for Stake {
    const WHAT: &'static str = "plain, coinche or surcoinche";

    type Error = <Self as FromStr>::Err;

    fn read(text: &str) -> Result<Self, Self::Error> {
        text.parse()
    }
}

/// A name, borrowed from the line if possible.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Name<'a>(pub(super) Cow<'a, str>);

struct NameVisitor;

impl<'de> Visitor<'de> for NameVisitor {
    type Value = Name<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a bot")
    }

    fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<Name<'de>, E> {
        Ok(Name(Cow::Borrowed(name)))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Name<'de>, E> {
        Ok(Name(Cow::Owned(name.to_owned())))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Name<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(NameVisitor)
    }
}

/// A seat, as its number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SeatNumber(pub(super) Seat);

impl<'de> Deserialize<'de> for SeatNumber {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u8::deserialize(deserializer)?;
        let seat = Seat::ALL.get(usize::from(number)).copied();
        seat.map(SeatNumber).ok_or_else(|| D::Error::custom(format!("seat {number}: expected 0 to 3")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_the_engine_reads_them() {
        let usual = "P|W|X|XX|80H|990C|82SA|110TA|CAPOTS|GENERALED|TAKE";
        let other = "TAKE H| p |90 h|80|H|0H|991S|1000S|TAKESA||8x|90h";
        for text in usual.split('|').chain(other.split('|')) {
            assert_eq!(Call::read(text).ok(), text.parse().ok(), "{text}");
        }
        for text in ["7C", "TD", "10d", "as", "1C", "", "J", "JX", "JHH"] {
            assert_eq!(Card::read(text).ok(), text.parse().ok(), "{text}");
        }
        for text in ["7C TC AD", "", "7C 7C", "S:KQ87 C:J107 D:A H:-", "7C  8C", "7C,8C", "7c"] {
            assert_eq!(CardSet::read(text).ok(), text.parse().ok(), "{text}");
        }
        assert!(Aim::read("P").unwrap_err().to_string().contains("not a contract"));
        assert_eq!(Aim::read("TAKEH"), Ok(Aim { value: None, strain: Strain::Hearts }));
        assert_eq!(Aim::read("TAKESA"), Ok(Aim { value: None, strain: Strain::NoTrump }));
        assert!(Aim::read("SA").is_err());
        assert!(Stake::read("twice").unwrap_err().to_string().contains("surcoinche"));
    }
}
