//! A table: people and bots, the game between them, and its files.
//!
//! `table.json` says who sits where under which rules, `moves.jsonl` has every call and card as they happen, and
//! `records.jsonl` the record of every deal that is over. A table is what its moves make of it: after `kill -9` they are
//! read again, and a record that was not written is written then.

mod claim;
mod moves;
mod saved;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use coinche_analysis::play::game::{Cards, Finished, Game, Step};
use coinche_bots::{BotSpec, Registry};
use coinche_engine::{BySeat, Call, Card, DealState, Seat, Turn};
use coinche_runs::nearest_preset;
use coinche_selfplay::Ending;
use coinche_selfplay::base::files::{make_directory, write_whole};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::error::{Answer, Refusal};
use crate::view::{self, Choices};
use moves::{Move, append, whole_lines};
pub(crate) use saved::{Plan, Saved};

/// What the people at a table see, by seat, as JSON.
pub(crate) type Seen = Arc<BySeat<Option<Arc<str>>>>;

/// A table.
#[derive(Debug)]
pub(crate) struct Table {
    id: String,
    path: PathBuf,
    saved: Saved,
    game: Game,
    /// The moves of the deal, with the seat of each.
    moves: Vec<(Seat, Move)>,
    undone: u32,
    resigned: BySeat<bool>,
    /// Deals that are over, and how many of them are in the file.
    deals: u64,
    written: u64,
    over: Option<Finished>,
    version: u64,
    seen: watch::Sender<Seen>,
}

const TABLE: &str = "table.json";
const MOVES: &str = "moves.jsonl";
/// The file of the records.
pub(crate) const RECORDS: &str = "records.jsonl";
/// How long bots think before what has happened so far is shown.
const SHOW_AFTER: Duration = Duration::from_millis(40);

impl Table {
    /// Makes a table in a new directory, and deals.
    pub(crate) fn create(
        directory: &Path,
        id: &str,
        plan: Plan,
        token: &mut dyn FnMut() -> String,
        made: u64,
    ) -> Answer<Self> {
        let path = directory.join(id);
        make_directory(&path)?;
        let saved = Saved::new(&plan, token, made);
        let mut table = Self::set(id, path, saved, plan);
        table.save()?;
        append(&table.path.join(RECORDS), b"")?;
        table.make(Move::Deal)?;
        table.advance()?;
        Ok(table)
    }

