//! A link to one process of a bot: greeting, questions and answers, timeouts, restarts.
//!
//! # Faults and their attribution
//!
//! A process that ends, times out or sends an unreadable line is killed and restarted. If one question was pending, its
//! deal is forfeited. If several were pending (a batch), they are asked again one at a time, so that the fault is
//! attributed to the question that caused it and the results equal those of a bot without batches. A fault while no
//! question is pending is attributed to the next question.
//!
//! A fault is reported once the program is ready again. If it cannot be restarted it is given up, and the fault costs
//! no deal: the run stops before it. With `--forfeit` a fault is reported at once, and all questions to a program that
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
/// The number of failed starts in a row after which a program is given up.
const MOST_FAILED_STARTS: u32 = 3;

/// A hint for programs that never sent a line.
const SILENT: &str = ": nothing came on its stdout. Is the output flushed? In Python print(…, flush=True)";

/// A question in flight.
#[derive(Debug)]
pub(super) struct Ask {
    /// The sender, which the events name.
    pub(super) from: usize,
    /// The id that the answer must repeat.
    pub(super) id: u64,
    /// The question, without the end of the line.
    pub(super) text: Vec<u8>,
}

/// The outcome of a question.
#[derive(Debug)]
pub(super) enum Event {
    /// An answer, legal or not.
    Answer {
        /// The sender of the question.
        from: usize,
        /// The answer.
        text: String,
        /// The expected points.
        points: Option<f64>,
        /// The probability that the contract is made.
        chance: Option<f64>,
    },
    /// A fault of the process instead of an answer.
    Fault {
        /// The sender of the question.
        from: usize,
        /// The kind of fault.
        kind: FaultKind,
        /// What was observed.
        detail: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Not running; not to be started before `not_before`.
    Down,
    /// Started; `hello` was sent.
    Greeting,
    /// The rules were sent.
    Starting,
    /// Ready for questions.
    Up,
    /// Cannot be started, so given up.
    GivenUp,
}

/// The reaction to a program that cannot be started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WhenLost {
    /// The run stops.
    Stop,
    /// It forfeits its questions.
    Forfeit,
    /// Nothing has been played yet: a start that hangs is not retried.
    GiveUpSoon,
}

/// The last lines sent and received, for `arena check-bot`.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    /// The last question asked.
    pub(super) asked: String,
    /// The last line received.
    pub(super) said: String,
}

/// A link to one process.
#[derive(Debug)]
pub(super) struct Link {
    program: Program,
    /// The `start` message, without the end of the line.
    start: String,
    /// The bot's name in the log, and the prefix of its lines.
    bot: String,
    mark: String,
    log: StderrLog,
    state: State,
    process: Option<Process>,
    hello: Hello,
    /// The deadline for its next line.
    deadline: Instant,
    /// The earliest time for a restart.
    not_before: Instant,
    /// Whether it was ever ready, so that it can be started and has sent its `hello`.
    was_up: bool,
    failed_starts: u32,
    /// Why it could not be started.
    failure: String,
    /// Questions to send.
    queue: VecDeque<Ask>,
    /// Questions to send one at a time.
    singly: VecDeque<Ask>,
    /// Questions sent and not yet answered.
    asked: Vec<Ask>,
    /// The last lines of stderr of this process, or of the previous one if there is none.
    tail: Tail,
    /// Whether the process has sent a complete line.
    has_spoken: bool,
    /// A fault that occurred while no question was pending.
    idle_fault: Option<(FaultKind, String)>,
    /// A fault that is reported once the program is ready again.
    untold: Option<Event>,
    when_lost: WhenLost,
    /// Recorded only for `arena check-bot`.
    seen: Option<Seen>,
}

impl Link {
    /// Creates the link; the first [`Link::pump`] starts the process.
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

    /// Makes a program that was given up forfeit its questions.
    pub(super) const fn forfeit(&mut self) {
        self.when_lost = WhenLost::Forfeit;
    }

    /// Gives the program up at the first start that hangs.
    pub(super) const fn be_hasty(&mut self) {
        self.when_lost = WhenLost::GiveUpSoon;
    }

    /// Records the last lines sent and received.
    pub(super) fn watch_closely(&mut self) {
        self.seen = Some(Seen::default());
    }

    /// Returns the last lines sent and received, if they are recorded.
    pub(super) fn seen(&self) -> Option<Seen> {
        self.seen.clone()
    }

    /// Returns the `hello` of the bot.
    pub(super) const fn hello(&self) -> &Hello {
        &self.hello
    }

    /// Returns why the program was given up, if it was.
    pub(super) fn given_up(&self) -> Option<&str> {
        (self.state == State::GivenUp).then_some(self.failure.as_str())
    }

    /// Returns the bot that contains the program.
    pub(super) fn bot(&self) -> &str {
        &self.bot
    }

    /// Returns the sender of the unreported fault of a program that was given up.
    pub(super) fn untold_of(&self) -> Option<usize> {
        match &self.untold {
            Some(Event::Answer { from, .. } | Event::Fault { from, .. }) => Some(*from),
            None => None,
        }
    }

    /// Tests if the program was ever ready.
    pub(super) const fn was_up(&self) -> bool {
        self.was_up
    }

    /// Returns the last lines of stderr, formatted for display.
    pub(super) fn stderr_tail(&self, indent: &str) -> String {
        let shown = self.tail.shown(indent);
        let before = &indent[..indent.len().saturating_sub(2)];
        if shown.is_empty() { shown } else { format!("\n{before}its stderr ends with:{shown}") }
    }

    /// Tests if the first greeting has succeeded or failed.
    pub(super) const fn is_settled(&self) -> bool {
        self.was_up || matches!(self.state, State::GivenUp)
    }

    /// Returns the most questions in one line; 1 if it takes no batches.
    pub(super) fn batch(&self) -> usize {
        self.hello.batch.map_or(1, |batch| batch.min(self.program.batch))
    }

    /// Returns the program's budget per decision.
    pub(super) const fn budget(&self) -> Option<Budget> {
        self.program.budget
    }

    /// Queues a question.
    pub(super) fn ask(&mut self, ask: Ask) {
        self.queue.push_back(ask);
    }

    /// Returns the output buffer for the end of a deal, if the bot subscribes to it and is ready.
    pub(super) fn telling_over(&mut self) -> Option<&mut Vec<u8>> {
        if self.state != State::Up || !self.hello.wants_over {
            return None;
        }
        self.process.as_mut().map(Process::outbox)
    }

    /// Does all work that does not block: reads what is `ready`, starts the process, sends; reports the outcomes of
    /// questions.
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

    /// Tests if the process must be started: for a question, to report a fault, or because it never was ready.
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

    /// Asks the program to quit.
    pub(super) fn quit(&mut self) {
        if let Some(process) = &mut self.process {
            push_str(process.outbox(), "{\"type\":\"quit\"}\n");
            process.close();
        }
    }

    /// Tests if the program has exited; reads its output until then.
    pub(super) fn has_quit(&mut self) -> bool {
        self.keep_mutter();
        let Some(process) = &mut self.process else { return true };
        process.hear();
        while process.line().is_some() {}
        process.has_ended()
    }
}

/// How often to check whether the run is to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Starts programs and waits until each is ready or given up, or `is_over` returns `true`; returns whether all settled.
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

/// Waits until a link has work, and pumps it; returns after a short time at the latest.
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
