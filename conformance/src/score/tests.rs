#![allow(clippy::unwrap_used, reason = "a test may panic")]

use serde_json::json;

use super::*;
use crate::options::Method;

/// Seat 0 declares; `own` are the declarers' card points, `tricks` those of each seat.
fn deal(bid: &str, stake: Stake, own: i32, tricks: [usize; 4], belote: [i32; 2], melds: [i32; 2]) -> Deal {
    let contract = Contract { bid: bid.parse().unwrap(), declarer: 0, stake };
    Deal { contract, tricks, card_points: [own, 162 - own], belote, melds }
}

fn outcome(rules: &Rules, bid: &str, stake: Stake, own: i32) -> (bool, [i32; 2]) {
    let tricks = match own {
        162 => [4, 0, 4, 0],
        0 => [0, 4, 0, 4],
        _ => [2, 2, 2, 2],
    };
    let outcome = score_deal(rules, &deal(bid, stake, own, tricks, [0, 0], [0, 0]));
    assert_eq!(outcome.held, 0);
    (outcome.made, outcome.score)
}

fn preset(name: &str) -> Rules {
    Rules::preset(name).unwrap()
}

/// One row of the table: what 100 clubs scores with 122 points, and with 96.
fn row(rules: &Rules, stake: Stake, made: [i32; 2], failed: i32) {
    assert_eq!(outcome(rules, "100C", stake, 122), (true, made), "{stake:?} made");
    assert_eq!(outcome(rules, "100C", stake, 96), (false, [0, failed]), "{stake:?} failed");
}

#[test]
fn seed_003_examples() {
    row(&preset("bga-ja"), Stake::Plain, [222, 40], 260);
    // With belote 80 are enough for 100 clubs.
    let rules = preset("bga-ja");
    let with_belote = |own| score_deal(&rules, &deal("100C", Stake::Plain, own, [2; 4], [20, 0], [0, 0]));
    assert_eq!(with_belote(80), Outcome { made: true, score: [200, 82], held: 0 });
    assert_eq!(with_belote(79), Outcome { made: false, score: [20, 260], held: 0 });
}

#[test]
fn table_of_bga() {
    for name in ["bga", "bga-ja"] {
        let rules = preset(name);
        row(&rules, Stake::Plain, [122 + 100, 40], 160 + 100);
        row(&rules, Stake::Coinche, [2 * (122 + 100), 2 * 40], 2 * (160 + 100));
        row(&rules, Stake::Surcoinche, [4 * (122 + 100), 4 * 40], 4 * (160 + 100));
    }
    let bid_only = preset("bga").with("scoring.made", json!("bid")).unwrap();
    row(&bid_only, Stake::Plain, [100, 40], 160 + 100);
    let flat = preset("bga-ja").with("scoring.failed", json!(162)).unwrap();
    row(&flat, Stake::Plain, [222, 40], 262);
}

#[test]
fn table_of_coinche() {
    for name in ["coinche", "coinche-melds"] {
        let rules = preset(name);
        row(&rules, Stake::Plain, [122 + 100, 40], 162 + 100);
        // Failed: the defenders' own 66.
        row(&rules, Stake::Coinche, [162 + 200, 0], 66 + 200);
        row(&rules, Stake::Surcoinche, [122 + 300, 40], 162 + 300);
    }
}

#[test]
fn table_of_coinchee() {
    let rules = preset("coinchee");
    row(&rules, Stake::Plain, [120 + 100, 40], 160 + 100);
    row(&rules, Stake::Coinche, [2 * (120 + 100), 2 * 40], 2 * (160 + 100));
    row(&rules, Stake::Surcoinche, [4 * (120 + 100), 4 * 40], 4 * (160 + 100));
    // Belote and melds are multiplied too.
    let made = score_deal(&rules, &deal("100C", Stake::Coinche, 122, [2; 4], [20, 0], [20, 50]));
    assert_eq!(made.score, [2 * (120 + 100 + 20 + 20), 2 * (40 + 50)]);
    let failed = score_deal(&rules, &deal("180C", Stake::Surcoinche, 122, [2; 4], [20, 0], [20, 50]));
    assert_eq!(failed.score, [4 * 20, 4 * (160 + 180 + 70)]);
}

