//! The schedule is a pure function of seed, unit and number.

use coinche_arena::{Schedule, Side, Unit};
use coinche_engine::{Deck, RuleSet, Seat, first_dealer};

const DEALS: Schedule = Schedule { seed: 42, unit: Unit::Deal, pairs: 9 };

#[test]
fn every_pair_has_two_legs_with_the_teams_exchanged() {
    let legs: Vec<_> = DEALS.legs().collect();
    assert_eq!(legs.len(), 18);
    for (n, pair) in legs.chunks(2).enumerate() {
        let [first, second] = pair else { panic!("two legs") };
        assert_eq!((first.index, first.leg), (n as u64, 0));
        assert_eq!((second.index, second.leg), (n as u64, 1));
        assert_eq!(first.dealer, second.dealer);
        assert_eq!(first.dealer.index(), n % 4);
        assert_eq!(first.sides.0, [Side::A, Side::B, Side::A, Side::B]);
        assert_eq!(second.sides.0, [Side::B, Side::A, Side::B, Side::A]);
        for leg in pair {
            for seat in Seat::ALL {
                assert_eq!(leg.side(seat.team()), leg.sides[seat]);
                assert_eq!(leg.team(leg.sides[seat]), seat.team());
            }
        }
    }
}

#[test]
fn legs_do_not_depend_on_how_many_there_are() {
    let more = Schedule { pairs: 1000, ..DEALS };
    assert!(DEALS.legs().eq(more.legs().take(18)));
    assert_eq!(DEALS.pair(7), more.pair(7));
}

#[test]
fn deals_follow_from_seed_and_index_alone() {
    let rules = RuleSet::BGA.deal;
    let deal = DEALS.deal(&rules, 5);
    assert_eq!(deal.dealer(), Seat::S1);
    assert_eq!(*deal.deck(), Deck::shuffled(42, 5));
    assert_ne!(deal, Schedule { seed: 43, ..DEALS }.deal(&rules, 5));
}

#[test]
fn every_decision_has_a_key_of_its_own() {
    let mut keys = Vec::new();
    for leg in DEALS.legs() {
        for seat in Seat::ALL {
            keys.push(DEALS.deal_key(&leg, seat).bits());
            keys.extend((0..3).map(|deal| DEALS.match_key(&leg, deal, seat).bits()));
        }
    }
    let all = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), all);
}

#[test]
fn the_first_dealer_of_a_match_is_drawn() {
    let matches = Schedule { unit: Unit::Match, pairs: 200, ..DEALS };
    let mut seen = [0; 4];
    for leg in matches.legs() {
        assert_eq!(leg.dealer, first_dealer(42, leg.index));
        seen[leg.dealer.index()] += 1;
    }
    assert!(seen.iter().all(|count| *count > 60), "{seen:?}");
}
