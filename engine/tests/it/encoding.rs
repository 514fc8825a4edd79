//! Actions and observations as numbers, against slow and literal twins.

use std::collections::BTreeSet;

use crate::common::deal::{random_deck, random_step};
use crate::common::rng::Rng;
use crate::common::rules::BothRules;
use crate::common::size;
use coinche_engine::encoding::{
    Action, ActionSpace, Encoder, FEATURES, IllegalAction, Memory, ObservationForm, SuitOrder, Suits,
    bits_to_bytes,
};
use coinche_engine::observation::Observation;
use coinche_engine::{
    AuctionTurn, BidValue, ByTeam, Call, Card, CardSet, Deal, DealState, Deck, Goal, RuleSet, Seat, Stake,
    Strain, Suit, Turn, View,
};

/// Everything that may be done now, one by one: by trying it.
fn literal_actions(state: &DealState, space: &ActionSpace) -> BTreeSet<usize> {
    let mut legal = BTreeSet::new();
    match state.turn() {
        Turn::Over => {}
        Turn::Call(_) => {
            for call in state.legal_calls().iter() {
                legal.insert(space.index(call.into()).unwrap());
            }
        }
        Turn::Play(_) => {
            for card in Card::all().filter(|card| state.clone().play(*card).is_ok()) {
                legal.insert(space.index(card.into()).unwrap());
                if state.may_announce_belote(card) {
                    legal.insert(space.index(Action::SilentCard(card)).unwrap());
                }
            }
        }
    }
    legal
}

/// Plays a random deal of random rules, in a match, and shows each state.
fn for_random_states(
    seeds: core::ops::Range<u64>,
    mut look: impl FnMut(&mut Rng, &BothRules, &ActionSpace, &DealState),
) {
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let rules = BothRules::random(&mut rng);
        let space = ActionSpace::new(&rules.engine);
        let dealer = Seat::from_index(rng.below(4));
        let deal = Deal::new(&rules.engine.deal, random_deck(&rules, &mut rng, dealer), dealer);
        let mut state = DealState::new(&rules.engine, &deal);
        let target = i32::try_from(rules.engine.game.target).unwrap();
        state.set_match(
            ByTeam([rng.between(-100, target), rng.between(0, target)]),
            if rng.chance(20) { 80 } else { 0 },
            &[],
        );
        loop {
            look(&mut rng, &rules, &space, &state);
            if !random_step(&mut rng, &mut state) {
                break;
            }
        }
    }
}

#[test]
fn masks_are_what_may_be_done() {
    let mut silent = 0;
    for_random_states(0..size(1_000, 20_000), |_, _, space, state| {
        let mut mask = vec![7; space.len()];
        space.mask(state, &mut mask);
        let legal = literal_actions(state, space);
        for (index, byte) in mask.iter().enumerate() {
            assert_eq!(*byte, u8::from(legal.contains(&index)), "{index}");
            assert_eq!(space.is_legal(state, index), legal.contains(&index), "{index}");
        }
        silent += legal.iter().filter(|index| (32..40).contains(*index)).count();
    });
    assert!(silent > 50, "{silent}");
}

#[test]
fn an_action_does_what_its_text_says() {
    for_random_states(0..size(300, 5_000), |rng, _, space, state| {
        for index in 0..space.len() + 2 {
            let mut by_index = state.clone();
            let applied = space.apply(&mut by_index, index);
            let Some(action) = space.action(index) else {
                assert_eq!(applied, Err(IllegalAction::OutOfRange { action: index, len: space.len() }));
                continue;
            };
            assert_eq!(applied.is_ok(), space.is_legal(state, index), "{action}: {applied:?}");
            if applied.is_err() {
                assert_eq!(by_index.to_bytes(), state.to_bytes());
                continue;
            }
            // Bids of up to ten points look like cards.
            let is_low = matches!(action, Action::Call(Call::Bid(bid)) if bid.value.as_points().is_some_and(|points| points <= 10));
            if is_low || rng.chance(90) {
                continue;
            }
            let mut by_hand = state.clone();
            match action.to_string().parse::<Action>().unwrap() {
                Action::Call(call) => drop(by_hand.call(call).unwrap()),
                action => drop(by_hand.play(action.play().unwrap()).unwrap()),
            }
            assert_eq!(by_hand.to_bytes(), by_index.to_bytes(), "{action}");
        }
    });
}

