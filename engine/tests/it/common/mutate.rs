//! Records with one thing changed.

use serde_json::{Value, json};

use super::rng::Rng;

/// A changed record and what was changed.
pub(crate) struct Mutation {
    pub(crate) what: &'static str,
    pub(crate) record: Value,
    /// Whether no rules make it a right record again.
    pub(crate) is_wrong: bool,
}

/// Makes every kind of change that the record allows, each at a random place.
pub(crate) fn mutations(record: &Value, rng: &mut Rng) -> Vec<Mutation> {
    let mut list = Vec::new();
    let mut add = |what: &'static str, is_wrong: bool, change: &mut dyn FnMut(&mut Value)| {
        let mut changed = record.clone();
        change(&mut changed);
        if changed != *record {
            list.push(Mutation { what, record: changed, is_wrong });
        }
    };
    let team = rng.below(2);
    add("version", true, &mut |r| r["v"] = json!(2));
    add("score", true, &mut |r| bump(&mut r["score"][team], 10));
    add("card points", true, &mut |r| bump(&mut r["card_points"][team], 1));
    add("tricks won", true, &mut |r| bump(&mut r["tricks_won"][team], 1));
    add("held", true, &mut |r| r["held"] = json!(r["held"].as_i64().unwrap_or(0) + 81));
    add("made", true, &mut |r| r["made"] = json!(!r["made"].as_bool().unwrap_or(false)));
    add("turned", true, &mut |r| r["turned"] = if r["turned"].is_null() { json!("7C") } else { Value::Null });
    add("dealer", false, &mut |r| turn_seat(&mut r["dealer"], 1));
    add("dealer 4", true, &mut |r| r["dealer"] = json!(4));
    add("preset", true, &mut |r| r["rules"] = json!("whist"));
    add("field of the rules", true, &mut |r| r["rules"] = json!({"scoring": {}}));
    hands(record, rng, &mut add);
    calls(record, rng, &mut add);
    if !record["contract"].is_null() {
        played(record, rng, &mut add);
    }
    list
}

type Add<'a> = dyn FnMut(&'static str, bool, &mut dyn FnMut(&mut Value)) + 'a;

fn bump(value: &mut Value, by: i64) {
    *value = json!(value.as_i64().unwrap() + by);
}

fn turn_seat(value: &mut Value, by: u64) {
    *value = json!((value.as_u64().unwrap() + by) % 4);
}

fn hands(record: &Value, rng: &mut Rng, add: &mut Add<'_>) {
    let cards: Vec<Vec<String>> = record["hands"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hand| hand.as_str().unwrap().split(' ').map(str::to_owned).collect())
        .collect();
    let (seat, a, b) = (rng.below(4), rng.below(cards[0].len()), rng.below(cards[0].len()));
    let other = (seat + 1 + rng.below(3)) % 4;
    add("two cards exchanged between hands", false, &mut |r| {
        let mut hands = cards.clone();
        let card = hands[seat][a].clone();
        hands[seat][a].clone_from(&cards[other][b]);
        hands[other][b] = card;
        r["hands"][seat] = json!(hands[seat].join(" "));
        r["hands"][other] = json!(hands[other].join(" "));
    });
    add("a card twice", true, &mut |r| {
        r["hands"][seat] = json!(format!("{} {}", cards[seat][1..].join(" "), cards[other][b]));
    });
    add("a card too few", true, &mut |r| r["hands"][seat] = json!(cards[seat][1..].join(" ")));
    add("no card", true, &mut |r| r["hands"][seat] = json!(cards[seat].join(" ").replace('7', "1")));
    add("hands in the short form", false, &mut |r| {
        let hand: coinche_engine::CardSet = cards[seat].join(" ").parse().unwrap();
        let suits = coinche_engine::Suit::ALL.map(|suit| {
            let ranks: String = hand.of(suit).into_iter().map(|card| card.rank().letter()).collect();
            format!("{}:{}", suit.letter(), if ranks.is_empty() { "-".to_owned() } else { ranks })
        });
        r["hands"][seat] = json!(suits.join(" ").to_lowercase());
    });
}

fn calls(record: &Value, rng: &mut Rng, add: &mut Add<'_>) {
    let n = record["auction"].as_array().unwrap().len();
    let index = rng.below(n);
    let call = rng.pick(&[
        "P",
        "W",
        "X",
        "XX",
        "TAKE",
        "TAKE H",
        "80C",
        "H",
        "SA",
        "120SA",
        "CAPOTS",
        "GENERALED",
        "?",
    ]);
    add("a call", false, &mut |r| r["auction"][index][1] = json!(call));
    add("the seat of a call", false, &mut |r| turn_seat(&mut r["auction"][index][0], 1));
    add("a call left out", false, &mut |r| drop(r["auction"].as_array_mut().unwrap().remove(index)));
    add("the last call left out", true, &mut |r| drop(r["auction"].as_array_mut().unwrap().pop()));
    add("a call too many", true, &mut |r| r["auction"].as_array_mut().unwrap().push(json!([0, "P"])));
    add("a call in small letters", false, &mut |r| {
        let text = r["auction"][index][1].as_str().unwrap().to_lowercase();
        r["auction"][index][1] = json!(text);
    });
}

