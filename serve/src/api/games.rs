//! Tables: what people do there, and what the coach says.

use std::sync::{Arc, PoisonError};

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use coinche_analysis::coach::{Coach, models};
use coinche_analysis::play::PERSON;
use coinche_analysis::play::game::Cards;
use coinche_engine::rules::DealMethod;
use coinche_engine::solver::Solver;
use coinche_engine::{BySeat, Call, Card, CardSet, Deal, RuleSet, Seat, Seed, parse_hands};
use coinche_runs::draw_seed;
use coinche_selfplay::{Schedule, Solvers, Unit};
use futures_util::stream::unfold;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::{Events, Here, Seated, body, left, ready, sse, streamed};
use crate::error::{Answer, Refusal};
use crate::guard::owner;
use crate::lane::Urgency;
use crate::server::Server;
use crate::table::{Plan, RECORDS, Seen, Table};
use crate::tables::Held;
use crate::{coach, duplicate, names};

/// Returns what a seat sees.
fn seen(held: &Held, seat: Seat) -> Response {
    let seen = held.seen.borrow().clone();
    ready(seen[seat].as_deref().unwrap_or("null"))
}

pub(super) async fn tables(State(server): Here, headers: HeaderMap) -> Answer<Json<Value>> {
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
            Some(text) => names::seed(text)?,
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
        .filter_map(|seat| held.tokens[seat].as_ref().map(|token| json!({ "seat": seat, "token": token })));
    Json(json!({ "id": id, "seats": seats.collect::<Vec<_>>() }))
}

pub(super) async fn new_table(State(server): Here, headers: HeaderMap, bytes: Bytes) -> Answer<Json<Value>> {
    owner(&server, &headers)?;
    let new: NewTable = body(&bytes)?;
    let plan = new.plan(&server)?;
    let (id, held) = server.play(move |server| server.tables.make(plan)).await?;
    Ok(made(&id, &held))
}

pub(super) async fn table(Seated { held, seat, .. }: Seated) -> Answer<Response> {
    Ok(seen(&held, seat))
}

pub(super) async fn turned(State(server): Here, Seated { held, .. }: Seated) -> Answer<Json<Value>> {
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

pub(super) async fn act(
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

pub(super) async fn events(Seated { held, seat, .. }: Seated) -> Answer<Events> {
    let mut changes: watch::Receiver<Seen> = held.seen.clone();
    changes.mark_changed();
    // The table stays open while someone watches it.
    Ok(sse(unfold((changes, held), move |(mut changes, held)| async move {
        changes.changed().await.ok()?;
        let text = changes.borrow_and_update()[seat].clone()?;
        Some((Ok(Event::default().event("state").data(text)), (changes, held)))
    })))
}

impl Server {
    fn models(&self, table: &Table, seat: Seat) -> Answer<coinche_analysis::advise::Models> {
        let bots = table.game().bots();
        let models = models(&bots[seat.partner()], &bots[seat.next()], &self.registry);
        models.ok_or_else(|| Refusal::failed("the bots at this table have no models"))
    }
}

pub(super) async fn hint(State(server): Here, Seated { held, seat, .. }: Seated) -> Answer<Json<Value>> {
    let hint = server.think(Urgency::Person, move |server, solvers| {
        let table = held.lock();
        if table.turn() != Some(seat) {
            return Err(Refusal::conflict("it is not your turn"));
        }
        let (state, models, seed) =
            (table.game().state().clone(), server.models(&table, seat)?, table.saved().seed.clone());
        drop(table);
        let coach = Coach { solvers, models: &models, seed: &seed };
        Ok(coach::hint(&coach, &state, seat))
    });
    Ok(Json(hint.await??))
}

/// The cost of the last decision.
pub(super) async fn cost(State(server): Here, Seated { held, seat, .. }: Seated) -> Answer<Json<Value>> {
    let cost = server.think(Urgency::Person, move |server, solvers| {
        let table = held.lock();
        let (steps, models, seed) = (table.steps(), server.models(&table, seat)?, table.saved().seed.clone());
        drop(table);
        let last = steps.into_iter().rfind(|(_, own, _)| *own == seat);
        let Some((state, _, step)) = last else { return Ok::<_, Refusal>(Value::Null) };
        let coach = Coach { solvers, models: &models, seed: &seed };
        let known = coach::known(&coach, &state, seat, step);
        Ok(json!({ "open": coach::open_cost(&mut Solver::new(), &state, step), "known": known }))
    });
    Ok(Json(cost.await??))
}

pub(super) async fn review(State(server): Here, Seated { held, seat, .. }: Seated) -> Answer<Events> {
    Ok(streamed(|send| async move {
        let (record, steps, models, seed) = {
            let table = held.lock();
            let record = table.record().map(<[u8]>::to_vec);
            let record = record.ok_or_else(|| Refusal::conflict("the deal is not over"))?;
            (record, table.steps(), Arc::new(server.models(&table, seat)?), table.saved().seed.clone())
        };
        let open = move |_: &Server, _: &Solvers| coach::of_record(&mut Solver::new(), &record, seat);
        let open = server.think(Urgency::Person, open).await?;
        send.send(("judge", open)).await.map_err(left)?;
        for (n, (state, own, step)) in steps.into_iter().enumerate() {
            if own != seat {
                continue;
            }
            let (models, seed) = (Arc::clone(&models), seed.clone());
            let known = move |_: &Server, solvers: &Solvers| {
                coach::known(&Coach { solvers, models: &models, seed: &seed }, &state, seat, step)
            };
            let known = server.think(Urgency::Person, known).await?;
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

pub(super) async fn figures(State(server): Here, Seated { held, seat, id }: Seated) -> Answer<Json<Value>> {
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
    Ok(Json(server.think(Urgency::Person, figures).await??))
}

pub(super) async fn records(State(server): Here, Seated { held, .. }: Seated) -> Answer<Response> {
    let text = server.play(move |_| read_records(&held.lock())).await?;
    Ok(([(header::CONTENT_TYPE, "application/jsonl")], text).into_response())
}
