//! Records of deals played for the statistics, not written to files.

use std::borrow::Cow;
use std::sync::atomic::AtomicBool;

use coinche_selfplay::{Meter, Result};

use super::error::StatsError;
use super::rules::{Rules, live_rules};
use super::source::add_lines;
use super::totals::Totals;
use coinche_runs::{Batch, RunConfig, runner};

/// Plays a run and adds up its records: the totals equal those from the files that `arena run --records full`
/// writes. For a bot against itself only the first legs count, since the second ones repeat the same deals.
pub fn play(config: &RunConfig) -> Result<Totals> {
    let mut totals = Totals::default();
    let meter = Meter::of(config.progress, config.deals, config.unit.names());
    let (live, stop) = (Live::new(config), AtomicBool::new(false));
    runner::play(config, 0, &stop, |batch| {
        meter.add(batch.end - batch.start);
        live.add(&mut totals, batch)
    })?;
    meter.finish();
    totals.finish();
    Ok(totals)
}

/// Counts the records of a run while it is played.
pub(super) struct Live {
    rules: Rules,
    /// Whether a bot plays against itself, so that the second legs repeat the first ones.
    alone: bool,
}

impl Live {
    pub(super) fn new(config: &RunConfig) -> Self {
        let alone = config.bots.windows(2).all(|pair| pair[0] == pair[1]);
        Self { rules: live_rules(&config.rules), alone }
    }

    /// Adds the records of some deals.
    pub(super) fn add(&self, totals: &mut Totals, batch: &Batch) -> Result<()> {
        let lines = if self.alone { first_legs(&batch.lines).into() } else { Cow::from(&batch.lines) };
        add_lines(totals, &mut |_, _| {}, &self.rules, &lines, None)
            .map_err(|(_, why)| StatsError::JustPlayed(why).into())
    }
}

/// Returns the records of first legs from lines as the arena writes them.
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
