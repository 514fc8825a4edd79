//! The values that may be bid.

use crate::{BidValue, RuleSet};

/// The values that may be bid under a rule set, low to high: `lowest`, the tens above it up to
/// `highest`, capot, générale; [`BidValue::NONE`] alone where strains are bid or
/// taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ladder {
    lowest: u16,
    /// How many values are numbers.
    numbers: u8,
    capot: bool,
    generale: bool,
}

impl Ladder {
    /// Returns the ladder of a rule set.
    pub const fn new(rules: &RuleSet) -> Self {
        let auction = &rules.options().auction;
        if !rules.options().has_values() {
            return Self { lowest: 0, numbers: 1, capot: false, generale: false };
        }
        let lowest = auction.lowest;
        let highest = match auction.highest {
            Some(highest) => highest,
            None => BidValue::MAX_POINTS,
        };
        let tens = (highest / 10).saturating_sub(lowest / 10);
        Self { lowest, numbers: 1 + (tens & 0xff) as u8, capot: auction.capot, generale: auction.generale }
    }

    /// Returns the number of values, at least one.
    #[inline]
    pub const fn len(self) -> usize {
        self.numbers as usize + self.capot as usize + self.generale as usize
    }

    /// Tests if there is no value: never so.
    pub const fn is_empty(self) -> bool {
        false
    }

    /// Returns the value number `index`, from 0, or `None` above the top.
    #[inline]
    pub const fn value(self, index: usize) -> Option<BidValue> {
        let numbers = self.numbers as usize;
        if index == 0 {
            BidValue::of_number(self.lowest)
        } else if index < numbers {
            BidValue::points(10 * (self.lowest / 10 + index.to_le_bytes()[0] as u16))
        } else if index == numbers && self.capot {
            Some(BidValue::CAPOT)
        } else if index < self.len() {
            Some(BidValue::GENERALE)
        } else {
            None
        }
    }

    /// Returns the index of a value, or `None` when it may not be bid.
    #[inline]
    pub const fn index_of(self, value: BidValue) -> Option<usize> {
        let numbers = self.numbers as usize;
        match value {
            BidValue::CAPOT if self.capot => Some(numbers),
            BidValue::GENERALE if self.generale => Some(numbers + self.capot as usize),
            _ => match value.as_points() {
                Some(points) if points == self.lowest => Some(0),
                Some(points) if points > self.lowest && points % 10 == 0 => {
                    let index = (points / 10 - self.lowest / 10) as usize;
                    if index < numbers { Some(index) } else { None }
                }
                _ => None,
            },
        }
    }

    /// Iterates over the values, low to high.
    pub fn iter(self) -> impl Iterator<Item = BidValue> {
        (0..self.len()).filter_map(move |index| self.value(index))
    }
}
