//! Totals of played deals in parts: one shard of them made in a directory, and all put together.

use std::sync::atomic::{AtomicBool, Ordering};

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::progress::Meter;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::live::Live;
use super::totals::Totals;
use crate::run::config::RunConfig;
use crate::run::damage::Damage;
use crate::run::part::{PartDir, Parts, Task};
use crate::run::runner;

/// Deals that are played under one set of rules, and how far that has come.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pass {
    /// The first deal that is not in the totals.
    done: u64,
    totals: Totals,
}

/// The same deals under one set of rules or two, one after the other.
#[derive(Debug, Serialize, Deserialize)]
struct Passes(Vec<Pass>);

impl Passes {
    fn new(number: usize, start: u64) -> Self {
        Self(vec![Pass { done: start, totals: Totals::default() }; number])
    }

    fn read(text: &RawValue, number: usize) -> Result<Self, Damage> {
        let passes: Self = serde_json::from_str(text.get())?;
        let is_sound = passes.0.iter().all(|pass| pass.totals.is_sound());
        if passes.0.len() == number && is_sound { Ok(passes) } else { Err(Damage::Totals) }
    }

    /// Returns how far all of them have come: a deal is done when each has played it.
    fn done(&self, start: u64) -> u64 {
        let played: u64 = self.0.iter().map(|pass| pass.done.saturating_sub(start)).sum();
        start + played / self.0.len().max(1) as u64
    }
}

/// Plays what is missing of a part, whose settings are those of the first configuration; the others are of the same deals.
/// A request to stop lets what is at work end.
///
/// # Errors
///
/// When the directory holds something else, the threads cannot start, a program fails for good, or something cannot be
/// written.
pub(crate) fn make(
    configs: &[RunConfig],
    path: &std::path::Path,
    task: Task,
    stop: &AtomicBool,
) -> Result<PartDir, ArenaError> {
    let range = task.range();
    let nothing = Passes::new(configs.len(), range.start);
    let (mut dir, saved) = PartDir::open(path, task, &nothing)?;
    if dir.is_complete() {
        return Ok(dir);
    }
    let mut passes = match saved {
        None => nothing,
        Some(saved) => Passes::read(&saved, configs.len()).map_err(|why| dir.damaged(why))?,
    };
    let meter = Meter::of(configs[0].progress, range.end - range.start, configs[0].unit.names());
    meter.skip(dir.before());
    let (mut played, mut is_whole) = (Ok(()), true);
    for (n, config) in configs.iter().enumerate() {
        let from = passes.0[n].done;
        if from >= range.end || stop.load(Ordering::Relaxed) || played.is_err() {
            continue;
        }
        let live = Live::new(config);
        let played_now = runner::play(config, from, stop, |batch| {
            let pass = &mut passes.0[n];
            is_whole = false;
            live.add(&mut pass.totals, batch)?;
            (pass.done, is_whole) = (batch.end, true);
            let done = passes.done(range.start);
            meter.add(done - dir.done());
            dir.keep(done, &passes)
        });
        played = played_now.map(|_| ());
    }
    meter.finish();
    passes.0.iter_mut().for_each(|pass| pass.totals.finish());
    // A batch that was added in part is in no saved state.
    if is_whole {
        dir.close(&passes)?;
    }
    played.map(|()| dir)
}

/// Adds up the totals of all parts, by set of rules.
///
/// # Errors
///
/// When one cannot be read or has other totals.
pub(crate) fn merge(parts: &Parts, number: usize) -> Result<Vec<Totals>, ArenaError> {
    let mut all = vec![Totals::default(); number];
    parts.each(|text| {
        let passes = Passes::read(text, number)?;
        all.iter_mut().zip(&passes.0).for_each(|(all, pass)| all.absorb(&pass.totals));
        Ok(())
    })?;
    all.iter_mut().for_each(Totals::finish);
    Ok(all)
}

/// Checks that a text is the totals of a part.
///
/// # Errors
///
/// Says what is wrong with it.
pub(crate) fn check(text: &RawValue, number: usize) -> Result<(), Damage> {
    Passes::read(text, number).map(|_| ())
}
