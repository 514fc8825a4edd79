//! Playing a share of a step.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::files::write_whole;

use super::saved::{PART, Saved, SavedStretch, is_sealed};
use super::{Place, Task, gather};
use crate::protocol::ProgramInfo;
use crate::run::checksums::Checksums;
use crate::run::clock::Clock;
use crate::run::config::RunConfig;
use crate::run::control::measure;
use crate::run::directory::Held;
use crate::run::figures::Timing;
use crate::run::progress::Progress;
use crate::run::runner::{self, Batch, Next};
use crate::run::totals::Totals;

/// The file that is locked: `part.json` is replaced.
const LOCK: &str = "part.lock";
/// The first time that the part is saved, since the start; then after twice the time, and so on.
const FIRST: Duration = Duration::from_millis(10);
/// The longest time between two, unless a large part takes long to save.
const LONGEST: Duration = Duration::from_secs(2);

/// How playing a share has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// All of it is played.
    Whole,
    /// The user asked to stop.
    Interrupted,
    /// Other parts of the step were merged meanwhile, and this one is not needed any more.
    Merged,
}

/// A share of a step, open for writing.
#[derive(Debug)]
pub(crate) struct Part {
    path: PathBuf,
    /// Of the share: up to its last deal.
    config: RunConfig,
    saved: Saved,
    /// The totals behind the stretches that have come to their end.
    open: Totals,
    /// Those of the whole share.
    totals: Totals,
    clock: Clock,
    began: Instant,
    next: Duration,
    is_sealed: bool,
    /// Let go last.
    _held: Held,
}

impl Part {
    /// Makes the directory of a part, or opens it to go on: `config` is that of the whole.
    ///
    /// # Errors
    ///
    /// When it is in use, damaged, of something else, or cannot be written.
    pub(crate) fn open(place: &Place, task: &Task, config: &RunConfig) -> Result<Self, ArenaError> {
        let path = place.part(task.shard);
        gather::check_others(&place.step(), task)?;
        let held = Held::lock(&path, LOCK)?;
        let mut saved = match Saved::read(&path)? {
            None => Saved::new(task),
            Some(saved) => {
                let differences =
                    saved.differences(&task.identity, &task.command, [task.deals.start, task.deals.end]);
                if !differences.is_empty() {
                    return Err(ArenaError::OtherRun { path, differences });
                }
                saved
            }
        };
        let is_sealed = is_sealed(&path)?;
        // What programs say is kept where it is for the whole.
        let out = config.out.as_ref().map(|_| path.clone());
        let config = RunConfig { deals: task.range().end, shard: None, out, ..config.clone() };
        let (mut open, mut totals) = (Totals::new(&config), Totals::new(&config));
        let stretches = Saved::restore(saved.stretches.clone(), &path, &config)?;
        for stretch in &stretches {
            totals.merge(&stretch.totals);
        }
        if let Some(last) = stretches.into_iter().next_back() {
            // It may go on.
            saved.stretches.pop();
            open = last.totals;
        }
        let clock = saved.timing.clone().and_then(|timing| timing.into_clock(&config)).unwrap_or_default();
        let (began, next) = (Instant::now(), Duration::ZERO);
        Ok(Self { path, config, saved, open, totals, clock, began, next, is_sealed, _held: held })
    }

    /// Returns the directory.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Tests if there is nothing left to do.
    pub(crate) const fn is_complete(&self) -> bool {
        self.saved.is_whole() && self.is_sealed
    }

    /// Takes note of the programs of the share.
    pub(crate) fn name_programs(&mut self, programs: Vec<ProgramInfo>) {
        self.clock.programs = programs;
    }

    /// Plays what is missing of the share, in stretches that end at multiples of `every`; of a command with a control
    /// whose deals of its own are not played yet, also the share of those.
    ///
    /// # Errors
    ///
    /// When a program fails for good or something cannot be written; what was played until then is kept.
    pub(crate) fn play(
        &mut self,
        every: u64,
        needs_control: bool,
        stop: &AtomicBool,
    ) -> Result<Ended, ArenaError> {
        if self.is_sealed {
            Checksums::remove(&self.path)?;
        }
        self.save(every)?;
        let played = self.go_on(every, needs_control, stop);
        let ended = self.save(every).and_then(|()| self.seal());
        // Whoever has merged the step has removed what it was merged from.
        match played.and(ended) {
            Err(ArenaError::Write { .. }) if !self.path.is_dir() => return Ok(Ended::Merged),
            ended => ended?,
        }
        let is_whole = self.saved.is_whole() && !(needs_control && self.saved.control.is_none());
        Ok(if is_whole { Ended::Whole } else { Ended::Interrupted })
    }

    fn go_on(&mut self, every: u64, needs_control: bool, stop: &AtomicBool) -> Result<(), ArenaError> {
        if needs_control && self.saved.control.is_none() {
            self.saved.control =
                measure(&RunConfig { shard: Some(self.saved.shard), ..self.config.clone() }, stop)?;
            if self.saved.control.is_none() {
                return Ok(());
            }
            self.save(every)?;
        }
        if self.saved.is_whole() || stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        let (config, from) = (self.config.clone(), self.saved.done);
        let of_share = RunConfig { deals: self.saved.end - self.saved.start, ..config.clone() };
        let mut progress = Progress::new(&of_share, &self.totals);
        let log = runner::stderr_log(&config);
        let played = runner::play_in_steps(&config, from, every, stop, &log, |batch| {
            self.add(batch, every);
            progress.update(&self.totals);
            if self.began.elapsed() >= self.next {
                self.save(every)?;
            }
            Ok(Next::GoOn)
        });
        progress.finish(&self.totals);
        log.tell_failures();
        played.map(drop)
    }

    fn add(&mut self, batch: &Batch, every: u64) {
        if self.saved.done.is_multiple_of(every) && self.open.pairs() > 0 {
            self.end_stretch();
        }
        batch.add_to(&mut self.open);
        batch.add_to(&mut self.totals);
        self.clock.add(&batch.times);
        self.saved.done = batch.end;
    }

    fn end_stretch(&mut self) {
        let open = core::mem::replace(&mut self.open, Totals::new(&self.config));
        self.saved.stretches.push(SavedStretch { end: self.saved.done, totals: (&open).into() });
    }

    /// Replaces the file.
    fn save(&mut self, every: u64) -> Result<(), ArenaError> {
        let began = self.began.elapsed();
        if self.open.pairs() > 0 {
            self.saved.stretches.push(SavedStretch { end: self.saved.done, totals: (&self.open).into() });
        }
        self.saved.timing = Some(Timing::new(&self.config, &self.totals, &self.clock, began));
        let mut text = serde_json::to_vec(&self.saved).expect("a part is numbers, texts and lists");
        text.push(b'\n');
        write_whole(&self.path.join(PART), &text)?;
        if self.saved.done.is_multiple_of(every) {
            self.open = Totals::new(&self.config);
        } else if self.open.pairs() > 0 {
            // It goes on.
            self.saved.stretches.pop();
        }
        // A large part is saved less often.
        let elapsed = self.began.elapsed();
        self.next = elapsed + elapsed.clamp(FIRST, LONGEST).max(20 * elapsed.saturating_sub(began));
        Ok(())
    }

    /// Writes the sum of the file: no process is at work any more.
    fn seal(&mut self) -> Result<(), ArenaError> {
        let mut sums = Checksums::default();
        sums.measure(&self.path, PART)?;
        sums.write(&self.path)?;
        self.is_sealed = true;
        Ok(())
    }
}
