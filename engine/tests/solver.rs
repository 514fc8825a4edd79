//! The solver against plain minimax.

use coinche_engine::{
    BySeat, Card, CardSet, Deck, Key, PlayState, RuleSet, Seat, Solver, Strain, random_card,
};

/// Points to come for the side to play, by the rules alone.
fn minimax(rules: &RuleSet, state: &PlayState) -> i32 {
    if state.is_over() {
        return 0;
    }
    state.legal_plays().into_iter().map(|card| after(rules, state, card)).max().expect("a legal card")
}

/// The same, when this card is played first.
fn after(rules: &RuleSet, state: &PlayState, card: Card) -> i32 {
    let side = state.to_play().team();
    let total = |state: &PlayState| state.card_points(rules).map(i32::from);
    let (next, _) = state.play(card).expect("a legal card");
    let won = total(&next)[side] - total(state)[side];
    let lost = total(&next)[side.other()] - total(state)[side.other()];
    if next.is_over() {
        return won;
    }
    let value = minimax(rules, &next);
    won + if next.to_play().team() == side { value } else { rest(rules, state) - won - lost - value }
}

/// All points to come.
fn rest(rules: &RuleSet, state: &PlayState) -> i32 {
    let mut cards: CardSet = state.trick().map(|(_, card)| card).collect();
    for seat in Seat::ALL {
        cards |= state.hand(seat);
    }
    let strain = state.strain();
    i32::from(rules.cards.points_of(strain, cards) + rules.scoring.last_trick_in(strain))
}

/// An ending of `cards` cards a hand, `inside` of them on the table.
fn ending(rules: &RuleSet, strain: Strain, cards: usize, inside: u64, index: u64) -> PlayState {
    let deck = Deck::shuffled(99, index);
    let hands =
        BySeat::from_fn(|seat| deck.cards().iter().skip(8 * seat.index()).take(cards).copied().collect());
    let leader = Seat::ALL[(index % 4) as usize];
    let mut state = PlayState::new(&rules.play, strain, hands, leader);
    let key = Key::decisions(7, index, 0, Seat::S0);
    for n in 0..inside {
        state.play_unchecked(random_card(state.legal_plays(), key.and(n)).expect("a card"));
    }
    state
}

#[test]
fn agrees_with_minimax() {
    let mut solver = Solver::new();
    for index in 0..400u64 {
        let rules = if index % 2 == 0 { RuleSet::BGA } else { RuleSet::CONTREE };
        let strain = Strain::ALL[(index / 2 % 6) as usize];
        let cards = [3, 4, 4, 5][(index / 12 % 4) as usize];
        let state = ending(&rules, strain, cards, index / 48 % 4, index);
        let value = minimax(&rules, &state);
        assert_eq!(solver.value(&rules, &state), value, "{index} {strain} {state:?}");
        solver.values(&rules, &state, |card, value| {
            assert_eq!(value, after(&rules, &state, card), "{index} {strain} {card}");
        });
        for points in [value - 1, value, value + 1] {
            assert_eq!(solver.reaches(&rules, &state, points), points <= value);
        }
    }
}
