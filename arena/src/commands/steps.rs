//! Commands whose deals are divided over machines step by step: sequential tests and tunings.
//!
//! Every shard of a step finds out from the directory of the whole which step is next, and plays its part of it; `arena
//! merge` takes the parts of all shards into the directory.

use core::ops::Range;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use coinche_bots::Registry;
use coinche_selfplay::base::files::read_json;
use coinche_selfplay::{ArenaError, Exit, ModuleError, ProgressMode, Result, print, tell, thousands};
use serde_json::Value;

use coinche_protocol::{ProgramInfo, STOP};
use coinche_runs::steps::{Ended, Place, StepsError, command_of, gather, play, remove, standing};
use coinche_runs::{COMMIT, Identity, Job, Parts, RunConfig, Shard, Task};

/// A command in steps: its settings, and its progress.
pub(super) trait Stepwise: Sized {
    /// Its flags.
    type Flags: Args;
    const JOB: Job;
    /// Its name, in full and for short.
    const WHAT: [&'static str; 2];
    /// In the directory of the whole, the directory of the steps and the file with the result.
    const STEPS: &'static str;
    const RESULT: &'static str;

    /// Checks the flags.
    fn of(flags: Self::Flags, registry: &Registry) -> Result<Self>;
    fn config(&mut self) -> &mut RunConfig;
    /// Returns the command line that gives the same results.
    fn command(&self) -> String;
    /// Returns the number of the first step that may not be merged yet.
    fn first(whole: &Path) -> Result<u64>;
    /// Reads the progress in the directory of the whole, while processes may be running there: the number of the next
    /// step, and what to play in it, unless all are over.
    fn next(&mut self, whole: &Path) -> Result<(u64, Option<Step>)>;
    /// Returns the flags that a part of these deals needs besides its shard.
    fn part_flags(deals: [u64; 2]) -> String;
    /// Checks the contents of the parts of a step, before anything is changed.
    fn check(&self, step: &Step, parts: &Parts) -> Result<()>;
    /// Tests if something changes without any part.
    fn has_news(&self) -> bool;
    /// Takes the parts of a step, if there are any, into the directory of the whole.
    fn take(self, whole: &Path, number: u64, of: Option<(&Step, &Parts)>) -> Result<Taken>;
    /// Returns the directory of the run that keeps the stderr of programs.
    fn run_of(whole: &Path) -> PathBuf;
}

/// What to play in a step.
pub(super) struct Step {
    pub(super) config: RunConfig,
    pub(super) deals: Range<u64>,
    /// Where it may be cut: at multiples of this number of deals.
    pub(super) every: u64,
    /// Whether the shards also play the extra deals of the control.
    pub(super) needs_control: bool,
    /// Whether it is a run of its own, which describes its programs.
    pub(super) is_run: bool,
    /// How a shard is named: one with deals, and one without.
    pub(super) names: [String; 2],
}

/// The state of a command after a merge.
pub(super) enum Taken {
    /// All steps are over: the result in words, and the exit code.
    Over(String, Exit),
    /// What was done up to now, with the present figures, and what is next.
    More { done: String, figures: String, next: String },
}

/// What is wrong with the sums of parts.
#[derive(Debug, thiserror::Error)]
pub(super) enum Damage {
    #[error("it has no command")]
    NoCommand,
    #[error("it is not of deals {from} to {}, which are next: remove it", .to - 1)]
    Deals { from: u64, to: u64 },
    #[error("the sums of the control are missing")]
    NoControl,
    #[error("a stretch goes beyond the look at {0}")]
    Stretch(u64),
}

/// Shards with different seeds cannot be merged.
#[derive(Debug, thiserror::Error)]
#[error(
    "--shard needs --seed: without it every machine draws its own, and the shards are of different deals"
)]
struct NoSeed;

impl ModuleError for NoSeed {}

/// Checks that the shards of a command will have one seed.
pub(super) fn check_shard<S>(shard: Option<Shard>, seed: Option<&S>) -> Result<Option<Shard>> {
    if shard.is_some() && seed.is_none() { Err(NoSeed.into()) } else { Ok(shard) }
}

/// Returns the lines above a result: the command that repeats it.
pub(super) fn preamble(command: &str) -> String {
    format!("{command}\ncommit {COMMIT}\n\n")
}

