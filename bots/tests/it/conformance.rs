//! What every registered bot must do under every rule set: choose legally, choose the same for the same
//! seed, and choose the same whatever the hidden cards are.

use coinche_bots::{Bot, BotSpec, Registry};
use coinche_engine::rules::DealMethod;
use coinche_engine::{
    Bid, BySeat, Call, Card, CardSet, Deal, DealState, Deck, Key, Meld, MeldKind, Melds, Play, RuleSet, Seat,
    Strain, Suit, Turn, View,
};

use crate::common::{fitted_rule_sets, rule_sets, size};

/// Every registered bot, and the two mixtures of the first ones, each with how many deals to play.
fn bots() -> Vec<(BotSpec, u64)> {
    let (many, few, fewest) = size((24, 3, 2), (200, 8, 4));
    // Bots that search play fewer deals, with budgets that are too small for anything but a test.
    let budgets = [
        ("alphamu", "worlds=2,hand=4,pool=2"),
        ("champion", "time=20us"),
        ("dd", "worlds=2,pool=2"),
        ("ismcts", "iterations=8,worlds=2,pool=2"),
        ("mc", "worlds=2,pool=2"),
        ("open", "sees=all"),
        ("pimc", "worlds=2,pool=2"),
    ];
    let (registry, mut bots) = (Registry::builtin(), Vec::new());
    for info in registry.bots() {
        let budget = budgets.iter().find(|(name, _)| *name == info.name());
        let part = budget.map_or(info.name().to_owned(), |(name, budget)| format!("{name}:{budget}"));
        let spec = match (info.bids(), info.plays()) {
            (true, true) => part,
            (true, false) => format!("{part}+rules"),
            (false, _) => format!("rules+{part}"),
        };
        bots.push((registry.parse(&spec).unwrap(), if budget.is_some() { few } else { many }));
    }
    let other_ways = [
        "mc:worlds=3,policy=random,read=none",
        "ismcts:iterations=9,policy=random,observer=multiple,read=none",
    ];
    bots.extend(other_ways.map(|part| (registry.parse(&format!("rules+{part}")).unwrap(), few)));
    let solving_ways = ["mc:worlds=2,tricks=1,read=none", "pimc:worlds=2,equity=on,read=none"];
    bots.extend(solving_ways.map(|part| (registry.parse(&format!("rules+{part}")).unwrap(), fewest)));
    bots.extend(["rules+random", "random+rules"].map(|name| (registry.parse(name).unwrap(), many)));
    bots
}

/// What a bot answered.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Action {
    Call(Call),
    Play(Play),
}

/// Asks a bot for its decision at a state in which it is its turn.
fn ask(bot: &mut Bot, state: &DealState, seat: Seat, key: Key) -> Action {
    match state.turn() {
        Turn::Call(_) => Action::Call(bot.bidder.call(&state.view(seat), &state.legal_calls(), key)),
        Turn::Play(_) => {
            let card = bot.player.play(state, seat, state.legal_plays(), key);
            let announce_belote =
                state.may_announce_belote(card) && bot.player.announce_belote(state, seat, card, key);
            let options = if state.tricks().is_empty() { state.meld_options(seat) } else { Vec::new() };
            let melds =
                (options.len() > 1).then(|| options[bot.player.choose_melds(state, seat, &options, key)]);
            Action::Play(Play { card, announce_belote, melds })
        }
        Turn::Over => unreachable!("nobody's turn"),
    }
}

/// Makes the action, if it is legal.
fn act(state: &mut DealState, action: Action) -> bool {
    match action {
        Action::Call(call) => state.call(call).is_ok(),
        Action::Play(play) => state.play(play).is_ok(),
    }
}

fn whose_turn(state: &DealState) -> Option<Seat> {
    match state.turn() {
        Turn::Call(seat) | Turn::Play(seat) => Some(seat),
        Turn::Over => None,
    }
}

