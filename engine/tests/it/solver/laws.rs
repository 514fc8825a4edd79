//! What exact values obey, on whole deals.

use coinche_engine::solver::tuning::{Ordering, Techniques};
use coinche_engine::solver::{Solver, points_to_come, takes_all};
use coinche_engine::{BySeat, Card, CardSet, PlayState, Rank, RuleSet, Seat, Strain, Suit, Team};

use super::plain::{own, play};
use super::{hands, play_on, rules, strain};

/// A state of a whole deal after some random cards.
fn state(rules: &RuleSet, cards: usize, index: u64) -> PlayState {
    let leader = Seat::from_index(usize::try_from(index / 6 % 4).unwrap());
    play_on(PlayState::new(&rules.play, strain(index), hands(index), leader), cards, index)
}

fn values(solver: &mut Solver, rules: &RuleSet, state: &PlayState) -> Vec<(Card, i32)> {
    let mut values = Vec::new();
    solver.values(rules, state, |card, value| values.push((card, value)));
    values
}

/// The value for seats 0 and 2.
fn even(solver: &mut Solver, rules: &RuleSet, state: &PlayState) -> i32 {
    if state.is_over() { 0 } else { own(rules, state, solver.value(rules, state)) }
}

/// Replaces every card of a position.
fn replaced(
    rules: &RuleSet,
    strain: Strain,
    hands: BySeat<CardSet>,
    leader: Seat,
    card: impl Fn(Card) -> Card,
) -> PlayState {
    let hands = hands.map(|hand| hand.into_iter().map(&card).collect());
    PlayState::new(&rules.play, strain, hands, leader)
}

#[test]
fn names_of_suits_do_not_matter() {
    let mut solver = Solver::new();
    for index in 0..36 {
        let (rules, strain, hands) = (rules(index / 6), strain(index), hands(index));
        let leader = Seat::from_index(usize::try_from(index % 4).unwrap());
        let expected = solver.value(&rules, &PlayState::new(&rules.play, strain, hands, leader));
        for order in [[1, 2, 3, 0], [3, 2, 1, 0], [2, 0, 3, 1]] {
            let suit = |suit: Suit| Suit::from_index(order[suit.index()]);
            let renamed = strain.trump().map_or(strain, |trump| Strain::of(suit(trump)));
            let state =
                replaced(&rules, renamed, hands, leader, |card| Card::new(suit(card.suit()), card.rank()));
            assert_eq!(solver.value(&rules, &state), expected, "{index} {order:?}");
        }
    }
}

#[test]
fn names_of_seats_do_not_matter() {
    let mut solver = Solver::new();
    for index in 0..36 {
        let (rules, strain, hands) = (rules(index / 6), strain(index), hands(index));
        let expected = solver.value(&rules, &PlayState::new(&rules.play, strain, hands, Seat::S1));
        for turn in 1..4 {
            let turned = BySeat::from_fn(|seat| hands[seat.plus(4 - turn)]);
            let state = PlayState::new(&rules.play, strain, turned, Seat::S1.plus(turn));
            assert_eq!(solver.value(&rules, &state), expected, "{index} turned by {turn}");
        }
    }
}

/// The cards between which nobody else's card lies and whose points are the same.
fn equivalent(rules: &RuleSet, state: &PlayState, a: Card, b: Card) -> bool {
    let strain = state.strain();
    let others: CardSet = Seat::ALL
        .into_iter()
        .filter(|seat| *seat != state.to_play())
        .map(|seat| state.hand(seat))
        .chain([state.trick().map(|(_, card)| card).collect()])
        .fold(CardSet::EMPTY, |all, cards| all | cards);
    let between = (strain.above(a) - strain.above(b)) | (strain.above(b) - strain.above(a));
    a.suit() == b.suit()
        && rules.card_points(strain, a) == rules.card_points(strain, b)
        && (between & others).is_empty()
}

