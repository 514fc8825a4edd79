//! States to bytes and back in mid-deal, and plays without an auction.

use crate::common::deal::{random_call, random_deck, random_step};
use crate::common::facts::facts;
use crate::common::rng::Rng;
use crate::common::rules::BothRules;
use crate::common::size;
use coinche_engine::observation::Observation;
use coinche_engine::rules::{CoincheMode, Shuffle};
use coinche_engine::{
    ByTeam, Contract, ContractError, Deal, DealState, Deck, Goal, Ladder, PastDeal, RuleSet, Seat, Stake,
    StateBytesError, Strain, Turn,
};

/// Everything that a state tells.
fn all(state: &DealState) -> String {
    let views = Seat::ALL.map(|seat| facts(&state.view(seat)));
    let legal = (state.legal_calls().iter().collect::<Vec<_>>(), state.legal_plays());
    format!("{views:?} {:?} {legal:?} {:?} {:?}", state.turn(), state.hands(), state.outcome())
}

fn compare(state: &DealState) {
    let bytes = state.to_bytes();
    let again = DealState::from_bytes(state.rules(), &bytes).unwrap();
    assert_eq!(all(&again), all(state));
    assert_eq!(again.to_bytes(), bytes);
    assert_eq!(again, *state);
}

/// Plays on to the end and calls `look` before each decision and at the end.
fn play(rng: &mut Rng, state: &mut DealState, mut look: impl FnMut(&DealState)) {
    loop {
        look(state);
        if !random_step(rng, state) {
            return;
        }
    }
}

fn random_deal(rules: &BothRules, rng: &mut Rng) -> Deal {
    let dealer = Seat::from_index(rng.below(4));
    Deal::new(&rules.engine.deal, random_deck(rules, rng, dealer), dealer)
}

#[test]
fn a_state_comes_back_from_its_bytes_and_is_copied_over_another() {
    let mut copy =
        DealState::new(&RuleSet::BELOTE, &Deal::new(&RuleSet::BELOTE.deal, Deck::sorted(), Seat::S3));
    let mut copied = |state: &DealState| {
        copy.clone_from(state);
        assert_eq!(format!("{copy:?}"), format!("{state:?}"));
    };
    for seed in 0..size(500, 10_000) {
        let mut rng = Rng::new(seed);
        let rules = BothRules::random(&mut rng);
        let mut past: Vec<PastDeal> = Vec::new();
        for _ in 0..=rng.below(3) {
            let mut state = DealState::new(&rules.engine, &random_deal(&rules, &mut rng));
            state.set_match(ByTeam([rng.between(-100, 900), rng.between(0, 900)]), rng.between(0, 81), &past);
            state.set_deals_left(u16::try_from(rng.below(13)).unwrap());
            play(&mut rng, &mut state, |state| {
                compare(state);
                copied(state);
            });
            if rules.engine.deal.shuffle == Shuffle::Cut {
                past.push(state.to_past());
            }
        }
    }
}

#[test]
fn states_are_equal_whatever_the_order_of_the_deck() {
    let mut taken = 0;
    for seed in 0..size(300, 3_000) {
        let mut rng = Rng::new(seed);
        let rules = BothRules::random(&mut rng).engine;
        let dealer = Seat::from_index(rng.below(4));
        let mut state = DealState::new(&rules, &Deal::new(&rules.deal, rng.deck(), dealer));
        let mut states = Vec::new();
        play(&mut rng, &mut state, |state| states.push(state.clone()));
        for pair in states.windows(2) {
            assert!(pair[0] == pair[0].clone() && pair[0] != pair[1]);
        }
        let first = &states[0];
        let Some(contract) = state.contract() else { continue };
        let turned = first.deal().turned().map(|card| (card, contract.declarer));
        let hands = first.deal().complete(contract.declarer);
        let deal = Deal::from_hands(&rules.deal, dealer, hands, turned).unwrap();
        let played = |deal| DealState::play_from(&rules, deal, contract).unwrap();
        assert!(played(&deal) == played(first.deal()) && deal.deck() != first.deal().deck());
        // Who might have taken counts before the play.
        let begun = DealState::new(&rules, &deal);
        let all = |deal: &Deal| (*deal.hands(), Seat::ALL.map(|taker| deal.complete(taker)));
        assert_eq!(begun == *first, all(&deal) == all(first.deal()));
        taken += 1;
    }
    assert!(taken > 100, "{taken}");
}

