//! The next step of a tuning: an iteration, or the result against the start.

use core::ops::Range;
use std::path::Path;

use coinche_selfplay::base::error::ArenaError;

use super::params;
use super::tuning::{Iteration, Tuning, VERIFY};
use coinche_runs::config::RunConfig;
use coinche_runs::job::State;
use coinche_runs::steps::Place;

/// The directory of the steps in that of a tuning.
pub(in crate::commands) const STEPS: &str = "steps";

/// The next deals to play.
pub(super) struct Step {
    /// The number of the iteration, counted from 0; after the last one it is the verification.
    number: u64,
    pub(super) config: RunConfig,
    pub(super) deals: Range<u64>,
    pub(super) is_verification: bool,
}

impl Step {
    /// Returns the next step of a tuning whose next iteration does not have equal bots; `None` if it is over.
    pub(super) fn next(tuning: &Tuning, whole: &Path) -> Result<Option<Self>, ArenaError> {
        let number = tuning.spsa.done();
        let (config, start) = match tuning.next()? {
            Iteration::Match(config) => (*config, number * tuning.batch),
            Iteration::Equal | Iteration::Over => {
                let Some(config) = verification(tuning, whole)? else { return Ok(None) };
                let done = State::read(&whole.join(VERIFY))?.map_or(0, |state| state.done);
                if done >= config.deals {
                    return Ok(None);
                }
                (config, done)
            }
        };
        let is_verification = number == tuning.iterations;
        Ok(Some(Self { number, deals: start..config.deals, config, is_verification }))
    }

    /// Returns the place of its parts.
    pub(super) fn place(&self, whole: &Path) -> Place {
        Place { whole: whole.to_owned(), steps: STEPS, number: self.number }
    }

    /// Returns its name.
    pub(super) fn name(&self) -> String {
        if self.is_verification {
            "the verification".to_owned()
        } else {
            format!("iteration {}", self.number + 1)
        }
    }
}

/// Returns the run of the result against the start; `None` if there is none, or not yet.
pub(super) fn verification(tuning: &Tuning, whole: &Path) -> Result<Option<RunConfig>, ArenaError> {
    if tuning.spsa.done() < tuning.iterations || tuning.verify == 0 {
        return Ok(None);
    }
    let tuned = params::with_values(&tuning.bot, &tuning.params, &tuning.spsa.result())?;
    Ok((tuned != tuning.start).then(|| tuning.verification(whole, &tuned)))
}
