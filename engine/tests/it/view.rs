//! A view tells the truth, all that can be told of single cards, and nothing else.

use crate::common::book::{to_card, to_strain};
use crate::common::deal::{random_call, random_deck};
use crate::common::facts::facts;
use crate::common::rng::Rng;
use crate::common::rules::BothRules;
use coinche_conformance as book;
use coinche_engine::rules::{Announce, BeloteAllTrump};
use coinche_engine::{
    AuctionTurn, BySeat, Call, Card, CardSet, Deal, DealState, MeldKind, Play, Seat, Strain, Suit, Turn, View,
};

/// What was said and played in a deal, offers declined included.
#[derive(Debug, Clone, Default)]
struct Script {
    calls: Vec<Call>,
    plays: Vec<Play>,
}

/// A random deal before its first call.
fn random_deal(seed: u64) -> (BothRules, Rng, DealState) {
    let mut rng = Rng::new(seed);
    let rules = BothRules::random(&mut rng);
    let dealer = Seat::from_index(rng.below(4));
    let deal = Deal::new(&rules.engine.deal, random_deck(&rules, &mut rng, dealer), dealer);
    let state = DealState::new(&rules.engine, &deal);
    (rules, rng, state)
}

/// Makes one random call or play; returns whether the deal goes on.
fn step(rng: &mut Rng, state: &mut DealState, script: &mut Script) -> bool {
    match state.turn() {
        Turn::Over => return false,
        Turn::Call(_) => {
            let call = random_call(rng, &state.legal_calls());
            state.call(call).unwrap();
            script.calls.push(call);
        }
        Turn::Play(seat) => {
            let legal = state.legal_plays();
            let card = legal.nth(rng.below(legal.len())).unwrap();
            let melds = rng.pick(&state.meld_options(seat));
            let play = Play { card, announce_belote: rng.chance(60), melds: Some(melds) };
            state.play(play).unwrap();
            script.plays.push(play);
        }
    }
    state.turn() != Turn::Over
}

/// The cards that a seat really holds now.
fn true_hand(state: &DealState, seat: Seat) -> CardSet {
    state.play_state().map_or(state.hands()[seat], |play| play.hand(seat))
}

fn check_truth(state: &DealState) {
    for viewer in Seat::ALL {
        let view = state.view(viewer);
        assert_eq!(view.hand(), true_hand(state, viewer));
        let mut union = view.hand() | view.played();
        for seat in Seat::ALL {
            let (known, hand, could) = (view.known(seat), true_hand(state, seat), view.could_hold(seat));
            assert!(known.is_subset(hand), "{viewer} of {seat}: known {known}, true {hand}");
            assert!(hand.is_subset(could), "{viewer} of {seat}: could hold {could}, true {hand}");
            assert!(could.is_disjoint(view.played()));
            assert!(seat == viewer || could.is_disjoint(view.hand()));
            for suit in Suit::ALL.into_iter().filter(|suit| view.is_void(seat, *suit)) {
                assert!(hand.of(suit).is_empty());
            }
            union |= could;
        }
        let on_table = state.deal().turned().filter(|_| state.contract().is_none());
        assert_eq!(union, on_table.map_or(CardSet::FULL, |card| CardSet::FULL.without(card)));
    }
}

#[test]
fn views_tell_the_truth() {
    for seed in 0..3000 {
        let (_, mut rng, mut state) = random_deal(seed);
        let mut script = Script::default();
        check_truth(&state);
        while step(&mut rng, &mut state, &mut script) {
            check_truth(&state);
        }
        check_truth(&state);
    }
}

/// The unseen cards that a seat could hold beside each card that it has played, by the literal rule
/// book: with `card` and the other one alone in hand, the card played was legal.
///
/// That is exact, since every other card in the hand adds duties or nothing (but for
/// `play.partner_trump = overtrump`, under which these checks are done as if it were `any`).
fn literal_could_hold(rules: &book::Rules, view: &View<'_>, strain: Strain, seat: Seat) -> CardSet {
    let mut rules = rules.clone();
    if serde_json::to_value(&rules).unwrap()["play"]["partner_trump"] == "overtrump" {
        rules = rules.with("play.partner_trump", "any".into()).unwrap();
    }
    let mut tricks: Vec<Vec<(Seat, Card)>> = view
        .tricks()
        .iter()
        .map(|trick| trick.leader.around().into_iter().zip(trick.cards).collect())
        .collect();
    tricks.push(view.trick().collect());
    let fits = |other: Card| {
        tricks.iter().all(|trick| {
            let Some(place) = trick.iter().position(|(player, _)| *player == seat) else { return true };
            let before: Vec<book::Card> = trick[..place].iter().map(|(_, card)| to_card(*card)).collect();
            let (own, other) = (to_card(trick[place].1), to_card(other));
            book::legal_cards(&rules, to_strain(strain), &[own, other], &before).contains(&own)
        })
    };
    view.unseen().into_iter().filter(|card| fits(*card)).collect()
}

