//! Rule sets with changed fields: see `docs/rules.md`, "Where published rules differ".

use serde_json::{Value, json};

use crate::rules::{NamedRules, Rules};

type Change = (&'static str, Value);

/// The rule sets that one topic is written for besides the presets.
pub(super) fn variants(topic: &str) -> Vec<NamedRules> {
    let changes = match topic {
        "plays" => plays(),
        "auctions" => auctions(),
        "melds" => melds(),
        "scores" => scores(),
        "matches" => matches(),
        "decks" => decks(),
        _ => deals(),
    };
    changes
        .into_iter()
        .map(|(base, fields)| {
            let mut rules = Rules::preset(base).expect("the preset exists");
            for (path, value) in fields {
                rules = rules.with(path, value).expect("the field exists");
            }
            NamedRules { name: None, rules }
        })
        .collect()
}

fn plays() -> Vec<(&'static str, Vec<Change>)> {
    vec![
        ("bga", vec![("play.undertrump", json!("free"))]),
        ("bga", vec![("play.partner_trump", json!("overtrump"))]),
        ("contree", vec![("play.partner_trump", json!("overtrump"))]),
        ("bga", vec![("cards.all_trump", json!([20, 14, 2, 1, 1, 0, 0, 0]))]),
    ]
}

fn auctions() -> Vec<(&'static str, Vec<Change>)> {
    let raise = ("auction.over_coinche", json!("raise"));
    vec![
        ("contree", vec![raise.clone()]),
        ("coinche", vec![raise.clone(), ("auction.coinche", json!("any-time"))]),
        ("bga-ja", vec![raise, ("auction.signal_pass", json!(true))]),
        ("bga-ja", vec![("auction.signal_pass", json!(true))]),
        ("coinche", vec![("auction.coinche", json!("off"))]),
        ("bga", vec![("auction.capot", json!(false)), ("auction.highest", json!(270))]),
        ("coinche", vec![("auction.generale", json!(true)), ("auction.signal_pass", json!(true))]),
        ("bga", vec![("auction.all_trump", json!(false)), ("auction.highest", json!(170))]),
        ("contree", vec![("auction.no_trump", json!(true)), ("auction.lowest", json!(90))]),
    ]
}

fn melds() -> Vec<(&'static str, Vec<Change>)> {
    vec![
        ("coinche-melds", vec![("melds.contest", json!("by-points"))]),
        ("coinchee", vec![("melds.contest", json!("by-kind"))]),
        ("coinchee", vec![("melds.carre_of_aces", json!(100))]),
        ("coinche-melds", vec![("melds.carre_of_aces", json!(0))]),
        ("bga", vec![("melds.enabled", json!(true))]),
        ("bga", vec![("melds.enabled", json!(true)), ("melds.contest", json!("by-points"))]),
        ("coinche-melds", vec![("melds.announce", json!("voluntary"))]),
    ]
}

fn scores() -> Vec<(&'static str, Vec<Change>)> {
    let own_raised = json!({"tricks": 1, "contract": 2, "made_declarers": "own",
        "made_defenders": "own", "failed_defenders": "own"});
    vec![
        ("bga", vec![("scoring.made", json!("bid"))]),
        ("bga", vec![("scoring.made", json!("tricks"))]),
        ("bga-ja", vec![("scoring.failed", json!(162))]),
        ("bga", vec![("contract.floor", json!(82)), ("auction.lowest", json!(80))]),
        ("coinche", vec![("contract.majority", json!(true))]),
        ("coinchee", vec![("contract.majority", json!(true))]),
        ("contree", vec![("scoring.flat_capot", json!(500))]),
        ("bga", vec![("scoring.flat_capot", json!(500))]),
        ("coinchee", vec![("contract.capot", json!(270))]),
        ("bga", vec![("scoring.unbid_slam", json!(250)), ("scoring.solo_slam", json!(252))]),
        ("bga", vec![("belote.counts_for_contract", json!(false))]),
        (
            "coinche-melds",
            vec![("melds.counts_for_contract", json!(false)), ("melds.multiplied", json!(true))],
        ),
        ("bga", vec![("belote.failed", json!("defenders"))]),
        ("bga", vec![("belote.coinched", json!("winner")), ("belote.multiplied", json!(true))]),
        ("contree", vec![("belote.coinched", json!("holder"))]),
        ("coinche", vec![("scoring.failed_bid", json!(false))]),
        ("bga", vec![("scoring.failed", json!(0))]),
        (
            "coinchee",
            vec![("scoring.surcoinche.tricks", json!(3)), ("scoring.surcoinche.contract", json!(3))],
        ),
        ("bga", vec![("scoring.coinche", own_raised)]),
        ("coinche", vec![("scoring.rounding", json!("nearest-ten"))]),
        ("contree", vec![("scoring.rounding", json!("nearest-ten-down"))]),
        ("belote-melds", vec![("match.tie", json!("held"))]),
        ("belote", vec![("match.tie", json!("held")), ("scoring.rounding", json!("nearest-ten"))]),
        ("belote-melds", vec![("scoring.failed_slam", json!(false))]),
        ("coinche", vec![("scoring.failed_slam", json!(true)), ("scoring.unbid_slam", json!(252))]),
        ("bga", vec![("scoring.last_trick_all_trump", json!(0)), ("scoring.last_trick_no_trump", json!(0))]),
        ("bga", vec![("belote.all_trump", json!("each-suit"))]),
        ("belote", vec![("match.tie", json!("held")), ("belote.failed", json!("defenders"))]),
        ("coinche", vec![("scoring.last_trick", json!(20)), ("scoring.unbid_slam", json!(252))]),
        ("belote", vec![("scoring.last_trick", json!(0))]),
    ]
}

fn matches() -> Vec<(&'static str, Vec<Change>)> {
    vec![
        ("bga", vec![("match.exceed", json!(true))]),
        ("coinche", vec![("match.exceed", json!(true)), ("match.target", json!(3000))]),
        ("coinchee", vec![("match.both_reached", json!("extra-deal"))]),
        ("coinchee", vec![("match.both_reached", json!("last-winner"))]),
        ("belote", vec![("match.tie", json!("held"))]),
        ("belote-melds", vec![("match.tie", json!("held")), ("match.both_reached", json!("most-points"))]),
        ("bga", vec![("match.target", json!(1000))]),
    ]
}

fn deals() -> Vec<(&'static str, Vec<Change>)> {
    vec![
        ("bga", vec![("belote.all_trump", json!("each-suit"))]),
        ("bga-ja", vec![("belote.all_trump", json!("each-suit")), ("auction.over_coinche", json!("raise"))]),
        ("bga", vec![("melds.enabled", json!(true)), ("melds.contest", json!("by-points"))]),
        (
            "contree",
            vec![("play.partner_trump", json!("overtrump")), ("auction.over_coinche", json!("raise"))],
        ),
        ("coinche-melds", vec![("scoring.rounding", json!("nearest-ten-down"))]),
        ("bga-ja", vec![("auction.signal_pass", json!(true)), ("scoring.last_trick_all_trump", json!(0))]),
        ("belote-melds", vec![("match.tie", json!("held"))]),
        ("belote-melds", vec![("melds.announce", json!("voluntary"))]),
    ]
}

fn decks() -> Vec<(&'static str, Vec<Change>)> {
    let cut = ("deal.shuffle", json!("cut"));
    vec![
        ("belote", vec![cut.clone()]),
        ("belote", vec![cut.clone(), ("deal.packets", json!([2, 3]))]),
        ("bga", vec![cut, ("deal.packets", json!([2, 3, 3]))]),
        ("contree", vec![("deal.packets", json!([4, 4]))]),
    ]
}
