//! Calls and bids, and how they are written.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::cards::{ParseError, Strain, Suit, cannot_read};
use crate::rules::{Rules, StakeRules};

/// How high a bid is; the order is that of the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// A strain alone, where bids have no value.
    Strain,
    /// Taken, in the turn-up game; also the contract of a strain alone.
    Take,
    /// A number of points.
    Points(i32),
    /// All eight tricks.
    Capot,
    /// All eight tricks by the declarer alone.
    Generale,
}

/// A level and a strain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bid {
    /// How high.
    pub level: Level,
    /// What is trump.
    pub strain: Strain,
}

impl Bid {
    /// V, the value of the contract.
    pub fn value(self, rules: &Rules) -> i32 {
        match self.level {
            Level::Strain | Level::Take => 0,
            Level::Points(points) => points,
            Level::Capot => rules.contract.capot,
            Level::Generale => rules.contract.generale,
        }
    }
}

impl fmt::Display for Bid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.level {
            Level::Strain => write!(f, "{}", self.strain),
            Level::Take => write!(f, "TAKE{}", self.strain),
            Level::Points(points) => write!(f, "{points}{}", self.strain),
            Level::Capot => write!(f, "CAPOT{}", self.strain),
            Level::Generale => write!(f, "GENERALE{}", self.strain),
        }
    }
}

impl FromStr for Bid {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let upper = text.to_ascii_uppercase();
        let words = [("TAKE", Level::Take), ("CAPOT", Level::Capot), ("GENERALE", Level::Generale)];
        for (word, level) in words {
            if let Some(rest) = upper.strip_prefix(word) {
                return Ok(Self { level, strain: rest.trim().parse()? });
            }
        }
        if let Ok(strain) = upper.parse() {
            return Ok(Self { level: Level::Strain, strain });
        }
        let digits = upper.chars().take_while(char::is_ascii_digit).count();
        let (number, strain) = upper.split_at(digits);
        let points = number.parse().map_err(|_| cannot_read(text, "a bid"))?;
        Ok(Self { level: Level::Points(points), strain: strain.parse()? })
    }
}

/// What can be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// `P`
    Pass,
    /// `W`, the signal pass.
    Wait,
    /// `100S`
    Bid(Bid),
    /// `X`
    Coinche,
    /// `XX`
    Surcoinche,
    /// `TAKE`, in the first round of the turn-up game.
    Take,
    /// `TAKE H`, in the second.
    TakeSuit(Suit),
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pass => f.write_str("P"),
            Self::Wait => f.write_str("W"),
            Self::Bid(bid) => write!(f, "{bid}"),
            Self::Coinche => f.write_str("X"),
            Self::Surcoinche => f.write_str("XX"),
            Self::Take => f.write_str("TAKE"),
            Self::TakeSuit(suit) => write!(f, "TAKE {}", suit.letter()),
        }
    }
}

impl FromStr for Call {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.trim().to_ascii_uppercase().as_str() {
            "P" => Ok(Self::Pass),
            "W" => Ok(Self::Wait),
            "X" => Ok(Self::Coinche),
            "XX" => Ok(Self::Surcoinche),
            "TAKE" => Ok(Self::Take),
            other => match other.parse()? {
                Bid { level: Level::Take, strain: Strain::Suit(suit) } => Ok(Self::TakeSuit(suit)),
                Bid { level: Level::Take, .. } => Err(cannot_read(text, "a call")),
                bid => Ok(Self::Bid(bid)),
            },
        }
    }
}

/// The stake of a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stake {
    /// Not doubled.
    Plain,
    /// Doubled.
    Coinche,
    /// Redoubled.
    Surcoinche,
}

impl Stake {
    /// The row of the scoring table.
    pub fn rules(self, rules: &Rules) -> &StakeRules {
        match self {
            Self::Plain => &rules.scoring.plain,
            Self::Coinche => &rules.scoring.coinche,
            Self::Surcoinche => &rules.scoring.surcoinche,
        }
    }
}
