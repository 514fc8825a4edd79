//! Records of deals that are played for them, and written nowhere.

use std::sync::atomic::AtomicBool;

use super::rules::live_rules;
use super::source::add_lines;
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::config::{ProgressMode, Records, RulesText, RunFile, SeedText};

    /// Plays a few deals and returns their records.
    pub(crate) fn lines(rules: &str, bots: &[&str], deals: u64) -> Vec<u8> {
        let file = RunFile {
            bots: Some(bots.iter().map(ToString::to_string).collect()),
            deals: Some(deals),
            seed: Some(SeedText::Number(5)),
            records: Some(Records::Full),
            threads: Some(1),
            progress: Some(ProgressMode::None),
            rules: Some(RulesText::Name(rules.to_owned())),
            ..RunFile::default()
        };
        let mut lines = Vec::new();
        runner::play(&file.check().unwrap(), 0, &AtomicBool::new(false), |batch| {
            lines.extend_from_slice(&batch.lines);
            Ok(())
        })
        .unwrap();
        lines
    }
}
