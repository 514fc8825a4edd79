//! Records of deals that are played for them, and written nowhere.

use std::sync::atomic::AtomicBool;

use super::source::{add_lines, live_rules};
use super::totals::Totals;
use crate::ArenaError;
use crate::config::RunConfig;
use crate::label::Meter;
use crate::protocol::probe;
use crate::runner;

/// Plays a run and adds up its records: the same totals as from the files that `arena run --records full` writes.
///
/// # Errors
///
/// When a program cannot be started, or its answers cannot be asked for.
pub(crate) fn play(config: &RunConfig) -> Result<Totals, ArenaError> {
    probe(config)?;
    let rules = live_rules(&config.rules);
    let mut totals = Totals::default();
    let unit = [config.unit.singular(), config.unit.plural()];
    let meter = Meter::of(config.progress, config.deals, unit);
    let stop = AtomicBool::new(false);
    runner::play(config, 0, &stop, |batch| {
        meter.add(batch.end - batch.start);
        add_lines(&mut totals, &rules, &batch.lines, None)
            .map_err(|(_, why)| ArenaError::Usage(format!("a record that was just played is wrong: {why}")))
    })?;
    meter.finish();
    totals.finish();
    Ok(totals)
}
