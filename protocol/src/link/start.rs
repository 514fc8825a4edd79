//! Starting a process, and ending one after a fault.

use std::io::ErrorKind;
use std::time::Instant;

use coinche_engine::record::FaultKind;
use coinche_selfplay::records::write::push_str;

use super::{BETWEEN_STARTS, Event, Link, MOST_FAILED_STARTS, State, WhenLost};
use crate::message::VERSION;
use crate::process::Process;

impl Link {
    pub(super) fn launch(&mut self, now: Instant, events: &mut Vec<Event>) {
        self.not_before = now + BETWEEN_STARTS;
        self.tail.begin();
        self.has_spoken = false;
        match Process::start(&self.program.words) {
            Ok(mut process) => {
                let by = concat!("coinche-arena ", env!("CARGO_PKG_VERSION"));
                let hello = format!("{{\"type\":\"hello\",\"protocol\":{VERSION},\"by\":\"{by}\"}}\n");
                push_str(process.outbox(), &hello);
                self.process = Some(process);
                self.state = State::Greeting;
                self.deadline = now + self.program.start;
            }
            Err(error) => {
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) {
                    // Another attempt would fail the same way.
                    self.failed_starts = MOST_FAILED_STARTS;
                }
                let write = |command| format!("; the command should be `{command}`");
                let remedy = self.program.corrected_command().map_or_else(String::new, write);
                self.fail(FaultKind::Crash, format!("`{}`: {error}{remedy}", self.program), events);
            }
        }
    }

    /// Ends the process and attributes the fault to a question.
    pub(super) fn fail(&mut self, kind: FaultKind, detail: String, events: &mut Vec<Event>) {
        self.keep_mutter();
        self.log.push(&self.bot, &self.mark, format!("(arena) {detail}").as_bytes());
        self.log.note_failure(&self.bot, || format!("{detail}{}", self.stderr_tail("    ")));
        self.process = None;
        let was_up = self.state == State::Up;
        self.state = State::Down;
        if !was_up {
            // Before the run nothing is lost by not waiting for a second start that hangs.
            let is_hasty = self.when_lost == WhenLost::GiveUpSoon;
            let is_last = is_hasty && kind == FaultKind::Timeout;
            self.failed_starts += if is_last { MOST_FAILED_STARTS } else { 1 };
            if !is_hasty {
                // The cause, such as memory still held by the last process, may need a moment to clear.
                self.not_before = Instant::now() + BETWEEN_STARTS * 10u32.pow(self.failed_starts.min(2));
            }
            self.failure = detail;
            if self.failed_starts >= MOST_FAILED_STARTS {
                self.state = State::GivenUp;
            }
            return;
        }
        if self.asked.len() > 1 {
            // After a partial answer they are no longer in order.
            self.asked.sort_unstable_by_key(|ask| ask.id);
            for ask in self.asked.drain(..).rev() {
                self.singly.push_front(ask);
            }
        } else if let Some(ask) = self.asked.pop() {
            self.blame(Event::Fault { from: ask.from, kind, detail }, events);
        } else {
            self.idle_fault = Some((kind, detail));
        }
    }

    /// Attributes a fault that occurred while idle to the next question.
    pub(super) fn blame_next(&mut self, events: &mut Vec<Event>) {
        if self.idle_fault.is_none() {
            return;
        }
        let next = self.singly.pop_front().or_else(|| self.queue.pop_front());
        if let Some(ask) = next
            && let Some((kind, detail)) = self.idle_fault.take()
        {
            self.blame(Event::Fault { from: ask.from, kind, detail }, events);
        }
    }

    /// Reports a fault: at once if faults always forfeit deals; otherwise once the program is ready again, so that a
    /// program that fails for good costs no deal.
    fn blame(&mut self, event: Event, events: &mut Vec<Event>) {
        if self.when_lost == WhenLost::Forfeit {
            events.push(event);
        } else {
            self.untold = Some(event);
        }
    }
}
