//! Endings against plain searches.

use coinche_engine::solver::{Solver, takes_all};
use coinche_engine::{ByTeam, Card, PlayState, RuleSet, Team};

use super::plain::{self, AlphaBeta, own, rest};
use super::{ending, rules, strain};
use crate::common::{long, size};

const NO_PRIZES: ByTeam<i32> = ByTeam([0; 2]);

/// The value of each legal card for the side to play.
fn expected(rules: &RuleSet, state: &PlayState, plainly: bool) -> Vec<(Card, i32)> {
    let mut search = AlphaBeta::default();
    let mut value = |card| {
        if plainly {
            return plain::after(rules, state, card, NO_PRIZES);
        }
        let mut next = *state;
        plain::play(rules, &mut next, card, NO_PRIZES) + search.value(rules, &next)
    };
    state.legal_plays().into_iter().map(|card| (card, own(rules, state, value(card)))).collect()
}

/// Asks the solver everything about a position.
fn compare(solver: &mut Solver, rules: &RuleSet, state: &PlayState, plainly: bool, index: u64) {
    let cards = expected(rules, state, plainly);
    let value = cards.iter().map(|(_, value)| *value).max().unwrap();
    let place = format!("{index}: {state:?}");
    if index.is_multiple_of(2) {
        // As often with what the values of the cards leave in the table.
        assert_eq!(solver.value(rules, state), value, "{place}");
    }
    let mut found = Vec::new();
    solver.values(rules, state, |card, value| found.push((card, value)));
    assert_eq!(found, cards, "{place}");
    assert_eq!(solver.value(rules, state), value, "{place}");
    for points in [value - 1, value, value + 1] {
        assert_eq!(solver.reaches(rules, state, points), points <= value, "{place}");
    }
    for (low, high) in [(value - 3, value + 3), (value - 9, value - 2), (value + 2, value + 9)] {
        let within = solver.value_within(rules, state, low, high);
        assert_eq!(within.clamp(low, high), value.clamp(low, high), "{place} within {low}, {high}");
    }
}

/// How many endings are compared, and whether in the long form: what the environment says, or few.
fn wanted() -> (u64, bool) {
    let wanted = std::env::var("COINCHE_ENDINGS").ok().and_then(|number| number.parse().ok());
    (wanted.unwrap_or(size(2000, 20_000)), wanted.is_some() || long())
}

#[test]
fn endings_are_as_plain_search_finds_them() {
    let (number, thorough) = wanted();
    let mut solver = Solver::new();
    for index in 0..number {
        let rules = rules(index / 6);
        let cards = [3, 4, 3, 4, 4, 3, 4, 5, 4, 6][usize::try_from(index % 10).unwrap()];
        let inside = usize::try_from(index / 5 % 4).unwrap();
        let state = ending(&rules, strain(index), cards, inside, index);
        compare(&mut solver, &rules, &state, cards <= if thorough { 5 } else { 4 }, index);
    }
}

/// The play of the Klaverjas benchmark: who cannot follow trumps and overtrumps the partner, too.
#[test]
fn klaverjas_is_as_plain_search_finds_it() {
    let rules =
        RuleSet::BELOTE.with(|options| options.play.partner_trump = super::PartnerTrump::Always).unwrap();
    let (mut solver, mut changed) = (Solver::new(), 0);
    let number = wanted().0 / 2;
    for index in 0..number {
        let strain = super::strain(index % 4);
        let state = ending(&rules, strain, 4, usize::try_from(index / 4 % 4).unwrap(), index);
        compare(&mut solver, &rules, &state, true, index);
        let other = ending(&RuleSet::BELOTE, strain, 4, 0, index);
        let always = ending(&rules, strain, 4, 0, index);
        // In every third the cards before were played at random, by the rule or not.
        let differs = solver.value(&rules, &always) != solver.value(&RuleSet::BELOTE, &other);
        changed += u64::from(differs && !index.is_multiple_of(3));
    }
    // The rule decides some of them, or the test looks at nothing.
    assert!(changed > number / 100, "{changed} of {number}");
}

#[test]
fn seven_cards_are_as_a_simple_search_finds_them() {
    let (number, _) = wanted();
    let mut solver = Solver::new();
    for index in 0..number / 100 {
        let rules = rules(index / 6);
        let state = ending(&rules, strain(index), 7, usize::try_from(index / 3 % 4).unwrap(), index);
        compare(&mut solver, &rules, &state, false, index);
    }
}

#[test]
fn slams_are_as_plain_search_finds_them() {
    let mut solver = Solver::new();
    let mut found = [0; 2];
    for index in 0..3000 {
        let rules = rules(index / 6);
        let cards = 1 + usize::try_from(index % 4).unwrap();
        let state = ending(&rules, strain(index), cards, usize::try_from(index / 5 % 4).unwrap(), index);
        for team in Team::ALL {
            let taken = plain::takes_all(&state, team);
            assert_eq!(takes_all(&mut solver, &rules, &state, team), taken, "{index} {team}: {state:?}");
            if state.to_play().team() == team {
                found[usize::from(taken)] += 1;
            }
        }
    }
    assert!(found[0] > 300 && found[1] > 300, "{found:?}");
}

#[test]
fn prizes_are_as_plain_search_finds_them() {
    let prizes = [[0, 0], [90, 0], [0, 90], [90, 90], [250, 500], [1, 1], [3000, 0]];
    for index in 0..1200u64 {
        let rules = rules(index / 6);
        let cards = 2 + usize::try_from(index % 3).unwrap();
        let state = ending(&rules, strain(index), cards, usize::try_from(index / 5 % 4).unwrap(), index);
        let prizes = ByTeam(prizes[usize::try_from(index % 7).unwrap()]);
        let mut solver = Solver::new();
        solver.set_prizes(prizes.map(|prize| u16::try_from(prize).unwrap()));
        let mut best = i32::MIN;
        let mut cards = Vec::new();
        for card in state.legal_plays() {
            let value = own(&rules, &state, plain::after(&rules, &state, card, prizes));
            best = best.max(value);
            cards.push((card, value));
        }
        assert_eq!(solver.value(&rules, &state), best, "{index} {prizes:?}: {state:?}");
        let mut found = Vec::new();
        solver.values(&rules, &state, |card, value| found.push((card, value)));
        assert_eq!(found, cards, "{index} {prizes:?}: {state:?}");
        for points in [best, best + 1] {
            assert_eq!(solver.reaches(&rules, &state, points), points <= best);
        }
        // Without prizes it is the old value again.
        solver.set_prizes(ByTeam([0; 2]));
        let value = own(&rules, &state, plain::minimax(&rules, &state, NO_PRIZES));
        assert_eq!(solver.value(&rules, &state), value);
        assert!((0..=rest(&rules, &state)).contains(&value));
    }
}
