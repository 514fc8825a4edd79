//! Rule sets: the presets, and presets with any fields overridden.

use coinche_conformance::Rules;
use coinche_engine::RuleSet;
use coinche_engine::rules::FIELDS;
use serde_json::{Value, json};

use super::rng::Rng;

/// A rule set as engine and rule book read it from the same JSON.
#[derive(Clone, Debug)]
pub(crate) struct BothRules {
    pub(crate) engine: RuleSet,
    pub(crate) book: Rules,
}

impl BothRules {
    pub(crate) fn preset(name: &str) -> Self {
        Self { engine: RuleSet::preset(name).unwrap(), book: Rules::preset(name).unwrap() }
    }

    pub(crate) fn whole(json: &Value) -> Self {
        let engine: RuleSet = serde_json::from_value(json.clone()).unwrap();
        assert_eq!(engine.options().validate(), Ok(engine));
        Self { engine, book: Rules::from_json(json).unwrap() }
    }

    /// A preset, or one with some of its fields drawn anew.
    pub(crate) fn random(rng: &mut Rng) -> Self {
        let (name, rules) = rng.pick(&RuleSet::ALL);
        if rng.chance(40) {
            return Self::preset(name);
        }
        let mut json = serde_json::to_value(rules).unwrap();
        let many = rng.chance(30);
        for field in FIELDS {
            if rng.chance(if many { 50 } else { 8 }) {
                let value = random_value(field.path, rng);
                set(&mut json, field.path, value);
            }
        }
        if rng.chance(20) {
            set(&mut json, "auction.bids", json!("strains"));
        }
        if !has_values(&json) && rng.chance(80) {
            // Ties are rare, and found where contracts have no value only.
            set(&mut json, "match.tie", json!(rng.pick(&["held", "hanging", "made"])));
        }
        make_consistent(&mut json);
        Self::whole(&json)
    }
}

pub(crate) fn set(json: &mut Value, path: &str, value: Value) {
    let (section, leaf) = path.rsplit_once('.').unwrap();
    json.pointer_mut(&format!("/{}", section.replace('.', "/"))).unwrap()[leaf] = value;
}

fn has_values(json: &Value) -> bool {
    json["deal"]["method"] != "turn-up" && json["auction"]["bids"] != "strains"
}

/// The fields that bind each other: those that the method rules out, packets and method, lowest and highest.
fn make_consistent(json: &mut Value) {
    if has_values(json) {
        if json["match"]["tie"] != "made" {
            json["match"]["tie"] = json!("failed");
        }
        if json["scoring"]["rounding"] == "tenths" {
            json["scoring"]["rounding"] = json!("nearest-ten");
        }
    } else {
        for field in ["capot", "generale"] {
            json["auction"][field] = json!(false);
        }
        json["scoring"]["made"] = json!("tricks");
    }
    if json["deal"]["method"] == "turn-up" {
        for field in ["no_trump", "all_trump", "signal_pass"] {
            json["auction"][field] = json!(false);
        }
        json["auction"]["coinche"] = json!("off");
    }
    if json["auction"]["coinche"] == "any-time" && json["auction"]["over_coinche"] == "open" {
        json["auction"]["over_coinche"] = json!("raise");
    }
    let sizes = json["deal"]["packets"].as_array().unwrap().iter().map(|size| size.as_u64().unwrap());
    let packets: u64 = sizes.sum();
    match json["deal"]["method"].as_str().unwrap() {
        "full" if packets != 8 => json["deal"]["packets"] = json!([2, 2, 3, 1]),
        "turn-up" if packets != 5 => json["deal"]["packets"] = json!([1, 4]),
        "split" if packets == 8 => json["deal"]["packets"] = json!([3, 3]),
        _ => {}
    }
    if json["auction"]["highest"]
        .as_u64()
        .is_some_and(|highest| highest < json["auction"]["lowest"].as_u64().unwrap())
    {
        json["auction"]["highest"] = json["auction"]["lowest"].clone();
    }
}

fn random_value(path: &str, rng: &mut Rng) -> Value {
    let values = values(path);
    values[rng.below(values.len())].clone()
}

