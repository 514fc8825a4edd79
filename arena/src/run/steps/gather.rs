//! The parts of a step, put together.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use coinche_inference::PairedSums;
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::files::{move_directory, remove_directory};

use super::error::StepsError;
use super::saved::{Saved, is_sealed, unit_of};
use super::{Place, Stretch, Task, share_of};
use crate::run::clock::Clock;
use crate::run::config::{RunConfig, Shard};
use crate::run::directory::Identity;

/// The parts of a step, all whole and of the same.
#[derive(Debug)]
pub(crate) struct Gathered {
    folder: PathBuf,
    parts: Vec<(PathBuf, Saved)>,
}

/// One part of them, with the totals of its stretches.
#[derive(Debug)]
pub(crate) struct Taken {
    pub(crate) path: PathBuf,
    pub(crate) stretches: Vec<Stretch>,
    pub(crate) clock: Clock,
}

/// The directories in a directory; none where there is none.
fn directories(path: &Path) -> Result<Vec<PathBuf>, ArenaError> {
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|source| ArenaError::read(path, source))?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|source| ArenaError::read(path, source))?.path();
        if entry.is_dir() {
            found.push(entry);
        }
    }
    found.sort();
    Ok(found)
}

/// Checks that a part that is to be made is of the same as one of the others that are there.
///
/// # Errors
///
/// When it is not, or the other one is damaged.
pub(super) fn check_others(folder: &Path, task: &Task) -> Result<(), ArenaError> {
    let is_other = |shard: &Shard| shard.of() == task.shard.of() && *shard != task.shard;
    for path in directories(folder)?.into_iter().filter(|path| share_of(path).as_ref().is_some_and(is_other))
    {
        let Some(saved) = Saved::read(&path)? else { continue };
        let step = [task.deals.start, task.deals.end];
        let differences = saved.differences(&task.identity, &task.command, step);
        if !differences.is_empty() {
            return Err(ArenaError::OtherRun { path, differences });
        }
        break;
    }
    Ok(())
}

/// Gathers the parts of a step; `None` where there are none. `flags` are those that a command of a part has beyond its
/// share, by the deals of the step.
///
/// # Errors
///
/// Names the parts that are missing, not complete, damaged or of something else.
pub(crate) fn gather(
    place: &Place,
    flags: impl Fn([u64; 2]) -> String,
) -> Result<Option<Gathered>, ArenaError> {
    let folder = place.step();
    let mut divisions: BTreeMap<u64, BTreeMap<u64, (PathBuf, Saved)>> = BTreeMap::new();
    for path in directories(&folder)? {
        let Some(shard) = share_of(&path) else { continue };
        // Nothing was played where a process was killed before it had written what it was asked.
        if let Some(saved) = Saved::read(&path)? {
            divisions.entry(shard.of()).or_default().insert(shard.number(), (path, saved));
        }
    }
    let mut lacking = None;
    for (of, parts) in divisions {
        let command = |saved: &Saved, shard: &str| {
            let out = place.whole.display().to_string();
            let out = shlex::try_quote(&out).map_or_else(|_| out.clone(), Cow::into_owned);
            format!("{} --out {out} --shard {shard}{}", saved.command, flags(saved.step))
        };
        let mut sealed = 0;
        let mut open = None;
        for (path, saved) in parts.values() {
            if saved.is_whole() && is_sealed(path)? {
                sealed += 1;
            } else {
                open = open.or(Some((path, saved)));
            }
        }
        if sealed == of {
            let gathered = Gathered { folder, parts: parts.into_values().collect() };
            gathered.check()?;
            return Ok(Some(gathered));
        }
        let missing: Vec<String> = (1..=of)
            .filter(|number| !parts.contains_key(number))
            .map(|number| format!("{number}/{of}"))
            .collect();
        let error = match (&missing[..], open, parts.values().next()) {
            ([first, ..], _, Some((_, saved))) => {
                let command = command(saved, first);
                StepsError::Missing { folder: folder.clone(), missing, command }
            }
            (_, Some((path, saved)), _) => StepsError::NotComplete {
                path: path.clone(),
                unit: unit_of(&saved.identity),
                from: saved.done.min(saved.end.saturating_sub(1)),
                to: saved.end.saturating_sub(1),
                command: command(saved, &saved.shard.to_string()),
            },
            _ => continue,
        };
        // Of several divisions the one that is nearest to its end.
        if lacking.as_ref().is_none_or(|(most, _)| *most < sealed) {
            lacking = Some((sealed, error));
        }
    }
    lacking.map_or(Ok(None), |(_, error)| Err(error.into()))
}

