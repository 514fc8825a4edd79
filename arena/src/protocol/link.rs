//! A link to one process of a bot: greeting, questions and answers, deadlines, restarts.
//!
//! # What goes wrong, and whose fault it is
//!
//! A process that ends, is silent for too long, or says what cannot be understood is ended and started
//! again. When it had one question to answer, the deal of that question is forfeited. When it had several
//! (a batch), they are asked again one at a time, so that the fault falls on the question that brought it
//! about and the results are those of a bot without batches. What goes wrong while nothing is asked counts
//! for the next question.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use coinche_bots::{Budget, Program};
use coinche_engine::record::FaultKind;
use coinche_selfplay::records::write::push_str;

use super::log::StderrLog;
use super::message::{BotLine, BotLineError, Hello, shown};
use super::process::{Heard, LONGEST_LINE, Process, Ready, wait};
use super::tail::Tail;

/// The least time between two starts.
const BETWEEN_STARTS: Duration = Duration::from_millis(50);
/// A program that cannot be started this many times in a row is given up.
const MOST_FAILED_STARTS: u32 = 3;

/// What is asked of a program that has never said a line.
const SILENT: &str =
    ": nothing came on its standard output. Is the output flushed? In Python print(…, flush=True)";

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
            seen: None,
        }
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

    /// Returns the last lines of the standard error, for people.
    pub(super) fn stderr_tail(&self, indent: &str) -> String {
        let shown = self.tail.shown(indent);
        let before = &indent[..indent.len().saturating_sub(2)];
        if shown.is_empty() { shown } else { format!("\n{before}its standard error ends with:{shown}") }
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
        if self.state == State::GivenUp {
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

    /// Tests if there is a reason to start the process: a question, or that it never was ready.
    fn is_needed(&self) -> bool {
        !self.was_up || !self.queue.is_empty() || !self.singly.is_empty()
    }

    /// Returns when the link must be pumped at the latest, if it waits for a time.
    pub(super) fn wake(&self) -> Option<Instant> {
        match self.state {
            State::Down if self.is_needed() => Some(self.not_before),
            _ if self.is_waiting() => Some(self.deadline),
            _ => None,
        }
    }

    fn launch(&mut self, now: Instant, events: &mut Vec<Event>) {
        self.not_before = now + BETWEEN_STARTS;
        self.tail.clear();
        self.has_spoken = false;
        match Process::start(&self.program.words) {
            Ok(mut process) => {
                let version = super::message::VERSION;
                let by = concat!("coinche-arena ", env!("CARGO_PKG_VERSION"));
                let hello = format!("{{\"type\":\"hello\",\"protocol\":{version},\"by\":\"{by}\"}}\n");
                push_str(process.outbox(), &hello);
                self.process = Some(process);
                self.state = State::Greeting;
                self.deadline = now + self.program.start;
            }
            Err(error) => {
                self.failed_starts = MOST_FAILED_STARTS;
                let write = |command| format!("; the command should be `{command}`");
                let remedy = self.program.corrected_command().map_or_else(String::new, write);
                self.fail(FaultKind::Crash, format!("`{}`: {error}{remedy}", self.program), events);
            }
        }
    }

    /// Sends the next question, or as many as go into a line.
    fn send_next(&mut self, now: Instant) {
        let batch = self.batch();
        let Some(process) = &mut self.process else { return };
        if let Some(ask) = self.singly.pop_front() {
            self.asked.push(ask);
        } else {
            let number = self.queue.len().min(batch);
            self.asked.extend(self.queue.drain(..number));
        }
        let Some(first) = self.asked.first() else { return };
        let out = process.outbox();
        if self.hello.batch.is_some() {
            push_str(out, "{\"type\":\"batch\",\"go\":[");
            for (n, ask) in self.asked.iter().enumerate() {
                push_str(out, if n == 0 { "{" } else { ",{" });
                out.extend_from_slice(&ask.text);
            }
            push_str(out, "]}\n");
        } else {
            push_str(out, "{\"type\":\"go\",");
            out.extend_from_slice(&first.text);
            out.push(b'\n');
        }
        if let Some(seen) = &mut self.seen {
            seen.said.clear();
            seen.asked = String::from_utf8_lossy(out).trim_end().to_owned();
        }
        self.deadline = now + self.program.timeout;
    }

    /// Takes what the process has said.
    fn listen(&mut self, now: Instant, events: &mut Vec<Event>) {
        let Some(process) = &mut self.process else { return };
        let heard = process.hear();
        loop {
            // The line is copied where it is kept; the process may be gone after it was read.
            let Some(mut process) = self.process.take() else { return };
            let read = process.line().map(|line| {
                if let Some(seen) = &mut self.seen {
                    seen.said = String::from_utf8_lossy(&line[..line.len().min(2000)]).into_owned();
                }
                read_line(self.state, line)
            });
            self.process = Some(process);
            self.has_spoken |= read.is_some();
            match read {
                None => break,
                Some(Ok(Said::Nothing)) => {}
                Some(Ok(said)) => {
                    if let Err(error) = self.take(said, now, events) {
                        return self.fail(FaultKind::Protocol, error.to_string(), events);
                    }
                }
                Some(Err(error)) => return self.fail(FaultKind::Protocol, error.to_string(), events),
            }
        }
        let Some(process) = &self.process else { return };
        match heard {
            Heard::Something => {}
            Heard::TooLong => {
                let line = shown(process.rest());
                self.fail(
                    FaultKind::Protocol,
                    format!("a line longer than {LONGEST_LINE} bytes: {line}"),
                    events,
                );
            }
            Heard::End => {
                let mut detail = process.end();
                if !process.rest().is_empty() {
                    detail = format!("{detail} in the middle of a line: {}", shown(process.rest()));
                }
                self.fail(FaultKind::Crash, detail, events);
            }
        }
    }

    fn take(&mut self, said: Said, now: Instant, events: &mut Vec<Event>) -> Result<(), BotLineError> {
        match said {
            Said::Nothing => {}
            Said::Hello(hello) => {
                check_options(&self.program, &hello)?;
                self.hello = *hello;
                self.state = State::Starting;
                if let Some(process) = &mut self.process {
                    push_str(process.outbox(), &self.start);
                    process.outbox().push(b'\n');
                }
            }
            Said::Ready => {
                self.state = State::Up;
                self.was_up = true;
                self.failed_starts = 0;
            }
            Said::Answers(answers) => {
                if !answers.is_empty() {
                    self.deadline = now + self.program.timeout;
                }
                for (id, text, points, chance) in answers {
                    let at = self.asked.iter().position(|ask| ask.id == id);
                    let from = self.asked.swap_remove(at.ok_or(BotLineError::NotAsked(id))?).from;
                    events.push(Event::Answer { from, text, points, chance });
                }
            }
        }
        Ok(())
    }

    /// Keeps what is there of the standard error.
    fn keep_mutter(&mut self) {
        while let Some(lines) = self.process.as_mut().and_then(Process::mutter) {
            self.tail.push(&lines);
            self.log.push(&self.bot, &self.mark, &lines);
        }
    }

    /// Ends the process and says whose fault it is.
    fn fail(&mut self, kind: FaultKind, detail: String, events: &mut Vec<Event>) {
        self.keep_mutter();
        self.log.push(&self.bot, &self.mark, format!("(arena) {detail}").as_bytes());
        self.log.note_failure(&self.bot, || format!("{detail}{}", self.stderr_tail("    ")));
        self.process = None;
        let was_up = self.state == State::Up;
        self.state = State::Down;
        if !was_up {
            // A start that hangs is not tried again: it would cost as much each time.
            let tries = if kind == FaultKind::Timeout { MOST_FAILED_STARTS } else { 1 };
            self.failed_starts += tries;
            self.failure = detail;
            if self.failed_starts >= MOST_FAILED_STARTS {
                self.state = State::GivenUp;
            }
            return;
        }
        if self.asked.len() > 1 {
            // Answered in part, they are no longer in order.
            self.asked.sort_unstable_by_key(|ask| ask.id);
            for ask in self.asked.drain(..).rev() {
                self.singly.push_front(ask);
            }
        } else if let Some(ask) = self.asked.pop() {
            events.push(Event::Fault { from: ask.from, kind, detail });
        } else {
            self.idle_fault = Some((kind, detail));
        }
    }

    /// Lets the next question bear what went wrong while nothing was asked.
    fn blame_next(&mut self, events: &mut Vec<Event>) {
        if self.idle_fault.is_none() {
            return;
        }
        let next = self.singly.pop_front().or_else(|| self.queue.pop_front());
        if let Some(ask) = next
            && let Some((kind, detail)) = self.idle_fault.take()
        {
            events.push(Event::Fault { from: ask.from, kind, detail });
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

/// Starts programs and waits until each is ready or cannot be.
pub(super) fn settle(links: &mut [Link]) {
    let mut events = Vec::new();
    while !links.iter().all(Link::is_settled) {
        listen(links, &mut events);
    }
}

/// Waits until a link has something to do, and lets it.
pub(super) fn listen(links: &mut [Link], events: &mut Vec<Event>) {
    let now = Instant::now();
    let wake = links.iter().filter_map(Link::wake).min();
    let time = wake.map(|wake| wake.saturating_duration_since(now));
    let ready = wait(links.iter().map(|link| link.process.as_ref()), time);
    let now = Instant::now();
    for (link, ready) in links.iter_mut().zip(ready) {
        link.pump(now, ready, events);
    }
}

/// What a line says, free of the line.
enum Said {
    /// An empty line.
    Nothing,
    Hello(Box<Hello>),
    Ready,
    Answers(Vec<(u64, String, Option<f64>, Option<f64>)>),
}

fn read_line(state: State, line: &[u8]) -> Result<Said, BotLineError> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Ok(Said::Nothing);
    }
    let line = BotLine::parse(line)?;
    Ok(match state {
        State::Greeting => Said::Hello(Box::new(line.into_hello()?)),
        State::Starting => {
            line.into_ready()?;
            Said::Ready
        }
        _ => {
            let answers = line.into_answers()?.into_iter();
            Said::Answers(answers.map(|it| (it.id, it.text.into_owned(), it.points, it.chance)).collect())
        }
    })
}

/// Checks that the bot offers the options that are set.
fn check_options(program: &Program, hello: &Hello) -> Result<(), BotLineError> {
    for (name, _) in &program.options {
        if !hello.options.iter().any(|option| option.name == *name) {
            let offered = hello.options.iter().map(|option| option.name.clone()).collect();
            let own = Program::PARAMS.iter().map(|info| info.name).collect();
            return Err(BotLineError::NoOption { name: name.clone(), offered, own });
        }
    }
    Ok(())
}
