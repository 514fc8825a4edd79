//! The deals that fit what a seat knows, compared with all deals that there are, each played again by the rules.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use coinche_bots::net::reading::Reader;
use coinche_bots::worlds::{CallReader, Component, Draws, OpponentModel, Weigher, Worlds, retell, rotated};
use coinche_bots::{Bidder as _, Bot, NetPlayer, Registry, RulesBidder};
use coinche_engine::rules::{DealMethod, Shuffle};
use coinche_engine::{
    BySeat, Call, CardSet, Deal, DealState, Deck, Key, Melds, PastDeal, Play, RuleSet, Seat, Suit, Turn,
    random_card,
};

use crate::common::{fitted_rule_sets, rule_sets, size};

/// Plays one decision.
fn step(bots: &mut [Bot; 4], state: &mut DealState, key: Key) -> bool {
    match state.turn() {
        Turn::Call(seat) => {
            let legal = state.legal_calls();
            let call = bots[seat.index()].bidder.call(&state.view(seat), &legal, key);
            state.call(call).unwrap();
        }
        Turn::Play(seat) => {
            let legal = state.legal_plays();
            let card = bots[seat.index()].player.play(state, seat, legal, key);
            let is_first = state.tricks().is_empty();
            // Where the rules allow silence some keep it.
            let silent =
                is_first.then_some(Melds::NONE).filter(|none| state.meld_options(seat).contains(none));
            state.play(Play { melds: silent.filter(|_| key.below(2) == 0), ..Play::from(card) }).unwrap();
        }
        Turn::Over => return false,
    }
    true
}

fn hands_now(state: &DealState) -> BySeat<CardSet> {
    BySeat::from_fn(|seat| state.view(seat).hand())
}

/// Plays deals of a rule set by these bidders and random players, and looks at every decision.
fn walk(rules: &RuleSet, bidder: &str, deals: u64, mut look: impl FnMut(&DealState, Seat, Key)) {
    let spec = Registry::builtin().parse(&format!("{bidder}+random")).unwrap();
    let mut bots = Seat::ALL.map(|_| spec.build());
    for index in 0..deals {
        let dealer = Seat::from_index(usize::try_from(index % 4).unwrap());
        let mut state = DealState::new(rules, &Deal::new(&rules.deal, Deck::shuffled(6, index), dealer));
        let mut key = Key::decisions(6, index, Seat::S0);
        loop {
            if let Turn::Call(seat) | Turn::Play(seat) = state.turn() {
                look(&state, seat, key);
            }
            key = key.and(1);
            if !step(&mut bots, &mut state, key) {
                break;
            }
        }
    }
}

/// Everything that a seat sees of the others' deeds, but for what it may conclude.
fn seen(state: &DealState, seat: Seat) -> impl PartialEq + core::fmt::Debug + use<> {
    let view = state.view(seat);
    (
        Seat::ALL.map(|other| view.announced_kinds(other).collect::<Vec<_>>()),
        view.scored_melds().map(|melds| melds.0.map(|melds| melds.cards())),
        Suit::ALL.map(|suit| view.belote(suit)),
        view.hand(),
        state.turn() == Turn::Play(seat),
    )
}

#[test]
fn a_world_is_a_deal_that_looks_the_same() {
    for (name, rules) in rule_sets() {
        walk(&rules, "rules", 12, |state, seat, key| {
            let (view, mut rng) = (state.view(seat), key.rng());
            let worlds = Worlds::of(&view);
            for _ in 0..3 {
                let deal = worlds.deal(&mut rng);
                let told = retell(&view, &deal, |_, _, _| {}).unwrap_or_else(|| panic!("{name}: {deal:?}"));
                assert_eq!(told.turn(), state.turn(), "{name}");
                assert_eq!(format!("{:?}", seen(&told, seat)), format!("{:?}", seen(state, seat)), "{name}");
                assert_eq!(told.legal_plays(), state.legal_plays(), "{name}");
                let hands = worlds.hands(&mut rng);
                for other in Seat::ALL {
                    assert_eq!(hands[other].len(), state.view(other).hand().len(), "{name}");
                    assert!(state.contract().is_none() || hands[other].is_subset(view.could_hold(other)));
                }
            }
        });
    }
}

