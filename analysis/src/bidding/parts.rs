//! Sharded bidding benchmarks: makes one shard in a directory, and merges all.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use coinche_selfplay::{Meter, Result};
use serde_json::value::RawValue;

use super::play_on;
use super::totals::BiddingTotals;
use coinche_runs::job::raw;
use coinche_runs::{Damage, PartDir, RunConfig, State, SumJob, Task};

/// The bidders of a configuration, and the number of deals to show for each two of them.
pub struct BiddingJob<'a> {
    /// The run.
    pub config: &'a RunConfig,
    /// How many hands are shown.
    pub show: usize,
}

impl SumJob for BiddingJob<'_> {
    type Sums = BiddingTotals;

    fn nothing(&self, _start: u64) -> BiddingTotals {
        BiddingTotals::new(self.config, self.show)
    }

    fn save(&self, totals: &BiddingTotals) -> Box<RawValue> {
        raw(totals)
    }

    fn read(&self, state: &State) -> Result<BiddingTotals, Damage> {
        serde_json::from_str::<BiddingTotals>(state.sums.get())?.restored(self.config, self.show)
    }
}

impl BiddingJob<'_> {
    /// Plays what is missing of a part, which is the range of the configuration. On a request to stop, running
    /// work is completed first.
    pub fn make_part(&self, path: &Path, task: &Task, stop: &AtomicBool) -> Result<PartDir> {
        let made = self.make(path, task, stop, |making, totals| {
            let range = making.dir.range();
            let meter = Meter::new(self.config.progress, range.end - range.start);
            meter.skip(making.dir.before());
            let from = making.dir.done();
            play_on(self.config, from, &meter, totals, |totals, done| making.keep(totals, done))?;
            meter.finish();
            Ok(())
        });
        made.map(|(dir, _)| dir)
    }
}
