//! What `mc` and `ismcts` must do: find the best card where nothing is hidden, count playouts right, and not care
//! for the names of suits.

use std::cell::Cell;

use coinche_bots::worlds::Worlds;
use coinche_bots::{Agent as _, Bot, Choice, Registry};
use coinche_engine::{
    Bid, Call, Card, Deal, DealState, Deck, Key, Outcome, RuleSet, Seat, Strain, Suit, Team, Turn,
};

fn bot(spec: &str) -> Bot {
    Registry::builtin().parse(spec).unwrap().build()
}

fn key(index: u64, seat: Seat, step: u64) -> Key {
    Key::decisions(11, index, seat).and(step)
}

fn deal(rules: &RuleSet, index: u64) -> Deal {
    Deal::new(&rules.deal, Deck::shuffled(8, index), Seat::from_index(usize::try_from(index % 4).unwrap()))
}

/// What a bot does at its turn.
enum Done {
    Call(Call),
    Card(Card),
}

fn act(bot: &mut Bot, state: &mut DealState, key: impl Fn(Seat) -> Key) -> Option<Done> {
    match state.turn() {
        Turn::Over => None,
        Turn::Call(seat) => {
            let call = bot.bidder.call(&state.view(seat), &state.legal_calls(), key(seat));
            state.call(call).unwrap();
            Some(Done::Call(call))
        }
        Turn::Play(seat) => {
            let card = bot.player.play(state, seat, state.legal_plays(), key(seat));
            state.play(card).unwrap();
            Some(Done::Card(card))
        }
    }
}

/// Plays deals by `rules`, and shows every state in which a card is chosen among several and one world is left.
fn open_endings(rules: &RuleSet, deals: u64, tricks: usize, mut see: impl FnMut(&DealState, Seat)) {
    for index in 0..deals {
        let mut state = DealState::new(rules, &deal(rules, index));
        let mut club = bot("rules");
        loop {
            if let Turn::Play(seat) = state.turn()
                && state.tricks().len() >= tricks
                && state.legal_plays().len() > 1
                && Worlds::of(&state.view(seat)).total() == 1
            {
                see(&state, seat);
            }
            if act(&mut club, &mut state, |seat| key(index, seat, 0)).is_none() {
                break;
            }
        }
    }
}

fn score(state: &DealState, side: Team) -> Option<i32> {
    match state.outcome()? {
        Outcome::ThrownIn => Some(0),
        Outcome::Played { score, .. } => Some(score.points[side] - score.points[side.other()]),
    }
}

/// The score with best play of both sides, by trying everything.
fn minimax(state: &DealState, side: Team) -> i32 {
    let Turn::Play(seat) = state.turn() else { return score(state, side).unwrap() };
    let scores = state.legal_plays().into_iter().map(|card| {
        let mut next = state.clone();
        next.play(card).unwrap();
        minimax(&next, side)
    });
    if seat.team() == side { scores.max().unwrap() } else { scores.min().unwrap() }
}

#[test]
fn ismcts_finds_the_best_card_where_nothing_is_hidden() {
    for observer in ["single", "multiple"] {
        let spec = format!("rules+ismcts:iterations=3000,c=0.1,policy=random,read=none,observer={observer}");
        let mut searcher = bot(&spec);
        let (mut seen, mut best_found, mut decisive) = (0, 0, 0);
        for rules in [RuleSet::BGA, RuleSet::CONTREE] {
            open_endings(&rules, 1200, 5, |state, seat| {
                let values = state.legal_plays().into_iter().map(|card| {
                    let mut next = state.clone();
                    next.play(card).unwrap();
                    (card, minimax(&next, seat.team()))
                });
                let values: Vec<(Card, i32)> = values.collect();
                let best = values.iter().map(|(_, value)| *value).max().unwrap();
                let worst = values.iter().map(|(_, value)| *value).min().unwrap();
                if best == worst {
                    return;
                }
                searcher.player.start();
                let card = searcher.player.play(state, seat, state.legal_plays(), key(seen, seat, 0));
                let (_, value) = values.iter().find(|(other, _)| *other == card).unwrap();
                seen += 1;
                best_found += u64::from(*value == best);
                decisive += u64::from(best - worst >= 80);
                assert!(best - value <= 10, "{observer}: {card} for {value} instead of {best}: {values:?}");
            });
        }
        assert!(seen > 60 && decisive > 5, "{seen} endings, {decisive} decisive");
        assert!(best_found * 100 >= seen * 95, "{observer}: {best_found} of {seen}");
    }
}

