//! Replays deal records, one JSON object a line, and prints every disagreement with the rules.
//!
//! `cargo run -p coinche-engine --example replay_records -- records.jsonl`; without a file it replays a deal of its
//! own and then the same deal with a card exchanged.

use std::error::Error;
use std::fs;

use coinche_engine::record::{Record, Step, replay_steps};

/// A deal that was passed out; `docs/formats.md` describes the form.
const PASSED_OUT: &str = r#"{"v":1,"deal":0,"leg":0,"rules":"bga","dealer":3,"bots":["a","b","a","b"],"hands":["7C 8C 9C TD AD TS KS AS","TC JC QC 7H 8H 9H 7D 8D","KC AC 7S TH JH QH 9D JD","QD KD 8S 9S JS QS KH AH"],"turned":null,"auction":[[0,"P"],[1,"P"],[2,"P"],[3,"P"]],"contract":null,"melds":[],"belote":null,"tricks":[],"tricks_won":[0,0],"card_points":[0,0],"made":null,"score":[0,0],"faults":[]}"#;

fn main() -> Result<(), Box<dyn Error>> {
    let text = match std::env::args().nth(1) {
        Some(path) => fs::read_to_string(path)?,
        None => format!("{PASSED_OUT}\n{}", PASSED_OUT.replace("[3,\"P\"]", "[3,\"72S\"]")),
    };
    for line in text.lines() {
        // Cards, calls and seats are read as such: a text that is none is an error that says what was expected.
        let record = Record::from_json(line)?;
        // Every state on the way can be looked at, with what was done in it; `replay` only judges.
        let (mut calls, mut cards) = (0, 0);
        let disagreements = replay_steps(&record, |_state, step| match step {
            Step::Call(_) => calls += 1,
            Step::Play(_) => cards += 1,
        });
        println!("deal {} leg {}: {calls} calls, {cards} cards", record.deal, record.leg);
        for disagreement in disagreements {
            println!("  {disagreement}");
        }
    }
    Ok(())
}