/// With automatic belotes, who plays a king or queen of such a suit without a word has not the other.
fn silent_couples(view: &View<'_>, strain: Strain, seat: Seat) -> CardSet {
    let rule = view.rules().belote.all_trump;
    let (each_suit, no_discard) = (rule != BeloteAllTrump::None, rule == BeloteAllTrump::NoDiscard);
    let mut excluded = CardSet::EMPTY;
    if view.rules().belote.announce != Announce::Automatic || !view.rules().belote.exists() {
        return excluded;
    }
    for suit in Suit::ALL {
        let couple: CardSet = format!("K{suit} Q{suit}").parse().unwrap();
        let is_belote = strain == Strain::of(suit) || (strain == Strain::AllTrump && each_suit);
        let announced =
            view.belote(suit).is_some_and(|belote| belote.seat == seat && belote.announced.is_some());
        let played: CardSet = view
            .tricks()
            .iter()
            .map(|trick| trick.leader.around().into_iter().zip(trick.cards).collect::<Vec<_>>())
            .chain([view.trick().collect()])
            // A discard in all trump says nothing where it could not have been announced.
            .filter(|cards| {
                let follows = cards.first().is_some_and(|(_, led)| led.suit() == suit);
                follows || !(no_discard && strain == Strain::AllTrump)
            })
            .flatten()
            .filter(|(player, _)| *player == seat)
            .map(|(_, card)| card)
            .collect();
        if is_belote && !announced && !(played & couple).is_empty() {
            excluded |= couple;
        }
    }
    excluded
}

#[test]
fn excluded_cards_are_exactly_those_that_cannot_be_there() {
    for seed in 0..1000 {
        let (rules, mut rng, mut state) = random_deal(10_000 + seed);
        let mut script = Script::default();
        while step(&mut rng, &mut state, &mut script) {
            let Some(strain) = state.contract().map(|contract| contract.strain) else { continue };
            let viewer = rng.pick(&Seat::ALL);
            let view = state.view(viewer);
            for seat in Seat::ALL.into_iter().filter(|seat| *seat != viewer) {
                let mut right = literal_could_hold(&rules.book, &view, strain, seat);
                right -= silent_couples(&view, strain, seat);
                for other in Seat::ALL.into_iter().filter(|other| *other != seat && *other != viewer) {
                    right -= view.known(other);
                }
                assert_eq!(view.could_hold(seat), right, "{viewer} of {seat}\n{}", facts(&view));
            }
        }
    }
}

/// All ways to share `cards` out in hands of these sizes.
fn shares(cards: &[Card], sizes: [usize; 3]) -> Vec<[CardSet; 3]> {
    let Some((first, rest)) = cards.split_first() else { return vec![[CardSet::EMPTY; 3]] };
    let mut all = Vec::new();
    for to in (0..3).filter(|to| sizes[*to] > 0) {
        let mut left = sizes;
        left[to] -= 1;
        for mut share in shares(rest, left) {
            share[to] = share[to].with(*first);
            all.push(share);
        }
    }
    all
}

/// What is public of a deal besides calls and cards.
fn public(state: &DealState) -> (Vec<MeldKind>, String, Vec<Option<Seat>>) {
    let kinds = Seat::ALL.iter().flat_map(|seat| state.announced_melds()[*seat].iter().map(|meld| meld.kind));
    let belotes = Suit::ALL.map(|suit| {
        state.belote(suit).filter(|belote| belote.announced == Some(true)).map(|belote| belote.seat)
    });
    (kinds.collect(), format!("{:?}", state.scored_melds()), belotes.to_vec())
}

