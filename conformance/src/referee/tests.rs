#![allow(clippy::unwrap_used, reason = "a test may panic")]

use serde_json::{Value, json};

use super::referee;
use crate::generate::suite;

/// The records of one file of the suite.
fn records(name: &str) -> Vec<Value> {
    let file = suite().into_iter().find(|file| file.name == name).unwrap();
    file.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn played(name: &str) -> Value {
    records(name).into_iter().find(|record| !record["contract"].is_null()).unwrap()
}

fn faults_with(record: &Value, pointer: &str, value: Value) -> String {
    let mut changed = record.clone();
    *changed.pointer_mut(pointer).unwrap() = value;
    referee(&changed).join("; ")
}

#[test]
fn records_of_the_suite_have_no_faults() {
    for file in suite().iter().filter(|file| file.name.starts_with("deals")) {
        for line in file.text.lines() {
            assert_eq!(referee(&serde_json::from_str(line).unwrap()), Vec::<String>::new(), "{line}");
        }
    }
}

#[test]
fn changed_results_are_found() {
    let record = played("deals-bga.jsonl");
    assert!(faults_with(&record, "/score", json!([1, 1])).starts_with("score: "));
    assert!(faults_with(&record, "/card_points", json!([1, 161])).starts_with("card_points: "));
    assert!(faults_with(&record, "/tricks_won", json!([9, 0])).starts_with("tricks_won: "));
    let made = record["made"].as_bool().unwrap();
    assert!(faults_with(&record, "/made", json!(!made)).starts_with("made: "));
    let winner = record["tricks"][2]["winner"].as_u64().unwrap();
    let fault = faults_with(&record, "/tricks/2/winner", json!((winner + 1) % 4));
    assert!(fault.starts_with("trick 3: won by seat"), "{fault}");
    let fault = faults_with(&record, "/tricks/2/leader", json!((winner + 5) % 4));
    assert!(fault.starts_with("trick 3: "), "{fault}");
}

#[test]
fn changed_contracts_are_found() {
    let record = played("deals-coinche.jsonl");
    assert!(faults_with(&record, "/contract/bid", json!("80TA")).starts_with("contract.bid: "));
    let declarer = record["contract"]["declarer"].as_u64().unwrap();
    let fault = faults_with(&record, "/contract/declarer", json!((declarer + 1) % 4));
    assert!(fault.starts_with("contract.declarer: "), "{fault}");
    assert!(faults_with(&record, "/contract", Value::Null).starts_with("contract: "));
    assert!(faults_with(&record, "/auction", json!([])).starts_with("auction: "));
    assert!(faults_with(&record, "/rules", json!("whist")).starts_with("record: "));
    assert!(faults_with(&record, "/dealer", json!(4)).starts_with("record: "));
}

#[test]
fn changed_hands_are_found() {
    let record = played("deals-contree.jsonl");
    let first = record["hands"][0].clone();
    assert!(faults_with(&record, "/hands/1", first).starts_with("hands: two seats"));
    assert!(faults_with(&record, "/hands/1", json!("7C")).starts_with("hands: "));
    assert!(faults_with(&record, "/turned", json!("7C")).starts_with("turned: "));
}

#[test]
fn changed_melds_and_belotes_are_found() {
    let record = records("deals-coinchee.jsonl")
        .into_iter()
        .find(|record| !record["melds"].as_array().unwrap().is_empty() && !record["belote"].is_null())
        .unwrap();
    let counts = record["melds"][0]["counts"].as_bool().unwrap();
    assert!(faults_with(&record, "/melds/0/counts", json!(!counts)).starts_with("melds: "));
    assert!(faults_with(&record, "/melds/0/cards", json!("7C 8C 9H")).starts_with("melds: seat"));
    assert!(faults_with(&record, "/melds", json!([])).starts_with("melds: seat"));
    assert!(faults_with(&record, "/belote", Value::Null).starts_with("belote: "));
    let seat = record["belote"]["seat"].as_u64().unwrap();
    assert!(faults_with(&record, "/belote/seat", json!((seat + 1) % 4)).starts_with("belote: "));

    let automatic =
        records("deals-bga.jsonl").into_iter().find(|record| !record["belote"].is_null()).unwrap();
    assert!(faults_with(&automatic, "/belote/announced", json!(false)).contains("must announce"));
}

/// The record with two cards that one seat played in following tricks exchanged.
fn exchanged(record: &Value, trick: usize, place: u64, other: u64) -> Option<Value> {
    let seat = |trick: usize, place: u64| (record["tricks"][trick]["leader"].as_u64().unwrap() + place) % 4;
    if seat(trick, place) != seat(trick + 1, other) {
        return None;
    }
    let first = format!("/tricks/{trick}/cards/{place}");
    let second = format!("/tricks/{}/cards/{other}", trick + 1);
    let mut changed = record.clone();
    *changed.pointer_mut(&first)? = record.pointer(&second)?.clone();
    *changed.pointer_mut(&second)? = record.pointer(&first)?.clone();
    Some(changed)
}

#[test]
fn illegal_cards_are_found() {
    let mut found = 0;
    for record in records("deals-bga.jsonl").iter().filter(|record| !record["contract"].is_null()) {
        for trick in 0..7 {
            for (place, other) in (0..16).map(|n| (n / 4, n % 4)) {
                if let Some(changed) = exchanged(record, trick, place, other) {
                    // Some exchanges are legal.
                    found += usize::from(referee(&changed).join(" ").contains("may play"));
                }
            }
        }
    }
    assert!(found > 50, "{found}");
}

#[test]
fn hands_and_cards_are_read_in_every_form() {
    let record = played("deals-bga.jsonl");
    let lower: Value = serde_json::from_str(&record.to_string().replace('T', "10")).unwrap();
    let mut changed = record.clone();
    changed["hands"] = lower["hands"].clone();
    changed["tricks"] = lower["tricks"].clone();
    assert_eq!(referee(&changed), Vec::<String>::new());
}
