//! A state rebuilt from what a seat knows has the same view, and the same choices.

use crate::common::deal::{random_deck, random_step};
use crate::common::facts::facts;
use crate::common::rng::Rng;
use crate::common::rules::BothRules;
use crate::common::size;
use coinche_engine::observation::{Observation, ObservationError};
use coinche_engine::rules::Shuffle;
use coinche_engine::{ByTeam, Deal, DealState, PastDeal, Seat, Turn};

fn compare(state: &DealState, seat: Seat) {
    let rebuilt = Observation::of(&state.view(seat)).state(state.rules()).unwrap();
    assert_eq!(facts(&rebuilt.view(seat)), facts(&state.view(seat)));
    assert_eq!(rebuilt.turn(), state.turn());
    assert_eq!(rebuilt.legal_plays(), state.legal_plays());
    assert_eq!(rebuilt.meld_options(seat), state.meld_options(seat));
    for card in state.legal_plays() {
        assert_eq!(rebuilt.may_announce_belote(card), state.may_announce_belote(card), "{card}");
    }
}

/// Plays a random deal and rebuilds the state at every decision.
fn play(rng: &mut Rng, state: &mut DealState) -> u64 {
    let mut decisions = 0;
    while let Turn::Call(seat) | Turn::Play(seat) = state.turn() {
        compare(state, seat);
        random_step(rng, state);
        decisions += 1;
    }
    decisions
}

#[test]
fn rebuilt_states_have_the_same_view() {
    let mut decisions = 0;
    for seed in 0..size(1000, 4000) {
        let mut rng = Rng::new(seed);
        let rules = BothRules::random(&mut rng);
        let mut past: Vec<PastDeal> = Vec::new();
        for _ in 0..=rng.below(3) {
            let dealer = Seat::from_index(rng.below(4));
            let deal = Deal::new(&rules.engine.deal, random_deck(&rules, &mut rng, dealer), dealer);
            let mut state = DealState::new(&rules.engine, &deal);
            state.set_match(ByTeam([rng.between(-100, 900), rng.between(0, 900)]), rng.between(0, 81), &past);
            state.set_deals_left(u16::try_from(rng.below(13)).unwrap());
            decisions += play(&mut rng, &mut state);
            if rules.engine.deal.shuffle == Shuffle::Cut {
                past.push(state.to_past());
            }
        }
    }
    assert!(decisions > size(25_000, 100_000), "{decisions}");
}

#[test]
fn what_cannot_be_is_refused() {
    let mut rng = Rng::new(1);
    let rules = BothRules::preset("bga");
    let deal = Deal::new(&rules.engine.deal, rng.deck(), Seat::S3);
    let mut state = DealState::new(&rules.engine, &deal);
    let first = Observation::of(&state.view(Seat::S0));
    for call in ["82S", "P", "P", "P"] {
        state.call(call.parse().unwrap()).unwrap();
    }
    let card = state.legal_plays().first().unwrap();
    let lead = Observation::of(&state.view(Seat::S0));
    let error = |change: &dyn Fn(&mut Observation)| {
        let mut wrong = lead.clone();
        change(&mut wrong);
        wrong.state(&rules.engine).unwrap_err()
    };
    assert_eq!(error(&|it| it.seat = Seat::S1), ObservationError::NotTheTurn(Seat::S1));
    assert_eq!(error(&|it| it.turned = Some(card)), ObservationError::Turned);
    assert_eq!(error(&|it| it.first_hand = it.first_hand.without(card)), ObservationError::Hand(7, 8));
    assert_eq!(error(&|it| it.cards = vec![card; 2]), ObservationError::Card(Seat::S1, card));
    let other = (!lead.first_hand).first().unwrap();
    assert_eq!(error(&|it| it.cards = vec![other]), ObservationError::Card(Seat::S0, other));
    assert!(matches!(error(&|it| it.calls[1].0 = Seat::S2), ObservationError::OutOfTurn(Seat::S2, _)));
    assert!(matches!(error(&|it| it.calls[1].1 = it.calls[0].1), ObservationError::Call(_)));
    assert_eq!(error(&|it| it.calls.truncate(1)), ObservationError::NotTheTurn(Seat::S0));
    let early = Observation { cards: vec![card], ..first };
    assert_eq!(early.state(&rules.engine).unwrap_err(), ObservationError::NoContract);
    assert!(lead.state(&rules.engine).is_ok());
}
