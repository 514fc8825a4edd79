//! Bidding systems that are edited beside the board.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use coinche_engine::Seed;
use coinche_selfplay::Solvers;
use serde::Deserialize;
use serde_json::{Value, json};

use super::analysis::{self, Subject};
use super::{Events, Here, body, left, streamed};
use crate::board::Position;
use crate::error::{Answer, Refusal};
use crate::guard::owner;
use crate::lane::Urgency;
use crate::names;
use crate::server::Server;
use crate::systems::{self, Asked, Contest};

/// Returns the text of a system that comes with the program.
pub(super) async fn text(
    State(server): Here,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Answer<Json<Value>> {
    owner(&server, &headers)?;
    let file = names::system(&name)?;
    Ok(Json(json!({ "name": file.name, "text": file.text })))
}

/// A system, and the rules under which it bids.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Edited {
    text: String,
    rules: String,
    /// Fields that differ, separated by `;`.
    set: String,
}

pub(super) async fn check(State(server): Here, headers: HeaderMap, bytes: Bytes) -> Answer<Json<Value>> {
    owner(&server, &headers)?;
    let Edited { text, rules, set } = body(&bytes)?;
    let rules = names::rules_of(&rules, &set, &server.settings.rules)?;
    let checked = move |_: &Server, _: &Solvers| systems::check(&text, &rules);
    Ok(Json(server.think(Urgency::Person, checked).await??))
}

/// A system, and the calls that it is to explain.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Question {
    text: String,
    position: Position,
}

pub(super) async fn explain(State(server): Here, headers: HeaderMap, bytes: Bytes) -> Answer<Events> {
    owner(&server, &headers)?;
    let Question { text, position } = body(&bytes)?;
    let file = Arc::new(systems::read_right(&text)?);
    let board = server.play(move |server| position.load(server)).await?;
    let subject = Subject::of(board);
    Ok(streamed(move |send| async move {
        match subject {
            Some(subject) => analysis::explain(&server, &file, &subject, &send).await,
            None => Ok(()),
        }
    }))
}

/// A run against another bidder.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Run {
    text: String,
    rules: String,
    set: String,
    against: String,
    deals: Option<u64>,
    seed: Option<String>,
}

pub(super) async fn run(State(server): Here, headers: HeaderMap, bytes: Bytes) -> Answer<Events> {
    owner(&server, &headers)?;
    let Run { text, rules, set, against, deals, seed } = body(&bytes)?;
    let rules = names::rules_of(&rules, &set, &server.settings.rules)?;
    let against = names::bidder(&against, &rules, &server.registry)?;
    let seed: Option<Seed> = seed.as_deref().map(names::seed).transpose()?;
    let asked = Asked { text: &text, rules: &rules, against: against.as_str(), deals, seed };
    let mut contest = Contest::new(&asked, &server.registry)?;
    Ok(streamed(move |send| async move {
        while !contest.is_over() {
            // Whoever has left is noticed after each slice.
            let slice = move |_: &Server, _: &Solvers| {
                let played = contest.go_on();
                (contest, played)
            };
            let (next, played) = server.think(Urgency::Later, slice).await?;
            contest = next;
            played?;
            send.send(("result", contest.json())).await.map_err(left)?;
        }
        Ok::<_, Refusal>(())
    }))
}