#[test]
fn equivalent_cards_are_worth_the_same() {
    let mut solver = Solver::new();
    let mut pairs = 0;
    for index in 0..240 {
        let rules = rules(index / 6);
        let state = state(&rules, usize::try_from(index % 11).unwrap(), index);
        let values = values(&mut solver, &rules, &state);
        for (a, value) in &values {
            for (b, other) in values.iter().filter(|(b, _)| a != b && equivalent(&rules, &state, *a, *b)) {
                assert_eq!(value, other, "{index}: {a} {b} {state:?}");
                pairs += 1;
            }
        }
    }
    assert!(pairs > 50, "{pairs}");
}

#[test]
fn the_lowest_plain_cards_can_be_exchanged() {
    let mut solver = Solver::new();
    for index in 0..24 {
        let (rules, strain, hands) = (rules(index / 6), strain(index), hands(index));
        let leader = Seat::from_index(usize::try_from(index % 4).unwrap());
        let exchange = |card: Card| {
            let holder = |rank| hands.0.iter().position(|hand| hand.contains(Card::new(card.suit(), rank)));
            let rank = match card.rank() {
                rank if holder(Rank::Seven) != holder(Rank::Eight) => rank,
                Rank::Seven => Rank::Eight,
                Rank::Eight => Rank::Seven,
                rank => rank,
            };
            Card::new(card.suit(), rank)
        };
        let state = PlayState::new(&rules.play, strain, hands, leader);
        let mut exchanged: Vec<_> =
            values(&mut solver, &rules, &replaced(&rules, strain, hands, leader, exchange))
                .into_iter()
                .map(|(card, value)| (exchange(card).index(), value))
                .collect();
        exchanged.sort_unstable();
        let expected: Vec<_> = values(&mut solver, &rules, &state)
            .into_iter()
            .map(|(card, value)| (card.index(), value))
            .collect();
        assert_eq!(exchanged, expected, "{index}");
    }
}

#[test]
fn a_best_card_keeps_the_value_and_no_other_raises_it() {
    let mut solver = Solver::new();
    // The positions after the cards, solved with a table of their own.
    let mut other = Solver::new();
    for index in 0..60 {
        let rules = rules(index / 6);
        let state = state(&rules, usize::try_from(index % 9).unwrap(), index);
        let value = solver.value(&rules, &state);
        let values = values(&mut solver, &rules, &state);
        assert_eq!(values.iter().map(|(_, value)| *value).max(), Some(value), "{index}");
        for (card, expected) in values {
            let mut next = state;
            let gain = play(&rules, &mut next, card, coinche_engine::ByTeam([0; 2]));
            let after = gain + even(&mut other, &rules, &next);
            assert_eq!(own(&rules, &state, after), expected, "{index} {card}: {state:?}");
        }
    }
}

#[test]
fn cards_have_their_values_inside_a_window_and_a_bound_outside() {
    let mut solver = Solver::new();
    for (rules, cards) in [(RuleSet::BGA, 5), (RuleSet::CONTREE, 6), (RuleSet::BGA_JA, 7)] {
        for index in 0..60 {
            let state = state(&rules, cards, index);
            let all = values(&mut solver, &rules, &state);
            let low = i32::try_from(index).unwrap() * 3 - 20;
            for width in [1, 7, 40] {
                let high = low + width;
                let mut seen = 0;
                let asked = state.legal_plays().into_iter().skip(index.is_multiple_of(2).into()).collect();
                solver.values_within(&rules, &state, asked, low, high, |card, value| {
                    let exact = all.iter().find(|(other, _)| *other == card).unwrap().1;
                    seen += 1;
                    assert_eq!(value.clamp(low, high), exact.clamp(low, high), "{card} in {low}..{high}");
                });
                assert_eq!(seen, asked.len());
            }
        }
    }
}

