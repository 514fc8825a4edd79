//! What `alphamu` must do: with three cards left, find the card that is best when later cards are chosen without
//! knowing the world.

use std::collections::BTreeSet;

use coinche_bots::worlds::{Worlds, retell};
use coinche_bots::{Bot, Registry};
use coinche_engine::{Card, Deal, DealState, Deck, Key, Outcome, RuleSet, Seat, Turn};

fn bot(spec: &str) -> Bot {
    Registry::builtin().parse(spec).unwrap().build()
}

fn score(state: &DealState, seat: Seat) -> i32 {
    let Some(Outcome::Played { score, .. }) = state.outcome() else { unreachable!("the deal is played") };
    score.points[seat.team()] - score.points[seat.team().other()]
}

/// What the seat can reach in worlds that look the same to it, a score for each; the others know the world.
fn reachable(states: &[DealState], me: Seat) -> BTreeSet<Vec<i32>> {
    let Turn::Play(seat) = states[0].turn() else {
        return BTreeSet::from([states.iter().map(|state| score(state, me)).collect()]);
    };
    let played = |n: &usize, card: Card| {
        let mut state = states[*n].clone();
        state.play(card).unwrap();
        state
    };
    let all: Vec<usize> = (0..states.len()).collect();
    if seat == me {
        let below = |card| reachable(&all.iter().map(|n| played(n, card)).collect::<Vec<_>>(), me);
        return states[0].legal_plays().into_iter().flat_map(below).collect();
    }
    let cards = states.iter().fold(states[0].legal_plays(), |cards, state| cards | state.legal_plays());
    let mut reached = BTreeSet::from([vec![None; states.len()]]);
    for card in cards {
        let members: Vec<usize> =
            all.iter().copied().filter(|n| states[*n].legal_plays().contains(card)).collect();
        let below = reachable(&members.iter().map(|n| played(n, card)).collect::<Vec<_>>(), me);
        let mut joined = BTreeSet::new();
        for before in &reached {
            for new in &below {
                let mut vector = before.clone();
                for (n, score) in members.iter().zip(new) {
                    let better =
                        |old: i32| if seat == me.partner() { old.max(*score) } else { old.min(*score) };
                    vector[*n] = Some(vector[*n].map_or(*score, better));
                }
                joined.insert(vector);
            }
        }
        reached = joined;
    }
    reached.into_iter().map(|vector| vector.into_iter().map(Option::unwrap).collect()).collect()
}

#[test]
fn the_next_cards_are_chosen_without_knowing_the_world() {
    let mut alphamu = bot("rules+alphamu:worlds=100,width=1000,read=none");
    let mut seen = 0;
    for index in 0..900 {
        let rules = if index % 2 == 0 { RuleSet::BGA } else { RuleSet::COINCHE };
        let dealer = Seat::from_index(index % 4);
        let mut state =
            DealState::new(&rules, &Deal::new(&rules.deal, Deck::shuffled(9, index as u64), dealer));
        let mut club = bot("rules");
        let key = Key::decisions(9, index as u64, Seat::S0);
        loop {
            let (view, seat) = match state.turn() {
                Turn::Over => break,
                Turn::Call(seat) => {
                    let call = club.bidder.call(&state.view(seat), &state.legal_calls(), key);
                    state.call(call).unwrap();
                    continue;
                }
                Turn::Play(seat) => (state.view(seat), seat),
            };
            if view.hand().len() == 3 && state.legal_plays().len() > 1 {
                let worlds = Worlds::of(&view);
                // Fewer than eight: no card is pruned before all are seen.
                let all = worlds.all(7).filter(|all| all.len() > 1);
                if let Some(all) = all {
                    let world =
                        |hands| retell(&view, &worlds.deal_of(hands, &mut key.rng()), |_, _, _| {}).unwrap();
                    let states: Vec<DealState> = all.iter().map(world).collect();
                    let best = |card: Card| {
                        let after = states.iter().map(|state| {
                            let mut state = state.clone();
                            state.play(card).unwrap();
                            state
                        });
                        let reached = reachable(&after.collect::<Vec<_>>(), seat);
                        reached.into_iter().map(|vector| vector.into_iter().sum::<i32>()).max().unwrap()
                    };
                    let values: Vec<(Card, i32)> =
                        state.legal_plays().into_iter().map(|card| (card, best(card))).collect();
                    alphamu.start();
                    let card = alphamu.player.play(&state, seat, state.legal_plays(), key);
                    let most = values.iter().map(|(_, value)| *value).max().unwrap();
                    assert!(values.contains(&(card, most)), "deal {index}: {card} of {values:?}");
                    seen += 1;
                }
            }
            let card = club.player.play(&state, seat, state.legal_plays(), key);
            state.play(card).unwrap();
        }
    }
    assert!(seen > 100, "{seen}");
}
