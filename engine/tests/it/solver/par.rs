//! The par of a deal.

use coinche_conformance as book;
use coinche_engine::rules::BeloteAllTrump;
use coinche_engine::solver::{DealPoints, Solver, takes_all};
use coinche_engine::{
    Bid, BidValue, BySeat, Card, CardSet, Goal, Ladder, PlayState, Rank, RuleSet, Seat, Strain, Suit, Team,
    parse_hands,
};

use super::hands;
use crate::common::book::to_strain;

fn solved(rules: &RuleSet, hands: BySeat<CardSet>) -> DealPoints {
    DealPoints::solve(&mut Solver::new(), rules, hands, &Strain::ALL, &Seat::ALL)
}

#[test]
fn all_strains_and_leaders_are_solved() {
    for index in 0..6 {
        let rules = super::rules(index);
        let points = solved(&rules, hands(index));
        for strain in Strain::ALL {
            for leader in Seat::ALL {
                let state = PlayState::new(&rules.play, strain, hands(index), leader);
                let value = Solver::new().value(&rules, &state);
                let found = points.get(strain, leader).unwrap();
                assert_eq!(i32::from(found.points[leader.team()]), value, "{index} {strain} {leader}");
                assert_eq!(found.points.0.iter().sum::<u16>(), 162);
            }
        }
    }
    let one = DealPoints::solve(&mut Solver::new(), &RuleSet::BGA, hands(0), &[Strain::Hearts], &[Seat::S2]);
    assert!(one.get(Strain::Hearts, Seat::S2).is_some());
    assert!(one.get(Strain::Hearts, Seat::S1).is_none() && one.get(Strain::Spades, Seat::S2).is_none());
}

#[test]
fn the_best_contract_is_the_highest_that_is_made() {
    // Under these rules the bid counts, so that the best contract of a strain is the highest made.
    let rules = RuleSet::BGA;
    for index in 0..12 {
        let points = solved(&rules, hands(index));
        for team in Team::ALL {
            let Some(best) = points.best_contract(&rules, Seat::S1, team) else {
                for strain in Strain::ALL {
                    assert!(points.get(strain, Seat::S1).unwrap().points[team] < 82);
                }
                continue;
            };
            assert!(best.score.made && best.contract.declarer.team() == team);
            let own = best.result.card_points[team] + best.result.belote[team];
            let Goal::Bid(value) = best.contract.goal else { panic!("{best:?}") };
            let solved = points.get(best.contract.strain, Seat::S1).unwrap();
            assert_eq!(best.result.card_points, solved.points);
            if let Some(value) = value.as_points() {
                assert!(value <= own && (value + 10 > own || value == 160), "{best:?}");
            } else {
                assert_eq!((value, solved.slam), (BidValue::CAPOT, Some(team)));
            }
            let scored = best.score.points[team] - best.score.points[team.other()];
            let plain =
                i32::from(best.result.card_points[team]) - i32::from(best.result.card_points[team.other()]);
            let worth = i32::from(rules.bid_worth(value)) + plain;
            assert!((worth - 20..=worth + 20).contains(&scored), "{best:?}");
        }
    }
}

/// The best contract as the rule book scores all of them.
fn literal_best(
    rules: &RuleSet,
    hands: &BySeat<CardSet>,
    leader: Seat,
    team: Team,
) -> Option<(String, [i32; 2])> {
    let book = book::Rules::from_json(&serde_json::to_value(rules).unwrap()).unwrap();
    let declarer = if leader.team() == team { leader } else { leader.next() };
    let mut best: Option<(i32, String, [i32; 2])> = None;
    for strain in Strain::ALL.into_iter().filter(|strain| rules.allows_strain(*strain)) {
        let state = PlayState::new(&rules.play, strain, *hands, leader);
        let own = Solver::new().value(rules, &state);
        let cards =
            book::cards::deck().into_iter().map(|card| book::card_points(&book, to_strain(strain), card));
        let all = cards.sum::<i32>() + book::play::last_trick_points(&book, to_strain(strain));
        let mut points = [own, all - own];
        if leader.team() == Team::Odd {
            points.reverse();
        }
        let slam = Team::ALL.into_iter().find(|team| takes_all(&mut Solver::new(), rules, &state, *team));
        let couples = match strain {
            Strain::AllTrump if rules.belote.all_trump != BeloteAllTrump::None => Suit::ALL.to_vec(),
            _ => strain.trump().into_iter().collect(),
        };
        let mut belote = [0, 0];
        for suit in couples {
            let couple: CardSet =
                [Rank::King, Rank::Queen].map(|rank| Card::new(suit, rank)).into_iter().collect();
            for (seat, hand) in hands.iter() {
                belote[seat.team().index()] += 20 * i32::from(couple.is_subset(*hand));
            }
        }
        let goals: Vec<String> = if rules.has_values() {
            let values = Ladder::new(rules).iter().filter(|value| *value != BidValue::GENERALE);
            values.map(|value| Bid { value, strain }.to_string()).collect()
        } else {
            vec![format!("TAKE{strain}")]
        };
        for bid in goals {
            let deal = book::Deal {
                contract: book::Contract {
                    bid: bid.parse().unwrap(),
                    declarer: declarer.index(),
                    stake: book::Stake::Plain,
                },
                tricks: match slam {
                    Some(Team::Even) => [4, 0, 4, 0],
                    Some(Team::Odd) => [0, 4, 0, 4],
                    None => [2; 4],
                },
                card_points: points,
                belote,
                melds: [0, 0],
            };
            let outcome = book::score_deal(&book, &deal);
            let gain = outcome.score[team.index()] - outcome.score[team.other().index()];
            // Of equal ones the lowest, then the first strain.
            let is_better = best.as_ref().is_none_or(|(before, other, _)| {
                let value = |bid: &str| bid.parse::<Bid>().ok().map(|bid| bid.value);
                gain > *before || (gain == *before && value(&bid) < value(other))
            });
            if outcome.made && is_better {
                best = Some((gain, bid, outcome.score));
            }
        }
    }
    best.map(|(_, bid, score)| (bid, score))
}

