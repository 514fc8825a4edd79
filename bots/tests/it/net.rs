//! The bidder `net`: the quick computation against a literal one, renamed suits, and files that are damaged.

use coinche_bots::Registry;
use coinche_bots::net::Layers;
use coinche_bots::net::bidding::{BiddingNetwork, NetModel, OUTPUTS};
use coinche_bots::table::BiddingContext;
use coinche_engine::encoding::Action;
use coinche_engine::{
    Auction, Bid, Call, Card, CardSet, Deal, DealState, Deck, Key, Purpose, RuleSet, Seat, Secrets, Seed,
    Strain, Suit, Turn,
};

/// Layers of small random weights.
pub(crate) fn random_layers<const I: usize, const A: usize, const B: usize, const O: usize>(
    key: Key,
) -> Layers<I, A, B, O> {
    let mut layers = Layers::default();
    let mut at = 0u64;
    for numbers in layers.tensors_mut() {
        for number in numbers {
            at += 1;
            let bits = u16::try_from(key.and(at).below(65_536)).unwrap();
            *number = f32::from(bits) / 65_536.0 - 0.5;
        }
    }
    layers
}

/// What the layers say, number by number.
pub(crate) fn literal<const I: usize, const A: usize, const B: usize, const O: usize>(
    layers: &Layers<I, A, B, O>,
    input: impl Iterator<Item = (usize, f32)>,
) -> [f64; O] {
    let mut dense = vec![0.0; I];
    for (at, value) in input {
        assert!(dense[at] == 0.0, "input {at} is set once");
        dense[at] = f64::from(value);
    }
    let unit = |bias: f32, inputs: &[f64], weights: &dyn Fn(usize) -> f32| {
        inputs.iter().enumerate().map(|(n, value)| value * f64::from(weights(n))).sum::<f64>()
            + f64::from(bias)
    };
    let first: Vec<f64> = (0..A)
        .map(|to| unit(layers.first_bias[to], &dense, &|from| layers.first[from][to]).max(0.0))
        .collect();
    let second: Vec<f64> = (0..B)
        .map(|to| unit(layers.second_bias[to], &first, &|from| layers.second[from][to]).max(0.0))
        .collect();
    core::array::from_fn(|to| unit(layers.third_bias[to], &second, &|from| layers.third[to][from]))
}

/// A network of small random weights.
fn random(key: Key) -> BiddingNetwork {
    BiddingNetwork { layers: random_layers(key) }
}

/// Calls `visit` at every turn of auctions that a network bids, with calls that stray.
fn auctions(
    model: &mut NetModel,
    rules: &RuleSet,
    deals: u64,
    mut visit: impl FnMut(&mut NetModel, &DealState, Seat),
) {
    let secrets = Secrets::from(&Seed::from(31));
    for index in 0..deals {
        let dealer = Seat::from_index(usize::try_from(index % 4).unwrap());
        let mut state =
            DealState::new(rules, &Deal::new(&rules.deal, Deck::shuffled(secrets, index), dealer));
        let mut key = secrets.key(Purpose::Experiment, index, 0);
        while let Turn::Call(seat) = state.turn() {
            visit(model, &state, seat);
            key = key.and(1);
            let (view, legal) = (state.view(seat), state.legal_calls());
            let options = model.consider(&BiddingContext::from(&view), &legal);
            let call = if key.happens(0.5) {
                options[key.below(options.len())].call
            } else {
                model.best(&BiddingContext::from(&view), &legal)
            };
            state.call(call).unwrap();
        }
    }
}

