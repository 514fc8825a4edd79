//! What `pimc` tells of its cards.

use coinche_bots::{Agent as _, Bot, Registry};
use coinche_engine::{Deal, DealState, Deck, Key, RuleSet, Seat, Turn};

/// By decision with a thought, in how many worlds each option was looked at.
fn worlds(player: &str) -> Vec<Vec<u64>> {
    let spec = Registry::builtin().parse(&format!("rules+pimc:worlds=64,read=none,{player}")).unwrap();
    let mut bots = Seat::ALL.map(|_| spec.build());
    let mut seen = Vec::new();
    for index in 0..6 {
        let deal = Deal::new(&RuleSet::BGA.deal, Deck::shuffled(12, index), Seat::S0);
        let mut state = DealState::new(&RuleSet::BGA, &deal);
        bots.iter_mut().for_each(Bot::start);
        for step in 0.. {
            match state.turn() {
                Turn::Call(seat) => {
                    let (legal, key) = (state.legal_calls(), Key::decisions(12, index, seat).and(step));
                    let call = bots[seat.index()].bidder.call(&state.view(seat), &legal, key);
                    state.call(call).unwrap();
                }
                Turn::Play(seat) => {
                    let (legal, key) = (state.legal_plays(), Key::decisions(12, index, seat).and(step));
                    let player = &mut bots[seat.index()].player;
                    let card = player.play(&state, seat, legal, key);
                    if let Some(thought) = player.thought() {
                        seen.push(thought.options.iter().map(|option| option.worlds).collect());
                    }
                    state.play(card).unwrap();
                }
                Turn::Over => break,
            }
        }
    }
    seen
}

#[test]
fn cards_are_pruned_unless_all_are_to_be_judged() {
    let uneven = |decisions: &[Vec<u64>]| {
        decisions.iter().filter(|worlds| worlds.iter().any(|number| *number != worlds[0])).count()
    };
    let [pruned, all] = ["prune=yes", "prune=no"].map(worlds);
    assert!(uneven(&pruned) > 3, "{pruned:?}");
    assert!(all.len() > 20 && uneven(&all) == 0, "{all:?}");
    // As many worlds as were asked for, or all that there are.
    assert!(all.iter().flatten().all(|number| (1..=64).contains(number)));
    assert!(all.iter().flatten().any(|number| *number == 64));
    assert!(
        Registry::builtin().parse("rules+pimc:prune=maybe").unwrap_err().to_string().contains("yes or no")
    );
}
