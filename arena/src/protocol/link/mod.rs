//! A link to one process of a bot: greeting, questions and answers, deadlines, restarts.
//!
//! # What goes wrong, and whose fault it is
//!
//! A process that ends, is silent for too long, or says what cannot be understood is ended and started
//! again. When it had one question to answer, the deal of that question is forfeited. When it had several
//! (a batch), they are asked again one at a time, so that the fault falls on the question that brought it
//! about and the results are those of a bot without batches. What goes wrong while nothing is asked counts
//! for the next question.
//!
//! A fault is told when the program is ready again. Where it cannot be started any more it is given up, and the fault
//! costs no deal: the run stops before it. With `--forfeit` a fault is told at once, and all questions to a program that
//! was given up are forfeited.

mod said;
mod start;
mod talk;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use coinche_bots::{Budget, Program};
use coinche_engine::record::FaultKind;
use coinche_selfplay::records::write::push_str;

use super::log::StderrLog;
use super::message::Hello;
use super::process::{Process, Ready, wait};
use super::tail::Tail;

/// The least time between two starts.
const BETWEEN_STARTS: Duration = Duration::from_millis(50);
/// A program that cannot be started this many times in a row is given up.
const MOST_FAILED_STARTS: u32 = 3;

/// What is asked of a program that has never said a line.
const SILENT: &str = ": nothing came on its stdout. Is the output flushed? In Python print(…, flush=True)";

/// A question on its way.
#[derive(Debug)]
pub(super) struct Ask {
    /// Who asks: what the events name.
    pub(super) from: usize,
    /// What the answer must repeat.
    pub(super) id: u64,
    /// The question, without the end of the line.
    pub(super) text: Vec<u8>,
}

/// What a question came to.
#[derive(Debug)]
pub(super) enum Event {
    /// An answer, legal or not.
    Answer {
        /// Who asked.
        from: usize,
        /// The answer.
        text: String,
        /// The points expected.
        points: Option<f64>,
        /// The chance that the contract is made.
        chance: Option<f64>,
    },
    /// None, since the process did wrong.
    Fault {
        /// Who asked.
        from: usize,
        /// What kind of wrong.
        kind: FaultKind,
        /// What was seen.
        detail: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// No process; not to be started before this time.
    Down,
    /// Started, and greeted.
    Greeting,
    /// Told the rules.
    Starting,
    /// Ready for questions.
    Up,
    /// Cannot be started.
    GivenUp,
}

/// What is done about a program that cannot be started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WhenLost {
    /// The run stops.
    Stop,
    /// It forfeits what it is asked.
    Forfeit,
    /// Nothing is played yet: a start that hangs is not tried again.
    GiveUpSoon,
}

/// What was sent last and what was seen, for `arena check-bot`.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    /// The last question asked.
    pub(super) asked: String,
    /// The last line said.
    pub(super) said: String,
}

/// A link to one process.
#[derive(Debug)]
pub(super) struct Link {
    program: Program,
    /// The `start` message, without the end of the line.
    start: String,
    /// The bot's name in the log, and what precedes its lines.
    bot: String,
    mark: String,
    log: StderrLog,
    state: State,
    process: Option<Process>,
    hello: Hello,
    /// When it must have said something.
    deadline: Instant,
    /// When it may be started again.
    not_before: Instant,
    /// Whether it was ready once: it can be started, and said what it is.
    was_up: bool,
    failed_starts: u32,
    /// Why it could not be started.
    failure: String,
    /// To be asked.
    queue: VecDeque<Ask>,
    /// To be asked one at a time.
    singly: VecDeque<Ask>,
    /// Asked.
    asked: Vec<Ask>,
    /// The last lines of the standard error of this process, or of the last where there is none.
    tail: Tail,
    /// Whether the process has said a whole line.
    has_spoken: bool,
    /// What went wrong while nothing was asked.
    idle_fault: Option<(FaultKind, String)>,
    /// A fault that is told once the program is ready again.
    untold: Option<Event>,
    when_lost: WhenLost,
    /// Kept for `arena check-bot` only.
    seen: Option<Seen>,
}

impl Link {
    /// Makes the link; the process is started by the first [`Link::pump`].
    pub(super) fn new(program: &Program, start: String, bot: &str, mark: String, log: StderrLog) -> Self {
        let now = Instant::now();
        Self {
            program: program.clone(),
            start,
            bot: bot.to_owned(),
            mark,
            log,
            state: State::Down,
            process: None,
            hello: Hello::default(),
            deadline: now,
            not_before: now,
            was_up: false,
            failed_starts: 0,
            failure: String::new(),
            queue: VecDeque::new(),
            singly: VecDeque::new(),
            asked: Vec::new(),
            tail: Tail::default(),
            has_spoken: false,
            idle_fault: None,
            untold: None,
            when_lost: WhenLost::Stop,
            seen: None,
        }
    }

    /// Lets a program that was given up forfeit what it is asked.
    pub(super) const fn forfeit(&mut self) {
        self.when_lost = WhenLost::Forfeit;
    }

    /// Gives the program up at the first start that hangs.
    pub(super) const fn be_hasty(&mut self) {
        self.when_lost = WhenLost::GiveUpSoon;
    }

    /// Keeps what is sent and said last.
    pub(super) fn watch_closely(&mut self) {
        self.seen = Some(Seen::default());
    }

    /// Returns what was sent and said last, where it is kept.
    pub(super) fn seen(&self) -> Option<Seen> {
        self.seen.clone()
    }

    /// Returns what the bot said of itself.
    pub(super) const fn hello(&self) -> &Hello {
        &self.hello
    }

