//! The card player `net`: the quick computation against a literal one, renamed suits, and files of something else.

use coinche_bots::net::cards::{
    CardInput, CardNetwork, CardTarget, DeepNetwork, FINGERPRINT, INPUTS, NUMBERS, NetPlayer, OUTPUTS, encode,
};
use coinche_bots::net::reading::Population;
use coinche_bots::net::{Loss, NetKind, Target};
use coinche_bots::{CardPlayer, Registry};
use coinche_engine::{
    Bid, Call, Card, CardSet, Deal, DealState, Deck, Key, RuleSet, Seat, Secrets, Seed, Strain, Suit, Turn,
};

use crate::common::rule_sets;
use crate::net::{literal, random_layers};

fn random(key: Key) -> CardNetwork {
    CardNetwork::new(random_layers(key))
}

/// Plays deals that `rules` players bid, and calls `visit` at every choice among cards; the players of the cards are random.
pub(crate) fn choices(rules: &RuleSet, deals: u64, mut visit: impl FnMut(&DealState, Seat, CardSet)) {
    let secrets = Secrets::from(&Seed::from(51));
    let mut bot = Registry::builtin().parse("rules").unwrap().build();
    for index in 0..deals {
        let dealer = Seat::from_index(usize::try_from(index % 4).unwrap());
        let mut state =
            DealState::new(rules, &Deal::new(&rules.deal, Deck::shuffled(secrets, index), dealer));
        let mut key = Key::from_bits(index);
        loop {
            key = key.and(1);
            match state.turn() {
                Turn::Over => break,
                Turn::Call(seat) => {
                    let call = bot.bidder.call(&state.view(seat), &state.legal_calls(), key);
                    state.call(call).unwrap();
                }
                Turn::Play(seat) => {
                    let legal = state.legal_plays();
                    if legal.len() > 1 {
                        visit(&state, seat, legal);
                    }
                    state.play(coinche_engine::random_card(legal, key).unwrap()).unwrap();
                }
            }
        }
    }
}

#[test]
fn values_are_those_of_a_literal_network() {
    let network = random(Key::from_bits(3));
    let mut layers = network.layers().clone();
    for (input, weights) in layers.first.iter_mut().enumerate().take(INPUTS - NUMBERS) {
        *weights = network.rounded(input);
    }
    let mut player = NetPlayer::new(network.clone().into());
    let mut seen = 0;
    for (name, rules) in rule_sets() {
        choices(&rules, 3, |state, seat, legal| {
            let mut input = CardInput::default();
            let order = encode(&state.view(seat), &mut input);
            assert!(input.iter().all(|(at, _)| at < INPUTS), "{name}");
            let outputs = literal(&layers, input.iter());
            let mut best: Option<(f32, Card)> = None;
            player.values(&state.view(seat), legal, |card, value| {
                let at = order.rename(CardSet::only(card)).first().unwrap().index();
                let expected = 100.0 * outputs[32 + at];
                assert!((f64::from(value) - expected).abs() < 1e-2 * (1.0 + expected.abs()), "{name}");
                if best.is_none_or(|(most, _)| value > most) {
                    best = Some((value, card));
                }
                seen += 1;
            });
            let chosen = player.play(&state.view(seat), legal, Key::from_bits(0));
            assert_eq!(Some(chosen), best.map(|(_, card)| card), "{name}");
        });
    }
    assert!(seen > 2_000, "{seen}");
}

/// What a player keeps of its last positions changes no bit, whatever it has met; nor with weights whose sums leave their range.
#[test]
fn sums_that_are_kept_are_those_that_are_made() {
    let mut wild = random_layers(Key::from_bits(5));
    wild.first.iter_mut().flatten().for_each(|weight| *weight *= 3000.0);
    for network in [CardNetwork::built_in(), CardNetwork::new(wild).into()] {
        let mut player = NetPlayer::new(network.clone());
        let values = |player: &mut NetPlayer, state: &DealState, seat, legal| {
            let mut values = Vec::new();
            player.values(&state.view(seat), legal, |card, value| values.push((card, value.to_bits())));
            values
        };
        let mut seen = 0;
        for (name, rules) in rule_sets() {
            choices(&rules, 3, |state, seat, legal| {
                let expected = values(&mut NetPlayer::new(network.clone()), state, seat, legal);
                assert_eq!(values(&mut player, state, seat, legal), expected, "{name}");
                seen += 1;
            });
        }
        assert!(seen > 500, "{seen}");
    }
}

