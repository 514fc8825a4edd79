//! Sending questions and receiving answers.

use std::time::Instant;

use coinche_engine::record::FaultKind;
use coinche_selfplay::records::write::{push_number, push_str};

use super::reply::{Reply, check_options, read_reply};
use super::{Link, LinkEvent, LinkState};
use crate::message::{BotLineError, excerpt};
use crate::programs::process::{LONGEST_LINE, Process, ReadStatus};

impl Link {
    /// Sends the next question, or a batch that fits in one line.
    pub(super) fn send_next(&mut self, now: Instant) {
        let batch = self.batch();
        let Some(process) = &mut self.process else { return };
        if let Some(ask) = self.retries.pop_front() {
            self.pending.push(ask);
        } else {
            let number = self.queue.len().min(batch);
            self.pending.extend(self.queue.drain(..number));
        }
        if self.pending.is_empty() {
            return;
        }
        let out = process.outbox();
        if self.hello.batch.is_some() {
            push_str(out, "{\"type\":\"batch\",\"go\":[");
        }
        for (n, (id, ask)) in self.pending.iter().enumerate() {
            push_str(
                out,
                match (self.hello.batch, n) {
                    (None, _) => "{\"type\":\"go\",\"id\":",
                    (Some(_), 0) => "{\"id\":",
                    (Some(_), _) => ",{\"id\":",
                },
            );
            push_number(out, *id);
            out.extend_from_slice(&ask.text);
        }
        push_str(out, if self.hello.batch.is_some() { "]}\n" } else { "\n" });
        if let Some(last) = &mut self.last_lines {
            last.received.clear();
            last.sent = String::from_utf8_lossy(out).trim_end().to_owned();
        }
        self.deadline = now + self.program.timeout;
    }

    /// Handles the lines received from the process.
    pub(super) fn receive(&mut self, now: Instant, events: &mut Vec<LinkEvent>) {
        let Some(process) = &mut self.process else { return };
        let status = process.read_stdout();
        loop {
            // The line is copied only where it is kept, because the process may be gone after it was parsed.
            let Some(mut process) = self.process.take() else { return };
            let read = process.line().map(|line| {
                if let Some(last) = &mut self.last_lines {
                    last.received = String::from_utf8_lossy(&line[..line.len().min(2000)]).into_owned();
                }
                read_reply(self.state, line)
            });
            self.process = Some(process);
            self.has_written |= read.is_some();
            match read {
                None => break,
                Some(Ok(Reply::Empty)) => {}
                Some(Ok(reply)) => {
                    if let Err(error) = self.handle(reply, now, events) {
                        return self.fail(FaultKind::Protocol, error.to_string(), events);
                    }
                }
                Some(Err(error)) => return self.fail(FaultKind::Protocol, error.to_string(), events),
            }
        }
        let Some(process) = &mut self.process else { return };
        match status {
            ReadStatus::Data => {}
            ReadStatus::TooLong => {
                let line = excerpt(process.rest());
                self.fail(
                    FaultKind::Protocol,
                    format!("a line longer than {LONGEST_LINE} bytes: {line}"),
                    events,
                );
            }
            ReadStatus::Closed => {
                let mut detail = process.end();
                if !process.rest().is_empty() {
                    detail = format!("{detail} in the middle of a line: {}", excerpt(process.rest()));
                }
                if let Some(needs) = self.program.needs().filter(|_| !self.has_written) {
                    detail = format!("{detail}; {needs}");
                }
                self.fail(FaultKind::Crash, detail, events);
            }
        }
    }

    fn handle(
        &mut self,
        reply: Reply,
        now: Instant,
        events: &mut Vec<LinkEvent>,
    ) -> Result<(), BotLineError> {
        match reply {
            Reply::Empty => {}
            Reply::Hello(hello) => {
                check_options(&self.program, &hello)?;
                self.hello = *hello;
                self.state = LinkState::Starting;
                if let Some(process) = &mut self.process {
                    push_str(process.outbox(), &self.start);
                    process.outbox().push(b'\n');
                }
            }
            Reply::Ready => {
                self.state = LinkState::Up;
                self.was_up = true;
                self.failed_starts = 0;
            }
            Reply::Answers(answers) => {
                if !answers.is_empty() {
                    self.deadline = now + self.program.timeout;
                }
                for (id, text, points, chance) in answers {
                    let at = self.pending.iter().position(|(asked, _)| *asked == id);
                    let from = self.pending.swap_remove(at.ok_or(BotLineError::NotAsked(id))?).1.from;
                    events.push(LinkEvent::Answer { from, text, points, chance });
                }
            }
        }
        Ok(())
    }

    /// Logs what is available on stderr.
    pub(super) fn log_stderr(&mut self) {
        while let Some(lines) = self.process.as_mut().and_then(Process::read_stderr) {
            self.tail.push(&lines);
            self.log.push(&self.bot, &self.prefix, &lines);
        }
    }
}
