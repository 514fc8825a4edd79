//! Starting a process, and ending one after a fault.

use std::io::ErrorKind;
use std::time::Instant;

use coinche_bots::Program;
use coinche_engine::RuleSet;
use coinche_engine::record::FaultKind;
use coinche_selfplay::records::write::push_str;

use super::{BETWEEN_STARTS, Link, LinkEvent, LinkState, MAX_FAILED_STARTS, OnStartFailure};
use crate::message::VERSION;
use crate::programs::confine;
use crate::programs::process::Process;

impl Link {
    pub(super) fn launch(&mut self, now: Instant, events: &mut Vec<LinkEvent>) {
        self.not_before = now + BETWEEN_STARTS;
        self.tail.mark_stale();
        self.has_written = false;
        match confine::words(&self.program.words).and_then(|words| Process::start(&words)) {
            Ok(mut process) => {
                let by = concat!("coinche-arena ", env!("CARGO_PKG_VERSION"));
                let hello = format!("{{\"type\":\"hello\",\"protocol\":{VERSION},\"by\":\"{by}\"}}\n");
                push_str(process.outbox(), &hello);
                self.process = Some(process);
                self.state = LinkState::Greeting;
                self.deadline = now + self.program.start;
            }
            Err(error) => {
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) {
                    // Another attempt would fail the same way.
                    self.failed_starts = MAX_FAILED_STARTS;
                }
                let write = |command| format!("; the command should be `{command}`");
                let needs = || self.program.needs().map(|needs| format!("; {needs}"));
                let remedy = self.program.corrected_command().map(write).or_else(needs).unwrap_or_default();
                self.fail(FaultKind::Crash, format!("`{}`: {error}{remedy}", self.program), events);
            }
        }
    }

    /// Ends the process and attributes the fault to a question.
    pub(super) fn fail(&mut self, kind: FaultKind, detail: String, events: &mut Vec<LinkEvent>) {
        self.log_stderr();
        self.log.push(&self.bot, &self.prefix, format!("(arena) {detail}").as_bytes());
        self.log.note_failure(&self.bot, || format!("{detail}{}", self.stderr_tail("    ")));
        self.process = None;
        let was_up = self.state == LinkState::Up;
        self.state = LinkState::Down;
        if !was_up {
            // Before the run nothing is lost by not waiting for a second start that hangs.
            let gives_up_early = self.on_start_failure == OnStartFailure::GiveUpEarly;
            let is_last = gives_up_early && kind == FaultKind::Timeout;
            self.failed_starts += if is_last { MAX_FAILED_STARTS } else { 1 };
            if !gives_up_early {
                // The cause, such as memory still held by the last process, may need a moment to clear.
                self.not_before = Instant::now() + BETWEEN_STARTS * 10u32.pow(self.failed_starts.min(2));
            }
            self.failure = detail;
            if self.failed_starts >= MAX_FAILED_STARTS {
                self.state = LinkState::GivenUp;
            }
            return;
        }
        if self.pending.len() > 1 {
            // After a partial answer they are no longer in order.
            self.pending.sort_unstable_by_key(|(id, _)| *id);
            for ask in self.pending.drain(..).rev() {
                self.retries.push_front(ask);
            }
        } else if let Some((_, ask)) = self.pending.pop() {
            self.report(LinkEvent::Fault { from: ask.from, kind, detail }, events);
        } else {
            self.idle_fault = Some((kind, detail));
        }
    }

    /// Attributes a fault that occurred while idle to the next question.
    pub(super) fn report_idle_fault(&mut self, events: &mut Vec<LinkEvent>) {
        if self.idle_fault.is_none() {
            return;
        }
        let next = self.retries.pop_front().or_else(|| self.queue.pop_front());
        if let Some((_, ask)) = next
            && let Some((kind, detail)) = self.idle_fault.take()
        {
            self.report(LinkEvent::Fault { from: ask.from, kind, detail }, events);
        }
    }

    /// Reports a fault: at once if faults always forfeit deals; otherwise once the program is ready again, so that a
    /// program that fails for good costs no deal.
    fn report(&mut self, event: LinkEvent, events: &mut Vec<LinkEvent>) {
        if self.on_start_failure == OnStartFailure::Forfeit {
            events.push(event);
        } else {
            self.unreported = Some(event);
        }
    }
}

/// Returns the message `start`, without the end of the line.
pub(super) fn start_message(rules: &RuleSet, program: &Program) -> String {
    let options: serde_json::Map<String, serde_json::Value> =
        program.options.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect();
    let json = |value: serde_json::Result<String>| value.expect("rules and options are plain data");
    format!(
        "{{\"type\":\"start\",\"options\":{},\"timeout_ms\":{},\"preset\":{},\"rules\":{}}}",
        json(serde_json::to_string(&options)),
        program.timeout.as_millis(),
        json(serde_json::to_string(&rules.preset_name())),
        json(serde_json::to_string(rules)),
    )
}