fn keys(index: u64) -> BySeat<Key> {
    BySeat::from_fn(|seat| Key::decisions(3, index, seat))
}

/// Plays a deal with four bots of a kind and returns what was done.
fn play_out(spec: &BotSpec, rules: &RuleSet, deal: &Deal, index: u64) -> Vec<Action> {
    let mut bots = Seat::ALL.map(|_| spec.build());
    let keys = keys(index);
    let mut state = DealState::new(rules, deal);
    let mut actions = Vec::new();
    while let Some(seat) = whose_turn(&state) {
        let action = ask(&mut bots[seat.index()], &state, seat, keys[seat].and(actions.len() as u64));
        assert!(act(&mut state, action), "{spec}: illegal {action:?} in {:?}", state.view(seat));
        actions.push(action);
        assert!(actions.len() < 1000, "{spec}: the auction does not end");
    }
    actions
}

fn deal_of(rules: &RuleSet, seed: u64, index: u64) -> Deal {
    let dealer = Seat::from_index(usize::try_from(index % 4).unwrap());
    Deal::new(&rules.deal, Deck::shuffled(seed, index), dealer)
}

#[test]
fn choices_are_legal_and_the_same_for_the_same_seed() {
    for (_, rules) in rule_sets() {
        for (spec, deals) in bots().into_iter().filter(|(spec, _)| spec.check_rules(&rules).is_ok()) {
            for index in 0..2 * deals {
                let deal = deal_of(&rules, 1, index);
                let actions = play_out(&spec, &rules, &deal, index);
                if index % 5 == 0 {
                    assert_eq!(actions, play_out(&spec, &rules, &deal, index), "{spec}");
                }
            }
        }
    }
}

/// What a view tells of a seat: the cards it could hold, those known, its voids, the melds it announced,
/// its tricks.
type SeatFacts = (CardSet, CardSet, [bool; 4], Vec<MeldKind>, u8);

/// All that a view tells, to compare two of them.
#[derive(Debug, PartialEq)]
struct Facts {
    hand: CardSet,
    first_hand: CardSet,
    turned: Option<Card>,
    calls: Vec<(Seat, Call)>,
    played: CardSet,
    by_seat: [SeatFacts; 4],
    scored: Option<[Melds; 4]>,
    belotes: [Option<coinche_engine::Belote>; 4],
    legal: (Vec<Call>, CardSet),
}

fn facts(state: &DealState, seat: Seat) -> Facts {
    let view: View<'_> = state.view(seat);
    Facts {
        hand: view.hand(),
        first_hand: view.first_hand(),
        turned: view.turned(),
        calls: view.auction().calls().to_vec(),
        played: view.played(),
        by_seat: Seat::ALL.map(|other| {
            (
                view.could_hold(other),
                view.known(other),
                Suit::ALL.map(|suit| view.is_void(other, suit)),
                view.announced_kinds(other).collect(),
                view.tricks_by(other),
            )
        }),
        scored: view.scored_melds().map(|melds| melds.0),
        belotes: Suit::ALL.map(|suit| view.belote(suit)),
        legal: (state.legal_calls().iter().take(40).collect(), state.legal_plays()),
    }
}

/// Replays the actions, if they are legal in this deal.
fn replay(rules: &RuleSet, deal: &Deal, actions: &[Action]) -> Option<DealState> {
    let mut state = DealState::new(rules, deal);
    actions.iter().all(|action| act(&mut state, *action)).then_some(state)
}

/// What a new bot at a seat answers at each of its turns while the actions are replayed, and at the end.
fn answers(spec: &BotSpec, rules: &RuleSet, deal: &Deal, actions: &[Action], index: u64) -> Vec<Action> {
    let mut state = DealState::new(rules, deal);
    let target = whose_turn(&replay(rules, deal, actions).unwrap()).unwrap();
    let (mut bot, key, mut answers) = (spec.build(), keys(index)[target], Vec::new());
    for step in 0..=actions.len() {
        if whose_turn(&state) == Some(target) {
            answers.push(ask(&mut bot, &state, target, key.and(step as u64)));
        }
        if let Some(action) = actions.get(step) {
            assert!(act(&mut state, *action));
        }
    }
    answers
}

