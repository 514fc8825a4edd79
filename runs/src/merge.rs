//! Merges shards of a run; the result is byte-identical to an unsharded run.
//!
//! Each table is read row by row, checked against its checksum, and rewritten in blocks of the whole run.

use std::path::Path;

use coinche_bots::Registry;
use coinche_selfplay::Result;

use crate::config::RunConfig;
use crate::directory::RunDir;
use crate::figures::Timing;
use crate::job::{Identity, MergeError, Parts, State};
use crate::rows::Source;
use crate::totals::Totals;

/// A merged run.
pub struct Merged {
    /// The settings of the whole run.
    pub config: RunConfig,
    /// The sums of all shards.
    pub totals: Totals,
}

/// Merges shards into a directory.
pub fn merge(parts: &Parts, out: &Path, registry: &Registry) -> Result<Merged> {
    let config = parts.config(parts.identity.settings.clone(), registry)?;
    let config = RunConfig { out: Some(out.to_owned()), ..config };
    if parts.paths().iter().any(|path| path == out) {
        return Err(MergeError::OutIsShard(out.to_owned()).into());
    }
    parts.check_program(&Identity::new(&config)?)?;
    let mut dir = RunDir::open(&config)?;
    if dir.is_complete() {
        return Ok(Merged { totals: dir.totals().clone(), config });
    }
    if dir.done() > 0 {
        return Err(MergeError::OutHoldsPart(out.to_owned()).into());
    }
    parts.each(|path, state| add(&mut dir, &config, path, &state))?;
    dir.close()?;
    Ok(Merged { totals: dir.totals().clone(), config })
}

/// Adds the rows, lines and totals of a shard.
fn add(dir: &mut RunDir, config: &RunConfig, path: &Path, state: &State) -> Result<()> {
    let totals = state.restore(path, config)?;
    for (n, saved) in [state.summary(), state.records()].into_iter().enumerate() {
        let Some(saved) = saved else { continue };
        let mut source = Source::open(path, saved, config, state.start..state.done, n == 1)?;
        while let Some((rows, end)) = source.next_block()? {
            dir.append_to(n, rows.part(), end)?;
        }
    }
    dir.add_played(&totals, state.done, &Timing::read_clock(path, config)?);
    Ok(())
}
