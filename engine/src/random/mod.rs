//! Randomness from keys: every deal and every decision has a generator of its own.
//!
//! A [`Seed`] gives two [`Secrets`], one for decks and one for decisions, by a one-way function. A [`Key`] is made from
//! one of them and from what is to be random (a deal's index; a decision's deal, seat and number), and from nothing
//! else, so that results do not depend on threads, order or interruptions. From the keys of a seat's decisions one can
//! compute that seat's other keys in the same deal, but no other key, no secret and no seed. Streams are those of
//! `xoshiro256++`, whose version is pinned because published results depend on it.

mod secrets;
mod seed;
mod shuffle;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

pub use self::secrets::{Purpose, Secrets, digest};
pub use self::seed::{ParseSeedError, Seed};
use crate::{Card, CardSet, Seat};

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A well-mixed 64-bit number that stands for one source of randomness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key(u64);

impl Key {
    /// Returns the key that also depends on `word`.
    ///
    /// It is a bijection for speed (the finaliser of `SplitMix64`; Steele, Lea & Flood 2014): who has the new key and the
    /// word has the old key. What must not lead back is made by [`Secrets`].
    #[inline]
    #[must_use]
    pub const fn and(self, word: u64) -> Self {
        Self(mix(self.0.wrapping_add(GOLDEN) ^ word.wrapping_mul(GOLDEN)))
    }

    /// Returns the key of a seat's decisions in a deal, the same in both legs.
    ///
    /// The key of decision `n` is `key.and(n)`. [`Secrets::decisions`] gives those of all seats.
    #[inline]
    pub fn decisions(secrets: impl Into<Secrets>, deal: u64, seat: Seat) -> Self {
        secrets.into().decision(deal, seat)
    }

    /// Returns the key of this number: what [`Key::bits`] gave.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Returns the number itself: 64 uniform bits.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns the generator of this key.
    #[inline]
    pub fn rng(self) -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(self.0)
    }

    /// Returns a number in `0..n` from the key's upper 32 bits; the bias is below `n / 2^32`.
    #[inline]
    pub const fn below(self, n: usize) -> usize {
        (((self.0 >> 32) * n as u64) >> 32) as usize
    }

    /// Tests if an event of this probability happens, from the key's lower 32 bits (which are not those
    /// of [`Key::below`]).
    #[inline]
    pub fn happens(self, probability: f64) -> bool {
        let [a, b, c, d, ..] = self.0.to_le_bytes();
        f64::from(u32::from_le_bytes([a, b, c, d])) < probability * 4_294_967_296.0
    }
}

/// The finaliser of `SplitMix64`.
const fn mix(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Draws a number in `0..n` from 32 bits of the generator; the bias is below `n / 2^32`.
#[inline]
pub(crate) fn below(word: u32, n: u32) -> u32 {
    ((u64::from(word) * u64::from(n)) >> 32) as u32
}

/// Draws the first dealer of a match.
pub fn first_dealer(secrets: impl Into<Secrets>, game: u64) -> Seat {
    Seat::from_index(secrets.into().deck_key(Purpose::FirstDealer, game, 0).below(4))
}

/// Draws a card of a set uniformly, or `None` from the empty set.
#[inline]
pub fn random_card(cards: CardSet, key: Key) -> Option<Card> {
    cards.nth(key.below(cards.len()))
}

#[cfg(test)]
mod attack_tests;