/// Plays a shard of the next step.
pub(super) fn make<S: Stepwise>(
    mut this: S,
    shard: Shard,
    whole: PathBuf,
    programs: Vec<ProgramInfo>,
) -> Result<Exit> {
    let (number, step) = this.next(&whole)?;
    let mode = this.config().progress;
    let report = |text: &str| {
        if mode != ProgressMode::None {
            tell(text);
        }
    };
    let Some(Step { config, deals, every, needs_control, is_run, names }) = step else {
        report(&format!("the {} in {} is over: nothing is left to play", S::WHAT[1], whole.display()));
        return Ok(Exit::Done);
    };
    let task = Task::shard(S::JOB, Identity::new(&config)?, shard, deals);
    let task = Task { command: this.command(), ..task.by(config.threads) };
    let (range, unit, [with, without]) = (task.range(), config.unit.plural(), names);
    let what = if range.is_empty() {
        format!("shard {shard}{without} has no {unit}")
    } else {
        let [from, to] = [range.start, range.end - 1].map(thousands);
        format!("shard {shard}{with}, {unit} {from} to {to}")
    };
    let place = Place { whole, steps: S::STEPS, number };
    let programs = || if is_run { config.probe() } else { Ok(programs) };
    let ended = play(&place, &task, &config, every, needs_control, programs, &STOP)?;
    let part = place.part(shard);
    report(&match ended {
        Ended::Whole => format!("{what}: written to {}", part.display()),
        Ended::Before => format!("{what}: already in {}", part.display()),
        Ended::Interrupted => format!("{what}: stopped early; repeat the command to go on"),
        Ended::Merged => format!("{what}: the step was merged meanwhile, the shard is not needed"),
    });
    Ok(if ended == Ended::Interrupted { Exit::Interrupted } else { Exit::Done })
}

/// Merges the shards of the next step into the directory of the whole.
pub(super) fn merge<S: Stepwise>(whole: &Path, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let result = whole.join(S::RESULT);
    let (last, command) = match command_of(&whole.join(S::STEPS), S::first(whole)?)? {
        Some((last, command)) => (Some(last), command),
        None if result.exists() => (None, command_in(&result)?),
        None => return Err(StepsError::Nothing { path: whole.to_owned(), what: S::WHAT[0] }.into()),
    };
    let place = |number| Place { whole: whole.to_owned(), steps: S::STEPS, number };
    let read = read_command(&command, S::JOB.name()).and_then(|flags| S::of(flags, registry));
    if let (Err(_), Some(last)) = (&read, last) {
        // Parts that contradict each other are named first.
        gather(&place(last), S::part_flags)?;
    }
    let mut this = read?;
    this.config().out = Some(whole.to_owned());
    this.config().progress = ProgressMode::None;
    let (number, step) = this.next(whole)?;
    let place = place(number);
    let mut merged = standing(&place)?;
    let parts = if step.is_some() { gather(&place, S::part_flags)? } else { None };
    let of = step.as_ref().zip(parts.as_ref());
    if let Some((step, parts)) = of {
        parts.check_program(&Identity::new(&step.config)?)?;
        this.check(step, parts)?;
    } else if step.is_some() && merged.is_empty() && !this.has_news() {
        let command = format!("{} --out {}", this.command(), whole.display());
        return Err(StepsError::NoParts { folder: place.step(), command }.into());
    }
    let command = this.command();
    let taken = this.take(whole, number, of)?;
    if parts.is_some() || matches!(taken, Taken::Over(..)) {
        merged.push(place.step());
    }
    let directory = whole.display();
    let exit = match taken {
        Taken::Over(text, exit) => {
            print(out, &format!("{}{text}", preamble(&command)))?;
            tell(&format!("written to {directory}"));
            exit
        }
        Taken::More { done, figures, next } => {
            let shards = parts.map(|parts| format!("{} shards merged", thousands(parts.count() as u64)));
            let unit = S::STEPS.trim_end_matches('s');
            let shards = shards.unwrap_or_else(|| format!("the last {unit} is merged already"));
            tell(&format!(
                "{shards}: {done} in {directory}{figures}\n\
                 {next} is needed: {command} --out {directory} --shard I/N"
            ));
            Exit::More
        }
    };
    remove(&place, &merged, &S::run_of(whole));
    Ok(exit)
}

/// Returns the command stored in a result file.
fn command_in(path: &Path) -> Result<String> {
    let file: Value =
        serde_json::from_slice(&read_json(path)?).map_err(|error| ArenaError::damaged(path, error))?;
    let command = file["command"].as_str().ok_or_else(|| ArenaError::damaged(path, Damage::NoCommand))?;
    Ok(command.to_owned())
}

/// A command line that this program cannot parse.
#[derive(Debug, thiserror::Error)]
#[error("the parts are of a command that this build of arena does not read: `{0}`; merge them with theirs")]
struct Unreadable(String);

impl ModuleError for Unreadable {
    fn exit(&self) -> Exit {
        Exit::Disagreements
    }
}

/// Parses the command line of a part.
fn read_command<A: Args>(text: &str, name: &'static str) -> Result<A> {
    let read = || {
        let words = shlex::split(text)?;
        let flags = words.strip_prefix(&["arena".to_owned(), name.to_owned()])?;
        let command = A::augment_args(clap::Command::new(name)).no_binary_name(true);
        A::from_arg_matches(&command.try_get_matches_from(flags).ok()?).ok()
    };
    read().ok_or_else(|| Unreadable(text.to_owned()).into())
}
