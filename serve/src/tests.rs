//! The server without a network: requests in, answers out.

use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode};
use coinche_analysis::advise::{self, Adviser, Asked, Budget, Models, Question};
use coinche_analysis::judge;
use coinche_bots::Registry;
use coinche_engine::record::{Record, replay};
use coinche_engine::{Key, RuleSet, Seat, Team};
use coinche_runs::RunFile;
use coinche_selfplay::Solvers;
use coinche_selfplay::records::pbn::{self, Kept};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::api::router;
use crate::page::{OPENAPI, PAGE};
use crate::server::{Server, Settings};

fn settings(directory: &Path) -> Settings {
    Settings {
        listen: None,
        port: 0,
        tables: directory.join("tables"),
        shelf: None,
        rules: RuleSet::default(),
        bots: Vec::new(),
        threads: 2,
        duplicate: None,
    }
}

/// A server, and the directory of its tables.
struct Here {
    directory: tempfile::TempDir,
    router: Router,
}

impl Here {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let router = router(Server::new(settings(directory.path()), &Registry::builtin()).unwrap());
        Self { directory, router }
    }

    /// Starts it again, as after a kill.
    fn again(self) -> Self {
        let Self { directory, router: before } = self;
        drop(before);
        let router = router(Server::new(settings(directory.path()), &Registry::builtin()).unwrap());
        Self { directory, router }
    }

    async fn send(&self, request: Request<Body>) -> (StatusCode, String) {
        let answer = self.router.clone().oneshot(request).await.unwrap();
        let status = answer.status();
        let bytes = to_bytes(answer.into_body(), 1 << 24).await.unwrap();
        (status, String::from_utf8(bytes.to_vec()).unwrap())
    }

    async fn ask(&self, path: &str, token: &str, body: Option<Value>) -> Result<Value, (StatusCode, String)> {
        let request = Request::builder()
            .method(if body.is_some() { Method::POST } else { Method::GET })
            .uri(format!("/api/v1/{path}"))
            .header("host", "127.0.0.1:1")
            .header("authorization", format!("Bearer {token}"))
            .header("content-type", "application/json");
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        let (status, text) = self.send(request.body(body).unwrap()).await;
        if status.is_success() { Ok(serde_json::from_str(&text).unwrap()) } else { Err((status, text)) }
    }

    /// Makes a table, and returns its path and the token of seat 0.
    async fn table(&self, new: Value) -> (String, String) {
        let made = self.ask("tables", "", Some(new)).await.unwrap();
        let token = made["seats"][0]["token"].as_str().unwrap();
        (format!("tables/{}", made["id"].as_str().unwrap()), token.to_owned())
    }

    /// Plays the first legal thing until the deal is over.
    async fn deal(&self, table: &str, token: &str) -> Value {
        let mut state = self.ask(table, token, None).await.unwrap();
        while state["over"].is_null() {
            state = self.step(table, token, &state).await;
        }
        state
    }

    async fn step(&self, table: &str, token: &str, state: &Value) -> Value {
        let (action, body) = match state["legal"]["calls"].as_array().and_then(|calls| calls.first()) {
            Some(call) => ("call", json!({ "call": call })),
            None => ("play", json!({ "card": state["legal"]["cards"][0] })),
        };
        self.ask(&format!("{table}/{action}"), token, Some(body)).await.unwrap()
    }

    fn records(&self, table: &str) -> String {
        std::fs::read_to_string(self.directory.path().join(table).join("records.jsonl")).unwrap()
    }
}

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
        assert_eq!(hint["others"], expected["others"]);
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

