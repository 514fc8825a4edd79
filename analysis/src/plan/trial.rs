//! Plays a small part of a command with the program itself: errors show up early, and the cost is measured.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

use coinche_selfplay::{ArenaError, Exit, Result};
use serde_json::Value;

use super::file::text;
use super::size::Cost;
use super::{Asked, PlanError};
use coinche_runs::Job;

/// How long it plays, if it has reported progress by then.
const LONG: Duration = Duration::from_millis(2_200);
/// How long it may be silent: programs start, and a control is measured.
const SILENT: Duration = Duration::from_secs(20);
/// How often its directory is polled, if nothing is measured.
const LOOK: Duration = Duration::from_millis(20);
/// The maximum amount of its stderr that an error repeats.
const MOST: usize = 1 << 14;

/// The result of a trial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Trial {
    /// Deals or matches played, and their total.
    done: u64,
    of: u64,
    /// Wall-clock seconds.
    seconds: f64,
    /// The share of the time in which it was running, and not another program.
    share: f64,
}

impl Trial {
    /// Returns the cost of the entire command, tried as the first of some shards.
    pub(super) fn cost(&self, kind: Job, shards: u64) -> Cost {
        let shards = if kind.is_stepwise() { 1 } else { shards };
        let per_deal = self.seconds * self.share / self.done as f64;
        Cost { per_deal, deals: self.of as f64 * shards as f64 }
    }
}

/// A directory that is removed on drop.
struct Place(PathBuf);

impl Place {
    fn new() -> Result<Self> {
        let path = env::temp_dir().join(format!("arena-plan-{}", process::id()));
        fs::create_dir(&path).map_err(|source| ArenaError::write(&path, source))?;
        Ok(Self(path))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A process that is killed on drop.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Plays the first of some shards briefly on one thread, and returns the cost if progress was reported. Without
/// an estimate, it ends as soon as the command has begun.
pub(super) fn run(asked: &Asked, shards: u64) -> Result<Option<Trial>> {
    let place = Place::new()?;
    let out = place.0.join("part");
    let mut flags = Vec::new();
    // A test or tuning is tried as a whole: the first deals of both cost the same.
    if !asked.inner.kind.is_stepwise() {
        flags.extend(["--shard".to_owned(), format!("1/{shards}")]);
    }
    flags.extend(["--out", text(&out)?, "--threads", "1", "--progress", "json"].map(str::to_owned));
    let mut command = Command::new(&asked.arena);
    command.args(asked.words.with(&flags)).current_dir(&asked.from);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let began = Instant::now();
    let mut child = command
        .spawn()
        .map(Running)
        .map_err(|source| PlanError::NoProgram { program: asked.arena.clone(), source })?;
    let lines = child.0.stderr.take().map_or_else(|| channel().1, read_lines);
    let mut said = Said::default();
    let trial = if asked.estimates { watch(&lines, began, &child.0, &mut said) } else { None };
    if !asked.estimates {
        wait_for(&out, &lines, &mut said);
    }
    if !said.is_over {
        // It is running: there is nothing more to find out.
        let has_programs = asked.words.command.iter().any(|word| word.contains("cmd:"));
        return Ok(trial.map(|trial| if has_programs { Trial { share: 1.0, ..trial } } else { trial }));
    }
    // It has finished its shard, or failed.
    match child.0.wait() {
        Ok(status) if !is_right(status.code()) => {
            let exit = if status.code() == Some(Exit::Output as i32) { Exit::Output } else { Exit::Usage };
            let why = said.text.trim_end();
            let text = why.strip_prefix("error: ").unwrap_or(why).to_owned();
            Err(PlanError::Refused { text, exit }.into())
        }
        _ => Ok(trial),
    }
}

/// The stderr of a command, other than its progress.
#[derive(Default)]
struct Said {
    text: String,
    /// Whether the command has ended.
    is_over: bool,
}

impl Said {
    fn add(&mut self, line: &str) {
        if self.text.len() < MOST {
            self.text.push_str(line);
        }
    }
}

/// Tests if an exit code means success: a sequential test has several.
fn is_right(code: Option<i32>) -> bool {
    [Exit::Done, Exit::Lower, Exit::Undecided].into_iter().any(|exit| code == Some(exit as i32))
}

/// Reads lines in a separate thread.
fn read_lines(from: ChildStderr) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        let mut from = BufReader::new(from);
        let mut line = Vec::new();
        while from.by_ref().take(1 << 16).read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
            line.clear();
        }
    });
    lines
}

/// Reads the progress until there is enough of it, or the command has ended.
fn watch(lines: &Receiver<String>, began: Instant, child: &Child, said: &mut Said) -> Option<Trial> {
    let mut last: Option<Trial> = None;
    loop {
        let most = if last.is_some() { LONG } else { SILENT };
        match lines.recv_timeout(most.saturating_sub(began.elapsed())) {
            Ok(line) => match progress(&line) {
                Some(trial) => last = Some(trial).filter(|trial| trial.done > 0).or(last),
                None => said.add(&line),
            },
            Err(RecvTimeoutError::Timeout) => break,
            Err(RecvTimeoutError::Disconnected) => {
                said.is_over = true;
                return last;
            }
        }
    }
    let clock = began.elapsed().as_secs_f64();
    let share = processor_time(child.id()).map_or(1.0, |time| (time.as_secs_f64() / clock).clamp(0.01, 1.0));
    last.map(|trial| Trial { share, ..trial })
}

/// Waits until a command has begun to write, or has ended.
fn wait_for(out: &Path, lines: &Receiver<String>, said: &mut Said) {
    let began = Instant::now();
    while !out.exists() && began.elapsed() < SILENT {
        match lines.recv_timeout(LOOK) {
            Ok(line) => said.add(&line),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                said.is_over = true;
                return;
            }
        }
    }
}

/// Parses a line of progress.
fn progress(line: &str) -> Option<Trial> {
    let json: Value = serde_json::from_str(line).ok()?;
    let [done, of] = [json.get("done")?.as_u64()?, json.get("of")?.as_u64()?];
    Some(Trial { done, of, seconds: json.get("seconds")?.as_f64()?, share: 1.0 })
}

/// Returns the processor time of all threads of a process, if the system reports it. Child processes are not
/// included.
fn processor_time(process: u32) -> Option<Duration> {
    let mut nanoseconds = 0;
    for task in fs::read_dir(format!("/proc/{process}/task")).ok()? {
        let text = fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        nanoseconds += text.split(' ').next()?.parse::<u64>().ok()?;
    }
    (nanoseconds > 0).then(|| Duration::from_nanos(nanoseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_told_from_other_lines() {
        let line = r#"{"done":500,"of":1000,"unit":"deal","mean":null,"seconds":2.5}"#;
        let trial = progress(line).unwrap();
        assert_eq!(trial, Trial { done: 500, of: 1000, seconds: 2.5, share: 1.0 });
        let trial = Trial { share: 0.5, ..trial };
        assert_eq!(trial.cost(Job::Run, 64), Cost { per_deal: 0.0025, deals: 64_000.0 });
        assert_eq!(trial.cost(Job::Sprt, 64), Cost { per_deal: 0.0025, deals: 1_000.0 });
        for other in ["error: no", "{}", "{\"done\":1}", "3", ""] {
            assert_eq!(progress(other), None, "{other}");
        }
    }
}
