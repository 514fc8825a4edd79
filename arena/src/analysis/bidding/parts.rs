//! Bidders in shards of the deals: one shard made in a directory, and all put together.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::progress::Meter;
use serde_json::value::RawValue;

use super::play_on;
use super::totals::{BiddingTotals, Restored, Saved};
use crate::run::config::RunConfig;
use crate::run::damage::Damage;
use crate::run::part::{PartDir, Parts, Task};
use crate::run::runner::Next;

/// Reads the totals of a part.
fn read(text: &RawValue, config: &RunConfig, show: usize) -> Result<BiddingTotals, Damage> {
    serde_json::from_str::<Restored>(text.get())?.restore(config, show)
}

/// Plays what is missing of a part, which is the range of the configuration. A request to stop lets what is at work end.
///
/// # Errors
///
/// When the directory holds something else, the threads cannot start, a program fails for good, or something cannot be
/// written. What was played until then is kept.
pub(crate) fn make(
    config: &RunConfig,
    show: usize,
    path: &Path,
    task: Task,
    stop: &AtomicBool,
) -> Result<PartDir, ArenaError> {
    let nothing = BiddingTotals::new(config, show);
    let (mut dir, saved) = PartDir::open(path, task, &Saved::from(&nothing))?;
    if dir.is_complete() {
        return Ok(dir);
    }
    let mut totals = match saved {
        None => nothing,
        Some(saved) => read(&saved, config, show).map_err(|why| dir.damaged(why))?,
    };
    let range = dir.range();
    let meter = Meter::new(config.progress, range.end - range.start);
    meter.skip(dir.before());
    let played = play_on(config, dir.done(), &meter, &mut totals, |totals, done| {
        dir.keep(done, &Saved::from(totals))?;
        Ok(if stop.load(Ordering::Relaxed) { Next::Stop } else { Next::GoOn })
    });
    meter.finish();
    dir.close(&Saved::from(&totals))?;
    played.map(|()| dir)
}

/// Adds up the totals of all parts.
///
/// # Errors
///
/// When one cannot be read or has other totals.
pub(crate) fn merge(parts: &Parts, config: &RunConfig, show: usize) -> Result<BiddingTotals, ArenaError> {
    let mut all = BiddingTotals::new(config, show);
    parts.each(|text| {
        all.absorb(&read(text, config, show)?);
        Ok(())
    })?;
    Ok(all)
}

/// Checks that a text is the totals of a part of these bidders.
///
/// # Errors
///
/// Says what is wrong with it.
pub(crate) fn check(text: &RawValue, config: &RunConfig, show: usize) -> Result<(), Damage> {
    read(text, config, show).map(|_| ())
}
