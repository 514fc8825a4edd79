//! Saving the state of a run while it goes on.
//!
//! Making files last takes the disk a while: another thread does it, and the run goes on. What it saves is a
//! snapshot: the files may be longer by then, which the next process cuts off.

use std::path::PathBuf;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::files::{OutFile, write_whole};

use super::sink::SavedSink;
use super::state::{Identity, STATE, State};
use crate::run::clock::Clock;
use crate::run::config::RunConfig;
use crate::run::totals::Totals;

/// The first time that the state is saved, since the start; then after twice the time, and so on.
const FIRST: Duration = Duration::from_millis(10);
/// The longest time between two.
const LONGEST: Duration = Duration::from_secs(2);

/// All that belongs to one moment of a run.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub(super) path: PathBuf,
    pub(super) config: RunConfig,
    pub(super) identity: Identity,
    /// The files that must last before the state says so.
    pub(super) files: Vec<(PathBuf, OutFile)>,
    pub(super) sinks: [Option<SavedSink>; 2],
    pub(super) done: u64,
    pub(super) totals: Totals,
    pub(super) clock: Clock,
    pub(super) elapsed: Duration,
}

impl Snapshot {
    /// Makes the tables last, writes the figures, and then the state.
    pub(super) fn save(self) -> Result<(), ArenaError> {
        for (path, file) in &self.files {
            file.sync().map_err(|source| ArenaError::write(path, source))?;
        }
        write_whole(&self.path.join("run.json"), self.figures().to_json().as_bytes())?;
        self.save_state()
    }

    /// Writes the state alone.
    pub(super) fn save_state(self) -> Result<(), ArenaError> {
        let state = State::new(self.identity, &self.config, self.done, self.sinks, &self.totals);
        write_whole(&self.path.join(STATE), &state.to_json())
    }
}

/// Says when to save, and does it on the side.
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

    /// Tests if it is time to save and nothing is being saved.
    pub(super) fn is_due(&self) -> bool {
        self.elapsed() >= self.next && self.at_work.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Saves a snapshot on the side.
    ///
    /// # Errors
    ///
    /// That of the snapshot before.
    pub(super) fn start(&mut self, snapshot: Snapshot) -> Result<(), ArenaError> {
        self.wait()?;
        let elapsed = self.elapsed();
        self.next = (2 * elapsed).min(elapsed + LONGEST);
        self.at_work = Some(thread::spawn(move || snapshot.save()));
        Ok(())
    }

    /// Waits until what is being saved is saved.
    ///
    /// # Errors
    ///
    /// Its error.
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
        // The directory is held until nothing is written to it any more.
        let _ = self.wait();
    }
}