#[test]
fn gains_are_those_of_a_literal_network() {
    let network = random(Key::from_bits(3));
    let mut model = NetModel::new(Some(network.clone().into()));
    let literal = |input: &[(u8, f32)]| -> [f64; OUTPUTS] {
        literal(&network.layers, input.iter().map(|(at, value)| (usize::from(*at), *value)))
    };
    for rules in [RuleSet::BGA, RuleSet::CONTREE, RuleSet::COINCHE_MELDS] {
        let mut calls = 0;
        auctions(&mut model, &rules, 12, |model, state, seat| {
            let (view, legal) = (state.view(seat), state.legal_calls());
            let bidding = BiddingContext::from(&view);
            let options = model.consider(&bidding, &legal).to_vec();
            let (best, told) = model.forecasts(&bidding, &legal);
            let gained = options.iter().find(|option| option.call == best).unwrap().gain;
            assert!(options.iter().all(|option| option.gain <= gained));
            for (option, told) in options.iter().zip(told) {
                let input = model.input(&bidding, option);
                let [gain, odds, _] = literal(&input);
                let gain = if option.call.is_pass() { 0.0 } else { 100.0 * gain };
                assert!(
                    (f64::from(option.gain) - gain).abs() < 1e-3 * (1.0 + gain.abs()),
                    "{} {gain}",
                    option.gain
                );
                if let Some(of) = told.odds {
                    assert!((f64::from(of) - odds).abs() < 1e-3 * (1.0 + odds.abs()), "{of} {odds}");
                }
                calls += 1;
            }
        });
        assert!(calls > 200);
    }
}

/// What the network of the repository says: whoever changes the inputs, or what the table computes of them, must train it again.
#[test]
fn the_built_in_network_says_what_it_said() {
    let golden = [
        ("bga", RuleSet::BGA, "077bf619336b1dd5"),
        ("contree", RuleSet::CONTREE, "065a6a8137f433d6"),
        ("coinche-melds", RuleSet::COINCHE_MELDS, "0b9c82f426834f65"),
        ("coinchee", RuleSet::COINCHEE, "8dc83b594a807950"),
    ];
    for (name, rules, expected) in golden {
        // Gains to a tenth of a point, so that the sum stands for numbers that anybody can check.
        let mut told: u64 = 0xcbf2_9ce4_8422_2325;
        auctions(&mut NetModel::default(), &rules, 20, |model, state, seat| {
            let (view, legal) = (state.view(seat), state.legal_calls());
            for option in model.consider(&BiddingContext::from(&view), &legal) {
                for byte in format!("{} {:.1}\n", option.call, option.gain).bytes() {
                    told = (told ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
                }
            }
        });
        assert_eq!(format!("{told:016x}"), expected, "{name}");
    }
}

fn renamed(suit: Suit) -> Suit {
    Suit::ALL[(suit as usize + 1) % 4]
}

fn renamed_call(call: Call) -> Call {
    match call {
        Call::Bid(bid) => Call::Bid(Bid::new(
            bid.value,
            bid.strain.trump().map_or(bid.strain, |suit| Strain::of(renamed(suit))),
        )),
        other => other,
    }
}

/// A renamed deal is bid with the same gains, whatever is trump in the end.
#[test]
fn renaming_suits_renames_the_calls() {
    let mut model = NetModel::new(Some(random(Key::from_bits(4)).into()));
    for rules in [RuleSet::BGA, RuleSet::COINCHEE] {
        let mut turns = 0;
        auctions(&mut model, &rules, 40, |model, state, seat| {
            let (view, legal) = (state.view(seat), state.legal_calls());
            let bidding = BiddingContext::from(&view);
            let hand: CardSet = view
                .first_hand()
                .into_iter()
                .map(|card| Card::new(renamed(card.suit()), card.rank()))
                .collect();
            let calls = state.auction().calls().iter().map(|(_, call)| renamed_call(*call));
            let mut auction = Auction::new(&rules, view.dealer(), None);
            for call in calls {
                auction.call(call).unwrap();
            }
            let other = BiddingContext { hand, auction: &auction, ..bidding };
            let mut one: Vec<_> = model
                .consider(&bidding, &legal)
                .iter()
                .map(|it| (renamed_call(it.call), it.gain.to_bits()))
                .collect();
            let mut two: Vec<_> = model
                .consider(&other, &auction.state().legal_calls())
                .iter()
                .map(|it| (it.call, it.gain.to_bits()))
                .collect();
            one.sort_by_key(|(call, _)| call.to_string());
            two.sort_by_key(|(call, _)| call.to_string());
            assert_eq!(one, two);
            turns += 1;
        });
        assert!(turns > 100);
    }
}

fn write(network: &BiddingNetwork, made: &[(&str, String)]) -> Vec<u8> {
    network.layers.to_bytes(&BiddingNetwork::kind(), made)
}

#[test]
fn files_are_read_back_and_checked() {
    let network = random(Key::from_bits(5));
    let bytes = write(&network, &[("seed", "5".to_owned())]);
    assert_eq!(BiddingNetwork::from_bytes("mine", &bytes).unwrap(), network);
    assert_eq!(bytes, write(&network, &[("seed", "5".to_owned())]), "in one order");
    let wrong = |bytes: &[u8]| BiddingNetwork::from_bytes("mine", bytes).unwrap_err().to_string();
    for end in [0, 7, 8, 100, bytes.len() / 2, bytes.len() - 1] {
        assert!(wrong(&bytes[..end]).contains("`arena train bidding --out FILE` makes"), "{end}");
    }
    for at in (0..64).map(|n| bytes.len() - 1 - n * 977) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert!(wrong(&damaged).contains("damaged"), "{at}");
    }
    let mut foreign = network.clone();
    foreign.layers.first_bias[3] = f32::NAN;
    assert!(wrong(&write(&foreign, &[])).contains("`first.bias` has the weight NaN"));
    let other = String::from_utf8_lossy(&bytes[8..400])
        .replace("coinche bidding network 1", "coinche bidding network 0");
    let other = [&bytes[..8], other.as_bytes(), &bytes[400..]].concat();
    assert!(wrong(&other).contains("its `format` is not"), "{}", wrong(&other));
    let table = coinche_bots::table::BiddingTable::built_in().fingerprint();
    let at = bytes.windows(16).position(|part| part == table.as_bytes()).unwrap();
    let mut other = bytes.clone();
    other[at] = if other[at] == b'0' { b'1' } else { b'0' };
    assert!(wrong(&other).contains("beside another bidding table"), "{}", wrong(&other));
    let error = Registry::builtin().parse("net:file=/nowhere+rules").unwrap_err().to_string();
    assert!(error.contains("cannot read the network /nowhere"), "{error}");
}

