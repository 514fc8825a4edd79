//! What `pimc` tells of its cards, and from which trick on it and the other players search.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use coinche_bots::search::same_card;
use coinche_bots::worlds::{OpponentModel, Worlds};
use coinche_bots::{Agent, Bidder, Bot, CardPlayer as _, Champion, Params, PimcPlayer, Registry};
use coinche_engine::{Call, Card, Deal, DealState, Deck, Key, LegalCalls, RuleSet, Seat, Turn, View};

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

/// Plays deals of `rules`, and calls `look` with the state, the seat, the key, and what each of some players would play.
fn asked<const N: usize>(players: [&str; N], deals: u64, mut look: impl FnMut(&DealState, Seat, [Card; N])) {
    let build = |player: &str| Registry::builtin().parse(&format!("rules+{player}")).unwrap().build();
    let (mut rules, mut players) = (build("rules"), players.map(build));
    for index in 0..deals {
        let deal = Deal::new(&RuleSet::BGA.deal, Deck::shuffled(15, index), Seat::S0);
        let mut state = DealState::new(&RuleSet::BGA, &deal);
        players.iter_mut().for_each(Bot::start);
        for step in 0.. {
            let key = Key::decisions(15, index, Seat::S0).and(step);
            match state.turn() {
                Turn::Call(seat) => {
                    let call = rules.bidder.call(&state.view(seat), &state.legal_calls(), key);
                    state.call(call).unwrap();
                }
                Turn::Play(seat) => {
                    let legal = state.legal_plays();
                    let cards = players.each_mut().map(|bot| bot.player.play(&state, seat, legal, key));
                    look(&state, seat, cards);
                    state.play(rules.player.play(&state, seat, legal, key)).unwrap();
                }
                Turn::Over => break,
            }
        }
    }
}

#[test]
fn the_network_is_a_prior_where_worlds_are_sampled() {
    const WORLDS: u64 = 64;
    let players = ["pimc:worlds=64,read=none,prior=1000", "pimc:worlds=64,read=none,prior=0", "net"];
    let (mut sampled, mut as_network, mut moved, mut listed) = (0, 0, 0, 0);
    asked(players, 12, |state, seat, [strong, none, net]| {
        let view = state.view(seat);
        if Worlds::of(&view).total() <= WORLDS {
            assert_eq!(strong, none, "all worlds are listed");
            listed += 1;
        } else if state.legal_plays().len() > 1 {
            sampled += 1;
            as_network += u32::from(same_card(&view, strong, net));
            moved += u32::from(strong != none);
        }
    });
    assert!(sampled > 100 && listed > 30, "{sampled} {listed}");
    // Not always: cards that are clearly behind are pruned, and the network does not join cards that do the same.
    assert!(as_network * 10 > sampled * 8 && moved * 10 > sampled, "{as_network}, {moved} of {sampled}");
}

/// As `mc` with the same player at all seats, which counts the tricks from the decision on.
#[test]
fn the_network_plays_the_first_tricks_of_a_world_out() {
    let with = |player: &str| format!("{player},worlds=6,read=none,prune=no");
    let players = ["pimc:prior=0,playout=3", "pimc:prior=0,playout=0"].map(with);
    let twins = [3, 2, 1].map(|tricks| with(&format!("mc:policy=net,tricks={tricks}")));
    let (mut early, mut late, mut differ) = (0, 0, 0);
    asked(
        [&players[0], &players[1], &twins[0], &twins[1], &twins[2]],
        8,
        |state, seat, [card, solved, twins @ ..]| {
            let is_sampled = Worlds::of(&state.view(seat)).total() > 6;
            let twin = twins.get(state.tricks().len()).filter(|_| is_sampled);
            assert_eq!(card, *twin.unwrap_or(&solved));
            early += u32::from(twin.is_some());
            late += u32::from(twin.is_none());
            differ += u32::from(card != solved);
        },
    );
    assert!(early > 60 && late > 60 && differ > 15, "{early} {late} {differ}");
}

