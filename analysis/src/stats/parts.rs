//! Sharded statistics of played deals: makes one shard in a directory, and merges all.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use coinche_inference::merge;
use coinche_selfplay::{Meter, Result};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::live::Live;
use super::totals::Totals;
use coinche_runs::job::raw;
use coinche_runs::{Damage, PartDir, RunConfig, State, SumJob, Task, runner};

/// Deals played under one set of rules, and the progress.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pass {
    /// The first deal that is not in the totals.
    done: u64,
    totals: Totals,
}

/// The same deals under one or two sets of rules, one after the other.
#[derive(Debug, Serialize, Deserialize)]
pub struct Passes(Vec<Pass>);

merge! {
    Pass { totals; kept: done }
    Passes { 0 }
}

impl Passes {
    /// Returns the common progress: a deal is done once each pass has played it.
    fn done(&self, start: u64) -> u64 {
        let played: u64 = self.0.iter().map(|pass| pass.done.saturating_sub(start)).sum();
        start + played / self.0.len().max(1) as u64
    }

    /// Returns the totals, by set of rules.
    pub fn into_totals(self) -> impl Iterator<Item = Totals> {
        self.0.into_iter().map(|mut pass| {
            pass.totals.finish();
            pass.totals
        })
    }
}

/// Statistics of played deals, under this many sets of rules.
pub struct StatsJob(pub usize);

impl SumJob for StatsJob {
    type Sums = Passes;

    fn nothing(&self, start: u64) -> Passes {
        Passes(vec![Pass { done: start, totals: Totals::default() }; self.0])
    }

    fn save(&self, passes: &Passes) -> Box<RawValue> {
        raw(passes)
    }

    fn read(&self, state: &State) -> Result<Passes, Damage> {
        let passes: Passes = serde_json::from_str(state.sums.get())?;
        let is_sound = passes.0.iter().all(|pass| pass.totals.is_sound());
        if passes.0.len() == self.0 && is_sound { Ok(passes) } else { Err(Damage::Totals) }
    }
}

/// Plays what is missing of a part. The part has the settings of the first configuration; the others are of the
/// same deals. On a request to stop, running work is completed first.
pub fn make(configs: &[RunConfig], path: &Path, task: &Task, stop: &AtomicBool) -> Result<PartDir> {
    let made = StatsJob(configs.len()).make(path, task, stop, |making, passes| {
        let range = making.dir.range();
        let meter = Meter::of(configs[0].progress, range.end - range.start, configs[0].unit.names());
        meter.skip(making.dir.before());
        for (n, config) in configs.iter().enumerate() {
            let from = passes.0[n].done;
            if from >= range.end || stop.load(Ordering::Relaxed) {
                continue;
            }
            let live = Live::new(config);
            runner::play(config, from, stop, |batch| {
                making.is_whole = false;
                let pass = &mut passes.0[n];
                live.add(&mut pass.totals, batch)?;
                pass.done = batch.end;
                let done = passes.done(range.start);
                meter.add(done - making.dir.done());
                making.keep(passes, done).map(drop)
            })?;
        }
        meter.finish();
        passes.0.iter_mut().for_each(|pass| pass.totals.finish());
        Ok(())
    });
    made.map(|(dir, _)| dir)
}
