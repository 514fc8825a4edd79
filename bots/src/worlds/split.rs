//! Distributing cards among three hands: counting the ways, sampling one uniformly, listing all.

use rand_xoshiro::rand_core::Rng;

/// Cards to be distributed among three hands, each with the hands that may get it.
#[derive(Debug, Clone)]
pub(super) struct Split {
    /// By set of hands (a bit each): the cards that may go to these and no other.
    cards: [u32; 8],
    /// The ways, by how many cards of the sets {0, 1}, {0, 2} and {1, 2} go to the first hand named.
    ways: Vec<Way>,
    total: u64,
}

#[derive(Debug, Clone, Copy)]
struct Way {
    /// The number of ways up to and with this one.
    below: u64,
    /// Of {0, 1} to 0; of {0, 2} to 0; of {1, 2} to 1; of all to 0; of all to 1.
    counts: [usize; 5],
}

/// The sets of two hands, with the first of each.
const PAIRS: [usize; 3] = [0b011, 0b101, 0b110];
const ALL: usize = 0b111;

/// The number of subsets of `k` out of `n`, at most 32.
fn choose(n: usize, k: usize) -> u64 {
    /// Pascal's triangle.
    const CHOOSE: [[u64; 33]; 33] = {
        let mut choose = [[0; 33]; 33];
        let mut n = 0;
        while n < 33 {
            choose[n][0] = 1;
            let mut k = 1;
            while k <= n {
                choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
                k += 1;
            }
            n += 1;
        }
        choose
    };
    CHOOSE[n][k]
}

impl Split {
    /// Counts the ways to give each hand its number of cards; `cards` is by set of hands.
    ///
    /// Some hundred multiplications at most.
    pub(super) fn new(cards: [u32; 8], sizes: [usize; 3]) -> Self {
        let count = cards.map(|cards| cards.count_ones() as usize);
        let mut this = Self { cards, ways: Vec::new(), total: 0 };
        // What is left for the cards that may go to several hands.
        let left: Option<Vec<usize>> = (0..3).map(|hand| sizes[hand].checked_sub(count[1 << hand])).collect();
        let Some(left) = left.filter(|_| cards[0] == 0) else { return this };
        let [pairs, all] = [PAIRS.map(|set| count[set]), [count[ALL]; 3]];
        for first in 0..=pairs[0].min(left[0]) {
            for second in 0..=pairs[1].min(left[0] - first) {
                for third in 0..=pairs[2] {
                    let of_all = [
                        left[0] - first - second,
                        left[1].wrapping_sub(pairs[0] - first + third),
                        left[2].wrapping_sub(pairs[1] - second + pairs[2] - third),
                    ];
                    if of_all.iter().any(|n| *n > all[0]) || of_all.iter().sum::<usize>() != all[0] {
                        continue;
                    }
                    let ways = choose(pairs[0], first)
                        * choose(pairs[1], second)
                        * choose(pairs[2], third)
                        * choose(all[0], of_all[0])
                        * choose(all[0] - of_all[0], of_all[1]);
                    this.total += ways;
                    let counts = [first, second, third, of_all[0], of_all[1]];
                    this.ways.push(Way { below: this.total, counts });
                }
            }
        }
        this
    }

    /// Returns the number of ways.
    pub(super) const fn total(&self) -> u64 {
        self.total
    }

    /// Draws one of the ways, all equally likely (but for a bias below `total / 2^64`); there must be one.
    pub(super) fn draw(&self, rng: &mut impl Rng) -> [u32; 3] {
        let (_, number) = rng.next_u64().carrying_mul(self.total, 0);
        let way = self.ways[self.ways.partition_point(|way| way.below <= number)];
        let mut pick = |from, n| subset(from, n, rng);
        let [first, second, third] = [0, 1, 2].map(|n| pick(self.cards[PAIRS[n]], way.counts[n]));
        let to_first = pick(self.cards[ALL], way.counts[3]);
        let to_second = pick(self.cards[ALL] & !to_first, way.counts[4]);
        self.hands([first, second, third, to_first, to_second])
    }

    /// Draws one of the ways in which one of the hands is as it is in a way, all equally likely.
    pub(super) fn draw_others(&self, mut hands: [u32; 3], kept: usize, rng: &mut impl Rng) -> [u32; 3] {
        let (first, second) = ((kept + 1) % 3, (kept + 2) % 3);
        let goes_to_both = |set: &usize| set >> first & set >> second & 1 == 1;
        let both = (0..8).filter(goes_to_both).fold(0, |cards, set| cards | self.cards[set]) & !hands[kept];
        let to_first = subset(both, (hands[first] & both).count_ones() as usize, rng);
        hands[first] = hands[first] & !both | to_first;
        hands[second] = hands[second] & !both | both & !to_first;
        hands
    }

    /// Calls `report` with every way.
    pub(super) fn all(&self, mut report: impl FnMut([u32; 3])) {
        for way in &self.ways {
            let n = way.counts;
            subsets(self.cards[PAIRS[0]], n[0], &mut |first| {
                subsets(self.cards[PAIRS[1]], n[1], &mut |second| {
                    subsets(self.cards[PAIRS[2]], n[2], &mut |third| {
                        subsets(self.cards[ALL], n[3], &mut |to_first| {
                            subsets(self.cards[ALL] & !to_first, n[4], &mut |to_second| {
                                report(self.hands([first, second, third, to_first, to_second]));
                            });
                        });
                    });
                });
            });
        }
    }

