//! The attack that keys must withstand: from what a seat is told of a decision to the seed, and from the seed to the
//! cards.
//!
//! Until 0.1 a key was a chain of bijections from the seed. Here is that chain, with its inversion: it finds the seed of
//! every key made so (a test that could not find one would prove nothing), and is then tried on today's keys.

use super::{GOLDEN, Key, Secrets, mix};
use crate::{CardSet, Deal, Deck, RuleSet, Seat};

/// Inverts `z ^ z >> shift`.
fn unshift(z: u64, shift: u32) -> u64 {
    let mut out = z;
    for _ in 0..64 / shift {
        out = z ^ out >> shift;
    }
    out
}

/// Returns the number that times an odd `a` is 1, modulo 2^64 (Newton).
fn inverse(a: u64) -> u64 {
    (0..6).fold(a, |x, _| x.wrapping_mul(2u64.wrapping_sub(a.wrapping_mul(x))))
}

/// Inverts the finaliser of `SplitMix64`.
fn unmix(z: u64) -> u64 {
    let z = unshift(z, 31).wrapping_mul(inverse(0x94d0_49bb_1331_11eb));
    let z = unshift(z, 27).wrapping_mul(inverse(0xbf58_476d_1ce4_e5b9));
    unshift(z, 30)
}

/// Inverts [`Key::and`].
fn without(key: Key, word: u64) -> Key {
    Key((unmix(key.0) ^ word.wrapping_mul(GOLDEN)).wrapping_sub(GOLDEN))
}

/// The key of a decision as it was made from the seed.
fn old_decision(seed: u64, deal: u64, leg: u64, seat: Seat) -> Key {
    Key(mix(seed ^ mix(4))).and(4).and(deal).and(4 * leg + seat as u64)
}

/// Returns the seeds that the old keys would have: every leg, and every number a decision may have.
fn candidates(key: Key, deal: u64, seat: Seat) -> impl Iterator<Item = u64> {
    (0..40).flat_map(move |decision| {
        (0..2).map(move |leg| {
            let of_deal = without(without(key, decision), 4 * leg + seat as u64);
            unmix(without(without(of_deal, deal), 4).0) ^ mix(4)
        })
    })
}

fn hand(secrets: impl Into<Secrets>, deal: u64, seat: Seat) -> CardSet {
    let deck = Deck::shuffled(secrets, deal);
    Deal::new(&RuleSet::BGA.deal, deck, Seat::from_index((deal % 4) as usize)).hands()[seat]
}

#[test]
fn inversion_found_the_seed_of_old_keys() {
    for seed in [1, 42, 0xdead_beef_0123_4567] {
        for (deal, decision) in [(0, 0), (7, 3), (1_000_003, 17)] {
            for seat in Seat::ALL {
                let key = old_decision(seed, deal, 1, seat).and(decision);
                assert!(candidates(key, deal, seat).any(|found| found == seed));
            }
        }
    }
}

#[test]
fn inversion_finds_neither_seed_nor_secret_nor_hand() {
    for seed in [1u64, 42, 0xdead_beef_0123_4567] {
        let secrets = Secrets::from(seed);
        let halves = secrets.halves();
        for (deal, decision) in [(0, 0), (7, 3), (1_000_003, 17)] {
            for seat in Seat::ALL {
                let key = secrets.decisions(deal)[seat].and(decision);
                for found in candidates(key, deal, seat).chain([key.bits()]) {
                    assert!(found != seed && !halves.contains(&found));
                    // As a seed, and as the key of a deck: the seat's own hand would tell that it is right.
                    assert_ne!(hand(found, deal, seat), hand(secrets, deal, seat));
                    let deck = Deck::shuffled_by(&mut Key(found).rng());
                    let dealt = Deal::new(&RuleSet::BGA.deal, deck, Seat::from_index((deal % 4) as usize));
                    assert_ne!(dealt.hands()[seat], hand(secrets, deal, seat));
                }
            }
        }
    }
}

#[test]
fn a_seat_does_not_find_the_keys_of_another() {
    let secrets = Secrets::from(42);
    for deal in 0..50 {
        let keys = secrets.decisions(deal);
        for seat in Seat::ALL {
            // All that the chain gives from one seat's keys: those of its own decisions before and after.
            let own = without(keys[seat].and(3), 3);
            assert_eq!(own, keys[seat]);
            for other in Seat::ALL.into_iter().filter(|other| *other != seat) {
                for word in 0..8 {
                    assert_ne!(without(own, word), keys[other]);
                    assert_ne!(without(own, seat as u64).and(other as u64), keys[other]);
                }
            }
        }
    }
}
