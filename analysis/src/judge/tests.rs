//! Tests the judge against slower ways to the same numbers.
#![allow(clippy::unwrap_used, reason = "a test may fail at once")]

use coinche_bots::search::Payoff;
use coinche_engine::record::Record;
use coinche_engine::record::{RecordContext, RulesRecord};
use coinche_engine::rules::DealMethod;
use coinche_engine::solver::DealPoints;
use coinche_engine::solver::{LeaderPoints, Solver};
use coinche_engine::{
    BidValue, BySeat, ByTeam, Call, Card, CardSet, DealResult, DealState, Deck, Goal, Key, PlayState, Seat,
    Stake, Strain, random_card,
};
use coinche_engine::{Deal, RuleSet, Team};

use super::auction::{AuctionJudge, CAUSES};
use super::audit::audit;
use super::played::{Judged, Played};
use super::value::decisions;

/// How a test plays.
#[derive(Clone, Copy)]
enum Player {
    Random,
    /// A best card, random among equals.
    Best,
}

/// Plays deals under a rule set, with low random bids, and parses their records.
fn deals(rules: &RuleSet, seed: u64, player: Player) -> impl Iterator<Item = (Played, Record)> {
    (0..).filter_map(move |index| {
        let dealer = Seat::ALL.into_iter().cycle().nth(usize::try_from(index).unwrap()).unwrap();
        let deal = Deal::new(&rules.deal, Deck::shuffled(seed, index), dealer);
        let mut state = DealState::new(rules, &deal);
        let mut solver = Solver::new();
        for n in 0.. {
            let key = Key::decisions(seed, index, Seat::S0).and(n);
            match state.turn() {
                coinche_engine::Turn::Call(_) => {
                    let calls = state.legal_calls();
                    let call = if key.happens(0.4) { calls.nth(key.below(calls.len().min(9))) } else { None };
                    state.call(call.unwrap_or(Call::Pass)).unwrap();
                }
                coinche_engine::Turn::Play(_) => {
                    let legal = state.legal_plays();
                    let card = match player {
                        Player::Random => random_card(legal, key).unwrap(),
                        Player::Best => {
                            let mut best = Vec::new();
                            let mut high = i32::MIN;
                            solver.set_prizes(Payoff::PRIZES);
                            solver.values(rules, state.play_state().unwrap(), |card, value| {
                                if value > high {
                                    best.clear();
                                    high = value;
                                }
                                if value == high {
                                    best.push(card);
                                }
                            });
                            best[key.below(best.len())]
                        }
                    };
                    state.play(card).unwrap();
                }
                coinche_engine::Turn::Over => break,
            }
        }
        let rules = RulesRecord::new(rules);
        let bots = BySeat(["a", "b", "a", "b"]);
        let context = RecordContext { deal: index, leg: 0, rules: &rules, bots, faults: &[], game: None };
        let record = Record::new(&state, &context).unwrap();
        match Played::read(record.to_json().as_bytes()).unwrap() {
            (record, Judged::Played(deal)) => Some((*deal, record)),
            _ => None,
        }
    })
}

fn presets() -> impl Iterator<Item = (u64, RuleSet)> {
    (0..).zip(RuleSet::PRESETS.map(|(_, rules)| rules))
}

/// Returns what the score depends on after the play; slams count as a side's.
fn result(played: &Played, end: &PlayState) -> i32 {
    let rules = &played.dealt.rules;
    let mut tricks = BySeat::from_fn(|seat| end.tricks_by(seat));
    for team in Team::ALL {
        if end.tricks_won(team) == 8 {
            tricks = BySeat::from_fn(|seat| if seat.team() == team { 4 } else { 0 });
        }
    }
    let result = DealResult {
        contract: played.contract,
        card_points: end.card_points(rules),
        tricks,
        belote: played.belote,
        melds: played.melds,
    };
    let points = result.score(rules).points;
    points[Team::Even] - points[Team::Odd]
}

