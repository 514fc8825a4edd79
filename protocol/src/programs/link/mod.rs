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

mod exchange;
mod reply;
mod start;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use coinche_bots::{Budget, Program};
use coinche_engine::RuleSet;
use coinche_engine::record::FaultKind;
use coinche_selfplay::records::write::push_str;

use self::start::start_message;
use crate::log::StderrLog;
use crate::message::Hello;
use crate::programs::process::{Process, ReadyPipes, wait};
use crate::programs::tail::StderrTail;
use crate::question::{Over, Writer};

/// The time that programs have to exit after `quit`.
pub(super) const QUIT_TIMEOUT: Duration = Duration::from_secs(1);
/// The least time between two starts.
const BETWEEN_STARTS: Duration = Duration::from_millis(50);
/// The number of failed starts in a row after which a program is given up.
const MAX_FAILED_STARTS: u32 = 3;

/// A hint for programs that never sent a line.
pub(super) const NO_OUTPUT_HINT: &str =
    ": nothing came on its stdout. Is the output flushed? In Python print(…, flush=True)";

/// A question in flight.
#[derive(Debug)]
pub(super) struct Request {
    /// The sender, which the events name.
    pub(super) from: usize,
    /// The question behind its id, without the end of the line.
    pub(super) text: Vec<u8>,
}

/// The outcome of a question.
#[derive(Debug)]
pub(super) enum LinkEvent {
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
enum LinkState {
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
enum OnStartFailure {
    /// The run stops.
    Stop,
    /// It forfeits its questions.
    Forfeit,
    /// Nothing has been played yet: a start that hangs is not retried.
    GiveUpEarly,
}

/// The last lines sent and received, for `arena check-bot`.
#[derive(Debug, Clone, Default)]
pub(super) struct LastLines {
    /// The last question asked.
    pub(super) sent: String,
    /// The last line received.
    pub(super) received: String,
}

/// A link to one process.
#[derive(Debug)]
pub(super) struct Link {
    program: Program,
    /// The `start` message, without the end of the line.
    start: String,
    /// The bot's name in the log, and the prefix of its lines.
    pub(super) bot: String,
    prefix: String,
    log: StderrLog,
    state: LinkState,
    process: Option<Process>,
    /// What the bot says of itself.
    pub(super) hello: Hello,
    /// The deadline for its next line.
    deadline: Instant,
    /// The earliest time for a restart.
    not_before: Instant,
    /// Whether it was ever ready, so that it can be started and has sent its `hello`.
    pub(super) was_up: bool,
    failed_starts: u32,
    /// Why it could not be started.
    failure: String,
    /// The number of questions asked on this link, which gives each its id: of other links it says nothing.
    pub(super) asked: u64,
    /// Questions to send, with their ids.
    queue: VecDeque<(u64, Request)>,
    /// Questions to send one at a time.
    retries: VecDeque<(u64, Request)>,
    /// Questions sent and not yet answered.
    pending: Vec<(u64, Request)>,
    /// The last lines of stderr of this process, or of the previous one if there is none.
    tail: StderrTail,
    /// Whether the process has sent a complete line.
    has_written: bool,
    /// A fault that occurred while no question was pending.
    idle_fault: Option<(FaultKind, String)>,
    /// A fault that is reported once the program is ready again.
    unreported: Option<LinkEvent>,
    on_start_failure: OnStartFailure,
    /// Recorded only for `arena check-bot`.
    last_lines: Option<LastLines>,
}

impl Link {
    /// Creates the link; the first [`Link::pump`] starts the process.
    pub(super) fn new(rules: &RuleSet, program: &Program, bot: &str, prefix: String, log: StderrLog) -> Self {
        let now = Instant::now();
        Self {
            program: program.clone(),
            start: start_message(rules, program),
            bot: bot.to_owned(),
            prefix,
            log,
            state: LinkState::Down,
            process: None,
            hello: Hello::default(),
            deadline: now,
            not_before: now,
            was_up: false,
            failed_starts: 0,
            failure: String::new(),
            asked: 0,
            queue: VecDeque::new(),
            retries: VecDeque::new(),
            pending: Vec::new(),
            tail: StderrTail::default(),
            has_written: false,
            idle_fault: None,
            unreported: None,
            on_start_failure: OnStartFailure::Stop,
            last_lines: None,
        }
    }

    /// Makes a program that was given up forfeit its questions.
    pub(super) const fn forfeit(&mut self) {
        self.on_start_failure = OnStartFailure::Forfeit;
    }

