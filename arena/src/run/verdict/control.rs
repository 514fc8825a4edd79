//! What the control of a run did for the verdict.

use coinche_selfplay::base::style::thousands;
use coinche_selfplay::document::model::with_half;

use crate::run::config::Control;
use crate::run::control::Controlled;

/// Says what the control explains, what is left, and what the difference is without it.
pub(crate) fn details(control: &Control, controlled: &Controlled) -> Vec<String> {
    let Controlled { known, here, plain, adjusted } = controlled;
    let mean = with_half(known.mean, known.half_width);
    let deals = thousands(known.pairs);
    let (here, plain) = (with_half(here.mean, None), with_half(plain.mean, plain.half_width));
    let left = 100.0 * adjusted.variance_ratio;
    let worth = if adjusted.variance_ratio > 0.0 {
        let times = adjusted.variance_ratio.recip();
        format!(": as certain as {times:.2} times as many deals without it")
    } else {
        String::new()
    };
    vec![
        format!(
            "control {control}: {mean} over {deals} other deals, {here} on these; without it A − B is {plain}"
        ),
        format!(
            "the control leaves {left:.0} % of the variance{worth}; {:.1} per pair is left of the standard deviation",
            adjusted.residual_sd
        ),
    ]
}
