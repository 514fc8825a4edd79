use std::sync::atomic::{AtomicBool, Ordering};

use coinche_bots::Registry;
use coinche_bots::system::{SHIPPED, System, text_of};
use coinche_engine::{RuleSet, Seed};

use super::sum::{Climb, Sum};
use super::*;
use crate::system::meeting::Meeting;

fn meeting(rules: RuleSet, deals: u64) -> Meeting {
    let bidder = |name| Registry::builtin().parse_bidder(name).unwrap();
    let company = ["rules", "net", "system:name=jack-or-nine", "table"].map(bidder).to_vec();
    Meeting { rules, seed: Seed::from(5), company, deals }
}

fn shipped(name: &str) -> System {
    System::read(&text_of(name).unwrap(), &[]).unwrap()
}

/// What a candidate gains, where only other calls are bid again and plays are kept, is the difference of two scores, where
/// everything is bid and played afresh.
#[test]
fn gains_are_differences_of_scores() {
    for rules in [RuleSet::BGA, RuleSet::CONTREE, RuleSet::COINCHEE, RuleSet::COINCHE_MELDS] {
        let meeting = meeting(rules, 60);
        let mut used = meeting.ground(7, 60);
        for name in ["sound-beginner", "jack-or-nine", "aces-and-tens", "drawn-5"] {
            let before = used.set(&shipped("sound-beginner"));
            let candidate = shipped(name);
            let gain = used.compare(&candidate);
            let fresh = meeting.ground(7, 60).set(&candidate);
            assert_eq!(before.total() + gain.total(), fresh.total(), "{name}");
            let changes = used.changes(&candidate);
            let sum: i64 = changes.iter().map(|change| i64::from(change.gain)).sum();
            assert_eq!(i128::from(sum), gain.total(), "{name}");
            assert_eq!(changes.is_empty(), name == "sound-beginner");
            assert_eq!(used.set(&candidate), fresh, "{name}");
        }
        // Those that share rules with the current system, of which only the others are asked: changed, left out, in another order.
        let draft = read(&text_of("sound-beginner").unwrap()).unwrap();
        let before = used.set(&draft.system().unwrap());
        let mut rotated = draft.clone();
        rotated.rules.rotate_left(2);
        let moves = draft.restructured().into_iter().step_by(6).chain(draft.tuned().into_iter().step_by(40));
        for candidate in moves.map(|it| it.draft).chain([rotated]).filter_map(|it| it.system().ok()) {
            let (gain, fresh) = (used.compare(&candidate), meeting.ground(7, 60).set(&candidate));
            assert_eq!(before.total() + gain.total(), fresh.total());
        }
    }
}

/// A teacher is asked at the turns of the auctions that it or the system bids, and what it thinks best is what it calls.
#[test]
fn a_teacher_is_asked_at_each_turn() {
    let meeting = meeting(RuleSet::CONTREE, 40);
    let mut ground = meeting.ground(0, 40);
    let system = shipped("sound-beginner");
    ground.set(&system);
    let net = Registry::builtin().parse_bidder("net").unwrap();
    let mut ask = |alone| {
        ground.asked(&system, &net, alone, |own, thought| {
            let best = thought.iter().max_by(|a, b| a.mean.total_cmp(&b.mean)).unwrap();
            (own.call, best.mean, thought.iter().find(|it| it.choice == own.call.into()).map(|it| it.mean))
        })
    };
    let [of_net, of_system] = [true, false].map(&mut ask);
    assert!(of_net.len() > 100 && of_system.len() > 100 && of_net.len() != of_system.len());
    // The calls of the system are no better than the best, and often worse.
    let lost = |(_, best, mean): &(_, f64, Option<f64>)| mean.map_or(0.0, |mean| best - mean);
    assert!(of_system.iter().all(|turn| lost(turn) >= 0.0));
    assert!(of_system.iter().filter(|turn| lost(turn) > 1.0).count() > 20);
    // `rules` reports nothing.
    let rules = Registry::builtin().parse_bidder("rules").unwrap();
    assert!(ground.asked(&system, &rules, true, |_, _| ()).is_empty());
    // What was asked does not change the current system.
    assert_eq!(ground.compare(&system).differing, 0);
}