/// Exchanges hidden cards among the other hands (and the cards not dealt out), so that as far as the rules
/// go the seat could not tell; `None` when the attempt does not lead to a legal deal.
fn exchange(state: &DealState, seat: Seat, mut key: Key) -> Option<Deal> {
    let (rules, view, dealer) = (state.rules(), state.view(seat), state.deal().dealer());
    let mut draw = |n: usize| {
        key = key.and(1);
        key.below(n)
    };
    let swaps = 1 + draw(8);
    let mut cards = *state.deal().deck().cards();
    if rules.deal.method != DealMethod::Full && state.contract().is_none() {
        let hidden: Vec<usize> = (0..32)
            .filter(|place| !view.hand().contains(cards[*place]) && view.turned() != Some(cards[*place]))
            .collect();
        for _ in 0..swaps {
            cards.swap(hidden[draw(hidden.len())], hidden[draw(hidden.len())]);
        }
        return Some(Deal::new(&rules.deal, Deck::from_cards(cards)?, dealer));
    }
    let mut hands = *state.hands();
    for _ in 0..swaps {
        let [a, b] = [seat.plus(1 + draw(3)), seat.plus(1 + draw(3))];
        let (from_a, from_b) = (hands[a] - view.played(), hands[b] - view.played());
        if a == b || from_a.is_empty() || from_b.is_empty() {
            continue;
        }
        let (x, y) = (from_a.nth(draw(from_a.len()))?, from_b.nth(draw(from_b.len()))?);
        if view.could_hold(a).contains(y) && view.could_hold(b).contains(x) {
            hands[a] = hands[a].without(x).with(y);
            hands[b] = hands[b].without(y).with(x);
            let place = |card| cards.iter().position(|other| *other == card);
            let (x, y) = (place(x)?, place(y)?);
            cards.swap(x, y);
        }
    }
    Some(Deal::new(&rules.deal, Deck::from_cards(cards)?, dealer))
}

#[test]
fn hidden_cards_do_not_matter() {
    let fair: Vec<_> = bots().into_iter().filter(|(spec, _)| !spec.sees_all()).collect();
    assert_eq!(fair.len() + 1, bots().len(), "one sees all hands, and says so");
    for (name, rules) in rule_sets() {
        for (spec, deals) in fair.clone().into_iter().filter(|(spec, _)| spec.check_rules(&rules).is_ok()) {
            let (mut in_auction, mut in_play) = (0, 0);
            for index in 0..deals {
                let deal = deal_of(&rules, 2, index);
                let actions = play_out(&spec, &rules, &deal, index);
                for step in (index % 3..actions.len() as u64).step_by(3) {
                    let past = &actions[..usize::try_from(step).unwrap()];
                    let state = replay(&rules, &deal, past).unwrap();
                    let seat = whose_turn(&state).unwrap();
                    let key = Key::decisions(4, index, seat).and(step);
                    let Some(other) = exchange(&state, seat, key) else { continue };
                    let Some(same) = replay(&rules, &other, past) else { continue };
                    if same.hands() == state.hands() || facts(&same, seat) != facts(&state, seat) {
                        continue;
                    }
                    *(if state.contract().is_none() { &mut in_auction } else { &mut in_play }) += 1;
                    assert_eq!(
                        answers(&spec, &rules, &deal, past, index),
                        answers(&spec, &rules, &other, past, index),
                        "{spec}, {name}, deal {index}, step {step}: hidden cards changed a choice"
                    );
                }
            }
            assert!(
                in_auction + in_play > size(deals / 2, deals),
                "{spec}, {name}: {in_auction}, {in_play} exchanges"
            );
        }
    }
}

