//! What is played next of a tuning: an iteration, or the result against the start.

use core::ops::Range;
use std::path::Path;

use coinche_selfplay::base::error::ArenaError;

use super::params;
use super::tuning::{Iteration, Tuning, VERIFY};
use crate::run::config::RunConfig;
use crate::run::directory::State;
use crate::run::steps::Place;

/// Where the steps are in the directory of a tuning.
pub(in crate::commands) const STEPS: &str = "steps";

/// The deals that are to be played next.
pub(super) struct Step {
    /// That of the iteration, from 0; behind the last one it is the verification.
    number: u64,
    pub(super) config: RunConfig,
    pub(super) deals: Range<u64>,
    pub(super) is_verification: bool,
}

impl Step {
    /// Returns what is to be played next of a tuning, whose next iteration is not one of equal bots; `None` when it is
    /// over.
    ///
    /// # Errors
    ///
    /// When the run of the verification cannot be read.
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

    /// Returns where its parts are.
    pub(super) fn place(&self, whole: &Path) -> Place {
        Place { whole: whole.to_owned(), steps: STEPS, number: self.number }
    }

    /// Says what it is.
    pub(super) fn name(&self) -> String {
        if self.is_verification {
            "the verification".to_owned()
        } else {
            format!("iteration {}", self.number + 1)
        }
    }
}

/// Returns the run of the result against the start; `None` where there is none, or not yet.
pub(super) fn verification(tuning: &Tuning, whole: &Path) -> Result<Option<RunConfig>, ArenaError> {
    if tuning.spsa.done() < tuning.iterations || tuning.verify == 0 {
        return Ok(None);
    }
    let tuned = params::with_values(&tuning.bot, &tuning.params, &tuning.spsa.result())?;
    Ok((tuned != tuning.start).then(|| tuning.verification(whole, &tuned)))
}