/// Computes the deal score by plain minimax, even seats' less odd ones'.
fn minimax(played: &Played, state: &PlayState) -> i32 {
    if state.is_over() {
        return result(played, state);
    }
    let values = state.legal_plays().into_iter().map(|card| {
        let mut after = *state;
        after.play_unchecked(card);
        minimax(played, &after)
    });
    if state.to_play().team() == Team::Even { values.max().unwrap() } else { values.min().unwrap() }
}

#[test]
fn every_card_has_the_value_of_the_solver() {
    for (seed, rules) in presets() {
        for (played, _) in deals(&rules, seed, Player::Random).take(4) {
            let (judged, _) = decisions(&mut Solver::new(), &played);
            let mut judged = judged.into_iter();
            let mut state = played.start();
            for card in &played.cards {
                if state.legal_plays().len() > 1 {
                    let decision = judged.next().unwrap();
                    let won = i32::from(state.card_points(&rules)[state.to_play().team()]);
                    let mut values = Vec::new();
                    Solver::new().values(&rules, &state, |card, value| values.push((card, won + value)));
                    let of = |wanted: Card| values.iter().find(|(card, _)| *card == wanted).unwrap().1;
                    let best = values.iter().map(|(_, value)| *value).max().unwrap();
                    assert_eq!((decision.card, decision.value), (*card, of(*card)));
                    assert_eq!((decision.best_value, of(decision.best_card)), (best, best));
                    assert_eq!(decision.seat, state.to_play());
                }
                state.play_unchecked(*card);
            }
            assert!(judged.next().is_none());
        }
    }
}

#[test]
fn losses_of_score_are_those_of_plain_minimax() {
    let mut losing = 0;
    for (seed, rules) in presets() {
        for (played, _) in deals(&rules, 100 + seed, Player::Random).take(40) {
            let (judged, scored) = decisions(&mut Solver::new(), &played);
            assert_eq!(scored, played.contract.goal != Goal::Bid(BidValue::GENERALE));
            let mut late = judged.into_iter().filter(|decision| decision.trick >= 5);
            let mut state = played.start();
            for card in &played.cards {
                let mut after = state;
                after.play_unchecked(*card);
                if state.tricks_played() >= 5 && state.legal_plays().len() > 1 && scored {
                    let decision = late.next().unwrap();
                    let sign = if state.to_play().team() == Team::Even { 1 } else { -1 };
                    let loss = sign * (minimax(&played, &state) - minimax(&played, &after));
                    assert_eq!(decision.score_loss, Some(loss));
                    losing += u32::from(loss > 0);
                }
                state = after;
            }
        }
    }
    assert!(losing > 100, "{losing} decisions lose: too few to see anything");
}

#[test]
fn losses_add_up_to_what_the_deal_missed() {
    for (seed, rules) in presets() {
        for (played, record) in deals(&rules, 200 + seed, Player::Random).take(12) {
            let (judged, scored) = decisions(&mut Solver::new(), &played);
            let mut lost = ByTeam([0; 2]);
            let mut lost_score = ByTeam([0; 2]);
            for decision in &judged {
                lost[decision.seat.team()] += decision.loss();
                lost_score[decision.seat.team()] += decision.score_loss.unwrap_or(0);
                assert!(decision.loss() >= 0 && decision.score_loss.unwrap_or(0) >= 0);
            }
            let start = played.start();
            let mut solver = Solver::new();
            let led = start.to_play().team();
            let value = solver.value(&rules, &start);
            let made = i32::from(record.card_points[led]);
            assert_eq!(lost[led] - lost[led.other()], value - made);
            if scored {
                solver.set_prizes(Payoff::PRIZES);
                let declarers = played.contract.declarer.team();
                let best = solver.value(&rules, &start);
                let all = 152 + i32::from(rules.scoring.last_trick_in(played.contract.strain));
                let fall = if led == declarers { best } else { all - best };
                let (contract, belote, melds) = (played.contract, played.belote, played.melds);
                let best = Payoff::new(&rules, contract, &start, declarers, belote, melds).at(fall);
                let mut end = start;
                played.cards.iter().for_each(|card| {
                    end.play_unchecked(*card);
                });
                let sign = if declarers == Team::Even { 1 } else { -1 };
                let made = sign * result(&played, &end);
                assert_eq!(lost_score[declarers] - lost_score[declarers.other()], best - made);
            }
        }
    }
}

