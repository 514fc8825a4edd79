//! How likely actions are: the quick computation against a literal one, probabilities that add up, and renamed suits.

use std::collections::BTreeSet;
use std::sync::Arc;

use coinche_bots::net::bidding::RuleNumbers;
use coinche_bots::net::reading::{ChoiceTarget, Moment, Population, Reader};
use coinche_bots::net::{Loss, Target};
use coinche_bots::worlds::Worlds;
use coinche_bots::{Choice, Registry};
use coinche_engine::{Deal, DealState, Deck, Key, RuleSet, Seat, Secrets, Seed, Turn};

use crate::common::rule_sets;
use crate::net::{literal, random_layers};

/// Networks of small random weights.
pub(crate) fn random(key: Key) -> Population {
    Population { calls: random_layers(key), cards: random_layers(key.and(1)) }
}

/// The least probability of an action.
const FLOOR: f64 = 0.01;

/// Plays deals by `rules` bidders and players, and calls `visit` before each decision.
fn decisions(rules: &RuleSet, deals: u64, mut visit: impl FnMut(&DealState, Seat, Choice)) {
    let mut bot = Registry::builtin().parse("rules").unwrap().build();
    for index in 0..deals {
        let dealer = Seat::from_index(usize::try_from(index % 4).unwrap());
        let deck = Deck::shuffled(Secrets::from(&Seed::from(53)), index);
        let mut state = DealState::new(rules, &Deal::new(&rules.deal, deck, dealer));
        loop {
            let key = Key::from_bits(0);
            match state.turn() {
                Turn::Over => break,
                Turn::Call(seat) => {
                    let call = bot.bidder.call(&state.view(seat), &state.legal_calls(), key);
                    visit(&state, seat, Choice::Call(call));
                    state.call(call).unwrap();
                }
                Turn::Play(seat) => {
                    let card = bot.player.play(&state, seat, state.legal_plays(), key);
                    visit(&state, seat, Choice::Card(card));
                    state.play(card).unwrap();
                }
            }
        }
    }
}

/// The probability of what was chosen, number by number.
fn chance<const O: usize>(target: ChoiceTarget, outputs: &[f64; O]) -> f64 {
    let sum = |of: u128| (0..O).filter(|at| of >> at & 1 == 1).map(|at| outputs[at].exp()).sum::<f64>();
    FLOOR + (1.0 - FLOOR) * sum(target.chosen) / sum(target.legal)
}

#[test]
fn likelihoods_are_those_of_literal_networks_whatever_was_asked_before() {
    let population = Arc::new(random(Key::from_bits(2)));
    let mut reader = Reader::new(Arc::clone(&population));
    let (mut calls, mut cards) = (0, 0);
    for (name, rules) in rule_sets() {
        let numbers = RuleNumbers::new(&rules);
        decisions(&rules, 3, |state, seat, choice| {
            let mut moment = Moment::new(state.clone(), seat, choice);
            // As a partner sees it: hands that the seat may hold.
            let view = state.view(seat.partner());
            let worlds = Worlds::of(&view);
            let mut rng = Key::from_bits(7).rng();
            for _ in 0..4 {
                let deal = worlds.deal(&mut rng);
                let told = coinche_bots::worlds::retell(&view, &deal, |_, _, _| {}).unwrap();
                let first_hand = told.view(seat).first_hand();
                let likelihood = reader.likelihood(&mut moment, first_hand);
                let Some((input, target)) = Moment::new(told.clone(), seat, choice).row(&numbers) else {
                    assert!(
                        (likelihood - 1.0).abs() < 1e-12 || matches!(choice, Choice::Call(_)),
                        "{name}: {likelihood} where nothing was chosen"
                    );
                    continue;
                };
                let input = input.iter().map(|(at, value)| (usize::from(*at), *value));
                let expected = match choice {
                    Choice::Call(_) => chance(target, &literal(&population.calls, input)),
                    Choice::Card(_) => chance(target, &literal(&population.cards, input)),
                };
                assert!((likelihood - expected).abs() < 4e-3, "{name}: {likelihood} {expected}");
                match choice {
                    Choice::Call(_) => calls += 1,
                    Choice::Card(_) => cards += 1,
                }
            }
        });
    }
    assert!(calls > 1_000 && cards > 1_000, "{calls} {cards}");
}

#[test]
fn probabilities_of_all_that_could_be_done_add_up() {
    let mut reader = Reader::new(random(Key::from_bits(3)).into());
    for (name, rules) in rule_sets() {
        let numbers = RuleNumbers::new(&rules);
        decisions(&rules, 2, |state, seat, choice| {
            let options: Vec<Choice> = match choice {
                Choice::Call(_) => {
                    let legal = state.legal_calls();
                    (0..legal.len()).filter_map(|n| legal.nth(n)).map(Choice::Call).collect()
                }
                Choice::Card(_) => state.legal_plays().into_iter().map(Choice::Card).collect(),
            };
            let (mut met, mut sum) = (BTreeSet::new(), 0.0);
            for option in options {
                let mut moment = Moment::new(state.clone(), seat, option);
                // Cards that do the same are one choice, and so are two kinds of passes.
                if let Some((_, target)) = moment.row(&numbers)
                    && met.insert(target.chosen)
                {
                    let likelihood = reader.likelihood(&mut moment, state.view(seat).first_hand());
                    sum += (likelihood - FLOOR) / (1.0 - FLOOR);
                }
            }
            assert!(met.is_empty() || (sum - 1.0).abs() < 1e-4, "{name}: {sum}");
        });
    }
}

#[test]
fn slopes_are_those_of_the_loss() {
    let target = ChoiceTarget { legal: 0b1011_0110, chosen: 0b0010_0010 };
    let outputs: [f32; 8] = [0.3, -1.0, 0.5, 2.0, 0.1, 0.9, -0.4, 0.2];
    let (slopes, _) = target.off(&outputs);
    for at in 0..8 {
        let moved = |by: f32| {
            let mut outputs = outputs;
            outputs[at] += by;
            let (_, Loss(losses)) = target.off(&outputs);
            losses[0].0
        };
        let slope = (moved(0.01) - moved(-0.01)) / 0.02;
        assert!((slope - f64::from(slopes[at])).abs() < 5e-3, "{at}: {slope} {}", slopes[at]);
    }
}

#[test]
fn a_file_holds_both() {
    let population = random(Key::from_bits(5));
    let bytes = population.to_bytes(&[("seed", "5".to_owned())]);
    assert_eq!(Population::from_bytes("mine", &bytes).unwrap(), population);
    let mut damaged = bytes.clone();
    damaged[bytes.len() - 7] ^= 1;
    let error = Population::from_bytes("mine", &damaged).unwrap_err().to_string();
    assert!(error.contains("damaged"), "{error}");
}
