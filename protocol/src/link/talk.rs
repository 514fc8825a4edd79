//! Sending questions and receiving answers.

use std::time::Instant;

use coinche_engine::record::FaultKind;
use coinche_selfplay::records::write::push_str;

use super::said::{Said, check_options, read_line};
use super::{Event, Link, State};
use crate::message::{BotLineError, shown};
use crate::process::{Heard, LONGEST_LINE, Process};

impl Link {
    /// Sends the next question, or a batch that fits in one line.
    pub(super) fn send_next(&mut self, now: Instant) {
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

    /// Handles the lines received from the process.
    pub(super) fn listen(&mut self, now: Instant, events: &mut Vec<Event>) {
        let Some(process) = &mut self.process else { return };
        let heard = process.hear();
        loop {
            // The line is copied only where it is kept, because the process may be gone after it was parsed.
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
        let Some(process) = &mut self.process else { return };
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

    /// Logs what is available on stderr.
    pub(super) fn keep_mutter(&mut self) {
        while let Some(lines) = self.process.as_mut().and_then(Process::mutter) {
            self.tail.push(&lines);
            self.log.push(&self.bot, &self.mark, &lines);
        }
    }
}
