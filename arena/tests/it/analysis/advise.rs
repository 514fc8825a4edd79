//! `arena advise`: what it prints, and what it refuses.

use std::fs;
use std::path::Path;

use crate::common::{arena, fails, printed_json, snapshot, stdout};

const HAND: &str = "JS 9S AS TS AD KD 7C 8C";

/// Runs `arena advise` with these words.
fn ask(directory: &Path, words: &[&str]) -> assert_cmd::assert::Assert {
    arena(directory).arg("advise").args(words).assert()
}

#[test]
fn answers_are_as_reviewed() {
    let dir = tempfile::tempdir().unwrap();
    let lead = "JS 7S 8S QS / AS 7D 8D KS /";
    let lead_in_french = "VP 7P 8P DP / as de pique, 7K 8K RP /";
    for (name, words) in [
        ("advise-call.txt", &["--auction", "P 82H P"] as &[&str]),
        ("advise-doubled.txt", &["--auction", "100H X", "--score", "300,-40"]),
        ("advise-rules.txt", &["--auction", "82S P P 100H P P", "--by", "rules"]),
        ("advise-take.txt", &["--rules", "belote", "--turned", "9H", "--hand", "JH AH TS AD 7C"]),
        ("advise-card.txt", &["--auction", "100S P P P", "--tricks", lead]),
        ("advise-card.txt", &["--auction", "100 pique passe passe passe", "--tricks", lead_in_french]),
        ("advise-partner.txt", &["--auction", "P 80H P", "--partner", "table", "--rules", "coinchee"]),
        ("advise-net.txt", &["--auction", "P 82H P", "--partner", "net", "--others", "net"]),
        ("advise-by-net.txt", &["--auction", "100H P", "--by", "net"]),
        ("advise-system.txt", &["--auction", "100H P", "--partner", "system:name=sound-beginner"]),
    ] {
        let mut all = vec!["--worlds", "60", "--threads", "2", "--seed", "1"];
        if !words.contains(&"--hand") {
            all.push(HAND);
        }
        all.extend_from_slice(words);
        let text = stdout(&ask(dir.path(), &all).success());
        let tables = text.lines().filter(|line| !line.ends_with(['.', ':']));
        assert!(
            tables.clone().count() > 8 && tables.clone().all(|line| line.chars().count() <= 120),
            "{text}"
        );
        snapshot(name, &text);
    }
}

#[test]
fn an_answer_is_there_for_programs_too() {
    let dir = tempfile::tempdir().unwrap();
    let words = ["--hand", HAND, "--auction", "90H", "--worlds", "5", "--threads", "1"];
    let words = [&words[..], &["--json", "--csv", "csv", "--parquet", "pq"]].concat();
    let json = printed_json(&ask(dir.path(), &words).success());
    let options = json["options"].as_array().unwrap();
    assert_eq!(json["partner_rules"], serde_json::json!([]));
    let advised: Vec<_> = options.iter().filter(|option| option["advised"] == true).collect();
    assert!(advised.len() == 1 && advised[0]["choice"] == json["advice"]);
    assert!(
        options.iter().all(|option| option["worlds"] == 5 && option["chance"].as_f64().unwrap_or(0.5) <= 1.0)
    );
    let hands = json["others"].as_array().unwrap();
    let sevens: f64 = hands.iter().map(|hand| hand["cards"]["7S"].as_f64().unwrap()).sum();
    assert!((sevens - 1.0).abs() < 1e-9 && hands[0]["seat"] == 3 && hands[0]["who"] == "partner");
    // The tables have the same figures.
    let csv = fs::read_to_string(dir.path().join("csv/advice.csv")).unwrap();
    assert_eq!(csv.lines().count(), options.len() + 1);
    let first: Vec<_> = csv.lines().nth(1).unwrap().split(',').collect();
    assert_eq!(first[0], options[0]["choice"].as_str().unwrap());
    let [in_csv, in_json] = [first[4].parse::<f64>().unwrap(), options[0]["score"][0].as_f64().unwrap()];
    assert!((in_csv - in_json).abs() < 1e-9);
    assert!(dir.path().join("csv/cards.csv").is_file() && dir.path().join("pq/others.parquet").is_file());
    // By time there is an answer as well, with worlds in it.
    let by_time = printed_json(&ask(dir.path(), &["--hand", HAND, "--time", "30ms", "--json"]).success());
    assert!(by_time["options"][0]["worlds"].as_u64().unwrap() > 0);
}

#[test]
fn bots_are_asked_and_cheaters_are_not() {
    let dir = tempfile::tempdir().unwrap();
    let by = |bot: &str, more: &[&str]| ask(dir.path(), &[&["--hand", HAND, "--by", bot], more].concat());
    let play = ["--auction", "100S P P P", "--tricks", ""];
    for (bot, more) in [
        ("table", &[] as &[&str]),
        ("dd:worlds=2", &[]),
        ("mc:worlds=2", &play),
        ("ismcts:iterations=20", &play),
        ("rules", &[&play[..], &["--worlds", "2"]].concat()),
    ] {
        let text = stdout(&by(bot, more).success());
        assert!(text.contains(if more.is_empty() { "call  " } else { "card  " }), "{text}");
    }
    for (bot, more, parts) in [
        ("open", &play as &[&str], &["--by open", "sees all hands", "arena bots"] as &[&str]),
        ("rules+open", &[], &["sees all hands"]),
        ("cmd:./bot", &[], &["a program", "arena bots"]),
        ("pimc", &[], &["does not bid"]),
        ("dd", &play, &["does not play cards"]),
        ("wizard", &[], &["`wizard`", "random, rules"]),
        ("dd", &["--worlds", "3"], &["--by dd has its own budget"]),
        ("rules", &["--partner", "dd"], &["--partner dd", "it searches", "as rules"]),
        ("rules", &["--others", "table+pimc"], &["--others table+pimc", "as table+rules"]),
        ("rules", &["--others", "cmd:./bot"], &["--others cmd:./bot", "a program"]),
    ] {
        fails(by(bot, more), 2, parts);
    }
}

#[test]
fn mistakes_are_named() {
    let dir = tempfile::tempdir().unwrap();
    for (words, parts) in [
        (&["--hand", "JS 9S"] as &[&str], &["the hand has 2 cards, expected 8"] as &[&str]),
        (&["--auction", "P"], &["<HAND"]),
        (&["JS 9S AS", "--hand", HAND], &["--hand", "cannot be used with"]),
        (&["--hand", HAND, "--auction", "P 80H"], &["--auction, call 2", "seat 1", "legal: P, bids from 82"]),
        (&["--hand", HAND, "--auction", "90S P P P"], &["the auction is over", "--tricks ''"]),
        (&["--hand", HAND, "--rules", "poker"], &["`poker`", "coinchee"]),
        (&["--hand", HAND, "--dealer", "4"], &["--dealer", "expected 0, 1, 2 or 3"]),
        (&["--hand", HAND, "--time", "fast"], &["--time fast", "800ms"]),
        (&["--hand", HAND, "--worlds", "0"], &["--worlds 0", "1 to 1000000"]),
        (&["--hand", HAND, "--worlds", "3", "--time", "1s"], &["--worlds", "--time"]),
        (&["--hand", HAND, "--score", "12"], &["--score 12", "US,THEM"]),
        (&["--hand", HAND, "--threads", "0"], &["threads", "1 to 1024"]),
    ] {
        fails(ask(dir.path(), words), 2, parts);
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}
