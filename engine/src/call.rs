//! Bids and calls.

use core::fmt;
use core::str::FromStr;

use crate::{Strain, Suit};

/// The height of a bid: points in `1..=990`, capot or générale, in the order of the ladder.
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
    /// All eight tricks by the team.
    pub const CAPOT: Self = Self(1000);
    /// All eight tricks by the bidder alone.
    pub const GENERALE: Self = Self(1001);

    /// Returns the bid of this many points, or `None` when it is not in `1..=990`.
    pub const fn points(points: u16) -> Option<Self> {
        if points >= 1 && points <= Self::MAX_POINTS { Some(Self(points)) } else { None }
    }

    /// Returns the points bid, or `None` for a capot or a générale.
    pub const fn as_points(self) -> Option<u16> {
        if self.0 <= Self::MAX_POINTS { Some(self.0) } else { None }
    }
}

impl fmt::Display for BidValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::CAPOT => f.write_str("CAPOT"),
            Self::GENERALE => f.write_str("GENERALE"),
            Self(points) => write!(f, "{points}"),
        }
    }
}

/// A value and a strain: `100S`, `CAPOTH`.
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
        write!(f, "{}{}", self.value, self.strain)
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

/// The error of reading a [`Stake`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a stake: expected plain, coinche or surcoinche")]
pub struct ParseStakeError(pub String);

impl FromStr for Stake {
    type Err = ParseStakeError;

    /// Reads the name in records, as [`Stake::name`] has it.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let stake = Self::ALL.into_iter().find(|stake| stake.name() == text);
        stake.ok_or_else(|| ParseStakeError(text.to_owned()))
    }
}
