//! The analysis board: positions, and what is known of them, as it gets better.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use coinche_analysis::coach::{Coach, models};
use coinche_analysis::system::SystemFile;
use coinche_engine::solver::Solver;
use coinche_engine::{DealState, Key, Seat, Seed, Turn};
use coinche_selfplay::Solvers;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Events, Here, Results, body, left, streamed};
use crate::board::{self, Board, Partial, Position};
use crate::error::{Answer, Refusal};
use crate::guard::owner;
use crate::lane::Urgency;
use crate::server::Server;
use crate::{coach, names};

impl Position {
    pub(super) fn load(&self, server: &Server) -> Answer<Board> {
        let rules = names::rules_of(&self.rules, &self.set, &server.settings.rules)?;
        Board::read(&rules, self)
    }
}

pub(super) async fn position(
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

pub(super) async fn pasted(State(server): Here, headers: HeaderMap, bytes: Bytes) -> Answer<Json<Position>> {
    owner(&server, &headers)?;
    let Pasted { text } = body(&bytes)?;
    Ok(Json(server.play(move |_| board::pasted(&text)).await?))
}

/// The worlds of the rounds: each answer is better than the one before. Tests end after two.
const ROUNDS: &[u32] = if cfg!(test) { &[20, 50] } else { &[20, 100, 400, 1200, 4000] };
/// The most time of an answer: after one that took a quarter of it there is no longer one.
const LONGEST: Duration = Duration::from_secs(4);
/// How many of them are first thoughts.
const QUICK: usize = 2;
/// The most bots that are asked at a time.
const MOST_BOTS: usize = 4;

/// Does work, and returns how long it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let began = Instant::now();
    (work(), began.elapsed())
}

/// The decision of a position that is asked about.
#[derive(Debug, Clone)]
pub(super) struct Subject {
    pub(super) state: Arc<DealState>,
    seat: Seat,
    /// Whether all hands are known.
    open: bool,
    /// Whether the hand of the seat is: nobody decides with a hand of which cards are missing.
    asks: bool,
    /// The hands of which cards are missing.
    partial: Option<Arc<Partial>>,
}

impl Subject {
    /// Returns what is asked about; `None` where the deal is over.
    pub(super) fn of(board: Board) -> Option<Self> {
        let seat = board.seat()?;
        let mut partial = None;
        let (state, open, asks) = match board {
            Board::Open(state) => (*state, true, true),
            Board::Closed(question) => (question.into_state(), false, true),
            Board::Partial(it) => {
                let (state, asks) = (it.state().clone(), it.knows(seat));
                partial = Some(Arc::new(*it));
                (state, false, asks)
            }
        };
        Some(Self { state: Arc::new(state), seat, open, asks, partial })
    }

    /// Tests if the hand of a seat is known.
    fn knows(&self, seat: Seat) -> bool {
        self.open || self.partial.as_ref().map_or(seat == self.seat, |partial| partial.knows(seat))
    }
}

/// Sends what a system says of the calls, the latest first.
pub(super) async fn explain(
    server: &Arc<Server>,
    file: &Arc<SystemFile>,
    subject: &Subject,
    send: &Results,
) -> Answer<()> {
    let offers = usize::from(matches!(subject.state.turn(), Turn::Call(_)));
    for last in (1 - offers)..=subject.state.auction().calls().len() {
        let (file, subject) = (Arc::clone(file), subject.clone());
        let said = move |_: &Server, _: &Solvers| {
            board::explained(&file, &subject.state, |other| subject.knows(other), last)
        };
        let said = server.think(Urgency::First, said).await?;
        send.send(("system", json!(said))).await.map_err(left)?;
    }
    Ok(())
}

pub(super) async fn analysis(
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
    let Some(subject) = Subject::of(board) else { return Ok(streamed(|_| async { Ok(()) })) };
    let (state, seat, seed) = (Arc::clone(&subject.state), subject.seat, Seed::from(0));
    let bots: Vec<_> = texts
        .iter()
        .map(|text| names::bot(text, state.rules(), &server.registry, &server.settings.bots))
        .collect::<Answer<_>>()?;
    if let Some(bot) = bots.iter().find(|bot| bot.has_program() || !subject.open && bot.sees_all()) {
        return Err(Refusal::wrong(format!(
            "{bot}: a program, or a bot that sees all hands, cannot be asked here"
        )));
    }
    let rules = server.registry.parse("rules").map_err(Refusal::failed)?;
    let models = models(bots.first().unwrap_or(&rules), bots.first().unwrap_or(&rules), &server.registry);
    let models = Arc::new(models.ok_or_else(|| Refusal::failed("there are no models"))?);
    Ok(streamed(move |send| async move {
        if subject.open {
            let state = Arc::clone(&state);
            let solved = move |_: &Server, _: &Solvers| board::solved(&mut Solver::new(), &state);
            let solved = server.think(Urgency::First, solved).await?;
            send.send(("solver", solved)).await.map_err(left)?;
        }
        if let Some(file) = system {
            explain(&server, &file, &subject, &send).await?;
        }
        let mut longest = Duration::ZERO;
        for (round, worlds) in ROUNDS.iter().copied().enumerate() {
            // An answer that is under way when the page leaves keeps others waiting.
            if longest * 4 > LONGEST {
                break;
            }
            let urgency = if round < QUICK { Urgency::First } else { Urgency::Later };
            if let Some(partial) = subject.partial.clone() {
                let solved = move |_: &Server, solvers: &Solvers| timed(|| partial.solved(solvers, worlds));
                let (solved, time) = server.think(urgency, solved).await?;
                longest = longest.max(time);
                send.send(("solver", solved)).await.map_err(left)?;
            }
            if !subject.asks {
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
                let (mut said, time) = server.think(urgency, asked).await?;
                longest = longest.max(time);
                said["bot"] = json!(bot.as_str());
                send.send(("bot", said)).await.map_err(left)?;
            }
            let (state, models, seed) = (Arc::clone(&state), Arc::clone(&models), seed.clone());
            let advice = move |_: &Server, solvers: &Solvers| {
                let coach = Coach { solvers, models: &models, seed: &seed };
                timed(|| coach::advice(&coach, &state, seat, worlds))
            };
            let (advice, time) = server.think(urgency, advice).await?;
            longest = longest.max(time);
            send.send(("advice", advice)).await.map_err(left)?;
        }
        Ok(())
    }))
}
