//! Steps: work of several machines on a command whose deals depend on earlier ones.
//!
//! A sequential test advances from wave to wave of deals, a tuning from iteration to iteration. The deals of a step are
//! divided into shards; each is a part (`run::job`) in a directory of its own, `T/waves/000000004096/3-of-8` in the
//! directory of the test `T`, and `arena merge T` adds them as if one machine had played them. The stderr of programs
//! is in `stderr/`.

mod part;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use coinche_selfplay::base::files::{move_directory, remove_directory};
use coinche_selfplay::{ArenaError, Exit, ModuleError, Result};

use crate::config::Shard;
use crate::damage::Damage;
use crate::differences::check_same;
use crate::job::{Parts, STATE, State, Task};

pub use part::{Ended, StepJob, Stretch, each_step, play};

/// The location of the parts of a step: `T/waves/000000004096`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The directory of the whole.
    pub whole: PathBuf,
    /// The name of the directory of steps.
    pub steps: &'static str,
    /// The number of the step.
    pub number: u64,
}

impl Place {
    /// Returns the directory of the step.
    pub fn step(&self) -> PathBuf {
        self.whole.join(self.steps).join(format!("{:012}", self.number))
    }

    /// Returns the directory of a part.
    pub fn part(&self, shard: Shard) -> PathBuf {
        self.step().join(format!("{}-of-{}", shard.number(), shard.of()))
    }
}

/// Why the parts of a step cannot be merged.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum StepsError {
    /// The next step has no parts.
    #[error("there is no part to merge in {}: make them with `{command} --shard 1/N`, N being the number of parts",
        folder.display())]
    NoParts { folder: PathBuf, command: String },
    /// There is nothing that parts could belong to.
    #[error("{} holds neither a {what} nor parts of one", path.display())]
    Nothing { path: PathBuf, what: &'static str },
    /// There are parts of a later step.
    #[error("{} is of a later step than the next one, {expected}: restore the files of {}, or remove it", path.display(),
        whole.display())]
    Ahead { path: PathBuf, expected: u64, whole: PathBuf },
}

impl ModuleError for StepsError {
    fn exit(&self) -> Exit {
        match self {
            Self::Nothing { .. } => Exit::Usage,
            _ => Exit::Disagreements,
        }
    }
}

/// Parses the shard in the name of a part's directory.
fn share_of(path: &Path) -> Option<Shard> {
    let (number, of) = path.file_name()?.to_str()?.split_once("-of-")?;
    format!("{number}/{of}").parse().ok().filter(|shard: &Shard| {
        // Accept no other spelling of the same numbers.
        path.ends_with(format!("{}-of-{}", shard.number(), shard.of()))
    })
}

/// Returns the subdirectories of a directory; empty if it does not exist.
fn directories(path: &Path) -> Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|source| ArenaError::read(path, source))?,
    };
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>();
    let mut found = paths.map_err(|source| ArenaError::read(path, source))?;
    found.retain(|path| path.is_dir());
    found.sort();
    Ok(found)
}

/// Returns the parts of a step that were begun, with their shards.
fn begun(step: &Path) -> Result<Vec<(PathBuf, Shard, State)>> {
    let mut found = Vec::new();
    for path in directories(step)? {
        let Some(shard) = share_of(&path) else { continue };
        // A process that was killed before it wrote its state has played nothing.
        let Some(state) = State::read(&path)? else { continue };
        if state.shard != Some(shard) {
            let found = state.shard.map_or_else(|| "none".to_owned(), |shard| shard.to_string());
            let why = Damage::Place { found, expected: shard.to_string() };
            return Err(ArenaError::damaged(path.join(STATE), why));
        }
        found.push((path, shard, state));
    }
    Ok(found)
}

/// Checks that a part to be made matches another existing part.
fn check_others(step: &Path, task: &Task) -> Result<()> {
    for (path, shard, state) in begun(step)? {
        if task.shard.is_some_and(|own| own.of() == shard.of() && own != shard) {
            let differences = state.differences(&Task { shard: Some(shard), ..task.clone() });
            return check_same(&path, differences);
        }
    }
    Ok(())
}

/// Collects the parts of a step; `None` if there are none. `flags` returns the flags that the command of a part needs
/// in addition to its shard, given the deals of the step.
pub fn gather(place: &Place, flags: impl Fn([u64; 2]) -> String) -> Result<Option<Parts>> {
    let mut divisions: BTreeMap<u64, (usize, Vec<PathBuf>)> = BTreeMap::new();
    for (path, shard, state) in begun(&place.step())? {
        let (done, paths) = divisions.entry(shard.of()).or_default();
        *done += usize::from(state.is_done());
        paths.push(path);
    }
    let out = place.whole.display().to_string();
    let out = shlex::try_quote(&out).map_or_else(|_| out.clone(), Cow::into_owned);
    let make = |state: &State| format!(" --out {out}{}", flags([state.first, state.asked]));
    let mut lacking = None;
    for (done, paths) in divisions.into_values() {
        match Parts::read(&paths, &make) {
            Ok(parts) => return Ok(Some(parts)),
            // Of several divisions, report the one that is nearest to completion.
            Err(error) if lacking.as_ref().is_none_or(|(most, _)| *most < done) => {
                lacking = Some((done, error));
            }
            Err(_) => {}
        }
    }
    lacking.map_or(Ok(None), |(_, error)| Err(error))
}

/// Returns the steps before a number, which are merged, and whether this step has parts.
pub fn standing(place: &Place) -> Result<Vec<PathBuf>> {
    let mut merged = Vec::new();
    for path in directories(&place.whole.join(place.steps))? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Ok(number) = name.parse::<u64>() else { continue };
        if number > place.number {
            let (expected, whole) = (place.number, place.whole.clone());
            return Err(StepsError::Ahead { path, expected, whole }.into());
        }
        if number < place.number {
            merged.push(path);
        }
    }
    Ok(merged)
}

/// Returns the last step that has parts, from the step of a number on, and the command of its first part.
pub fn command_of(steps: &Path, from: u64) -> Result<Option<(u64, String)>> {
    let number = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u64>().ok();
    let mut found = directories(steps)?;
    found.retain(|path| number(path) >= Some(from));
    found.sort_by_key(number);
    for step in found.into_iter().rev() {
        if let Some((_, _, state)) = begun(&step)?.into_iter().next() {
            return Ok(number(&step).map(|number| (number, state.command)));
        }
    }
    Ok(None)
}

/// Removes merged steps; the stderr of programs is moved to `stderr` of the directory `kept`. Anything that cannot be
/// removed is harmless: the next merge tries again.
pub fn remove(place: &Place, steps: &[PathBuf], kept: &Path) {
    for step in steps {
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for part in directories(step).unwrap_or_default() {
            let stderr = part.join("stderr");
            if stderr.is_dir() {
                let to = format!("{}-{}-{}", place.steps, name(step), name(&part));
                let _ = move_directory(&stderr, &kept.join("stderr").join(to));
            }
        }
        let _ = remove_directory(step);
    }
    // Fails unless it is empty.
    let _ = fs::remove_dir(place.whole.join(place.steps));
}
