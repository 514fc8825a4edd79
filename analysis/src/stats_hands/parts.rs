//! Sharded results of hands: makes one shard of the deals in a directory, and merges all.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use coinche_engine::RuleSet;
use coinche_selfplay::{Meter, ProgressMode, Result, Solvers};
use serde_json::value::RawValue;

use super::{Totals, source};
use crate::label::Settings;
use coinche_runs::job::raw;
use coinche_runs::{Damage, PartDir, State, SumJob, Task};

/// The results of hands under some rules.
pub struct HandsJob<'a>(pub &'a RuleSet);

impl SumJob for HandsJob<'_> {
    type Sums = Totals;

    fn nothing(&self, _start: u64) -> Totals {
        Totals::new(self.0)
    }

    fn save(&self, totals: &Totals) -> Box<RawValue> {
        raw(totals)
    }

    fn read(&self, state: &State) -> Result<Totals, Damage> {
        let totals: Totals = serde_json::from_str(state.sums.get())?;
        if totals.is_like(&Totals::new(self.0)) { Ok(totals) } else { Err(Damage::Totals) }
    }
}

/// Solves what is missing of a part. On a request to stop, running work is completed first.
pub fn make(
    settings: &Settings,
    path: &Path,
    task: &Task,
    solvers: &Solvers,
    progress: ProgressMode,
    stop: &AtomicBool,
) -> Result<PartDir> {
    let made = HandsJob(&settings.rules).make(path, task, stop, |making, totals| {
        let range = making.dir.range();
        let meter = Meter::new(progress, range.end - range.start);
        meter.skip(making.dir.before());
        let left = making.dir.done()..range.end;
        source::solve(settings, left, solvers, &meter, totals, |totals, done| making.keep(totals, done))?;
        meter.finish();
        Ok(())
    });
    made.map(|(dir, _)| dir)
}