#[test]
fn every_action_has_one_number_and_one_name() {
    for (name, rules) in RuleSet::ALL {
        let space = ActionSpace::new(&rules);
        let mut names = BTreeSet::new();
        for index in 0..space.len() {
            let action = space.action(index).unwrap();
            assert_eq!(space.index(action), Some(index), "{name}");
            assert_eq!(action.to_string().parse(), Ok(action));
            assert!(names.insert(action.to_string()), "{name}: {action}");
        }
        assert_eq!(space.action(space.len()), None);
    }
    let [bga, belote] = ["bga", "belote"].map(|name| ActionSpace::new(&RuleSet::preset(name).unwrap()));
    assert_eq!(belote.len(), ActionSpace::FIXED);
    assert_eq!((0..belote.len()).find(|index| bga.action(*index) != belote.action(*index)), None);
    assert_ne!(bga.fingerprint(), belote.fingerprint());
    assert_eq!(bga.index("60H".parse().unwrap()), None);
}

/// The layout is a promise: whoever changes it must change the version, and these numbers with it.
#[test]
fn the_layout_is_that_of_version_1() {
    assert_eq!((ActionSpace::VERSION, Encoder::VERSION, Encoder::BITS), (1, 1, 1344));
    let bga = ActionSpace::new(&RuleSet::BGA);
    let numbers =
        ["7C", "AS", "QC silent", "KS silent", "P", "W", "X", "XX", "TAKE", "TAKE S", "82C", "90TA"]
            .map(|name| bga.index(name.parse().unwrap()).unwrap());
    assert_eq!(numbers, [0, 31, 32, 39, 40, 41, 42, 43, 44, 48, 49, 60]);
    let fingerprints = RuleSet::ALL.map(|(_, rules)| ActionSpace::new(&rules).fingerprint());
    let known = include_str!("../data/action-fingerprints.txt");
    for (((name, _), fingerprint), line) in RuleSet::ALL.iter().zip(fingerprints).zip(known.lines()) {
        assert_eq!(format!("{name} {fingerprint:016x}"), line);
    }
}

/// What is kept from one observation to the next changes none, whoever observes, and however much happens in between.
#[test]
fn a_memory_changes_no_observation() {
    let (mut seen, mut long, mut memory, mut last) = (0, 0, Memory::new(), None);
    for_random_states(0..size(1_000, 20_000), |rng, rules, _, state| {
        // Each deal begins with an auction of no calls.
        if state.auction().calls().is_empty() && state.tricks().is_empty() {
            memory.clear();
            last = None;
        }
        if rng.chance(40) {
            return;
        }
        let seat = Seat::from_index(rng.below(4));
        for suits in [Suits::AsDealt, Suits::Canonical] {
            let encoder = Encoder::new(&rules.engine, suits);
            let (mut kept, mut fresh) = ([7; Encoder::WORDS], [9; Encoder::WORDS]);
            let view = state.view(seat);
            let order = encoder.encode_with(&mut memory, &view, &mut kept);
            assert_eq!((order, kept), (encoder.encode(&view, &mut fresh), fresh), "{seat}");
        }
        seen += usize::from(last.is_some_and(|calls| calls != state.auction().calls().len()));
        long += usize::from(state.auction().calls().len() > 12);
        last = Some(state.auction().calls().len());
    });
    assert!(seen > 500 && long > 50, "{seen}, {long}");
}

#[test]
fn features_cover_all_bits_in_order() {
    let mut next = 0;
    for feature in FEATURES {
        assert_eq!(feature.start, next, "{}", feature.name);
        next += feature.len;
    }
    assert_eq!(next, Encoder::BITS);
}

