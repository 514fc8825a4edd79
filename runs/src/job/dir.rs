//! The directory of a part, open for writing.

use core::ops::Range;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use coinche_selfplay::base::files::checksums::{Checksums, Sum};
use coinche_selfplay::base::files::{CHECKSUMS, OutFile, foreign_data};
use coinche_selfplay::base::{ArenaError, Exit, Result, print, thousands};
use coinche_selfplay::records::summary::RowsPart;
use serde_json::value::RawValue;

use super::error::JobError;
use super::held::Held;
use super::list::{Form as JobForm, Job};
use super::saver::{Content, Saver, Snapshot};
use super::sink::{Form, Plan, SavedSink, Sink};
use super::state::{PartTiming, ROWS, STATE, State, Task};
use crate::damage::Damage;

/// The lock file of a part; `part.json` cannot be it, because it is replaced.
pub const LOCK: &str = "part.lock";

/// The directory of a part, open for writing.
#[derive(Debug)]
pub struct PartDir {
    path: PathBuf,
    state: State,
    /// The number of deals done when it was opened.
    before: u64,
    /// Whether nothing was missing when it was opened, and all tables were complete.
    is_closed: bool,
    tables: [Option<Sink>; 2],
    /// Another file that is synced before the state is written.
    beside: Option<(PathBuf, OutFile)>,
    /// The seconds of earlier processes.
    seconds: f64,
    saver: Saver,
    /// Whether the checksums of its files are written.
    is_sealed: bool,
    /// Dropped last, which releases the lock.
    held: Held,
}

impl PartDir {
    /// Creates the directory of a part, or opens it to resume. Its sums are `null` if nothing was saved yet. With
    /// `rows` it has a table in addition to its sums.
    pub fn open(path: &Path, task: &Task, rows: bool) -> Result<Self> {
        let mut dir = Self::lock(path, task, LOCK)?;
        let plan = Plan { path: path.join(ROWS), form: Form::Zst, header: String::new(), block: 1 };
        dir.open_tables([rows.then_some(plan), None], RawValue::NULL.to_owned())?;
        Ok(dir)
    }

    /// Creates the directory of a part if needed, locks it by a file in it, and checks that what it holds is of the task.
    pub(crate) fn lock(path: &Path, task: &Task, lock: &str) -> Result<Self> {
        let start = task.start();
        if start.start == start.end && !task.job.is_stepwise() {
            let (shard, deals, chunk) = (task.shard, task.whole.end - task.whole.start, task.chunk);
            let unit = task.identity.unit();
            if let Some(shard) = shard {
                return Err(JobError::EmptyShard { shard, unit, deals, chunk }.into());
            }
        }
        // A directory with data but without the state of a part belongs to something else.
        let foreign = |is_part: bool| {
            let own: &[&str] = if is_part { &[STATE, CHECKSUMS] } else { &[] };
            if is_part && task.job == Job::Run { None } else { foreign_data(path, own) }
        };
        let is_part = State::is_in(path);
        let mut found = foreign(is_part);
        // Another process may have begun the part between the two looks: it writes the state first.
        if found.is_some() && !is_part && State::is_in(path) {
            found = foreign(true);
        }
        if let Some(file) = found {
            return Err(ArenaError::RunExists { path: path.to_owned(), file });
        }
        if State::read(path)?.is_some_and(|there| there.job != task.job) {
            return Err(ArenaError::RunExists { path: path.to_owned(), file: STATE });
        }
        let held = Held::lock(path, lock)?;
        let there = State::read(path)?;
        // A data directory must have the same bytes however it was made, so it has no times.
        let is_timed = task.job.form() != JobForm::Directory;
        let mut dir = Self {
            path: path.to_owned(),
            before: 0,
            is_closed: false,
            tables: [None, None],
            beside: None,
            seconds: 0.0,
            saver: Saver::new(),
            is_sealed: Checksums::are_in(path),
            state: start,
            held,
        };
        if let Some(there) = there {
            task.check(path, &there)?;
            dir.before = there.done - there.start;
            dir.seconds = there.timing.map_or(0.0, |timing| timing.seconds);
            // A run that is extended has another end.
            let is_whole = (there.end, there.asked) == (dir.state.end, dir.state.asked);
            dir.is_closed = is_whole && there.is_done() && there.is_closed();
            let State { done, tables, sums, .. } = there;
            dir.state = State { done, tables, sums, ..dir.state };
        }
        dir.state.timing = is_timed.then_some(PartTiming { seconds: dir.seconds, threads: task.threads });
        Ok(dir)
    }

