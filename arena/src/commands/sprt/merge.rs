//! `arena merge` of the next wave of a test: processes its deals in order.

use std::io::Write;
use std::path::Path;

use coinche_bots::Registry;
use coinche_inference::{Merge, PairedSums};
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::{print, tell};
use coinche_selfplay::base::progress::ProgressMode;
use coinche_selfplay::base::style::thousands;

use super::asked::Asked;
use super::files::RESULT;
use super::part::WAVES;
use super::under_way::Test;
use super::{SprtArgs, preamble, verdict};
use crate::commands::steps::{Damage, command_in, read_command};
use coinche_runs::config::RunConfig;
use coinche_runs::control::Controlled;
use coinche_runs::job::{Identity, Parts, STATE, State};
use coinche_runs::steps::{Place, StepsError, each_step, gather, remove, standing};

/// Parses the settings from the command line of a test.
fn asked(command: &str, whole: &Path, registry: &Registry) -> Result<Asked, ArenaError> {
    let args: SprtArgs = read_command(command, "sprt")?;
    let asked = args.check(registry)?;
    let config = RunConfig { out: Some(whole.to_owned()), progress: ProgressMode::None, ..asked.config };
    Ok(Asked { config, ..asked })
}

/// Merges the shards of the next wave into the test in a directory.
pub(in crate::commands) fn merge(
    whole: &Path,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<Exit, ArenaError> {
    let state = State::read(whole)?;
    let place =
        Place { whole: whole.to_owned(), steps: WAVES, number: state.as_ref().map_or(0, |state| state.done) };
    let mut merged = standing(&place)?;
    let gathered = gather(&place, |[from, to]| format!(" --wave {}", to - from))?;
    let command = match &gathered {
        Some(gathered) => gathered.command.clone(),
        None if state.is_some() => command_in(&whole.join(RESULT))?,
        None => {
            return Err(StepsError::Nothing { path: whole.to_owned(), what: "sequential test" }.into());
        }
    };
    let asked = asked(&command, whole, registry)?;
    let identity = Identity::new(&asked.config)?;
    if let Some(gathered) = &gathered {
        gathered.check_program(&identity)?;
        check(gathered, &asked, state.as_ref().is_some_and(State::has_control))?;
    }
    let mut this = Test::open(asked, Vec::new())?;
    if this.dir.done() != place.number {
        // Another process has merged the wave since.
        return Err(ArenaError::InUse { path: whole.to_owned() });
    }
    // A partial merge before an error is not kept: the next merge repeats it.
    let taken = gathered.map(|gathered| take(&mut this, &gathered)).transpose()?;
    this.close()?;
    let is_over = this.state.next_look().is_none();
    if !is_over && taken.is_none() && merged.is_empty() {
        let command = format!("{} --out {}", this.asked.command, whole.display());
        return Err(StepsError::NoParts { folder: place.step(), command }.into());
    }
    if is_over || taken.is_some() {
        merged.push(place.step());
    }
    if is_over {
        print(out, &format!("{}{}", preamble(&this.asked), this.verdict()))?;
        tell(&format!("written to {}", whole.display()));
    } else {
        tell(&so_far(&this, taken));
    }
    remove(&place, &merged, whole);
    Ok(if is_over { this.exit() } else { Exit::More })
}

/// Checks the contents of shards, before anything is changed.
fn check(gathered: &Parts, asked: &Asked, has_control: bool) -> Result<(), ArenaError> {
    let mut at = gathered.first;
    each_step(gathered, &asked.config, |path, step| {
        if asked.config.control.is_some() && !has_control && step.control.is_none() {
            return Err(ArenaError::damaged(path.join(STATE), Damage::NoControl));
        }
        for stretch in step.stretches {
            if let Some(next) = asked.plan.next_look(at).filter(|next| stretch.end > *next) {
                return Err(ArenaError::damaged(path.join(STATE), Damage::Stretch(next)));
            }
            at = stretch.end;
        }
        Ok(())
    })
}

/// Merges shards into a test, up to the deciding look. Returns the number of shards.
fn take(this: &mut Test, gathered: &Parts) -> Result<usize, ArenaError> {
    let config = this.asked.config.clone();
    if config.control.is_some() && this.dir.totals().control.is_none() {
        let mut control = PairedSums::default();
        each_step(gathered, &config, |_, step| {
            control.merge(&step.control.unwrap_or_default());
            Ok(())
        })?;
        this.dir.set_control(control)?;
    }
    this.look()?;
    each_step(gathered, &config, |_, step| {
        for stretch in &step.stretches {
            if this.state.next_look().is_some() {
                this.take(stretch)?;
            }
        }
        this.dir.add_clock(&step.clock);
        Ok(())
    })?;
    Ok(gathered.count())
}

/// Describes the progress of an unfinished test.
fn so_far(this: &Test, shards: Option<usize>) -> String {
    let (unit, whole) = (this.asked.config.unit, this.files.path().display());
    let played = format!("{} {}", thousands(this.dir.totals().pairs()), unit.plural());
    let merged = shards.map_or_else(
        || format!("the last wave is merged already: {played} in {whole}"),
        |shards| format!("{} shards merged: {played} in {whole}", thousands(shards as u64)),
    );
    let estimate = match (&this.in_common, &this.dir.totals().control) {
        (Some(in_common), Some(known)) => Controlled::of(known, in_common).map(|it| it.estimate()),
        _ => this.state.estimate(),
    };
    let state = this.state.last().map_or_else(String::new, |look| {
        format!(
            "; at {}: {}",
            thousands(look.pairs),
            verdict::state(unit, &this.state, look, estimate.as_ref())
        )
    });
    format!("{merged}{state}\nanother wave is needed: {} --out {whole} --shard I/N", this.asked.command)
}
