//! The control of a run: its mean on extra deals, and the adjusted difference of the bots.

use std::sync::atomic::{AtomicBool, Ordering};

use coinche_inference::{Adjusted, Covariate, CovariateSums, Estimate, Merge, PairedSums, StatsError};
use coinche_selfplay::Result;

use crate::config::RunConfig;
use crate::progress::Progress;
use crate::runner::{self, Batch, Next};
use crate::totals::Totals;
use coinche_protocol::StderrLog;

/// Plays the control on its extra deals; `None` without a control, or if the user asks to stop.
pub fn measure(config: &RunConfig, stop: &AtomicBool) -> Result<Option<PairedSums>> {
    let Some(config) = config.of_control() else { return Ok(None) };
    let mut totals = Totals::new(&config);
    let mut progress = Progress::new(&config, &totals);
    let range = config.range();
    let played = runner::play_in_steps(&config, range.start, u64::MAX, stop, &StderrLog::none(), |batch| {
        batch.add_to(&mut totals);
        progress.update(&totals);
        Ok(Next::GoOn)
    });
    progress.finish(&totals);
    let is_whole = played? == range.end && !stop.load(Ordering::Relaxed);
    Ok((is_whole || range.is_empty()).then(|| totals.first().points))
}

/// The sums of a control over the deals that it shares with the bots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InCommon {
    bots: PairedSums,
    control: PairedSums,
    /// The sums of twice the differences.
    sums: CovariateSums,
}

impl InCommon {
    /// Returns the sums of a pairing of a run; `None` without a control.
    pub fn of(config: &RunConfig, totals: &Totals, pairing: usize) -> Option<Self> {
        config.control.as_ref()?;
        let last = config.own_encounters();
        let [bots, control] = [totals.tallies.get(pairing)?.points, totals.tallies.get(last)?.points];
        let joint = &totals.covariance;
        let sums = CovariateSums {
            n: bots.pairs,
            x: joint.sum(pairing),
            xx: joint.product(pairing, pairing),
            z: joint.sum(last),
            zz: joint.product(last, last),
            xz: joint.product(pairing, last),
        };
        Some(Self { bots, control, sums })
    }

    /// Adds the deals of a batch of a run of two bots with a control.
    pub fn add(&mut self, batch: &Batch) {
        self.bots.merge(&batch.tallies[0].points);
        self.control.merge(&batch.tallies[1].points);
        for doubled in batch.doubled() {
            self.sums.add(doubled[0], doubled[1]);
        }
    }

    /// Returns the difference of the bots in points, adjusted by the control; `known` is the control on its extra
    /// deals. The interval reflects only the spread of the pairs.
    pub fn adjust(&self, known: &PairedSums) -> Result<Adjusted, StatsError> {
        let few = StatsError::TooFew { what: "deals of the control", least: 2, found: 0 };
        let known = known.estimate().ok_or_else(|| few.clone())?;
        // The sums are of twice the differences.
        let standard_error = 2.0 * known.standard_error.ok_or(few)?;
        Ok(self.sums.adjust(Covariate { mean: 2.0 * known.mean, standard_error })?.scaled(0.5))
    }
}

/// A difference adjusted by the control.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Controlled {
    /// The control on its extra deals.
    pub known: Estimate,
    /// The control on the deals of the run.
    pub here: Estimate,
    /// The plain difference of the bots.
    pub plain: Estimate,
    /// The adjusted difference, in points.
    pub adjusted: Adjusted,
}

impl Controlled {
    /// Adjusts the difference of the bots of a pairing by the control; `None` without a control, or with fewer than
    /// three deals.
    pub fn new(config: &RunConfig, totals: &Totals, pairing: usize) -> Option<Self> {
        Self::of(&totals.control?, &InCommon::of(config, totals, pairing)?)
    }

    /// Adjusts the difference with the control on its extra deals, and on those of the bots.
    pub fn of(known: &PairedSums, in_common: &InCommon) -> Option<Self> {
        let adjusted = in_common.adjust(known).ok()?;
        let [known, here, plain] = [known, &in_common.control, &in_common.bots].map(PairedSums::estimate);
        let (known, here, plain) = (known?, here?, plain?);
        Some(Self { known, here, plain, adjusted: adjusted.widened(&plain)? })
    }

    /// Returns the reported difference of the bots: the adjusted mean and interval, with the spread of the pairs.
    pub fn estimate(&self) -> Estimate {
        let Adjusted { mean, half_width, interval, .. } = self.adjusted;
        Estimate { mean, half_width: Some(half_width), interval: Some(interval), ..self.plain }
    }
}
