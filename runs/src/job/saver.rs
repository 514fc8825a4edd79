//! Saves the state of a part in the background.
//!
//! Syncing files is slow, so another thread does it while the command continues. It saves a snapshot: the files may have
//! grown meanwhile, and the next process truncates them.

use std::path::PathBuf;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use coinche_selfplay::base::files::{OutFile, write_whole};
use coinche_selfplay::{ArenaError, Result};
use serde_json::value::RawValue;

use super::state::{STATE, State};

/// The time of the first save, since the start; the interval then doubles.
const FIRST: Duration = Duration::from_millis(10);
/// The longest interval between saves.
const LONGEST: Duration = Duration::from_secs(2);
/// The least interval between saves, as a multiple of the time for which a save holds up the command.
const RARELY: u32 = 20;

/// The contents of a save that depend on the job.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) sums: Box<RawValue>,
    /// A file that is written before the state: its name and text.
    pub(crate) figures: Option<(&'static str, String)>,
}

impl From<Box<RawValue>> for Content {
    fn from(sums: Box<RawValue>) -> Self {
        Self { sums, figures: None }
    }
}

/// A consistent snapshot of a part.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub(super) path: PathBuf,
    /// The files to sync before the state is written.
    pub(super) files: Vec<(PathBuf, OutFile)>,
    /// The state without its sums.
    pub(super) state: State,
}

impl Snapshot {
    /// Syncs the tables, writes the figures, and then the state.
    pub(super) fn save(self, Content { sums, figures }: Content) -> Result<()> {
        for (path, file) in &self.files {
            file.sync().map_err(|source| ArenaError::write(path, source))?;
        }
        if let Some((name, text)) = figures {
            write_whole(&self.path.join(name), text.as_bytes())?;
        }
        write_whole(&self.path.join(STATE), &State { sums, ..self.state }.to_json())
    }
}

/// Schedules saves and runs them in the background.
#[derive(Debug)]
pub(super) struct Saver {
    began: Instant,
    next: Duration,
    at_work: Option<JoinHandle<Result<()>>>,
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

    /// Saves in the background; `held_up` is the time that it took to prepare this.
    pub(super) fn start(
        &mut self,
        held_up: Duration,
        save: impl FnOnce() -> Result<()> + Send + 'static,
    ) -> Result<()> {
        self.wait()?;
        let elapsed = self.elapsed();
        self.next = elapsed + elapsed.clamp(FIRST, LONGEST).max(RARELY * held_up);
        self.at_work = Some(thread::spawn(save));
        Ok(())
    }

    /// Waits for the running save.
    pub(super) fn wait(&mut self) -> Result<()> {
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
