//! Shards of a run put together: the bytes of one undivided run.
//!
//! Every shard says in `totals.json` which deals it has and what they are of. They are brought into order;
//! then each table is read row by row, checked against its hash, and written again in blocks of the whole
//! run.

mod error;
mod span;

use std::path::{Path, PathBuf};

use coinche_bots::Registry;
use coinche_selfplay::base::error::ArenaError;

use crate::run::config::RunConfig;
use crate::run::directory::{Identity, NotEnded, RunDir, State};
use crate::run::figures::Timing;
use crate::run::rows::{Source, config_of};
use crate::run::totals::Totals;
use error::MergeError;

pub(crate) use error::ShardsError;
pub(crate) use span::{Span, check};

/// A run that was put together.
pub(crate) struct Merged {
    pub(crate) config: RunConfig,
    pub(crate) totals: Totals,
}

/// One shard.
struct Shard {
    path: PathBuf,
    state: State,
}

/// Reads the states of all shards, in the order of their deals.
fn read(paths: &[PathBuf]) -> Result<Vec<Shard>, ArenaError> {
    let mut shards = Vec::new();
    for path in paths {
        let state =
            State::read(path)?.ok_or_else(|| MergeError::Shards(NotEnded::NoRun(path.clone()).into()))?;
        shards.push(Shard { path: path.clone(), state });
    }
    // An empty shard stands before the one that begins with the same deal.
    shards.sort_by_key(|shard| (shard.state.start, shard.state.done));
    Ok(shards)
}

/// Checks that the shards are of one run and have every deal of it once. Returns how many deals that are.
fn check_all(shards: &[Shard], unit: &'static str) -> Result<u64, ShardsError> {
    let first = &shards[0];
    for shard in shards {
        let differences = first.state.identity.differences(&shard.state.identity);
        if !differences.is_empty() {
            // There is the first, now is this one.
            let (path, first) = (shard.path.clone(), first.path.clone());
            return Err(ShardsError::OtherRun { path, first, differences });
        }
        if !shard.state.is_closed() {
            return Err(NotEnded::Unfinished(shard.path.clone()).into());
        }
    }
    let span = |shard: &Shard| {
        let State { start, done, end, asked, .. } = shard.state;
        Span { path: shard.path.clone(), start, done, end, asked }
    };
    check(&shards.iter().map(span).collect::<Vec<_>>(), 0, unit)
}

/// Merges shards into a directory.
///
/// # Errors
///
/// When they do not make a run, or something cannot be read or written.
pub(crate) fn merge(paths: &[PathBuf], out: &Path, registry: &Registry) -> Result<Merged, ArenaError> {
    let shards = read(paths)?;
    let unit = shards[0].state.identity.unit();
    let deals = check_all(&shards, unit).map_err(MergeError::from)?;
    if deals == 0 {
        return Err(MergeError::from(ShardsError::NothingPlayed(unit)).into());
    }
    let config = config_of(&shards[0].path, &shards[0].state, registry)?;
    let config = RunConfig { deals, out: Some(out.to_owned()), ..config };
    if paths.iter().any(|path| path == out) {
        return Err(MergeError::OutIsShard(out.to_owned()).into());
    }
    let (there, now) = (&shards[0].state.identity, &Identity::new(&config)?);
    if now != there {
        let (all, differences) = (there.differences(now), there.differing_files(now));
        let of_files = !all.is_empty() && all == differences;
        let error = if of_files {
            ShardsError::OtherFiles { differences }
        } else {
            ShardsError::OtherProgram { differences: all }
        };
        return Err(MergeError::from(error).into());
    }
    let mut dir = RunDir::open(&config)?;
    if dir.is_complete() {
        return Ok(Merged { totals: dir.totals().clone(), config });
    }
    if dir.done() > 0 {
        return Err(MergeError::OutHoldsPart(out.to_owned()).into());
    }
    for shard in shards {
        add(&mut dir, &config, shard)?;
    }
    dir.close()?;
    Ok(Merged { totals: dir.totals().clone(), config })
}

/// Adds the rows, lines and totals of a shard.
fn add(dir: &mut RunDir, config: &RunConfig, shard: Shard) -> Result<(), ArenaError> {
    let Shard { path, state } = shard;
    let State { start, done, table, lines, totals, .. } = state;
    let totals = totals
        .restore(&config.rules, config.unit)
        .map_err(|why| ArenaError::damaged(path.join("totals.json"), why))?;
    for (n, saved) in [table, lines].into_iter().enumerate() {
        let Some(saved) = saved else { continue };
        let mut source = Source::open(&path, &saved, config, start..done, n == 1)?;
        while let Some((rows, end)) = source.next()? {
            dir.append_to(n, rows.part(), end)?;
        }
    }
    dir.add_played(&totals, done, &Timing::read_clock(&path, config));
    Ok(())
}
