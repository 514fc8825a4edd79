//! The score tables of `docs/rules.md`, "Scoring", line by line, and the examples of the rule pages, with numbers
//! worked out by hand.
//!
//! Every line is checked for each seat as declarer.

use coinche_engine::{
    Bid, BidValue, BySeat, ByTeam, Contract, DealResult, DealScore, Goal, Rank, RuleSet, Seat, Stake, Strain,
    Suit, Team,
};

/// Tricks by the declarer, the next seat, the partner, the last: both sides have some.
const SHARED: [u8; 4] = [3, 1, 2, 2];
/// All for the declarers, by both.
const SLAM: [u8; 4] = [5, 0, 3, 0];
/// All for the declarer.
const SOLO: [u8; 4] = [8, 0, 0, 0];
/// All for the declarer's partner.
const PARTNER: [u8; 4] = [0, 0, 8, 0];
/// All for the defenders.
const LOST: [u8; 4] = [0, 4, 0, 4];

const P: Stake = Stake::Plain;
const X: Stake = Stake::Coinche;
const XX: Stake = Stake::Surcoinche;
const NONE: [u16; 2] = [0, 0];

/// Bid, stake, tricks, card points of the declarers (of all, mostly 162), then of declarers and defenders: belote
/// and melds; then the answers: made, and the score of declarers and defenders.
type Line = (&'static str, Stake, [u8; 4], u16, [u16; 2], [u16; 2], bool, [i32; 2]);

fn score(rules: &RuleSet, declarer: Seat, line: &Line) -> DealScore {
    let (bid, stake, tricks, points, belote, melds, ..) = *line;
    let (strain, goal) = if let Some(suit) = bid.strip_prefix("TAKE") {
        (suit.parse().unwrap(), Goal::Majority)
    } else {
        let bid: Bid = bid.parse().unwrap();
        (bid.strain, Goal::Bid(bid.value))
    };
    let by_side = |[declarers, defenders]: [u16; 2]| {
        ByTeam::from_fn(|team| if team == declarer.team() { declarers } else { defenders })
    };
    DealResult {
        contract: Contract { declarer, strain, goal, stake },
        card_points: by_side([points, rules.all_points(strain) - points]),
        tricks: BySeat::from_fn(|seat| tricks[declarer.distance_to(seat)]),
        belote: by_side(belote),
        melds: by_side(melds),
    }
    .score(rules)
}

fn check(name: &str, rules: &RuleSet, lines: &[Line]) {
    for line in lines {
        for declarer in Seat::ALL {
            let found = score(rules, declarer, line);
            let sides = [declarer.team(), declarer.team().other()].map(|team: Team| found.points[team]);
            assert_eq!((found.made, sides), (line.6, line.7), "{name}: {line:?}, declarer {declarer}");
            assert_eq!(found.held, 0, "{name}: {line:?}");
        }
    }
}

fn with(rules: RuleSet, settings: &[&str]) -> RuleSet {
    rules.with_settings(settings.iter().copied()).unwrap()
}

#[test]
fn bga() {
    let lines: &[Line] = &[
        // The table.
        ("100C", P, SHARED, 122, NONE, NONE, true, [222, 40]),
        ("100C", P, SHARED, 96, NONE, NONE, false, [0, 260]),
        ("100C", X, SHARED, 122, NONE, NONE, true, [444, 80]),
        ("100C", X, SHARED, 96, NONE, NONE, false, [0, 520]),
        ("100C", XX, SHARED, 122, NONE, NONE, true, [888, 160]),
        ("100C", XX, SHARED, 96, NONE, NONE, false, [0, 1040]),
        // On the edge; no trump and all trump score alike.
        ("82H", P, SHARED, 82, NONE, NONE, true, [164, 80]),
        ("82H", P, SHARED, 81, NONE, NONE, false, [0, 242]),
        ("110SA", P, SHARED, 110, NONE, NONE, true, [220, 52]),
        ("110TA", X, SHARED, 109, NONE, NONE, false, [0, 540]),
        // Belote makes 100 with 80; it stays with its holder and is never multiplied.
        ("100C", P, SHARED, 80, [20, 0], NONE, true, [200, 82]),
        ("100C", X, SHARED, 80, [20, 0], NONE, true, [380, 164]),
        ("100C", XX, SHARED, 80, [20, 0], NONE, true, [740, 328]),
        ("100C", P, SHARED, 79, [20, 0], NONE, false, [20, 260]),
        ("100C", X, SHARED, 79, [20, 0], NONE, false, [20, 520]),
        ("100C", P, SHARED, 122, [0, 20], NONE, true, [222, 60]),
        ("100C", P, SHARED, 96, [0, 20], NONE, false, [0, 280]),
        ("100C", X, SHARED, 96, [0, 20], NONE, false, [0, 540]),
        // Slams: 162 whether bid or not.
        ("90C", P, SLAM, 162, NONE, NONE, true, [252, 0]),
        ("90C", P, SOLO, 162, NONE, NONE, true, [252, 0]),
        ("160C", P, SLAM, 162, NONE, NONE, true, [322, 0]),
        ("CAPOTC", P, SLAM, 162, NONE, NONE, true, [412, 0]),
        ("CAPOTC", P, SHARED, 150, NONE, NONE, false, [0, 410]),
        ("CAPOTC", P, SHARED, 162, NONE, NONE, false, [0, 410]),
        ("CAPOTC", P, SHARED, 142, [20, 0], NONE, false, [20, 410]),
        ("CAPOTC", X, SLAM, 162, NONE, NONE, true, [824, 0]),
        ("CAPOTC", X, SHARED, 150, NONE, NONE, false, [0, 820]),
        ("CAPOTC", XX, SLAM, 162, NONE, NONE, true, [1648, 0]),
        ("100C", P, LOST, 0, NONE, NONE, false, [0, 260]),
    ];
    check("bga", &RuleSet::BGA, lines);
    let lines: &[Line] = &[
        ("100C", P, SHARED, 122, NONE, NONE, true, [100, 40]),
        ("100C", P, SHARED, 96, NONE, NONE, false, [0, 260]),
        ("100C", X, SHARED, 122, NONE, NONE, true, [200, 80]),
        ("100C", XX, SHARED, 122, NONE, NONE, true, [400, 160]),
        ("100C", P, SHARED, 80, [20, 0], NONE, true, [120, 82]),
    ];
    check("bga with the bid alone", &with(RuleSet::BGA, &["scoring.made=bid"]), lines);
}

#[test]
fn bga_ja() {
    let lines: &[Line] = &[
        ("100C", P, SHARED, 122, NONE, NONE, true, [222, 40]),
        ("100C", P, SHARED, 96, NONE, NONE, false, [0, 260]),
        ("100C", X, SHARED, 122, NONE, NONE, true, [444, 80]),
        ("100C", X, SHARED, 96, NONE, NONE, false, [0, 520]),
        ("100C", XX, SHARED, 122, NONE, NONE, true, [888, 160]),
        ("100C", XX, SHARED, 96, NONE, NONE, false, [0, 1040]),
        // 160 and a belote.
        ("180C", P, SHARED, 160, [20, 0], NONE, true, [360, 2]),
        ("180C", P, SHARED, 159, [20, 0], NONE, false, [20, 340]),
        ("170C", P, SLAM, 162, NONE, NONE, false, [0, 330]),
    ];
    check("bga-ja", &RuleSet::BGA_JA, lines);
    let lines: &[Line] = &[
        ("100C", P, SHARED, 96, NONE, NONE, false, [0, 262]),
        ("100C", X, SHARED, 96, NONE, NONE, false, [0, 524]),
    ];
    check("bga-ja with 162", &with(RuleSet::BGA_JA, &["scoring.failed=162"]), lines);
}

#[test]
fn belote() {
    let lines: &[Line] = &[
        ("TAKEH", P, SHARED, 90, NONE, NONE, true, [90, 72]),
        ("TAKEH", P, SHARED, 82, NONE, NONE, true, [82, 80]),
        ("TAKEH", P, SHARED, 80, NONE, NONE, false, [0, 162]),
        // A tie has failed.
        ("TAKEH", P, SHARED, 81, NONE, NONE, false, [0, 162]),
        // 252 for all tricks, on either side.
        ("TAKEH", P, SLAM, 162, NONE, NONE, true, [252, 0]),
        ("TAKEH", P, SOLO, 162, NONE, NONE, true, [252, 0]),
        ("TAKEH", P, LOST, 0, NONE, NONE, false, [0, 252]),
        // Belote counts, on either side, and stays.
        ("TAKEH", P, SHARED, 72, [20, 0], NONE, true, [92, 90]),
        ("TAKEH", P, SHARED, 71, [20, 0], NONE, false, [20, 162]),
        ("TAKEH", P, SHARED, 91, [0, 20], NONE, false, [0, 182]),
        ("TAKEH", P, SHARED, 92, [0, 20], NONE, true, [92, 90]),
        ("TAKEH", P, LOST, 0, [20, 0], NONE, false, [20, 252]),
    ];
    check("belote", &RuleSet::BELOTE, lines);
    check("belote-melds", &RuleSet::BELOTE_MELDS, lines);
    let lines: &[Line] = &[
        ("TAKEH", P, SHARED, 70, NONE, [50, 0], true, [120, 92]),
        ("TAKEH", P, SHARED, 120, NONE, [0, 20], true, [120, 62]),
        ("TAKEH", P, SHARED, 71, NONE, [20, 0], false, [0, 182]),
        ("TAKEH", P, SHARED, 90, NONE, [0, 20], false, [0, 182]),
        ("TAKEH", P, SLAM, 162, NONE, [50, 0], true, [302, 0]),
        ("TAKEH", P, LOST, 0, [20, 0], [100, 0], false, [20, 352]),
        // By kind, both sides can have melds that count.
        ("TAKEH", P, SHARED, 60, NONE, [20, 100], false, [0, 282]),
    ];
    check("belote-melds", &RuleSet::BELOTE_MELDS, lines);
}

#[test]
fn held_ties() {
    let held = with(RuleSet::BELOTE_MELDS, &["match.tie=held"]);
    // Card points, belote and melds of both sides; the score, and what waits.
    for (points, belote, melds, sides, waits) in [
        (81, NONE, NONE, [0, 81], 81),
        (71, [20, 0], NONE, [20, 91], 71),
        (91, [0, 20], NONE, [0, 91], 91),
        (71, NONE, [20, 0], [0, 91], 91),
        (61, [20, 0], [20, 0], [20, 101], 81),
        (101, [0, 20], [0, 20], [0, 101], 101),
    ] {
        let line = ("TAKED", P, SHARED, points, belote, melds, false, sides);
        let found = score(&held, Seat::S0, &line);
        assert_eq!((found.made, found.points.0, found.held), (false, sides, waits), "{line:?}");
    }
    let lost = with(held, &["belote.failed=defenders"]);
    let line = ("TAKED", P, SHARED, 71, [20, 0], NONE, false, [20, 91]);
    assert_eq!(score(&lost, Seat::S0, &line).points.0, [20, 91], "a held tie has not failed");
    check("held, no tie", &held, &[("TAKED", P, SHARED, 80, NONE, NONE, false, [0, 162])]);
}

/// The examples of `Documentation/Rules.md` of NikolayIT/BelotGameEngine, and what follows from its sentences.
#[test]
fn belot() {
    let lines: &[Line] = &[
        // 34–224 is 4–22, 164–194 with a meld of 100 is 17–19.
        ("TAKETA", P, SHARED, 224, NONE, NONE, true, [22, 4]),
        ("TAKETA", P, SHARED, 194, NONE, [0, 100], true, [19, 17]),
        ("TAKETA", P, SHARED, 164, NONE, [100, 0], true, [26, 10]),
        ("TAKETA", P, SHARED, 94, NONE, [100, 0], true, [19, 17]),
        // 56–106 is 6–10, 6–156 is 1–15.
        ("TAKEH", P, SHARED, 106, NONE, NONE, true, [10, 6]),
        ("TAKEH", P, SHARED, 156, NONE, NONE, true, [15, 1]),
        ("TAKEH", P, SHARED, 105, NONE, NONE, true, [10, 6]),
        ("TAKEH", P, SHARED, 107, NONE, NONE, true, [11, 5]),
        ("TAKEH", P, SHARED, 56, NONE, NONE, false, [0, 16]),
        // No trumps count twice, but not the 90 of all tricks.
        ("TAKESA", P, SHARED, 66, NONE, NONE, true, [13, 13]),
        ("TAKESA", P, SHARED, 64, NONE, NONE, false, [0, 26]),
        ("TAKESA", P, SLAM, 130, NONE, NONE, true, [35, 0]),
        ("TAKETA", P, SLAM, 258, NONE, NONE, true, [35, 0]),
        ("TAKEH", P, SOLO, 162, NONE, NONE, true, [25, 0]),
        ("TAKEH", P, LOST, 0, [20, 0], NONE, false, [0, 27]),
        // Belotes and melds count, and go where all goes when it fails.
        ("TAKEH", P, SHARED, 75, [20, 0], NONE, true, [9, 9]),
        ("TAKEH", P, SHARED, 85, [0, 20], NONE, false, [0, 18]),
        ("TAKETA", P, SHARED, 100, [40, 0], [50, 0], true, [19, 16]),
        // Doubled, the side with more takes all twice, redoubled four times, the 90 too.
        ("TAKEH", X, SHARED, 100, NONE, NONE, true, [32, 0]),
        ("TAKEH", X, SHARED, 62, [20, 0], [50, 0], true, [46, 0]),
        ("TAKEH", X, SHARED, 90, NONE, [0, 20], false, [0, 36]),
        ("TAKETA", XX, SHARED, 200, [20, 20], [0, 50], true, [140, 0]),
        ("TAKESA", XX, SLAM, 130, NONE, NONE, true, [140, 0]),
    ];
    check("belot", &RuleSet::BELOT, lines);
    // What hangs: 81–81, 106–106 with 50, 154–154 with 50, 130–130; doubled, all of it.
    for (bid, stake, points, belote, melds, sides, waits) in [
        ("TAKEH", P, 81, NONE, NONE, [0, 8], 8),
        ("TAKEH", P, 56, NONE, [50, 0], [0, 10], 11),
        ("TAKEH", P, 106, NONE, [0, 50], [0, 10], 11),
        ("TAKETA", P, 104, NONE, [50, 0], [0, 15], 16),
        ("TAKETA", P, 129, NONE, NONE, [0, 13], 13),
        ("TAKESA", P, 65, NONE, NONE, [0, 13], 13),
        ("TAKEH", P, 71, [20, 0], NONE, [0, 9], 9),
        ("TAKEH", X, 81, NONE, NONE, [0, 0], 32),
        ("TAKEH", XX, 71, [20, 0], NONE, [0, 0], 72),
    ] {
        let line = (bid, stake, SHARED, points, belote, melds, false, sides);
        let found = score(&RuleSet::BELOT, Seat::S0, &line);
        assert_eq!((found.made, found.points.0, found.held), (false, sides, waits), "{line:?}");
    }
}

#[test]
fn coinche() {
    let lines: &[Line] = &[
        ("100C", P, SHARED, 122, NONE, NONE, true, [222, 40]),
        ("100C", P, SHARED, 96, NONE, NONE, false, [0, 262]),
        ("100C", X, SHARED, 122, NONE, NONE, true, [362, 0]),
        ("100C", X, SHARED, 96, NONE, NONE, false, [0, 266]),
        ("100C", XX, SHARED, 122, NONE, NONE, true, [422, 40]),
        ("100C", XX, SHARED, 96, NONE, NONE, false, [0, 462]),
        ("80C", P, SHARED, 80, NONE, NONE, true, [160, 82]),
        ("80C", P, SHARED, 79, NONE, NONE, false, [0, 242]),
        ("100C", P, SHARED, 80, [20, 0], NONE, true, [200, 82]),
        ("100C", X, SHARED, 80, [20, 0], NONE, true, [382, 0]),
        ("100C", X, SHARED, 79, [20, 0], NONE, false, [20, 283]),
        ("100C", X, SHARED, 122, [0, 20], NONE, true, [362, 20]),
        ("100C", P, SLAM, 162, NONE, NONE, true, [262, 0]),
        ("CAPOTC", P, SLAM, 162, NONE, NONE, true, [412, 0]),
        ("CAPOTC", P, SHARED, 150, NONE, NONE, false, [0, 412]),
        ("CAPOTC", X, SLAM, 162, NONE, NONE, true, [662, 0]),
        ("CAPOTC", X, SHARED, 150, NONE, NONE, false, [0, 512]),
        ("CAPOTC", XX, SLAM, 162, NONE, NONE, true, [912, 0]),
        ("CAPOTC", XX, SHARED, 150, NONE, NONE, false, [0, 912]),
    ];
    check("coinche", &RuleSet::COINCHE, lines);
    check("coinche-melds", &RuleSet::COINCHE_MELDS, lines);
    let headline = with(RuleSet::COINCHE, &["scoring.coinche.contract=3", "scoring.surcoinche.contract=4"]);
    let lines: &[Line] = &[
        ("100C", X, SHARED, 122, NONE, NONE, true, [462, 0]),
        ("100C", XX, SHARED, 122, NONE, NONE, true, [522, 40]),
        ("100C", XX, SHARED, 96, NONE, NONE, false, [0, 562]),
    ];
    check("the seed's headline", &headline, lines);
    let lines: &[Line] = &[
        ("100C", P, SHARED, 90, NONE, [20, 0], true, [210, 72]),
        ("100C", P, SHARED, 122, NONE, [0, 20], true, [222, 60]),
        ("160C", P, SHARED, 50, [20, 0], [100, 0], true, [330, 112]),
        ("100C", P, SHARED, 70, NONE, [20, 0], false, [0, 282]),
        ("100C", P, SHARED, 70, NONE, [20, 50], false, [0, 332]),
        ("100C", X, SHARED, 70, NONE, [20, 0], false, [0, 312]),
        ("100C", X, SHARED, 90, NONE, [50, 0], true, [412, 0]),
        // A tierce and a belote: 20 and 20.
        ("120C", P, SHARED, 80, [20, 0], [20, 0], true, [240, 82]),
    ];
    check("coinche-melds", &RuleSet::COINCHE_MELDS, lines);
}

#[test]
fn coinchee() {
    let lines: &[Line] = &[
        ("100C", P, SHARED, 122, NONE, NONE, true, [220, 40]),
        ("100C", P, SHARED, 96, NONE, NONE, false, [0, 260]),
        ("100C", X, SHARED, 122, NONE, NONE, true, [440, 80]),
        ("100C", X, SHARED, 96, NONE, NONE, false, [0, 520]),
        ("100C", XX, SHARED, 122, NONE, NONE, true, [880, 160]),
        ("100C", XX, SHARED, 96, NONE, NONE, false, [0, 1040]),
        // Melds and belote too.
        ("100C", P, SHARED, 90, NONE, [20, 0], true, [210, 70]),
        ("100C", X, SHARED, 90, NONE, [20, 0], true, [420, 140]),
        ("100C", X, SHARED, 70, NONE, [20, 0], false, [0, 560]),
        ("100C", XX, SHARED, 70, NONE, [20, 0], false, [0, 1120]),
        ("100C", X, SHARED, 120, NONE, [0, 50], true, [440, 180]),
        ("100C", P, SHARED, 80, [20, 0], NONE, true, [200, 80]),
        ("100C", X, SHARED, 80, [20, 0], NONE, true, [400, 160]),
        ("100C", X, SHARED, 79, [20, 0], NONE, false, [40, 520]),
        ("100C", P, SHARED, 79, [20, 0], NONE, false, [20, 260]),
        // 53 is 50, 108 is 110, 55 is 60; the other side of each besides.
        ("80C", P, SHARED, 109, NONE, NONE, true, [190, 50]),
        ("80C", P, SHARED, 108, NONE, NONE, true, [190, 50]),
        ("80C", P, SHARED, 107, NONE, NONE, true, [190, 60]),
        ("80C", P, SHARED, 105, NONE, NONE, true, [190, 60]),
        // Never made by rounding.
        ("80C", P, SHARED, 79, NONE, NONE, false, [0, 240]),
        ("110C", P, SHARED, 108, NONE, NONE, false, [0, 270]),
        ("100C", P, SHARED, 75, [20, 0], NONE, false, [20, 260]),
        // Slams: 250, or 500 by one player, bid or not.
        ("100C", P, SLAM, 162, NONE, NONE, true, [350, 0]),
        ("100C", P, SOLO, 162, NONE, NONE, true, [600, 0]),
        ("100C", P, PARTNER, 162, NONE, NONE, true, [600, 0]),
        ("250C", P, SLAM, 162, NONE, NONE, true, [500, 0]),
        ("260C", P, SLAM, 162, NONE, NONE, false, [0, 420]),
        ("CAPOTC", P, SLAM, 162, NONE, NONE, true, [500, 0]),
        ("CAPOTC", X, SLAM, 162, NONE, NONE, true, [1000, 0]),
        ("CAPOTC", P, PARTNER, 162, NONE, NONE, true, [750, 0]),
        ("CAPOTC", P, SHARED, 150, NONE, NONE, false, [0, 410]),
        ("GENERALEC", P, SOLO, 162, NONE, NONE, true, [1000, 0]),
        ("GENERALEC", X, SOLO, 162, NONE, NONE, true, [2000, 0]),
        ("GENERALEC", P, PARTNER, 162, NONE, NONE, false, [0, 660]),
        ("GENERALEC", P, SLAM, 162, NONE, NONE, false, [0, 660]),
        ("GENERALEC", X, SHARED, 150, NONE, NONE, false, [0, 1320]),
        ("100C", P, LOST, 0, NONE, NONE, false, [0, 260]),
    ];
    check("coinchee", &RuleSet::COINCHEE, lines);
    let threefold =
        with(RuleSet::COINCHEE, &["scoring.surcoinche.tricks=3", "scoring.surcoinche.contract=3"]);
    let lines: &[Line] = &[
        ("100C", XX, SHARED, 122, NONE, NONE, true, [660, 120]),
        ("100C", XX, SHARED, 96, NONE, NONE, false, [0, 780]),
        ("100C", XX, SHARED, 90, [20, 0], [20, 0], true, [690, 210]),
    ];
    check("coinchee, surcoinche by 3", &threefold, lines);
    let down = with(RuleSet::COINCHEE, &["scoring.rounding=nearest-ten-down"]);
    let lines: &[Line] = &[
        ("80C", P, SHARED, 107, NONE, NONE, true, [190, 50]),
        ("80C", P, SHARED, 106, NONE, NONE, true, [190, 60]),
        ("80C", P, SHARED, 105, NONE, NONE, true, [180, 60]),
    ];
    check("5 goes down", &down, lines);
}

#[test]
fn contree() {
    let lines: &[Line] = &[
        ("100C", P, SHARED, 122, NONE, NONE, true, [222, 40]),
        ("100C", P, SHARED, 96, NONE, NONE, false, [0, 262]),
        ("100C", X, SHARED, 122, NONE, NONE, true, [362, 0]),
        ("100C", X, SLAM, 162, NONE, NONE, true, [452, 0]),
        ("100C", X, SHARED, 96, NONE, NONE, false, [0, 362]),
        ("100C", XX, SHARED, 122, NONE, NONE, true, [462, 0]),
        ("100C", XX, SLAM, 162, NONE, NONE, true, [552, 0]),
        ("100C", XX, SHARED, 96, NONE, NONE, false, [0, 462]),
        ("100C", P, SLAM, 162, NONE, NONE, true, [352, 0]),
        ("100C", P, SOLO, 162, NONE, NONE, true, [352, 0]),
        ("CAPOTC", P, SLAM, 162, NONE, NONE, true, [502, 0]),
        ("CAPOTC", P, SHARED, 150, NONE, NONE, false, [0, 412]),
        ("CAPOTC", X, SLAM, 162, NONE, NONE, true, [752, 0]),
        ("100C", P, LOST, 0, NONE, NONE, false, [0, 262]),
        // Belote: to the winner when the contract fails or was coinched.
        ("100C", P, SHARED, 80, [20, 0], NONE, true, [200, 82]),
        ("100C", P, SHARED, 122, [0, 20], NONE, true, [222, 60]),
        ("100C", P, SHARED, 79, [20, 0], NONE, false, [0, 282]),
        ("100C", P, SHARED, 79, [0, 20], NONE, false, [0, 282]),
        ("100C", X, SHARED, 122, [0, 20], NONE, true, [382, 0]),
        ("100C", X, SHARED, 122, [20, 0], NONE, true, [382, 0]),
        ("100C", X, SHARED, 79, [20, 0], NONE, false, [0, 382]),
        ("100C", XX, SHARED, 122, [0, 20], NONE, true, [482, 0]),
    ];
    check("contree", &RuleSet::CONTREE, lines);
}

#[test]
fn axes_of_section_5() {
    let one = |settings: &[&str], line: Line| {
        check(&settings.join(" "), &with(RuleSet::COINCHE, settings), &[line]);
    };
    one(&["contract.floor=82"], ("80C", P, SHARED, 81, NONE, NONE, false, [0, 242]));
    one(&["contract.floor=82"], ("80C", P, SHARED, 82, NONE, NONE, true, [162, 80]));
    one(&["contract.majority=true"], ("80C", P, SHARED, 81, NONE, NONE, false, [0, 242]));
    one(&["contract.majority=true"], ("80C", P, SHARED, 90, [0, 20], NONE, false, [0, 262]));
    one(&["contract.majority=true"], ("80C", P, SHARED, 82, NONE, NONE, true, [162, 80]));
    one(&["contract.capot=270"], ("CAPOTC", P, SLAM, 162, NONE, NONE, true, [432, 0]));
    let flat = &["scoring.flat_capot=500", "scoring.surcoinche.contract=4"];
    one(flat, ("CAPOTC", P, SLAM, 162, NONE, NONE, true, [500, 0]));
    one(flat, ("CAPOTC", X, SLAM, 162, [20, 0], NONE, true, [1020, 0]));
    one(flat, ("CAPOTC", XX, SHARED, 150, NONE, NONE, false, [0, 2000]));
    one(flat, ("100C", P, SLAM, 162, NONE, NONE, true, [262, 0]));
    one(&["scoring.unbid_slam=250"], ("100C", P, SLAM, 162, NONE, NONE, true, [350, 0]));
    one(&["belote.counts_for_contract=false"], ("100C", P, SHARED, 80, [20, 0], NONE, false, [20, 262]));
    one(&["belote.failed=defenders"], ("100C", P, SHARED, 70, [20, 0], NONE, false, [0, 282]));
    one(&["belote.scored=false"], ("100C", P, SHARED, 80, [20, 0], NONE, true, [180, 82]));
    // Only what the winner scores is multiplied: not a belote that the takers keep.
    one(&["belote.multiplied=winner"], ("100C", X, SHARED, 70, [20, 0], NONE, false, [20, 292]));
    one(&["belote.multiplied=winner"], ("100C", X, SHARED, 70, [0, 20], NONE, false, [0, 332]));
    let lost = ["belote.multiplied=winner", "belote.failed=defenders"];
    one(&lost, ("100C", X, SHARED, 70, [20, 0], NONE, false, [0, 332]));
    one(&["contract.margin=2"], ("90C", P, SHARED, 91, NONE, NONE, false, [0, 252]));
    one(&["contract.margin=2"], ("90C", P, SHARED, 92, NONE, NONE, true, [182, 70]));
    let of_tricks = &["contract.floor=82", "contract.floor_of=tricks"];
    one(of_tricks, ("80C", P, SHARED, 81, [20, 0], NONE, false, [20, 242]));
    one(of_tricks, ("80C", P, SHARED, 82, [20, 0], NONE, true, [182, 80]));
    one(&["contract.margin=2", "contract.floor=85"], ("80C", P, SHARED, 85, NONE, NONE, true, [165, 77]));
    one(&["contract.majority=true", "match.tie=made"], ("80C", P, SHARED, 81, NONE, NONE, true, [161, 81]));
    one(&["scoring.rounding=complement"], ("80C", P, SHARED, 85, NONE, NONE, true, [160, 80]));
    one(&["belote.multiplied=true"], ("100C", XX, SHARED, 80, [20, 0], NONE, true, [440, 82]));
    one(
        &["melds.enabled=true", "melds.counts_for_contract=false"],
        ("100C", P, SHARED, 90, NONE, [50, 0], false, [0, 312]),
    );
    one(&["scoring.made=tricks"], ("100C", P, SHARED, 122, NONE, NONE, true, [122, 40]));
    one(&["scoring.failed_bid=false"], ("100C", P, SHARED, 96, NONE, NONE, false, [0, 162]));
    one(&["scoring.failed=0"], ("100C", P, SHARED, 96, NONE, NONE, false, [0, 100]));
    one(
        &["scoring.failed_slam=true", "scoring.unbid_slam=252"],
        ("100C", P, LOST, 0, NONE, NONE, false, [0, 352]),
    );
}

#[test]
fn strength_and_points_of_the_cards() {
    // Strain, the suit asked for, high to low, points in that order.
    let trump = ("J9ATKQ87", [20, 14, 11, 10, 4, 3, 0, 0]);
    let side = ("ATKQJ987", [11, 10, 4, 3, 2, 0, 0, 0]);
    let no_trump = ("ATKQJ987", [19, 10, 4, 3, 2, 0, 0, 0]);
    let mut tables =
        vec![(RuleSet::BGA, Strain::AllTrump, Suit::Hearts, ("J9ATKQ87", [14, 9, 6, 5, 3, 1, 0, 0]))];
    tables.push((RuleSet::BGA_JA, Strain::AllTrump, Suit::Clubs, ("J9ATKQ87", [13, 9, 6, 5, 3, 2, 0, 0])));
    tables.push((RuleSet::BGA, Strain::NoTrump, Suit::Spades, no_trump));
    for (_, rules) in RuleSet::PRESETS {
        tables.push((rules, Strain::Hearts, Suit::Hearts, trump));
        tables.push((rules, Strain::Hearts, Suit::Spades, side));
    }
    for (rules, strain, suit, (order, points)) in tables {
        for (place, (letter, points)) in order.chars().zip(points).enumerate() {
            let rank: Rank = letter.to_string().parse().unwrap();
            let card = coinche_engine::Card::new(suit, rank);
            assert_eq!(rules.card_points(strain, card), points, "{strain}: {card}");
            assert_eq!(usize::from(strain.strength(card)), 7 - place, "{strain}: {card}");
        }
    }
    assert_eq!(BidValue::points(0), None);
}
