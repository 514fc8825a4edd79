//! The bodies of the fuzz targets on random bytes, on any toolchain: texts are made of the words of the
//! notation, or of right texts with bytes changed.

#[path = "../../fuzz/src/lib.rs"]
#[expect(unreachable_pub, reason = "the fuzz targets are other crates")]
mod bodies;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;

use crate::common::rng::Rng;
use coinche_engine::RuleSet;
use coinche_engine::rules::FIELDS;

fn bytes(rng: &mut Rng, len: usize) -> Vec<u8> {
    (0..len).map(|_| rng.next().to_le_bytes()[7]).collect()
}

/// Words in a row, sometimes with spaces between.
fn words(rng: &mut Rng, words: &[&str]) -> String {
    let mut text = String::new();
    for _ in 0..rng.below(12) {
        text.push_str(rng.pick(words));
        if rng.chance(50) {
            text.push(' ');
        }
    }
    text
}

/// A text with some bytes changed, put in, left out or doubled.
fn damaged(rng: &mut Rng, text: &str) -> Vec<u8> {
    let mut text = text.as_bytes().to_vec();
    for _ in 0..=rng.below(3) {
        let at = rng.below(text.len());
        match rng.below(4) {
            0 => text[at] = rng.next().to_le_bytes()[7],
            1 => drop(text.remove(at)),
            2 => text.insert(at, rng.pick(b"0123456789-+.eETJQKACDHSPWX\"',:=[]{} \n\t#")),
            _ => {
                let to = (at + rng.below(40)).min(text.len());
                let part = text[at..to].to_vec();
                text.splice(at..at, part);
            }
        }
    }
    text
}

/// Numbers from another seed each time, or the one that `COINCHE_SEED` says; what fails says which it had.
fn fresh() -> Rng {
    let given = std::env::var("COINCHE_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = given.unwrap_or_else(|| RandomState::new().build_hasher().finish() >> 32);
    println!("COINCHE_SEED={seed} repeats this test");
    Rng::new(seed)
}

/// How often a body runs: as often as `COINCHE_EXECUTIONS` says.
fn times(quick: usize) -> usize {
    std::env::var("COINCHE_EXECUTIONS").ok().and_then(|times| times.parse().ok()).unwrap_or(quick)
}

#[test]
fn notation() {
    let mut rng = fresh();
    let list = [
        "7", "8", "9", "10", "T", "J", "Q", "K", "A", "C", "D", "H", "S", "♠", "♥", "SA", "TA", "P", "W",
        "X", "XX", "TAKE", "CAPOT", "GENERALE", "82", "990", "991", "-", ":", "|", "é", "\u{a0}", "0", "١",
    ];
    for _ in 0..times(100_000) {
        bodies::notation(words(&mut rng, &list).as_bytes());
    }
    for _ in 0..times(20_000) {
        let len = rng.below(20);
        bodies::notation(&bytes(&mut rng, len));
    }
}

#[test]
fn rules_toml() {
    let mut rng = fresh();
    let mut list = vec![
        "base",
        "=",
        "\"bga\"",
        "[",
        "]",
        "\n",
        "{",
        "}",
        ",",
        ".",
        "1",
        "true",
        "\"none\"",
        "990",
        "1979-05-27",
        "nan",
        "'",
        "\"\"\"",
        "#",
    ];
    for field in FIELDS {
        list.push(field.path);
        list.extend(field.legal.split('`').skip(1).step_by(2));
    }
    for _ in 0..times(6_000) {
        bodies::rules_toml(words(&mut rng, &list).as_bytes());
    }
    for _ in 0..times(500) {
        let (_, rules) = rng.pick(&RuleSet::ALL);
        bodies::rules_toml(&damaged(&mut rng, &rules.to_toml()));
        let field = rng.pick(FIELDS);
        bodies::rules_toml(format!("{}={}", field.path, words(&mut rng, &list)).as_bytes());
    }
    // Deep nesting.
    bodies::rules_toml("[".repeat(100_000).as_bytes());
    bodies::rules_toml(format!("a = {}", "[".repeat(100_000)).as_bytes());
    bodies::rules_toml(format!("a = {}", "{a=".repeat(50_000)).as_bytes());
    bodies::rules_toml(format!("{}a = 1", "a.".repeat(50_000)).as_bytes());
    bodies::rules_toml(format!("[{}a]", "a.".repeat(50_000)).as_bytes());
}

#[test]
fn record_json() {
    let mut rng = fresh();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/data");
    let mut lines: Vec<String> = Vec::new();
    for (name, _) in RuleSet::ALL {
        let text = std::fs::read_to_string(folder.join(format!("deals-{name}.jsonl"))).unwrap();
        lines.extend(text.lines().map(str::to_owned));
    }
    for _ in 0..times(30_000) {
        let at = rng.below(lines.len());
        let text = damaged(&mut rng, &lines[at]);
        bodies::record_json(&text);
    }
    bodies::record_json("[".repeat(100_000).as_bytes());
    bodies::record_json("{\"rules\":".repeat(50_000).as_bytes());
}

#[test]
fn deal_bytes() {
    let mut rng = fresh();
    for _ in 0..times(2_500) {
        let len = rng.below(800);
        bodies::deal_bytes(&bytes(&mut rng, len));
    }
}
