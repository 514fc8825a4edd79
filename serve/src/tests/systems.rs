//! Systems that are edited: faults, calls, runs.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use coinche_bots::Registry;
use coinche_bots::system::{SHIPPED, System};
use coinche_runs::{Records, RunFile};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::{Here, events_of, post, query_of, settings};
use crate::api::router;
use crate::server::Server;

const SYSTEM: &str = "name = \"mine\"\n[[rule]]\nwhen = \"opening and J and trumps >= 4\"\ncall = 80\n";

async fn check(here: &Here, text: &str, rules: &str) -> Value {
    here.ask("system/check", "", Some(json!({ "text": text, "rules": rules }))).await.unwrap()
}

#[tokio::test]
async fn the_calls_of_a_text_open_in_the_board() {
    let here = Here::new();
    for (name, rules) in [
        ("sound-beginner", "bga"),
        ("sound-beginner", "belote"),
        ("colver-balanced", "coinche"),
        ("found-contree", "contree"),
    ] {
        let file = here.ask(&format!("systems/{name}"), "", None).await.unwrap();
        let checked = check(&here, file["text"].as_str().unwrap(), rules).await;
        assert!(checked["error"].is_null(), "{name}: {checked}");
        let deals = checked["deals"].as_array().unwrap();
        assert_eq!(deals.len(), 200, "{name}");
        let by = |wanted: &Value| {
            deals
                .iter()
                .flat_map(|deal| deal["calls"].as_array().unwrap())
                .filter(|call| call[2] == *wanted)
                .count()
        };
        let listed = checked["rules"].as_array().unwrap();
        let mut sum = by(&json!(-1));
        assert_eq!(checked["floor_calls"], sum);
        for (n, rule) in listed.iter().enumerate() {
            assert_eq!(rule["calls"], by(&json!(n)), "{name}: {rule}");
            assert!(rule["words"][1].as_str().unwrap().contains(" → "), "{rule}");
            sum += by(&json!(n));
        }
        assert_eq!(checked["calls"], sum);
        for deal in deals.iter().take(20) {
            let calls = deal["calls"].as_array().unwrap();
            let text = |call: &Value| match call[1].as_str().unwrap() {
                call_text @ ("X" | "XX") => format!("{}:{call_text}", call[0]),
                call_text => call_text.to_owned(),
            };
            let hand = |hand: &Value| {
                hand.as_array()
                    .unwrap()
                    .iter()
                    .map(|card| card.as_str().unwrap())
                    .collect::<Vec<_>>()
                    .join(" ")
            };
            let position = json!({
                "rules": rules, "dealer": deal["dealer"].to_string(),
                "hands": deal["hands"].as_array().unwrap().iter().map(hand).collect::<Vec<_>>().join(" | "),
                "turned": deal["turned"].as_str().unwrap_or_default(),
                "auction": calls.iter().map(text).collect::<Vec<_>>().join(" "),
            });
            let board = here.ask(&query_of(&position), "", None).await.unwrap();
            let told: Vec<_> = calls.iter().map(|call| json!([call[0], call[1]])).collect();
            assert_eq!(board["auction"], json!(told), "{name}, {rules}");
        }
    }
}

#[tokio::test]
async fn faults_have_a_place_and_a_remedy() {
    let here = Here::new();
    for (text, rules, place, part) in [
        (SYSTEM.replace("trumps", "trump_s"), "bga", json!([3, 27]), "did you mean `trumps`?"),
        (SYSTEM.replace("call = 80", "call = 85"), "bga", json!([4, 8]), "not a level"),
        (SYSTEM.replace("[[rule]]", "[[rule"), "bga", json!([2, 7]), "docs/user/systems.md"),
        (
            SYSTEM.replace("call", "in = \"SA\"\ncall").replace("J and trumps", "aces"),
            "belote",
            json!([null, null]),
            "no rule",
        ),
        (
            SYSTEM.replace("call", "in = \"SA\"\ncall").replace("J and trumps", "aces"),
            "contree",
            json!([4, 6]),
            "has_sa",
        ),
        (String::new(), "bga", json!([1, 1]), "name"),
    ] {
        let error = check(&here, &text, rules).await["error"].clone();
        assert_eq!(json!([error["line"], error["column"]]), place, "{text}: {error}");
        assert!(error["text"].as_str().unwrap().contains(part), "{text}: {error}");
        // A text that is wrong neither plays nor explains.
        for path in ["system/run", "system/explain"] {
            let mut body = json!({ "text": text });
            if path == "system/run" {
                (body["against"], body["rules"]) = (json!("net"), json!(rules));
            } else if error["line"].is_null() || part == "has_sa" {
                continue;
            } else {
                body["position"] = json!({ "hands": "JS 9S AS TS 7H 8H 7C 8C" });
            }
            let (status, why) = here.ask(path, "", Some(body)).await.unwrap_err();
            assert!(status == StatusCode::BAD_REQUEST && why.contains("system: "), "{path}: {why}");
        }
    }
    let long = format!("{SYSTEM}# {}", "x".repeat(32_000));
    let (status, why) = here.ask("system/check", "", Some(json!({ "text": long }))).await.unwrap_err();
    assert!(status == StatusCode::BAD_REQUEST && why.contains("32000 bytes"), "{why}");
    let longer = json!({ "text": "x".repeat(100_000) });
    assert_eq!(
        here.ask("system/check", "", Some(longer)).await.unwrap_err().0,
        StatusCode::PAYLOAD_TOO_LARGE
    );
}

