//! What a sequential test was asked for, and what is tested at a look.

use coinche_bots::TeamSpec;
use coinche_inference::{Checkpoint, Estimate, PairedSums, SprtPlan, StatsError};
use coinche_selfplay::play::schedule::Unit;
use coinche_selfplay::play::tally::Tally;

use crate::run::config::{RunConfig, quoted, rules_flags};
use crate::run::control::{Controlled, InCommon};
use crate::run::totals::Totals;

/// The fewest deals at a look with a control, by which the slope and what it leaves are estimated.
pub(super) const LEAST_FIRST: u64 = 3;

/// What was asked for.
pub(super) struct Asked {
    pub(super) config: RunConfig,
    pub(super) plan: SprtPlan,
    pub(super) command: String,
}

impl Asked {
    /// Returns what is tested: points a deal, or of matches the percentage points of those won over half.
    pub(super) fn sums(&self, tally: &Tally) -> PairedSums {
        match self.config.unit {
            Unit::Deal => tally.points,
            // A leg won is 1, a leg lost −1: 50 points over or under half.
            Unit::Match => tally.wins.times(50),
        }
    }

    /// Looks at all that was played, as the test does there; `None` when that is nothing.
    ///
    /// # Errors
    ///
    /// When the control of the test was not measured.
    pub(super) fn look(&self, totals: &Totals) -> Result<Option<Checkpoint>, StatsError> {
        let sums = self.sums(totals.first());
        Ok(match InCommon::of(&self.config, totals, 0) {
            Some(in_common) if sums.pairs >= LEAST_FIRST => {
                let adjusted = in_common.adjust(&totals.control.unwrap_or_default())?;
                self.plan.look_with(&sums, &adjusted)
            }
            Some(_) => None,
            None => self.plan.look(&sums),
        })
    }

    /// Returns the difference of all that was played as it is told.
    pub(super) fn estimate(&self, totals: &Totals) -> Option<Estimate> {
        let controlled = Controlled::new(&self.config, totals, 0);
        controlled.map_or_else(|| self.sums(totals.first()).estimate(), |it| Some(it.estimate()))
    }
}

/// Returns the command line that gives the same results.
pub(super) fn command(config: &RunConfig, plan: &SprtPlan) -> String {
    let SprtPlan { lower, upper, alpha, beta, every, first, most } = plan;
    let [a, b] = config.first_two().each_ref().map(TeamSpec::quoted);
    format!(
        "arena sprt {a} {b} --lower {lower} --upper {upper} --alpha {alpha} --beta {beta} --every {every} \
         --first {first} --max-deals {most}{} --seed {}{}{}{}{}",
        config.control_flags(),
        quoted(&config.seed),
        if config.unit == Unit::Match { " --match" } else { "" },
        config.forfeit_flag(),
        config.freeze.flag(),
        rules_flags(&config.rules)
    )
}