#[test]
fn a_rotated_deal_is_the_same_for_the_next_seats() {
    for (name, rules) in rule_sets() {
        walk(&rules, "random", 6, |state, seat, _| {
            for places in 1..4 {
                let on = rotated(state, places).unwrap_or_else(|| panic!("{name}: {state:?}"));
                let (view, before) = (on.view(seat.plus(places)), state.view(seat));
                assert_eq!(view.hand(), before.hand(), "{name}");
                assert_eq!(view.match_score()[seat.plus(places).team()], before.match_score()[seat.team()]);
                assert_eq!((on.legal_calls(), on.legal_plays()), (state.legal_calls(), state.legal_plays()));
                assert_eq!(rotated(&on, 4 - places).as_ref(), Some(state), "{name}");
            }
        });
    }
}

/// All ways to share the hidden cards out, as far as their numbers go.
fn all_hands(state: &DealState, seat: Seat) -> Vec<BySeat<CardSet>> {
    let mut all = vec![BySeat([CardSet::EMPTY; 4])];
    all[0][seat] = state.view(seat).hand();
    for card in state.view(seat).unseen() {
        let next = |hands: &BySeat<CardSet>| {
            let others = Seat::ALL.into_iter().filter(|other| *other != seat);
            let free = others.filter(|other| hands[*other].len() < state.view(*other).hand().len());
            let give = |other: Seat| {
                let mut hands = *hands;
                hands[other] = hands[other].with(card);
                hands
            };
            free.map(give).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(next).collect();
    }
    all
}

/// Tests by playing the deal again if a seat would have seen the same with these hands.
fn looks_the_same(state: &DealState, seat: Seat, hands: &BySeat<CardSet>) -> bool {
    let (view, mut first) = (state.view(seat), *hands);
    for trick in view.tricks() {
        for (n, card) in trick.cards.into_iter().enumerate() {
            let player = trick.leader.plus(n);
            first[player] = first[player].with(card);
        }
    }
    for (player, card) in view.trick() {
        first[player] = first[player].with(card);
    }
    let taken = view.turned().zip(view.contract().map(|contract| contract.declarer));
    let Ok(deal) = Deal::from_hands(&view.rules().deal, view.dealer(), first, taken) else { return false };
    retell(&view, &deal, |_, _, _| {})
        .is_some_and(|told| format!("{:?}", seen(&told, seat)) == format!("{:?}", seen(state, seat)))
}

#[test]
fn few_worlds_are_all_that_look_the_same() {
    for (name, rules) in rule_sets() {
        let mut compared = 0;
        walk(&rules, "random:pass=0.8", 200, |state, seat, _| {
            let view = state.view(seat);
            if state.contract().is_none() || view.unseen().len() > 7 || view.unseen().len() < 2 {
                return;
            }
            compared += 1;
            let mut worlds = Worlds::of(&view).all(usize::MAX).unwrap();
            let mut plain: Vec<_> = all_hands(state, seat)
                .into_iter()
                .filter(|hands| looks_the_same(state, seat, hands))
                .collect();
            assert!(plain.contains(&hands_now(state)), "{name}: the deal itself");
            let sort = |list: &mut Vec<BySeat<CardSet>>| list.sort_by_key(|hands| hands.0.map(CardSet::bits));
            sort(&mut worlds);
            sort(&mut plain);
            assert_eq!(worlds, plain, "{name}: {:?}", view.tricks());
        });
        assert!(compared > 200, "{name}: {compared}");
    }
}

#[test]
fn draws_are_uniform_over_the_worlds() {
    let mut tested = 0;
    for (name, rules) in rule_sets() {
        walk(&rules, "random:pass=0.8", 40, |state, seat, key| {
            let worlds = Worlds::of(&state.view(seat));
            let Some(all) = worlds.all(300).filter(|all| (2..=150).contains(&all.len())) else { return };
            if key.below(6) > 0 {
                return;
            }
            let mut counts: BTreeMap<_, u32> =
                all.iter().map(|hands| (hands.0.map(CardSet::bits), 0)).collect();
            let mut rng = key.rng();
            for _ in 0..50 * counts.len() {
                let hands = worlds.hands(&mut rng);
                *counts.get_mut(&hands.0.map(CardSet::bits)).unwrap() += 1;
            }
            let chi: f64 = counts.values().map(|count| (f64::from(*count) - 50.0).powi(2) / 50.0).sum();
            let freedom = f64::from(u32::try_from(counts.len() - 1).unwrap());
            // Some six standard deviations: no run of all these tests goes beyond by chance.
            assert!(chi < freedom + 6.0 * (2.0 * freedom).sqrt() + 12.0, "{name}: {chi} of {freedom}");
            tested += 1;
        });
    }
    assert!(tested > 100, "{tested}");
}

#[test]
fn what_was_done_is_possible_and_its_reading_prefers_no_impossible_deal() {
    let model = || Registry::builtin().parse("rules").unwrap().build();
    for (name, rules) in rule_sets() {
        let mut opponents = OpponentModel::new(model().bidder, model().player.into_fair());
        walk(&rules, "rules", 4, |state, seat, key| {
            let view = state.view(seat);
            let worlds = Worlds::of(&view);
            let deal = worlds.deal(&mut key.rng());
            let weight = opponents.weight(&view, &deal);
            assert!(weight > 0.0 && weight <= 1.0, "{name}: {weight}");
            // The calls were those of the model.
            if state.contract().is_none() {
                assert!(opponents.weight(&view, state.deal()) > 0.99, "{name}");
            }
        });
    }
}

#[test]
fn a_supposed_hand_sees_what_it_would_see_had_it_been_dealt() {
    for (name, rules) in rule_sets() {
        walk(&rules, "rules", 8, |state, seat, key| {
            let other = state.view(seat.next());
            let deal = Worlds::of(&other).deal(&mut key.rng());
            let told = retell(&other, &deal, |_, _, _| {}).unwrap();
            let mut supposed = state.clone();
            supposed.suppose(seat, told.hands()[seat]);
            let (here, there) = (supposed.view(seat), told.view(seat));
            assert_eq!(format!("{:?}", seen(&supposed, seat)), format!("{:?}", seen(&told, seat)), "{name}");
            assert_eq!(supposed.legal_plays(), told.legal_plays(), "{name}");
            assert_eq!(here.first_hand(), there.first_hand(), "{name}");
            for other in Seat::ALL {
                assert_eq!(here.could_hold(other), there.could_hold(other), "{name}");
                assert_eq!(here.known(other), there.known(other), "{name}");
            }
        });
    }
}

#[test]
fn supposed_worlds_are_those_that_are_told_from_the_start() {
    for (name, rules) in rule_sets() {
        walk(&rules, "rules", 8, |state, seat, key| {
            let view = state.view(seat);
            let mut rng = key.rng();
            let worlds = Worlds::of(&view);
            let melds = state.announced_melds().iter().any(|(_, melds)| *melds != Melds::NONE);
            if view.contract().is_none() || melds {
                return;
            }
            let deals = [(); 2].map(|()| worlds.deal(&mut rng));
            let [mut supposed, told] = deals.map(|deal| retell(&view, &deal, |_, _, _| {}).unwrap());
            for other in [1, 2, 3].map(|n| seat.plus(n)) {
                supposed.suppose(other, told.hands()[other]);
            }
            let mut ends = [supposed, told];
            loop {
                let [here, there] = &ends;
                assert_eq!(here.turn(), there.turn(), "{name}");
                assert_eq!(here.legal_plays(), there.legal_plays(), "{name}");
                for seat in Seat::ALL {
                    assert_eq!(
                        format!("{:?}", seen(here, seat)),
                        format!("{:?}", seen(there, seat)),
                        "{name}"
                    );
                }
                let Turn::Play(_) = here.turn() else { break };
                let card = random_card(here.legal_plays(), key.and(here.tricks().len() as u64)).unwrap();
                for state in &mut ends {
                    state.play(card).unwrap();
                }
            }
            assert_eq!(ends[0].outcome(), ends[1].outcome(), "{name}");
        });
    }
}

/// A network of random weights: it says much, though nothing true.
fn population(share: f64) -> Component {
    let population = Arc::new(crate::net_reading::random(Key::from_bits(6)));
    Component { weight: share, reader: CallReader::Population(Reader::new(population)) }
}

#[test]
fn worlds_are_weighed_as_when_each_is_told_from_the_start() {
    let model = || Registry::builtin().parse("rules").unwrap().build();
    let rules_bot = || OpponentModel::new(model().bidder, model().player.into_fair());
    let of_rules = |share: f64| Component { weight: share, reader: CallReader::Bot(model().bidder) };
    let population = || OpponentModel::of(vec![population(1.0)], model().player.into_fair());
    let mixture =
        || OpponentModel::of(vec![of_rules(0.3), self::population(0.7)], model().player.into_fair());
    // Another for the partner.
    let mixed = || (population().with_partner(vec![of_rules(1.0)]), OpponentModel::new(model().bidder, None));
    for (name, rules) in rule_sets() {
        let mut weights = BTreeSet::new();
        let by_values = || mixture().with_values(NetPlayer::default());
        let models: [(&str, &dyn Fn() -> OpponentModel); 9] = [
            ("rules", &rules_bot),
            ("random:pass=0.7", &rules_bot),
            ("rules", &population),
            ("rules", &mixture),
            ("random:pass=0.7", &mixture),
            ("random:pass=0.7", &|| mixed().0),
            ("rules", &|| mixed().1),
            ("rules", &by_values),
            ("random:pass=0.7", &by_values),
        ];
        for (number, (bidder, model)) in models.into_iter().enumerate() {
            let is_by_values = number >= 7;
            // What a seat remembers of a deal is used again.
            let (mut literal, mut quick) = (model(), Seat::ALL.map(|_| model()));
            walk(&rules, bidder, 4, |state, seat, key| {
                let view = state.view(seat);
                if rules.deal.method != DealMethod::Full && view.contract().is_none() {
                    return;
                }
                let worlds = Worlds::of(&view);
                let mut rng = key.rng();
                let mut weigher = Weigher::new(&worlds, &mut quick[seat.index()]);
                // The factor that all worlds share, where the network reads cards.
                let mut factor = None;
                for _ in 0..6 {
                    let hands = worlds.hands(&mut rng);
                    let told = worlds.deal_of(&hands, &mut rng.clone());
                    let weight = weigher.weight(&worlds, &hands, 0.0, &mut rng);
                    let literal = literal.weight(&view, &told);
                    let expected =
                        literal * *factor.get_or_insert(if is_by_values { weight / literal } else { 1.0 });
                    assert!((weight - expected).abs() <= 1e-12 * expected, "{name}: {weight} {expected}");
                    weights.insert(literal.to_bits());
                }
            });
        }
        assert!(weights.len() > 20, "{name}: {} weights", weights.len());
    }
}

/// Tests that worlds come as often, by their weights, as they weigh.
fn come_by_weight(name: &str, weights: &BTreeMap<[u32; 4], f64>, drawn: &[([u32; 4], f64)]) {
    let (all, squares) = drawn.iter().fold((0.0, 0.0), |(sum, squares), (_, w)| (sum + w, squares + w * w));
    let effective = all * all / squares;
    let total: f64 = weights.values().sum();
    let (mut chi, mut cells, mut rare) = (0.0, 0.0, (0.0, 0.0, 0.0));
    let mut look = |share: f64, sum: f64, square: f64| {
        let variance = square * (1.0 - share).powi(2) + share * share * (squares - square);
        chi += (sum - share * all).powi(2) / variance.max(share * (1.0 - share) * squares / 2.0);
        cells += 1.0;
    };
    for (hands, weight) in weights {
        let of_it = drawn.iter().filter(|(other, _)| other == hands);
        let (sum, square) = of_it.fold((0.0, 0.0), |(sum, square), (_, w)| (sum + w, square + w * w));
        let share = weight / total;
        if share * effective < 10.0 {
            rare = (rare.0 + share, rare.1 + sum, rare.2 + square);
        } else if share < 0.99 {
            look(share, sum, square);
        }
    }
    if rare.0 * effective >= 10.0 {
        look(rare.0, rare.1, rare.2);
    }
    assert!(chi < cells + 6.0 * (2.0f64 * cells).sqrt() + 12.0, "{name}: {chi} of {cells}");
}

#[test]
fn worlds_are_drawn_by_their_weights_seat_by_seat() {
    let model = || Registry::builtin().parse("rules").unwrap().build();
    let of_rules = |share: f64| Component { weight: share, reader: CallReader::Bot(model().bidder) };
    for (name, rules) in rule_sets() {
        // Where cards are dealt after the auction, what the calls say of a world depends on the first cards.
        let is_part = rules.deal.method != DealMethod::Full;
        let calls = || if is_part { vec![] } else { vec![of_rules(0.3), population(0.7)] };
        let mixture = || OpponentModel::of(calls(), model().player.into_fair());
        let by_values = || mixture().with_values(NetPlayer::default());
        let mut tested = 0;
        for (bidder, deals, is_by_values) in [
            ("rules", size(5, 40), false),
            ("random:pass=0.8", size(5, 40), false),
            ("rules", size(2, 20), true),
        ] {
            let mut models = Seat::ALL.map(|_| if is_by_values { by_values() } else { mixture() });
            walk(&rules, bidder, deals, |state, seat, key| {
                let view = state.view(seat);
                let (worlds, mut rng) = (Worlds::of(&view), key.rng());
                let model = &mut models[seat.index()];
                let Some(all) = worlds.all(400).filter(|all| (3..=400).contains(&all.len())) else { return };
                let bits = |hands: &BySeat<CardSet>| hands.0.map(CardSet::bits);
                let mut weigher = Weigher::new(&worlds, model);
                let weigh = |hands: &_| (bits(hands), weigher.weight(&worlds, hands, 0.0, &mut rng));
                let weights: BTreeMap<_, _> = all.iter().map(weigh).collect();
                let mut source = Draws::new(&worlds, model, 40);
                let drawn: Vec<_> =
                    (0..size(1_500, 10_000)).map(|_| source.next(&worlds, &mut rng)).collect();
                let drawn: Vec<_> = drawn.iter().map(|(hands, weight)| (bits(hands), *weight)).collect();
                come_by_weight(&name, &weights, &drawn);
                tested += 1;
            });
        }
        assert!(tested > 12, "{name}: {tested}");
    }
}

#[test]
fn a_walk_ends_in_the_worlds_that_drawing_finds() {
    let bidder = || Box::new(RulesBidder::default());
    let model = || OpponentModel::new(bidder(), None).exact(true, true);
    let (number, decisions) = (size(200, 1_000), size(4, 12));
    for rules in [RuleSet::BGA, RuleSet::COINCHEE] {
        let (mut opponents, mut tested, mut signals, mut rare) = (model(), 0, 0, Vec::new());
        walk(&rules, "rules", 20, |state, seat, key| {
            let (view, mut rng) = (state.view(seat), key.rng());
            if view.contract().is_some()
                || view.auction().calls().len() < 3
                || (tested == decisions && rare.len() > 10)
            {
                return;
            }
            let worlds = Worlds::of(&view);
            let deals = (0..50 * number).map(|_| worlds.deal(&mut rng));
            let drawn: Vec<_> = { deals }
                .filter(|deal| opponents.accepts(&view, deal, 1.0))
                .map(|deal| {
                    let _ = retell(&view, &deal, |state, other, made| {
                        let call = bidder().call(&state.view(other), &state.legal_calls(), key);
                        assert!(other == seat || made == call.into(), "{call}, not {made}");
                        signals += u32::from(call == Call::Wait);
                    });
                    *deal.hands()
                })
                .take(number)
                .collect();
            let mut weigher = Weigher::new(&worlds, &mut opponents);
            if drawn.is_empty() {
                // Where chance finds none, the way leads there.
                let (hands, is_fit) = weigher.walk(&worlds, None, [300, 3000], &mut rng).unwrap();
                assert_eq!(is_fit, weigher.weight(&worlds, &hands, 0.0, &mut rng) >= 1.0);
                rare.push(is_fit);
            }
            if drawn.len() < number || tested == decisions {
                return;
            }
            tested += 1;
            // Every second one goes on from where the last ended.
            let mut last = None;
            let mut walked = || {
                let hands = weigher.walk(&worlds, last, [300, 3000], &mut rng).unwrap().0;
                last = if last.is_none() { Some(hands) } else { None };
                hands
            };
            let walked: Vec<_> = (0..number).map(|_| walked()).collect();
            let fits = |hands: &&_| weigher.weight(&worlds, hands, 0.0, &mut rng) >= 1.0;
            assert!(walked.iter().filter(fits).count() * 20 > 19 * number, "{:?}", view.auction().calls());
            // Each card is as often in each hand.
            let (mut chi, mut cells) = (0.0, 0.0);
            for (other, card) in
                Seat::ALL.iter().flat_map(|other| view.unseen().into_iter().map(move |card| (*other, card)))
            {
                let share = |all: &[BySeat<CardSet>]| {
                    all.iter().filter(|hands| hands[other].contains(card)).count() as f64 / all.len() as f64
                };
                let [a, b] = [share(&drawn), share(&walked)];
                let mean = f64::midpoint(a, b);
                let variance = 2.0 * mean * (1.0 - mean) / number as f64;
                if variance * number as f64 > 0.04 {
                    (chi, cells) = (chi + (a - b).powi(2) / variance, cells + 1.0);
                }
            }
            assert!(chi < 1.7 * cells, "{chi} of {cells}: {:?}", view.auction().calls());
        });
        let fitting = rare.iter().filter(|fits| **fits).count();
        assert!(rare.len() > 3 && fitting * 10 >= rare.len() * 9, "{fitting} of {}", rare.len());
        assert_eq!((tested, signals > 0), (decisions, rules.auction.signal_pass));
    }
}

#[test]
fn a_floor_changes_no_mean() {
    let model = || Registry::builtin().parse("rules").unwrap().build();
    // (In the turn-up game the first five cards are drawn, too, so that no weight is like another.)
    for rules in [RuleSet::BGA, RuleSet::CONTREE] {
        let mut opponents = OpponentModel::new(model().bidder, model().player.into_fair());
        let mut late = 0;
        walk(&rules, "rules", 2, |state, seat, key| {
            if state.tricks().len() != 3 {
                return;
            }
            let (view, mut rng) = (state.view(seat), key.rng());
            let worlds = Worlds::of(&view);
            let mut weigher = Weigher::new(&worlds, &mut opponents);
            let draws: Vec<_> = (0..40).map(|_| worlds.hands(&mut rng)).collect();
            let plain: Vec<f64> =
                draws.iter().map(|hands| weigher.weight(&worlds, hands, 0.0, &mut rng)).collect();
            let floor = plain.iter().copied().fold(0.0, f64::max);
            let (mut sum, mut squares) = (0.0, 0.0);
            for _ in 0..200 {
                let weights = draws.iter().map(|hands| weigher.weight(&worlds, hands, floor, &mut rng));
                let mean = weights
                    .map(|weight| {
                        assert!(weight == 0.0 || weight >= floor);
                        weight / floor
                    })
                    .sum::<f64>();
                sum += mean;
                squares += mean * mean;
            }
            let (mean, expected) = (sum / 200.0, plain.iter().sum::<f64>() / floor);
            let error = ((squares / 200.0 - mean * mean) / 200.0).sqrt();
            assert!((mean - expected).abs() <= 5.5 * error + 1e-9, "{mean} ± {error}, not {expected}");
            late += 1;
        });
        assert!(late > 3);
    }
}

#[test]
fn a_deck_that_is_only_cut_gives_the_last_deal_away() {
    for rules in [RuleSet::BGA, RuleSet::BELOTE] {
        let rules = rules.with(|options| options.deal.shuffle = Shuffle::Cut).unwrap();
        let spec = Registry::builtin().parse("random:pass=0.8+random").unwrap();
        let mut bots = Seat::ALL.map(|_| spec.build());
        let (mut past, mut deck): (Vec<PastDeal>, _) = (Vec::new(), Deck::shuffled(8, 0));
        let (mut looked, mut thrown_in) = (0, 0);
        for number in 0..30u64 {
            let dealer = Seat::from_index(usize::try_from(number % 4).unwrap());
            let mut state = DealState::new(&rules, &Deal::new(&rules.deal, deck, dealer));
            state.set_match(coinche_engine::ByTeam([0; 2]), 0, &past);
            let mut key = Key::decisions(8, number, Seat::S0);
            loop {
                if let Turn::Call(seat) | Turn::Play(seat) = state.turn()
                    && past.first().is_some_and(|first| !first.tricks().is_empty())
                {
                    let worlds = Worlds::of(&state.view(seat));
                    let all = worlds.all(usize::MAX).unwrap();
                    assert!(all.len() <= 4 && all.contains(&hands_now(&state)), "{} worlds", all.len());
                    assert_eq!(worlds.total(), all.len() as u64);
                    assert!(all.contains(&worlds.hands(&mut key.rng())));
                    looked += 1;
                }
                key = key.and(1);
                if !step(&mut bots, &mut state, key) {
                    break;
                }
            }
            if state.contract().is_some() {
                past.clear();
            } else {
                thrown_in += 1;
            }
            past.push(state.to_past());
            deck = past.last().unwrap().gather().cut_for_match(&rules.deal, 8, 0, number);
        }
        assert!(looked > 200 && thrown_in > 0, "{looked} {thrown_in}");
    }
}

#[test]
fn an_unknown_bidder_is_a_mixture_of_rules_and_a_network() {
    let network = Arc::new(crate::net_reading::random(Key::from_bits(8)));
    let rules = Box::new(RulesBidder::default());
    let mut mixture = OpponentModel::of(Component::unknown_bidder(rules, Arc::clone(&network)), None);
    let mut reader = Reader::new(network);
    let mut tested = [0; 2];
    for (name, rules) in fitted_rule_sets() {
        walk(&rules, "random:pass=0.4", 12, |state, seat, key| {
            // After one call, which is the whole evidence.
            if state.auction().calls().len() != 1 || state.contract().is_some() {
                return;
            }
            let view = state.view(seat);
            let (caller, call) = state.auction().calls()[0];
            let deal = Worlds::of(&view).deal(&mut key.rng());
            let mut before = None;
            retell(&view, &deal, |state, _, _| before = Some(state.clone())).unwrap();
            let before = before.unwrap();
            let legal = before.legal_calls();
            let mut bot = Registry::builtin().parse("rules").unwrap().build();
            let expected = bot.bidder.call(&before.view(caller), &legal, Key::from_bits(0));
            if expected != call && !(expected.is_pass() && call.is_pass()) {
                tested[0] += 1;
                return;
            }
            // The call that `rules` would make: seven times in ten, if it is `rules`.
            let mut moment = coinche_bots::net::reading::Moment::new(before.clone(), caller, call);
            let by_network = reader.likelihood(&mut moment, before.view(caller).first_hand());
            let literal = 0.3 * 0.7 + 0.7 * by_network;
            let weight = mixture.weight(&view, &deal);
            assert!((weight - literal).abs() < 1e-12, "{name}: {weight} {literal}");
            tested[1] += 1;
        });
    }
    assert!(tested[0] > 10 && tested[1] > 10, "{tested:?}");
}