#[tokio::test]
async fn neither_files_nor_programs_nor_slow_bidders_are_met() {
    let here = Here::new();
    let file = here.directory.path().join("secret.toml");
    std::fs::write(&file, SYSTEM).unwrap();
    for against in [
        &format!("system:file={}", file.display()),
        "cmd:touch pwned",
        "mc",
        "dd:worlds=100000",
        "ismcts",
        "edited",
        "net&rules",
        "",
    ] {
        let body = json!({ "text": SYSTEM, "against": against });
        let (status, _) = here.ask("system/run", "", Some(body)).await.unwrap_err();
        assert_eq!(status, StatusCode::BAD_REQUEST, "{against}");
    }
    for name in ["..%2Fsecret.toml", "secret.toml", "natural", "drawn-1"] {
        assert!(here.ask(&format!("systems/{name}"), "", None).await.is_err(), "{name}");
    }
    for deals in [0, 1, 200_001] {
        let body = json!({ "text": SYSTEM, "against": "net", "deals": deals });
        let (status, why) = here.ask("system/run", "", Some(body)).await.unwrap_err();
        assert!(status == StatusCode::BAD_REQUEST && why.contains("2 to 200000"), "{why}");
    }
}

#[tokio::test]
async fn a_run_has_the_verdict_of_arena_run() {
    let here = Here::new();
    let shipped = SHIPPED.iter().find(|it| it.name == "nimbustier-classic").unwrap();
    let body =
        json!({ "text": shipped.text, "against": "Club=net", "rules": "contree", "deals": 500, "seed": "8" });
    let told = events_of(&here.send(post("/api/v1/system/run", "", &body)).await.1);
    assert_eq!(told.last().unwrap().0, "done");
    let results: Vec<_> = told.iter().filter(|(name, _)| name == "result").map(|(_, it)| it).collect();
    let last = results.last().unwrap();
    assert_eq!((&last["deals"], &last["asked"]), (&json!(500), &json!(500)));
    let run = RunFile {
        bots: Some(vec!["system:name=nimbustier-classic+rules".to_owned(), "net+rules".to_owned()]),
        freeze: Some("play=rules".parse().unwrap()),
        set: None,
        rules: Some(coinche_runs::RulesText::Name("contree".to_owned())),
        deals: Some(500),
        seed: Some("8".parse().unwrap()),
        records: Some(Records::None),
        threads: Some(2),
        progress: Some(coinche_selfplay::ProgressMode::None),
        ..RunFile::default()
    };
    let registry = Registry::builtin();
    let config = run.check(&registry).unwrap();
    let played =
        coinche_runs::play_run(config, &registry, false, &AtomicBool::new(false), &mut |_, _| {}).unwrap();
    // As it is sent: the last digit of a number may differ from that of the value itself.
    let expected = serde_json::to_string(&played.totals.first().points.estimate()).unwrap();
    let expected: Value = serde_json::from_str(&expected).unwrap();
    assert_eq!(last["points"], expected);
    // It is a bidder of this program: none of its seats has to be asked again by a process of its own.
    let system = System::read(SYSTEM, &[]).unwrap();
    let with = Registry::builtin().with_system("edited", system.clone()).unwrap();
    assert_eq!(with.parse("edited+rules").unwrap().may_remember(), [None, None]);
    assert!(with.with_system("edited", system).is_err());
    // More deals, a shorter interval.
    let half = |it: &Value| it["points"]["half_width"].as_f64().unwrap_or(f64::INFINITY);
    assert!(results.windows(2).all(|pair| half(pair[1]) < 2.0 * half(pair[0])));
}

#[tokio::test]
async fn leaving_the_page_ends_a_run() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::new(settings(directory.path()), &Registry::builtin()).unwrap();
    let here = Here { directory, router: router(Arc::clone(&server)) };
    let before = Arc::strong_count(&server);
    let body = json!({ "text": SYSTEM, "against": "net", "deals": 200_000 });
    let answer = here.router.clone().oneshot(post("/api/v1/system/run", "", &body)).await.unwrap();
    let mut stream = answer.into_body().into_data_stream();
    let first = stream.next().await.unwrap().unwrap();
    assert!(first.starts_with(b"event: result"));
    assert!(Arc::strong_count(&server) > before);
    drop(stream);
    let began = Instant::now();
    while Arc::strong_count(&server) > before {
        assert!(began.elapsed() < Duration::from_secs(10), "the run goes on");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn the_edited_system_explains_the_calls_of_a_position() {
    let here = Here::new();
    let hands = "JS 9S AS TS 7H 8H 7C 8C | JH 9H AH TH KC QC KS QS | 8S 7S KH QH 9C JC TC AC | JD 9D AD TD KD QD 8D 7D";
    let position = json!({ "rules": "contree", "dealer": "3", "hands": hands, "auction": "80S P" });
    let body = json!({ "text": SYSTEM, "position": position });
    let text = here.send(post("/api/v1/system/explain", "", &body)).await.1;
    let told = events_of(&text);
    let said: Vec<_> = told.iter().filter(|(name, _)| name == "system").map(|(_, it)| it).collect();
    assert_eq!(said.len(), 3, "what it calls now, and the two calls before: {text}");
    assert_eq!((&said[2]["call"], &said[2]["made"]), (&json!("80S"), &json!("80S")));
    assert_eq!(
        said[2]["rules"][0]["words"][1],
        "Ouvertures · le valet\u{a0}; cartes de la couleur\u{a0}: au moins 4 → 80, la meilleure couleur"
    );
    // A deal that is over asks nothing.
    let over = json!({ "dealer": "3", "hands": hands, "auction": "P P P P" });
    let body = json!({ "text": SYSTEM, "position": over });
    let told = events_of(&here.send(post("/api/v1/system/explain", "", &body)).await.1);
    assert_eq!(told.len(), 1);
}
