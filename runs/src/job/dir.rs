//! The directory of a part, open for writing.

use core::ops::Range;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::files::{CHECKSUMS, foreign_data, write_whole};
use coinche_selfplay::base::output::print;
use coinche_selfplay::base::style::thousands;
use coinche_selfplay::records::summary::RowsPart;
use serde_json::value::RawValue;

use super::error::JobError;
use super::held::Held;
use super::list as job;
use super::sink::{Form, Plan, Sink};
use super::state::{PartTiming, ROWS, STATE, State, Task};
use crate::checksums::{Checksums, Sum};
use crate::damage::Damage;

/// The lock file of a part; `part.json` cannot be it, because it is replaced.
pub const LOCK: &str = "part.lock";

/// The time of the first save, since the start; the interval then doubles.
const FIRST: Duration = Duration::from_millis(10);
/// The longest interval between saves.
const LONGEST: Duration = Duration::from_secs(2);
/// The least interval between saves, as a multiple of the time that a save takes.
const RARELY: u32 = 20;

/// The directory of a part, open for writing.
#[derive(Debug)]
pub struct PartDir {
    path: PathBuf,
    state: State,
    /// The number of deals done when it was opened.
    before: u64,
    rows: Option<Sink>,
    /// The seconds of earlier processes.
    seconds: f64,
    began: Instant,
    /// When to save the state next, since the start.
    next: Duration,
    /// Whether the checksums of its files are written.
    is_sealed: bool,
    /// Dropped last, which releases the lock.
    _held: Held,
}

impl PartDir {
    /// Creates the directory of a part, or opens it to resume. Its sums are `null` if nothing was saved yet. With
    /// `rows` it has a table in addition to its sums.
    pub fn open(path: &Path, task: &Task, rows: bool) -> Result<Self, ArenaError> {
        let start = task.start();
        if start.start == start.end && !task.job.is_stepwise() {
            let (shard, deals, chunk) = (task.shard, task.whole.end - task.whole.start, task.chunk);
            let unit = task.identity.unit();
            if let Some(shard) = shard {
                return Err(JobError::EmptyShard { shard, unit, deals, chunk }.into());
            }
        }
        let own: &[&str] = if State::is_in(path) { &[STATE, CHECKSUMS] } else { &[] };
        if let Some(file) = foreign_data(path, own) {
            return Err(ArenaError::RunExists { path: path.to_owned(), file });
        }
        if State::read(path)?.is_some_and(|there| there.job != task.job) {
            return Err(ArenaError::RunExists { path: path.to_owned(), file: STATE });
        }
        let held = Held::lock(path, LOCK)?;
        let there = State::read(path)?;
        let is_sealed = there.is_some() && Checksums::are_in(path);
        let mut dir = Self {
            path: path.to_owned(),
            state: start,
            before: 0,
            rows: None,
            seconds: 0.0,
            began: Instant::now(),
            next: FIRST,
            is_sealed,
            _held: held,
        };
        if let Some(there) = there {
            dir.check(&there, task)?;
            dir.before = there.done - there.start;
            dir.seconds = there.timing.map_or(0.0, |timing| timing.seconds);
            dir.state = there;
        }
        // A data directory must have the same bytes however it was made, so it has no times.
        let is_timed = !matches!(task.job.form(), job::Form::Directory);
        dir.state.timing = is_timed.then_some(PartTiming { seconds: dir.seconds, threads: task.threads });
        if rows {
            let plan = Plan { path: path.join(ROWS), form: Form::Zst, header: String::new(), block: 1 };
            let saved = dir.state.tables.first().cloned().unwrap_or_else(|| plan.fresh());
            if dir.is_complete() && saved.closed.is_some() {
                return Ok(dir);
            }
            dir.rows = Some(Sink::resume(plan, &saved)?);
        }
        Ok(dir)
    }

    /// Checks that the existing part matches the task.
    fn check(&self, there: &State, task: &Task) -> Result<(), ArenaError> {
        let differences = there.differences(task);
        if !differences.is_empty() {
            return Err(JobError::OtherSettings { path: self.path.clone(), differences }.into());
        }
        match there.contradictions().into_iter().next() {
            None => Ok(()),
            Some(why) => Err(ArenaError::damaged(self.path.join(STATE), why)),
        }
    }