/// Values of a field to try: all words, and of numbers and lists some that published rules have, and the extremes.
pub(crate) fn values(path: &str) -> Vec<Value> {
    let numbers = |values: &[u32]| values.iter().map(|value| json!(value)).collect();
    match path {
        "deal.packets" => {
            let packets: [&[u8]; 8] =
                [&[3, 3, 2], &[2, 3, 3], &[8], &[6, 2], &[1; 8], &[2, 3], &[5], &[1, 1, 1, 1, 1]];
            packets.map(|sizes| json!(sizes)).to_vec()
        }
        "deal.misdeal_penalty" => numbers(&[0, 50, 80]),
        "deal.misdeal_credit" => numbers(&[0, 160]),
        "deal.reshuffle" => numbers(&[0, 1, 2]),
        "deal.least_cut" => numbers(&[1, 2, 4, 16]),
        "cards.no_trump" => {
            [[19, 10, 4, 3, 2, 0, 0, 0], [11, 10, 4, 3, 2, 0, 0, 0], [0, 0, 0, 0, 2, 0, 19, 79]]
                .map(|points| json!(points))
                .to_vec()
        }
        "cards.all_trump" => {
            [[14, 9, 6, 5, 3, 1, 0, 0], [20, 14, 11, 10, 4, 3, 0, 0], [0, 0, 0, 0, 0, 0, 19, 19]]
                .map(|points| json!(points))
                .to_vec()
        }
        "auction.lowest" => numbers(&[1, 9, 10, 75, 80, 82, 90, 100, 990]),
        "auction.highest" => {
            [vec![json!("none")], numbers(&[82, 85, 160, 165, 170, 180, 185, 650, 990])].concat()
        }
        "contract.capot" => numbers(&[250, 270, 500]),
        "contract.generale" => numbers(&[500, 1000]),
        "contract.floor" => numbers(&[0, 82, 100]),
        "contract.margin" => numbers(&[0, 1, 2, 20]),
        "belote.multiplied" => vec![json!(false), json!(true), json!("winner")],
        "melds.carre_of_aces" => numbers(&[0, 19, 100, 150, 200, 1000]),
        "scoring.failed" => numbers(&[0, 160, 162]),
        "scoring.unbid_slam" => numbers(&[0, 162, 250, 252, 255]),
        "scoring.solo_slam" => numbers(&[0, 162, 252, 500, 504, 505]),
        "scoring.flat_capot" => numbers(&[0, 500]),
        "scoring.last_trick" | "scoring.last_trick_no_trump" | "scoring.last_trick_all_trump" => {
            numbers(&[0, 10, 20])
        }
        "scoring.factor_no_trump" | "scoring.factor_all_trump" => numbers(&[1, 2, 3]),
        "match.target" => numbers(&[1, 501, 1000, 2000]),
        "match.deals" => numbers(&[0, 1, 4, 12]),
        _ if path.ends_with(".tricks") || path.ends_with("e.contract") || path.ends_with("n.contract") => {
            numbers(&[0, 1, 2, 3, 4])
        }
        _ => words(path),
    }
}

/// The values of a field that is one of a few words, or true and false, in the words of `FIELDS`.
fn words(path: &str) -> Vec<Value> {
    let legal = FIELDS.iter().find(|field| field.path == path).unwrap().legal;
    if legal == "true or false" {
        return vec![json!(false), json!(true)];
    }
    let words: Vec<Value> = legal.split('`').skip(1).step_by(2).map(|word| json!(word)).collect();
    assert!(words.len() >= 2, "{path} has no values to try");
    words
}

impl BothRules {
    /// The value of a field.
    pub(crate) fn json_of(&self, path: &str) -> Value {
        let pointer = format!("/{}", path.replace('.', "/"));
        let whole = serde_json::to_value(&self.book).unwrap();
        // What is not written is as it was before there was a field for it.
        let found = whole.pointer(&pointer).cloned();
        found.unwrap_or_else(|| {
            let table = serde_json::to_value(RuleSet::BGA.to_table()).unwrap();
            table.pointer(&pointer).unwrap().clone()
        })
    }
}