#[test]
fn best_play_loses_nothing() {
    for (seed, rules) in presets() {
        for (played, _) in deals(&rules, 300 + seed, Player::Best).take(3) {
            let (judged, _) = decisions(&mut Solver::new(), &played);
            assert!(!judged.is_empty());
            for decision in judged {
                assert_eq!((decision.loss(), decision.best_card), (0, decision.card));
                assert_eq!(decision.score_loss.unwrap_or(0), 0);
            }
        }
    }
}

#[test]
fn the_best_contract_is_that_of_the_engine_and_bidding_it_loses_nothing() {
    let mut seen = 0;
    for (seed, rules) in presets().filter(|(_, rules)| rules.deal.method == DealMethod::Full) {
        for (played, _) in deals(&rules, 400 + seed, Player::Random).take(6) {
            let (hands, leader) = (played.dealt.hands, played.dealt.leader);
            let strains: Vec<_> =
                Strain::ALL.into_iter().filter(|strain| rules.allows_strain(*strain)).collect();
            let mut solver = Solver::new();
            let points = DealPoints::solve(&mut solver, &rules, hands, &strains, &[leader]);
            let mut judge = AuctionJudge::default();
            let passed = judge.passed(&mut solver, &played.dealt);
            for team in Team::ALL {
                let worth = points
                    .best_contract(&rules, leader, team)
                    .map_or(0, |par| par.score.points[team] - par.score.points[team.other()]);
                assert_eq!(passed[team.index()].total(), worth.max(0));
                let Some(par) = points.best_contract(&rules, leader, team).filter(|_| worth > 0) else {
                    continue;
                };
                seen += 1;
                let losses = judge.losses(&mut solver, &played.dealt, par.contract).unwrap();
                assert_eq!(losses[team.index()].total(), 0, "{:?}", losses[team.index()]);
                // A coinche of a makeable contract can only lose.
                let contract = coinche_engine::Contract { stake: Stake::Coinche, ..par.contract };
                let more = judge.losses(&mut solver, &played.dealt, contract).unwrap()[team.other().index()];
                let needless = CAUSES.iter().position(|cause| *cause == "needless coinche").unwrap();
                let less = losses[team.other().index()];
                assert_eq!(more.0[needless], more.total() - less.total());
            }
        }
    }
    assert!(seen > 40, "{seen} best contracts");
}

#[test]
fn auctions_lose_by_the_right_causes() {
    let rules = RuleSet::BGA;
    let cause = |name: &str| CAUSES.iter().position(|cause| *cause == name).unwrap();
    let mut causes = [0u32; CAUSES.len()];
    for (played, _) in deals(&rules, 500, Player::Random).take(60) {
        let contract = played.contract;
        if contract.goal == Goal::Bid(BidValue::GENERALE) {
            continue;
        }
        let mut solver = Solver::new();
        let losses = AuctionJudge::default().losses(&mut solver, &played.dealt, contract).unwrap();
        let best = LeaderPoints::of(&mut solver, &rules, &played.start());
        let declarers = contract.declarer.team();
        let [own, other] = [declarers, declarers.other()].map(|team| losses[team.index()].0);
        for (n, loss) in own.into_iter().zip(other).enumerate() {
            assert!(loss.0 >= 0 && loss.1 >= 0, "{}", CAUSES[n]);
            causes[n] += u32::from(loss.0 > 0 || loss.1 > 0);
        }
        // Without a belote, a plain number is made by points alone.
        let holds = |seat| {
            let couple = [coinche_engine::Rank::King, coinche_engine::Rank::Queen];
            let trump = contract.strain.trump();
            let hand = played.dealt.hands[seat];
            trump.is_some_and(|suit| couple.into_iter().all(|rank| hand.contains(Card::new(suit, rank))))
        };
        let Goal::Bid(value) = contract.goal else { unreachable!("full deals") };
        if let (Some(value), None, false) = (value.as_points(), best.slam, Seat::ALL.into_iter().any(holds)) {
            let made = best.points[declarers] >= value && best.points[declarers] > 81;
            assert!(
                own[cause(if made { "overbid" } else { "underbid" })] == 0,
                "{contract:?} {best:?} {own:?}"
            );
            let plain = contract.stake == Stake::Plain;
            assert_eq!(other[cause("missed coinche")] > 0, plain && !made);
            assert_eq!(other[cause("needless coinche")] > 0, !plain && made);
        }
    }
    let names = ["wrong strain", "underbid", "overbid", "sold out", "missed coinche", "needless coinche"];
    for name in names {
        assert!(causes[cause(name)] > 0, "{name} was never seen: {causes:?}");
    }
}