/// Replays a script with other hands; nothing when something in it would not have been possible, or
/// would have been heard differently.
fn replayed(state: &DealState, script: &Script, hands: BySeat<CardSet>) -> Option<DealState> {
    let contract = state.contract()?;
    let turned = state.deal().turned().map(|card| (card, contract.declarer));
    let deal = Deal::from_hands(&state.rules().deal, state.deal().dealer(), hands, turned).ok()?;
    let mut other = DealState::new(state.rules(), &deal);
    for call in &script.calls {
        other.call(*call).ok()?;
    }
    for play in &script.plays {
        let Turn::Play(seat) = other.turn() else { return None };
        // Their melds may be others of the same kinds.
        let kinds = |melds: coinche_engine::Melds| melds.iter().map(|meld| meld.kind).collect::<Vec<_>>();
        let said = kinds(play.melds?);
        let melds = other.meld_options(seat).into_iter().find(|option| kinds(*option) == said);
        melds.filter(|_| other.tricks().is_empty()).or(play.melds)?;
        other
            .play(Play { melds: if other.tricks().is_empty() { Some(melds?) } else { None }, ..*play })
            .ok()?;
    }
    (public(&other) == public(state)).then_some(other)
}

#[test]
fn hidden_cards_leave_no_trace_in_endings() {
    let (mut endings, mut worlds) = (0, 0);
    for seed in 0..1000 {
        let (_, mut rng, mut state) = random_deal(20_000 + seed);
        let mut script = Script::default();
        let stop = 22 + rng.below(9);
        while script.plays.len() < stop && step(&mut rng, &mut state, &mut script) {}
        if script.plays.len() < stop {
            continue;
        }
        let viewer = rng.pick(&Seat::ALL);
        let view = state.view(viewer);
        let others = [1, 2, 3].map(|n| viewer.plus(n));
        let unseen: Vec<Card> = view.unseen().into_iter().collect();
        let sizes = others.map(|seat| true_hand(&state, seat).len());
        let mut seen = BySeat([CardSet::EMPTY; 4]);
        let before = facts(&view);
        for share in shares(&unseen, sizes) {
            let mut hands = *state.hands();
            for (seat, cards) in others.into_iter().zip(share) {
                hands[seat] = (hands[seat] & view.played()) | cards;
            }
            let Some(other) = replayed(&state, &script, hands) else { continue };
            worlds += 1;
            // The same calls and cards look the same from this seat.
            assert_eq!(facts(&other.view(viewer)), before);
            for (seat, cards) in others.into_iter().zip(share) {
                assert!(cards.is_subset(view.could_hold(seat)), "{seat}: {cards}\n{before}");
                assert!(view.known(seat).is_subset(cards), "{seat}: {cards}\n{before}");
                seen[seat] |= cards;
            }
        }
        assert!(others.iter().all(|seat| true_hand(&state, *seat).is_subset(seen[*seat])));
        endings += 1;
    }
    assert!(endings > 600 && worlds > 10 * endings, "{endings} endings, {worlds} worlds");
}

#[test]
fn the_other_hands_leave_no_trace_before_play() {
    for seed in 0..1500 {
        let (_, mut rng, mut state) = random_deal(30_000 + seed);
        let mut script = Script::default();
        let viewer = rng.pick(&Seat::ALL);
        // Exchange the cards that the viewer does not see, those still in the pack too.
        let mut cards = *state.deal().deck().cards();
        let hidden: Vec<usize> = (0..32)
            .filter(|at| {
                !state.hands()[viewer].contains(cards[*at]) && Some(cards[*at]) != state.deal().turned()
            })
            .collect();
        let mut order = hidden.clone();
        rng.shuffle(&mut order);
        let old = cards;
        for (from, to) in hidden.iter().zip(&order) {
            cards[*to] = old[*from];
        }
        let deck = coinche_engine::Deck::from_cards(cards).unwrap();
        let deal = Deal::new(&state.rules().deal, deck, state.deal().dealer());
        let mut other = DealState::new(state.rules(), &deal);
        assert_eq!(facts(&state.view(viewer)), facts(&other.view(viewer)));
        while matches!(state.turn(), Turn::Call(_)) {
            step(&mut rng, &mut state, &mut script);
            other.call(*script.calls.last().unwrap()).unwrap();
            // Where the rest is dealt after the auction, the viewer's own last cards come from the pack.
            let over = state.auction().state().turn() == AuctionTurn::Over;
            if !(over && state.rules().deal.method != coinche_engine::rules::DealMethod::Full) {
                assert_eq!(facts(&state.view(viewer)), facts(&other.view(viewer)));
            }
        }
    }
}
