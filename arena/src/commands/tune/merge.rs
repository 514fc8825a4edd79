//! `arena merge` of the next step of a tuning: an iteration, or the result against the start.

use std::io::Write;
use std::path::{Path, PathBuf};

use coinche_bots::Registry;
use coinche_inference::Merge;
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::{print, tell};
use coinche_selfplay::base::progress::ProgressMode;
use coinche_selfplay::base::style::thousands;
use coinche_selfplay::document::text::Detail;

use super::files::{self, Files, Row};
use super::result::{self, Verified};
use super::step::{STEPS, Step, verification};
use super::tuning::{Tuning, VERIFY, faults, measured};
use super::{TuneArgs, params, preamble};
use crate::commands::steps::{Damage, command_in, read_command};
use coinche_runs::clock::Clock;
use coinche_runs::config::RunConfig;
use coinche_runs::directory::RunDir;
use coinche_runs::job::{Identity, Parts};
use coinche_runs::steps::{Place, StepsError, command_of, each_step, gather, remove, standing};
use coinche_runs::totals::Totals;

/// Reads a tuning played by several machines, from its parts or from its saved state.
fn read(whole: &Path, registry: &Registry) -> Result<Tuning, ArenaError> {
    let result = whole.join(files::RESULT);
    let command = match command_of(&whole.join(STEPS))? {
        Some(command) => command,
        None if result.exists() => command_in(&result)?,
        None => return Err(StepsError::Nothing { path: whole.to_owned(), what: "tuning" }.into()),
    };
    let args: TuneArgs = read_command(&command, "tune")?;
    let mut tuning = args.check(registry)?;
    tuning.config.progress = ProgressMode::None;
    tuning.config.out = Some(whole.to_owned());
    Ok(tuning)
}

/// The findings of a merge, before anything is changed.
struct Merging {
    tuning: Tuning,
    /// The number of iterations in the history.
    there: usize,
    /// The lines of iterations that need no deals.
    lines: Vec<String>,
    place: Place,
    /// Steps that are merged already.
    merged: Vec<PathBuf>,
    /// The step of the parts; `None` without parts.
    gathered: Option<(Step, Parts)>,
}

impl Merging {
    /// Finds the parts of the next step.
    fn read(whole: &Path, registry: &Registry) -> Result<Self, ArenaError> {
        let mut tuning = read(whole, registry)?;
        let rows = files::rows_of(whole, &tuning.identity()?, &files::header(&tuning.params))?;
        let there = rows.len();
        tuning.resume(whole, rows)?;
        let lines = tuning.pass_equal()?;
        let Some(step) = Step::next(&tuning, whole)? else {
            // After all steps.
            let place = Place { whole: whole.to_owned(), steps: STEPS, number: tuning.iterations + 1 };
            let merged = standing(&place)?;
            return Ok(Self { tuning, there, lines, place, merged, gathered: None });
        };
        let place = step.place(whole);
        let merged = standing(&place)?;
        let gathered = match gather(&place, |_| String::new())? {
            Some(gathered) => {
                check(&gathered, &step)?;
                Some((step, gathered))
            }
            None if merged.is_empty() && lines.is_empty() => {
                let command = format!("{} --out {}", tuning.command, whole.display());
                return Err(StepsError::NoParts { folder: place.step(), command }.into());
            }
            None => None,
        };
        Ok(Self { tuning, there, lines, place, merged, gathered })
    }

    /// Merges the parts.
    fn take(&mut self, files: &mut Files) -> Result<(), ArenaError> {
        match &self.gathered {
            Some((step, gathered)) if step.is_verification => {
                self.lines.iter().try_for_each(|line| files.append(line))?;
                files.sync()?;
                play(&step.config, gathered)?;
            }
            Some((step, gathered)) => {
                let totals = total(&step.config, gathered)?;
                let row = Row { measured: measured(&totals), faults: faults(&totals) };
                self.lines.extend(self.tuning.take(row));
                self.lines.extend(self.tuning.pass_equal()?);
                self.lines.iter().try_for_each(|line| files.append(line))?;
            }
            None => self.lines.iter().try_for_each(|line| files.append(line))?,
        }
        files.sync()
    }

