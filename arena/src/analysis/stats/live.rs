//! Records of deals that are played for them, and written nowhere.

use std::borrow::Cow;
use std::sync::atomic::AtomicBool;

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::progress::Meter;

use super::error::StatsError;
use super::rules::live_rules;
use super::source::add_lines;
use super::totals::Totals;
use crate::run::config::RunConfig;
use crate::run::runner;

/// Plays a run and adds up its records: the same totals as from the files that `arena run --records full` writes. Of a
/// bot with itself the first legs only, since the second ones are the same deals again.
///
/// # Errors
///
/// When the threads cannot start.
pub(crate) fn play(config: &RunConfig) -> Result<Totals, ArenaError> {
    let rules = live_rules(&config.rules);
    let mut totals = Totals::default();
    let unit = [config.unit.singular(), config.unit.plural()];
    let meter = Meter::of(config.progress, config.deals, unit);
    let stop = AtomicBool::new(false);
    let alone = config.bots.windows(2).all(|pair| pair[0] == pair[1]);
    runner::play(config, 0, &stop, |batch| {
        meter.add(batch.end - batch.start);
        let lines = if alone { first_legs(&batch.lines).into() } else { Cow::from(&batch.lines) };
        add_lines(&mut totals, &rules, &lines, None).map_err(|(_, why)| StatsError::JustPlayed(why).into())
    })?;
    meter.finish();
    totals.finish();
    Ok(totals)
}

/// Returns the records of first legs, of lines as the arena writes them.
fn first_legs(lines: &[u8]) -> Vec<u8> {
    const FIRST: &[u8] = b",\"leg\":0,";
    let is_first = |line: &&[u8]| line.windows(FIRST.len()).take(64).any(|part| part == FIRST);
    lines.split_inclusive(|byte| *byte == b'\n').filter(is_first).flatten().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use coinche_selfplay::records::test_lines::lines;

    #[test]
    fn first_legs_are_every_second_record() {
        let text = lines("bga", ["rules", "rules"], 30);
        let first = first_legs(&text);
        let all: Vec<_> = text.split_inclusive(|byte| *byte == b'\n').collect();
        let expected: Vec<_> = all.iter().step_by(2).copied().collect();
        assert_eq!((all.len(), first), (60, expected.concat()));
    }
}