#[test]
fn a_score_that_falls_with_points_is_not_told() {
    let rules = RuleSet::BGA;
    let (played, _) = deals(&rules, 600, Player::Random).next().unwrap();
    let contract =
        coinche_engine::Contract { goal: Goal::Bid(BidValue::points(90).unwrap()), ..played.contract };
    let none = ByTeam([0; 2]);
    let is_exact = |rules: &RuleSet| {
        Payoff::new(rules, contract, &played.start(), contract.declarer.team(), none, none).is_exact()
    };
    assert!(is_exact(&rules));
    // A side with every trick would have less than one that lost a trick without points.
    let rules = rules.with(|options| options.scoring.unbid_slam = 100).unwrap();
    assert!(!is_exact(&rules));
    let played = Played { contract, dealt: super::played::Dealt { rules, ..played.dealt }, ..played.clone() };
    let (judged, scored) = decisions(&mut Solver::new(), &played);
    assert!(!scored && judged.iter().all(|decision| decision.score_loss.is_none()));
}

#[test]
fn a_capot_that_was_not_bid_costs_what_the_ladder_without_it_lacks() {
    let mut seen = 0;
    for rules in [RuleSet::BGA, RuleSet::preset("contree").unwrap()] {
        let without = rules.with(|options| options.auction.capot = false).unwrap();
        for (played, _) in deals(&rules, 700, Player::Random).take(16) {
            let contract = played.contract;
            if matches!(contract.goal, Goal::Bid(BidValue::CAPOT | BidValue::GENERALE)) {
                continue;
            }
            let mut solver = Solver::new();
            let team = contract.declarer.team();
            let of = |rules: RuleSet| super::played::Dealt { rules, ..played.dealt };
            let all = AuctionJudge::default().losses(&mut solver, &of(rules), contract).unwrap();
            let lower = AuctionJudge::default().losses(&mut solver, &of(without), contract).unwrap();
            let missed = CAUSES.iter().position(|cause| *cause == "missed capot").unwrap();
            let (mut parts, capot) = (all[team.index()], all[team.index()].0[missed]);
            parts.0[missed] = 0;
            assert_eq!(parts, lower[team.index()], "{contract:?}");
            seen += u32::from(capot > 0);
            let slams = AuctionJudge::default().slams(&mut solver, &of(rules));
            assert!(capot <= 0 || slams[team.index()]);
        }
    }
    assert!(seen > 2, "{seen} capots");
}

/// Who wins four cards, by the rule of the game alone: the highest trump, else the highest card of the suit led.
fn winner_of(strain: Strain, cards: [Card; 4]) -> usize {
    let order = |card: Card| {
        let trumps = strain == Strain::AllTrump || strain.trump() == Some(card.suit());
        let ranks = if trumps { "78QKTA9J" } else { "789JQKTA" };
        ranks.find(card.to_string().chars().next().unwrap()).unwrap()
    };
    let value = |card: &Card| {
        let ruffs = strain.trump() == Some(card.suit());
        if ruffs || card.suit() == cards[0].suit() {
            1 + order(*card) + if ruffs { 10 } else { 0 }
        } else {
            0
        }
    };
    let best = cards.iter().map(value).max().unwrap();
    cards.iter().position(|card| value(card) == best).unwrap()
}

