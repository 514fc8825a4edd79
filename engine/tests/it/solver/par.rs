//! The par of a deal.

use coinche_engine::solver::{DealPoints, Solver};
use coinche_engine::{BidValue, BySeat, CardSet, Goal, PlayState, RuleSet, Seat, Strain, Team, parse_hands};

use super::hands;

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
