//! Rule sets with changed fields: see `docs/rules.md`, "Where published rules differ".

use std::collections::BTreeMap;

use serde_json::Value;

use crate::rules::{NamedRules, Rules};

/// By topic: presets, and the values of the fields that differ from them.
type Variants = BTreeMap<String, Vec<(String, BTreeMap<String, Value>)>>;

/// The rule sets that one topic is written for besides the presets.
pub(super) fn variants(topic: &str) -> Vec<NamedRules> {
    let mut all: Variants =
        serde_json::from_str(include_str!("../../variants.json")).expect("the file can be read");
    let variant = |(base, fields): (String, BTreeMap<String, Value>)| {
        let rules = Rules::preset(&base).expect("the preset exists");
        let rules = rules.with_fields(fields).expect("the fields exist");
        NamedRules { name: None, rules }
    };
    all.remove(topic).expect("every topic has variants").into_iter().map(variant).collect()
}