    /// Returns why the program was given up, once it is.
    pub(super) fn given_up(&self) -> Option<&str> {
        (self.state == State::GivenUp).then_some(self.failure.as_str())
    }

    /// Returns the bot that the program is a part of.
    pub(super) fn bot(&self) -> &str {
        &self.bot
    }

    /// Returns who has the fault that was not told, of a program that was given up.
    pub(super) fn untold_of(&self) -> Option<usize> {
        match &self.untold {
            Some(Event::Answer { from, .. } | Event::Fault { from, .. }) => Some(*from),
            None => None,
        }
    }

    /// Tests if the program was ready once.
    pub(super) const fn was_up(&self) -> bool {
        self.was_up
    }

    /// Returns the last lines of the standard error, for people.
    pub(super) fn stderr_tail(&self, indent: &str) -> String {
        let shown = self.tail.shown(indent);
        let before = &indent[..indent.len().saturating_sub(2)];
        if shown.is_empty() { shown } else { format!("\n{before}its stderr ends with:{shown}") }
    }

    /// Tests if the first greeting is over, well or not.
    pub(super) const fn is_settled(&self) -> bool {
        self.was_up || matches!(self.state, State::GivenUp)
    }

    /// Returns the most questions in one line; 1: it takes no batches.
    pub(super) fn batch(&self) -> usize {
        self.hello.batch.map_or(1, |batch| batch.min(self.program.batch))
    }

    /// Returns what the program may spend on a decision.
    pub(super) const fn budget(&self) -> Option<Budget> {
        self.program.budget
    }

    /// Puts a question on its way.
    pub(super) fn ask(&mut self, ask: Ask) {
        self.queue.push_back(ask);
    }

    /// Returns a buffer for a message that needs no answer, where the bot wants such and can be told now.
    pub(super) fn telling_over(&mut self) -> Option<&mut Vec<u8>> {
        if self.state != State::Up || !self.hello.wants_over {
            return None;
        }
        self.process.as_mut().map(Process::outbox)
    }

    /// Does what can be done now: read where something is `ready`, start, send; reports what questions came
    /// to.
    pub(super) fn pump(&mut self, now: Instant, ready: Ready, events: &mut Vec<Event>) {
        if ready.err {
            self.keep_mutter();
        }
        if ready.out {
            self.listen(now, events);
        }
        if self.process.is_some() && self.is_waiting() && now >= self.deadline {
            let limit = if self.state == State::Up { self.program.timeout } else { self.program.start };
            let what = if self.state == State::Up { "no answer" } else { "not ready" };
            let hint = if self.has_spoken { "" } else { SILENT };
            self.fail(FaultKind::Timeout, format!("{what} within {limit:?}{hint}"), events);
        }
        self.blame_next(events);
        if self.state == State::Down && self.is_needed() && now >= self.not_before {
            self.launch(now, events);
        }
        if self.state == State::Up {
            events.extend(self.untold.take());
        }
        if self.state == State::GivenUp && self.when_lost == WhenLost::Forfeit {
            let asks = self.asked.drain(..).chain(self.singly.drain(..)).chain(self.queue.drain(..));
            events.extend(asks.map(|ask| Event::Fault {
                from: ask.from,
                kind: FaultKind::Crash,
                detail: format!("cannot be started: {}", self.failure),
            }));
        }
        if self.state == State::Up && self.asked.is_empty() {
            self.send_next(now);
        }
        if let Some(process) = &mut self.process {
            process.send();
        }
    }

    /// Tests if the process owes an answer.
    fn is_waiting(&self) -> bool {
        matches!(self.state, State::Greeting | State::Starting) || !self.asked.is_empty()
    }

    /// Tests if there is a reason to start the process: a question, a fault to tell, or that it never was ready.
    fn is_needed(&self) -> bool {
        !self.was_up || !self.queue.is_empty() || !self.singly.is_empty() || self.untold.is_some()
    }

    /// Returns when the link must be pumped at the latest, if it waits for a time.
    pub(super) fn wake(&self) -> Option<Instant> {
        match self.state {
            State::Down if self.is_needed() => Some(self.not_before),
            _ if self.is_waiting() => Some(self.deadline),
            _ => None,
        }
    }

    /// Asks the program to end.
    pub(super) fn quit(&mut self) {
        if let Some(process) = &mut self.process {
            push_str(process.outbox(), "{\"type\":\"quit\"}\n");
            process.close();
        }
    }

    /// Tests if the program has ended; takes what it says until then.
    pub(super) fn has_quit(&mut self) -> bool {
        self.keep_mutter();
        let Some(process) = &mut self.process else { return true };
        process.hear();
        while process.line().is_some() {}
        process.has_ended()
    }
}

/// How long nothing may happen before it is looked whether the run is to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Starts programs and waits until each is ready or cannot be, or there is no reason to wait any more: says which.
pub(super) fn settle(links: &mut [Link], is_over: &mut dyn FnMut() -> bool) -> bool {
    let mut events = Vec::new();
    while !links.iter().all(Link::is_settled) {
        if is_over() {
            return false;
        }
        listen(links, &mut events);
    }
    true
}

/// Waits until a link has something to do, and lets it; returns after a short time too.
pub(super) fn listen(links: &mut [Link], events: &mut Vec<Event>) {
    let now = Instant::now();
    let wake = links.iter().filter_map(Link::wake).min();
    let time = wake.map_or(LOOK, |wake| wake.saturating_duration_since(now).min(LOOK));
    let ready = wait(links.iter().map(|link| link.process.as_ref()), Some(time));
    let now = Instant::now();
    for (link, ready) in links.iter_mut().zip(ready) {
        link.pump(now, ready, events);
    }
}
