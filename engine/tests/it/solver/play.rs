//! Best play, card by card, through the referee.

use coinche_engine::rules::Undertrump;
use coinche_engine::solver::Solver;
use coinche_engine::{ByTeam, Card, Deal, DealState, Deck, Outcome, PlayState, RuleSet, Seat, Strain, Turn};

/// Plays a deal in which every player always plays a card of the highest value, `choice` saying which of
/// several.
fn played(rules: &RuleSet, deal: &Deal, strain: Strain, choice: usize) -> DealState {
    let mut state = DealState::new(rules, deal);
    state.call(format!("100{strain}").parse().unwrap()).unwrap();
    for _ in 0..3 {
        state.call("P".parse().unwrap()).unwrap();
    }
    let mut solver = Solver::new();
    while let Turn::Play(_) = state.turn() {
        let mut cards: Vec<(Card, i32)> = Vec::new();
        solver.values(rules, state.play_state().unwrap(), |card, value| cards.push((card, value)));
        let best = cards.iter().map(|(_, value)| *value).max();
        cards.retain(|(_, value)| Some(*value) == best);
        state.play(cards[choice % cards.len()].0).unwrap();
    }
    state
}

#[test]
fn four_best_players_reach_the_solved_value() {
    let mut solver = Solver::new();
    for index in 0..18u64 {
        let undertrump = if index % 2 == 1 { Undertrump::Free } else { Undertrump::Forced };
        let rules = RuleSet::BGA.with(|options| options.play.undertrump = undertrump).unwrap();
        let strain = Strain::ALL[usize::try_from(index / 3 % 6).unwrap()];
        let dealer = Seat::from_index(usize::try_from(index % 4).unwrap());
        let deal = Deal::new(&rules.deal, Deck::shuffled(5, index), dealer);
        let leader = dealer.next();
        let begin = PlayState::new(&rules.play, strain, *deal.hands(), leader);
        let value = solver.value(&rules, &begin);
        for choice in [0, 1, 5] {
            let state = played(&rules, &deal, strain, choice);
            let Some(Outcome::Played { result, .. }) = state.outcome() else { panic!("{index}") };
            assert_eq!(i32::from(result.card_points[leader.team()]), value, "{index} {strain}");
            assert_eq!(i32::from(result.card_points[leader.team().other()]), 162 - value);
        }
    }
}

#[test]
fn the_line_of_best_play_reaches_the_solved_value() {
    let rules = RuleSet::BGA;
    let mut solver = Solver::new();
    for index in 0..12u64 {
        let strain = Strain::ALL[usize::try_from(index % 6).unwrap()];
        let deal = Deal::new(&rules.deal, Deck::shuffled(6, index), Seat::S3);
        let begin = PlayState::new(&rules.play, strain, *deal.hands(), Seat::S0);
        let mut state = super::play_on(begin, usize::try_from(index).unwrap(), index);
        let before = state.card_points(&rules);
        let team = state.to_play().team();
        let value = solver.value(&rules, &state);
        let mut line = Vec::new();
        solver.line(&rules, &state, |seat, card| line.push((seat, card)));
        assert_eq!(line.len(), 32 - usize::try_from(index).unwrap());
        for (seat, card) in line {
            assert_eq!(state.to_play(), seat);
            (state, _) = state.play(card).unwrap();
        }
        assert!(state.is_over());
        assert_eq!(i32::from(state.card_points(&rules)[team] - before[team]), value, "{index}");
    }
}

/// The line by its definition: at every card the first of the highest value.
fn literal_line(solver: &mut Solver, rules: &RuleSet, mut state: PlayState) -> Vec<(Seat, Card)> {
    let mut line = Vec::new();
    while !state.is_over() {
        let mut best: Option<(Card, i32)> = None;
        solver.values(rules, &state, |card, value| {
            if best.is_none_or(|(_, other)| value > other) {
                best = Some((card, value));
            }
        });
        let (card, _) = best.unwrap();
        line.push((state.to_play(), card));
        (state, _) = state.play(card).unwrap();
    }
    line
}

#[test]
fn the_line_has_the_first_best_card_at_every_turn() {
    let (mut solver, mut other) = (Solver::new(), Solver::new());
    let mut slams = 0;
    for index in 0..36u64 {
        let undertrump = if index % 4 == 1 { Undertrump::Free } else { Undertrump::Forced };
        let rules = RuleSet::BGA.with(|options| options.play.undertrump = undertrump).unwrap();
        let prizes = ByTeam([[0; 2], [1; 2], [90, 90], [1, 0]][usize::try_from(index % 4).unwrap()]);
        solver.set_prizes(prizes);
        other.set_prizes(prizes);
        let strain = Strain::ALL[usize::try_from(index / 2 % 6).unwrap()];
        // Sorted decks, cut, make lopsided deals, with slams among them.
        let deck = if index < 18 {
            Deck::shuffled(7, index)
        } else {
            Deck::sorted().cut(usize::try_from(index).unwrap() % 28 + 2)
        };
        let deal = Deal::new(&rules.deal, deck, Seat::S3);
        let begin = PlayState::new(&rules.play, strain, *deal.hands(), Seat::S0);
        let state = super::play_on(begin, usize::try_from(index % 9).unwrap(), index);
        let mut line = Vec::new();
        solver.line(&rules, &state, |seat, card| line.push((seat, card)));
        assert_eq!(line, literal_line(&mut other, &rules, state), "{index} {strain}");
        let mut end = state;
        for (_, card) in &line {
            (end, _) = end.play(*card).unwrap();
        }
        slams += u32::from(end.tricks_won(Seat::S0.team()).is_multiple_of(8));
    }
    assert!(slams > 0);
}
