//! Writes the conformance suite: random, seeded, and the same on every machine.

mod auctions;
mod deals;
mod decks;
mod matches;
mod melds;
mod plays;
mod rng;
mod scores;
mod variants;

use serde::Serialize;

use crate::auction::Contract;
use crate::record::RecordContract;
use crate::rules::{NamedRules, PRESETS};
use rng::Rng;
use variants::variants;

/// A file of the suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteFile {
    /// Its name, inside `conformance/data`.
    pub name: String,
    /// Its text: one JSON object a line.
    pub text: String,
}

/// Lines of one file.
type Lines = Vec<String>;

/// What one topic writes for one rule set, with the generator and the size asked for.
type Topic = fn(&NamedRules, &mut Rng, usize, &mut Lines);

/// Name, writer, size for a preset, size for a rule set with changed fields.
const TOPICS: [(&str, Topic, usize, usize); 7] = [
    ("plays", plays::write, 4, 1),
    ("auctions", auctions::write, 40, 3),
    ("melds", melds::write, 84, 4),
    ("scores", scores::write, 11, 1),
    ("matches", matches::write, 30, 4),
    ("deals", deals::write, 24, 5),
    ("decks", decks::write, 6, 3),
];

/// Makes the whole suite.
///
/// # Panics
/// When the rule book contradicts itself, which would be a bug.
pub fn suite() -> Vec<SuiteFile> {
    let mut files = Vec::new();
    for (number, (topic, write, size, small)) in (0..).zip(TOPICS) {
        for (index, preset) in (0..).zip(PRESETS) {
            let rules = NamedRules::preset(preset).expect("presets can be read");
            let mut lines = Lines::new();
            write(&rules, &mut Rng::new(100 * number + index), size, &mut lines);
            push_file(&mut files, format!("{topic}-{preset}.jsonl"), &lines);
        }
        let mut lines = Lines::new();
        for (index, rules) in (50..).zip(variants(topic)) {
            write(&rules, &mut Rng::new(100 * number + index), small, &mut lines);
        }
        push_file(&mut files, format!("{topic}-overrides.jsonl"), &lines);
    }
    files
}

fn push_file(files: &mut Vec<SuiteFile>, name: String, lines: &[String]) {
    if !lines.is_empty() {
        files.push(SuiteFile { name, text: lines.join("\n") + "\n" });
    }
}

fn line<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("lines have string keys")
}

fn contract_record(contract: &Contract) -> RecordContract {
    RecordContract { bid: contract.bid.to_string(), declarer: contract.declarer, stake: contract.stake }
}

#[cfg(test)]
mod tests;