    /// Opens a table that is there.
    pub(crate) fn open(
        directory: &Path,
        id: &str,
        registry: &Registry,
        programs: &[BotSpec],
    ) -> Answer<Self> {
        let path = directory.join(id);
        let file = path.join(TABLE);
        let text = fs::read(&file).map_err(|_| Refusal::none("there is no such table"))?;
        let wrong = |why: String| Refusal::failed(format!("{}: {why}", file.display()));
        let saved: Saved = serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))?;
        let plan = saved.plan(registry, programs).map_err(wrong)?;
        let mut table = Self::set(id, path, saved, plan);
        table.read()?;
        table.advance()?;
        Ok(table)
    }

    fn set(id: &str, path: PathBuf, saved: Saved, plan: Plan) -> Self {
        let game = Game::new(&plan.rules, plan.bots, &plan.seed, plan.cards);
        Self {
            id: id.to_owned(),
            path,
            saved,
            game,
            moves: Vec::new(),
            undone: 0,
            resigned: BySeat([false; 4]),
            deals: 0,
            written: 0,
            over: None,
            version: 0,
            seen: watch::Sender::new(Arc::new(BySeat([None, None, None, None]))),
        }
    }

    /// Reads the moves, and repeats them.
    fn read(&mut self) -> Answer<()> {
        let records = whole_lines(&self.path.join(RECORDS))?;
        self.written = records.lines().count() as u64;
        let file = self.path.join(MOVES);
        let text = whole_lines(&file)?;
        for (n, line) in text.lines().enumerate() {
            let wrong = |why: String| Refusal::failed(format!("{}, line {}: {why}", file.display(), n + 1));
            let step = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
            if !self.apply(step) {
                return Err(wrong("the move is not possible here".to_owned()));
            }
            self.finish()?;
        }
        if self.deals == 0 && self.moves.is_empty() && text.is_empty() {
            self.make(Move::Deal)?;
        }
        Ok(())
    }

    /// Writes who sits where.
    fn save(&self) -> Answer<()> {
        let text = serde_json::to_vec(&self.saved).expect("it is plain data");
        Ok(write_whole(&self.path.join(TABLE), &text)?)
    }

    /// Makes a move, and writes it.
    fn make(&mut self, step: Move) -> Answer<()> {
        let line = step.line();
        if !self.apply(step) {
            return Err(Refusal::conflict("this is not possible now"));
        }
        self.made(&line)
    }

    /// Writes a move that was made, before the record of a deal that it ends.
    fn made(&mut self, line: &[u8]) -> Answer<()> {
        append(&self.path.join(MOVES), line)?;
        self.finish()
    }

    /// Makes a move; returns whether it was possible.
    fn apply(&mut self, step: Move) -> bool {
        let seat = self.turn().unwrap_or(Seat::S0);
        let possible = match &step {
            Move::Deal => {
                if self.over.as_ref().is_some_and(|it| it.is_over) && self.saved.deal.is_some() {
                    return false;
                }
                self.game.next_deal();
                (self.undone, self.over) = (0, None);
                self.resigned = BySeat([false; 4]);
                self.moves.clear();
                return true;
            }
            Move::Undo(seat) => {
                let last = self.moves.iter().rposition(|(own, step)| own == seat && !step.is_of_bot());
                let Some(last) = last.filter(|_| self.over.is_none()) else { return false };
                self.moves.truncate(last);
                self.undone += 1;
                self.game.again();
                for (_, step) in &self.moves {
                    let again = step.of(self.game.state());
                    if !again.is_some_and(|(again, bot)| self.game.repeat(again, bot)) {
                        return false;
                    }
                }
                return true;
            }
            Move::Resign(seat) => {
                self.resigned[*seat] = true;
                return true;
            }
            Move::Forfeit { seat, detail } => {
                self.game.forfeit(*seat, detail.clone());
                true
            }
            Move::Call { .. } | Move::Play { .. } => {
                let done = step.of(self.game.state());
                done.is_some_and(|(done, bot)| self.game.repeat(done, bot))
            }
        };
        if possible {
            self.moves.push((seat, step));
        }
        possible
    }

    /// Ends the deal when it is over.
    fn finish(&mut self) -> Answer<()> {
        if self.over.is_some() || self.game.turn() != Turn::Over || self.moves.is_empty() {
            return Ok(());
        }
        let names = self.names();
        let names = BySeat(names.0.each_ref().map(String::as_str));
        let Some(finished) = self.game.finish(&names, self.undone) else { return Ok(()) };
        self.deals += 1;
        if self.written < self.deals {
            append(&self.path.join(RECORDS), &finished.record)?;
            self.written = self.deals;
        }
        self.over = Some(finished);
        Ok(())
    }

    fn names(&self) -> BySeat<String> {
        BySeat::from_fn(|seat| match &self.saved.seats[seat.index()] {
            Some(person) => person.name.clone(),
            None => self.saved.bots[seat.index()].clone(),
        })
    }

    /// Tests if a person decides at a seat.
    fn is_person(&self, seat: Seat) -> bool {
        !self.resigned[seat] && self.saved.seats[seat.index()].as_ref().is_some_and(|person| person.here)
    }

    /// Lets bots play until a person must decide or the deal is over, and shows the table.
    fn advance(&mut self) -> Answer<()> {
        let mut shown = Instant::now();
        while let Some(seat) = self.turn() {
            let state = self.game.state();
            // The last card plays itself.
            let last = state.play_state().filter(|play| play.hand(seat).len() == 1);
            if self.is_person(seat) {
                let last = last.and_then(|play| play.hand(seat).first());
                let Some(card) = last.filter(|card| !state.may_announce_belote(*card)) else { break };
                self.make(Move::Play { card, bot: false, silent: false, melds: None })?;
                continue;
            }
            let before = state.meld_options(seat);
            if shown.elapsed() > SHOW_AFTER {
                self.show();
                shown = Instant::now();
            }
            let step = match self.game.ask() {
                Some(Step::Call(call)) => Move::Call { call, bot: true },
                Some(Step::Play(play)) => {
                    let melds = play.melds.filter(|_| before.len() > 1);
                    let melds = melds.and_then(|melds| before.iter().position(|other| *other == melds));
                    Move::Play { card: play.card, bot: true, silent: !play.announce_belote, melds }
                }
                None => Move::Forfeit { seat, detail: "the bot failed".to_owned() },
            };
            let line = step.line();
            self.moves.push((seat, step));
            self.made(&line)?;
        }
        self.show();
        Ok(())
    }

    /// Shows the table to the people at it.
    fn show(&mut self) {
        self.version += 1;
        let seen = BySeat::from_fn(|seat| {
            self.saved.seats[seat.index()].as_ref().map(|_| Arc::from(self.json(seat).to_string()))
        });
        self.seen.send_replace(Arc::new(seen));
    }

    /// Returns the table as a seat sees it.
    fn json(&self, seat: Seat) -> Value {
        let (rules, state) = (self.game.rules(), self.game.state());
        let is_over = self.over.is_some();
        let (number, place) = self.game.place();
        let (base, changes) = nearest_preset(rules);
        let players: Vec<_> = Seat::ALL
            .into_iter()
            .map(|seat| {
                let person = self.saved.seats[seat.index()].as_ref();
                json!({
                    "name": person.map(|it| &it.name),
                    "bot": self.saved.bots[seat.index()],
                    "here": person.is_some() && self.is_person(seat),
                })
            })
            .collect();
        let choices = Choices::of(state);
        let mut json = view::deal(&state.view(seat), &choices, Some(state).filter(|_| is_over), is_over);
        let more = json!({
            "v": self.version,
            "id": self.id,
            "seat": seat,
            "players": players,
            "seed": self.saved.seed.as_str(),
            "deal": number,
            "deals": self.deals,
            "match": place.map(|place| json!({ "number": place.number, "deal": place.deal, "score": place.score })),
            "rules": {
                "name": rules.preset_name(),
                "base": base,
                "set": changes.join(";"),
                "clockwise": rules.deal.rotation == coinche_engine::rules::Rotation::Clockwise,
                "target": rules.game.target,
                "deals": rules.game.deals,
                "turn_up": rules.deal.method == coinche_engine::rules::DealMethod::TurnUp,
            },
            "undone": self.undone,
            "can_undo": !is_over && self.moves.iter().any(|(own, step)| *own == seat && !step.is_of_bot()),
            "can_claim": !is_over && self.is_person(seat) && self.game.turn() == Turn::Play(seat),
            "over": self.over.as_ref().map(|over| {
                let mut outcome = view::outcome(state);
                if let Ending::Forfeit(seat) = over.ending {
                    outcome = json!({ "forfeit": seat, "score": over.score });
                }
                outcome["total"] = json!(over.total);
                outcome["match_over"] = json!(over.is_over);
                outcome["winner"] = json!(over.winner);
                outcome["single"] = json!(self.saved.deal.is_some());
                outcome
            }),
        });
        if let (Value::Object(json), Value::Object(more)) = (&mut json, more) {
            json.extend(more);
        }
        json
    }

    /// Returns what the people see, to be watched.
    pub(crate) fn watch(&self) -> watch::Receiver<Seen> {
        self.seen.subscribe()
    }

    /// Returns who sits where.
    pub(crate) const fn saved(&self) -> &Saved {
        &self.saved
    }

    /// Returns the game.
    pub(crate) const fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the directory.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the record of the deal, once it is over.
    pub(crate) fn record(&self) -> Option<&[u8]> {
        self.over.as_ref().map(|over| over.record.trim_ascii_end())
    }

    /// Returns how the deal came about: the state before each decision of the deal, and what was done.
    pub(crate) fn steps(&self) -> Vec<(DealState, Seat, Step)> {
        let mut state = self.game.start().clone();
        let mut steps = Vec::new();
        for (seat, step) in &self.moves {
            let Some((step, _)) = step.of(&state) else { continue };
            steps.push((state.clone(), *seat, step));
            // They were legal.
            let _ = match step {
                Step::Call(call) => state.call(call).is_ok(),
                Step::Play(play) => state.play(play).is_ok(),
            };
        }
        steps
    }

    /// Returns whose turn it is.
    pub(crate) fn turn(&self) -> Option<Seat> {
        view::to_act(self.game.turn())
    }

    /// Returns the plan of a table with the same deal, at which everyone sits a seat further.
    pub(crate) fn turned(&self, registry: &Registry, programs: &[BotSpec]) -> Answer<Plan> {
        if self.over.is_none() {
            return Err(Refusal::conflict("the deal is not over"));
        }
        let plan = self.saved.plan(registry, programs).map_err(Refusal::failed)?;
        let before = |seat: Seat| seat.plus(3);
        let leg = self.saved.deal.as_ref().map_or(0, |deal| deal.leg) + 1;
        let cards =
            Cards::One { deal: Box::new(*self.game.state().deal()), number: self.game.place().0, leg };
        let bots = BySeat::from_fn(|seat| plan.bots[before(seat)].clone());
        let people = BySeat::from_fn(|seat| plan.people[before(seat)].clone());
        Ok(Plan { bots, cards, people, ..plan })
    }

    fn check_turn(&self, seat: Seat) -> Answer<()> {
        match self.turn() {
            None => Err(Refusal::conflict("the deal is over")),
            Some(turn) if turn == seat && self.is_person(seat) => Ok(()),
            Some(turn) => {
                Err(Refusal::conflict(format!("it is the turn of seat {turn}, and you are seat {seat}")))
            }
        }
    }

    /// Calls for a person.
    pub(crate) fn call(&mut self, seat: Seat, call: Call) -> Answer<()> {
        self.check_turn(seat)?;
        // Which rule it breaks.
        let mut tried = self.game.state().clone();
        tried.call(call).map_err(Refusal::conflict)?;
        self.make(Move::Call { call, bot: false })?;
        self.advance()
    }

    /// Plays a card for a person.
    pub(crate) fn play(&mut self, seat: Seat, card: Card, silent: bool, melds: Option<usize>) -> Answer<()> {
        self.check_turn(seat)?;
        let state = self.game.state();
        let Some(play) = state.play_state() else { return Err(Refusal::conflict("the auction is not over")) };
        play.check(card).map_err(Refusal::conflict)?;
        if melds.is_some_and(|n| n >= state.meld_options(seat).len()) {
            return Err(Refusal::wrong("melds: there are fewer choices"));
        }
        self.make(Move::Play { card, bot: false, silent, melds })?;
        self.advance()
    }

    /// Takes back the last decision of a person.
    pub(crate) fn undo(&mut self, seat: Seat) -> Answer<()> {
        if self.over.is_some() {
            return Err(Refusal::conflict("the deal is over: it is on record"));
        }
        self.make(Move::Undo(seat))?;
        self.advance()
    }

    /// Lets a bot play for a person until the deal is over.
    pub(crate) fn resign(&mut self, seat: Seat) -> Answer<()> {
        if self.over.is_none() {
            self.make(Move::Resign(seat))?;
        }
        self.advance()
    }

    /// Deals the next cards.
    pub(crate) fn next(&mut self) -> Answer<()> {
        match &self.over {
            None => return Err(Refusal::conflict("the deal is not over")),
            Some(_) if self.saved.deal.is_some() => {
                return Err(Refusal::conflict("this table has one deal: make another table"));
            }
            Some(_) => {}
        }
        self.make(Move::Deal)?;
        self.advance()
    }

    /// A person leaves, or comes back; meanwhile a bot plays.
    pub(crate) fn sit(&mut self, seat: Seat, here: bool, name: Option<&str>) -> Answer<()> {
        if let Some(person) = &mut self.saved.seats[seat.index()] {
            person.here = here;
            if let Some(name) = name {
                name.clone_into(&mut person.name);
            }
        }
        self.save()?;
        self.advance()
    }
}
