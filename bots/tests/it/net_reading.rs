//! How likely calls are: the quick computation against a literal one, probabilities that add up, and renamed suits.

use std::collections::BTreeSet;
use std::sync::Arc;

use coinche_bots::Registry;
use coinche_bots::net::bidding::RuleNumbers;
use coinche_bots::net::reading::{ChoiceTarget, Moment, Population, Reader};
use coinche_bots::net::{Loss, Target};
use coinche_bots::worlds::{Worlds, retell};
use coinche_engine::{Call, Deal, DealState, Deck, Key, RuleSet, Seat, Secrets, Seed, Turn};

use crate::common::fitted_rule_sets;
use crate::net::{literal, random_layers};

/// A network of small random weights.
pub(crate) fn random(key: Key) -> Population {
    Population { layers: random_layers(key) }
}

/// The least probability of a call.
const FLOOR: f64 = 0.01;

/// Holds auctions of `rules`, and calls `visit` before each call.
fn calls(rules: &RuleSet, deals: u64, mut visit: impl FnMut(&DealState, Seat, Call)) {
    let mut bot = Registry::builtin().parse("rules").unwrap().build();
    for index in 0..deals {
        let dealer = Seat::from_index(usize::try_from(index % 4).unwrap());
        let deck = Deck::shuffled(Secrets::from(&Seed::from(53)), index);
        let mut state = DealState::new(rules, &Deal::new(&rules.deal, deck, dealer));
        while let Turn::Call(seat) = state.turn() {
            let call = bot.bidder.call(&state.view(seat), &state.legal_calls(), Key::from_bits(0));
            visit(&state, seat, call);
            state.call(call).unwrap();
        }
    }
}

/// The probability of what was chosen, number by number.
fn chance<const O: usize>(target: ChoiceTarget, outputs: &[f64; O]) -> f64 {
    let sum = |of: u128| (0..O).filter(|at| of >> at & 1 == 1).map(|at| outputs[at].exp()).sum::<f64>();
    FLOOR + (1.0 - FLOOR) * sum(target.chosen) / sum(target.legal)
}

#[test]
fn likelihoods_are_those_of_a_literal_network_whatever_was_asked_before() {
    let population = Arc::new(random(Key::from_bits(2)));
    let mut reader = Reader::new(Arc::clone(&population));
    let mut tested = 0;
    for (name, rules) in fitted_rule_sets() {
        let numbers = RuleNumbers::new(&rules);
        calls(&rules, 6, |state, seat, call| {
            let mut moment = Moment::new(state.clone(), seat, call);
            // As a partner sees it: hands that the seat may hold.
            let view = state.view(seat.partner());
            let worlds = Worlds::of(&view);
            let mut rng = Key::from_bits(7).rng();
            for _ in 0..4 {
                let deal = worlds.deal(&mut rng);
                let told = retell(&view, &deal, |_, _, _| {}).unwrap();
                let likelihood = reader.likelihood(&mut moment, told.view(seat).first_hand());
                let Some((input, target)) = Moment::new(told.clone(), seat, call).row(&numbers) else {
                    assert!(
                        (likelihood - 1.0).abs() < 1e-12,
                        "{name}: {likelihood} where nothing was chosen"
                    );
                    continue;
                };
                let input = input.iter().map(|(at, value)| (usize::from(*at), *value));
                let expected = chance(target, &literal(&population.layers, input));
                assert!((likelihood - expected).abs() < 4e-3, "{name}: {likelihood} {expected}");
                tested += 1;
            }
        });
    }
    assert!(tested > 1_000, "{tested}");
}

#[test]
fn probabilities_of_all_that_could_be_called_add_up() {
    let mut reader = Reader::new(random(Key::from_bits(3)).into());
    for (name, rules) in fitted_rule_sets() {
        let numbers = RuleNumbers::new(&rules);
        calls(&rules, 4, |state, seat, _| {
            let legal = state.legal_calls();
            let (mut met, mut sum) = (BTreeSet::new(), 0.0);
            for call in (0..legal.len()).filter_map(|n| legal.nth(n)) {
                let mut moment = Moment::new(state.clone(), seat, call);
                // Two kinds of passes are one choice.
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
fn a_file_holds_it() {
    let population = random(Key::from_bits(5));
    let bytes = population.layers.to_bytes(&Population::KIND, &[("seed", "5".to_owned())]);
    assert_eq!(Population::from_bytes("mine", &bytes).unwrap(), population);
    let mut damaged = bytes.clone();
    damaged[bytes.len() - 7] ^= 1;
    let error = Population::from_bytes("mine", &damaged).unwrap_err().to_string();
    assert!(error.contains("damaged"), "{error}");
}
