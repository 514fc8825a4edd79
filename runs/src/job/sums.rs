//! Jobs whose result is sums over deals: making, resuming, merging and checking them, whatever is summed.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use coinche_inference::Merge;
use coinche_selfplay::Result;
use serde_json::value::RawValue;

use super::dir::PartDir;
use super::parts::Parts;
use super::state::{State, Task};
use crate::damage::Damage;
use crate::runner::Next;

/// A job whose result is sums over deals. They are integers, so those of all parts equal those of an undivided command,
/// in whatever order they are added.
pub trait SumJob {
    /// The type of the sums.
    type Sums: Merge;

    /// Whether the job also stores rows, which all parts together have in deal order.
    const HAS_ROWS: bool = false;

    /// Returns empty sums; the first deal is `start`.
    fn nothing(&self, start: u64) -> Self::Sums;

    /// Converts sums to the form in `part.json`.
    fn save(&self, sums: &Self::Sums) -> Box<RawValue>;

    /// Reads the sums of a state, and checks that they are of this job.
    fn read(&self, state: &State) -> Result<Self::Sums, Damage>;

    /// Tests if no work is left.
    fn is_over(&self, dir: &PartDir, _sums: &Self::Sums) -> bool {
        dir.is_complete()
    }

    /// Makes what is missing of a part: `play` resumes at [`PartDir::done`], and reports its progress with
    /// [`Making::keep`] after every few deals.
    fn make(
        &self,
        path: &Path,
        task: &Task,
        stop: &AtomicBool,
        play: impl FnOnce(&mut Making<'_, Self>, &mut Self::Sums) -> Result<()>,
    ) -> Result<(PartDir, Self::Sums)> {
        let mut dir = PartDir::open(path, task, Self::HAS_ROWS)?;
        let mut sums = match dir.state().sums.get() {
            "null" => self.nothing(dir.range().start),
            _ => self.read(dir.state()).map_err(|why| dir.damaged(why))?,
        };
        let is_over = self.is_over(&dir, &sums);
        if is_over && dir.is_sealed() {
            return Ok((dir, sums));
        }
        dir.save(self.save(&sums))?;
        let mut making = Making { dir, job: self, stop, is_whole: true };
        let played = if is_over { Ok(()) } else { play(&mut making, &mut sums) };
        // Sums with partially added deals are never saved.
        if making.is_whole {
            making.dir.close(self.save(&sums), [])?;
        }
        played.map(|()| (making.dir, sums))
    }

    /// Adds up the sums of all parts.
    fn total(&self, parts: &Parts) -> Result<Self::Sums> {
        let mut all = self.nothing(parts.first);
        parts.each_sums(|state| {
            all.merge(&self.read(state)?);
            Ok(())
        })?;
        Ok(all)
    }
}

/// A part in progress.
pub struct Making<'a, J: SumJob + ?Sized> {
    /// Its directory.
    pub dir: PartDir,
    job: &'a J,
    pub(crate) stop: &'a AtomicBool,
    /// Whether the sums cover all deals up to the last reported one.
    pub is_whole: bool,
}

impl<J: SumJob + ?Sized> Making<'_, J> {
    /// Saves the sums now.
    pub fn save(&mut self, sums: &J::Sums) -> Result<()> {
        self.dir.save(self.job.save(sums))
    }

    /// Records the sums of the deals up to one, and returns whether to continue.
    pub fn keep(&mut self, sums: &J::Sums, done: u64) -> Result<Next> {
        self.is_whole = true;
        self.dir.keep(done, || self.job.save(sums))?;
        Ok(if self.stop.load(Ordering::Relaxed) { Next::Stop } else { Next::GoOn })
    }
}