/// Renames the suits: each becomes the next.
fn rename_card(card: Card) -> Card {
    Card::new(rename_suit(card.suit()), card.rank())
}

fn rename_suit(suit: Suit) -> Suit {
    Suit::from_index((suit.index() + 1) % 4)
}

fn rename_set(cards: CardSet) -> CardSet {
    cards.into_iter().map(rename_card).collect()
}

fn rename(action: Action) -> Action {
    match action {
        Action::Call(Call::Bid(bid)) => {
            let strain = bid.strain.trump().map_or(bid.strain, |suit| Strain::of(rename_suit(suit)));
            Action::Call(Call::Bid(Bid::new(bid.value, strain)))
        }
        Action::Call(Call::TakeIn(suit)) => Action::Call(Call::TakeIn(rename_suit(suit))),
        Action::Call(call) => Action::Call(call),
        Action::Play(play) => Action::Play(Play {
            card: rename_card(play.card),
            melds: play.melds.map(|melds| {
                let renamed = melds.iter().map(|meld| Meld { cards: rename_set(meld.cards), ..meld });
                Melds::from_melds(&renamed.collect::<Vec<_>>()).unwrap()
            }),
            ..play
        }),
    }
}

#[test]
fn names_of_suits_do_not_matter() {
    // How many calls and cards there must be for each that differs: fewer where few deals are played.
    let bots = [
        ("rules", size(50, 150), [100, 20]),
        ("table+rules", size(50, 150), [100, 20]),
        ("net+rules", size(50, 150), [100, 20]),
        ("system+rules", size(50, 150), [100, 20]),
        ("dd:worlds=2,pool=2+rules", size(3, 8), [20, 10]),
        ("mc:worlds=2,pool=2+rules", size(3, 8), [20, 10]),
        ("ismcts:iterations=2,pool=2+rules", size(3, 8), [20, 10]),
        ("rules+open", size(4, 10), [100, 20]),
        ("rules+pimc:worlds=3,pool=2", size(3, 6), [100, 20]),
    ];
    for (spec, deals, shares) in bots {
        for (name, rules) in fitted_rule_sets() {
            suits_do_not_matter(&Registry::builtin().parse(spec).unwrap(), deals, shares, &name, &rules);
        }
    }
}

fn suits_do_not_matter(spec: &BotSpec, deals: u64, shares: [usize; 2], name: &str, rules: &RuleSet) {
    let (mut calls, mut other_calls, mut plays, mut other_plays) = (0, 0, 0, 0);
    for index in 0..deals {
        let deal = deal_of(rules, 5, index);
        let actions = play_out(spec, rules, &deal, index);
        let deck = Deck::from_cards(deal.deck().cards().map(rename_card)).unwrap();
        let mut state = DealState::new(rules, &Deal::new(&rules.deal, deck, deal.dealer()));
        let mut bots = Seat::ALL.map(|_| spec.build());
        for (step, action) in actions.iter().enumerate() {
            let seat = whose_turn(&state).unwrap();
            let answer = ask(&mut bots[seat.index()], &state, seat, keys(index)[seat].and(step as u64));
            let renamed = rename(*action);
            let (all, other) = match renamed {
                Action::Call(_) => (&mut calls, &mut other_calls),
                Action::Play(_) => (&mut plays, &mut other_plays),
            };
            *all += 1;
            *other += usize::from(answer != renamed);
            assert!(act(&mut state, renamed));
        }
    }
    // What is left are ties between suits, which have to be broken somehow.
    for (what, other, all, share) in
        [("calls", other_calls, calls, shares[0]), ("plays", other_plays, plays, shares[1])]
    {
        // Where few are asked, three standard deviations more (of a Poisson distribution: the square root).
        let most = all / share + size(3 * (all / share + 1).isqrt(), 0);
        assert!(other <= most, "{spec}, {name}: {other} of {all} {what} differ");
    }
}
