//! Games: played, killed, turned, claimed.

use axum::http::StatusCode;
use coinche_engine::record::{Record, replay};
use coinche_engine::{RuleSet, Seat};
use serde_json::{Value, json};

use super::Here;

#[tokio::test]
async fn deals_of_all_rules_are_played_and_their_records_are_right() {
    let here = Here::new();
    for (name, _) in RuleSet::PRESETS {
        let new =
            json!({ "rules": name, "partner": "rules", "others": "rules", "seed": "7", "name": "<b>&'\"" });
        let (table, token) = here.table(new).await;
        for deal in 1..=3 {
            let state = here.deal(&table, &token).await;
            assert_eq!(state["deals"], deal, "{name}");
            if deal < 3 {
                here.ask(&format!("{table}/next"), &token, Some(json!({}))).await.unwrap();
            }
        }
        let text = here.records(&table);
        assert_eq!(text.lines().count(), 3, "{name}");
        for line in text.lines() {
            let record = Record::from_json(line).unwrap();
            assert_eq!(replay(&record), [], "{name}");
            assert_eq!(record.bots[Seat::S0], "<b>&'\"");
        }
    }
}

#[tokio::test]
async fn a_seat_sees_no_other_hand_before_the_deal_is_over() {
    let here = Here::new();
    let (table, token) = here.table(json!({ "partner": "net", "others": "net", "seed": "1" })).await;
    let mut state = here.ask(&table, &token, None).await.unwrap();
    let mut seen = 0;
    while state["over"].is_null() {
        for other in 1..4 {
            assert!(state["hands"][other].is_null() && state["first"][other].is_null());
            seen += 1;
        }
        state = here.step(&table, &token, &state).await;
    }
    assert!(seen > 20, "{seen}");
    assert_eq!(state["first"][2].as_array().unwrap().len(), 8);
}

#[tokio::test]
async fn a_game_goes_on_after_a_kill_and_takes_moves_back() {
    let mut here = Here::new();
    let (table, token) = here.table(json!({ "partner": "net", "others": "net", "seed": "3" })).await;
    let mut state = here.ask(&table, &token, None).await.unwrap();
    let without_version = |state: &Value| {
        let mut state = state.clone();
        state["v"] = Value::Null;
        state
    };
    let (mut moves, mut undone) = (0, 0);
    while state["over"].is_null() {
        // What happens after a move that is taken back is what happened before.
        let first = here.step(&table, &token, &state).await;
        if first["over"].is_null() && moves % 3 == 1 {
            let back = here.ask(&format!("{table}/undo"), &token, Some(json!({}))).await.unwrap();
            undone += 1;
            assert_eq!(back["undone"], undone);
            assert_eq!(back["hands"], state["hands"]);
            let second = here.step(&table, &token, &back).await;
            assert_eq!((&second["tricks"], &second["trick"]), (&first["tricks"], &first["trick"]));
        }
        here = here.again();
        state = here.ask(&table, &token, None).await.unwrap();
        assert_eq!(state["tricks"], first["tricks"]);
        moves += 1;
    }
    assert!(undone > 1);
    let text = here.records(&table);
    assert!(text.contains(&format!("\"undone\":{undone}")), "{text}");
    // A record that was not written is written, and half a line is cut.
    let directory = here.directory.path().join(&table);
    std::fs::write(directory.join("records.jsonl"), &text[..text.len() / 2]).unwrap();
    let moves = std::fs::read_to_string(directory.join("moves.jsonl")).unwrap();
    std::fs::write(directory.join("moves.jsonl"), moves + "{\"play\":{\"car").unwrap();
    let here = here.again();
    let again = here.ask(&table, &token, None).await.unwrap();
    assert_eq!(without_version(&again), without_version(&state));
    assert_eq!(here.records(&table), text);
}

