//! Endings in which it matters that later cards are chosen without knowing the world.

use std::collections::BTreeSet;

use coinche_engine::solver::Solver;
use coinche_engine::{
    Bid, BidValue, BySeat, ByTeam, Card, CardSet, Contract, Goal, Key, PlayState, RuleSet, Seat, Stake,
    Strain, Team,
};

use super::tree::{Tree, World, after};
use crate::search::{Limits, Payoff, Stopwatch, solve_cards};

/// Endings led by the first seat, whose side defends against 140 no trump: it wants 23 points, and more.
fn worlds(hands: &[BySeat<CardSet>]) -> Vec<World> {
    let bid = Bid::new(BidValue::points(140).unwrap(), Strain::NoTrump);
    let contract =
        Contract { declarer: Seat::S1, strain: bid.strain, goal: Goal::Bid(bid.value), stake: Stake::Plain };
    let world = |hands: &BySeat<CardSet>| {
        let play = PlayState::new(&RuleSet::BGA.play, bid.strain, *hands, Seat::S0);
        let none = ByTeam([0; 2]);
        let payoff = Payoff::new(&RuleSet::BGA, contract, &play, Team::Even, none, none);
        World { play, payoff, weight: 1.0 }
    };
    hands.iter().map(world).collect()
}

fn solved(worlds: &[World], card: Card) -> f64 {
    let (mut solver, cards, mut sum) = (Solver::new(), CardSet::only(card), 0);
    for World { play, payoff, .. } in worlds {
        let cards = (cards, payoff.prizes());
        solve_cards(&mut solver, &RuleSet::BGA, payoff, play, cards, |_, points| sum += payoff.at(points));
    }
    mean(sum, worlds)
}

fn searched(worlds: &[World], card: Card) -> f64 {
    let mut tree = Tree {
        rules: &RuleSet::BGA,
        me: Seat::S0,
        width: 1000,
        worlds,
        solvers: &mut vec![Solver::new(); worlds.len()],
        limits: Limits::of_count(1),
        watch: Stopwatch::start(),
    };
    tree.card(card, 1).unwrap()
}

/// What the first seat can reach, a score for each world; the others know the world.
fn reachable(worlds: &[World], plays: &[(usize, PlayState)]) -> BTreeSet<Vec<i32>> {
    let first = &plays[0].1;
    if first.is_over() {
        let points = |play: &PlayState| i32::from(play.card_points(&RuleSet::BGA)[Team::Even]);
        let score = |(n, play): &(usize, PlayState)| {
            let (payoff, won) = (&worlds[*n].payoff, |team: Team| play.tricks_won(team.other()) == 0);
            let prize = |team: Team| if won(team) { i32::from(payoff.prizes()[team]) } else { 0 };
            payoff.at(points(play) + prize(Team::Even) - prize(Team::Odd))
        };
        return BTreeSet::from([plays.iter().map(score).collect()]);
    }
    let below = |card: Card| {
        let members = plays.iter().filter(|(_, play)| play.is_legal(card));
        reachable(worlds, &members.map(|(n, play)| (*n, after(play, card))).collect::<Vec<_>>())
    };
    if first.to_play() == Seat::S0 {
        return first.legal_plays().into_iter().flat_map(below).collect();
    }
    let cards = plays.iter().fold(CardSet::EMPTY, |cards, (_, play)| cards | play.legal_plays());
    let mut reached = BTreeSet::from([vec![None; plays.len()]]);
    for card in cards {
        let members: Vec<usize> = (0..plays.len()).filter(|n| plays[*n].1.is_legal(card)).collect();
        let choices = below(card);
        let mut joined = BTreeSet::new();
        for before in &reached {
            for new in &choices {
                let mut vector = before.clone();
                for (n, score) in members.iter().zip(new) {
                    let known = vector[*n].unwrap_or(*score);
                    vector[*n] =
                        Some(if first.to_play() == Seat::S2 { known.max(*score) } else { known.min(*score) });
                }
                joined.insert(vector);
            }
        }
        reached = joined;
    }
    reached.into_iter().map(|vector| vector.into_iter().flatten().collect()).collect()
}