/// The places of the bits that a view sets, by name of feature, one by one.
#[derive(Default)]
struct Places(BTreeSet<usize>);

impl Places {
    fn set(&mut self, feature: &str, place: usize) {
        let feature = FEATURES.iter().find(|it| it.name == feature).unwrap();
        assert!(place < feature.len, "{}: {place}", feature.name);
        assert!(self.0.insert(feature.start + place), "{}: {place} twice", feature.name);
    }

    fn cards(&mut self, feature: &str, word: usize, cards: CardSet, order: SuitOrder) {
        for card in cards {
            let place = 8 * order.slot(card.suit()) + card.rank().index();
            self.set(feature, 32 * word + place);
        }
    }

    fn at_least(&mut self, feature: &str, value: i64, steps: impl Fn(i64) -> i64, len: i64) {
        for step in (1..=len).filter(|step| value >= steps(*step)) {
            self.set(feature, usize::try_from(step - 1).unwrap());
        }
    }
}

fn strain_slot(order: SuitOrder, strain: Strain) -> usize {
    match strain.trump() {
        Some(suit) => order.slot(suit),
        None => strain as usize,
    }
}

/// How many places later in the order of play a seat sits.
fn relative(view: &View<'_>, seat: Seat) -> usize {
    (seat.index() + 4 - view.seat().index()) % 4
}

/// The stage of the deal, and the contract as it stands.
fn literal_contract(places: &mut Places, view: &View<'_>, order: SuitOrder) {
    let auction = view.auction().state();
    places.set(
        "stage",
        match auction.turn() {
            AuctionTurn::Speak(_) if auction.is_second_round() => 1,
            AuctionTurn::Speak(_) => 0,
            AuctionTurn::OfferCoinche(_) => 2,
            AuctionTurn::OfferSurcoinche(_) => 3,
            AuctionTurn::Over => 4,
        },
    );
    if let Some(contract) = auction.contract() {
        places.set("declarer", relative(view, contract.declarer));
        places.set("strain", strain_slot(order, contract.strain));
        match contract.stake {
            Stake::Plain => {}
            Stake::Coinche => places.set("stake", 0),
            Stake::Surcoinche => places.set("stake", 1),
        }
        match contract.goal {
            Goal::Bid(BidValue::CAPOT) => places.set("goal", 0),
            Goal::Bid(BidValue::GENERALE) => places.set("goal", 1),
            Goal::Bid(value) => {
                places.at_least("value", value.as_points().unwrap().into(), |step| 10 * step, 32);
            }
            Goal::Majority => {}
        }
    }
}

/// The last calls.
fn literal_calls(places: &mut Places, rules: &RuleSet, view: &View<'_>, order: SuitOrder) {
    let values: Vec<BidValue> = coinche_engine::Ladder::new(rules).iter().collect();
    let calls = view.auction().calls();
    for (number, (seat, call)) in calls.iter().skip(calls.len().saturating_sub(12)).enumerate() {
        let mut set = |place: usize| places.set("auction", 32 * number + place);
        set(relative(view, *seat));
        match call {
            Call::Pass => set(4),
            Call::Wait => set(5),
            Call::Coinche => set(6),
            Call::Surcoinche => set(7),
            Call::Take => set(8),
            Call::TakeIn(suit) => set(9 + order.slot(*suit)),
            Call::Bid(bid) => {
                set(9 + strain_slot(order, bid.strain));
                set(match bid.value {
                    BidValue::CAPOT => 30,
                    BidValue::GENERALE => 31,
                    value => 15 + values.iter().position(|other| *other == value).unwrap().min(14),
                });
            }
        }
    }
}