#[test]
fn damaged_bytes_are_refused_or_another_state() {
    let (mut refused, mut tried) = (0, 0);
    for seed in 0..size(300, 10_000) {
        let mut rng = Rng::new(seed);
        let rules = BothRules::random(&mut rng);
        let mut state = DealState::new(&rules.engine, &random_deal(&rules, &mut rng));
        let stop = rng.below(40);
        let mut seen = 0;
        let mut bytes = Vec::new();
        play(&mut rng, &mut state, |state| {
            if seen <= stop {
                bytes = state.to_bytes();
            }
            seen += 1;
        });
        for _ in 0..50 {
            let mut wrong = bytes.clone();
            match rng.below(4) {
                0 => wrong.truncate(rng.below(bytes.len())),
                1 => wrong.push(0),
                _ => {
                    let at = rng.below(bytes.len());
                    wrong[at] ^= 1 << rng.below(8);
                }
            }
            tried += 1;
            match DealState::from_bytes(&rules.engine, &wrong) {
                // Another card or call that is legal too: then a state of which all can be asked.
                Ok(other) => drop(all(&other)),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(2 * refused > tried, "{refused} of {tried}");
    let state = DealState::new(&RuleSet::BGA, &Deal::new(&RuleSet::BGA.deal, Rng::new(1).deck(), Seat::S0));
    let bytes = state.to_bytes();
    let from = |rules: &RuleSet, bytes: &[u8]| DealState::from_bytes(rules, bytes).map(drop).unwrap_err();
    assert_eq!(from(&RuleSet::BGA, b"CDS3"), StateBytesError::Header);
    assert_eq!(from(&RuleSet::BGA, &bytes[..9]), StateBytesError::Damaged("the deck"));
    assert_eq!(from(&RuleSet::BGA, &[&bytes[..], &[0]].concat()), StateBytesError::Damaged("the end"));
}

#[test]
fn a_play_without_an_auction_is_that_after_one() {
    let mut played = 0;
    for seed in 0..size(1_000, 10_000) {
        let mut rng = Rng::new(seed);
        let rules = BothRules::random(&mut rng);
        let deal = random_deal(&rules, &mut rng);
        let mut state = DealState::new(&rules.engine, &deal);
        while let Turn::Call(_) = state.turn() {
            state.call(random_call(&mut rng, &state.legal_calls())).unwrap();
        }
        let Some(contract) = state.contract() else { continue };
        let mut direct = DealState::play_from(&rules.engine, &deal, contract).unwrap();
        assert_eq!(direct.hands(), state.hands());
        let mut twin = Rng::new(seed + 1);
        play(&mut Rng::new(seed + 1), &mut direct, |direct| {
            compare(direct);
            if let Turn::Play(seat) = direct.turn() {
                let observed = Observation::of(&direct.view(seat));
                assert_eq!(observed.given, Some(contract));
                let rebuilt = observed.state(&rules.engine).unwrap();
                assert_eq!(facts(&rebuilt.view(seat)), facts(&direct.view(seat)));
            }
        });
        play(&mut twin, &mut state, |_| {});
        assert_eq!(direct.outcome(), state.outcome());
        assert_eq!(direct.tricks(), state.tricks());
        played += 1;
    }
    assert!(played > size(300, 3_000), "{played}");
}

#[test]
fn contracts_that_no_auction_gives_are_refused() {
    for (name, rules) in RuleSet::ALL {
        let deal = Deal::new(&rules.deal, Rng::new(1).deck(), Seat::S0);
        let has_values = rules.has_values();
        let value = Ladder::new(&rules).value(0).unwrap();
        let right = Contract {
            declarer: Seat::S1,
            strain: Strain::Hearts,
            goal: if has_values { Goal::Bid(value) } else { Goal::Majority },
            stake: Stake::Plain,
        };
        let error = |contract| DealState::play_from(&rules, &deal, contract).map(drop).err();
        assert_eq!(error(right), None, "{name}");
        let other = if has_values { Goal::Majority } else { Goal::Bid(value) };
        assert_eq!(error(Contract { goal: other, ..right }), Some(ContractError::Goal), "{name}");
        for strain in [Strain::NoTrump, Strain::AllTrump] {
            let has =
                if strain == Strain::NoTrump { rules.auction.no_trump } else { rules.auction.all_trump };
            let expected = (!has).then_some(ContractError::Strain(strain));
            assert_eq!(error(Contract { strain, ..right }), expected, "{name}");
        }
        let expected =
            (rules.auction.coinche == CoincheMode::Off).then_some(ContractError::Stake(Stake::Coinche));
        assert_eq!(error(Contract { stake: Stake::Coinche, ..right }), expected, "{name}");
        if has_values {
            let low = coinche_engine::BidValue::points(7).unwrap();
            let error = error(Contract { goal: Goal::Bid(low), ..right });
            assert!(matches!(error, Some(ContractError::Value(_))), "{name}");
        }
    }
}
