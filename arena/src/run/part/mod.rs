//! A part of a command whose result is sums over deals: one shard of it, in a directory.
//!
//! | file | |
//! |---|---|
//! | `part.json` | how far the part has come, and its exact totals |
//! | `decisions.csv.zst` | of `arena judge`: every decision, for the tables of all of them |
//! | `part.lock` | locked while somebody makes the part |
//! | `checksums.txt` | the sums of the files, while nothing is being written |
//!
//! Every few seconds, and when the command ends, `part.json` is replaced: that is the moment from which on its deals
//! are done. The same command goes on with the first deal that is not in it. Totals are whole numbers, so that those of
//! all parts together are those of the undivided command, in whatever order they are added.

mod error;
mod merge;
mod pace;
pub(crate) mod pairs;
mod rows;
mod state;

use core::ops::Range;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::files::{CHECKSUMS, foreign_data, write_whole};
use coinche_selfplay::base::output::print;
use coinche_selfplay::base::style::thousands;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::run::checksums::Checksums;
use crate::run::config::{ConfigError, Shard};
use crate::run::damage::Damage;
use crate::run::directory::{Held, Identity};
use rows::{RowsFile, SavedRows};
use state::{PartTiming, VERSION, share};

pub(crate) use error::PartError;
pub(crate) use merge::Parts;
pub(crate) use pace::Pace;
pub(crate) use state::{STATE, State};

/// The file of rows.
pub(crate) const ROWS: &str = "decisions.csv.zst";

/// The file that is locked.
pub(crate) const LOCK: &str = "part.lock";

/// The shortest time between two times that the state is saved.
const SAVE: Duration = Duration::from_secs(2);
/// So many times as long as it takes to save it, the state is not saved.
const RARELY: u32 = 20;

/// What a part is of.
#[derive(Debug, Clone)]
pub(crate) struct Task {
    /// The command, without `arena`.
    pub(crate) command: &'static str,
    /// All that decides about the result.
    pub(crate) identity: Identity,
    pub(crate) shard: Shard,
    /// The deals of the whole.
    pub(crate) whole: Range<u64>,
    /// Whether there are rows beside the totals, which all parts together have in the order of the deals.
    pub(crate) has_rows: bool,
    pub(crate) threads: usize,
}

impl Task {
    /// Returns the deals of the part.
    pub(crate) fn range(&self) -> Range<u64> {
        share(self.shard, self.whole.start, self.whole.end)
    }
}

/// The directory of a part, open for writing.
#[derive(Debug)]
pub(crate) struct PartDir {
    path: PathBuf,
    task: Task,
    range: Range<u64>,
    done: u64,
    /// How many deals were there when it was opened.
    before: u64,
    rows: Option<RowsFile>,
    /// The seconds of other processes.
    seconds: f64,
    began: Instant,
    /// When the state is to be saved again.
    next: Instant,
    /// Let go last.
    _held: Held,
}

impl PartDir {
    /// Makes the directory of a part that has `nothing` yet, or opens it to go on: the totals of what is done are
    /// returned, too.
    ///
    /// # Errors
    ///
    /// When there is no deal in the part, or the directory holds something else, is in use, damaged, or cannot be
    /// written.
    pub(crate) fn open(
        path: &Path,
        task: Task,
        nothing: &impl Serialize,
    ) -> Result<(Self, Option<Box<RawValue>>), ArenaError> {
        let range = task.range();
        if range.is_empty() {
            let (shard, deals) = (task.shard, task.whole.end - task.whole.start);
            return Err(ConfigError::EmptyShard { shard, deals }.into());
        }
        let own: &[&str] = if State::is_in(path) { &[STATE, CHECKSUMS] } else { &[] };
        if let Some(file) = foreign_data(path, own) {
            return Err(ArenaError::RunExists { path: path.to_owned(), file });
        }
        let held = Held::lock(path, LOCK)?;
        let now = Instant::now();
        let mut dir = Self {
            path: path.to_owned(),
            done: range.start,
            before: 0,
            rows: None,
            seconds: 0.0,
            began: now,
            next: now + SAVE,
            task,
            range,
            _held: held,
        };
        let Some(state) = State::read(path)? else {
            dir.open_rows(SavedRows::default())?;
            dir.save(nothing)?;
            return Ok((dir, None));
        };
        dir.check(&state)?;
        dir.done = state.done;
        dir.before = state.done - dir.range.start;
        dir.seconds = state.timing.seconds;
        dir.open_rows(state.rows.unwrap_or_default())?;
        if !dir.is_complete() {
            Checksums::remove(path)?;
        } else if !Checksums::are_in(path) {
            // The process that ended the part may have been killed just before it did this.
            dir.seal()?;
        }
        Ok((dir, Some(state.totals)))
    }

    fn open_rows(&mut self, saved: SavedRows) -> Result<(), ArenaError> {
        if self.task.has_rows {
            self.rows = Some(RowsFile::open(self.path.join(ROWS), saved)?);
        }
        Ok(())
    }

