#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::*;
use crate::referee::referee;

fn data() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            (entry.file_name().into_string().unwrap(), std::fs::read_to_string(entry.path()).unwrap())
        })
        .collect()
}

#[test]
fn checked_in_data_is_what_the_generator_makes() {
    let made: BTreeMap<String, String> = suite().into_iter().map(|file| (file.name, file.text)).collect();
    let found = data();
    assert_eq!(made.keys().collect::<Vec<_>>(), found.keys().collect::<Vec<_>>());
    for (name, text) in &made {
        assert!(&found[name] == text, "{name} differs: run conformance-generate");
    }
}

#[test]
fn the_suite_is_smaller_than_6_megabytes() {
    let size: usize = suite().iter().map(|file| file.text.len()).sum();
    assert!(size < 6_000_000, "{size} bytes");
}

#[test]
fn the_referee_agrees_with_random_deals() {
    for name in PRESETS {
        let rules = NamedRules::preset(name).unwrap();
        for number in 0..200 {
            let record =
                deals::random_record(&rules, &mut Rng::new(number), usize::try_from(number).unwrap());
            let value: Value = serde_json::from_str(&line(&record)).unwrap();
            assert_eq!(referee(&value), Vec::<String>::new(), "{value}");
        }
    }
    for rules in variants("deals") {
        for number in 0..200 {
            let record =
                deals::random_record(&rules, &mut Rng::new(number), usize::try_from(number).unwrap());
            let value: Value = serde_json::from_str(&line(&record)).unwrap();
            assert_eq!(referee(&value), Vec::<String>::new(), "{value}");
        }
    }
}

/// Counts lines of a topic for which something holds.
fn count(topic: &str, holds: impl Fn(&Value) -> bool) -> usize {
    suite()
        .iter()
        .filter(|file| file.name.starts_with(topic))
        .flat_map(|file| file.text.lines())
        .filter(|text| holds(&serde_json::from_str(text).unwrap()))
        .count()
}

#[test]
fn rare_cases_are_there() {
    let scores = [
        count("scores", |l| l["held"] != 0),
        count("scores", |l| {
            l["made"] == true && l["contract"]["bid"].as_str().unwrap().starts_with("GENERALE")
        }),
        count("scores", |l| {
            l["made"] == false && l["contract"]["bid"].as_str().unwrap().starts_with("GENERALE")
        }),
        count("scores", |l| l["made"] == true && l["contract"]["stake"] == "surcoinche"),
    ];
    assert!(scores.iter().all(|&n| n > 5), "{scores:?}");
    let seven = |l: &Value| l["tricks"].as_array().unwrap().iter().any(|n| n == 7);
    let floored = |l: &Value| l["rules"]["contract"]["floor"].as_i64().is_some_and(|floor| floor > 80);
    let own = |l: &Value, points: [i64; 2]| {
        let declarers = l["contract"]["declarer"].as_u64().unwrap() % 2;
        l["card_points"][usize::try_from(declarers).unwrap()].as_i64() == Some(points[0])
            && l["belote"][usize::try_from(declarers).unwrap()].as_i64() == Some(points[1])
    };
    let rare = [
        count("scores", |l| {
            l["contract"]["bid"].as_str().unwrap().starts_with("CAPOT")
                && own(l, [162, 0])
                && l["made"] == false
        }),
        count("scores", |l| seven(l) && l["contract"]["bid"].as_str().unwrap().starts_with("GENERALE")),
        count("scores", |l| {
            l["held"] != 0 && own(l, [71, 20]) && l["rules"]["belote"]["failed"] == "defenders"
        }),
        count("scores", |l| {
            floored(l) && l["contract"]["bid"].as_str().unwrap().starts_with("80") && l["made"] == false
        }),
        count("decks", |l| l["tricks"].as_array().is_some_and(Vec::is_empty)),
        count("decks", |l| l["tricks"].as_array().is_some_and(|tricks| tricks.len() == 8)),
    ];
    assert!(rare.iter().all(|&n| n > 0), "{rare:?}");
    // What is peculiar to the game of Bulgaria.
    let of_belot = |l: &Value| l["rules"] == "belot";
    let ends_in = |l: &Value, digit: i64| {
        let digit_of = |team: usize| l["card_points"][team].as_i64().unwrap() % 10;
        digit_of(0) == digit && digit_of(1) == digit
    };
    let bid = |l: &Value| l["contract"]["bid"].as_str().unwrap().to_owned();
    let belot = [
        count("scores", |l| of_belot(l) && l["held"] != 0),
        count("scores", |l| of_belot(l) && l["contract"]["stake"] != "plain" && l["held"] == 0),
        count("scores", |l| {
            of_belot(l)
                && if bid(l) == "TAKETA" { ends_in(l, 4) } else { bid(l) != "TAKESA" && ends_in(l, 6) }
        }),
    ];
    assert!(belot.iter().all(|&n| n >= 50), "{belot:?}");
    let deals = [
        count("deals", |l| l["contract"].is_null()),
        count("deals", |l| l["tricks_won"] == serde_json::json!([8, 0])),
        count("deals", |l| l["contract"]["stake"] == "surcoinche"),
        count("deals", |l| l.get("belotes").is_some()),
    ];
    assert!(deals.iter().all(|&n| n > 1), "{deals:?}");
    let melds = [
        count("melds", |l| l["choices"].as_array().unwrap().iter().any(|c| c.as_array().unwrap().len() > 1)),
        count("melds", |l| {
            !l["announced"].as_array().unwrap().is_empty() && l["points"] == serde_json::json!([0, 0])
        }),
    ];
    assert!(melds.iter().all(|&n| n > 5), "{melds:?}");
}
