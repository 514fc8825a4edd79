//! The level of bids.

use core::fmt;

use coinche_engine::BidValue;
use serde::{Deserialize, Serialize};

/// The level of a contract: a taken card, points, capot or générale, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Level(u16);

impl Level {
    /// The target of the taker in the turn-up game.
    pub(crate) const TAKE: Self = Self(0);
    pub(crate) const CAPOT: Self = Self(1000);
    pub(crate) const GENERALE: Self = Self(1001);

    /// Returns the level of a contract.
    pub(crate) fn of(value: Option<BidValue>) -> Self {
        match value {
            None => Self::TAKE,
            Some(BidValue::GENERALE) => Self::GENERALE,
            Some(value) => value.as_points().map_or(Self::CAPOT, Self),
        }
    }

    /// Returns the points of the bid; `None` for a capot, a générale, or a taken card.
    pub(crate) const fn points(self) -> Option<u16> {
        if self.0 > 0 && self.0 < Self::CAPOT.0 { Some(self.0) } else { None }
    }
}

/// Names a level, where `None` stands for any.
pub(super) fn or_any(level: Option<Level>) -> String {
    level.map_or_else(|| "any".to_owned(), |level| level.to_string())
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TAKE => f.write_str("TAKE"),
            Self::CAPOT => f.write_str("CAPOT"),
            Self::GENERALE => f.write_str("GENERALE"),
            Self(points) => write!(f, "{points}"),
        }
    }
}