fn renamed(card: Card) -> Card {
    Card::new(Suit::ALL[(card.suit() as usize + 1) % 4], card.rank())
}

/// A renamed deal, played by the same bids, has the same values to the last bit.
#[test]
fn renaming_suits_renames_the_cards() {
    let mut player = NetPlayer::new(random(Key::from_bits(4)).into());
    let mut seen = 0;
    for rules in [RuleSet::BGA, RuleSet::COINCHEE, RuleSet::COINCHE_MELDS] {
        for index in 0..12u64 {
            let deck = Deck::shuffled(Secrets::from(&Seed::from(52)), index);
            let other = Deck::from_cards(deck.cards().map(renamed)).unwrap();
            let [mut one, mut two] =
                [deck, other].map(|deck| DealState::new(&rules, &Deal::new(&rules.deal, deck, Seat::S0)));
            // Two strains are named, so that the calls tell suits apart.
            for bid in ["80H", "P", "90D", "P", "P", "P"] {
                let call: Call = bid.parse().unwrap();
                let renamed_call = match call {
                    Call::Bid(bid) => {
                        let suit = bid.strain.trump().unwrap();
                        Call::Bid(Bid::new(bid.value, Strain::of(Suit::ALL[(suit as usize + 1) % 4])))
                    }
                    call => call,
                };
                if one.legal_calls().contains(call) {
                    one.call(call).unwrap();
                    two.call(renamed_call).unwrap();
                }
            }
            while let Turn::Play(seat) = one.turn() {
                let legal = one.legal_plays();
                let mut values = Vec::new();
                player.values(&one.view(seat), legal, |card, value| {
                    values.push((renamed(card), value.to_bits()));
                });
                let mut others = Vec::new();
                player.values(&two.view(seat), two.legal_plays(), |card, value| {
                    others.push((card, value.to_bits()));
                });
                values.sort_unstable_by_key(|(card, _)| card.index());
                others.sort_unstable_by_key(|(card, _)| card.index());
                assert_eq!(values, others);
                seen += values.len();
                let card = player.play(&one.view(seat), legal, Key::from_bits(0));
                assert_eq!(player.play(&two.view(seat), two.legal_plays(), Key::from_bits(0)), renamed(card));
                one.play(card).unwrap();
                two.play(renamed(card)).unwrap();
            }
        }
    }
    assert!(seen > 1000, "{seen}");
}

/// The hidden hands may be any: the inputs are those of the view.
#[test]
fn hidden_cards_change_nothing() {
    let mut player = NetPlayer::default();
    for (name, rules) in rule_sets() {
        choices(&rules, 2, |state, seat, legal| {
            let view = state.view(seat);
            let deal = coinche_bots::worlds::Worlds::of(&view).deal(&mut Key::from_bits(9).rng());
            let other = coinche_bots::worlds::retell(&view, &deal, |_, _, _| {}).unwrap();
            let mut values = [(); 2].map(|()| Vec::new());
            player.values(&view, legal, |card, value| values[0].push((card, value.to_bits())));
            player.values(&other.view(seat), legal, |card, value| values[1].push((card, value.to_bits())));
            assert_eq!(values[0], values[1], "{name}");
        });
    }
}

