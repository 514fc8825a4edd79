//! Randomness from keys: every deal and every decision has a generator of its own.
//!
//! A [`Key`] is made from the seed of a run and from what is to be random (a deal's index, a decision's
//! deal, leg, seat and number), and from nothing else, so that results do not depend on threads, order
//! or interruptions. Keys are mixed with the finaliser of `SplitMix64` (Steele, Lea & Flood 2014); streams
//! are those of `xoshiro256++`, whose version is pinned because published results depend on it.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::{Card, CardSet, Deck, Seat};

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// What a random choice is for; keys of different purposes are unrelated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
enum Purpose {
    Deck = 1,
    Cut = 2,
    FirstDealer = 3,
    Decision = 4,
}

/// A well-mixed 64-bit number that stands for one source of randomness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key(u64);

impl Key {
    #[inline]
    const fn new(seed: u64, purpose: Purpose) -> Self {
        Self(mix(seed ^ mix(purpose as u64))).and(purpose as u64)
    }

    /// Returns the key that also depends on `word`.
    #[inline]
    #[must_use]
    pub const fn and(self, word: u64) -> Self {
        Self(mix(self.0.wrapping_add(GOLDEN) ^ word.wrapping_mul(GOLDEN)))
    }

    /// Returns the key of a bot's decisions in one leg of a deal.
    ///
    /// The key of decision `n` is `key.and(n)`.
    #[inline]
    pub const fn decisions(seed: u64, deal: u64, leg: u32, seat: Seat) -> Self {
        Self::new(seed, Purpose::Decision).and(deal).and(4 * leg as u64 + seat as u64)
    }

    /// Returns the key of this number: what [`Key::bits`] gave.
    #[inline]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Returns the number itself: 64 uniform bits.
    #[inline]
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

impl Deck {
    /// Shuffles the deck of deal `index` of a run with this seed: a uniform permutation that depends
    /// on the two numbers alone.
    ///
    /// ```
    /// use coinche_engine::Deck;
    ///
    /// assert_eq!(Deck::shuffled(0, 7), Deck::shuffled(0, 7));
    /// assert_ne!(Deck::shuffled(0, 7), Deck::shuffled(0, 8));
    /// ```
    pub fn shuffled(seed: u64, index: u64) -> Self {
        Self::shuffled_by(&mut Key::new(seed, Purpose::Deck).and(index).rng())
    }

    /// Shuffles the deck of one deal of a match: that of the first deal when the deck is only cut.
    pub fn shuffled_for_match(seed: u64, game: u64, deal: u64) -> Self {
        Self::shuffled_by(&mut Key::new(seed, Purpose::Deck).and(game).and(deal + 1).rng())
    }

    /// Shuffles the sorted deck with a generator.
    ///
    /// Fisher and Yates, with many bounded numbers from one 64-bit word: each is the upper half of the
    /// product of its bound and what is left of the word, and the few words that would make some
    /// outcomes likelier are drawn again (Brackett-Rozinsky & Lemire 2024): exactly uniform.
    #[inline]
    pub fn shuffled_by(rng: &mut impl Rng) -> Self {
        let mut cards = const {
            let (mut cards, mut index) = ([Card::from_low_bits(0); 32], 0u32);
            while index < 32 {
                cards[index as usize] = Card::from_low_bits(index);
                index += 1;
            }
            cards
        };
        // 32·31·…·25, 24·…·16, 15·…·2: each product is below 2^45.
        shuffle_part::<32, 25>(&mut cards, rng);
        shuffle_part::<24, 16>(&mut cards, rng);
        shuffle_part::<15, 2>(&mut cards, rng);
        Self::from_permutation(cards)
    }

    /// Cuts the deck as the cut of one deal of a match: at least two cards stay in each part, all
    /// legal places are equally likely.
    #[must_use]
    pub fn cut_for_match(self, seed: u64, game: u64, deal: u64) -> Self {
        self.cut(2 + Key::new(seed, Purpose::Cut).and(game).and(deal).below(29))
    }
}

/// Draws the places for the cards `FROM - 1` down to `TO - 1` of a shuffle from one word.
#[inline]
fn shuffle_part<const FROM: usize, const TO: usize>(cards: &mut [Card; 32], rng: &mut impl Rng) {
    const {
        assert!(FROM <= 32 && TO >= 2 && FROM >= TO);
    }
    let product: u64 = const {
        let (mut product, mut n) = (1u64, TO as u64);
        while n <= FROM as u64 {
            product *= n;
            n += 1;
        }
        product
    };
    let mut places = [0u8; 32];
    loop {
        let mut word = rng.next_u64();
        for n in (TO..=FROM).rev() {
            let (low, high) = word.carrying_mul(n as u64, 0);
            places[n - 1] = high.to_le_bytes()[0];
            word = low;
        }
        // Reject the words that would make some outcomes likelier than others.
        if word >= product || word >= product.wrapping_neg() % product {
            break;
        }
    }
    for n in (TO..=FROM).rev() {
        cards.swap(n - 1, usize::from(places[n - 1]) & 31);
    }
}

/// Draws the first dealer of a match.
pub fn first_dealer(seed: u64, game: u64) -> Seat {
    Seat::from_index(Key::new(seed, Purpose::FirstDealer).and(game).below(4))
}

/// Draws a card of a set uniformly, or `None` from the empty set.
#[inline]
pub fn random_card(cards: CardSet, key: Key) -> Option<Card> {
    cards.nth(key.below(cards.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffles_are_uniform_in_every_place() {
        // Each card in each place: chi-squared with 31 degrees of freedom a row, all rows together.
        let deals = 64_000u64;
        let mut counts = [[0u64; 32]; 32];
        for index in 0..deals {
            for (place, card) in Deck::shuffled(1, index).cards().iter().enumerate() {
                counts[place][card.index()] += 1;
            }
        }
        let expected = 2000.0;
        let chi: f64 = counts
            .iter()
            .flatten()
            .map(|count| (f64::from(u32::try_from(*count).unwrap()) - expected).powi(2) / expected)
            .sum();
        // 961 degrees of freedom: mean 961, standard deviation 43.8.
        assert!((700.0..1200.0).contains(&chi), "{chi}");
    }

    #[test]
    fn keys_of_different_words_differ() {
        let mut keys: Vec<u64> = (0..1000u64)
            .flat_map(|deal| (0..2).map(move |leg| (deal, leg)))
            .flat_map(|(deal, leg)| Seat::ALL.map(move |seat| Key::decisions(7, deal, leg, seat).bits()))
            .collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 8000);
    }
}