impl Gathered {
    fn check(&self) -> Result<(), StepsError> {
        let (other, first) = &self.parts[0];
        for (path, saved) in &self.parts {
            let differences = first.differences(&saved.identity, &saved.command, saved.step);
            if !differences.is_empty() {
                return Err(StepsError::Other { path: path.clone(), other: other.clone(), differences });
            }
        }
        Ok(())
    }

    fn first(&self) -> &Saved {
        &self.parts[0].1
    }

    /// Returns how many parts there are.
    pub(crate) const fn len(&self) -> usize {
        self.parts.len()
    }

    /// Returns the command that plays the whole on one machine.
    pub(crate) fn command(&self) -> &str {
        &self.first().command
    }

    /// Returns the first deal of the step, and the first behind it.
    pub(crate) fn step(&self) -> [u64; 2] {
        self.first().step
    }

    /// Checks that this program would play the same.
    ///
    /// # Errors
    ///
    /// Says what differs.
    pub(crate) fn check_program(&self, identity: &Identity) -> Result<(), StepsError> {
        let differences = self.first().identity.differences(identity);
        let folder = self.folder.clone();
        if differences.is_empty() { Ok(()) } else { Err(StepsError::OtherProgram { folder, differences }) }
    }

    /// Returns what the control has come to on its own deals; `None` where the parts have not played them.
    pub(crate) fn control(&self) -> Option<PairedSums> {
        let mut all = PairedSums::default();
        for (_, saved) in &self.parts {
            all.merge(&saved.control?);
        }
        Some(all)
    }

    /// The error of a part that lacks something.
    pub(crate) fn damaged(&self, why: impl core::error::Error + Send + Sync + 'static) -> ArenaError {
        ArenaError::damaged(self.parts[0].0.join(super::saved::PART), why)
    }

    /// Iterates over the parts, in the order of their deals; what is in one is restored when it is its turn.
    pub(crate) fn parts(&self, config: &RunConfig) -> impl Iterator<Item = Result<Taken, ArenaError>> {
        self.parts.iter().map(move |(path, Saved { stretches, timing, .. })| {
            let clock = timing.clone().and_then(|timing| timing.into_clock(config)).unwrap_or_default();
            Ok(Taken {
                stretches: Saved::restore(stretches.clone(), path, config)?,
                path: path.clone(),
                clock,
            })
        })
    }
}

/// Returns the steps before a number, which are merged, and whether the parts of this number are there.
///
/// # Errors
///
/// When there are steps behind it, or the directory cannot be read.
pub(crate) fn standing(place: &Place) -> Result<Vec<PathBuf>, ArenaError> {
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

/// Returns the command of the parts of the last step that has any; `None` where there are none.
///
/// # Errors
///
/// When a part is damaged, or something cannot be read.
pub(crate) fn command_of(steps: &Path) -> Result<Option<String>, ArenaError> {
    let mut found = directories(steps)?;
    found.sort_by_key(|path| path.file_name()?.to_str()?.parse::<u64>().ok());
    for step in found.into_iter().rev() {
        for part in directories(&step)?.into_iter().filter(|path| share_of(path).is_some()) {
            if let Some(saved) = Saved::read(&part)? {
                return Ok(Some(saved.command));
            }
        }
    }
    Ok(None)
}

/// Removes steps that are merged; what programs wrote to their standard errors is moved to `stderr` of a directory.
/// What cannot be removed is in nobody's way: the next merge tries again.
pub(crate) fn remove(place: &Place, steps: &[PathBuf], kept: &Path) {
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
    // Only where it is empty.
    let _ = fs::remove_dir(place.whole.join(place.steps));
}