    /// Returns the state when the directory was opened or last saved.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// Returns the first deal that is not done.
    pub const fn done(&self) -> u64 {
        self.state.done
    }

    /// Returns the number of deals done when the directory was opened.
    pub const fn before(&self) -> u64 {
        self.before
    }

    /// Returns the deals of the part.
    pub const fn range(&self) -> Range<u64> {
        self.state.start..self.state.end
    }

    /// Tests if all deals are done.
    pub const fn is_complete(&self) -> bool {
        self.state.is_done()
    }

    /// Returns the error for sums that are not what this job writes.
    pub fn damaged(&self, why: Damage) -> ArenaError {
        ArenaError::damaged(self.path.join(STATE), why)
    }

    /// Removes the checksums, before any other change.
    fn unseal(&mut self) -> Result<(), ArenaError> {
        if core::mem::take(&mut self.is_sealed) { Checksums::remove(&self.path) } else { Ok(()) }
    }

    /// Adds lines of rows up to a deal; they are flushed with the next save.
    pub fn add_rows(&mut self, lines: &[u8], end: u64) -> Result<(), ArenaError> {
        self.unseal()?;
        self.rows.as_mut().map_or(Ok(()), |rows| {
            rows.settle();
            rows.append(RowsPart::Text(lines), end)
        })
    }

    /// Records the sums of the deals up to one, and saves them if a save is due.
    pub fn keep(&mut self, done: u64, sums: impl FnOnce() -> Box<RawValue>) -> Result<(), ArenaError> {
        self.state.done = done;
        let began = self.began.elapsed();
        if began < self.next {
            return Ok(());
        }
        self.save(sums())?;
        let elapsed = self.began.elapsed();
        self.next = elapsed + elapsed.clamp(FIRST, LONGEST).max(RARELY * elapsed.saturating_sub(began));
        Ok(())
    }

    /// Saves the state now.
    pub fn save(&mut self, sums: Box<RawValue>) -> Result<(), ArenaError> {
        self.unseal()?;
        if let Some(rows) = &self.rows {
            let file = rows.file().and_then(|file| file.sync());
            file.map_err(|source| ArenaError::write(rows.path(), source))?;
            self.state.tables = vec![rows.saved()];
        }
        if let Some(timing) = &mut self.state.timing {
            timing.seconds = self.seconds + self.began.elapsed().as_secs_f64();
        }
        self.state.sums = sums;
        write_whole(&self.path.join(STATE), &self.state.to_json())
    }

    /// Closes the part, finished or paused; `beside` are the checksums of its other files.
    pub fn close(
        &mut self,
        sums: Box<RawValue>,
        beside: impl IntoIterator<Item = (String, Sum)>,
    ) -> Result<(), ArenaError> {
        if let Some(rows) = &mut self.rows {
            rows.close()?;
        }
        self.save(sums)?;
        let mut all = Checksums::default();
        all.measure(&self.path, STATE)?;
        let rows = self.state.tables.iter().filter_map(super::sink::SavedSink::sum);
        rows.chain(beside).for_each(|(name, sum)| all.add(&name, sum));
        all.write(&self.path)?;
        self.is_sealed = true;
        Ok(())
    }

    /// Tests if the checksums of its files are written, so that no process is writing it.
    pub const fn is_sealed(&self) -> bool {
        self.is_sealed
    }

    /// Prints how much of the part is done, with a verb for the work, and returns the exit code.
    pub fn tell(&self, counted: &str, out: &mut dyn Write) -> Result<Exit, ArenaError> {
        let State { identity, shard, first, start, done, asked, .. } = &self.state;
        let [now, all, before] = [done - start - self.before, asked - first, self.before].map(thousands);
        let before = if self.before == 0 { String::new() } else { format!(" ({before} were there before)") };
        let shard = shard.map_or_else(String::new, |shard| format!(", shard {shard} of {all}"));
        let (unit, path) = (identity.unit(), self.path.display());
        print(out, &format!("{now} {unit} {counted}{before}{shard}, in {path}\n"))?;
        Ok(if self.is_complete() { Exit::Done } else { Exit::Interrupted })
    }
}