    /// Adds lines of rows; they are written when the state is saved next.
    pub(crate) fn add_rows(&mut self, lines: &[u8]) {
        if let Some(rows) = &mut self.rows {
            rows.push(lines);
        }
    }

    /// Checks that the part that is there is the one asked for.
    fn check(&self, state: &State) -> Result<(), ArenaError> {
        let mut differences = state.identity.differences(&self.task.identity);
        let mut compare = |name: &str, there: &dyn ToString, now: &dyn ToString| {
            let [there, now] = [there, now].map(ToString::to_string);
            if there != now {
                differences.push(format!("{name}: {there} there, {now} now"));
            }
        };
        compare("command", &state.command, &self.task.command);
        compare("shard", &state.shard, &self.task.shard);
        let whole = |range: Range<u64>| range.end.saturating_sub(range.start);
        compare(state.unit(), &whole(state.first..state.asked), &whole(self.task.whole.clone()));
        if !differences.is_empty() {
            return Err(PartError::Other { path: self.path.clone(), differences }.into());
        }
        match state.contradictions().into_iter().next() {
            None => Ok(()),
            Some(why) => Err(ArenaError::damaged(self.path.join(STATE), why)),
        }
    }

    /// Returns the first deal that is not done.
    pub(crate) const fn done(&self) -> u64 {
        self.done
    }

    /// Returns how many deals were there when the directory was opened.
    pub(crate) const fn before(&self) -> u64 {
        self.before
    }

    /// Makes the error of totals that are not what this command writes.
    pub(crate) fn damaged(&self, why: Damage) -> ArenaError {
        ArenaError::damaged(self.path.join(STATE), why)
    }

    /// Prints what was done of the part, with a word for doing it, and returns how the command ends.
    ///
    /// # Errors
    ///
    /// When it cannot be printed.
    pub(crate) fn tell(&self, counted: &str, out: &mut dyn Write) -> Result<Exit, ArenaError> {
        let Task { identity, shard, whole, .. } = &self.task;
        let [now, all, before] =
            [self.done - self.range.start - self.before, whole.end - whole.start, self.before].map(thousands);
        let before = if self.before == 0 { String::new() } else { format!(" ({before} were there before)") };
        let unit = identity.unit();
        let path = self.path.display();
        print(out, &format!("{now} {unit} {counted}{before}, shard {shard} of {all}, in {path}\n"))?;
        Ok(if self.is_complete() { Exit::Done } else { Exit::Interrupted })
    }

    /// Returns the deals of the part.
    pub(crate) fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Tests if all deals are done.
    pub(crate) const fn is_complete(&self) -> bool {
        self.done == self.range.end
    }

    /// Takes note of the totals of the deals up to one; once in a while they are saved.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub(crate) fn keep(&mut self, done: u64, totals: &impl Serialize) -> Result<(), ArenaError> {
        self.done = done;
        let began = Instant::now();
        if began < self.next {
            return Ok(());
        }
        self.save(totals)?;
        self.next = Instant::now() + SAVE.max(RARELY * began.elapsed());
        Ok(())
    }

    /// Ends the work on the part, for now or for good.
    ///
    /// # Errors
    ///
    /// When something cannot be written. What was saved last is then what the next process goes on with.
    pub(crate) fn close(&mut self, totals: &impl Serialize) -> Result<(), ArenaError> {
        self.save(totals)?;
        self.seal()
    }

    fn save(&mut self, totals: &impl Serialize) -> Result<(), ArenaError> {
        let rows = self.rows.as_mut().map(RowsFile::save).transpose()?;
        let Task { command, identity, shard, whole, threads, .. } = &self.task;
        let state = State {
            v: VERSION,
            command: (*command).to_owned(),
            identity: identity.clone(),
            shard: *shard,
            first: whole.start,
            start: self.range.start,
            done: self.done,
            end: self.range.end,
            asked: whole.end,
            rows,
            totals: to_raw_value(totals).expect("totals are numbers, texts and lists"),
            timing: PartTiming {
                seconds: self.seconds + self.began.elapsed().as_secs_f64(),
                threads: *threads,
            },
        };
        write_whole(&self.path.join(STATE), &state.to_json())
    }

    /// Writes the sums of the files.
    fn seal(&self) -> Result<(), ArenaError> {
        let mut sums = Checksums::default();
        sums.measure(&self.path, STATE)?;
        if self.rows.is_some() {
            sums.measure(&self.path, ROWS)?;
        }
        sums.write(&self.path)
    }
}

/// Refuses a directory that is a part, which only `arena merge` reads.
///
/// # Errors
///
/// When it is one.
pub(crate) fn refuse(path: &Path) -> Result<(), ArenaError> {
    match if State::is_in(path) { State::read(path)? } else { None } {
        None => Ok(()),
        Some(state) => Err(PartError::IsPart { path: path.to_owned(), command: state.command }.into()),
    }
}
