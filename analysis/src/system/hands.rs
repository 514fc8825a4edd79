//! Enumerates all hands, counting those that differ only by suit names together.

use std::sync::LazyLock;

use coinche_engine::{Card, CardSet, Suit};

/// The hands with a number of cards that lack one card, up to renaming of indistinguishable suits.
#[derive(Debug, Clone)]
pub(crate) struct Hands {
    cards: u32,
    /// The distinguished suits, then the others.
    suits: [Suit; 4],
    /// The number of distinguished suits.
    named: usize,
    without: CardSet,
    /// The suits, as bytes with a seven and no eight, that count as those with the eight.
    alike: [bool; 256],
}

/// The bytes by bit count, in order.
static BY_COUNT: LazyLock<[Vec<u32>; 9]> = LazyLock::new(|| {
    let mut lists = [const { Vec::new() }; 9];
    for byte in 0..256_u32 {
        lists[byte.count_ones() as usize].push(byte);
    }
    lists
});

/// The number of hands that renaming the suits produces, at most 24.
pub(crate) type Times = u64;

impl Hands {
    /// Returns all hands with this many cards, without the turned card; `named` are the suits that were bid or
    /// turned up.
    pub(crate) fn new(cards: u32, turned: Option<Card>, named: &[Suit]) -> Self {
        let mut suits = Suit::ALL;
        // Distinguished suits first, in suit order.
        suits.sort_by_key(|suit| !named.contains(suit));
        let named = suits.iter().filter(|suit| named.contains(suit)).count();
        Self {
            cards,
            suits,
            named,
            without: turned.map_or(CardSet::EMPTY, CardSet::only),
            alike: [false; 256],
        }
    }

    /// Counts these suits, bytes with a seven and no eight, together with those that have the eight instead.
    pub(crate) fn alike(&self, alike: [bool; 256]) -> Self {
        // A turned card is in no hand.
        if self.without.is_empty() { Self { alike, ..self.clone() } } else { self.clone() }
    }

    /// Returns the parts that can be counted separately, in order: by the cards of the first suit.
    pub(crate) fn parts() -> impl Iterator<Item = u32> {
        0..256
    }

    /// Calls `look` with every hand whose first suit has these cards, and its multiplicity.
    pub(crate) fn each(&self, first: u32, mut look: impl FnMut(CardSet, Times)) {
        if first.count_ones() <= self.cards && !self.alike[first as usize] {
            self.fill([first, 0, 0, 0], 1, &mut look);
        }
    }

    fn fill(&self, bytes: [u32; 4], next: usize, look: &mut impl FnMut(CardSet, Times)) {
        let left = self.cards - bytes[..next].iter().map(|byte| byte.count_ones()).sum::<u32>();
        if next == 4 {
            if left == 0 {
                self.tell(bytes, look);
            }
            return;
        }
        // Interchangeable suits: the larger byte first.
        let most = if next > self.named { bytes[next - 1] } else { 255 };
        let least = if next == 3 { left } else { 0 };
        for count in least..=left.min(8) {
            let bytes_of = BY_COUNT[count as usize].iter().take_while(|byte| **byte <= most);
            for byte in bytes_of.filter(|byte| !self.alike[**byte as usize]) {
                let mut bytes = bytes;
                bytes[next] = *byte;
                self.fill(bytes, next + 1, look);
            }
        }
    }

    fn tell(&self, bytes: [u32; 4], look: &mut impl FnMut(CardSet, Times)) {
        let twin = |byte: u32| byte & 0b11 == 0b10 && self.alike[(byte ^ 0b11) as usize];
        let mut times = self.orders(&bytes);
        // The suit that a rule prefers of two equal ones may depend on the seven where one of them is distinguished.
        let (named, others) = bytes.split_at(self.named);
        let is_tied = |at: usize| {
            twin(named[at]) && (named[at + 1..].contains(&named[at]) || others.contains(&named[at]))
        };
        if (0..self.named).any(is_tied) {
            let twins: Vec<usize> = (0..4).filter(|at| twin(bytes[*at])).collect();
            for chosen in 0..1_u32 << twins.len() {
                let mut bytes = bytes;
                for (bit, at) in twins.iter().enumerate() {
                    bytes[*at] ^= 0b11 * (chosen >> bit & 1);
                }
                self.look(bytes, times, look);
            }
            return;
        }
        times <<= bytes.iter().filter(|byte| twin(**byte)).count();
        self.look(bytes, times, look);
    }