fn get(path: &str, token: &str) -> Request<Body> {
    let request =
        Request::get(path).header("host", "localhost:1").header("authorization", format!("Bearer {token}"));
    request.body(Body::empty()).unwrap()
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

#[tokio::test]
async fn other_pages_names_and_forged_tokens_get_nothing() {
    let here = Here::new();
    let (table, token) = here.table(json!({ "partner": "net", "others": "net" })).await;
    let path = format!("/api/v1/{table}");
    let with = |name: &str, value: &str| {
        let mut request = get(&path, &token);
        request.headers_mut().insert(axum::http::HeaderName::try_from(name).unwrap(), value.parse().unwrap());
        request
    };
    assert_eq!(here.send(get(&path, &token)).await.0, StatusCode::OK);
    for (name, value) in [
        ("host", "evil.example"),
        ("host", "127.0.0.1.evil.example:1"),
        ("origin", "http://evil.example"),
        ("origin", "null"),
        ("origin", "http://localhost:2"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("authorization", "Bearer 00000000000000000000000000000000"),
        ("authorization", "Bearer "),
    ] {
        assert_eq!(here.send(with(name, value)).await.0, StatusCode::FORBIDDEN, "{name}: {value}");
    }
    let mut request = with("content-type", "text/plain");
    *request.method_mut() = Method::POST;
    *request.uri_mut() = format!("{path}/undo").parse().unwrap();
    assert_eq!(here.send(request).await.0, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let ids = ["..%2F..%2Fetc", "00", "zz", "%2e%2e"];
    for id in ids {
        assert_eq!(here.send(get(&format!("/api/v1/tables/{id}"), &token)).await.0, StatusCode::NOT_FOUND);
    }
    // The bots that the page offers first are none of those that follow.
    here.table(json!({})).await;
    // Neither files nor programs are reached by names.
    let file = here.directory.path().join("secret");
    std::fs::write(&file, "secret").unwrap();
    let file = file.display();
    for bot in [
        format!("net:cards={file}"),
        format!("table:file={file}"),
        format!("system:file={file}"),
        format!("rules+pimc:model=system:file={file}"),
        format!("rules+pimc:population={file}"),
        "cmd:touch pwned".to_owned(),
        "rules+cmd:touch pwned".to_owned(),
        "net+pimc:time=1h".to_owned(),
        "x".repeat(300),
    ] {
        let (status, why) = here.ask("tables", "", Some(json!({ "partner": bot }))).await.unwrap_err();
        assert_eq!(status, StatusCode::BAD_REQUEST, "{bot}");
        assert!(!why.contains("secret\n") && !why.contains("No such file"), "{why}");
    }
    for rules in ["/etc/passwd", "../x.toml"] {
        assert!(here.ask("tables", "", Some(json!({ "rules": rules }))).await.is_err());
    }
    let long = json!({ "name": "x".repeat(100_000) });
    assert_eq!(here.ask("tables", "", Some(long)).await.unwrap_err().0, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn with_listen_all_but_seats_needs_the_token() {
    let directory = tempfile::tempdir().unwrap();
    let settings = Settings { listen: Some([127, 0, 0, 1].into()), ..settings(directory.path()) };
    let server = Server::new(settings, &Registry::builtin()).unwrap();
    let token = server.token.clone().unwrap();
    let here = Here { directory, router: router(Arc::clone(&server)) };
    for path in ["tables", "position?hands=x", "shelf"] {
        assert_eq!(here.ask(path, "guess", None).await.unwrap_err().0, StatusCode::UNAUTHORIZED, "{path}");
    }
    assert_eq!(here.ask("tables", "", Some(json!({}))).await.unwrap_err().0, StatusCode::UNAUTHORIZED);
    // A report is opened by its own key, which opens nothing else.
    let key = server.reports.clone();
    for (path, token, status) in [
        ("/shelf/x".to_owned(), "", StatusCode::UNAUTHORIZED),
        ("/shelf/x?key=guess".to_owned(), "", StatusCode::UNAUTHORIZED),
        (format!("/shelf/x?key={key}"), "", StatusCode::NOT_FOUND),
        (format!("/api/v1/shelf?key={key}"), &key, StatusCode::UNAUTHORIZED),
    ] {
        assert_eq!(here.send(get(&path, token)).await.0, status, "{path}");
    }
    let made = here.ask("tables", &token, Some(json!({ "partner": "net", "others": "net" }))).await.unwrap();
    let seat = made["seats"][0]["token"].as_str().unwrap();
    let table = format!("tables/{}", made["id"].as_str().unwrap());
    assert!(here.ask(&table, seat, None).await.is_ok());
    assert_eq!(here.ask(&table, &token, None).await.unwrap_err().0, StatusCode::FORBIDDEN);
}

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

fn query_of(position: &Value) -> String {
    let escaped = |text: &str| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<Vec<_>>().concat();
    let fields = position.as_object().unwrap().iter();
    let pairs: Vec<_> =
        fields.map(|(name, value)| format!("{name}={}", escaped(value.as_str().unwrap()))).collect();
    format!("position?{}", pairs.join("&"))
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

/// The events of a position by name.
async fn events(here: &Here, query: &str) -> Vec<(String, Value)> {
    let path = format!("/api/v1/{}", query.replace("position?", "position/events?"));
    let text = here.send(get(&path, "")).await.1;
    let event = |part: &str| {
        let field = |name: &str| part.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
        Some((field("event: ")?, serde_json::from_str(&field("data: ")?).unwrap()))
    };
    text.split("\n\n").filter_map(event).collect()
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

/// Returns the texts of the catalogue: key, and a text for each language.
fn catalogue() -> Vec<(String, Vec<String>)> {
    let shared = include_str!("../page/shared.js");
    let (_, rest) = shared.split_once("const WORDS = {").unwrap();
    let (mut rest, _) = rest.split_once("\n};").unwrap();
    let mut words = Vec::new();
    while let Some((before, after)) = rest.split_once(": [") {
        let key = before.rsplit([' ', '\n', ',']).next().unwrap().to_owned();
        let (list, behind) = after.split_once(']').unwrap();
        words.push((key, list.split('\'').skip(1).step_by(2).map(str::to_owned).collect()));
        rest = behind;
    }
    words
}

#[test]
fn all_texts_of_the_page_are_in_one_catalogue_in_both_languages() {
    let words = catalogue();
    assert!(words.len() > 150);
    let slots = |text: &str| (0..9).filter(|n| text.contains(&format!("{{{n}}}"))).collect::<Vec<_>>();
    for (n, (key, texts)) in words.iter().enumerate() {
        let [english, french] = &texts[..] else { panic!("{key}: {texts:?}") };
        assert!(!english.trim().is_empty() && !french.trim().is_empty(), "{key}");
        assert_eq!(slots(english), slots(french), "{key}");
        assert!(words[..n].iter().all(|(other, _)| other != key), "{key} is there twice");
    }
    let has = |key: &str| words.iter().any(|(own, _)| own == key);
    // Keys that are put together, or are words of the interface.
    let causes = judge::CAUSES.map(|cause| format!("cause_{}", cause.replace(' ', "_")));
    let states = ["done", "working", "failed", "ready", "waiting"].map(|state| format!("state_{state}"));
    let kinds = coinche_engine::MeldKind::ALL.map(|kind| kind.to_string());
    let speeds = ["slow", "normal", "fast"].map(str::to_owned);
    let made: Vec<_> = causes.into_iter().chain(states).chain(kinds).chain(speeds).collect();
    for key in &made {
        assert!(has(key), "{key} is missing");
    }
    let scripts: Vec<_> = PAGE
        .iter()
        .filter(|(path, ..)| path.strip_suffix(".js").is_some_and(|name| name != "/preact"))
        .collect();
    let mut all = String::new();
    for (path, _, bytes) in scripts {
        let text = std::str::from_utf8(bytes).unwrap();
        let text = text.split_once("\n};").filter(|_| *path == "/shared.js").map_or(text, |(_, rest)| rest);
        all.push_str(text);
        for (at, _) in text.match_indices("t('") {
            let is_call = !text[..at].ends_with(|before: char| before.is_alphanumeric() || before == '.');
            let key = text[at + 3..].split('\'').next().unwrap();
            assert!(!is_call || has(key), "{path}: {key} is missing");
        }
        // No words stand in the page itself.
        for (at, _) in text.match_indices('>') {
            let word: String = text[at + 1..].chars().take_while(|it| it.is_alphabetic()).collect();
            let in_text = !text[..at].ends_with(['=', ' ']) && word.chars().count() > 1;
            assert!(!in_text, "{path}: `{word}` is not in the catalogue");
        }
        for name in ["aria-label=\"", "title=\"", "placeholder=\""] {
            assert!(!text.contains(name), "{path}: {name}");
        }
    }
    for (key, _) in &words {
        let quoted = [format!("'{key}'"), format!("`{key}`")];
        let is_used = made.contains(key) || quoted.iter().any(|it| all.contains(it.as_str()));
        assert!(is_used, "{key} is not used");
    }
}

#[tokio::test]
async fn random_requests_change_nothing_and_never_fail() {
    let here = Here::new();
    let (table, token) = here.table(json!({ "partner": "net", "others": "net", "seed": "9" })).await;
    let before = here.ask(&table, &token, None).await.unwrap();
    let rounds = if std::env::var_os("COINCHE_LONG").is_some() { 10_000 } else { 1_000 };
    let mut rng = Key::decisions(1, 0, Seat::S0);
    let mut pick = move |n: usize| {
        rng = rng.and(1);
        usize::try_from(rng.bits() % n as u64).unwrap()
    };
    let words = [
        "/api/v1",
        "/tables",
        &format!("/{table}"),
        "/",
        "//",
        "/..",
        "/%00",
        "/call",
        "/events",
        "/position",
        "?hands=",
        "%7C",
        "JS",
        "&auction=",
        "é",
        "/shelf",
        "/app.js",
        "/next",
    ];
    let bodies = [
        "",
        "{}",
        "{\"call\":\"XX\"}",
        "{\"card\":\"ZZ\"}",
        "[",
        "null",
        "{\"seat\":9}",
        "{\"set\":[\"a=b\"]}",
        "\"\u{0}\"",
        "{\"deal\":{\"hands\":\"|||\"}}",
        "{\"partner\":\"cmd:x\"}",
        "{\"name\":\"\"}",
    ];
    let own = format!("/api/v1/{table}");
    let mut statuses = std::collections::BTreeMap::new();
    for _ in 0..rounds {
        let start = ["/api/v1", "", own.as_str()][pick(3)];
        let rest: String = (0..pick(4)).map(|_| words[pick(words.len())]).collect();
        let path = format!("{start}{rest}");
        let method =
            [Method::GET, Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS][pick(5)].clone();
        let Ok(uri) = path.parse::<axum::http::Uri>() else { continue };
        let request = Request::builder().method(method).uri(uri).header("host", "127.0.0.1:1");
        let request = request.header("content-type", "application/json").header("authorization", "Bearer x");
        let Ok(request) = request.body(Body::from(bodies[pick(bodies.len())])) else { continue };
        // Making a table is no mistake.
        if request.method() == Method::POST && request.uri().path() == "/api/v1/tables" {
            continue;
        }
        let answer = here.router.clone().oneshot(request).await.unwrap();
        *statuses.entry(answer.status().as_u16()).or_insert(0) += 1;
        assert!(!answer.status().is_server_error(), "{path}");
    }
    assert!(statuses.len() > 4, "{statuses:?}");
    let mut after = here.ask(&table, &token, None).await.unwrap();
    after["v"] = before["v"].clone();
    assert_eq!(after, before);
}

#[test]
fn the_interface_is_described_and_the_page_is_small() {
    let described: Value = serde_json::from_str(OPENAPI).unwrap();
    let paths: Vec<_> = described["paths"].as_object().unwrap().keys().cloned().collect();
    let source = include_str!("api.rs");
    let routes: Vec<_> = source
        .split(".route(\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap().replace('*', ""))
        .filter(|route| !route.ends_with("openapi.json"))
        .collect();
    assert!(routes.len() > 10);
    for route in &routes {
        assert!(paths.contains(route), "{route} is not in openapi.json");
    }
    assert_eq!(paths.len(), routes.len());
    let size: usize = PAGE.iter().map(|(_, _, bytes)| bytes.len()).sum();
    assert!(size < 300_000, "{size} bytes");
    for (path, _, bytes) in PAGE {
        let text = std::str::from_utf8(bytes).unwrap();
        // No other host is asked for anything: addresses are only those of licences and of SVG.
        for found in
            text.match_indices("://").map(|(at, _)| &text[at.saturating_sub(5)..(at + 20).min(text.len())])
        {
            let known = ["github.com", "w3.org", "www.w3.org"];
            assert!(known.iter().any(|known| found.contains(known)), "{path}: {found}");
        }
        assert!(!text.contains("innerHTML") || path == "/preact.js", "{path}");
    }
}
