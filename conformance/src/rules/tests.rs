#![allow(clippy::unwrap_used, reason = "a test may panic")]

use serde_json::json;

use super::*;

#[test]
fn presets_round_trip() {
    for name in PRESETS {
        let rules = Rules::preset(name).unwrap();
        let whole = serde_json::to_value(&rules).unwrap();
        assert_eq!(Rules::from_json(&whole).unwrap(), rules);
        assert_eq!(Rules::from_json(&json!(name)).unwrap(), rules);
    }
}

#[test]
fn what_is_not_a_rule_set_is_refused() {
    assert!(matches!(Rules::preset("whist"), Err(RulesError::UnknownPreset(_))));
    let rules = Rules::preset("bga").unwrap();
    assert!(matches!(rules.with("nothing.failed", json!(1)), Err(RulesError::UnknownField(_))));
    assert!(matches!(rules.with("scoring.nothing", json!(1)), Err(RulesError::Json(_))));
    assert!(rules.with("scoring.failed", json!("many")).is_err());
    assert!(rules.with("auction.highest", json!("some")).is_err());
    assert!(matches!(rules.with("deal.packets", json!([3, 2])), Err(RulesError::Packets(5))));
    assert!(matches!(rules.with("match.tie", json!("held")), Err(RulesError::Method("match.tie"))));
    let belote = Rules::preset("belote").unwrap();
    for (field, value) in [
        ("auction.capot", json!(true)),
        ("auction.generale", json!(true)),
        ("auction.signal_pass", json!(true)),
        ("scoring.made", json!("bid")),
    ] {
        let error = belote.with(field, value).unwrap_err();
        assert!(matches!(error, RulesError::Method(named) if named == field), "{error}");
    }
    let mut whole = serde_json::to_value(&rules).unwrap();
    whole["match"]["more"] = json!(1);
    assert!(Rules::from_json(&whole).is_err());
}
