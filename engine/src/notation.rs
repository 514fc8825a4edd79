//! Reading hands, deals, bids and calls; printing lies with each type.
//!
//! Input is case-insensitive and reads `10` as `T`.

use core::str::{Chars, FromStr};

use crate::auction::ContractBid;
use crate::{
    Bid, BidValue, BySeat, Call, Card, CardSet, Goal, HandsError, ParseCardError, Rank, Seat, Strain, Suit,
};

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

/// The characters of a text that count, in capitals: how bids and calls are read, without a copy of the text.
#[derive(Clone)]
struct Compact<'a>(Chars<'a>);

impl Iterator for Compact<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        self.0.find(|letter| !letter.is_whitespace()).map(|letter| letter.to_ascii_uppercase())
    }
}

impl Compact<'_> {
    /// Returns what comes after a word, if the text begins with it.
    fn after(&self, word: &str) -> Option<Self> {
        let mut rest = self.clone();
        word.chars().all(|letter| rest.next() == Some(letter)).then_some(rest)
    }

    /// Returns a value when nothing is left.
    fn end<T>(mut self, value: T) -> Option<T> {
        self.next().is_none().then_some(value)
    }

    /// Reads all that is left as a suit.
    fn suit(mut self) -> Option<Suit> {
        let suit = self.next().and_then(Suit::from_char)?;
        self.end(suit)
    }

    /// Reads all that is left as a strain.
    fn strain(self) -> Option<Strain> {
        let [no_trump, all_trump] = ["SA", "TA"].map(|code| self.after(code));
        match (no_trump, all_trump) {
            (Some(rest), _) => rest.end(Strain::NoTrump),
            (_, Some(rest)) => rest.end(Strain::AllTrump),
            (None, None) => self.suit().map(Strain::of),
        }
    }

    /// Reads the value of a bid, and returns it with what comes after it.
    fn value(mut self) -> Option<(BidValue, Self)> {
        if let Some(rest) = self.after("CAPOT") {
            return Some((BidValue::CAPOT, rest));
        }
        if let Some(rest) = self.after("GENERALE") {
            return Some((BidValue::GENERALE, rest));
        }
        let mut points = 0u16;
        loop {
            let rest = self.clone();
            match self.next().and_then(|letter| letter.to_digit(10)) {
                // Beyond the highest value of all the exact number does not matter.
                Some(digit) => points = (10 * points + u16::try_from(digit).ok()?).min(1000),
                None => return Some((BidValue::points(points)?, rest)),
            }
        }
    }

    /// Reads all that is left as a bid.
    fn bid(self) -> Option<Bid> {
        let (value, rest) = self.value()?;
        Some(Bid::new(value, rest.strain()?))
    }
}

/// The error of reading a [`BidValue`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the value of a bid: expected 1–990, CAPOT or GENERALE")]
pub struct ParseBidValueError(pub String);

impl FromStr for BidValue {
    type Err = ParseBidValueError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let read = Compact(text.chars()).value().and_then(|(value, rest)| rest.end(value));
        read.ok_or_else(|| ParseBidValueError(text.to_owned()))
    }
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
        Compact(text.chars()).bid().ok_or_else(|| ParseBidError(text.to_owned()))
    }
}

/// The error of reading a [`Call`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a call: expected P, W, X, XX, a bid such as `82H` or `CAPOTS`, TAKE, or `TAKE H`")]
pub struct ParseCallError(pub String);

impl FromStr for Call {
    type Err = ParseCallError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let compact = Compact(text.chars());
        let words = [
            ("P", Self::Pass),
            ("W", Self::Wait),
            ("X", Self::Coinche),
            ("XX", Self::Surcoinche),
            ("TAKE", Self::Take),
        ];
        let call =
            words.into_iter().find_map(|(word, call)| compact.after(word)?.end(call)).or_else(
                || match compact.after("TAKE") {
                    Some(rest) => rest.suit().map(Self::TakeIn),
                    None => compact.bid().map(Self::Bid),
                },
            );
        call.ok_or_else(|| ParseCallError(text.to_owned()))
    }
}

/// The error of reading the bid of a [`Contract`](crate::Contract).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the bid of a contract: expected `82H`, `CAPOTS` or `TAKEH`, for example")]
pub struct ParseContractBidError(pub String);

impl FromStr for ContractBid {
    type Err = ParseContractBidError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let compact = Compact(text.chars());
        let bid = match compact.after("TAKE") {
            Some(rest) => rest.suit().map(|suit| Self { strain: Strain::of(suit), goal: Goal::Majority }),
            None => compact.bid().map(|Bid { value, strain }| Self { strain, goal: Goal::Bid(value) }),
        };
        bid.ok_or_else(|| ParseContractBidError(text.to_owned()))
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
        assert!(parse_hands("7C | 8C | 9C").unwrap_err().to_string().contains("found 3"));
        let shared = parse_hands("7C | 8C | 9C | 8C").unwrap_err().to_string();
        assert!(shared.contains("seats 1 and 3"), "{shared}");
    }

    #[test]
    fn bids_are_read_with_spaces_symbols_and_leading_zeros() {
        let hearts = |points| Bid::new(BidValue::points(points).unwrap(), Strain::Hearts);
        for text in ["82H", " 8 2 h ", "82♥", "000000082h", "82\u{2003}H"] {
            assert_eq!(text.parse(), Ok(hearts(82)), "{text}");
            assert_eq!(text.parse(), Ok(Call::Bid(hearts(82))), "{text}");
        }
        assert_eq!("110 s a".parse(), Ok(Bid::new(BidValue::points(110).unwrap(), Strain::NoTrump)));
        assert_eq!(" capot".parse(), Ok(BidValue::CAPOT));
        for text in ["", "CAPOT", "99999999999999H", "82HH", "82SAA", "82ST", "８２H", "+82H", "82 10H"] {
            assert!(text.parse::<Bid>().is_err(), "{text}");
        }
        for text in ["", "0", "991", "65618", "80H", "CAPOTS"] {
            assert!(text.parse::<BidValue>().is_err(), "{text}");
        }
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
