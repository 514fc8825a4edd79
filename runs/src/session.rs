//! Plays a whole run, for the commands and for other programs.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use coinche_bots::Registry;
use coinche_selfplay::Result;

use crate::clock::Clock;
use crate::config::RunConfig;
use crate::control::measure;
use crate::directory::RunDir;
use crate::figures::{RunJson, Timing};
use crate::runner::{self, Batch, Next};
use crate::totals::Totals;
use crate::verdict;

/// The result of playing a run.
#[derive(Debug)]
pub struct PlayedRun {
    /// The configuration, with the names that programs reported.
    pub config: RunConfig,
    /// The totals, including those of earlier commands in the same directory.
    pub totals: Totals,
    /// The figures of `run.json`.
    pub figures: RunJson,
    /// The directory, if there is one.
    pub path: Option<PathBuf>,
}

impl PlayedRun {
    /// Returns the verdict in words, with the tables behind it.
    pub fn verdict(&self) -> String {
        verdict::verdict(&self.config, &self.totals)
    }

    /// Returns the verdict in one or more sentences.
    pub fn headline(&self) -> String {
        verdict::document(&self.config, &self.totals).render_verdicts()
    }
}

/// Plays a run, or what is missing of it: into the directory of the configuration if `keeps`, else nothing is written.
/// `watch` receives each batch in order, with the totals so far; when a run is resumed also once before the first.
///
/// A request to stop lets the batches in flight finish: what was played until then is in the result, and is kept.
///
/// # Errors
///
/// When the directory holds another run, a bot cannot play or fails for good, or something cannot be written. What was
/// played until then is kept in the directory.
pub fn play_run(
    config: RunConfig,
    registry: &Registry,
    keeps: bool,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(&Totals, Option<&Batch>),
) -> Result<PlayedRun> {
    let (mut config, programs) = config.meet(registry)?;
    if !keeps {
        return play_in_memory(config, stop, watch);
    }
    let mut dir = RunDir::open(&config)?;
    dir.name_programs(programs);
    // For the stderr of programs.
    config.out = Some(dir.path().to_owned());
    if dir.totals().pairs() > 0 {
        watch(dir.totals(), None);
    }
    let played = go_on(&config, &mut dir, stop, &mut |totals, batch| watch(totals, Some(batch)));
    // Also after an error: what was written until then gets its figures.
    dir.close()?;
    played?;
    let (totals, path) = (dir.totals().clone(), dir.path().to_owned());
    let figures = RunJson::new(&config, &totals, dir.timing());
    Ok(PlayedRun { config, totals, figures, path: Some(path) })
}

fn play_in_memory(
    config: RunConfig,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(&Totals, Option<&Batch>),
) -> Result<PlayedRun> {
    let (began, mut totals, mut clock) = (Instant::now(), Totals::new(&config), Clock::default());
    if config.control.is_some() {
        totals.control = measure(&config, stop)?;
    }
    if config.control.is_none() || totals.control.is_some() {
        runner::play(&config, config.range().start, stop, |batch| {
            batch.add_to(&mut totals);
            clock.add_own(&batch.times);
            watch(&totals, Some(batch));
            Ok(())
        })?;
    }
    let timing = Timing::new(&config, &totals, &clock, began.elapsed());
    let figures = RunJson::new(&config, &totals, timing);
    Ok(PlayedRun { config, totals, figures, path: None })
}

/// Plays the control on its extra deals, if that is not done yet; tests if it is done now.
pub fn measure_control(config: &RunConfig, dir: &mut RunDir, stop: &AtomicBool) -> Result<bool> {
    if config.control.is_some() && dir.totals().control.is_none() {
        match measure(config, stop)? {
            Some(sums) => dir.set_control(sums)?,
            None => return Ok(false),
        }
    }
    Ok(true)
}

/// Plays what is missing of a run; returns the first deal that was not played. The directory is not closed yet.
pub fn go_on(
    config: &RunConfig,
    dir: &mut RunDir,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(&Totals, &Batch),
) -> Result<u64> {
    measure_control(config, dir, stop)?;
    if dir.is_complete() {
        return Ok(dir.done());
    }
    let log = runner::stderr_log(config);
    let played = runner::play_in_steps(config, dir.done(), u64::MAX, stop, &log, |batch| {
        dir.append(batch)?;
        watch(dir.totals(), batch);
        Ok(Next::GoOn)
    });
    log.report_failures();
    played
}
