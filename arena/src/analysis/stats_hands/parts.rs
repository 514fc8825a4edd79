//! What hands take in shards of the deals: one shard made in a directory, and all put together.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use coinche_engine::RuleSet;
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::progress::{Meter, ProgressMode};
use coinche_selfplay::play::solvers::Solvers;
use serde_json::value::RawValue;

use super::{Totals, source};
use crate::analysis::label::Settings;
use crate::run::damage::Damage;
use crate::run::part::{PartDir, Parts, Task};
use crate::run::runner::Next;

/// Reads the totals of a part.
fn read(text: &RawValue, rules: &RuleSet) -> Result<Totals, Damage> {
    let totals: Totals = serde_json::from_str(text.get())?;
    if totals.is_like(&Totals::new(rules)) { Ok(totals) } else { Err(Damage::Totals) }
}

/// Solves what is missing of a part. A request to stop lets what is at work end.
///
/// # Errors
///
/// When the directory holds something else, or something cannot be written.
pub(crate) fn make(
    settings: &Settings,
    path: &Path,
    task: Task,
    solvers: &Solvers,
    progress: ProgressMode,
    stop: &AtomicBool,
) -> Result<PartDir, ArenaError> {
    let range = task.range();
    let nothing = Totals::new(&settings.rules);
    let (mut dir, saved) = PartDir::open(path, task, &nothing)?;
    if dir.is_complete() {
        return Ok(dir);
    }
    let mut totals = match saved {
        None => nothing,
        Some(saved) => read(&saved, &settings.rules).map_err(|why| dir.damaged(why))?,
    };
    let meter = Meter::new(progress, range.end - range.start);
    meter.skip(dir.before());
    let left = dir.done()..range.end;
    source::solve(settings, left, solvers, &meter, &mut totals, |totals, done| {
        dir.keep(done, totals)?;
        Ok(if stop.load(Ordering::Relaxed) { Next::Stop } else { Next::GoOn })
    })?;
    meter.finish();
    dir.close(&totals)?;
    Ok(dir)
}

/// Adds up the totals of all parts.
///
/// # Errors
///
/// When one cannot be read or has other totals.
pub(crate) fn merge(parts: &Parts, rules: &RuleSet) -> Result<Totals, ArenaError> {
    let mut all = Totals::new(rules);
    parts.each(|text| {
        all.absorb(&read(text, rules)?);
        Ok(())
    })?;
    Ok(all)
}

/// Checks that a text is the totals of a part under these rules.
///
/// # Errors
///
/// Says what is wrong with it.
pub(crate) fn check(text: &RawValue, rules: &RuleSet) -> Result<(), Damage> {
    read(text, rules).map(|_| ())
}
