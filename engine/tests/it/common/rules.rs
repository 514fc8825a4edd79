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
        let (name, rules) = rng.pick(&RuleSet::PRESETS);
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
        make_consistent(&mut json);
        Self::whole(&json)
    }
}

pub(crate) fn set(json: &mut Value, path: &str, value: Value) {
    *json.pointer_mut(&format!("/{}", path.replace('.', "/"))).unwrap() = value;
}

/// The fields that bind each other: packets and method, lowest and highest.
fn make_consistent(json: &mut Value) {
    let packets = if json["deal"]["method"] == "full" { 8 } else { 5 };
    let sizes = json["deal"]["packets"].as_array().unwrap().iter().map(|size| size.as_u64().unwrap());
    if sizes.sum::<u64>() != packets {
        json["deal"]["packets"] = if packets == 8 { json!([2, 2, 3, 1]) } else { json!([1, 4]) };
    }
    if json["auction"]["highest"]
        .as_u64()
        .is_some_and(|highest| highest < json["auction"]["lowest"].as_u64().unwrap())
    {
        json["auction"]["highest"] = json["auction"]["lowest"].clone();
    }
}

fn random_value(path: &str, rng: &mut Rng) -> Value {
    let mut number = |values: &[u32]| json!(rng.pick(values));
    match path {
        "deal.packets" => {
            let packets: [&[u8]; 8] =
                [&[3, 3, 2], &[2, 3, 3], &[8], &[6, 2], &[1; 8], &[2, 3], &[5], &[1, 1, 1, 1, 1]];
            rng.pick(&packets).into()
        }
        "deal.misdeal_penalty" => number(&[0, 50, 80]),
        "cards.all_trump" => rng
            .pick(&[[14, 9, 6, 5, 3, 1, 0, 0], [20, 14, 2, 1, 1, 0, 0, 0], [0, 0, 0, 0, 0, 0, 19, 19]])
            .as_slice()
            .into(),
        "auction.lowest" => number(&[1, 9, 10, 75, 80, 82, 90, 100, 990]),
        "auction.highest" => {
            let value = number(&[0, 82, 85, 160, 170, 180, 650, 990]);
            if value == 0 { json!("none") } else { value }
        }
        "contract.capot" => number(&[250, 270, 500]),
        "contract.generale" => number(&[500, 1000]),
        "contract.floor" => number(&[0, 82, 100]),
        "melds.carre_of_aces" => number(&[0, 19, 100, 150, 200, 1000]),
        "scoring.failed" => number(&[0, 160, 162]),
        "scoring.unbid_slam" => number(&[0, 162, 250, 252, 255]),
        "scoring.solo_slam" => number(&[0, 162, 252, 500, 505]),
        "scoring.flat_capot" => number(&[0, 500]),
        "scoring.last_trick" | "scoring.last_trick_no_trump" | "scoring.last_trick_all_trump" => {
            number(&[0, 10, 20])
        }
        "match.target" => number(&[1, 501, 1000, 2000]),
        "match.exceed" => json!(rng.chance(50)),
        _ if path.ends_with(".tricks") || path.ends_with("e.contract") || path.ends_with("n.contract") => {
            number(&[0, 1, 2, 3, 4])
        }
        _ => word(path, rng),
    }
}

/// The fields that are one of a few words, or true and false, in the words of `FIELDS`.
fn word(path: &str, rng: &mut Rng) -> Value {
    let legal = FIELDS.iter().find(|field| field.path == path).unwrap().legal;
    if legal == "true or false" {
        return json!(rng.chance(50));
    }
    let words: Vec<&str> = legal.split('`').skip(1).step_by(2).collect();
    assert!(words.len() >= 2, "{path} has no random values");
    json!(rng.pick(&words))
}

impl BothRules {
    /// The value of a field.
    pub(crate) fn json_of(&self, path: &str) -> Value {
        let whole = serde_json::to_value(&self.book).unwrap();
        whole.pointer(&format!("/{}", path.replace('.', "/"))).unwrap().clone()
    }
}
