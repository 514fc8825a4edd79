//! Shuffling and cutting the deck.

use rand_xoshiro::rand_core::Rng;

use super::{Purpose, Secrets};
use crate::rules::{DealRules, Shuffle};
use crate::{Card, Deck, PastDeal};

impl Deck {
    /// Shuffles the deck of deal `index` of a run with these secrets (or this seed): a uniform permutation that
    /// depends on the two alone.
    ///
    /// ```
    /// use coinche_engine::Deck;
    ///
    /// assert_eq!(Deck::shuffled(0, 7), Deck::shuffled(0, 7));
    /// assert_ne!(Deck::shuffled(0, 7), Deck::shuffled(0, 8));
    /// ```
    #[inline]
    pub fn shuffled(secrets: impl Into<Secrets>, index: u64) -> Self {
        Self::shuffled_by(&mut secrets.into().deck_key(Purpose::Deck, index, 0).rng())
    }

    /// Returns the deck of one deal of a match: shuffled; or cut, as it was gathered after the last of the deals that
    /// [`PastDeal::remember`] keeps.
    pub fn of_match(
        rules: &DealRules,
        past: &[PastDeal],
        secrets: impl Into<Secrets>,
        game: u64,
        deal: u64,
    ) -> Self {
        let secrets = secrets.into();
        let whole =
            past.last().map_or_else(|| Self::shuffled_for_match(secrets, game, deal), PastDeal::gather);
        match rules.shuffle {
            Shuffle::Uniform => whole,
            Shuffle::Cut => whole.cut_for_match(rules, secrets, game, deal),
        }
    }

    /// Shuffles the deck of one deal of a match: that of the first deal when the deck is only cut.
    pub fn shuffled_for_match(secrets: impl Into<Secrets>, game: u64, deal: u64) -> Self {
        Self::shuffled_by(&mut secrets.into().deck_key(Purpose::MatchDeck, game, deal).rng())
    }

    /// Shuffles the sorted deck with a generator.
    ///
    /// Fisher and Yates, with many bounded numbers from one 64-bit word: each is the upper half of the
    /// product of its bound and what is left of the word, and the few words that would make some
    /// outcomes likelier are drawn again (Brackett-Rozinsky & Lemire 2024): exactly uniform.
    #[inline]
    pub fn shuffled_by(rng: &mut impl Rng) -> Self {
        let mut cards = const { *Self::sorted().cards() };
        // 32·31·…·25, 24·…·16, 15·…·2: each product is below 2^45.
        shuffle_part::<32, 25>(&mut cards, rng);
        shuffle_part::<24, 16>(&mut cards, rng);
        shuffle_part::<15, 2>(&mut cards, rng);
        Self::from_permutation(cards)
    }

    /// Cuts the deck as the cut of one deal of a match: at least [`DealRules::least_cut`] cards stay in each part, all
    /// legal places are equally likely.
    #[must_use]
    pub fn cut_for_match(self, rules: &DealRules, secrets: impl Into<Secrets>, game: u64, deal: u64) -> Self {
        let places = rules.cut_places();
        let key = secrets.into().deck_key(Purpose::Cut, game, deal);
        self.cut(places.start() + key.below(places.end() + 1 - places.start()))
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
}