/// What the network of the repository says: whoever changes the inputs must train it again.
#[test]
fn the_built_in_network_says_what_it_said() {
    let mut player = NetPlayer::default();
    let golden = [("bga", RuleSet::BGA, GOLDEN[0]), ("contree", RuleSet::CONTREE, GOLDEN[1])];
    for (name, rules, expected) in golden {
        let mut told: u64 = 0xcbf2_9ce4_8422_2325;
        choices(&rules, 10, |state, seat, legal| {
            player.values(&state.view(seat), legal, |card, value| {
                for byte in format!("{card} {value:.1}\n").bytes() {
                    told = (told ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
                }
            });
        });
        assert_eq!(format!("{told:016x}"), expected, "{name}");
    }
}

const GOLDEN: [&str; 2] = ["687e428d4ef3f36f", "e55c7730fec6d328"];

/// Calls and cards are random, so that no bot that learns to play better changes the sum.
#[test]
fn the_fingerprint_is_that_of_what_is_encoded() {
    let mut sum: u64 = 0xcbf2_9ce4_8422_2325;
    let mut hash = |bytes: &[u8]| {
        for byte in bytes {
            sum = (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    let (mut seen, mut input) = (vec![0; INPUTS], CardInput::default());
    let secrets = Secrets::from(&Seed::from(53));
    for name in ["bga", "bga-ja", "contree", "coinche", "coinche-melds", "coinchee", "belote", "belote-melds"]
    {
        let rules = RuleSet::preset(name).unwrap();
        for index in 0..300 {
            let mut state =
                DealState::new(&rules, &Deal::new(&rules.deal, Deck::shuffled(secrets, index), Seat::S0));
            for step in 0.. {
                let key = Key::from_bits(index).and(step);
                match state.turn() {
                    Turn::Over => break,
                    Turn::Call(_) => {
                        let legal = state.legal_calls();
                        let call = legal.nth(key.below(legal.len())).unwrap();
                        let passes = key.and(1).happens(0.6) && legal.contains(Call::Pass);
                        state.call(if passes { Call::Pass } else { call }).unwrap();
                    }
                    Turn::Play(seat) => {
                        encode(&state.view(seat), &mut input);
                        for (at, value) in input.iter() {
                            hash(&u16::try_from(at).unwrap().to_le_bytes());
                            hash(&value.to_le_bytes());
                            seen[at] += usize::from(value != 0.0);
                        }
                        state.play(coinche_engine::random_card(state.legal_plays(), key).unwrap()).unwrap();
                    }
                }
            }
        }
    }
    let never = seen.iter().filter(|times| **times == 0).count();
    assert!(never < 40, "{never} inputs are told nothing of");
    assert_eq!(
        format!("{sum:016x}"),
        FINGERPRINT,
        "the inputs have changed: write the new fingerprint into input.rs, and train the network again"
    );
}

#[test]
fn slopes_are_those_of_the_loss() {
    let mut outputs = [0.0; OUTPUTS];
    for (at, output) in outputs.iter_mut().enumerate() {
        *output = f32::from(u8::try_from(at * 37 % 23).unwrap()) / 10.0 - 1.0;
    }
    let target = CardTarget {
        count: 3,
        cards: [1, 9, 30, 0, 0, 0, 0, 0],
        solved: [0.5, -0.25, -0.25, 0.0, 0.0, 0.0, 0.0, 0.0],
        is_solved: true,
        played_out: [1.0, -0.5, -0.5, 0.0, 0.0, 0.0, 0.0, 0.0],
        chosen: 0b011,
    };
    // As documented: half the squares, and three tenths of the log loss.
    let minimised = |loss: Loss| 0.5 * (loss.0[0].0 + loss.0[1].0) + 0.3 * loss.0[2].0;
    let (slopes, loss) = target.off(&outputs);
    assert_eq!(loss.0.map(|(_, count)| count.to_string()), ["3", "3", "1"]);
    let mut some = 0;
    for at in 0..OUTPUTS {
        let moved = |by: f32| {
            let mut outputs = outputs;
            outputs[at] += by;
            minimised(target.off(&outputs).1)
        };
        let slope = (moved(0.01) - moved(-0.01)) / 0.02;
        assert!((slope - f64::from(slopes[at])).abs() < 5e-3, "{at}: {slope} {}", slopes[at]);
        some += usize::from(slopes[at] != 0.0);
    }
    assert_eq!(some, 9);
}

#[test]
fn files_of_something_else_are_refused() {
    let bytes = random(Key::from_bits(5)).layers().to_bytes(&CardNetwork::KIND, &[]);
    assert_eq!(CardNetwork::from_bytes("mine", &bytes).unwrap(), random(Key::from_bits(5)));
    let error = Population::from_bytes("mine", &bytes).unwrap_err().to_string();
    assert!(error.contains("mine is no reading network: its `format` is not"), "{error}");
    // Of the same sizes, but trained on something else; and from before there was a fingerprint.
    let kind = NetKind { inputs: Some("0123456789abcdef"), ..CardNetwork::KIND };
    for kind in [kind, NetKind { inputs: None, ..CardNetwork::KIND }] {
        let other = random(Key::from_bits(5)).layers().to_bytes(&kind, &[]);
        let error = CardNetwork::from_bytes("mine", &other).unwrap_err().to_string();
        assert!(error.contains("mine is no cards network: it was trained on other inputs"), "{error}");
    }
    let mut damaged = bytes.clone();
    *damaged.last_mut().unwrap() ^= 1;
    let error = CardNetwork::from_bytes("mine", &damaged).unwrap_err().to_string();
    assert!(error.contains("damaged") && error.contains("`arena train cards --out FILE` makes"), "{error}");
    for (bot, part) in
        [("rules+net:cards=/nowhere", "/nowhere"), ("rules+pimc:model=population,population=/gone", "/gone")]
    {
        let error = Registry::builtin().parse(bot).unwrap_err().to_string();
        assert!(error.contains(&format!("cannot read the network {part}")), "{error}");
    }
}

/// What layers of weights by input make of all inputs, unit by unit.
fn literal_layers(layers: &[(Vec<f32>, Vec<f32>)], input: &CardInput) -> Vec<f64> {
    let mut units = vec![0.0; INPUTS];
    input.iter().for_each(|(at, value)| units[at] += f64::from(value));
    for (n, (weights, bias)) in layers.iter().enumerate() {
        let of = |unit: usize| {
            let sum = (0..units.len()).map(|at| units[at] * f64::from(weights[at * bias.len() + unit]));
            let sum = f64::from(bias[unit]) + sum.sum::<f64>();
            if n + 1 < layers.len() { sum.max(0.0) } else { sum }
        };
        units = (0..bias.len()).map(of).collect();
    }
    units
}

#[test]
fn networks_of_other_shapes_play_as_their_layers_say() {
    let mut key = Key::from_bits(9);
    let mut numbers = |many: usize, scale: f32| -> Vec<f32> {
        let next = |_| {
            key = key.and(1);
            scale * (key.below(2001) as f32 / 1000.0 - 1.0)
        };
        (0..many).map(next).collect()
    };
    for sizes in [vec![INPUTS, 32], vec![INPUTS, 24, 32], vec![INPUTS, 40, 16, 8, 32]] {
        let layer = |shape: &[usize]| (numbers(shape[0] * shape[1], 0.2), numbers(shape[1], 0.5));
        let layers: Vec<_> = sizes.windows(2).map(layer).collect();
        let given: Vec<_> = layers.iter().map(|(weights, bias)| (&weights[..], &bias[..])).collect();
        let bytes = DeepNetwork::to_bytes(&given, &[]);
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("mine.safetensors");
        std::fs::write(&path, &bytes).unwrap();
        let name = format!("rules+net:cards={}", path.display());
        let bot = Registry::builtin().parse(&name).unwrap().build();
        let (mut player, mut input, mut met) = (bot.player.into_fair().unwrap(), CardInput::default(), 0);
        choices(&RuleSet::BGA, 4, |state, seat, legal| {
            let view = state.view(seat);
            let order = encode(&view, &mut input);
            let expected = literal_layers(&layers, &input);
            for (card, value) in player.advantages(&view, legal) {
                let at = order.rename(CardSet::only(card)).first().unwrap().index();
                assert!((value - 100.0 * expected[at]).abs() < 0.05, "{value} {}", 100.0 * expected[at]);
                met += 1;
            }
        });
        assert!(met > 100);
        // What does not fit together.
        let whole = DeepNetwork::from_bytes("mine", &bytes).unwrap();
        assert_eq!(whole.outputs(&input).len(), 32);
        let without_first = if given.len() > 1 { "inputs: expected" } else { "its last layer has" };
        let damaged = vec![f32::NAN; 32 * INPUTS];
        for (given, why) in [
            (&given[1..], without_first),
            (&given[..given.len() - 1], "its last layer has"),
            (&[(&damaged[..], &[0.0; 32][..])], "damaged"),
        ] {
            let error = DeepNetwork::from_bytes("mine", &DeepNetwork::to_bytes(given, &[])).unwrap_err();
            assert!(error.to_string().contains(why), "{error}");
        }
        let error = CardNetwork::from_bytes("mine", &bytes).unwrap_err().to_string();
        assert!(error.contains("its `format` is not"), "{error}");
    }
}

/// A step is a 127th of a unit's largest weight, and no weight is off by more than half of one.
#[test]
fn weights_are_rounded_to_steps_of_their_unit() {
    let mut layers = random_layers(Key::from_bits(6));
    layers.first.iter_mut().for_each(|row| (row[3], row[4], row[5]) = (0.0, 1000.0 * row[4], 1e-44));
    let network = CardNetwork::new(layers.clone());
    let ones = 0..INPUTS - NUMBERS;
    for unit in 0..layers.first[0].len() {
        let most = ones.clone().map(|input| layers.first[input][unit].abs()).fold(0.0, f32::max);
        let off = |input: usize| (network.rounded(input)[unit] - layers.first[input][unit]).abs();
        if unit == 5 {
            // Steps of so little are zero.
            continue;
        }
        assert!(ones.clone().all(|input| off(input) <= 0.501 * most / 127.0), "{unit}");
        assert!(ones.clone().any(|input| most == 0.0 || off(input) >= 0.4 * most / 127.0), "{unit}");
    }
}