#[test]
fn what_people_call_foolish_is_what_it_says_it_is() {
    let mut found = [0; 3];
    for (seed, rules) in presets() {
        for (played, record) in deals(&rules, 400 + seed, Player::Random).take(40) {
            let audit = audit(&record);
            let strain = played.contract.strain;
            let (mut expected, mut state, mut decision) = (Vec::new(), played.start(), 0);
            let mut masters: Vec<(Seat, Card, usize)> = Vec::new();
            for (at, card) in played.cards.iter().enumerate() {
                let (seat, legal, hand) = (state.to_play(), state.legal_plays(), state.hand(state.to_play()));
                let trick: Vec<Card> = played.cards[at / 4 * 4..at].to_vec();
                let points = |card: Card| rules.cards.points(strain, card);
                // It loses for its side, whatever the fourth plays.
                let loses = |card: Card| {
                    CardSet::FULL.into_iter().all(|fourth| {
                        let mut cards = [trick.as_slice(), &[card, fourth]].concat();
                        cards.truncate(4);
                        let is_played = cards[..3].contains(&cards[3]) && trick.len() < 3;
                        is_played || (winner_of(strain, cards.try_into().unwrap()) + trick.len()) % 2 == 1
                    })
                };
                if legal.len() > 1 {
                    let cheaper = |other: Card| other.suit() == card.suit() && points(other) < points(*card);
                    if trick.len() >= 2
                        && loses(*card)
                        && legal.into_iter().any(|it| cheaper(it) && loses(it))
                    {
                        expected.push((seat, 0, decision));
                    }
                    if trick.is_empty() && strain.trump().is_some() {
                        let rest = CardSet::FULL - hand;
                        let gone: Vec<Card> = played.cards[..at].to_vec();
                        for master in hand {
                            let higher = |other: Card| {
                                let cards = [master, other, master, master];
                                other.suit() == master.suit() && winner_of(strain, cards) == 1
                            };
                            let is_master = !rest.into_iter().any(|it| !gone.contains(&it) && higher(it));
                            let known = masters.iter().any(|(_, card, _)| *card == master);
                            let led = master.suit() == card.suit() || strain.trump() == Some(master.suit());
                            if is_master && !known && !led {
                                masters.push((seat, master, decision));
                            }
                        }
                    }
                    decision += 1;
                }
                if trick.len() == 3 {
                    let cards: [Card; 4] = [trick.as_slice(), &[*card]].concat().try_into().unwrap();
                    let wins = winner_of(strain, cards);
                    for (place, mine) in cards.into_iter().enumerate() {
                        let kept = masters.iter().position(|(_, master, _)| *master == mine);
                        let Some((owner, _, first)) = kept.map(|kept| masters.remove(kept)) else { continue };
                        let ruffed = strain.trump() == Some(cards[wins].suit()) && (wins + place) % 2 == 1;
                        if ruffed && mine.suit() == cards[0].suit() {
                            expected.push((owner, 2, first));
                        }
                    }
                }
                state.play_unchecked(*card);
            }
            let key = |habit: &super::audit::Habit| Some((habit.seat, habit.which, habit.decision?));
            let mut told: Vec<_> =
                audit.habits.iter().filter_map(key).filter(|(_, habit, _)| *habit != 1).collect();
            let order = |it: &(Seat, usize, usize)| (it.0.index(), it.1, it.2);
            told.sort_by_key(order);
            expected.sort_by_key(order);
            assert_eq!(told, expected, "{}", record.to_json());
            for habit in &audit.habits {
                if habit.which < 3 {
                    found[habit.which] += 1;
                }
            }
        }
    }
    assert!(found.iter().all(|count| *count > 20), "{found:?}");
}