    /// In how many orders the suits that are not distinguished can have these cards.
    fn orders(&self, bytes: &[u32; 4]) -> Times {
        let others = &bytes[self.named..];
        let mut times: Times = (1..=others.len() as u64).product();
        // Equal ones are adjacent.
        for equal in others.chunk_by(|a, b| a == b) {
            times /= (1..=equal.len() as u64).product::<u64>();
        }
        times
    }

    fn look(&self, bytes: [u32; 4], times: Times, look: &mut impl FnMut(CardSet, Times)) {
        let bits =
            self.suits.iter().zip(bytes).fold(0, |bits, (suit, byte)| bits | byte << (8 * *suit as u32));
        let hand = CardSet::from_bits(bits);
        if hand.is_disjoint(self.without) {
            look(hand, times);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(hands: &Hands) -> u64 {
        let mut total = 0;
        for first in Hands::parts() {
            hands.each(first, |_, times| total += times);
        }
        total
    }

    #[test]
    fn every_hand_is_counted_once() {
        // 32 over 8, 31 over 5.
        assert_eq!(total(&Hands::new(8, None, &[])), 10_518_300);
        assert_eq!(total(&Hands::new(8, None, &[Suit::Hearts])), 10_518_300);
        assert_eq!(total(&Hands::new(5, "9H".parse().ok(), &[Suit::Hearts])), 169_911);
        assert_eq!(total(&Hands::new(5, None, &[Suit::Spades, Suit::Clubs])), 201_376);
    }

    #[test]
    fn a_class_is_as_large_as_it_is() {
        // For five cards, by enumeration.
        let named = [Suit::Diamonds];
        let hands = Hands::new(3, None, &named);
        let mut counted = std::collections::BTreeMap::new();
        for first in Hands::parts() {
            hands.each(first, |hand, times| {
                assert!(counted.insert(hand.bits(), times).is_none());
            });
        }
        // Enumerate all hands, and find the representative of each.
        let mut literal = std::collections::BTreeMap::new();
        for (a, b, c) in (0..32).flat_map(|a| (0..a).flat_map(move |b| (0..b).map(move |c| (a, b, c)))) {
            let bits = 1_u32 << a | 1 << b | 1 << c;
            let byte = |suit: Suit| bits >> (8 * suit as u32) & 0xff;
            let mut others = [Suit::Clubs, Suit::Hearts, Suit::Spades].map(byte);
            others.sort_unstable_by(|a, b| b.cmp(a));
            let [clubs, hearts, spades] = others;
            let class = clubs | byte(Suit::Diamonds) << 8 | hearts << 16 | spades << 24;
            *literal.entry(class).or_insert(0_u64) += 1;
        }
        assert_eq!(counted, literal);
    }

    #[test]
    fn sevens_as_eights_give_the_same_choice_of_suit() {
        // The longer suit, then the stronger, then hearts: how often it is hearts.
        let hearts = |hands: &Hands| {
            let mut times_of = [0, 0];
            for first in Hands::parts() {
                hands.each(first, |hand, times| {
                    let byte = |suit: Suit| hand.bits() >> (8 * suit as u32) & 0xff;
                    let rank = |suit: Suit| (byte(suit).count_ones(), byte(suit), suit == Suit::Hearts);
                    let best = Suit::ALL.into_iter().max_by_key(|suit| rank(*suit));
                    times_of[usize::from(best == Some(Suit::Hearts))] += times;
                });
            }
            times_of
        };
        for named in [&[Suit::Hearts][..], &[Suit::Hearts, Suit::Clubs]] {
            let hands = Hands::new(4, None, named);
            let alike = hands.alike(std::array::from_fn(|byte| byte & 0b11 == 0b01));
            assert_eq!(hearts(&alike), hearts(&hands));
        }
    }
}
