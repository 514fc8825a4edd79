//! Saves the state of a run in the background.
//!
//! Syncing files is slow, so another thread does it while the run continues. It saves a snapshot: the files may have
//! grown meanwhile, and the next process truncates them.

use std::path::PathBuf;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::files::{OutFile, write_whole};

use crate::clock::Clock;
use crate::config::RunConfig;
use crate::job::{STATE, SavedSink, State, Task, raw};
use crate::totals::{SavedTotals, Totals};

/// The time of the first save, since the start; the interval then doubles.
const FIRST: Duration = Duration::from_millis(10);
/// The longest interval between saves.
const LONGEST: Duration = Duration::from_secs(2);

/// A consistent snapshot of a run.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub(super) path: PathBuf,
    pub(super) config: RunConfig,
    pub(super) task: Task,
    /// The files to sync before the state is written.
    pub(super) files: Vec<(PathBuf, OutFile)>,
    pub(super) tables: Vec<SavedSink>,
    pub(super) done: u64,
    pub(super) totals: Totals,
    pub(super) clock: Clock,
    pub(super) elapsed: Duration,
}

impl Snapshot {
    /// Syncs the tables, writes the figures, and then the state.
    pub(super) fn save(self) -> Result<(), ArenaError> {
        for (path, file) in &self.files {
            file.sync().map_err(|source| ArenaError::write(path, source))?;
        }
        write_whole(&self.path.join("run.json"), self.figures().to_json().as_bytes())?;
        self.save_state()
    }

    /// Writes the state alone.
    pub(super) fn save_state(self) -> Result<(), ArenaError> {
        let (sums, tables) = (raw(&SavedTotals::from(&self.totals)), self.tables);
        let state = State { done: self.done, tables, sums, ..self.task.start() };
        write_whole(&self.path.join(STATE), &state.to_json())
    }
}

/// Schedules saves and runs them in the background.
#[derive(Debug)]
pub(super) struct Saver {
    began: Instant,
    next: Duration,
    at_work: Option<JoinHandle<Result<(), ArenaError>>>,
}

impl Saver {
    pub(super) fn new() -> Self {
        Self { began: Instant::now(), next: FIRST, at_work: None }
    }

    /// Returns the time since the start.
    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Tests if a save is due and none is running.
    pub(super) fn is_due(&self) -> bool {
        self.elapsed() >= self.next && self.at_work.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Saves a snapshot in the background.
    pub(super) fn start(&mut self, snapshot: Snapshot) -> Result<(), ArenaError> {
        self.wait()?;
        let elapsed = self.elapsed();
        self.next = (2 * elapsed).min(elapsed + LONGEST);
        self.at_work = Some(thread::spawn(move || snapshot.save()));
        Ok(())
    }

    /// Waits for the running save.
    pub(super) fn wait(&mut self) -> Result<(), ArenaError> {
        match self.at_work.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(saved)) => saved,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
        }
    }
}

impl Drop for Saver {
    fn drop(&mut self) {
        // The directory stays locked until all writes have ended.
        let _ = self.wait();
    }
}