    /// Creates the tables, or opens them at their saved positions unless they are complete. A new part has these sums.
    pub(crate) fn open_tables(&mut self, plans: [Option<Plan>; 2], sums: Box<RawValue>) -> Result<()> {
        if self.is_closed || self.is_sealed {
            // Before anything changes: a refusal leaves the directory as it was.
            for (name, sum) in self.state.tables.iter().filter_map(SavedSink::sum) {
                sum.check(&self.path.join(name))?;
            }
        }
        if self.is_closed {
            // The process that closed the part may have been killed just before it did this.
            plans.iter().flatten().for_each(Plan::clean_up);
            return Ok(());
        }
        if !State::is_in(&self.path) {
            // The state is written first: a directory with files of a part but without a state is not ours.
            self.state.tables = plans.iter().flatten().map(Plan::fresh).collect();
            self.snapshot()?.save(sums.into())?;
        } else if plans.iter().any(Option::is_some) {
            self.unseal()?;
        }
        let mut saved = self.state.tables.iter();
        for (table, plan) in self.tables.iter_mut().zip(plans) {
            if let Some(plan) = plan {
                let fresh = plan.fresh();
                *table = Some(Sink::resume(plan, saved.next().unwrap_or(&fresh))?);
            }
        }
        Ok(())
    }

