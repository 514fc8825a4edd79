//! Sets of calls.

use super::Ladder;
use crate::{Bid, BidValue, Call, Strain, Suit};

/// A set of calls: what may be said at one turn.
///
/// The bids in it are all values from one level of the ladder up, in each of some strains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LegalCalls {
    pub(super) ladder: Ladder,
    pub(crate) from: usize,
    pub(crate) strains: u8,
    pub(crate) take_suits: u8,
    pub(crate) others: u8,
}

impl LegalCalls {
    pub(super) const PASS: u8 = 1;
    pub(super) const WAIT: u8 = 2;
    pub(super) const COINCHE: u8 = 4;
    pub(super) const SURCOINCHE: u8 = 8;
    pub(super) const TAKE: u8 = 16;
    /// The calls of the bits above; the action space and the bytes of a state have them in this order too.
    pub(crate) const OTHERS: [Call; 5] =
        [Call::Pass, Call::Wait, Call::Coinche, Call::Surcoinche, Call::Take];

    /// No calls, of an auction with these values.
    pub(super) const fn none(ladder: Ladder) -> Self {
        Self { ladder, from: 0, strains: 0, take_suits: 0, others: 0 }
    }

    /// Tests if the call is legal.
    #[inline]
    pub const fn contains(&self, call: Call) -> bool {
        match call {
            Call::Pass => self.others & Self::PASS != 0,
            Call::Wait => self.others & Self::WAIT != 0,
            Call::Coinche => self.others & Self::COINCHE != 0,
            Call::Surcoinche => self.others & Self::SURCOINCHE != 0,
            Call::Take => self.others & Self::TAKE != 0,
            Call::TakeIn(suit) => self.take_suits >> suit as u8 & 1 != 0,
            Call::Bid(bid) => {
                self.strains >> bid.strain as u8 & 1 != 0
                    && matches!(self.ladder.index_of(bid.value), Some(index) if index >= self.from)
            }
        }
    }

    /// Returns the set without the bids in strains that are not to be kept.
    #[must_use]
    pub fn retain_strains(self, keep: impl Fn(Strain) -> bool) -> Self {
        let kept = Strain::ALL.into_iter().filter(|strain| keep(*strain));
        Self { strains: kept.fold(0, |bits, strain| bits | 1 << strain as u8) & self.strains, ..self }
    }

    /// Tests if a bid in the strain is in the set.
    #[inline]
    pub const fn has_strain(&self, strain: Strain) -> bool {
        self.strains >> strain as u8 & 1 != 0
    }

    /// Returns the number of legal bids (calls with a value and a strain).
    #[inline]
    pub const fn bids(&self) -> usize {
        self.ladder.len().saturating_sub(self.from) * self.strains.count_ones() as usize
    }

    /// Returns the number of calls.
    #[inline]
    pub const fn len(&self) -> usize {
        (self.others.count_ones() + self.take_suits.count_ones()) as usize + self.bids()
    }

    /// Tests if nothing may be said: the auction is over.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the lowest value that may be bid.
    #[inline]
    pub const fn lowest_value(&self) -> Option<BidValue> {
        if self.strains == 0 { None } else { self.ladder.value(self.from) }
    }

    /// Iterates over the values that may be bid, low to high.
    pub fn values(&self) -> impl Iterator<Item = BidValue> + use<> {
        let (ladder, from) = (self.ladder, if self.strains == 0 { usize::MAX } else { self.from });
        (from..ladder.len()).filter_map(move |index| ladder.value(index))
    }

    /// Returns the call number `n`, from 0: pass, wait, coinche, surcoinche, take, the suits to
    /// name, then the bids by value and strain.
    #[inline]
    pub fn nth(&self, n: usize) -> Option<Call> {
        let others = self.others.count_ones() as usize;
        let suits = self.take_suits.count_ones() as usize;
        if n < others {
            let bit = crate::bits::nth_bit(self.others.into(), n.to_le_bytes()[0].into());
            return Some(Self::OTHERS[bit.trailing_zeros() as usize]);
        }
        if n < others + suits {
            let n = n - others;
            let bit = crate::bits::nth_bit(self.take_suits.into(), n.to_le_bytes()[0].into());
            return Some(Call::TakeIn(Suit::from_index(bit.trailing_zeros() as usize)));
        }
        let n = n - others - suits;
        if n >= self.bids() {
            return None;
        }
        let per_value = self.strains.count_ones() as usize;
        let value = self.ladder.value(self.from + n / per_value)?;
        let strain = (n % per_value).to_le_bytes()[0];
        let bit = crate::bits::nth_bit(self.strains.into(), strain.into());
        Some(Call::Bid(Bid::new(value, Strain::ALL[bit.trailing_zeros() as usize])))
    }

    /// Iterates over the calls in the order of [`LegalCalls::nth`].
    pub fn iter(&self) -> impl Iterator<Item = Call> + use<> {
        let this = *self;
        (0..this.len()).filter_map(move |n| this.nth(n))
    }
}
