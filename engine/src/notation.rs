//! Reading hands, deals, bids and calls; printing lies with each type.
//!
//! Input is case-insensitive and reads `10` as `T`.

use core::str::FromStr;

use crate::{
    Bid, BidValue, BySeat, Call, Card, CardSet, HandsError, ParseCardError, Rank, Seat, Strain, Suit,
};

/// What is wrong with a hand.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseHandError {
    /// Something is not a card.
    #[error(transparent)]
    Card(#[from] ParseCardError),
    /// A card is there twice.
    #[error("{0} is there twice")]
    Duplicate(Card),
    /// A suit of the short form is there twice.
    #[error("suit {0} is there twice")]
    DuplicateSuit(Suit),
    /// A part of the short form is not `suit:ranks`.
    #[error("`{0}` is not a suit with its ranks: expected as in `C:J97 D:A H:- S:KQ87`")]
    ShortForm(String),
}

impl FromStr for CardSet {
    type Err = ParseHandError;

    /// Reads `TD JS 7C` or the short form by suit, `C:J97 D:A H:- S:KQ87`.
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

/// What is wrong with a whole deal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseHandsError {
    /// There are not four hands.
    #[error("expected four hands joined by ` | `, found {0}")]
    Count(usize),
    /// One of the hands cannot be read.
    #[error("seat {seat}: {error}")]
    Hand {
        /// Whose hand.
        seat: Seat,
        /// What is wrong with it.
        error: ParseHandError,
    },
    /// A card is in two hands.
    #[error(transparent)]
    Shared(#[from] HandsError),
}

/// Reads four hands in order of seat, joined by ` | `; no card may be in two of them.
///
/// # Errors
///
/// Names the seat and the card.
pub fn parse_hands(text: &str) -> Result<BySeat<CardSet>, ParseHandsError> {
    let parts: Vec<&str> = text.split('|').collect();
    if parts.len() != 4 {
        return Err(ParseHandsError::Count(parts.len()));
    }
    let mut hands = BySeat([CardSet::EMPTY; 4]);
    for (seat, part) in Seat::ALL.into_iter().zip(parts) {
        hands[seat] = part.parse().map_err(|error| ParseHandsError::Hand { seat, error })?;
        HandsError::shared(&hands)?;
    }
    Ok(hands)
}

/// The error of reading a [`Bid`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a bid: expected a value 1–990, CAPOT or GENERALE and a strain C D H S SA TA, as in `82H`"
)]
pub struct ParseBidError(pub String);

impl FromStr for Bid {
    type Err = ParseBidError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseBidError(text.to_owned());
        let compact: String = text.to_ascii_uppercase().split_whitespace().collect();
        let strip = |word: &str| compact.strip_prefix(word).map(str::to_owned);
        let (value, strain) = if let Some(strain) = strip("CAPOT") {
            (BidValue::CAPOT, strain)
        } else if let Some(strain) = strip("GENERALE") {
            (BidValue::GENERALE, strain)
        } else {
            let digits = compact.bytes().take_while(u8::is_ascii_digit).count();
            let points = compact[..digits].parse().ok().and_then(BidValue::points);
            (points.ok_or_else(error)?, compact[digits..].to_owned())
        };
        let strain: Strain = strain.parse().map_err(|_| error())?;
        Ok(Self::new(value, strain))
    }
}

/// The error of reading a [`Call`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a call: expected P, W, X, XX, a bid as `82H` or `CAPOTS`, TAKE, or `TAKE H`")]
pub struct ParseCallError(pub String);

impl FromStr for Call {
    type Err = ParseCallError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseCallError(text.to_owned());
        let compact: String = text.to_ascii_uppercase().split_whitespace().collect();
        match compact.as_str() {
            "P" => Ok(Self::Pass),
            "W" => Ok(Self::Wait),
            "X" => Ok(Self::Coinche),
            "XX" => Ok(Self::Surcoinche),
            "TAKE" => Ok(Self::Take),
            other => match other.strip_prefix("TAKE") {
                Some(suit) => suit.parse().map(Self::TakeIn).map_err(|_| error()),
                None => other.parse().map(Self::Bid).map_err(|_| error()),
            },
        }
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
        assert!(error("7C 7c").contains("7C is there twice"));
        assert!(error("C:77").contains("7C is there twice"));
        assert!(error("C:7 C:8").contains("suit C"));
        assert!(error("C:7 X:8").contains("`X:8`"));
        assert!(parse_hands("7C | 8C | 9C").unwrap_err().to_string().contains("found 3"));
        let shared = parse_hands("7C | 8C | 9C | 8C").unwrap_err().to_string();
        assert!(shared.contains("seats 1 and 3"), "{shared}");
    }

    #[test]
    fn calls_survive_print_and_parse() {
        for text in ["P", "W", "X", "XX", "82H", "110SA", "CAPOTS", "GENERALED", "TAKE", "TAKE H"] {
            assert_eq!(text.parse::<Call>().unwrap().to_string(), text);
            assert_eq!(text.to_lowercase().parse::<Call>().unwrap().to_string(), text);
        }
        assert_eq!("takeh".parse::<Call>(), Ok(Call::TakeIn(Suit::Hearts)));
        for text in ["", "82", "H", "0H", "991H", "82X", "TAKE SA", "XXX", "PASS", "９0H", "-82H"] {
            assert!(text.parse::<Call>().is_err(), "{text}");
        }
    }
}
