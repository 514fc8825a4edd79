//! Cards that score the same: the search players play the one with which their side makes most card points.

use coinche_bots::worlds::{Worlds, retell};
use coinche_bots::{Bot, Registry};
use coinche_engine::{Card, Deal, DealState, Deck, Key, Outcome, RuleSet, Seat, Turn};

fn bot(spec: &str) -> Bot {
    Registry::builtin().parse(spec).unwrap().build()
}

/// The card points and the score that best play for points leads to, own and own less the other side's, by trying all.
fn best_play(state: &DealState, me: Seat) -> (i32, i32) {
    let Turn::Play(seat) = state.turn() else {
        let Some(Outcome::Played { result, score }) = state.outcome() else { unreachable!("it is played") };
        let (own, other) = (me.team(), me.team().other());
        return (result.card_points[own].into(), score.points[own] - score.points[other]);
    };
    let after = state.legal_plays().into_iter().map(|card| best_play(&played(state, card), me));
    if seat.team() == me.team() { after.max() } else { after.min() }.unwrap()
}

fn played(state: &DealState, card: Card) -> DealState {
    let mut state = state.clone();
    state.play(card).unwrap();
    state
}

/// By card, the sums of score and of card points over the worlds, in this order.
fn values(states: &[DealState], me: Seat) -> Vec<(Card, (i32, i32))> {
    let value = |card: Card| {
        let each = states.iter().map(|state| best_play(&played(state, card), me));
        each.fold((0, 0), |(score, points), (more_points, more)| (score + more, points + more_points))
    };
    states[0].legal_plays().into_iter().map(|card| (card, value(card))).collect()
}

/// Where nearly all is known, the player takes the card with the best score, and of those one with most points.
///
/// The hands have two or three cards, and the worlds are so few that none is left out. Returns the number of decisions, and
/// of those in which the cheapest of the cards with the best score makes less than it could.
fn decisions(player: &str, rules: &RuleSet, deals: u64) -> (u32, u32) {
    let mut searcher = bot(&format!("rules+{player},worlds=100,read=none"));
    let (mut seen, mut wasteful) = (0, 0);
    for index in 0..deals {
        let dealer = Seat::from_index(usize::try_from(index % 4).unwrap());
        let mut state = DealState::new(rules, &Deal::new(&rules.deal, Deck::shuffled(31, index), dealer));
        let mut club = bot("rules");
        let key = Key::decisions(31, index, Seat::S0);
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
            let legal = state.legal_plays();
            // Once both sides have a trick no slam disturbs the order of points.
            let has_slam = view.tricks().iter().all(|trick| trick.winner.team() == seat.team())
                || view.tricks().iter().all(|trick| trick.winner.team() != seat.team());
            if (2..=3).contains(&view.hand().len()) && legal.len() > 1 && !has_slam {
                let worlds = Worlds::of(&view);
                if let Some(all) = worlds.all(7) {
                    let world =
                        |hands| retell(&view, &worlds.deal_of(hands, &mut key.rng()), |_, _, _| {}).unwrap();
                    let states: Vec<DealState> = all.iter().map(world).collect();
                    let values = values(&states, seat);
                    let best = values.iter().map(|(_, value)| *value).max().unwrap();
                    searcher.start();
                    let card = searcher.player.play(&state, seat, legal, key);
                    assert!(
                        values.contains(&(card, best)),
                        "{player}, deal {index}: {seat} plays {card} of {values:?}"
                    );
                    let worth = |card: Card| rules.cards.points(view.strain().unwrap(), card);
                    let tied = values.iter().filter(|(_, (score, _))| *score == best.0);
                    let least = tied.clone().map(|(card, _)| worth(*card)).min();
                    let mut cheapest = tied.filter(|(card, _)| Some(worth(*card)) == least);
                    wasteful += u32::from(cheapest.all(|(_, value)| *value != best));
                    seen += 1;
                }
            }
            let card = club.player.play(&state, seat, legal, key);
            state.play(card).unwrap();
        }
    }
    (seen, wasteful)
}

#[test]
fn of_cards_with_the_same_score_the_one_with_most_points_is_played() {
    for rules in [RuleSet::BGA, RuleSet::CONTREE, RuleSet::COINCHEE] {
        // With `hand=1` it does not look ahead.
        for player in ["pimc:prune=yes", "alphamu:hand=1"] {
            let (seen, wasteful) = decisions(player, &rules, 150);
            assert!(seen > 60 && wasteful > 5, "{seen}, {wasteful}");
        }
    }
}

/// Of the decisions with two or three cards and few worlds, in which every card leads to the same score and the cheapest to fewer card
/// points than another: how many there are, and in how many the player takes most points.
fn flat_decisions(player: &str, rules: &RuleSet, deals: u64) -> (u32, u32) {
    let mut searcher = bot(&format!("rules+{player}"));
    let (mut seen, mut most) = (0, 0);
    for index in 0..deals {
        let dealer = Seat::from_index(usize::try_from(index % 4).unwrap());
        let mut state = DealState::new(rules, &Deal::new(&rules.deal, Deck::shuffled(32, index), dealer));
        let mut club = bot("rules");
        let key = Key::decisions(32, index, Seat::S0);
        loop {
            match state.turn() {
                Turn::Over => break,
                Turn::Call(seat) => {
                    let call = club.bidder.call(&state.view(seat), &state.legal_calls(), key);
                    state.call(call).unwrap();
                }
                Turn::Play(seat) => {
                    let (view, legal) = (state.view(seat), state.legal_plays());
                    let worlds = Worlds::of(&view);
                    let few = (2..=3).contains(&view.hand().len()) && legal.len() > 1;
                    if let Some(all) = worlds.all(7).filter(|_| few) {
                        let world = |hands| {
                            retell(&view, &worlds.deal_of(hands, &mut key.rng()), |_, _, _| {}).unwrap()
                        };
                        let states: Vec<DealState> = all.iter().map(world).collect();
                        let values = values(&states, seat);
                        let (_, best) = values.iter().max_by_key(|(_, value)| *value).unwrap();
                        let worth = |card: Card| rules.cards.points(view.strain().unwrap(), card);
                        let cheapest = values.iter().min_by_key(|(card, _)| worth(*card)).unwrap();
                        if values.iter().all(|(_, value)| value.0 == best.0) && cheapest.1 != *best {
                            searcher.start();
                            let card = searcher.player.play(&state, seat, legal, key);
                            seen += 1;
                            most += u32::from(values.contains(&(card, *best)));
                        }
                    }
                    let card = club.player.play(&state, seat, legal, key);
                    state.play(card).unwrap();
                }
            }
        }
    }
    (seen, most)
}

#[test]
fn the_tree_takes_most_points_where_every_card_scores_the_same() {
    for rules in [RuleSet::BGA, RuleSet::CONTREE] {
        for player in ["ismcts:iterations=400,read=none", "ismcts:iterations=400,observer=multiple"] {
            let (seen, most) = flat_decisions(player, &rules, 300);
            // What a playout makes of the rest is not always best play.
            assert!(seen > 20 && 10 * most >= 6 * seen, "{player}: {most} of {seen}");
        }
    }
}