#[test]
fn table_of_contree() {
    let rules = preset("contree");
    row(&rules, Stake::Plain, [122 + 100, 40], 162 + 100);
    row(&rules, Stake::Coinche, [162 + 200, 0], 162 + 200);
    row(&rules, Stake::Surcoinche, [162 + 300, 0], 162 + 300);
    assert_eq!(outcome(&rules, "CAPOTC", Stake::Coinche, 162), (true, [252 + 500, 0]));
    assert_eq!(outcome(&rules, "80C", Stake::Plain, 162), (true, [252 + 80, 0]));
    assert_eq!(outcome(&rules, "80C", Stake::Plain, 0), (false, [0, 162 + 80]));
    let belote =
        |stake, own, belote| score_deal(&rules, &deal("100C", stake, own, [2; 4], belote, [0, 0])).score;
    assert_eq!(belote(Stake::Plain, 96, [0, 20]), [0, 262 + 20]);
    assert_eq!(belote(Stake::Plain, 70, [20, 0]), [0, 262 + 20]);
    assert_eq!(belote(Stake::Plain, 122, [0, 20]), [222, 40 + 20]);
    assert_eq!(belote(Stake::Coinche, 122, [0, 20]), [362 + 20, 0]);
    assert_eq!(belote(Stake::Coinche, 80, [20, 0]), [362 + 20, 0]);
    assert_eq!(belote(Stake::Coinche, 79, [20, 0]), [0, 362 + 20]);
}

#[test]
fn table_of_belote() {
    let rules = preset("belote");
    assert_eq!(rules.deal.method, Method::TurnUp);
    assert_eq!(outcome(&rules, "TAKEC", Stake::Plain, 82), (true, [82, 80]));
    assert_eq!(outcome(&rules, "TAKEC", Stake::Plain, 81), (false, [0, 162]));
    assert_eq!(outcome(&rules, "TAKEC", Stake::Plain, 162), (true, [252, 0]));
    assert_eq!(outcome(&rules, "TAKEC", Stake::Plain, 0), (false, [0, 252]));
    let slam = score_deal(&rules, &deal("TAKEC", Stake::Plain, 162, [8, 0, 0, 0], [20, 0], [0, 0]));
    assert_eq!(slam.score, [272, 0]);
    // With a belote of its own a side needs fewer points, with one against it more.
    let belote = |own, belote| score_deal(&rules, &deal("TAKEC", Stake::Plain, own, [2; 4], belote, [0, 0]));
    assert_eq!(belote(72, [20, 0]), Outcome { made: true, score: [92, 90], held: 0 });
    assert_eq!(belote(91, [0, 20]), Outcome { made: false, score: [0, 182], held: 0 });
    // Failed: the defenders score the melds of both sides, the declarers their belote.
    let melds = preset("belote-melds");
    let failed = score_deal(&melds, &deal("TAKEC", Stake::Plain, 20, [2; 4], [20, 0], [20, 100]));
    assert_eq!(failed.score, [20, 162 + 120]);
    let made = score_deal(&melds, &deal("TAKEC", Stake::Plain, 120, [2; 4], [0, 0], [20, 50]));
    assert_eq!(made.score, [140, 92]);
}

#[test]
fn held_tie() {
    let rules = preset("belote-melds").with("match.tie", json!("held")).unwrap();
    let tie = score_deal(&rules, &deal("TAKEC", Stake::Plain, 81, [2; 4], [20, 0], [0, 20]));
    assert_eq!(tie, Outcome { made: false, score: [20, 101], held: 81 });
    let tie = score_deal(&rules, &deal("TAKEC", Stake::Plain, 71, [2; 4], [0, 20], [40, 0]));
    assert_eq!(tie, Outcome { made: false, score: [0, 111], held: 111 });
}

