//! The requests: `/api/v1`, described in `page/openapi.json`.

mod analysis;
mod games;
mod runs;
mod systems;

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use coinche_engine::Seat;
use coinche_selfplay::{Solvers, VERSION};
use futures_util::stream::{Stream, unfold};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

use crate::error::{Answer, Refusal};
use crate::guard::{guard, owner, token};
use crate::lane::Urgency;
use crate::names;
use crate::page::{OPENAPI, PAGE, REFUSALS, SCRIPT};
use crate::server::Server;
use crate::tables::Held;

type Here = State<Arc<Server>>;

/// Returns all requests.
fn routes() -> Router<Arc<Server>> {
    Router::new()
        .route("/api/v1/about", get(about))
        .route("/api/v1/tables", get(games::tables).post(games::new_table))
        .route("/api/v1/tables/{id}", get(games::table))
        .route("/api/v1/tables/{id}/events", get(games::events))
        .route("/api/v1/tables/{id}/hint", get(games::hint))
        .route("/api/v1/tables/{id}/cost", get(games::cost))
        .route("/api/v1/tables/{id}/coach", get(games::review))
        .route("/api/v1/tables/{id}/figures", get(games::figures))
        .route("/api/v1/tables/{id}/records", get(games::records))
        .route("/api/v1/tables/{id}/turned", post(games::turned))
        .route("/api/v1/tables/{id}/{action}", post(games::act))
        .route("/api/v1/position", get(analysis::position))
        .route("/api/v1/position/events", get(analysis::analysis))
        .route("/api/v1/position/read", post(analysis::pasted))
        .route("/api/v1/systems/{name}", get(systems::text))
        .route("/api/v1/system/check", post(systems::check))
        .route("/api/v1/system/explain", post(systems::explain))
        .route("/api/v1/system/run", post(systems::run))
        .route("/api/v1/shelf", get(runs::runs))
        .route("/api/v1/shelf/deals", get(runs::deals))
        .route("/shelf/{*name}", get(runs::report))
}

/// The most bytes of a request.
const MOST_BYTES: usize = 64 * 1024;
/// Returns all that the server answers.
pub(crate) fn router(server: Arc<Server>) -> Router {
    let mut router = routes();
    for (path, kind, bytes) in PAGE {
        router = router.route(path, get(move || async move { ([(header::CONTENT_TYPE, kind)], bytes) }));
    }
    let refusals = || async { ([(header::CONTENT_TYPE, SCRIPT)], REFUSALS.as_str()) };
    let openapi = || async { ([(header::CONTENT_TYPE, "application/json")], OPENAPI) };
    router
        .route("/refusals.js", get(refusals))
        .route("/api/v1/openapi.json", get(openapi))
        .fallback(|| async { Refusal::none("there is no such page").into_response() })
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(middleware::from_fn_with_state(Arc::clone(&server), guard))
        .with_state(server)
}

/// A JSON text that is ready.
fn ready(text: impl Into<String>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text.into()).into_response()
}

impl Server {
    /// Runs short work of a game.
    async fn play<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let permit = Arc::clone(&self.games).acquire_owned().await.map_err(Refusal::failed)?;
        self.run(permit, work).await?
    }

    /// Runs longer work, of which fewer are under way at a time, so that no game waits for it.
    async fn think<T: Send + 'static>(
        self: &Arc<Self>,
        urgency: Urgency,
        work: impl FnOnce(&Self, &Solvers) -> T + Send + 'static,
    ) -> Answer<T> {
        let permit = self.lanes.permit(urgency).await?;
        self.run(permit, move |server| work(server, server.lanes.solvers(urgency))).await
    }

    /// Holds a permit until the work is done, even if nobody waits for the work any more.
    async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        permit: impl Send + 'static,
        work: impl FnOnce(&Self) -> T + Send + 'static,
    ) -> Answer<T> {
        let server = Arc::clone(self);
        let work = move || {
            let _permit = permit;
            work(&server)
        };
        spawn_blocking(work).await.map_err(Refusal::failed)
    }

    fn held(&self, id: &str) -> Answer<Arc<Held>> {
        self.tables.get(id, &self.registry, &self.settings.bots)
    }

    /// Returns a table and the seat that the token of a request proves.
    async fn seated(self: &Arc<Self>, id: String, headers: &HeaderMap) -> Answer<(Arc<Held>, Seat)> {
        let held = self.play(move |server| server.held(&id)).await?;
        let seat = held.seat_of(token(headers));
        let seat = seat.ok_or_else(|| {
            Refusal::new(StatusCode::FORBIDDEN, "you have no seat at this table: open the link of a seat")
        })?;
        Ok((held, seat))
    }
}