/// What [`FEATURES`] says, literally.
fn literal_places(rules: &RuleSet, view: &View<'_>, order: SuitOrder) -> BTreeSet<usize> {
    let mut places = Places::default();
    let me = view.seat();
    let rel = |seat: Seat| relative(view, seat);
    let tricks: Vec<Vec<(Seat, Card)>> = view
        .tricks()
        .iter()
        .map(|trick| trick.leader.around().into_iter().zip(trick.cards).collect())
        .chain([view.trick().collect()])
        .collect();
    places.cards("hand", 0, view.hand(), order);
    places.cards("turned", 0, view.turned().into_iter().collect(), order);
    for (seat, card) in &tricks[tricks.len() - 1] {
        places.cards("trick", rel(*seat), CardSet::only(*card), order);
    }
    for (number, trick) in tricks.iter().enumerate() {
        for (seat, card) in trick {
            places.cards("played", rel(*seat), CardSet::only(*card), order);
            places.cards("tricks", number, CardSet::only(*card), order);
        }
    }
    for seat in Seat::ALL.into_iter().filter(|seat| *seat != me) {
        places.cards("shown", rel(seat) - 1, view.known(seat), order);
        places.cards("excluded", rel(seat) - 1, view.unseen() - view.could_hold(seat), order);
    }
    for (number, trick) in view.tricks().iter().enumerate() {
        places.set("winners", 4 * number + rel(trick.winner));
    }
    places.set("dealer", rel(view.dealer()));
    if let Turn::Call(seat) | Turn::Play(seat) = view.turn() {
        places.set("turn", rel(seat));
    }
    literal_contract(&mut places, view, order);
    if let Some((seat, _)) = view.winning() {
        places.set("winning", rel(seat));
    }
    if view.held() != 0 {
        places.set("held", 0);
    }
    let own = me.team();
    for (team, points, score) in [(own, "points", "match"), (own.other(), "points_other", "match_other")] {
        places.at_least(points, view.points_taken()[team].into(), |step| 10 * step, 16);
        let target = i64::from(rules.game.target);
        let score_of = 16 * i64::from(view.match_score()[team]);
        places.at_least(score, score_of, |step| step * target, 16);
    }
    for seat in Seat::ALL {
        let kinds: BTreeSet<usize> = view.announced_kinds(seat).map(|kind| kind as usize).collect();
        for kind in kinds {
            places.set("melds", 4 * rel(seat) + kind);
        }
    }
    for suit in Suit::ALL {
        if let Some(belote) = view.belote(suit).filter(|belote| belote.announced == Some(true)) {
            places.set("belotes", 4 * rel(belote.seat) + order.slot(suit));
        }
    }
    literal_calls(&mut places, rules, view, order);
    places.0
}

#[test]
fn observations_are_what_the_features_say() {
    let mut nonzero = BTreeSet::new();
    for_random_states(0..size(1_000, 20_000), |rng, rules, _, state| {
        let view = state.view(rng.pick(&Seat::ALL));
        for suits in [Suits::AsDealt, Suits::Canonical] {
            let mut words = [1; Encoder::WORDS];
            let encoder = Encoder::new(&rules.engine, suits);
            let order = encoder.encode(&view, &mut words);
            let mut bytes = [3; Encoder::BITS];
            assert_eq!(ObservationForm::Bytes.write(&encoder, &mut Memory::new(), &view, &mut bytes), order);
            let mut same = [4; Encoder::BITS];
            bits_to_bytes(&words, &mut same);
            assert_eq!(bytes, same);
            let set: BTreeSet<usize> =
                bytes.iter().enumerate().filter(|(_, byte)| **byte != 0).map(|(place, _)| place).collect();
            assert_eq!(set, literal_places(&rules.engine, &view, order));
            nonzero.extend(set);
        }
    });
    // Every feature is set in some state, and nearly every bit.
    for feature in FEATURES {
        assert!(
            nonzero.range(feature.start..feature.start + feature.len).next().is_some(),
            "{}",
            feature.name
        );
    }
}

