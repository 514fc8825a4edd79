//! A part of a step: its sums are the totals of stretches of deals, which end where the step may be cut.

use std::borrow::Cow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use coinche_inference::{Merge, PairedSums, merge};
use coinche_selfplay::{ArenaError, Result};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Place, check_others};
use crate::clock::Clock;
use crate::config::RunConfig;
use crate::control::measure;
use crate::damage::Damage;
use crate::figures::Timing;
use crate::job::{Making, PartDir, Parts, STATE, State, SumJob, Task, raw};
use crate::progress::Progress;
use crate::runner::{self, Batch, Next};
use crate::totals::Totals;
use coinche_protocol::ProgramInfo;

/// How playing a shard ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The whole shard was played.
    Whole,
    /// It had been played before.
    Before,
    /// The user asked to stop.
    Interrupted,
    /// The step was merged without this part meanwhile.
    Merged,
}

/// Consecutive deals up to `end`, with their totals.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stretch {
    /// Where it ends; the next one begins there.
    pub end: u64,
    /// The sums of its deals.
    pub totals: Totals,
}

/// The results of a part.
#[derive(Debug, Clone, Default)]
pub struct Step {
    /// The sums of the control over the shard's extra deals, in the first step if there is a control.
    pub control: Option<PairedSums>,
    pub stretches: Vec<Stretch>,
    pub clock: Clock,
}

merge! { Step { control; with Vec::extend_from_slice: stretches; kept: clock } }

/// A [`Step`] in `part.json`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedStep<'a> {
    control: Option<PairedSums>,
    stretches: Cow<'a, [Stretch]>,
    timing: Timing,
}

/// The shards of a step: what to play, and where the stretches end.
pub struct StepJob<'a> {
    config: &'a RunConfig,
    needs_control: bool,
    began: Instant,
}

impl<'a> StepJob<'a> {
    /// Creates the job of a configuration. With `needs_control` each shard also plays its share of the control's extra
    /// deals.
    pub fn new(config: &'a RunConfig, needs_control: bool) -> Self {
        Self { config, needs_control, began: Instant::now() }
    }
}

impl SumJob for StepJob<'_> {
    type Sums = Step;

    fn nothing(&self, _start: u64) -> Step {
        Step::default()
    }

    fn save(&self, step: &Step) -> Box<RawValue> {
        let timing = Timing::new(self.config, &Totals::new(self.config), &step.clock, self.began.elapsed());
        raw(&SavedStep { control: step.control, stretches: Cow::Borrowed(&step.stretches), timing })
    }

    fn read(&self, state: &State) -> Result<Step, Damage> {
        let SavedStep { control, stretches, timing } = serde_json::from_str(state.sums.get())?;
        let mut at = state.start;
        let restore = |Stretch { end, totals }| {
            let totals = totals.restored(&self.config.rules, self.config.unit)?;
            if totals.encounters != self.config.encounters() {
                return Err(Damage::Encounters);
            }
            if end <= at || totals.pairs() != end - at {
                return Err(Damage::Stretches);
            }
            at = end;
            Ok(Stretch { end, totals })
        };
        let stretches = stretches.into_owned().into_iter().map(restore).collect::<Result<_, _>>()?;
        let clock = timing.into_clock(self.config).unwrap_or_default();
        if at == state.done { Ok(Step { control, stretches, clock }) } else { Err(Damage::Stretches) }
    }

    fn is_over(&self, dir: &PartDir, step: &Step) -> bool {
        dir.is_complete() && !(self.needs_control && step.control.is_none())
    }
}

impl Step {
    /// Adds a batch to the stretch that is not complete.
    fn add(&mut self, batch: &Batch, every: u64, config: &RunConfig) {
        if self.stretches.last().is_none_or(|last| last.end.is_multiple_of(every)) {
            self.stretches.push(Stretch { end: 0, totals: Totals::new(config) });
        }
        if let Some(last) = self.stretches.last_mut() {
            batch.add_to(&mut last.totals);
            last.end = batch.end;
        }
        self.clock.add_own(&batch.times);
    }
}

/// Plays what is missing of a part of a step, in stretches that end at multiples of `every`. A request to stop lets the
/// batches in flight finish.
pub fn play(
    place: &Place,
    task: &Task,
    config: &RunConfig,
    every: u64,
    needs_control: bool,
    programs: impl FnOnce() -> Result<Vec<ProgramInfo>>,
    stop: &AtomicBool,
) -> Result<Ended> {
    let Some(shard) = task.shard else { return Ok(Ended::Before) };
    let path = place.part(shard);
    check_others(&place.step(), task)?;
    // The stderr of programs is logged at the same place as for the whole.
    let out = config.out.as_ref().map(|_| path.clone());
    let config = RunConfig { deals: task.range().end, shard: None, out, ..config.clone() };
    let job = StepJob::new(&config, needs_control);
    let mut was_over = true;
    let made = job.make(&path, task, stop, |making, step| {
        was_over = false;
        step.clock.programs = programs()?;
        if needs_control && step.control.is_none() {
            step.control = measure(&RunConfig { shard: Some(shard), ..config.clone() }, stop)?;
            if step.control.is_none() {
                return Ok(());
            }
            making.save(step)?;
        }
        go_on(making, step, &config, every)
    });
    match made {
        // The directory is gone because another process has merged the step.
        Err(ArenaError::Write { .. }) if !path.is_dir() => Ok(Ended::Merged),
        Err(error) => Err(error),
        Ok(_) if was_over => Ok(Ended::Before),
        Ok((dir, sums)) if job.is_over(&dir, &sums) => Ok(Ended::Whole),
        Ok(_) => Ok(Ended::Interrupted),
    }
}

/// Plays the missing deals.
fn go_on(
    making: &mut Making<'_, StepJob<'_>>,
    step: &mut Step,
    config: &RunConfig,
    every: u64,
) -> Result<()> {
    let (range, from) = (making.dir.range(), making.dir.done());
    if from == range.end || making.stop.load(Ordering::Relaxed) {
        return Ok(());
    }
    let mut totals = Totals::new(config);
    step.stretches.iter().for_each(|stretch| totals.merge(&stretch.totals));
    let of_share = RunConfig { deals: range.end - range.start, ..config.clone() };
    let mut progress = Progress::new(&of_share, &totals);
    let log = runner::stderr_log(config);
    let played = runner::play_in_steps(config, from, every, making.stop, &log, |batch| {
        step.add(batch, every, config);
        batch.add_to(&mut totals);
        progress.update(&totals);
        making.keep(step, batch.end)?;
        Ok(Next::GoOn)
    });
    progress.finish(&totals);
    log.report_failures();
    played.map(drop)
}

/// Passes on the parts of a step, in deal order, each with its directory.
pub fn each_step(
    parts: &Parts,
    config: &RunConfig,
    mut take: impl FnMut(&Path, Step) -> Result<()>,
) -> Result<()> {
    let job = StepJob::new(config, false);
    parts.each(|path, state| {
        let step = job.read(&state).map_err(|why| ArenaError::damaged(path.join(STATE), why))?;
        take(path, step)
    })
}