/// Under turn-up rules, which no network was trained on, it bids as the table does.
#[test]
fn takes_are_those_of_the_table() {
    let registry = Registry::builtin();
    let (mut net, mut table) =
        (registry.parse("net+rules").unwrap().build(), registry.parse("table+rules").unwrap().build());
    let mut takes = 0;
    auctions(&mut NetModel::default(), &RuleSet::BELOTE, 40, |_, state, _| {
        let calls =
            [&mut net, &mut table].map(|bot| (bot.act(state, Key::from_bits(0)), bot.thought(true).cloned()));
        assert_eq!(calls[0], calls[1]);
        takes += usize::from(!matches!(calls[0].0, Some(Action::Call(Call::Pass))));
    });
    assert!(takes > 10);
}

/// With `coinche=N` a coinche must gain more than that by the network; nothing else changes, what is told neither.
#[test]
fn coinches_that_gain_little_are_left() {
    let margin = 60.0;
    let mut careful = NetModel::default().with_coinche(margin);
    let [mut left, mut kept] = [0, 0];
    auctions(&mut NetModel::default(), &RuleSet::BGA, 400, |model, state, seat| {
        let (view, legal) = (state.view(seat), state.legal_calls());
        let bidding = BiddingContext::from(&view);
        let (call, told) = model.forecasts(&bidding, &legal);
        let (chosen, of_careful) = careful.forecasts(&bidding, &legal);
        assert_eq!(chosen, careful.best(&bidding, &legal));
        assert!(
            told.iter()
                .zip(&of_careful)
                .all(|(a, b)| a.call == b.call && a.gain.to_bits() == b.gain.to_bits())
        );
        let gain = told.iter().find(|option| option.call == call).map_or(0.0, |option| option.gain);
        if call == Call::Coinche && gain <= f64::from(margin) {
            // The best of the others.
            let others = told.iter().filter(|option| option.call != Call::Coinche);
            let best = others.map(|option| option.gain).fold(f64::MIN, f64::max);
            let found = told.iter().find(|option| option.call == chosen).unwrap();
            assert!(chosen != call && found.gain.to_bits() == best.to_bits());
            left += 1;
        } else {
            assert_eq!(chosen, call);
            kept += usize::from(call == Call::Coinche);
        }
    });
    assert!(left > 5 && kept > 5, "{left} left, {kept} kept");
}