    /// Removes the parts of merged steps.
    fn clean(&self, whole: &Path) {
        let mut merged = self.merged.clone();
        merged.extend(self.gathered.as_ref().map(|_| self.place.step()));
        remove(&self.place, &merged, &whole.join(VERIFY));
    }

    /// Describes the progress of an unfinished tuning.
    fn so_far(&self, whole: &Path, next: &Step) -> String {
        let Self { tuning, gathered, .. } = self;
        let (done, of, whole) = (tuning.spsa.done(), tuning.iterations, whole.display());
        let merged = gathered.as_ref().map_or_else(
            || "the last step is merged already".to_owned(),
            |(_, gathered)| format!("{} shards merged", thousands(gathered.count() as u64)),
        );
        let state = result::state(&tuning.params, tuning.spsa.theta());
        let (command, next) = (&tuning.command, next.name());
        format!(
            "{merged}: {done} of {of} iterations in {whole}: {state}\n\
             {next} is needed: {command} --out {whole} --shard I/N"
        )
    }
}

/// Checks the contents of shards, before anything is changed.
fn check(gathered: &Parts, step: &Step) -> Result<(), ArenaError> {
    gathered.check_program(&Identity::new(&step.config)?)?;
    if (gathered.first..gathered.asked) != step.deals {
        return Err(gathered.damaged(Damage::Deals { from: step.deals.start, to: step.deals.end }));
    }
    each_step(gathered, &step.config, |_, _| Ok(()))
}

/// Adds up the totals of shards.
fn total(config: &RunConfig, gathered: &Parts) -> Result<Totals, ArenaError> {
    let mut totals = Totals::new(config);
    each_step(gathered, config, |_, step| {
        step.stretches.iter().for_each(|stretch| totals.merge(&stretch.totals));
        Ok(())
    })?;
    Ok(totals)
}

/// Merges the shards of the verification run.
fn play(config: &RunConfig, gathered: &Parts) -> Result<(), ArenaError> {
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
fn verified(tuning: &Tuning, whole: &Path) -> Result<Option<Verified>, ArenaError> {
    let Some(config) = verification(tuning, whole)? else { return Ok(None) };
    let mut dir = RunDir::open(&config)?;
    dir.close()?;
    Ok(Some(Verified::new(config.seed.clone(), dir.totals())))
}

/// Merges the shards of the next step into the tuning in a directory.
pub(in crate::commands) fn merge(
    whole: &Path,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<Exit, ArenaError> {
    let mut merging = Merging::read(whole, registry)?;
    let (identity, header) = (merging.tuning.identity()?, files::header(&merging.tuning.params));
    let (mut files, rows) = Files::open(whole, &identity, &header)?;
    if rows.len() != merging.there {
        // Another process has merged the step since.
        return Err(ArenaError::InUse { path: whole.to_owned() });
    }
    merging.take(&mut files)?;
    let next = Step::next(&merging.tuning, whole)?;
    let verified = if next.is_none() { verified(&merging.tuning, whole)? } else { None };
    let tuning = &mut merging.tuning;
    tuning.tuned = params::with_values(&tuning.bot, &tuning.params, &tuning.spsa.result())?;
    files.write(files::PICTURE, &result::picture(tuning))?;
    files.write(files::RESULT, &result::to_json(tuning, verified.as_ref(), 0.0))?;
    files.seal()?;
    if let Some(next) = next {
        tell(&merging.so_far(whole, &next));
        merging.clean(whole);
        return Ok(Exit::More);
    }
    let tuning = &merging.tuning;
    let [parameters, verdict] = [result::parameters(tuning), result::verdict(tuning, verified.as_ref())]
        .map(|document| document.render(Detail::Full));
    print(out, &format!("{}{parameters}{verdict}", preamble(tuning)))?;
    tell(&format!("written to {}", whole.display()));
    merging.clean(whole);
    Ok(Exit::Done)
}