#[test]
fn slams() {
    assert_eq!(outcome(&preset("bga"), "CAPOTC", Stake::Plain, 162), (true, [162 + 250, 0]));
    assert_eq!(outcome(&preset("bga"), "160C", Stake::Coinche, 162), (true, [2 * (162 + 160), 0]));
    let coinchee = preset("coinchee");
    assert_eq!(outcome(&coinchee, "CAPOTC", Stake::Plain, 162), (true, [250 + 250, 0]));
    assert_eq!(outcome(&coinchee, "250C", Stake::Plain, 162), (true, [250 + 250, 0]));
    assert_eq!(outcome(&coinchee, "260C", Stake::Plain, 162), (false, [0, 160 + 260]));
    let solo = |bid, tricks| score_deal(&coinchee, &deal(bid, Stake::Plain, 162, tricks, [0, 0], [0, 0]));
    assert_eq!(solo("GENERALEC", [8, 0, 0, 0]).score, [500 + 500, 0]);
    assert_eq!(solo("GENERALEC", [0, 0, 8, 0]).score, [0, 160 + 500]);
    assert_eq!(solo("GENERALEC", [7, 0, 1, 0]).score, [0, 160 + 500]);
    assert_eq!(solo("CAPOTC", [0, 0, 8, 0]).score, [500 + 250, 0]);
    assert_eq!(solo("80C", [8, 0, 0, 0]).score, [500 + 80, 0]);
    let one_lost = score_deal(&coinchee, &deal("CAPOTC", Stake::Plain, 162, [7, 1, 0, 0], [0, 0], [0, 0]));
    assert_eq!(one_lost.score, [0, 160 + 250]);
}

#[test]
fn rounding_comes_after_the_made_test() {
    let rules = preset("coinchee");
    assert_eq!(outcome(&rules, "100C", Stake::Plain, 95), (false, [0, 260]));
    assert_eq!(outcome(&rules, "90C", Stake::Plain, 95), (true, [100 + 90, 70]));
    assert_eq!(outcome(&rules, "80C", Stake::Plain, 84), (true, [80 + 80, 80]));
    assert_eq!(outcome(&rules, "80C", Stake::Plain, 107), (true, [110 + 80, 60]));
    let down = rules.with("scoring.rounding", json!("nearest-ten-down")).unwrap();
    assert_eq!(outcome(&down, "90C", Stake::Plain, 95), (true, [90 + 90, 70]));
    assert_eq!(outcome(&down, "90C", Stake::Plain, 96), (true, [100 + 90, 70]));
    assert_eq!(outcome(&down, "90C", Stake::Plain, 97), (true, [100 + 90, 60]));
}

#[test]
fn floor_and_majority() {
    let floor = preset("coinche").with("contract.floor", json!(82)).unwrap();
    assert!(!outcome(&floor, "80C", Stake::Plain, 81).0);
    assert!(outcome(&floor, "80C", Stake::Plain, 82).0);
    let majority = preset("coinche").with("contract.majority", json!(true)).unwrap();
    assert!(!outcome(&majority, "80C", Stake::Plain, 81).0);
    assert!(outcome(&majority, "80C", Stake::Plain, 82).0);
    let against = score_deal(&majority, &deal("80C", Stake::Plain, 90, [2; 4], [0, 20], [0, 0]));
    assert!(!against.made);
}

#[test]
fn flat_capot() {
    let rules = preset("contree")
        .with("scoring.flat_capot", json!(500))
        .unwrap()
        .with("scoring.surcoinche.contract", json!(4));
    let rules = rules.unwrap();
    assert_eq!(outcome(&rules, "CAPOTC", Stake::Plain, 162), (true, [500, 0]));
    assert_eq!(outcome(&rules, "CAPOTC", Stake::Coinche, 150), (false, [0, 1000]));
    assert_eq!(outcome(&rules, "CAPOTC", Stake::Surcoinche, 162), (true, [2000, 0]));
    let belote = score_deal(&rules, &deal("CAPOTC", Stake::Plain, 150, [2; 4], [20, 0], [0, 0]));
    assert_eq!(belote.score, [0, 520]);
}
