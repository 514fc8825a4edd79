//! What the control of a run explains, and what is left.

use coinche_inference::Adjusted;
use serde::{Deserialize, Serialize};

use crate::config::RunConfig;
use crate::control::Controlled;
use crate::totals::Totals;

/// The difference of two bots with what the control explains taken out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ControlFigures {
    /// The bots of the control, A and B.
    pub bots: [String; 2],
    /// The deals of its own on which its mean was measured.
    pub deals: u64,
    /// Its mean paired difference on them.
    pub mean: f64,
    /// The standard error of that mean, which is a part of the interval.
    pub standard_error: f64,
    /// Its mean paired difference on the deals of the run.
    pub mean_in_run: f64,
    /// The slope of the difference of the bots on that of the control.
    pub slope: f64,
    /// The adjusted difference A − B, in points.
    pub adjusted: f64,
    /// Half the width of its 95 % interval.
    pub half_width: f64,
    /// The 95 % interval.
    pub interval: [f64; 2],
    /// The standard deviation of a pair after the adjustment.
    pub residual_sd: f64,
    /// The variance of the adjusted mean over that of the plain one.
    pub variance_left: f64,
}

impl ControlFigures {
    /// Computes the figures of a pairing; `None` without a control, and of fewer than three deals.
    pub fn new(config: &RunConfig, totals: &Totals, pairing: usize) -> Option<Self> {
        let control = config.control.as_ref()?;
        let Controlled { known, here, adjusted, .. } = Controlled::new(config, totals, pairing)?;
        let Adjusted { mean, half_width, interval, slope, residual_sd, variance_ratio, .. } = adjusted;
        Some(Self {
            bots: control.bots.each_ref().map(ToString::to_string),
            deals: known.pairs,
            mean: known.mean,
            standard_error: known.standard_error?,
            mean_in_run: here.mean,
            slope,
            adjusted: mean,
            half_width,
            interval,
            residual_sd,
            variance_left: variance_ratio,
        })
    }
}
