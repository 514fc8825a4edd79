//! The effect of a run's control on the verdict.

use coinche_selfplay::{Table, thousands, with_half};

use crate::config::{Control, RunConfig};
use crate::control::Controlled;
use crate::totals::Totals;

/// Returns what the control explains, what remains, and the difference without the control.
pub fn details(control: &Control, controlled: &Controlled) -> Vec<String> {
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

/// Returns the pairings of more than two bots, adjusted by the control; `None` without a control.
pub(super) fn of_pairings(config: &RunConfig, totals: &Totals) -> Option<Table> {
    let control = config.control.as_ref()?;
    let known = totals.control?.estimate()?;
    let caption = format!(
        "Points per deal adjusted by the control {control} ({} over {} other deals), ± 95 %; ratings are not adjusted",
        with_half(known.mean, known.half_width),
        thousands(known.pairs)
    );
    let pairings = totals.encounters.iter().enumerate().take(config.own_encounters());
    let found: Option<Vec<_>> =
        pairings.map(|(pairing, it)| Some((it, Controlled::new(config, totals, pairing)?))).collect();
    let table = Table::of("adjusted", caption, found?)
        .text("", |(encounter, _)| format!("{}–{}", encounter.a + 1, encounter.b + 1))
        .estimate("A − B", |(_, Controlled { adjusted, .. })| (adjusted.mean, Some(adjusted.half_width)))
        .estimate("without control", |(_, it)| it.plain)
        .share("left of the variance", |(_, it)| it.adjusted.variance_ratio)
        .plain("left of the sd", |(_, it)| it.adjusted.residual_sd)
        .build();
    Some(table)
}
