//! The requests: `/api/v1`, described in `page/openapi.json`.

use std::convert::Infallible;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use coinche_analysis::coach::{Coach, WORLDS, models};
use coinche_analysis::play::PERSON;
use coinche_analysis::play::game::Cards;
use coinche_engine::rules::DealMethod;
use coinche_engine::solver::Solver;
use coinche_engine::{BySeat, Call, Card, CardSet, Deal, Key, RuleSet, Seat, Seed, Turn, parse_hands};
use coinche_runs::draw_seed;
use coinche_selfplay::{Schedule, Solvers, Unit, VERSION};
use futures_util::stream::{Stream, unfold};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::spawn_blocking;

use crate::board::{self, Board, Partial, Position};
use crate::coach;
use crate::error::{Answer, Refusal};
use crate::guard::{guard, owner, token};
use crate::page::{OPENAPI, PAGE};
use crate::server::{Lane, Server};
use crate::table::{Plan, RECORDS, Seen, Table};
use crate::tables::Held;
use crate::{duplicate, names, shelf};

type Here = State<Arc<Server>>;

/// Returns all requests.
fn routes() -> Router<Arc<Server>> {
    Router::new()
        .route("/api/v1/about", get(about))
        .route("/api/v1/tables", get(tables).post(new_table))
        .route("/api/v1/tables/{id}", get(table))
        .route("/api/v1/tables/{id}/events", get(events))
        .route("/api/v1/tables/{id}/hint", get(hint))
        .route("/api/v1/tables/{id}/cost", get(cost))
        .route("/api/v1/tables/{id}/coach", get(review))
        .route("/api/v1/tables/{id}/figures", get(figures))
        .route("/api/v1/tables/{id}/records", get(records))
        .route("/api/v1/tables/{id}/turned", post(turned))
        .route("/api/v1/tables/{id}/{action}", post(act))
        .route("/api/v1/position", get(position))
        .route("/api/v1/position/events", get(analysis))
        .route("/api/v1/position/read", post(pasted))
        .route("/api/v1/shelf", get(runs))
        .route("/api/v1/shelf/deals", get(deals))
        .route("/shelf/{*name}", get(report))
}

/// The most bytes of a request.
const MOST_BYTES: usize = 64 * 1024;
/// Returns all that the server answers.
pub(crate) fn router(server: Arc<Server>) -> Router {
    let mut router = routes();
    for (path, kind, bytes) in PAGE {
        router = router.route(path, get(move || async move { ([(header::CONTENT_TYPE, kind)], bytes) }));
    }
    let openapi = || async { ([(header::CONTENT_TYPE, "application/json")], OPENAPI) };
    router
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
        self.run(&self.games, work).await?
    }

    /// Runs longer work, of which fewer are under way at a time, so that no game waits for it.
    async fn think<T: Send + 'static>(
        self: &Arc<Self>,
        lane: fn(&Self) -> &Lane,
        work: impl FnOnce(&Self, &Solvers) -> T + Send + 'static,
    ) -> Answer<T> {
        self.run(&lane(self).permits, move |server| work(server, &lane(server).solvers)).await
    }

    /// Waits for a permit, and holds it until the work is done, even if nobody waits for the work any more.
    async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        permits: &Arc<Semaphore>,
        work: impl FnOnce(&Self) -> T + Send + 'static,
    ) -> Answer<T> {
        let permit = Arc::clone(permits).acquire_owned().await.map_err(Refusal::failed)?;
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

/// Returns what a seat sees.
fn seen(held: &Held, seat: Seat) -> Response {
    let seen = held.seen.borrow().clone();
    ready(seen[seat].as_deref().unwrap_or("null"))
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

async fn tables(State(server): Here, headers: HeaderMap) -> Answer<Json<Value>> {
    owner(&server, &headers)?;
    let list = server
        .play(|server| {
            let list = server.tables.list().into_iter().map(|(id, saved)| {
                let seats = saved.seats.each_ref().map(|it| {
                    it.as_ref().map(|person| json!({ "token": person.token, "name": person.name }))
                });
                json!({ "id": id, "made": saved.made, "seed": saved.seed.as_str(), "seats": seats })
            });
            Ok(list.collect::<Vec<_>>())
        })
        .await?;
    Ok(Json(json!(list)))
}

/// A table to be made.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct NewTable {
    rules: Option<String>,
    set: Vec<String>,
    seat: Option<Seat>,
    partner: Option<String>,
    others: Option<String>,
    seed: Option<String>,
    name: Option<String>,
    /// The seats of other people.
    people: Vec<Seat>,
    deal: Option<NewDeal>,
}

/// The cards of a table with one deal.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct NewDeal {
    /// The number of the deal, whose cards follow from the seed.
    number: Option<u64>,
    /// Or the hands.
    hands: Option<String>,
    dealer: Option<Seat>,
    turned: Option<Card>,
}