#[test]
fn a_draft_is_its_system_and_its_moves_are_systems() {
    let rules = RuleSet::BGA;
    for shipped in SHIPPED {
        let (draft, system) = (read(shipped.text).unwrap(), shipped.read());
        assert_eq!(Draft::read(&draft.text()).unwrap(), draft, "{}", shipped.name);
        let mut ground = meeting(rules, 40).ground(0, 40);
        let score = ground.set(&system);
        assert_eq!(ground.compare(&draft.system().unwrap()).differing, 0, "{}", shipped.name);
        assert!(score.pairs == 40);
        let (mut read, mut all) = (0, 0);
        for mut candidate in draft.tuned().into_iter().chain(draft.restructured()).chain(draft.stepped()) {
            assert_ne!(candidate.draft, draft, "{}", candidate.what);
            all += 1;
            read += usize::from(candidate.draft.system().is_ok());
            candidate.draft.tidy();
        }
        assert!(all > 20 && read * 10 > all * 9, "{}: {read} of {all}", shipped.name);
        let mut tidy = draft.clone();
        tidy.tidy();
        assert_eq!(ground.compare(&tidy.system().unwrap()).differing, 0, "{}", shipped.name);
    }
}

#[test]
fn moves_name_each_part_once() {
    let text = "name = \"x\"\nfloor = \"pass\"\nbest = \"hand\"\n[numbers]\nopen = 14\n[define]\n\
        hand = \"trump(J=6, 9=4) + 3 * aces + voids\"\n[[rule]]\nname = \"open\"\n\
        when = \"opening and hand >= open and trumps >= 3\"\ncall = \"80 + 10 * ((hand - open) / 3)\"\n\
        [[rule]]\nname = \"help\"\nin = \"partner\"\nwhen = \"partners_bid and my_bids = 0 and (J or nine)\"\ncall = \"next + 10\"\n";
    let draft = read(text).unwrap();
    let tuned: Vec<String> = draft.tuned().into_iter().map(|it| it.what).collect();
    for part in
        ["open: 13 for 14", "hand = trump(J=7, 9=4) + 3 * aces + voids", "hand = trump(J=6, 9=4) + 3 * aces"]
    {
        assert!(tuned.iter().any(|what| what == part), "{part}: {tuned:#?}");
    }
    assert!(tuned.iter().any(|what| what == "help: call next"), "{tuned:#?}");
    // Numbers of bids tell moments apart.
    assert!(tuned.iter().all(|what| !what.contains("my_bids = 1")), "{tuned:#?}");
    let parts: Vec<String> = draft.restructured().into_iter().map(|it| it.what).collect();
    assert!(parts.iter().any(|what| what == "help: without J or nine"), "{parts:#?}");
    assert!(parts.iter().all(|what| !what.ends_with("without partners_bid")), "{parts:#?}");
}

/// Only bids over the opponents are bounded, once, and the bound holds for all of the condition.
#[test]
fn a_cap_is_on_bids_over_the_opponents() {
    let rule = |when: &str, call: &str| format!("[[rule]]\nwhen = \"{when}\"\ncall = \"{call}\"\n");
    let rules = [
        rule("their_bid and (J or nine)", "next"),
        rule("their_bid and level <= 100 and J", "next + 10"),
        rule("partners_bid and J", "next"),
        rule("their_bid and J", "coinche"),
    ];
    let draft = read(&format!("name = \"x\"\n{}", rules.concat())).unwrap();
    let capped = &draft.capped()[1].draft;
    let when: Vec<_> = capped.rules.iter().map(|rule| rule.when.clone().unwrap()).collect();
    assert_eq!(when[0], "their_bid and (J or nine) and level <= 140");
    assert!(capped.rules[1..] == draft.rules[1..], "{when:?}");
    assert!(capped.system().is_ok());
}

#[test]
fn sums_are_written_as_people_write_them() {
    for (text, as_written) in [
        ("hand >= --1", "hand >= 1"),
        ("hand + 0 * A - 2 * aces >= 3", "hand - 2 * aces >= 3"),
        ("hand - 0 * A >= 0", "hand >= 0"),
        ("0 * A + hand >= 3", "hand >= 3"),
        ("hand + -2 * A - -1 * aces + -3 >= -4", "hand - 2 * A + aces - 3 >= -4"),
        ("0 * A - hand + 1 * K >= -4", "-hand + K >= -4"),
        ("max(hand + 0, -2) - (J + 0 * nine) >= 2", "max(hand, -2) - J >= 2"),
        ("not (hand + 0 * A >= 3) and aces * 0 = 0", "not hand >= 3 and aces * 0 = 0"),
    ] {
        let node = coinche_bots::system::expression(text).unwrap();
        assert_eq!(super::draft::plain(node).to_string(), as_written, "{text}");
    }
}

