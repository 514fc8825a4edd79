//! Bids and calls, and how they are read: in capitals or not, with spaces or without.

use core::fmt;
use core::str::Chars;

use crate::{Strain, Suit};

/// The height of a bid: points in `1..=990`, capot or générale, in the order of the ladder; or none, where strains alone
/// are bid.
///
/// Capot is higher than every number of points, générale higher than capot, whatever they are worth
/// under the rules. Which values may be bid is a matter of [`crate::Ladder`].
///
/// ```
/// use coinche_engine::BidValue;
///
/// let eighty = BidValue::points(80).expect("in range");
/// assert!(eighty < BidValue::CAPOT && BidValue::CAPOT < BidValue::GENERALE);
/// assert_eq!(eighty.as_points(), Some(80));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BidValue(u16);

impl BidValue {
    /// The highest number of points that can be bid under any rules.
    pub const MAX_POINTS: u16 = 990;
    /// No value: a strain alone is bid.
    pub const NONE: Self = Self(0);
    /// All eight tricks by the team.
    pub const CAPOT: Self = Self(1000);
    /// All eight tricks by the bidder alone.
    pub const GENERALE: Self = Self(1001);

    /// Returns the bid of this many points, or `None` when it is not in `1..=990`.
    pub const fn points(points: u16) -> Option<Self> {
        if points >= 1 && points <= Self::MAX_POINTS { Some(Self(points)) } else { None }
    }

    /// Returns the points bid, 0 of a strain alone, or `None` for a capot or a générale.
    pub const fn as_points(self) -> Option<u16> {
        if self.0 <= Self::MAX_POINTS { Some(self.0) } else { None }
    }

    /// The number that stands for the value in bytes: its points, 0 for none, 1000 for a capot, 1001 for a générale.
    pub(crate) const fn number(self) -> u16 {
        self.0
    }

    /// Returns the value of a number in bytes.
    pub(crate) const fn of_number(number: u16) -> Option<Self> {
        match Self(number) {
            other @ (Self::NONE | Self::CAPOT | Self::GENERALE) => Some(other),
            _ => Self::points(number),
        }
    }
}

impl fmt::Display for BidValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NONE => f.write_str("-"),
            Self::CAPOT => f.write_str("CAPOT"),
            Self::GENERALE => f.write_str("GENERALE"),
            Self(points) => write!(f, "{points}"),
        }
    }
}

/// A value and a strain: `100S`, `CAPOTH`; a strain alone where bids have no value: `H`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bid {
    /// How much is promised.
    pub value: BidValue,
    /// What is trump.
    pub strain: Strain,
}

impl Bid {
    /// Returns the bid of a value in a strain.
    pub const fn new(value: BidValue, strain: Strain) -> Self {
        Self { value, strain }
    }
}

impl fmt::Display for Bid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            BidValue::NONE => fmt::Display::fmt(&self.strain, f),
            value => write!(f, "{value}{}", self.strain),
        }
    }
}

/// Everything that can be said in an auction.
///
/// Exhaustive on purpose: these are all calls of the rule family.
///
/// ```
/// use coinche_engine::Call;
///
/// let call: Call = "capot h".parse()?;
/// assert_eq!(call.to_string(), "CAPOTH");
/// # Ok::<(), coinche_engine::ParseCallError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Call {
    /// `P`: no bid.
    Pass,
    /// `W`: the signal pass, "j'attends"; differs from a pass only in what it signals.
    Wait,
    /// A value and a strain.
    Bid(Bid),
    /// `X`: doubles the last bid of the other team.
    Coinche,
    /// `XX`: redoubles one's own team's bid.
    Surcoinche,
    /// `TAKE`: accepts the turned suit as trump (turn-up game, first round).
    Take,
    /// `TAKE H`: names another suit as trump (turn-up game, second round).
    TakeIn(Suit),
}

impl Call {
    /// Tests if the call is a pass or a signal pass.
    pub const fn is_pass(self) -> bool {
        matches!(self, Self::Pass | Self::Wait)
    }
}

impl From<Bid> for Call {
    fn from(bid: Bid) -> Self {
        Self::Bid(bid)
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pass => f.write_str("P"),
            Self::Wait => f.write_str("W"),
            Self::Bid(bid) => fmt::Display::fmt(bid, f),
            Self::Coinche => f.write_str("X"),
            Self::Surcoinche => f.write_str("XX"),
            Self::Take => f.write_str("TAKE"),
            Self::TakeIn(suit) => write!(f, "TAKE {suit}"),
        }
    }
}

/// How a bid was raised in stake by the opponents and its own side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[repr(u8)]
pub enum Stake {
    /// Not coinched.
    #[default]
    Plain,
    /// Coinched.
    Coinche,
    /// Coinched and surcoinched.
    Surcoinche,
}

impl Stake {
    /// The three stakes, low to high.
    pub const ALL: [Self; 3] = [Self::Plain, Self::Coinche, Self::Surcoinche];

    /// Returns the name in records: `plain`, `coinche` or `surcoinche`.
    pub const fn name(self) -> &'static str {
        ["plain", "coinche", "surcoinche"][self as usize]
    }
}

impl fmt::Display for Stake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

from_text! {
    /// Reads the name in records, as [`Stake::name`] has it.
    Stake, ParseStakeError, "`{0}` is not a stake: expected plain, coinche or surcoinche",
    |text| Self::ALL.into_iter().find(|stake| stake.name() == text)
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
        if let Some(strain) = self.clone().strain() {
            return Some(Bid::new(BidValue::NONE, strain));
        }
        let (value, rest) = self.value()?;
        Some(Bid::new(value, rest.strain()?))
    }
}

from_text! {
    BidValue, ParseBidValueError, "`{0}` is not the value of a bid: expected 1–990, CAPOT or GENERALE",
    |text| Compact(text.chars()).value().and_then(|(value, rest)| rest.end(value))
}

from_text! {
    Bid, ParseBidError,
    "`{0}` is not a bid: expected a value 1–990, CAPOT or GENERALE and a strain C D H S SA TA, as in `82H`, or a strain alone",
    |text| Compact(text.chars()).bid()
}

from_text! {
    Call, ParseCallError,
    "`{0}` is not a call: expected P, W, X, XX, a bid such as `82H`, `CAPOTS` or `H`, TAKE, or `TAKE H`",
    |text| {
        let compact = Compact(text.chars());
        let words = [
            ("P", Self::Pass),
            ("W", Self::Wait),
            ("X", Self::Coinche),
            ("XX", Self::Surcoinche),
            ("TAKE", Self::Take),
        ];
        let word = words.into_iter().find_map(|(word, call)| compact.after(word)?.end(call));
        word.or_else(|| match compact.after("TAKE") {
            Some(rest) => rest.suit().map(Self::TakeIn),
            None => compact.bid().map(Self::Bid),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        for text in
            ["P", "W", "X", "XX", "82H", "110SA", "CAPOTS", "GENERALED", "TAKE", "TAKE H", "D", "SA", "TA"]
        {
            assert_eq!(text.parse::<Call>().unwrap().to_string(), text);
            assert_eq!(text.to_lowercase().parse::<Call>().unwrap().to_string(), text);
        }
        assert_eq!("takeh".parse::<Call>(), Ok(Call::TakeIn(Suit::Hearts)));
        for text in ["", "82", "HH", "0H", "991H", "82X", "TAKE SA", "XXX", "PASS", "９0H", "-82H"] {
            assert!(text.parse::<Call>().is_err(), "{text}");
        }
    }
}