#[test]
fn the_best_contract_is_that_of_the_rule_book_under_any_rules() {
    let rules = [
        RuleSet::BGA.with_settings(["scoring.last_trick_no_trump=0", "scoring.last_trick_all_trump=20"]),
        RuleSet::BGA.with_settings([
            "scoring.last_trick=30",
            "belote.all_trump=each-suit",
            "contract.majority=true",
        ]),
        RuleSet::BGA.with_settings([
            "scoring.made=bid",
            "contract.floor=90",
            "belote.counts_for_contract=false",
        ]),
        RuleSet::BELOTE.with_settings(["play.partner_trump=always", "scoring.last_trick=0"]),
        RuleSet::CONTREE.with_settings(["scoring.flat_capot=500", "scoring.rounding=nearest-ten-down"]),
        Ok(RuleSet::COINCHEE),
        Ok(RuleSet::BELOT),
        RuleSet::BGA.with_settings(["cards.all_trump=[20,14,11,10,4,3,0,0]", "scoring.factor_no_trump=2"]),
    ];
    let (mut found, mut defended) = (0, 0);
    for (index, rules) in rules.into_iter().enumerate() {
        let rules = rules.unwrap();
        for deal in 0..10 {
            let (hands, leader) = (hands(100 * index as u64 + deal), Seat::from_index(index + 1));
            let points = solved(&rules, hands);
            for team in Team::ALL {
                let best = points.best_contract(&rules, leader, team);
                let own = best.map(|best| (best.contract.bid_code(), best.score.points.0));
                assert_eq!(own, literal_best(&rules, &hands, leader, team), "{index} {deal} {team}");
                found += u32::from(best.is_some());
                defended += u32::from(best.is_some_and(|best| best.result.belote[team.other()] > 0));
            }
        }
    }
    assert!(found > 60 && defended > 3, "{found} {defended}");
}

#[test]
fn a_hand_of_all_trumps_is_a_slam_with_its_belote() {
    let hands = parse_hands(
        "7H 8H 9H TH JH QH KH AH | 7C 8C 9C TC JC QC KC AC | 7D 8D 9D TD JD QD KD AD | 7S 8S 9S TS JS QS KS AS",
    )
    .unwrap();
    let points = solved(&RuleSet::BGA, hands);
    for leader in Seat::ALL {
        let hearts = points.get(Strain::Hearts, leader).unwrap();
        assert_eq!((hearts.points.0, hearts.slam), ([162, 0], Some(Team::Even)));
        let best = points.best_contract(&RuleSet::BGA, leader, Team::Even).unwrap();
        // 162 for the tricks, 250 for the bid, 20 for king and queen; diamonds are as good, and come first.
        assert_eq!(best.contract.bid_code(), "CAPOTD");
        assert_eq!(best.score.points.0, [432, 0]);
    }
}

#[test]
fn other_rules_have_other_contracts() {
    // The turn-up game: to take in a suit.
    let rules = RuleSet::preset("belote").unwrap();
    let points = solved(&rules, hands(3));
    for team in Team::ALL {
        if let Some(best) = points.best_contract(&rules, Seat::S0, team) {
            assert_eq!(best.contract.goal, Goal::Majority);
            assert!(best.contract.strain.trump().is_some());
        }
    }
    // Coinche in suits only.
    let rules = RuleSet::COINCHE;
    for index in 0..6 {
        let points = solved(&rules, hands(index));
        for team in Team::ALL {
            let best = points.best_contract(&rules, Seat::S0, team);
            assert!(best.is_none_or(|best| best.contract.strain.trump().is_some()));
        }
    }
}
