//! The runs of a directory.

use axum::http::StatusCode;
use coinche_bots::Registry;
use coinche_runs::RunFile;
use serde_json::{Value, json};

use super::{Here, query_of, settings};
use crate::api::router;
use crate::server::{Server, Settings};

#[tokio::test]
async fn the_shelf_shows_runs_and_their_deals() {
    let directory = tempfile::tempdir().unwrap();
    let (shelf, registry) = (directory.path().join("runs"), Registry::builtin());
    let run = RunFile {
        bots: Some(vec!["rules".to_owned(), "random+rules".to_owned()]),
        deals: Some(60),
        seed: Some(5.into()),
        threads: Some(1),
        out: Some(shelf.join("one")),
        progress: Some(coinche_selfplay::ProgressMode::None),
        ..RunFile::default()
    };
    let config = run.check(&registry).unwrap();
    let never = std::sync::atomic::AtomicBool::new(false);
    let played = coinche_runs::play_run(config, &registry, true, &never, &mut |_, _| {}).unwrap();
    let settings = Settings { shelf: Some(shelf.clone()), ..settings(directory.path()) };
    let here = Here { directory, router: router(Server::new(settings, &registry).unwrap()) };
    let list = here.ask("shelf", "", None).await.unwrap();
    let row = &list[0];
    assert_eq!((&row["name"], &row["state"], &row["done"]), (&json!("one"), &json!("done"), &json!(60)));
    let figures = serde_json::to_value(&played.figures).unwrap();
    let same = |a: &Value, b: &Value| (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-9;
    assert!(same(&row["pairings"][0]["mean"], &figures["figures"]["points"]["mean"]));
    assert_eq!(row["pairings"][0]["a"], "rules");
    assert!(row["per_second"].as_f64().unwrap() > 0.0);
    for (by, least) in [("swing", 10), ("coinched", 1), ("slam_failed", 0)] {
        let deals = here.ask(&format!("shelf/deals?run=one&by={by}"), "", None).await.unwrap();
        let deals = deals.as_array().unwrap();
        assert!(deals.len() >= least, "{by}: {}", deals.len());
        let mut before = f64::INFINITY;
        for deal in deals {
            let size = deal["difference"].as_f64().unwrap().abs();
            assert!(size <= before);
            before = size;
            let legs = deal["legs"].as_array().unwrap();
            assert_eq!(legs.len(), 2, "they are played again");
            let score = |leg: usize| {
                let score = &legs[leg]["record"]["score"];
                (score[leg].as_f64().unwrap() - score[1 - leg].as_f64().unwrap()).abs()
            };
            let sum: f64 =
                [0, 1].map(|leg| deal["differences"][leg].as_f64().unwrap().abs() - score(leg)).iter().sum();
            assert!(sum.abs() < 1e-9, "{deal}");
            let end = here.ask(&query_of(&legs[0]["position"]), "", None).await.unwrap();
            assert_eq!(end["over"]["score"], legs[0]["record"]["score"]);
            let is_met = |leg: &Value| {
                let contract = &leg["record"]["contract"];
                match by {
                    "coinched" => contract["stake"].as_str().is_some_and(|stake| stake != "plain"),
                    "slam_failed" => {
                        leg["record"]["made"] == false
                            && contract["bid"].as_str().unwrap().starts_with("CAPOT")
                    }
                    _ => size > 0.0,
                }
            };
            assert!(legs.iter().any(is_met), "{by}: {deal}");
        }
    }
    for (path, status) in [
        ("shelf/deals?run=two", StatusCode::NOT_FOUND),
        ("shelf/deals?run=../one", StatusCode::NOT_FOUND),
        ("shelf/deals?run=one&by=what", StatusCode::BAD_REQUEST),
    ] {
        assert_eq!(here.ask(path, "", None).await.unwrap_err().0, status, "{path}");
    }
    // Without its figures it is under way: what its state says is shown.
    std::fs::remove_file(shelf.join("one/run.json")).unwrap();
    let list = here.ask("shelf", "", None).await.unwrap();
    assert_eq!((&list[0]["done"], &list[0]["asked"]), (&json!(60), &json!(60)));
    assert!(same(&list[0]["pairings"][0]["mean"], &row["pairings"][0]["mean"]));
}