fn body<T: for<'a> Deserialize<'a>>(bytes: &Bytes) -> Answer<T> {
    serde_json::from_slice(bytes).map_err(|error| Refusal::wrong(format!("the request: {error}")))
}

impl NewTable {
    fn plan(&self, server: &Server) -> Answer<Plan> {
        let rules = names::rules(self.rules.as_deref(), &self.set, &server.settings.rules)?;
        let seat = self.seat.unwrap_or(Seat::S0);
        // As `arena play` has them.
        let bot = |text: &Option<String>, default| {
            let text = text.as_deref().unwrap_or(default);
            names::bot(text, &rules, &server.registry, &server.settings.bots)
        };
        let bots = names::seats(
            seat,
            &bot(&self.partner, "champion:style=natural")?,
            &bot(&self.others, "champion")?,
        );
        let seed: Seed = match self.seed.as_deref().map(str::trim).filter(|text| !text.is_empty()) {
            None => server.settings.duplicate.clone().unwrap_or_else(draw_seed),
            Some(text) if text.len() > 100 => return Err(Refusal::wrong("a seed has at most 100 letters")),
            Some(text) => text.parse().map_err(|error| Refusal::wrong(format!("seed: {error}")))?,
        };
        let cards = match &self.deal {
            None => Cards::Matches,
            Some(deal) => deal.cards(&rules, &seed)?,
        };
        let own = names::person(self.name.as_deref().unwrap_or(PERSON))?;
        let people = BySeat::from_fn(|other| {
            let is_one = other == seat || self.people.contains(&other);
            is_one.then(|| if other == seat { own.clone() } else { format!("{PERSON} {other}") })
        });
        Ok(Plan { rules, bots, seed, cards, people })
    }
}

impl NewDeal {
    fn cards(&self, rules: &RuleSet, seed: &Seed) -> Answer<Cards> {
        let number = self.number.unwrap_or(0);
        let deal = match &self.hands {
            None => {
                if number >= 1_000_000_000 {
                    return Err(Refusal::wrong("the number of the deal: expected at most 999999999"));
                }
                let schedule = Schedule { secrets: seed.into(), unit: Unit::Deal, pairs: u64::MAX };
                schedule.deal(&rules.deal, number)
            }
            Some(text) => {
                let hands: BySeat<CardSet> =
                    parse_hands(text).map_err(|it| Refusal::wrong(format!("hands: {it}")))?;
                if self.turned.is_none() && rules.deal.method == DealMethod::TurnUp {
                    return Err(Refusal::wrong("turned: these rules turn a card; say which"));
                }
                let holder = |card: Card| Seat::ALL.into_iter().find(|seat| hands[*seat].contains(card));
                let turned = self.turned.and_then(|card| Some((card, holder(card)?)));
                let dealer = self.dealer.unwrap_or(Seat::S3);
                Deal::from_hands(&rules.deal, dealer, hands, turned)
                    .map_err(|it| Refusal::wrong(format!("hands: {it}")))?
            }
        };
        Ok(Cards::One { deal: Box::new(deal), number, leg: 0 })
    }
}

/// Returns a new table with the tokens of its seats.
fn made(id: &str, held: &Held) -> Json<Value> {
    let seats = Seat::ALL
        .into_iter()
        .filter_map(|seat| held.tokens()[seat].as_ref().map(|token| json!({ "seat": seat, "token": token })));
    Json(json!({ "id": id, "seats": seats.collect::<Vec<_>>() }))
}