    /// Returns the directory.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the lock file.
    pub(crate) const fn held(&mut self) -> &mut Held {
        &mut self.held
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

    /// Tests if nothing was missing when the directory was opened.
    pub(crate) const fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Returns the time since the directory was opened.
    pub(crate) fn elapsed(&self) -> Duration {
        self.saver.elapsed()
    }

    /// Returns the error for sums that are not what this job writes.
    pub fn damaged(&self, why: Damage) -> ArenaError {
        ArenaError::damaged(self.path.join(STATE), why)
    }

    /// Removes the checksums, before any other change.
    pub(crate) fn unseal(&mut self) -> Result<()> {
        if core::mem::take(&mut self.is_sealed) { Checksums::remove(&self.path) } else { Ok(()) }
    }

    /// Adds lines of rows up to a deal; they are flushed with the next save.
    pub fn add_rows(&mut self, lines: &[u8], end: u64) -> Result<()> {
        self.append([RowsPart::Text(lines), RowsPart::Text(&[])], end)
    }

    /// Appends rows to both tables, up to a deal.
    pub(crate) fn append(&mut self, parts: [RowsPart<'_>; 2], end: u64) -> Result<()> {
        self.unseal()?;
        // If the first table cannot be written, the second must not lose the previous batch.
        self.tables.iter_mut().flatten().for_each(Sink::settle);
        let appended = (0..2).zip(parts).try_for_each(|(table, rows)| self.append_to(table, rows, end));
        match appended {
            Ok(()) => self.state.done = end,
            Err(_) => self.tables.iter_mut().flatten().for_each(Sink::undo),
        }
        appended
    }

    /// Appends rows to one table, up to a deal.
    pub(crate) fn append_to(&mut self, table: usize, rows: RowsPart<'_>, end: u64) -> Result<()> {
        self.tables[table].as_mut().map_or(Ok(()), |table| table.append(rows, end))
    }

    /// Records that the deals up to one are done.
    pub(crate) const fn reach(&mut self, done: u64) {
        self.state.done = done;
    }

    /// Registers another file to sync before the state that counts its deals.
    pub(crate) fn sync_also(&mut self, path: &Path, file: OutFile) {
        self.beside = Some((path.to_owned(), file));
    }

    /// Records the sums of the deals up to one, and saves them if a save is due.
    pub fn keep(&mut self, done: u64, sums: impl FnOnce() -> Box<RawValue>) -> Result<()> {
        self.reach(done);
        self.save_if_due(|| {
            let sums = sums();
            move || sums.into()
        })
    }

    /// Saves the state in the background if a save is due, with contents that are then serialised.
    pub(crate) fn save_if_due<C>(&mut self, prepare: impl FnOnce() -> C) -> Result<()>
    where
        C: FnOnce() -> Content + Send + 'static,
    {
        if !self.saver.is_due() {
            return Ok(());
        }
        let began = self.elapsed();
        let content = prepare();
        self.unseal()?;
        let snapshot = self.snapshot()?;
        self.saver.start(self.elapsed().saturating_sub(began), move || snapshot.save(content()))
    }

    /// Saves the state now.
    pub fn save(&mut self, sums: Box<RawValue>) -> Result<()> {
        self.save_all(sums.into())
    }

    /// Saves the state and the figures now.
    pub(crate) fn save_all(&mut self, content: Content) -> Result<()> {
        self.saver.wait()?;
        self.unseal()?;
        self.snapshot()?.save(content)
    }

    /// Returns a snapshot of the tables and the state.
    fn snapshot(&mut self) -> Result<Snapshot> {
        let mut files = Vec::new();
        for table in self.tables.iter().flatten() {
            let file = table.file().map_err(|source| ArenaError::write(table.path(), source))?;
            files.push((table.path().to_owned(), file));
        }
        if let Some((path, file)) = &self.beside {
            files.push((path.clone(), file.try_clone().map_err(|source| ArenaError::write(path, source))?));
        }
        if self.tables.iter().any(Option::is_some) {
            self.state.tables = self.tables.iter().flatten().map(Sink::saved).collect();
        }
        let seconds = self.seconds + self.elapsed().as_secs_f64();
        self.state.timing.iter_mut().for_each(|timing| timing.seconds = seconds);
        Ok(Snapshot { path: self.path.clone(), files, state: self.state.without_sums() })
    }

    /// Closes the part, finished or paused; `beside` are the checksums of its other files.
    pub fn close(
        &mut self,
        sums: Box<RawValue>,
        beside: impl IntoIterator<Item = (String, Sum)>,
    ) -> Result<()> {
        self.close_all(sums.into())?;
        self.seal(&[], beside)
    }

    /// Completes the tables and saves the state.
    pub(crate) fn close_all(&mut self, content: Content) -> Result<()> {
        self.saver.wait()?;
        self.tables.iter_mut().flatten().try_for_each(Sink::close)?;
        self.save_all(content)?;
        self.tables.iter().flatten().for_each(Sink::clean_up);
        Ok(())
    }

    /// Writes the checksums of the state, the tables, and other files: those to be read, and those with known sums.
    pub(crate) fn seal(
        &mut self,
        read: &[&str],
        known: impl IntoIterator<Item = (String, Sum)>,
    ) -> Result<()> {
        let mut all = Checksums::default();
        read.iter().chain(&[STATE]).try_for_each(|name| all.measure(&self.path, name))?;
        for (name, sum) in self.state.tables.iter().filter_map(SavedSink::sum).chain(known) {
            // Their sums are known; that nobody has removed them meanwhile is not.
            sum.check_size(&self.path.join(&name))?;
            all.add(&name, sum);
        }
        all.write(&self.path)?;
        self.is_sealed = true;
        Ok(())
    }

    /// Tests if the checksums of its files are written, so that no process is writing it.
    pub const fn is_sealed(&self) -> bool {
        self.is_sealed
    }

    /// Prints how much of the part is done, with a verb for the work, and returns the exit code.
    pub fn tell(&self, counted: &str, out: &mut dyn Write) -> Result<Exit> {
        let State { identity, shard, first, start, done, asked, .. } = &self.state;
        let [now, all, before] = [done - start - self.before, asked - first, self.before].map(thousands);
        let before = if self.before == 0 { String::new() } else { format!(" ({before} were there before)") };
        let shard = shard.map_or_else(String::new, |shard| format!(", shard {shard} of {all}"));
        let (unit, path) = (identity.unit(), self.path.display());
        print(out, &format!("{now} {unit} {counted}{before}{shard}, in {path}\n"))?;
        Ok(if self.is_complete() { Exit::Done } else { Exit::Interrupted })
    }
}
