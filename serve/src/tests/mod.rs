//! The server without a network: requests in, answers out.

mod access;
mod board;
mod coach;
mod games;
mod page;
mod shelf;
mod systems;

use std::path::Path;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode};
use coinche_bots::Registry;
use coinche_engine::RuleSet;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::api::router;
use crate::server::{Server, Settings};

fn settings(directory: &Path) -> Settings {
    Settings {
        listen: None,
        port: 0,
        tables: directory.join("tables"),
        shelf: None,
        rules: RuleSet::default(),
        bots: Vec::new(),
        origins: Vec::new(),
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

fn get(path: &str, token: &str) -> Request<Body> {
    let request =
        Request::get(path).header("host", "localhost:1").header("authorization", format!("Bearer {token}"));
    request.body(Body::empty()).unwrap()
}

fn query_of(position: &Value) -> String {
    let escaped = |text: &str| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<Vec<_>>().concat();
    let fields = position.as_object().unwrap().iter();
    let pairs: Vec<_> =
        fields.map(|(name, value)| format!("{name}={}", escaped(value.as_str().unwrap()))).collect();
    format!("position?{}", pairs.join("&"))
}

/// A request with a body.
fn post(path: &str, token: &str, body: &Value) -> Request<Body> {
    let request = Request::post(path)
        .header("host", "localhost:1")
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "application/json");
    request.body(Body::from(body.to_string())).unwrap()
}

/// The events of a position by name.
async fn events(here: &Here, query: &str) -> Vec<(String, Value)> {
    let path = format!("/api/v1/{}", query.replace("position?", "position/events?"));
    events_of(&here.send(get(&path, "")).await.1)
}

/// The events of an answer by name.
fn events_of(text: &str) -> Vec<(String, Value)> {
    let event = |part: &str| {
        let field = |name: &str| part.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
        Some((field("event: ")?, serde_json::from_str(&field("data: ")?).unwrap()))
    };
    text.split("\n\n").filter_map(event).collect()
}
