//! The analysis board.

use axum::http::StatusCode;
use coinche_engine::RuleSet;
use coinche_engine::record::Record;
use coinche_selfplay::records::pbn::{self, Kept};
use serde_json::{Value, json};

use super::{Here, events, get, query_of};

#[tokio::test]
async fn positions_are_read_and_solved() {
    let here = Here::new();
    let hands =
        "JS 9S AS TS 7H 8H 7C 8C|JH 9H AH TH KC QC KS QS|8S 7S KH QH 9C JC TC AC|JD 9D AD TD KD QD 8D 7D";
    let query =
        |more: &str| format!("position?dealer=3&hands={}{more}", hands.replace(' ', "+").replace('|', "%7C"));
    let board = here.ask(&query(""), "", None).await.unwrap();
    assert_eq!(board["turn"], json!({ "seat": 0, "kind": "call" }));
    let board = here.ask(&query("&auction=90+pique+p+p+p&tricks=JS+QS+7S"), "", None).await.unwrap();
    assert_eq!(board["turn"], json!({ "seat": 3, "kind": "play" }));
    assert_eq!(board["contract"]["bid"], "90S");
    for (wrong, part) in [
        ("&auction=70S", "auction, call 1"),
        ("&auction=90S+P+P+P&tricks=JD", "card 1"),
        ("&rules=none", "there are no rules `none`"),
        ("&dealer=7", "dealer"),
    ] {
        let text = query(wrong);
        let text = if wrong.contains("dealer") { text.replace("dealer=3&", "") } else { text };
        let (status, why) = here.ask(&text, "", None).await.unwrap_err();
        assert!(status == StatusCode::BAD_REQUEST && why.contains(part), "{why}");
    }
    // One hand suffices for advice.
    let one = here.ask("position?dealer=3&hands=JS+9S+AS+TS+7H+8H+7C+8C", "", None).await.unwrap();
    assert!(one["hands"][1].is_null() && one["legal"]["calls"].as_array().unwrap().len() > 10);
    let (_, why) = here.send(get("/api/v1/position?dealer=3&hands=JS+JS", "")).await;
    assert!(
        why.contains("the hand, card 2: JS is given twice")
            && why.contains("la main, carte 2\u{a0}: V♠ est là deux fois"),
        "{why}"
    );
    let one = "/api/v1/position?dealer=3&hands=JS+9S+AS+TS+7H+8H+7C+8C&auction=70S";
    let (_, why) = here.send(get(one, "")).await;
    assert!(
        why.contains("\"auction, call 1, by seat 0: ") && why.contains("\"enchères, annonce 1, "),
        "{why}"
    );
    // The values are those of the solver, and the stream ends by itself.
    let path =
        query("&auction=90S+P+P+P&tricks=JS+QS+7S+7D+/+9S+KS+8S+8D+/+AS&bots=net").replace('?', "/events?");
    let path = format!("/api/v1/{path}");
    let text = here.send(get(&path, "")).await.1;
    for part in ["event: solver", "event: advice", "event: bot", "event: done"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// Asks for the position of a pasted text, and for the board there.
async fn pasted(here: &Here, text: &str) -> (Value, Value) {
    let read = here.ask("position/read", "", Some(json!({ "text": text }))).await.unwrap();
    (read.clone(), here.ask(&query_of(&read), "", None).await.unwrap())
}

#[tokio::test]
async fn pasted_records_are_the_deals_that_were_played() {
    let here = Here::new();
    for (name, rules) in RuleSet::ALL {
        // Random bots coinche, and so answer offers.
        let new = json!({ "rules": name, "partner": "random", "others": "random", "seed": "4" });
        let (table, token) = here.table(new).await;
        for _ in 0..4 {
            here.ask(&format!("{table}/resign"), &token, Some(json!({}))).await.unwrap();
            let next = here.ask(&format!("{table}/next"), &token, Some(json!({}))).await;
            if next.is_err() {
                break;
            }
        }
        for line in here.records(&table).lines() {
            let record = Record::from_json(line).unwrap();
            let (read, board) = pasted(&here, line).await;
            assert_eq!(board["contract"].is_null(), record.contract.is_none(), "{name}: {line}");
            if rules.melds.enabled || record.belotes.iter().chain(&record.belote).any(|it| !it.announced) {
                // The board announces all there is.
                continue;
            }
            assert_eq!(board["over"]["score"], json!(record.score), "{name}: {line}");
            let kept = Kept { record, pairing: None };
            assert_eq!(pasted(&here, &pbn::print(&kept)).await.0, read, "{name}");
        }
    }
    let hands = pasted(&here, "C:- D:- H:KQ S:AJT9 | 7C ? | | ").await.0;
    assert_eq!(hands["hands"], "QH KH 9S JS TS AS | 7C |  | ");
    for wrong in ["{\"v\":1}", "[Deal", "JS | JH", "XX | | |", ""] {
        let (status, _) = here.ask("position/read", "", Some(json!({ "text": wrong }))).await.unwrap_err();
        assert_eq!(status, StatusCode::BAD_REQUEST, "{wrong}");
    }
}

#[tokio::test]
async fn unknown_cards_are_drawn() {
    let here = Here::new();
    let hands = "JS 9S AS TS 7H 8H 7C 8C | JH 9H AH TH KC QC KS QS | 8S 7S KH QH 9C JC TC AC | JD 9D AD TD KD QD 8D 7D";
    let of = |hands: &str, tricks: &str| json!({ "dealer": "3", "hands": hands, "auction": "100S P P P", "tricks": tricks });
    let explained = |query: String| query + "&system=sound-beginner";
    let tricks = "JS QS 7S 7D / 9S KS 8S 8D / AS KC 9C QD / TS";
    let open = explained(query_of(&of(hands, tricks)));
    // One hand is missing, which is the rest: its cards are known, but where they are is said to be drawn.
    let parts: Vec<_> = hands.split('|').collect();
    let missing = format!("{}|{}|{}|", parts[0], parts[1], parts[2]);
    let closed = explained(query_of(&of(&missing, tricks)));
    let (all, board) = (here.ask(&open, "", None).await.unwrap(), here.ask(&closed, "", None).await.unwrap());
    assert_eq!((&board["legal"], &board["turn"]), (&all["legal"], &all["turn"]));
    assert_eq!((&board["hands"][3], &board["unknown"]), (&json!([]), &json!([0, 0, 0, 5])));
    let solver = |events: &[(String, Value)]| {
        let last = events.iter().rfind(|(name, _)| name == "solver").unwrap().1.clone();
        let cards = last["cards"].as_array().unwrap().iter();
        cards
            .map(|it| {
                (
                    it["card"].as_str().unwrap().to_owned(),
                    (it["points"].as_f64().unwrap() * 1e6).round() / 1e6,
                )
            })
            .collect::<std::collections::BTreeMap<_, _>>()
    };
    let (exact, drawn) = (events(&here, &open).await, events(&here, &closed).await);
    assert_eq!(solver(&exact), solver(&drawn));
    // The system explains four calls; of the seat that is not known only what its call promises.
    let said = |events: &[(String, Value)]| {
        events.iter().filter(|(name, _)| name == "system").map(|it| it.1.clone()).collect::<Vec<_>>()
    };
    assert_eq!(said(&exact).len(), 4);
    assert_eq!(said(&exact)[3]["made"], "100S");
    assert!(said(&exact)[3]["promise"]["hands"].as_u64().unwrap() > 0);
    assert_eq!(said(&drawn)[0]["seat"], 3);
    assert!(said(&drawn)[0]["call"].is_null() && !said(&exact)[0]["call"].is_null());
    assert_eq!(said(&drawn)[1], said(&exact)[1]);
    // Between two hands: the mean over the deals that there are, each as likely where no hand is whole.
    let half =
        "JS 9S AS TS 7H 8H 7C 8C | JH 9H AH TH KC QC KS | 8S 7S KH QH 9C JC TC AC | JD 9D AD TD KD QD 8D";
    let turn = query_of(&of(half, "JS"));
    let drawn = events(&here, &turn).await;
    assert!(drawn.iter().all(|(name, _)| name != "advice"), "seat 1 does not know its hand");
    let mean = solver(&drawn)["KS"];
    let swapped = hands.replace("QS |", "7D |").replace("8D 7D", "8D QS");
    let mut ends = Vec::new();
    for hands in [hands, &swapped] {
        let events = self::events(&here, &query_of(&of(hands, "JS"))).await;
        ends.push(solver(&events)["KS"]);
    }
    assert!(ends[0].min(ends[1]) <= mean && mean <= ends[0].max(ends[1]), "{ends:?}: {mean}");
    for (wrong, part) in [
        (of("JS | JS | |", ""), "hands"),
        (of("JS 9S AS TS 7H 8H 7C 8C KS | | |", ""), "more than 8"),
        (of("JS 9S 7H 8H 7C 8C 7D 8D | | | ", "KD"), "seat 1's turn"),
        (of("JS | QS | | ", "JS 7D"), "card 2"),
        (of("7S 8S 9S TS JS QS KS AS | 7H | |", "7S 8S"), "8S is in the hands"),
        (json!({ "hands": "JS | | |", "tricks": "JS" }), "the auction is not over"),
    ] {
        let (status, why) = here.ask(&query_of(&wrong), "", None).await.unwrap_err();
        assert!(status == StatusCode::BAD_REQUEST && why.contains(part), "{wrong}: {why}");
    }
}