#[test]
fn the_points_of_both_sides_are_all_there_are() {
    let mut solver = Solver::new();
    for index in 0..60 {
        let rules = rules(index / 6);
        let state = state(&rules, 0, index);
        assert_eq!(points_to_come(&rules, &state), 162);
        let value = solver.value(&rules, &state);
        // The same bound asked from the other side: one of its two next players answers.
        let highest = state
            .legal_plays()
            .into_iter()
            .map(|card| {
                let mut next = state;
                next.play_unchecked(card);
                162 - solver.value(&rules, &next)
            })
            .max();
        assert_eq!(Some(value), highest, "{index}");
        assert!(solver.reaches(&rules, &state, value) && !solver.reaches(&rules, &state, value + 1));
    }
}

/// Solvers without each of the techniques, and one whose order of moves is none.
fn slower_solvers() -> Vec<(&'static str, Solver)> {
    let all = Techniques::ALL;
    let without = |name, techniques| (name, Solver::with_techniques(techniques));
    let none = Ordering { lead: [[0; 8]; 48], reply: [[0; 8]; 140], killer: 0 };
    vec![
        without("ordering", Techniques { ordering: false, ..all }),
        without("killer", Techniques { killer: false, ..all }),
        without("scout", Techniques { scout: false, ..all }),
        without("table", Techniques { table: false, ..all }),
        without("shapes", Techniques { shapes: false, ..all }),
        without("settled", Techniques { settled: false, ..all }),
        without("neighbours", Techniques { neighbours: false, ..all }),
        without("sure tricks", Techniques { sure_tricks: false, ..all }),
        without("endings", Techniques { endings: false, ..all }),
        ("scores", Solver::with_ordering(none)),
    ]
}

#[test]
fn no_technique_changes_a_value() {
    let mut solver = Solver::new();
    for (name, mut slower) in slower_solvers() {
        // Without the table a whole deal takes for ever.
        let (deals, played) = if matches!(name, "table" | "shapes") { (30, 10) } else { (18, 0) };
        for index in 0..deals {
            let rules = rules(index / 6);
            // No trump takes long in no order at all.
            let played = if strain(index) == Strain::NoTrump { played.max(6) } else { played };
            let state = state(&rules, played, index);
            let expected = values(&mut solver, &rules, &state);
            assert_eq!(values(&mut slower, &rules, &state), expected, "without {name}: {index}");
        }
    }
}

#[test]
fn what_the_table_keeps_changes_no_value() {
    let mut kept = Solver::new();
    for index in 0..12 {
        let rules = rules(index / 6);
        // Forth and back through a deal, from other leaders, in other strains, under other rules.
        for (cards, strain) in [(0, index), (9, index), (4, index), (14, index), (6, index + 1), (0, index)] {
            for leader in Seat::ALL {
                let begin = PlayState::new(&rules.play, super::strain(strain), hands(index), leader);
                let state = play_on(begin, cards, index);
                let fresh = Solver::new().value(&rules, &state);
                assert_eq!(kept.value(&rules, &state), fresh, "{index} {cards} {strain} {leader}");
            }
        }
    }
}

#[test]
fn a_side_that_is_to_take_all_tricks_takes_all_points() {
    let mut solver = Solver::new();
    let mut slams = 0;
    for index in 0..200 {
        let rules = rules(index / 6);
        let state = state(&rules, 0, index);
        let taken = takes_all(&mut solver, &rules, &state, state.to_play().team());
        let value = solver.value(&rules, &state);
        assert!(!taken || value == 162, "{index}");
        slams += u32::from(taken);
        for team in Team::ALL {
            let expected = if team == state.to_play().team() { Some(taken) } else { None };
            let found = takes_all(&mut solver, &rules, &state, team);
            assert!(expected.is_none_or(|expected| expected == found), "{index}");
            assert!(!found || value == if expected.is_some() { 162 } else { 0 }, "{index}");
        }
    }
    assert!(slams > 0);
}