/// A sum that decides is found, whatever it is begun from: no other sum of its words gains more.
#[test]
fn the_sum_that_decides_is_found() {
    // The second word says nothing; the third one takes away what the first gives.
    let columns: Vec<Vec<i16>> = [5, 7, 4]
        .into_iter()
        .enumerate()
        .map(|(n, most)| (0..4000).map(|row| row / [1, 1, 5][n] % most).collect())
        .collect();
    let gain = |row: usize| {
        40 * i32::from(columns[0][row]) - 80 * i32::from(columns[2][row]) + [60, -40, -20][row % 3]
    };
    let gains: Vec<i32> = (0..4000).map(gain).collect();
    let climb = Climb { columns: columns.clone(), gains: gains.clone(), price: 100.0 };
    let gained = |sum: &Sum| -> i32 {
        (0..4000).filter(|row| sum.holds(|word| columns[word][*row])).map(|row| gains[row]).sum()
    };
    let best = (-3..=3)
        .flat_map(|a| {
            (-3..=3).flat_map(move |b| (-20..20).map(move |least| Sum { terms: vec![(0, a), (2, b)], least }))
        })
        .map(|sum| gained(&sum))
        .max();
    for begun in [vec![], vec![(1, 3)], vec![(0, -2), (1, 1)]] {
        let (sum, _) = climb.from(&Sum { terms: begun, least: 0 });
        assert!(sum.terms.iter().all(|(word, _)| *word != 1), "{sum:?}");
        assert_eq!(Some(gained(&sum)), best, "{sum:?}");
    }
    let sum = Sum { terms: vec![(2, -2), (0, 1)], least: 1 };
    assert_eq!(sum.text(&["aces".into(), "x".into(), "level / 10".into()]), "aces - 2 * level / 10 >= 1");
    // Where nothing gains there is no sum.
    let losses = vec![-1; 4000];
    let climb = Climb { columns: columns.clone(), gains: losses, price: 0.0 };
    let (none, _) = climb.from(&Sum { terms: vec![(0, 1)], least: 0 });
    assert!((0..4000).all(|row| !none.holds(|word| columns[word][row])), "{none:?}");
}

/// Bounds on a word gain what is counted turn by turn, and are those of each value but the last or the first.
#[test]
fn bounds_are_counted_at_once() {
    let value = |row: i32, most| i16::try_from(row * row % 97 % most - 1).unwrap();
    let columns: Vec<Vec<i16>> =
        [3, 5, 11].map(|most| (0..300).map(|row| value(row, most)).collect()).to_vec();
    let gains: Vec<i32> = (0..300).map(|row| row * 31 % 101 - 60).collect();
    let climb = Climb { columns: columns.clone(), gains: gains.clone(), price: 0.0 };
    for (terms, word) in [(vec![(0, 2), (1, -1)], 2), (vec![(2, 3)], 1), (vec![], 0)] {
        let sum = Sum { terms, least: 0 };
        let value = |row: usize| {
            let of = |(word, weight): &(usize, i32)| weight * i32::from(columns[*word][row]);
            sum.terms.iter().map(of).sum::<i32>()
        };
        let best = |holds: &dyn Fn(i16) -> bool| {
            let turns = || (0..300).filter(|row| holds(columns[word][*row]));
            let above = |least: i32| turns().filter(|row| value(*row) >= least).map(|row| gains[row]).sum();
            turns().map(|row| above(value(row))).max().unwrap_or(0)
        };
        let bounds = climb.bounds(&sum, word);
        assert_eq!(bounds.len(), [4, 8, 20][word]);
        for (least, bound, gain) in bounds {
            let gained: i32 = best(&|value| if least { value >= bound } else { value <= bound });
            assert_eq!(i64::from(gained), gain, "{sum:?} {word} {least} {bound}");
        }
    }
}

#[test]
fn a_round_improves_a_bad_system_and_can_be_interrupted() {
    let settings = Settings {
        meeting: meeting(RuleSet::CONTREE, 600),
        teacher: Registry::builtin().parse_bidder("net").unwrap(),
        most: 20,
        price: 0.01,
        held: 800,
    };
    let stop = AtomicBool::new(false);
    let begun = Learned::new(&settings, START).unwrap();
    let learned = round(&settings, &begun, &stop).unwrap().unwrap();
    let [before, after] = [&learned.stages[0], &learned.stages[1]];
    assert!(after.score.mean > before.score.mean + 10.0, "{before:?} {after:?}");
    assert!(after.rules <= 20 && !learned.kept.is_empty());
    assert!(read(&learned.text).unwrap().system().unwrap().check(&RuleSet::CONTREE).is_ok());
    stop.store(true, Ordering::Relaxed);
    assert_eq!(round(&settings, &learned, &stop), Ok(None));
    let bare = read("name = \"x\"\nfloor = \"pass\"\n[[rule]]\nwhen = \"opening\"\ncall = 90\n").unwrap();
    assert!(Learned::new(&settings, &bare.text()).is_ok());
    let take = "name = \"x\"\n[[rule]]\ncall = \"take\"\n";
    assert!(Learned::new(&settings, take).is_err());
}