#[tokio::test]
async fn others_sit_down_leave_and_turn_the_seats() {
    let here = Here::new();
    let new =
        json!({ "partner": "net", "others": "net", "seed": "5", "people": [2], "deal": { "number": 4 } });
    let made = here.ask("tables", "", Some(new)).await.unwrap();
    let table = format!("tables/{}", made["id"].as_str().unwrap());
    let tokens: Vec<_> = (0..2).map(|n| made["seats"][n]["token"].as_str().unwrap().to_owned()).collect();
    // Out of turn; then both play until one leaves.
    let mut turns = [0; 2];
    loop {
        let state = here.ask(&table, &tokens[0], None).await.unwrap();
        let Some(seat) = state["turn"]["seat"].as_u64().filter(|_| state["over"].is_null()) else { break };
        let own = usize::from(seat == 2);
        let wrong = here.ask(&format!("{table}/call"), &tokens[1 - own], Some(json!({ "call": "P" }))).await;
        assert_eq!(wrong.unwrap_err().0, StatusCode::CONFLICT);
        let state = here.ask(&table, &tokens[own], None).await.unwrap();
        here.step(&table, &tokens[own], &state).await;
        turns[own] += 1;
        if turns[1] == 3 {
            here.ask(&format!("{table}/leave"), &tokens[1], Some(json!({}))).await.unwrap();
        }
    }
    assert!(turns[0] > 3 && turns[1] == 3, "{turns:?}");
    let turned = here.ask(&format!("{table}/turned"), &tokens[0], Some(json!({}))).await.unwrap();
    assert_eq!([&turned["seats"][0]["seat"], &turned["seats"][1]["seat"]], [1, 3]);
    let next = format!("tables/{}", turned["id"].as_str().unwrap());
    let token = turned["seats"][0]["token"].as_str().unwrap();
    let (state, before) =
        (here.ask(&next, token, None).await.unwrap(), here.ask(&table, &tokens[0], None).await.unwrap());
    assert_eq!(state["first"][1], before["first"][1]);
    assert_eq!(state["dealer"], before["dealer"]);
}

#[tokio::test]
async fn a_claim_is_taken_when_the_solver_agrees() {
    let here = Here::new();
    // Seat 0 has all trumps.
    let hands = "JS 9S AS TS KS QS 8S 7S | JH 9H AH TH KH QH 8H 7H | JC 9C AC TC KC QC 8C 7C | JD 9D AD TD KD QD 8D 7D";
    let deal = json!({ "hands": hands, "dealer": 3 });
    let (table, token) = here.table(json!({ "partner": "rules", "others": "rules", "deal": deal })).await;
    here.ask(&format!("{table}/call"), &token, Some(json!({ "call": "CAPOTS" }))).await.unwrap();
    let state = here.ask(&format!("{table}/claim"), &token, Some(json!({}))).await.unwrap();
    assert_eq!(state["over"]["tricks"], json!([8, 0]));
    assert_eq!(replay(&Record::from_json(here.records(&table).trim()).unwrap()), []);
    // Seat 0 has none.
    let other = "JH 9H AH TH KH QH 8H 7H | JS 9S AS TS KS QS 8S 7S | JC 9C AC TC KC QC 8C 7C | JD 9D AD TD KD QD 8D 7D";
    let deal = json!({ "hands": other, "dealer": 3 });
    let (table, token) = here.table(json!({ "partner": "rules", "others": "rules", "deal": deal })).await;
    let mut state = here.ask(&table, &token, None).await.unwrap();
    while state["turn"]["kind"] == "call" {
        state = here.ask(&format!("{table}/call"), &token, Some(json!({ "call": "P" }))).await.unwrap();
    }
    if state["over"].is_null() {
        let (status, why) = here.ask(&format!("{table}/claim"), &token, Some(json!({}))).await.unwrap_err();
        assert_eq!(status, StatusCode::CONFLICT);
        assert!(why.contains("the solver disagrees"), "{why}");
    }
}