async fn new_table(State(server): Here, headers: HeaderMap, bytes: Bytes) -> Answer<Json<Value>> {
    owner(&server, &headers)?;
    let new: NewTable = body(&bytes)?;
    let plan = new.plan(&server)?;
    let (id, held) = server.play(move |server| server.tables.make(plan)).await?;
    Ok(made(&id, &held))
}

async fn table(State(server): Here, Path(id): Path<String>, headers: HeaderMap) -> Answer<Response> {
    let (held, seat) = server.seated(id, &headers).await?;
    Ok(seen(&held, seat))
}

async fn turned(State(server): Here, Path(id): Path<String>, headers: HeaderMap) -> Answer<Json<Value>> {
    let (held, _) = server.seated(id, &headers).await?;
    let (id, held) = server
        .play(move |server| {
            let plan = held.lock().turned(&server.registry, &server.settings.bots)?;
            server.tables.make(plan)
        })
        .await?;
    Ok(made(&id, &held))
}

/// What a person does at a table.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Action {
    call: Option<Call>,
    card: Option<Card>,
    /// A belote that is not announced.
    silent: bool,
    /// The number of the melds that are announced, where there is a choice.
    melds: Option<usize>,
    name: Option<String>,
}

async fn act(
    State(server): Here,
    Path((id, action)): Path<(String, String)>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Answer<Response> {
    let (held, seat) = server.seated(id, &headers).await?;
    let asked: Action = if bytes.is_empty() { Action::default() } else { body(&bytes)? };
    let name = asked.name.as_deref().map(names::person).transpose()?;
    let work = move |table: &mut Table| match action.as_str() {
        "call" => {
            table.call(seat, asked.call.ok_or_else(|| Refusal::wrong("call: expected a call such as `80H`"))?)
        }
        "play" => {
            let card = asked.card.ok_or_else(|| Refusal::wrong("card: expected a card such as `JS`"))?;
            table.play(seat, card, asked.silent, asked.melds)
        }
        "undo" => table.undo(seat),
        "resign" => table.resign(seat),
        "claim" => table.claim(seat),
        "next" => table.next(),
        "leave" => table.sit(seat, false, None),
        "join" => table.sit(seat, true, name.as_deref()),
        other => Err(Refusal::none(format!("there is no action `{other}`"))),
    };
    let table = Arc::clone(&held);
    server.play(move |_| work(&mut table.lock())).await?;
    Ok(seen(&held, seat))
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

async fn events(State(server): Here, Path(id): Path<String>, headers: HeaderMap) -> Answer<Events> {
    let (held, seat) = server.seated(id, &headers).await?;
    let mut changes: watch::Receiver<Seen> = held.seen.clone();
    changes.mark_changed();
    // The table stays open while someone watches it.
    Ok(sse(unfold((changes, held), move |(mut changes, held)| async move {
        changes.changed().await.ok()?;
        let text = changes.borrow_and_update()[seat].clone()?;
        Some((Ok(Event::default().event("state").data(text)), (changes, held)))
    })))
}

/// Sends the results of work that is done step by step; the work ends when nobody reads them.
fn streamed<F: Future<Output = Answer<()>> + Send + 'static>(
    work: impl FnOnce(mpsc::Sender<(&'static str, Value)>) -> F,
) -> Events {
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

/// Does work, and returns how long it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let began = Instant::now();
    (work(), began.elapsed())
}

/// Nobody reads the results any more.
fn left<T>(_: T) -> Refusal {
    Refusal::conflict("the page has left")
}

impl Server {
    fn models(&self, table: &Table, seat: Seat) -> Answer<coinche_analysis::advise::Models> {
        let bots = table.game().bots();
        let models = models(&bots[seat.partner()], &bots[seat.next()], &self.registry);
        models.ok_or_else(|| Refusal::failed("the bots at this table have no models"))
    }
}

async fn hint(State(server): Here, Path(id): Path<String>, headers: HeaderMap) -> Answer<Json<Value>> {
    let (held, seat) = server.seated(id, &headers).await?;
    let hint = server.think(
        |server| &server.quick,
        move |server, solvers| {
            let table = held.lock();
            if table.turn() != Some(seat) {
                return Err(Refusal::conflict("it is not your turn"));
            }
            let (state, models, seed) =
                (table.game().state().clone(), server.models(&table, seat)?, table.saved().seed.clone());
            drop(table);
            let coach = Coach { solvers, models: &models, seed: &seed };
            Ok(coach::advice(&coach, &state, seat, WORLDS))
        },
    );
    Ok(Json(hint.await??))
}

/// The cost of the last decision.
async fn cost(State(server): Here, Path(id): Path<String>, headers: HeaderMap) -> Answer<Json<Value>> {
    let (held, seat) = server.seated(id, &headers).await?;
    let cost = server.think(
        |server| &server.quick,
        move |server, solvers| {
            let table = held.lock();
            let (steps, models, seed) =
                (table.steps(), server.models(&table, seat)?, table.saved().seed.clone());
            drop(table);
            let last = steps.into_iter().rfind(|(_, own, _)| *own == seat);
            let Some((state, _, step)) = last else { return Ok::<_, Refusal>(Value::Null) };
            let coach = Coach { solvers, models: &models, seed: &seed };
            let known = coach::known(&coach, &state, seat, step);
            Ok(json!({ "open": coach::open_cost(&mut Solver::new(), &state, step), "known": known }))
        },
    );
    Ok(Json(cost.await??))
}

async fn review(State(server): Here, Path(id): Path<String>, headers: HeaderMap) -> Answer<Events> {
    let (held, seat) = server.seated(id, &headers).await?;
    Ok(streamed(|send| async move {
        let (record, steps, models, seed) = {
            let table = held.lock();
            let record = table.record().map(<[u8]>::to_vec);
            let record = record.ok_or_else(|| Refusal::conflict("the deal is not over"))?;
            (record, table.steps(), Arc::new(server.models(&table, seat)?), table.saved().seed.clone())
        };
        let open = move |_: &Server, _: &Solvers| coach::of_record(&mut Solver::new(), &record, seat);
        let open = server.think(|server| &server.quick, open).await?;
        send.send(("judge", open)).await.map_err(left)?;
        for (n, (state, own, step)) in steps.into_iter().enumerate() {
            if own != seat {
                continue;
            }
            let (models, seed) = (Arc::clone(&models), seed.clone());
            let known = move |_: &Server, solvers: &Solvers| {
                coach::known(&Coach { solvers, models: &models, seed: &seed }, &state, seat, step)
            };
            let known = server.think(|server| &server.quick, known).await?;
            if let Some(mut known) = known {
                known["step"] = json!(n);
                send.send(("decision", known)).await.map_err(left)?;
            }
        }
        Ok(())
    }))
}

fn read_records(table: &Table) -> Answer<String> {
    let path = table.path().join(RECORDS);
    std::fs::read_to_string(&path)
        .map_err(|error| Refusal::failed(format!("cannot read {}: {error}", path.display())))
}

async fn figures(State(server): Here, Path(id): Path<String>, headers: HeaderMap) -> Answer<Json<Value>> {
    let (held, seat) = server.seated(id.clone(), &headers).await?;
    let figures = move |server: &Server, solvers: &Solvers| {
        let (text, path, saved) = {
            let table = held.lock();
            (read_records(&table)?, table.path().join(RECORDS), table.saved().clone())
        };
        let mut json = coach::figures(&text, seat.team());
        json["judge"] = coach::judged(&path, solvers)?;
        let plan = saved.plan(&server.registry, &server.settings.bots).map_err(Refusal::failed)?;
        let others = server.tables.same_cards(&id, &saved, seat.team());
        let mut alone = held.alone.lock().unwrap_or_else(PoisonError::into_inner);
        json["same_cards"] = duplicate::compared(&plan, seat.team(), &text, &others, &mut alone);
        Ok::<_, Refusal>(json)
    };
    Ok(Json(server.think(|server| &server.quick, figures).await??))
}

async fn records(State(server): Here, Path(id): Path<String>, headers: HeaderMap) -> Answer<Response> {
    let (held, _) = server.seated(id, &headers).await?;
    let text = server.play(move |_| read_records(&held.lock())).await?;
    Ok(([(header::CONTENT_TYPE, "application/jsonl")], text).into_response())
}

impl Position {
    fn load(&self, server: &Server) -> Answer<Board> {
        let set: Vec<String> =
            self.set.split(';').filter(|it| !it.trim().is_empty()).map(str::to_owned).collect();
        let rules = names::rules(Some(&self.rules), &set, &server.settings.rules)?;
        Board::read(&rules, self)
    }
}

async fn position(
    State(server): Here,
    headers: HeaderMap,
    Query(position): Query<Position>,
) -> Answer<Json<Value>> {
    owner(&server, &headers)?;
    let board = server.play(move |server| Ok(position.load(server)?.json())).await?;
    Ok(Json(board))
}

/// A text that was pasted into the board.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pasted {
    text: String,
}

async fn pasted(State(server): Here, headers: HeaderMap, bytes: Bytes) -> Answer<Json<Position>> {
    owner(&server, &headers)?;
    let Pasted { text } = body(&bytes)?;
    Ok(Json(server.play(move |_| board::pasted(&text)).await?))
}

/// The worlds of the rounds: each answer is better than the one before. Tests end after two.
const ROUNDS: &[u32] = if cfg!(test) { &[20, 50] } else { &[20, 100, 400, 1200, 4000] };
/// The most time of an answer: after one that took a quarter of it there is no longer one.
const LONGEST: Duration = Duration::from_secs(4);
/// The most bots that are asked at a time.
const MOST_BOTS: usize = 4;

async fn analysis(
    State(server): Here,
    headers: HeaderMap,
    Query(position): Query<Position>,
) -> Answer<Events> {
    owner(&server, &headers)?;
    let texts: Vec<String> = position.bots.split_whitespace().map(str::to_owned).collect();
    if texts.len() > MOST_BOTS {
        return Err(Refusal::wrong(format!("at most {MOST_BOTS} bots are asked at a time")));
    }
    let system = Some(position.system.as_str()).filter(|name| !name.is_empty());
    let system = system.map(|name| names::system(name).map(Arc::new)).transpose()?;
    let board = server.play(move |server| position.load(server)).await?;
    let Some(seat) = board.seat() else { return Ok(streamed(|_| async { Ok(()) })) };
    let mut partial = None;
    // What the seat to act is asked; nobody knows a hand of which cards are missing.
    let (state, open, asks) = match board {
        Board::Open(state) => (*state, true, true),
        Board::Closed(question) => (question.into_state(), false, true),
        Board::Partial(it) => {
            let (state, asks) = (it.state().clone(), it.knows(seat));
            partial = Some(Arc::new(*it));
            (state, false, asks)
        }
    };
    let (state, seed) = (Arc::new(state), Seed::from(0));
    let bots: Vec<_> = texts
        .iter()
        .map(|text| names::bot(text, state.rules(), &server.registry, &server.settings.bots))
        .collect::<Answer<_>>()?;
    if let Some(bot) = bots.iter().find(|bot| bot.has_program() || !open && bot.sees_all()) {
        return Err(Refusal::wrong(format!(
            "{bot}: a program, or a bot that sees all hands, cannot be asked here"
        )));
    }
    let rules = server.registry.parse("rules").map_err(Refusal::failed)?;
    let models = models(bots.first().unwrap_or(&rules), bots.first().unwrap_or(&rules), &server.registry);
    let models = Arc::new(models.ok_or_else(|| Refusal::failed("there are no models"))?);
    Ok(streamed(move |send| async move {
        if open {
            let state = Arc::clone(&state);
            let solved = move |_: &Server, _: &Solvers| board::solved(&mut Solver::new(), &state);
            let solved = server.think(|server| &server.quick, solved).await?;
            send.send(("solver", solved)).await.map_err(left)?;
        }
        if let Some(file) = system {
            let offers = usize::from(matches!(state.turn(), Turn::Call(_)));
            for last in (1 - offers)..=state.auction().calls().len() {
                let (file, state, partial) = (Arc::clone(&file), Arc::clone(&state), partial.clone());
                let knows = move |other: Seat| {
                    open || partial
                        .as_ref()
                        .map_or(other == seat, |partial: &Arc<Partial>| partial.knows(other))
                };
                let said = move |_: &Server, _: &Solvers| board::explained(&file, &state, knows, last);
                let said = server.think(|server| &server.quick, said).await?;
                send.send(("system", json!(said))).await.map_err(left)?;
            }
        }
        let mut longest = Duration::ZERO;
        for (round, worlds) in ROUNDS.iter().copied().enumerate() {
            // An answer that is under way when the page leaves keeps others waiting.
            if longest * 4 > LONGEST {
                break;
            }
            let lane: fn(&Server) -> &Lane =
                if round < 2 { |server| &server.quick } else { |server| &server.slow };
            if let Some(partial) = partial.clone() {
                let solved = move |_: &Server, solvers: &Solvers| timed(|| partial.solved(solvers, worlds));
                let (solved, time) = server.think(lane, solved).await?;
                longest = longest.max(time);
                send.send(("solver", solved)).await.map_err(left)?;
            }
            if !asks {
                continue;
            }
            for bot in &bots {
                let more = bot
                    .param("worlds")
                    .ok()
                    .flatten()
                    .and_then(|_| bot.with_param("worlds", &worlds.to_string()).ok());
                if round > 0 && more.is_none() {
                    continue;
                }
                let (asked, state) = (more.unwrap_or_else(|| bot.clone()), Arc::clone(&state));
                let key = Key::decisions(&seed, 0, seat);
                let asked = move |_: &Server, _: &Solvers| timed(|| board::asked(&asked, &state, seat, key));
                let (mut said, time) = server.think(lane, asked).await?;
                longest = longest.max(time);
                said["bot"] = json!(bot.as_str());
                send.send(("bot", said)).await.map_err(left)?;
            }
            let (state, models, seed) = (Arc::clone(&state), Arc::clone(&models), seed.clone());
            let advice = move |_: &Server, solvers: &Solvers| {
                let coach = Coach { solvers, models: &models, seed: &seed };
                timed(|| coach::advice(&coach, &state, seat, worlds))
            };
            let (advice, time) = server.think(lane, advice).await?;
            longest = longest.max(time);
            send.send(("advice", advice)).await.map_err(left)?;
        }
        Ok(())
    }))
}

async fn runs(State(server): Here, headers: HeaderMap) -> Answer<Json<Value>> {
    owner(&server, &headers)?;
    let list = |server: &Server, _: &Solvers| {
        let mut list = shelf::list(server.settings.shelf.as_deref(), &server.registry);
        for run in list.iter_mut().filter(|_| server.token.is_some()) {
            run["key"] = json!(server.reports);
        }
        list
    };
    Ok(Json(json!(server.think(|server| &server.quick, list).await?)))
}

async fn deals(
    State(server): Here,
    headers: HeaderMap,
    Query(wanted): Query<shelf::Wanted>,
) -> Answer<Json<Value>> {
    owner(&server, &headers)?;
    let list = move |server: &Server, _: &Solvers| {
        shelf::deals(server.settings.shelf.as_deref(), &wanted, &server.registry)
    };
    Ok(Json(json!(server.think(|server| &server.quick, list).await??)))
}

/// What opens a report where a token is asked for.
#[derive(Debug, Deserialize)]
struct ReportKey {
    #[serde(default)]
    key: String,
}

async fn report(
    State(server): Here,
    headers: HeaderMap,
    Path(name): Path<String>,
    Query(ReportKey { key }): Query<ReportKey>,
) -> Answer<Response> {
    if key != server.reports {
        owner(&server, &headers)?;
    }
    let page = server.think(
        |server| &server.quick,
        move |server, _| shelf::report(server.settings.shelf.as_deref(), &name, &server.registry),
    );
    let policy = "sandbox allow-scripts allow-downloads; default-src 'none'; style-src 'unsafe-inline'; \
                  script-src 'unsafe-inline'; img-src data:";
    Ok((
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, policy)],
        page.await??,
    )
        .into_response())
}
