//! Programs at a table with a person: each is asked one question at a time, like any other bot.
//!
//! A run plays whole legs ([`in_flight`](super::in_flight)); here a deal pauses wherever the person must decide. A
//! fault of a program becomes a panic of its bot, which forfeits the deal.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use coinche_bots::{Agent, Bidder, Bot, BotSpec, CardPlayer, Player, Program};
use coinche_engine::{ByTeam, Call, Card, CardSet, DealState, Key, LegalCalls, Melds, RuleSet, Seat, View};

use crate::log::StderrLog;
use crate::message::excerpt;
use crate::programs::link::{self, Link, LinkEvent, QUIT_TIMEOUT, Request};
use crate::programs::process::ReadyPipes;
use crate::question::{Choice, Over, Question, Writer, melds_text};

/// The programs of the bot at a seat, to notify at the end of a deal.
#[derive(Debug, Clone, Default)]
pub struct SeatedPrograms(Vec<SeatedProgram>);

/// Builds a bot whose halves may be programs. They start with their first question and end with the bot.
pub fn seat_bot(rules: &RuleSet, spec: &BotSpec) -> (Bot, SeatedPrograms) {
    let mut bot = spec.build();
    let mut programs = SeatedPrograms::default();
    if let Some(program) = spec.bidder_program() {
        let program = SeatedProgram::new(rules, spec, program);
        bot.bidder = Box::new(program.clone());
        if spec.is_one_program() {
            bot.player = Player::fair(program.clone());
        }
        programs.0.push(program);
    }
    if let Some(program) = spec.player_program().filter(|_| !spec.is_one_program()) {
        let program = SeatedProgram::new(rules, spec, program);
        bot.player = Player::fair(program.clone());
        programs.0.push(program);
    }
    (bot, programs)
}

impl SeatedPrograms {
    /// Sends the programs of a seat the result of the deal, if they want it.
    pub fn send_over(&self, state: &DealState, seat: Seat, score: ByTeam<i32>, forfeited: bool) {
        for program in &self.0 {
            let Session { link, writer, deal, .. } = &mut *program.lock();
            let over = Over { deal: deal.bits(), state, view: state.view(seat), score: score.0, forfeited };
            link.send_over(writer, &over);
        }
    }
}

/// A program in use as a bidder, a card player, or both.
#[derive(Debug, Clone)]
struct SeatedProgram(Arc<Mutex<Session>>);

#[derive(Debug)]
struct Session {
    bot: String,
    link: Link,
    writer: Writer,
    /// The identifier of the deal for this program: from its first key there, which no other seat has.
    deal: Key,
    /// Whether nothing was asked in it.
    is_new: bool,
}

impl SeatedProgram {
    fn new(rules: &RuleSet, spec: &BotSpec, program: &Program) -> Self {
        let bot = spec.name().to_owned();
        let link = Link::new(rules, program, &bot, String::new(), StderrLog::none());
        Self(Arc::new(Mutex::new(Session {
            bot,
            link,
            writer: Writer::new(),
            deal: Key::from_bits(0),
            is_new: true,
        })))
    }

    /// Locks the link; a panic in an earlier deal left no inconsistent state.
    fn lock(&self) -> MutexGuard<'_, Session> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&self, view: &View<'_>, choice: Choice<'_>, key: Key) -> String {
        let answer = self.lock().ask(view, choice, key);
        answer.unwrap_or_else(|detail| panic!("{detail}"))
    }
}

impl Session {
    /// Sends a question and waits for the answer.
    fn ask(&mut self, view: &View<'_>, choice: Choice<'_>, key: Key) -> Result<String, String> {
        if core::mem::take(&mut self.is_new) {
            self.deal = key.and(self.deal.bits());
        }
        let (deal, budget) = (self.deal.bits(), self.link.budget());
        let mut text = Vec::with_capacity(1024);
        self.writer.question(&mut text, &Question { deal, choice, view: *view, key, budget });
        self.link.ask(Request { from: 0, text });
        let mut events = Vec::new();
        loop {
            self.link.pump(Instant::now(), ReadyPipes::default(), &mut events);
            if events.is_empty() {
                link::poll(core::slice::from_mut(&mut self.link), &mut events);
            }
            match events.pop() {
                Some(LinkEvent::Answer { text, .. }) => return Ok(text.trim().to_owned()),
                Some(LinkEvent::Fault { detail, .. }) => {
                    eprintln!("{}: {detail}{}", self.bot, self.link.stderr_tail("    "));
                    return Err(detail);
                }
                None => {}
            }
        }
    }
}

impl Drop for Session {
    /// Asks the program to quit; dropping the link kills one that does not.
    fn drop(&mut self) {
        link::quit(core::slice::from_mut(&mut self.link), QUIT_TIMEOUT);
    }
}

/// Panics on an answer that cannot be parsed.
fn invalid_answer(what: &str, text: &str) -> ! {
    panic!("the {what} {}", excerpt(text.as_bytes()))
}

impl Agent for SeatedProgram {
    fn start(&mut self) {
        let mut session = self.lock();
        session.deal = session.deal.and(1);
        session.is_new = true;
    }
}

impl Bidder for SeatedProgram {
    fn call(&mut self, view: &View<'_>, legal: &LegalCalls, key: Key) -> Call {
        let text = self.ask(view, Choice::Call(legal), key);
        text.parse().unwrap_or_else(|_| invalid_answer("call", &text))
    }
}

impl CardPlayer for SeatedProgram {
    fn play(&mut self, view: &View<'_>, legal: CardSet, key: Key) -> Card {
        let text = self.ask(view, Choice::Play(legal), key);
        text.parse().unwrap_or_else(|_| invalid_answer("card", &text))
    }

    fn announce_belote(&mut self, view: &View<'_>, card: Card, key: Key) -> bool {
        let text = self.ask(view, Choice::Belote(card), key);
        match text.to_ascii_lowercase().as_str() {
            "yes" => true,
            "no" => false,
            _ => invalid_answer("word on the belote", &text),
        }
    }

    fn choose_melds(&mut self, view: &View<'_>, options: &[Melds], key: Key) -> usize {
        let text = self.ask(view, Choice::Melds(options), key);
        let chosen = options.iter().position(|melds| melds_text(melds).eq_ignore_ascii_case(&text));
        // None of the options: the table records the fault.
        chosen.unwrap_or(options.len())
    }
}