    /// Starts a program once, before anything is played, and waits until it is ready or given up, which it is at the
    /// first start that hangs; `None` if `is_over` returned `true` first.
    pub(super) fn trial(
        rules: &RuleSet,
        program: &Program,
        bot: &str,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Option<Self> {
        let mut link = Self::new(rules, program, bot, String::new(), StderrLog::none());
        link.on_start_failure = OnStartFailure::GiveUpEarly;
        link.record_lines();
        wait_until_ready(core::slice::from_mut(&mut link), is_over).then_some(link)
    }

    /// Records the last lines sent and received.
    pub(super) fn record_lines(&mut self) {
        self.last_lines = Some(LastLines::default());
    }

    /// Returns the last lines sent and received, if they are recorded.
    pub(super) fn last_lines(&self) -> Option<LastLines> {
        self.last_lines.clone()
    }

    /// Returns why the program was given up, if it was.
    pub(super) fn given_up(&self) -> Option<&str> {
        (self.state == LinkState::GivenUp).then_some(self.failure.as_str())
    }

    /// Returns the sender of the unreported fault of a program that was given up.
    pub(super) fn unreported_sender(&self) -> Option<usize> {
        match &self.unreported {
            Some(LinkEvent::Answer { from, .. } | LinkEvent::Fault { from, .. }) => Some(*from),
            None => None,
        }
    }

    /// Returns the last lines of stderr, formatted for display.
    pub(super) fn stderr_tail(&self, indent: &str) -> String {
        let lines = self.tail.formatted(indent);
        let before = &indent[..indent.len().saturating_sub(2)];
        if lines.is_empty() { lines } else { format!("\n{before}its stderr ends with:{lines}") }
    }

    /// Tests if the first greeting has succeeded or failed.
    pub(super) const fn is_settled(&self) -> bool {
        self.was_up || matches!(self.state, LinkState::GivenUp)
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
    pub(super) fn ask(&mut self, ask: Request) {
        self.asked += 1;
        self.queue.push_back((self.asked, ask));
    }

    /// Sends the end of a deal, if the bot subscribes to it and is ready.
    pub(super) fn send_over(&mut self, writer: &Writer, over: &Over<'_>) {
        if self.state == LinkState::Up
            && self.hello.wants_over
            && let Some(process) = &mut self.process
        {
            writer.over(process.outbox(), over);
            process.outbox().push(b'\n');
        }
    }

    /// Does all work that does not block: reads what is `ready`, starts the process, sends; reports the outcomes of
    /// questions.
    pub(super) fn pump(&mut self, now: Instant, ready: ReadyPipes, events: &mut Vec<LinkEvent>) {
        if ready.err {
            self.log_stderr();
        }
        if ready.out {
            self.receive(now, events);
        }
        if self.process.is_some() && self.is_waiting() && now >= self.deadline {
            let limit = if self.state == LinkState::Up { self.program.timeout } else { self.program.start };
            let what = if self.state == LinkState::Up { "no answer" } else { "not ready" };
            let hint = if self.has_written { "" } else { NO_OUTPUT_HINT };
            self.fail(FaultKind::Timeout, format!("{what} within {limit:?}{hint}"), events);
        }
        self.report_idle_fault(events);
        if self.state == LinkState::Down && self.is_needed() && now >= self.not_before {
            self.launch(now, events);
        }
        if self.state == LinkState::Up {
            events.extend(self.unreported.take());
        }
        if self.state == LinkState::GivenUp && self.on_start_failure == OnStartFailure::Forfeit {
            let asks = self.pending.drain(..).chain(self.retries.drain(..)).chain(self.queue.drain(..));
            events.extend(asks.map(|(_, ask)| LinkEvent::Fault {
                from: ask.from,
                kind: FaultKind::Crash,
                detail: format!("cannot be started: {}", self.failure),
            }));
        }
        if self.state == LinkState::Up && self.pending.is_empty() {
            self.send_next(now);
        }
        if let Some(process) = &mut self.process {
            process.send();
        }
    }

    /// Tests if the process owes an answer.
    fn is_waiting(&self) -> bool {
        matches!(self.state, LinkState::Greeting | LinkState::Starting) || !self.pending.is_empty()
    }

    /// Tests if the process must be started: for a question, to report a fault, or because it never was ready.
    fn is_needed(&self) -> bool {
        !self.was_up || !self.queue.is_empty() || !self.retries.is_empty() || self.unreported.is_some()
    }

    /// Returns when the link must be pumped at the latest, if it waits for a time.
    pub(super) fn next_deadline(&self) -> Option<Instant> {
        match self.state {
            LinkState::Down if self.is_needed() => Some(self.not_before),
            _ if self.is_waiting() => Some(self.deadline),
            _ => None,
        }
    }

    /// Asks the program to quit.
    fn quit(&mut self) {
        if let Some(process) = &mut self.process {
            push_str(process.outbox(), "{\"type\":\"quit\"}\n");
            process.close();
        }
    }

    /// Tests if the program has exited; reads its output until then.
    fn has_quit(&mut self) -> bool {
        self.log_stderr();
        let Some(process) = &mut self.process else { return true };
        process.read_stdout();
        while process.line().is_some() {}
        process.has_ended()
    }
}

/// Asks programs to quit; returns whether all of them exited in time. Dropping the links kills those that did not.
pub(super) fn quit(links: &mut [Link], timeout: Duration) -> bool {
    links.iter_mut().for_each(Link::quit);
    let until = Instant::now() + timeout;
    loop {
        if links.iter_mut().all(Link::has_quit) {
            return true;
        }
        if Instant::now() >= until {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// How often to check whether the run is to stop.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Starts programs and waits until each is ready or given up, or `is_over` returns `true`; returns whether all settled.
pub(super) fn wait_until_ready(links: &mut [Link], is_over: &mut dyn FnMut() -> bool) -> bool {
    let mut events = Vec::new();
    while !links.iter().all(Link::is_settled) {
        if is_over() {
            return false;
        }
        poll(links, &mut events);
    }
    true
}

/// Waits until a link has work, and pumps it; returns after a short time at the latest.
pub(super) fn poll(links: &mut [Link], events: &mut Vec<LinkEvent>) {
    let now = Instant::now();
    let deadline = links.iter().filter_map(Link::next_deadline).min();
    let time = deadline.map_or(POLL_INTERVAL, |at| at.saturating_duration_since(now).min(POLL_INTERVAL));
    let ready = wait(links.iter().map(|link| link.process.as_ref()), time);
    let now = Instant::now();
    for (link, ready) in links.iter_mut().zip(ready) {
        link.pump(now, ready, events);
    }
}
