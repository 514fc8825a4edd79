//! The schedule is a pure function of seed, unit and number.

use coinche_arena::Unit;
use coinche_engine::{Deck, RuleSet, Seat, first_dealer};
use coinche_selfplay::{Schedule, Side};

fn deals() -> Schedule {
    Schedule { secrets: 42.into(), unit: Unit::Deal, pairs: 9 }
}

#[test]
fn every_pair_has_two_legs_with_the_teams_exchanged() {
    let legs: Vec<_> = deals().legs().collect();
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
    let more = Schedule { pairs: 1000, ..deals() };
    assert!(deals().legs().eq(more.legs().take(18)));
    assert_eq!(deals().pair(7), more.pair(7));
}

#[test]
fn deals_follow_from_seed_and_index_alone() {
    let rules = RuleSet::BGA.deal;
    let deal = deals().deal(&rules, 5);
    assert_eq!(deal.dealer(), Seat::S1);
    assert_eq!(*deal.deck(), Deck::shuffled(42, 5));
    assert_ne!(deal, Schedule { secrets: 43.into(), ..deals() }.deal(&rules, 5));
}

#[test]
fn every_decision_has_a_key_of_its_own() {
    let mut keys = Vec::new();
    for index in 0..20 {
        for key in deals().keys(index).0 {
            keys.extend((0..40).map(|decision| key.and(decision).bits()));
        }
        for deal in 0..4 {
            for key in deals().match_keys(index, deal).0 {
                keys.extend((0..40).map(|decision| key.and(decision).bits()));
            }
        }
    }
    let all = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), all);
}

#[test]
fn identifiers_of_deals_say_nothing() {
    let of = |deal, leg, seat, table| deals().identifier(deal, leg, seat, table);
    assert_eq!(of(3, 1, Seat::S2, "a"), of(3, 1, Seat::S2, "a"));
    let places = ["a", "b"].into_iter().flat_map(|table| [(0, table), (1, table)]);
    let places: Vec<_> = places.flat_map(|(leg, table)| Seat::ALL.map(|seat| (leg, seat, table))).collect();
    let mut all: Vec<u64> = (0..500)
        .flat_map(|deal| places.iter().map(move |(leg, seat, table)| of(deal, *leg, *seat, table)))
        .collect();
    assert!(!all.is_sorted() && all.iter().all(|id| *id > 1_000_000), "{all:?}");
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 8000);
}

#[test]
fn the_first_dealer_of_a_match_is_drawn() {
    let matches = Schedule { unit: Unit::Match, pairs: 200, ..deals() };
    let mut seen = [0; 4];
    for leg in matches.legs() {
        assert_eq!(leg.dealer, first_dealer(42, leg.index));
        seen[leg.dealer.index()] += 1;
    }
    assert!(seen.iter().all(|count| *count > 60), "{seen:?}");
}
