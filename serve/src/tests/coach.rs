//! What decisions cost.

use coinche_analysis::advise::{self, Adviser, Asked, Budget, Models, Question};
use coinche_analysis::judge;
use coinche_bots::Registry;
use coinche_engine::record::Record;
use coinche_engine::{Key, RuleSet, Seat, Team};
use coinche_selfplay::Solvers;
use serde_json::{Value, json};

use super::{Here, get, settings};
use crate::api::router;
use crate::server::{Server, Settings};

#[tokio::test]
async fn the_coach_says_what_judge_and_advise_say() {
    let here = Here::new();
    let (table, token) = here.table(json!({ "partner": "net", "others": "net", "seed": "11" })).await;
    let mut state = here.ask(&table, &token, None).await.unwrap();
    let solvers = Solvers::new(Some(1)).unwrap();
    let net = Registry::builtin().parse("net").unwrap();
    let (models, mut compared, mut open) = (Models::new(net.clone(), net), 0, 0);
    while state["over"].is_null() {
        let hint = here.ask(&format!("{table}/hint"), &token, None).await.unwrap();
        // The question as it is typed for `arena advise`.
        let words = |list: &Value| {
            list.as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect::<Vec<_>>().join(" ")
        };
        let auction: Vec<_> =
            state["auction"].as_array().unwrap().iter().map(|it| it[1].as_str().unwrap()).collect();
        let mut tricks: Vec<_> =
            state["tricks"].as_array().unwrap().iter().map(|it| words(&it["cards"])).collect();
        tricks.push(
            state["trick"]
                .as_array()
                .unwrap()
                .iter()
                .map(|it| it[1].as_str().unwrap())
                .collect::<Vec<_>>()
                .join(" "),
        );
        let (hand, auction, tricks) = (words(&state["first"][0]), auction.join(" "), tricks.join(" / "));
        let belotes: Vec<_> = state["belote"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|it| it["seat"] != 0)
            .map(|it| it["seat"].to_string())
            .collect();
        let asked = Asked {
            hand: &hand,
            auction: &auction,
            tricks: (!state["contract"].is_null()).then_some(tricks.as_str()),
            turned: None,
            dealer: Seat::from_index(usize::try_from(state["dealer"].as_u64().unwrap()).unwrap()),
            seat: None,
            offered: None,
            score: "0,0",
            melds: None,
            shown: None,
            belotes: &belotes,
        };
        let question = Question::read(&RuleSet::default(), &asked).unwrap();
        let key = Key::decisions("11".parse::<coinche_engine::Seed>().unwrap(), 0, Seat::S0);
        let adviser =
            Adviser { solvers: &solvers, budget: Budget::Worlds(100), by: None, models: &models, key };
        let expected = advise::json(&question, &advise::advise(&question, &adviser)).to_string();
        let expected: Value = serde_json::from_str(&expected).unwrap();
        assert_eq!(hint["options"], expected["options"]);
        assert_eq!((&hint["advice"], &hint["sentence"]), (&expected["advice"], &expected["sentence"]));
        assert!(hint["others"].is_null(), "what takes longest is asked in the analysis alone");
        compared += 1;
        let is_play = state["turn"]["kind"] == "play";
        state = here.step(&table, &token, &state).await;
        if is_play && state["over"].is_null() {
            let cost = here.ask(&format!("{table}/cost"), &token, None).await.unwrap();
            open += cost["open"]["points"].as_i64().unwrap();
        }
    }
    assert!(compared > 7);
    let figures = here.ask(&format!("{table}/figures"), &token, None).await.unwrap();
    let path = here.directory.path().join(&table).join("records.jsonl");
    let settings = judge::Settings { file: path, sample: 1.0, seed: 0.into(), audit: false, by: None };
    let mut files = judge::DecisionFiles::create(None, None).unwrap();
    let totals = judge::judge(&settings, &solvers, &mut files, coinche_selfplay::ProgressMode::None).unwrap();
    assert_eq!(figures["judge"]["bots"], judge::json(&settings, &totals)["bots"]);
    let judged = figures["judge"]["bots"].as_array().unwrap().iter().find(|it| it["bot"] == "human").unwrap();
    assert_eq!(judged["cards"]["all"]["points"]["sum"], open, "after each decision, and in all");
    let review = here.send(get(&format!("/api/v1/{table}/coach"), &token)).await.1;
    assert!(review.contains("event: judge") && review.contains("event: done"), "{review}");
    let line = review.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
    let told: Value = serde_json::from_str(line).unwrap();
    let sum: i64 = told["cards"].as_array().unwrap().iter().map(|it| it["points"].as_i64().unwrap()).sum();
    assert_eq!(sum, open);
}

#[tokio::test]
async fn the_same_cards_are_compared() {
    let directory = tempfile::tempdir().unwrap();
    let registry = Registry::builtin();
    let settings = Settings { duplicate: Some("pairs".parse().unwrap()), ..settings(directory.path()) };
    let here = Here { directory, router: router(Server::new(settings, &registry).unwrap()) };
    let new = || json!({ "partner": "rules", "others": "net", "rules": "contree" });
    let mut tables = Vec::new();
    for _ in 0..2 {
        tables.push(here.table(new()).await);
    }
    // The first takes the first legal choice, the second leaves all to the bot.
    for (n, (table, token)) in tables.iter().enumerate() {
        for deal in 0..5 {
            if deal > 0 {
                here.ask(&format!("{table}/next"), token, Some(json!({}))).await.unwrap();
            }
            if n == 0 {
                here.deal(table, token).await;
            } else {
                here.ask(&format!("{table}/resign"), token, Some(json!({}))).await.unwrap();
            }
        }
    }
    let mut figures = Vec::new();
    for (table, token) in &tables {
        figures.push(here.ask(&format!("{table}/figures"), token, None).await.unwrap()["same_cards"].clone());
    }
    let scores = tables.iter().map(|(table, _)| {
        let records = here.records(table);
        let read = |line: &str| Record::from_json(line).unwrap();
        records
            .lines()
            .map(read)
            .map(|it| ((it.dealer, it.hands), f64::from(it.score[Team::Even] - it.score[Team::Odd])))
            .collect::<Vec<_>>()
    });
    let [own, bot] = &scores.collect::<Vec<_>>()[..] else { panic!() };
    assert_eq!(own[0].0, bot[0].0, "the same cards");
    let pairs: Vec<f64> = own
        .iter()
        .filter_map(|(cards, score)| Some(score - bot.iter().find(|it| it.0 == *cards)?.1))
        .collect();
    assert_eq!(figures[0]["people"]["deals"], pairs.len());
    let mean = pairs.iter().sum::<f64>() / pairs.len() as f64;
    assert!((figures[0]["people"]["mean"].as_f64().unwrap() - mean).abs() < 1e-9, "{figures:?}");
    assert!((figures[1]["people"]["mean"].as_f64().unwrap() + mean).abs() < 1e-9, "{figures:?}");
    // Who leaves all to the bot does as well as bots.
    assert_eq!((&figures[1]["bots"]["deals"], &figures[1]["bots"]["mean"]), (&json!(5), &json!(0.0)));
    assert_eq!(figures[0]["bots"]["deals"], 5);
}