    /// The hands, from the cards that go to the first of each set.
    const fn hands(&self, [first, second, third, to_first, to_second]: [u32; 5]) -> [u32; 3] {
        let (pair, all) = (&self.cards, self.cards[ALL]);
        [
            pair[0b001] | first | second | to_first,
            pair[0b010] | (pair[PAIRS[0]] & !first) | third | to_second,
            pair[0b100]
                | (pair[PAIRS[1]] & !second)
                | (pair[PAIRS[2]] & !third)
                | (all & !to_first & !to_second),
        ]
    }
}

/// Draws a subset of `n` cards: each card in turn is taken with the chance that makes all subsets equally
/// likely.
fn subset(from: u32, n: usize, rng: &mut impl Rng) -> u32 {
    let mut left = from.count_ones();
    let mut wanted = u32::try_from(n).unwrap_or(left);
    if wanted == left {
        return from;
    }
    let (mut rest, mut taken) = (from, 0);
    while wanted > 0 {
        let card = rest & rest.wrapping_neg();
        rest ^= card;
        let (_, place) = rng.next_u64().carrying_mul(left.into(), 0);
        if place < wanted.into() {
            taken |= card;
            wanted -= 1;
        }
        left -= 1;
    }
    taken
}

/// Calls `report` with every subset of `n` cards.
fn subsets(from: u32, n: usize, report: &mut dyn FnMut(u32)) {
    if n == 0 {
        return report(0);
    }
    let mut rest = from;
    while rest.count_ones() as usize >= n {
        let card = rest & rest.wrapping_neg();
        rest ^= card;
        subsets(rest, n - 1, &mut |others| report(card | others));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;
    use std::collections::BTreeMap;

    /// Nine cards with every kind of set, three to a hand.
    fn small() -> Split {
        let mut cards = [0; 8];
        for (card, set) in [1, 3, 3, 5, 6, 6, 7, 7, 7].into_iter().enumerate() {
            cards[set] |= 1 << card;
        }
        Split::new(cards, [3, 3, 3])
    }

    #[test]
    fn every_way_is_listed_once_and_allowed() {
        let split = small();
        let mut seen = std::collections::BTreeSet::new();
        split.all(|hands| {
            assert!(hands.iter().all(|hand| hand.count_ones() == 3));
            assert_eq!(hands[0] ^ hands[1] ^ hands[2], 0x1ff);
            for (set, cards) in split.cards.iter().enumerate() {
                for (n, hand) in hands.iter().enumerate() {
                    assert!(set >> n & 1 == 1 || hand & cards == 0);
                }
            }
            assert!(seen.insert(hands));
        });
        // By trying all 3^9 owners.
        let sets = [1, 3, 3, 5, 6, 6, 7, 7, 7];
        let mut plain = 0;
        for mut code in 0..3u32.pow(9) {
            let mut sizes = [0; 3];
            let mut allowed = true;
            for set in sets {
                let owner = code % 3;
                code /= 3;
                sizes[owner as usize] += 1;
                allowed &= set >> owner & 1 == 1;
            }
            plain += u64::from(allowed && sizes == [3; 3]);
        }
        assert_eq!((split.total(), seen.len() as u64), (plain, plain));
    }

    #[test]
    fn draws_are_uniform() {
        let split = small();
        is_uniform(&split, |_| true, |rng| split.draw(rng));
        let some = split.draw(&mut Xoshiro256PlusPlus::seed_from_u64(2));
        for kept in 0..3 {
            is_uniform(&split, |way| way[kept] == some[kept], |rng| split.draw_others(some, kept, rng));
        }
    }

    /// Tests that all these ways are drawn, equally often.
    fn is_uniform(
        split: &Split,
        is_one: impl Fn([u32; 3]) -> bool,
        mut draw: impl FnMut(&mut Xoshiro256PlusPlus) -> [u32; 3],
    ) {
        let mut counts = BTreeMap::new();
        split.all(|hands| {
            if is_one(hands) {
                counts.insert(hands, 0u32);
            }
        });
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let (n, expected) = (u32::try_from(counts.len()).unwrap(), 400.0);
        assert!(n > 1, "{n}");
        for _ in 0..400 * n {
            *counts.get_mut(&draw(&mut rng)).unwrap() += 1;
        }
        let chi: f64 = counts.values().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum();
        // As many degrees of freedom, less one: five standard deviations.
        let freedom = f64::from(n - 1);
        assert!((chi - freedom).abs() < 5.0 * (2.0 * freedom).sqrt(), "{chi} of {freedom}");
    }

    #[test]
    fn a_whole_deal_has_its_number_of_ways() {
        let mut cards = [0; 8];
        cards[ALL] = 0x00ff_ffff;
        assert_eq!(Split::new(cards, [8; 3]).total(), 9_465_511_770);
        assert_eq!(Split::new(cards, [8, 8, 7]).total(), 0);
        cards[0b001] = 0xff00_0000;
        assert_eq!(Split::new(cards, [7, 9, 16]).total(), 0);
        assert_eq!(Split::new(cards, [8, 12, 12]).total(), 2_704_156);
    }
}
