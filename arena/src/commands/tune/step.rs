//! The steps of a tuning whose deals are divided over machines: iterations, then the result against the start.

use coinche_inference::Merge;
use std::path::{Path, PathBuf};

use coinche_bots::Registry;
use coinche_selfplay::{ArenaError, Detail, Result};

use super::files::{self, Files, Row, There};
use super::result::{self, Verified};
use super::tuning::{Iteration, Tuning, VERIFY, faults, measured};
use super::{TuneArgs, params};
use crate::commands::steps::{Damage, Step, Stepwise, Taken};
use coinche_runs::steps::each_step;
use coinche_runs::{Clock, Job, Parts, RunConfig, RunDir, State, Totals};

/// The directory of the steps in that of a tuning.
pub(in crate::commands) const STEPS: &str = "steps";

impl Tuning {
    /// Returns the next step of a tuning whose next iteration does not have equal bots; `None` if it is over.
    fn next_step(&self, whole: &Path) -> Result<Option<Step>> {
        let number = self.spsa.done();
        let (config, start) = match self.next()? {
            Iteration::Match(config) => (*config, number * self.batch),
            Iteration::Equal | Iteration::Over => {
                let Some(config) = verification(self, whole)? else { return Ok(None) };
                let done = State::read(&whole.join(VERIFY))?.map_or(0, |state| state.done);
                if done >= config.deals {
                    return Ok(None);
                }
                (config, done)
            }
        };
        let is_run = number == self.iterations;
        let (deals, names) = (start..config.deals, [(); 2].map(|()| format!(" of {}", self.name())));
        Ok(Some(Step { config, deals, every: u64::MAX, needs_control: false, is_run, names }))
    }

    /// Returns the name of the next step.
    fn name(&self) -> String {
        let done = self.spsa.done();
        if done == self.iterations {
            "the verification".to_owned()
        } else {
            format!("iteration {}", done + 1)
        }
    }
}

impl Stepwise for Tuning {
    type Flags = TuneArgs;
    const JOB: Job = Job::Tune;
    const WHAT: [&'static str; 2] = ["tuning", "tuning"];
    const STEPS: &'static str = STEPS;
    const RESULT: &'static str = files::RESULT;

    fn of(flags: TuneArgs, registry: &Registry) -> Result<Self> {
        flags.check(registry)
    }

    fn config(&mut self) -> &mut RunConfig {
        &mut self.config
    }

    fn command(&self) -> String {
        self.to_command()
    }

    fn first(_whole: &Path) -> Result<u64> {
        Ok(0)
    }

    fn next(&mut self, whole: &Path) -> Result<(u64, Option<Step>)> {
        let rows = There::read(whole, &self.identity()?, &files::header(&self.params))?.rows;
        self.there = rows.len();
        self.resume(whole, rows)?;
        self.lines = self.pass_equal()?;
        let step = self.next_step(whole)?;
        // After all steps, all are merged.
        Ok((if step.is_some() { self.spsa.done() } else { self.iterations + 1 }, step))
    }

    fn part_flags(_deals: [u64; 2]) -> String {
        String::new()
    }

    fn check(&self, step: &Step, parts: &Parts) -> Result<()> {
        if (parts.first..parts.asked) != step.deals {
            return Err(parts.damaged(Damage::Deals { from: step.deals.start, to: step.deals.end }));
        }
        each_step(parts, &step.config, |_, _| Ok(()))
    }

    fn has_news(&self) -> bool {
        !self.lines.is_empty()
    }

    fn take(mut self, whole: &Path, _number: u64, of: Option<(&Step, &Parts)>) -> Result<Taken> {
        let (mut files, rows) = Files::open(whole, &self.identity()?, &files::header(&self.params))?;
        if rows.len() != self.there {
            // Another process has merged the step since.
            return Err(ArenaError::InUse { path: whole.to_owned() });
        }
        if let Some((step, parts)) = of.filter(|(step, _)| !step.is_run) {
            let totals = total(&step.config, parts)?;
            let line = self.take_row(Row { measured: measured(&totals), faults: faults(&totals) });
            self.lines.extend(line);
            let equal = self.pass_equal()?;
            self.lines.extend(equal);
        }
        self.lines.iter().try_for_each(|line| files.append(line))?;
        files.sync()?;
        if let Some((step, parts)) = of.filter(|(step, _)| step.is_run) {
            play(&step.config, parts)?;
        }
        let next = self.next_step(whole)?;
        let verified = if next.is_none() { verified(&self, whole)? } else { None };
        self.tuned = params::with_values(&self.bot, &self.params, &self.spsa.result())?;
        files.write(files::PICTURE, &result::picture(&self))?;
        files.write(files::RESULT, &result::to_json(&self, verified.as_ref(), 0.0))?;
        files.seal()?;
        if next.is_none() {
            let documents = [result::parameters(&self), result::verdict(&self, verified.as_ref())];
            return Ok(Taken::Over(
                documents.map(|document| document.render(Detail::Full)).concat(),
                result::exit_of(verified.as_ref()),
            ));
        }
        let done = format!("{} of {} iterations", self.spsa.done(), self.iterations);
        let figures = format!(": {}", result::state(&self.params, self.spsa.theta()));
        Ok(Taken::More { done, figures, next: self.name() })
    }

    fn run_of(whole: &Path) -> PathBuf {
        whole.join(VERIFY)
    }
}

/// Returns the run of the result against the start; `None` if there is none, or not yet.
pub(super) fn verification(tuning: &Tuning, whole: &Path) -> Result<Option<RunConfig>> {
    if tuning.spsa.done() < tuning.iterations || tuning.verify == 0 {
        return Ok(None);
    }
    let tuned = params::with_values(&tuning.bot, &tuning.params, &tuning.spsa.result())?;
    Ok((tuned != tuning.start).then(|| tuning.verification(whole, &tuned)))
}

/// Adds up the totals of shards.
fn total(config: &RunConfig, gathered: &Parts) -> Result<Totals> {
    let mut totals = Totals::new(config);
    each_step(gathered, config, |_, step| {
        step.stretches.iter().for_each(|stretch| totals.merge(&stretch.totals));
        Ok(())
    })?;
    Ok(totals)
}

/// Merges the shards of the verification run.
fn play(config: &RunConfig, gathered: &Parts) -> Result<()> {
    let mut dir = RunDir::open(config)?;
    if dir.done() == gathered.first {
        each_step(gathered, config, |_, step| {
            step.stretches.iter().for_each(|it| dir.add_played(&it.totals, it.end, &Clock::default()));
            dir.add_clock(&step.clock);
            Ok(())
        })?;
    }
    dir.close()
}

/// Reads the result of the verification; `None` if there is none.
fn verified(tuning: &Tuning, whole: &Path) -> Result<Option<Verified>> {
    let Some(config) = verification(tuning, whole)? else { return Ok(None) };
    let mut dir = RunDir::open(&config)?;
    dir.close()?;
    Ok(Some(Verified::new(&config, dir.totals())))
}