/// A table that is named by the path of a request, and the seat that its token proves.
struct Seated {
    id: String,
    held: Arc<Held>,
    seat: Seat,
}

impl FromRequestParts<Arc<Server>> for Seated {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, server: &Arc<Server>) -> Result<Self, Response> {
        let path = Path::from_request_parts(parts, server).await;
        let Path(id): Path<String> = path.map_err(IntoResponse::into_response)?;
        let seated = server.seated(id.clone(), &parts.headers).await;
        let (held, seat) = seated.map_err(IntoResponse::into_response)?;
        Ok(Self { id, held, seat })
    }
}

async fn about(State(server): Here, headers: HeaderMap) -> Json<Value> {
    let bots = server.registry.bots().filter(|bot| !bot.sees_all() && bot.bids());
    let bots: Vec<_> = bots.map(|bot| json!({ "name": bot.name(), "about": bot.about() })).collect();
    let programs: Vec<_> = server.settings.bots.iter().map(coinche_bots::BotSpec::as_str).collect();
    Json(json!({
        "version": VERSION,
        "owner": owner(&server, &headers).is_ok(),
        "bots": bots,
        "programs": programs,
        "systems": coinche_bots::system::SHIPPED.iter().map(|it| it.name).collect::<Vec<_>>(),
        "presets": names::all_rules().collect::<Vec<_>>(),
        "rules": server.settings.rules.preset_name(),
        "shelf": server.settings.shelf.is_some(),
    }))
}

fn body<T: for<'a> Deserialize<'a>>(bytes: &Bytes) -> Answer<T> {
    serde_json::from_slice(bytes).map_err(|error| Refusal::wrong(format!("the request: {error}")))
}

type Events = Sse<
    axum::response::sse::KeepAliveStream<
        std::pin::Pin<Box<dyn Stream<Item = Result<Event, Infallible>> + Send>>,
    >,
>;

fn sse(stream: impl Stream<Item = Result<Event, Infallible>> + Send + 'static) -> Events {
    let stream: std::pin::Pin<Box<dyn Stream<Item = _> + Send>> = Box::pin(stream);
    Sse::new(stream).keep_alive(KeepAlive::default())
}

/// Where results are sent, by name.
type Results = mpsc::Sender<(&'static str, Value)>;

/// Sends the results of work that is done step by step; the work ends when nobody reads them.
fn streamed<F: Future<Output = Answer<()>> + Send + 'static>(work: impl FnOnce(Results) -> F) -> Events {
    let (send, receive) = mpsc::channel(4);
    let failed = send.clone();
    let work = work(send);
    tokio::spawn(async move {
        let done = tokio::select! {
            done = work => done,
            () = failed.closed() => return,
        };
        let last = match done {
            Ok(()) => ("done", json!({})),
            Err(refusal) => ("failed", json!({ "error": refusal.text })),
        };
        let _ = failed.send(last).await;
    });
    sse(unfold(receive, |mut receive| async move {
        let (name, value) = receive.recv().await?;
        Some((Ok(Event::default().event(name).data(value.to_string())), receive))
    }))
}

/// Nobody reads the results any more.
fn left<T>(_: T) -> Refusal {
    Refusal::conflict("the page has left")
}
