//! What a run keeps to itself: from a seed to keys, one way.

use core::fmt;

use siphasher::sip::SipHasher24;

use super::{Key, Seed};
use crate::{BySeat, Seat};

/// What a random choice is for; keys of different purposes are unrelated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Purpose {
    /// The deck of a single deal.
    Deck = 1,
    /// The deck of a deal of a match.
    MatchDeck = 2,
    /// Where the deck of a deal of a match is cut.
    Cut = 3,
    /// Who deals first in a match.
    FirstDealer = 4,
    /// A seat's decisions in a deal.
    Decision = 5,
    /// Whether a deal belongs to a sample.
    Sample = 6,
    /// A trial of parameters, or another choice of an experiment that is no bot's.
    Experiment = 7,
    /// The name of a deal for programs.
    Identifier = 8,
}

/// The two secrets of a run, 128 bits each: one that decks are made from, one for everything else.
///
/// They are derived from the seed with BLAKE3 under different labels, and keys from them with SipHash-2-4 (Aumasson &
/// Bernstein 2012), a pseudo-random function: no key leads to a secret, no secret to the other or to the seed. A bot
/// never gets them.
///
/// Cost: some 0.3 µs from a seed, 20 ns a key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Secrets {
    decks: [u64; 2],
    decisions: [u64; 2],
}

impl Secrets {
    /// Returns the keys of all seats' decisions in a deal, the same in both legs.
    #[inline]
    pub fn decisions(&self, deal: u64) -> BySeat<Key> {
        BySeat(Seat::ALL.map(|seat| self.decision(deal, seat)))
    }

    #[inline]
    pub(super) fn decision(&self, deal: u64, seat: Seat) -> Key {
        derive(self.decisions, Purpose::Decision, deal, seat as u64)
    }

    /// Returns the key of something that is neither a deck nor a seat's decision.
    ///
    /// `detail` is below 2⁵⁶.
    #[inline]
    pub fn key(&self, purpose: Purpose, index: u64, detail: u64) -> Key {
        derive(self.decisions, purpose, index, detail)
    }

    /// Returns the name of a deal that one seat is told: in another seating (`detail`, below 2⁵⁶) or at a table of
    /// other bots it is an unrelated one.
    pub fn identifier(&self, deal: u64, detail: u64, table: &str) -> u64 {
        let words = words(Purpose::Identifier, deal, detail);
        let bytes = [&words.to_le_bytes(), table.as_bytes()].concat();
        SipHasher24::new_with_keys(self.decisions[0], self.decisions[1]).hash(&bytes)
    }

    /// Returns the key of something about the cards that are dealt.
    #[inline]
    pub(super) fn deck_key(&self, purpose: Purpose, index: u64, detail: u64) -> Key {
        derive(self.decks, purpose, index, detail)
    }
}

#[cfg(test)]
impl Secrets {
    /// Returns all there is to find.
    pub(super) fn halves(&self) -> [u64; 4] {
        [self.decks[0], self.decks[1], self.decisions[0], self.decisions[1]]
    }
}

impl From<&Seed> for Secrets {
    fn from(seed: &Seed) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "the lower and the upper half")]
        let secret = |label| {
            let bits = hashed(label, seed.as_str());
            [bits as u64, (bits >> 64) as u64]
        };
        Self { decks: secret("coinche 2026-11-22 decks"), decisions: secret("coinche 2026-11-22 decisions") }
    }
}

impl From<Seed> for Secrets {
    fn from(seed: Seed) -> Self {
        Self::from(&seed)
    }
}

impl From<u64> for Secrets {
    fn from(number: u64) -> Self {
        Self::from(Seed::from(number))
    }
}

/// Says nothing of them.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secrets").finish_non_exhaustive()
    }
}

/// Returns the BLAKE3 hash of bytes, in 64 hexadecimal digits: for commitments.
pub fn digest(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// Hashes a text to 128 bits, one way; each label has a function of its own.
pub(super) fn hashed(label: &str, text: &str) -> u128 {
    let bytes = blake3::derive_key(label, text.as_bytes());
    u128::from_le_bytes(bytes[..16].try_into().expect("sixteen bytes"))
}

/// Returns what a random choice is for as 16 bytes: purpose and detail share a word.
#[inline]
fn words(purpose: Purpose, index: u64, detail: u64) -> u128 {
    debug_assert!(detail < 1 << 56);
    u128::from(index) | u128::from(detail | (purpose as u64) << 56) << 64
}

/// Derives a key from these bytes.
#[inline]
fn derive(secret: [u64; 2], purpose: Purpose, index: u64, detail: u64) -> Key {
    let words = words(purpose, index, detail);
    Key::from_bits(SipHasher24::new_with_keys(secret[0], secret[1]).hash(&words.to_le_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Deck;

    #[test]
    fn keys_of_different_words_differ() {
        let secrets = Secrets::from(7);
        let mut keys: Vec<u64> = (0..1000)
            .flat_map(|deal| {
                let sample = secrets.key(Purpose::Sample, deal, 0);
                let deck = secrets.deck_key(Purpose::Decision, deal, 0);
                secrets.decisions(deal).0.into_iter().chain([sample, deck])
            })
            .map(Key::bits)
            .collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 6000);
    }

    /// All published results depend on these numbers.
    #[test]
    fn keys_are_what_they_were() {
        let secrets = Secrets::from(42);
        let deck = Deck::shuffled(secrets, 7).cards().map(|card| card.to_string()).join(" ");
        assert_eq!(
            deck,
            "KD KS 7S KC 8D 8C JC 8S QD TD AS 8H JH JD QS AH 9D 7H TH KH 7C 9C JS 7D AC TS QH 9H AD TC QC 9S"
        );
        let bits = secrets.decisions(7).map(|key| format!("{:016x}", key.bits())).0;
        assert_eq!(bits, ["053892dace3116c5", "abe0f3105a5758a1", "cfc9218c871e7de6", "5e217b2fb6d8d5e3"]);
    }

    #[test]
    fn sixteen_bytes_are_hashed() {
        let key = [0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908];
        let bytes: [u8; 16] = core::array::from_fn(|n| u8::try_from(n).unwrap());
        let hash = |bytes: &[u8]| SipHasher24::new_with_keys(key[0], key[1]).hash(bytes);
        // The test vector of the paper.
        assert_eq!(hash(&bytes[..15]), 0xa129_ca61_49be_45e5);
        let mut tagged = bytes;
        tagged[15] = Purpose::Decision as u8;
        let derived = derive(key, Purpose::Decision, key[0], 0x000e_0d0c_0b0a_0908);
        assert_eq!(derived.bits(), hash(&tagged));
    }
}