fn played(record: &Value, rng: &mut Rng, add: &mut Add<'_>) {
    let (trick, place) = (rng.below(8), rng.below(4));
    let other = (trick + 1 + rng.below(7)) % 8;
    let seat =
        |trick: usize, place: usize| (record["tricks"][trick]["leader"].as_u64().unwrap() + place as u64) % 4;
    let at = (0..4).find(|at| seat(other, *at) == seat(trick, place)).unwrap();
    add("two cards of a hand exchanged", false, &mut |r| {
        let card = r["tricks"][trick]["cards"][place].take();
        let second = r["tricks"][other]["cards"][at].take();
        r["tricks"][trick]["cards"][place] = second;
        r["tricks"][other]["cards"][at] = card;
    });
    add("a card played twice", true, &mut |r| {
        r["tricks"][trick]["cards"][place] = r["tricks"][other]["cards"][at].clone();
    });
    add("a card of another hand", true, &mut |r| {
        r["tricks"][trick]["cards"][place] = r["tricks"][trick]["cards"][(place + 1) % 4].clone();
    });
    add("no card played", true, &mut |r| r["tricks"][trick]["cards"][place] = json!("1H"));
    add("winner", true, &mut |r| turn_seat(&mut r["tricks"][trick]["winner"], 1 + place as u64 % 3));
    add("leader", true, &mut |r| turn_seat(&mut r["tricks"][trick]["leader"], 1 + place as u64 % 3));
    add("seven tricks", true, &mut |r| drop(r["tricks"].as_array_mut().unwrap().pop()));
    add("contract null", true, &mut |r| r["contract"] = Value::Null);
    add("declarer", true, &mut |r| turn_seat(&mut r["contract"]["declarer"], 1 + place as u64 % 3));
    add("bid", true, &mut |r| {
        let other = if r["contract"]["bid"] == "TAKEC" { "TAKED" } else { "TAKEC" };
        r["contract"]["bid"] = json!(other);
    });
    add("bid in small letters", false, &mut |r| {
        let text = r["contract"]["bid"].as_str().unwrap().to_lowercase();
        r["contract"]["bid"] = json!(text);
    });
    add("stake", true, &mut |r| {
        let other = if r["contract"]["stake"] == "plain" { "coinche" } else { "plain" };
        r["contract"]["stake"] = json!(other);
    });
    melds(record, rng, add);
    belote(record, rng, add);
}

fn melds(record: &Value, rng: &mut Rng, add: &mut Add<'_>) {
    let n = record["melds"].as_array().unwrap().len();
    add("a meld that nobody has", true, &mut |r| {
        let meld = json!({"seat": 0, "kind": "tierce", "cards": "7C 8C 9D", "points": 20, "counts": false});
        r["melds"].as_array_mut().unwrap().push(meld);
    });
    add("a meld of all cards", true, &mut |r| {
        let cards = coinche_engine::CardSet::FULL.to_string();
        let meld = json!({"seat": 0, "kind": "hundred", "cards": cards, "points": 100, "counts": false});
        r["melds"].as_array_mut().unwrap().push(meld);
    });
    if n == 0 {
        return;
    }
    let index = rng.below(n);
    add("the seat of a meld", true, &mut |r| turn_seat(&mut r["melds"][index]["seat"], 1));
    add("a meld's worth", true, &mut |r| bump(&mut r["melds"][index]["points"], 10));
    add("a meld counts", true, &mut |r| {
        r["melds"][index]["counts"] = json!(!r["melds"][index]["counts"].as_bool().unwrap());
    });
    add("a meld's kind", true, &mut |r| {
        let other = if r["melds"][index]["kind"] == "fifty" { "tierce" } else { "fifty" };
        r["melds"][index]["kind"] = json!(other);
    });
    let may_be_silent = record["rules"]["melds"]["announce"] == "voluntary";
    add("a meld left out", !may_be_silent, &mut |r| drop(r["melds"].as_array_mut().unwrap().remove(index)));
    add("a meld twice", true, &mut |r| {
        let meld = r["melds"][index].clone();
        r["melds"].as_array_mut().unwrap().push(meld);
    });
    add("melds in another order", false, &mut |r| r["melds"].as_array_mut().unwrap().reverse());
    add("a meld's cards in another order", false, &mut |r| {
        let text = r["melds"][index]["cards"].as_str().unwrap();
        let cards: Vec<&str> = text.split(' ').rev().collect();
        r["melds"][index]["cards"] = json!(cards.join("  ").replace('T', "10"));
    });
}

fn belote(record: &Value, rng: &mut Rng, add: &mut Add<'_>) {
    add("a belote that nobody has, or none", true, &mut |r| {
        r["belote"] = if r["belote"].is_null() { json!({"seat": 0, "announced": true}) } else { Value::Null };
    });
    if !record["belote"].is_null() {
        add("the seat of the belote", true, &mut |r| turn_seat(&mut r["belote"]["seat"], 1));
        add("the belote announced", false, &mut |r| {
            r["belote"]["announced"] = json!(!r["belote"]["announced"].as_bool().unwrap());
        });
    }
    let Some(belotes) = record["belotes"].as_array() else { return };
    let index = rng.below(belotes.len());
    add("the seat of a belote", true, &mut |r| turn_seat(&mut r["belotes"][index]["seat"], 1));
    add("a belote left out", true, &mut |r| drop(r["belotes"].as_array_mut().unwrap().remove(index)));
    add("the suit of a belote", true, &mut |r| {
        let other = if r["belotes"][index]["suit"] == "C" { "D" } else { "C" };
        r["belotes"][index]["suit"] = json!(other);
    });
}