#[test]
fn mc_counts_what_the_policy_makes_of_a_card() {
    let mut searcher = bot("rules+mc:policy=rules,worlds=4,read=none");
    let mut seen = 0;
    // Ends in which one player has won all tricks, which COINCHEE pays 500 points, and a slam of two 250.
    let alone = Cell::new(0);
    for rules in [RuleSet::BGA, RuleSet::COINCHEE] {
        open_endings(&rules, 600, 4, |state, seat| {
            let value = |card: Card| {
                let (mut next, mut club) = (state.clone(), bot("rules"));
                next.play(card).unwrap();
                while act(&mut club, &mut next, |seat| key(0, seat, 0)).is_some() {}
                let won = |seat| next.tricks().iter().filter(|trick| trick.winner == seat).count();
                let is_alone = rules == RuleSet::COINCHEE && Seat::ALL.into_iter().any(|seat| won(seat) == 8);
                alone.set(alone.get() + u32::from(is_alone));
                score(&next, seat.team()).unwrap()
            };
            searcher.player.start();
            let card = searcher.player.play(state, seat, state.legal_plays(), key(0, seat, 0));
            let Some(thought) = searcher.player.thought() else { return };
            seen += 1;
            for option in &thought.options {
                let Choice::Card(card) = option.choice else { unreachable!("a card was asked for") };
                let expected = f64::from(value(card));
                assert!((option.mean - expected).abs() < 1e-6, "{card} in {:?}", state.view(seat));
            }
            let best = thought.options.iter().map(|option| option.mean).fold(f64::MIN, f64::max);
            assert!((f64::from(value(card)) - best).abs() < 1e-6);
        });
    }
    assert!(seen > 50 && alone.get() > 0, "{seen}, {}", alone.get());
}

#[test]
fn few_iterations_and_kept_trees_are_legal() {
    for rules in [RuleSet::BGA, RuleSet::CONTREE, RuleSet::BELOTE_MELDS] {
        let mut cards = 0;
        for tail in ["iterations=1", "iterations=60", "iterations=60,reuse=no", "iterations=20,policy=rules"]
        {
            for observer in ["single", "multiple"] {
                let spec = format!("rules+ismcts:{tail},observer={observer},worlds=2");
                let spec = if tail.contains("policy") { spec } else { spec + ",policy=random,read=none" };
                let mut bots = Seat::ALL.map(|_| bot(&spec));
                for index in 0..6 {
                    bots.iter_mut().for_each(Bot::start);
                    let mut state = DealState::new(&rules, &deal(&rules, index));
                    let mut step = 0;
                    while let Turn::Call(seat) | Turn::Play(seat) = state.turn() {
                        let bot = &mut bots[seat.index()];
                        let done = act(bot, &mut state, |seat| key(index, seat, step));
                        cards += u32::from(matches!(done, Some(Done::Card(_))));
                        step += 1;
                        let Some(thought) = bot.player.thought() else { continue };
                        let shares: f64 = thought.options.iter().map(|option| option.best).sum();
                        assert!((shares - 1.0).abs() < 1e-9, "{shares}");
                    }
                }
            }
        }
        assert!(cards > 500, "{cards}");
    }
}

/// Renames the suits, by no rotation of their order.
fn rename(suit: Suit) -> Suit {
    [Suit::Hearts, Suit::Clubs, Suit::Spades, Suit::Diamonds][suit.index()]
}

fn rename_card(card: Card) -> Card {
    Card::new(rename(card.suit()), card.rank())
}

#[test]
fn names_of_suits_do_not_matter() {
    let specs = ["mc:worlds=20", "ismcts:iterations=60", "ismcts:iterations=60,observer=multiple"];
    let mut compared = 0;
    for rules in [RuleSet::BGA, RuleSet::CONTREE] {
        for spec in specs {
            let spec = format!("rules+{spec},policy=random,read=none");
            for index in 0..60 {
                let plain = deal(&rules, index);
                let deck = Deck::from_cards(plain.deck().cards().map(rename_card)).unwrap();
                let mut state = DealState::new(&rules, &plain);
                let mut renamed = DealState::new(&rules, &Deal::new(&rules.deal, deck, plain.dealer()));
                let mut bots = Seat::ALL.map(|_| [bot(&spec), bot(&spec)]);
                let mut step = 0;
                while let Turn::Call(seat) | Turn::Play(seat) = state.turn() {
                    let hand = state.hands()[seat];
                    let ranks = Suit::ALL.map(|suit| hand.of(suit).bits() >> (8 * suit.index()));
                    let distinct = (0..4).all(|n| ranks[..n].iter().all(|other| *other != ranks[n]));
                    let [first, second] = &mut bots[seat.index()];
                    let done = act(first, &mut state, |seat| key(index, seat, step)).unwrap();
                    match done {
                        Done::Call(Call::Bid(bid)) => {
                            let strain =
                                bid.strain.trump().map_or(bid.strain, |suit| Strain::of(rename(suit)));
                            renamed.call(Call::Bid(Bid::new(bid.value, strain))).unwrap();
                        }
                        Done::Call(call) => {
                            renamed.call(call).unwrap();
                        }
                        Done::Card(card) => {
                            // Two suits of which the seat knows the same are told apart by their names only.
                            if distinct {
                                let legal = renamed.legal_plays();
                                let other = second.player.play(&renamed, seat, legal, key(index, seat, step));
                                assert_eq!(other, rename_card(card), "{spec}, deal {index}, step {step}");
                                compared += 1;
                            }
                            renamed.play(rename_card(card)).unwrap();
                        }
                    }
                    step += 1;
                }
            }
        }
    }
    assert!(compared > 2000, "{compared}");
}