/// The same view over other hidden cards: those that an observation makes up.
#[test]
fn observations_do_not_depend_on_hidden_cards() {
    let mut positions = 0;
    for_random_states(0..size(1_000, 20_000), |_, rules, space, state| {
        let (Turn::Call(seat) | Turn::Play(seat)) = state.turn() else { return };
        let view = state.view(seat);
        let rebuilt = Observation::of(&view).state(&rules.engine).unwrap();
        for suits in [Suits::AsDealt, Suits::Canonical] {
            let encoder = Encoder::new(&rules.engine, suits);
            let [mut one, mut other] = [[0; Encoder::WORDS]; 2];
            let orders = [encoder.encode(&view, &mut one), encoder.encode(&rebuilt.view(seat), &mut other)];
            assert_eq!((one, orders[0]), (other, orders[1]));
        }
        let masks = [state, &rebuilt].map(|state| {
            let mut mask = vec![0; space.len()];
            space.mask(state, &mut mask);
            mask
        });
        assert_eq!(masks[0], masks[1]);
        positions += 1;
    });
    assert!(positions > size(20_000, 400_000), "{positions}");
}

/// A deck with its suits renamed.
fn renamed_deck(deck: &Deck, order: SuitOrder) -> Deck {
    Deck::from_cards(deck.cards().map(|card| renamed(card, order))).unwrap()
}

fn renamed(card: Card, order: SuitOrder) -> Card {
    Card::new(Suit::from_index(order.slot(card.suit())), card.rank())
}

#[test]
fn renaming_suits_renames_the_answers() {
    let orders: Vec<SuitOrder> = (0..256)
        .filter_map(|n| SuitOrder::new([0, 2, 4, 6].map(|shift| Suit::from_index(n >> shift & 3))))
        .collect();
    assert_eq!(orders.len(), 24);
    for seed in 0..size(1_000, 10_000) {
        let mut rng = Rng::new(seed);
        let rules = BothRules::random(&mut rng);
        if rules.engine.auction.bids == coinche_engine::rules::Bids::Strains {
            // Suits have a rank there.
            continue;
        }
        let space = ActionSpace::new(&rules.engine);
        let encoder = Encoder::new(&rules.engine, Suits::Canonical);
        let dealer = Seat::from_index(rng.below(4));
        let deck = random_deck(&rules, &mut rng, dealer);
        let order = rng.pick(&orders);
        assert_eq!(order.inverse().inverse(), order);
        let start = |deck: Deck| DealState::new(&rules.engine, &Deal::new(&rules.engine.deal, deck, dealer));
        let (mut plain, mut other) = (start(deck), start(renamed_deck(&deck, order)));
        while plain.turn() != Turn::Over {
            let mut masks = [vec![0; space.len()], vec![0; space.len()]];
            space.mask(&plain, &mut masks[0]);
            space.mask(&other, &mut masks[1]);
            let mut renamed_mask = masks[0].clone();
            space.rename_mask(&mut renamed_mask, order);
            assert_eq!(renamed_mask, masks[1]);
            let mut orders = Vec::new();
            let mut words = Vec::new();
            for seat in Seat::ALL {
                for state in [&plain, &other] {
                    let mut observed = [0; Encoder::WORDS];
                    orders.push(encoder.encode(&state.view(seat), &mut observed));
                    words.push(observed);
                }
                assert_eq!(words[words.len() - 2], words[words.len() - 1], "{seat}");
            }
            // What is legal is the same in the canonical names of whoever must decide.
            let (Turn::Call(seat) | Turn::Play(seat)) = plain.turn() else { unreachable!() };
            let [of_plain, of_other] = [orders[2 * seat.index()], orders[2 * seat.index() + 1]];
            space.rename_mask(&mut masks[0], of_plain);
            space.rename_mask(&mut masks[1], of_other);
            assert_eq!(masks[0], masks[1]);
            let legal: Vec<usize> = literal_actions(&plain, &space).into_iter().collect();
            let action = rng.pick(&legal);
            let its_name = space.rename(action, order).unwrap();
            assert_eq!(space.rename(its_name, order.inverse()), Some(action));
            space.apply(&mut plain, action).unwrap();
            space.apply(&mut other, its_name).unwrap();
        }
        assert_eq!(plain.outcome().is_some(), other.outcome().is_some());
    }
}