/// The best mean that a card leads to, by trying every plan.
fn planned(worlds: &[World], card: Card) -> f64 {
    let plays: Vec<_> = worlds.iter().enumerate().map(|(n, world)| (n, after(&world.play, card))).collect();
    let sums = reachable(worlds, &plays).into_iter().map(|vector| vector.into_iter().sum::<i32>());
    mean(sums.max().unwrap(), worlds)
}

fn mean(sum: i32, worlds: &[World]) -> f64 {
    f64::from(sum) / f64::from(u32::try_from(worlds.len()).unwrap())
}

/// Three cards each out of twelve in three worlds, the first seat's the same in all.
fn ending(number: u64) -> Vec<BySeat<CardSet>> {
    let mut key = Key::from_bits(number).and(77);
    let mut draw = |from: &mut CardSet| {
        key = key.and(1);
        let card = from.nth(key.below(from.len())).unwrap();
        *from = from.without(card);
        card
    };
    let mut deck = CardSet::FULL;
    let own: CardSet = (0..3).map(|_| draw(&mut deck)).collect();
    let others: CardSet = (0..9).map(|_| draw(&mut deck)).collect();
    let mut left = others;
    let mut base = BySeat([own; 4]);
    for seat in [Seat::S1, Seat::S2, Seat::S3] {
        base[seat] = (0..3).map(|_| draw(&mut left)).collect();
    }
    // The other worlds differ by an exchange of two cards each.
    let world = |other: Option<Seat>| {
        let mut hands = base;
        if let Some(seat) = other {
            let (x, y) = (draw(&mut hands[seat]), draw(&mut hands[Seat::S3]));
            hands[seat] = hands[seat].with(y);
            hands[Seat::S3] = hands[Seat::S3].with(x);
        }
        hands
    };
    [None, Some(Seat::S1), Some(Seat::S2)].map(world).to_vec()
}

#[test]
fn the_best_plan_without_knowledge_is_found() {
    for number in 0..200 {
        let worlds = worlds(&ending(number));
        for card in worlds[0].play.legal_plays() {
            let (searched, planned) = (searched(&worlds, card), planned(&worlds, card));
            assert!((searched - planned).abs() < 1e-3, "{number}, {card}: {searched} instead of {planned}");
            assert!(solved(&worlds, card) >= planned - 1e-3, "{number}, {card}: to know more is not worse");
        }
    }
}

/// Returns the card of the best value.
fn best(worlds: &[World], value: fn(&[World], Card) -> f64) -> Card {
    let values = worlds[0].play.legal_plays().into_iter().map(|card| (card, value(worlds, card)));
    values.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0
}

#[test]
fn strategy_fusion_is_seen_through() {
    // Three worlds each; the leader's hand is the first. `pimc` takes for granted that after the card it likes best
    // it will know which of the other two to play next.
    let endings = [
        (
            [
                ["KC AD 8H", "7C TH TS", "QD QS AS", "TC QC 7S"],
                ["KC AD 8H", "7C TH 7S", "QD QS AS", "TC QC TS"],
                ["KC AD 8H", "7C TH TS", "TC QD QS", "QC 7S AS"],
            ],
            ["AD", "KC"],
        ),
        (
            [
                ["7D KH KS", "JC 8S 9S", "8D QD 7H", "TC 8H AS"],
                ["7D KH KS", "JC 9S AS", "8D QD 7H", "TC 8H 8S"],
                ["7D KH KS", "JC 8S 9S", "8D 7H AS", "TC QD 8H"],
            ],
            ["KH", "7D"],
        ),
        (
            [
                ["QC QH QS", "8D JD AS", "8C QD 9S", "7D TH AH"],
                ["QC QH QS", "JD TH AS", "8C QD 9S", "7D 8D AH"],
                ["QC QH QS", "8D JD AS", "8C QD AH", "7D TH 9S"],
            ],
            ["QC", "QS"],
        ),
    ];
    for (hands, [fused, right]) in endings {
        let worlds = worlds(&hands.map(|world| BySeat(world.map(|hand| hand.parse().unwrap()))));
        let cards = [best(&worlds, solved), best(&worlds, searched), best(&worlds, planned)];
        assert_eq!(cards.map(|card| card.to_string()), [fused, right, right]);
    }
}