#[test]
fn the_prior_counts_tenfold_where_the_network_plays_out() {
    let [mut early, mut as_network] = [0; 2];
    asked(["pimc:worlds=16,read=none,prior=8", "net"], 16, |state, seat, [card, net]| {
        if state.tricks().len() < 3 && state.legal_plays().len() > 1 {
            early += 1;
            as_network += u32::from(same_card(&state.view(seat), card, net));
        }
    });
    assert!(early > 100 && as_network * 100 > early * 84, "{as_network} of {early}");
}

#[test]
fn the_network_says_nothing_of_chances_to_win_a_match() {
    let players =
        ["pimc:worlds=4,read=none,equity=on,prior=1000", "pimc:worlds=4,read=none,equity=on,prior=0"];
    asked(players, 3, |_, _, [with, without]| assert_eq!(with, without));
}

#[test]
fn every_search_begins_with_its_trick_and_the_network_plays_before() {
    for player in [
        "pimc:worlds=4,prior=0",
        "alphamu:worlds=4,batch=2,hand=6",
        "mc:worlds=4,policy=random",
        "ismcts:iterations=20,reuse=no,policy=random,worlds=4",
    ] {
        let with = |from: &str| format!("{player},pool=4{from}");
        let players = [&with(""), &with(",from=1"), &with(",from=4"), "net"];
        let (mut early, mut late) = (0, 0);
        asked(players, 4, |state, _, [default, first, fourth, net]| {
            let is_early = state.tricks().len() < 3;
            assert_eq!(default, first, "{player}");
            assert_eq!(fourth, if is_early { net } else { first }, "{player}");
            let differs = usize::from(net != first);
            (early, late) = if is_early { (early + differs, late) } else { (early, late + differs) };
        });
        assert!(early > 5 && late > 5, "{player}: {early} {late}");
        for wrong in ["0", "9", "late"] {
            let error = Registry::builtin().parse(&format!("rules+{player},from={wrong}")).unwrap_err();
            assert!(error.to_string().ends_with(&format!("`from` cannot be `{wrong}`: expected 1 to 8")));
        }
    }
}

/// Bids as `rules`, and counts how often it is asked.
struct Counting(Bot, Arc<AtomicUsize>);

impl Agent for Counting {}

impl Bidder for Counting {
    fn call(&mut self, view: &View<'_>, legal: &LegalCalls, key: Key) -> Call {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.bidder.call(view, legal, key)
    }
}

#[test]
fn no_world_is_weighed_before_the_trick_of_from() {
    let count = Arc::new(AtomicUsize::new(0));
    let params = Params::parse("pimc", PimcPlayer::PARAMS, "worlds=2,pool=2,from=4").unwrap();
    let bidder = Counting(Registry::builtin().parse("rules").unwrap().build(), Arc::clone(&count));
    let mut player =
        PimcPlayer::maker(&params).unwrap()().reading(OpponentModel::new(Box::new(bidder), None));
    let mut late = 0;
    asked(["rules"], 3, |state, seat, _| {
        let before = count.load(Ordering::Relaxed);
        player.play(&state.view(seat), state.legal_plays(), Key::from_bits(3));
        let asked = count.load(Ordering::Relaxed) - before;
        assert!(state.tricks().len() >= 3 || (asked == 0 && player.thought().is_none()));
        late += asked;
    });
    assert!(late > 0);
}

#[test]
fn the_champion_plays_as_it_says_that_it_does() {
    for time in ["1us", "20us", "40us", "100us", "999us"] {
        let said = Champion::player(time).unwrap();
        let mut count = 0;
        asked([&format!("champion:time={time}"), &said], 2, |_, _, [champion, pimc]| {
            assert_eq!(champion, pimc, "{time}");
            count += 1;
        });
        assert!(count > 20, "{count}");
    }
    let player = |time: &str| {
        let params = Params::parse("champion", Champion::PARAMS, &format!("time={time}")).unwrap();
        format!("{:?}", Champion::maker(&params).unwrap()())
    };
    // A time is one of the whole deal; worlds are counted for each card.
    assert!(player("10ms").contains("clock: Some") && !player("20us").contains("clock: Some"));
    for time in ["none", "soon", "0us", "2h"] {
        let wrong = Registry::builtin().parse(&format!("champion:time={time}")).unwrap_err().to_string();
        assert!(wrong.contains("a time such as"), "{wrong}");
    }
}
