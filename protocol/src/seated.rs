//! Programs at a table with a person: each is asked one question at a time, like any other bot.
//!
//! A run plays whole legs ([`in_flight`](super::in_flight)); here a deal pauses wherever the person must decide. A
//! fault of a program becomes a panic of its bot, which forfeits the deal.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use coinche_bots::{Agent, Bidder, Bot, BotSpec, CardPlayer, Player, Program};
use coinche_engine::{ByTeam, Call, Card, CardSet, DealState, Key, LegalCalls, Melds, RuleSet, Seat, View};

use super::link::{self, Ask, Event, Link};
use super::log::StderrLog;
use super::message::shown;
use super::process::Ready;
use super::question::{Choice, Over, Question, Writer, melds_text};
use super::start::start_message;

/// The grace period for a program to exit after `quit`.
const QUIT: Duration = Duration::from_secs(1);

/// The programs of the bot at a seat, to notify at the end of a deal.
#[derive(Debug, Clone, Default)]
pub struct SeatedPrograms(Vec<Asked>);

/// Builds a bot whose halves may be programs. They start with their first question and end with the bot.
pub fn seat_bot(rules: &RuleSet, spec: &BotSpec) -> (Bot, SeatedPrograms) {
    let mut bot = spec.build();
    let mut programs = SeatedPrograms::default();
    if let Some(program) = spec.bidder_program() {
        let asked = Asked::new(rules, spec, program);
        bot.bidder = Box::new(asked.clone());
        if spec.is_one_program() {
            bot.player = Player::fair(asked.clone());
        }
        programs.0.push(asked);
    }
    if let Some(program) = spec.player_program().filter(|_| !spec.is_one_program()) {
        let asked = Asked::new(rules, spec, program);
        bot.player = Player::fair(asked.clone());
        programs.0.push(asked);
    }
    (bot, programs)
}

impl SeatedPrograms {
    /// Sends the programs of a seat the result of the deal, if they want it.
    pub fn tell_over(&self, state: &DealState, seat: Seat, score: ByTeam<i32>, forfeited: bool) {
        for program in &self.0 {
            let Talk { link, writer, deal, .. } = &mut *program.talk();
            if let Some(out) = link.telling_over() {
                let over = Over { deal: *deal, state, view: state.view(seat), score: score.0, forfeited };
                writer.over(out, &over);
                out.push(b'\n');
            }
        }
    }
}

/// A program in use as a bidder, a card player, or both.
#[derive(Debug, Clone)]
struct Asked(Arc<Mutex<Talk>>);

#[derive(Debug)]
struct Talk {
    bot: String,
    link: Link,
    writer: Writer,
    /// The number of the deal, as sent to this program.
    deal: u64,
    questions: u64,
}

impl Asked {
    fn new(rules: &RuleSet, spec: &BotSpec, program: &Program) -> Self {
        let bot = spec.name().to_owned();
        let link = Link::new(program, start_message(rules, program), &bot, String::new(), StderrLog::none());
        Self(Arc::new(Mutex::new(Talk { bot, link, writer: Writer::new(), deal: 0, questions: 0 })))
    }

    /// Locks the link; a panic in an earlier deal left no inconsistent state.
    fn talk(&self) -> MutexGuard<'_, Talk> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&self, view: &View<'_>, choice: Choice<'_>, key: Key) -> String {
        let answer = self.talk().ask(view, choice, key);
        answer.unwrap_or_else(|detail| panic!("{detail}"))
    }
}

impl Talk {
    /// Sends a question and waits for the answer.
    fn ask(&mut self, view: &View<'_>, choice: Choice<'_>, key: Key) -> Result<String, String> {
        self.questions += 1;
        let id = self.questions;
        let (deal, budget) = (self.deal, self.link.budget());
        let mut text = Vec::with_capacity(1024);
        self.writer.question(&mut text, &Question { id, deal, choice, view: *view, key, budget });
        self.link.ask(Ask { from: 0, id, text });
        let mut events = Vec::new();
        loop {
            self.link.pump(Instant::now(), Ready::default(), &mut events);
            if events.is_empty() {
                link::listen(core::slice::from_mut(&mut self.link), &mut events);
            }
            match events.pop() {
                Some(Event::Answer { text, .. }) => return Ok(text.trim().to_owned()),
                Some(Event::Fault { detail, .. }) => {
                    eprintln!("{}: {detail}{}", self.bot, self.link.stderr_tail("    "));
                    return Err(detail);
                }
                None => {}
            }
        }
    }
}

impl Drop for Talk {
    /// Asks the program to quit; dropping the link kills one that does not.
    fn drop(&mut self) {
        self.link.quit();
        let until = Instant::now() + QUIT;
        while !self.link.has_quit() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Panics on an answer that cannot be parsed.
fn unreadable(what: &str, text: &str) -> ! {
    panic!("the {what} {}", shown(text.as_bytes()))
}

impl Agent for Asked {
    fn start(&mut self) {
        self.talk().deal += 1;
    }
}

impl Bidder for Asked {
    fn call(&mut self, view: &View<'_>, legal: &LegalCalls, key: Key) -> Call {
        let text = self.ask(view, Choice::Call(legal), key);
        text.parse().unwrap_or_else(|_| unreadable("call", &text))
    }
}

impl CardPlayer for Asked {
    fn play(&mut self, view: &View<'_>, legal: CardSet, key: Key) -> Card {
        let text = self.ask(view, Choice::Play(legal), key);
        text.parse().unwrap_or_else(|_| unreadable("card", &text))
    }

    fn announce_belote(&mut self, view: &View<'_>, card: Card, key: Key) -> bool {
        let text = self.ask(view, Choice::Belote(card), key);
        match text.to_ascii_lowercase().as_str() {
            "yes" => true,
            "no" => false,
            _ => unreadable("word on the belote", &text),
        }
    }

    fn choose_melds(&mut self, view: &View<'_>, options: &[Melds], key: Key) -> usize {
        let text = self.ask(view, Choice::Melds(options), key);
        let chosen = options.iter().position(|melds| melds_text(melds).eq_ignore_ascii_case(&text));
        // None of the options: the table records the fault.
        chosen.unwrap_or(options.len())
    }
}
