//! Who gets in, and who does not.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use coinche_bots::Registry;
use coinche_engine::{Key, Seat};
use serde_json::json;
use tower::ServiceExt as _;

use super::{Here, get, settings};
use crate::api::router;
use crate::server::{Server, Settings};

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
async fn a_page_that_was_named_may_use_the_interface_alone() {
    let directory = tempfile::tempdir().unwrap();
    let origins = vec!["https://club.example".parse().unwrap()];
    let settings = Settings { origins, ..settings(directory.path()) };
    let router = router(Server::new(settings, &Registry::builtin()).unwrap());
    let ask = |method: Method, path: &str, origin: &str, host: &str| {
        let request = Request::builder().method(method).uri(path).header("host", host);
        let request = request.header("origin", origin).header("sec-fetch-site", "cross-site");
        router.clone().oneshot(request.body(Body::empty()).unwrap())
    };
    let (here, club) = ("127.0.0.1:1", "https://club.example");
    let answer = ask(Method::GET, "/api/v1/about", club, here).await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["access-control-allow-origin"], club);
    assert_eq!(answer.headers()["vary"], "origin");
    let answer = ask(Method::OPTIONS, "/api/v1/tables", club, here).await.unwrap();
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_eq!(answer.headers()["access-control-allow-headers"], "authorization, content-type");
    // No other page, no other address, and nothing but the interface.
    for (method, path, origin, host) in [
        (Method::GET, "/api/v1/about", "https://evil.example", here),
        (Method::GET, "/api/v1/about", "https://club.example.evil", here),
        (Method::GET, "/api/v1/about", "http://club.example", here),
        (Method::GET, "/api/v1/about", "null", here),
        (Method::OPTIONS, "/api/v1/tables", "https://evil.example", here),
        (Method::GET, "/api/v1/about", club, "evil.example"),
        (Method::GET, "/", club, here),
        (Method::GET, "/shelf/x", club, here),
    ] {
        let answer = ask(method, path, origin, host).await.unwrap();
        assert_eq!(answer.status(), StatusCode::FORBIDDEN, "{path} {origin} {host}");
        let open = answer.headers().get("access-control-allow-origin");
        assert!(open.is_none() || host != here, "{path} {origin}");
    }
}

#[tokio::test]
async fn with_listen_all_but_seats_needs_the_token() {
    let directory = tempfile::tempdir().unwrap();
    let settings = Settings { listen: Some([127, 0, 0, 1].into()), ..settings(directory.path()) };
    let server = Server::new(settings, &Registry::builtin()).unwrap();
    let token = server.token.clone().unwrap();
    let here = Here { directory, router: router(Arc::clone(&server)) };
    for path in ["tables", "position?hands=x", "shelf", "systems/sound-beginner"] {
        assert_eq!(here.ask(path, "guess", None).await.unwrap_err().0, StatusCode::UNAUTHORIZED, "{path}");
    }
    for path in ["tables", "system/check", "system/explain", "system/run"] {
        let refused = here.ask(path, "", Some(json!({}))).await.unwrap_err();
        assert_eq!(refused.0, StatusCode::UNAUTHORIZED, "{path}");
    }
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
        "/system",
        "/run",
        "/check",
        "/systems/",
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
        "{\"text\":\"name = 1\",\"against\":\"cmd:x\"}",
        "{\"text\":\"\",\"position\":{\"hands\":\"JS|||\"}}",
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
