//! The settings of a sequential test, and what is tested at a look.

use coinche_bots::TeamSpec;
use coinche_inference::{Checkpoint, Estimate, PairedSums, SprtPlan, StatsError};
use coinche_selfplay::{Tally, Unit};

use super::part::Share;
use coinche_runs::{CommandLine, Controlled, InCommon, RunConfig, Totals};

/// The minimum number of deals at a look with a control, for estimating the slope and the residual.
pub(super) const LEAST_FIRST: u64 = 3;

/// The settings.
pub(in crate::commands) struct Asked {
    pub(super) config: RunConfig,
    pub(super) plan: SprtPlan,
    /// The share of one of several machines.
    pub(super) share: Option<Share>,
}

impl Asked {
    /// Returns the tested values: points per deal, or for matches the percentage points won over half.
    pub(super) fn sums(&self, tally: &Tally) -> PairedSums {
        match self.config.unit {
            Unit::Deal => tally.points,
            // A won leg is 1, a lost leg −1: 50 points over or under half.
            Unit::Match => tally.wins.times(50),
        }
    }

    /// Looks at all deals so far, as the test does; `None` if there are none.
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

    /// Returns the reported difference of all deals so far.
    pub(super) fn estimate(&self, totals: &Totals) -> Option<Estimate> {
        let controlled = Controlled::new(&self.config, totals, 0);
        controlled.map_or_else(|| self.sums(totals.first()).estimate(), |it| Some(it.estimate()))
    }

    /// Returns the command line that gives the same results.
    pub(super) fn to_command(&self) -> String {
        let (config, SprtPlan { lower, upper, alpha, beta, every, first, most }) = (&self.config, &self.plan);
        CommandLine::new("sprt")
            .bots(config.first_two().each_ref().map(TeamSpec::quoted))
            .flag("lower", lower)
            .flag("upper", upper)
            .flag("alpha", alpha)
            .flag("beta", beta)
            .flag("every", every)
            .flag("first", first)
            .flag("max-deals", most)
            .control(config)
            .seed(config)
            .unit(config)
            .freeze(config)
            .rules(config)
    }
}
