//! The state of a run: that of a part whose sums are the totals.

use std::path::Path;

use coinche_selfplay::base::error::ArenaError;

use crate::config::RunConfig;
use crate::damage::Damage;
use crate::job::{STATE, State};
use crate::totals::{SavedTotals, Totals};

impl State {
    /// Returns the saved form of the totals of a run.
    fn totals(&self) -> Result<SavedTotals, Damage> {
        Ok(serde_json::from_str(self.sums.get())?)
    }

    /// Returns the totals of a run.
    pub fn restore(&self, directory: &Path, config: &RunConfig) -> Result<Totals, ArenaError> {
        let totals = self.totals().and_then(|totals| totals.restore(&config.rules, config.unit));
        totals.map_err(|why| ArenaError::damaged(directory.join(STATE), why))
    }

    /// Tests if the control of a run was measured.
    pub fn has_control(&self) -> bool {
        self.totals().is_ok_and(|totals| totals.has_control())
    }

    /// Returns the contradictions within the state of a run.
    pub fn contradictions_of_run(&self) -> Vec<String> {
        let mut found = self.contradictions();
        let done = self.done.saturating_sub(self.start);
        match self.totals() {
            Err(why) => found.push(format!("its totals: {why}")),
            Ok(totals) if totals.pairs() != done => {
                found.push(format!("its totals are of {} deals or matches, {done} are done", totals.pairs()));
            }
            Ok(_) => {}
        }
        found
    }
}
