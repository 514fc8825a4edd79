//! What is recorded of the deals, in which formats, and which shard of a run is played.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};

/// What is recorded, and of which deals.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Records {
    /// No deals, only the figures.
    None,
    /// The summary table: one row per leg.
    Summary,
    /// The summary table, and every call and card.
    Full,
    /// The summary table, and every call and card of this share of the deals, chosen by seed and number.
    Sample(f64),
    /// The summary table, and every call and card of the deals whose paired difference is at least this many points, in
    /// either direction and in any encounter.
    Swing(u32),
}

impl Records {
    /// Tests if there is a summary table.
    pub fn has_table(self) -> bool {
        self != Self::None
    }

    /// Tests if calls and cards are recorded, of all deals or of some.
    pub const fn has_lines(self) -> bool {
        matches!(self, Self::Full | Self::Sample(_) | Self::Swing(_))
    }
}

/// The error of parsing [`Records`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected none, summary, full, sample:P with P above 0 and up to 1 (as sample:0.01), or swing:POINTS with a \
         whole number (as swing:500)"
)]
pub struct ParseRecordsError;

impl FromStr for Records {
    type Err = ParseRecordsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = match text.split_once(':') {
            None => match text {
                "none" => Some(Self::None),
                "summary" => Some(Self::Summary),
                "full" => Some(Self::Full),
                _ => None,
            },
            Some(("sample", share)) => {
                share.parse().ok().filter(|share| *share > 0.0 && *share <= 1.0).map(Self::Sample)
            }
            Some(("swing", points)) => points.parse().ok().map(Self::Swing),
            Some(_) => None,
        };
        parsed.ok_or(ParseRecordsError)
    }
}

impl fmt::Display for Records {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Summary => f.write_str("summary"),
            Self::Full => f.write_str("full"),
            Self::Sample(share) => write!(f, "sample:{share}"),
            Self::Swing(points) => write!(f, "swing:{points}"),
        }
    }
}

/// A shard of a run: the `number`-th of `of` contiguous parts, from 1 (`2/3`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    number: u64,
    of: u64,
}

/// The error of parsing a [`Shard`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected i/n with i from 1 to n, such as 2/7")]
pub struct ParseShardError;

impl Shard {
    /// Returns the number of the shard, from 1.
    pub const fn number(self) -> u64 {
        self.number
    }

    /// Returns the number of shards.
    pub const fn of(self) -> u64 {
        self.of
    }

    /// Returns the range of this shard out of `deals`: from `deals · (number − 1) / of` to `deals · number / of`, both
    /// rounded down.
    pub fn range(self, deals: u64) -> core::ops::Range<u64> {
        let at = |number: u64| {
            let share = u128::from(deals) * u128::from(number) / u128::from(self.of);
            u64::try_from(share).expect("a share is at most the whole")
        };
        at(self.number - 1)..at(self.number)
    }

    /// Iterates over all shards of this division.
    pub fn all(self) -> impl Iterator<Item = Self> {
        (1..=self.of).map(move |number| Self { number, of: self.of })
    }
}

impl FromStr for Shard {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split_once('/').and_then(|(number, of)| {
            let (number, of): (u64, u64) = (number.trim().parse().ok()?, of.trim().parse().ok()?);
            (number >= 1 && number <= of && of <= 1_000_000).then_some(Self { number, of })
        });
        parts.ok_or(ParseShardError)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// Reads and writes types as texts in files, as on the command line.
macro_rules! as_texts {
    ($($name:ident: $error:ident),+) => {$(
        impl TryFrom<String> for $name {
            type Error = $error;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> Self {
                value.to_string()
            }
        }
    )+};
}
as_texts!(Records: ParseRecordsError, Shard: ParseShardError);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_contiguous_and_whole() {
        for (deals, of) in [(10, 3), (1, 7), (1_000_000_000_000, 64), (100, 100), (0, 5)] {
            let mut next = 0;
            for number in 1..=of {
                let range = Shard { number, of }.range(deals);
                assert_eq!(range.start, next);
                next = range.end;
            }
            assert_eq!(next, deals);
        }
        for bad in ["0/3", "4/3", "1", "1/0", "a/b", "-1/3", "1/3/5"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }

    #[test]
    fn what_is_recorded_is_read_as_it_is_printed() {
        for records in
            [Records::None, Records::Summary, Records::Full, Records::Sample(0.015_625), Records::Swing(500)]
        {
            assert_eq!(records.to_string().parse(), Ok(records));
        }
        for bad in ["all", "sample", "sample:0", "sample:2", "sample:NaN", "swing:-1", "swing:", "full:1"] {
            assert!(bad.parse::<Records>().is_err(), "{bad}");
        }
    }
}
