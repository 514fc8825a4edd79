//! The shelf: runs, their deals, and their reports.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use coinche_selfplay::Solvers;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Here;
use crate::error::Answer;
use crate::guard::owner;
use crate::lane::Urgency;
use crate::server::Server;
use crate::shelf;

pub(super) async fn runs(State(server): Here, headers: HeaderMap) -> Answer<Json<Value>> {
    owner(&server, &headers)?;
    let list = |server: &Server, _: &Solvers| {
        let mut list = shelf::list(server.settings.shelf.as_deref(), &server.registry);
        for run in list.iter_mut().filter(|_| server.token.is_some()) {
            run["key"] = json!(server.reports);
        }
        list
    };
    Ok(Json(json!(server.think(Urgency::First, list).await?)))
}

pub(super) async fn deals(
    State(server): Here,
    headers: HeaderMap,
    Query(wanted): Query<shelf::Wanted>,
) -> Answer<Json<Value>> {
    owner(&server, &headers)?;
    let list = move |server: &Server, _: &Solvers| {
        shelf::deals(server.settings.shelf.as_deref(), &wanted, &server.registry)
    };
    Ok(Json(json!(server.think(Urgency::First, list).await??)))
}

/// What opens a report where a token is asked for.
#[derive(Debug, Deserialize)]
pub(super) struct ReportKey {
    #[serde(default)]
    key: String,
}

pub(super) async fn report(
    State(server): Here,
    headers: HeaderMap,
    Path(name): Path<String>,
    Query(ReportKey { key }): Query<ReportKey>,
) -> Answer<Response> {
    if key != server.reports {
        owner(&server, &headers)?;
    }
    let page = server.think(Urgency::First, move |server, _| {
        shelf::report(server.settings.shelf.as_deref(), &name, &server.registry)
    });
    let policy = "sandbox allow-scripts allow-downloads; default-src 'none'; style-src 'unsafe-inline'; \
                  script-src 'unsafe-inline'; img-src data:";
    Ok((
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, policy)],
        page.await??,
    )
        .into_response())
}
