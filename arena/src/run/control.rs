//! The control of a run: its mean on deals of its own, and the difference of the bots with what it explains taken out.

use std::sync::atomic::{AtomicBool, Ordering};

use coinche_inference::{Adjusted, Covariate, CovariateSums, Estimate, PairedSums, student_t};
use coinche_selfplay::base::error::ArenaError;

use crate::protocol::StderrLog;
use crate::run::config::RunConfig;
use crate::run::progress::Progress;
use crate::run::runner::{self, Next};
use crate::run::totals::Totals;

/// Plays the control on deals of its own; `None` without a control, and when the user asks to stop.
///
/// # Errors
///
/// When the threads cannot start.
pub(crate) fn measure(config: &RunConfig, stop: &AtomicBool) -> Result<Option<PairedSums>, ArenaError> {
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

/// Widens an adjusted interval by what the plain one has more than the spread of its pairs: where few pairs differ, the
/// spread says too little, with a control as without.
#[expect(clippy::cast_precision_loss, reason = "counts of pairs are below 2^53")]
fn widened(adjusted: Adjusted, plain: &Estimate) -> Option<Adjusted> {
    let n = plain.pairs as f64;
    let of_spread = student_t(0.95, n - 1.0) * plain.sd? / n.sqrt();
    let more = (plain.half_width?.powi(2) - of_spread.powi(2)).max(0.0);
    let half_width = adjusted.half_width.hypot(more.sqrt());
    let interval = [adjusted.mean - half_width, adjusted.mean + half_width];
    Some(Adjusted { half_width, interval, ..adjusted })
}

/// A difference with what the control explains taken out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Controlled {
    /// The control on its own deals.
    pub(crate) known: Estimate,
    /// The control on the deals of the run.
    pub(crate) here: Estimate,
    /// The plain difference of the bots.
    pub(crate) plain: Estimate,
    /// The adjusted one, in points.
    pub(crate) adjusted: Adjusted,
}

impl Controlled {
    /// Takes what the control explains out of the difference of the bots; `None` without a control, and of fewer than
    /// three deals.
    pub(crate) fn new(config: &RunConfig, totals: &Totals) -> Option<Self> {
        config.control.as_ref()?;
        let known = totals.control?.estimate()?;
        let [bots, control] = [0, 1];
        let [plain, here] = [totals.tallies[bots].points, totals.tallies.get(control)?.points];
        let joint = &totals.covariance;
        let sums = CovariateSums {
            n: plain.pairs,
            x: joint.sum(bots),
            xx: joint.product(bots, bots),
            z: joint.sum(control),
            zz: joint.product(control, control),
            xz: joint.product(bots, control),
        };
        // The sums are of twice the differences.
        let standard_error = 2.0 * known.standard_error?;
        let adjusted = sums.adjust(Covariate { mean: 2.0 * known.mean, standard_error }).ok()?.scaled(0.5);
        let [plain, here] = [plain.estimate()?, here.estimate()?];
        Some(Self { known, here, plain, adjusted: widened(adjusted, &plain)? })
    }

    /// Returns the difference of the bots as it is told: the adjusted mean and interval, with the spread of the pairs.
    pub(crate) fn estimate(&self) -> Estimate {
        let Adjusted { mean, half_width, interval, .. } = self.adjusted;
        Estimate { mean, half_width: Some(half_width), interval: Some(interval), ..self.plain }
    }
}
