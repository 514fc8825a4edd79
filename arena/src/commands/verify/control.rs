//! Replays the control of a run on the control's own deals.

use std::io::Write;

use coinche_bots::says_clock;
use coinche_selfplay::base::{Result, print, thousands};

use super::run::tell;
use coinche_protocol::STOP;
use coinche_runs::control::measure;
use coinche_runs::{COMMIT, Control, RunConfig, STATE, State, Totals};

/// Replays the control on its own deals, since no table has them; tests if its sums are the same.
///
/// This takes as long as `--control-deals` did in the run.
pub(super) fn recounted(
    config: &RunConfig,
    state: &State,
    totals: &Totals,
    out: &mut dyn Write,
) -> Result<bool> {
    let (Some(control), Some(own)) = (&config.control, config.of_control()) else { return Ok(true) };
    let wrong = |text: String| vec![format!("totals.control: {text}")];
    let Some(sums) = totals.control else {
        // A run that was stopped before the control was complete has no deals.
        let found = if totals.pairs() > 0 { wrong("it is missing".to_owned()) } else { Vec::new() };
        return tell(out, STATE, &found);
    };
    let range = own.range();
    let deals = range.end - range.start;
    if sums.pairs != deals {
        let [there, expected] = [sums.pairs, deals].map(thousands);
        return tell(out, STATE, &wrong(format!("it is of {there} deals, expected {expected}")));
    }
    if let Some(why) = not_again(control, state) {
        print(out, &format!("totals.control: not counted again: {why}\n"))?;
        return Ok(true);
    }
    let deals = thousands(deals);
    print(out, &format!("totals.control: playing {control} again on {deals} deals\n"))?;
    match measure(config, &STOP)? {
        Some(again) if again == sums => {
            print(out, &format!("totals.control: {deals} deals, and the sums match\n"))?;
            Ok(true)
        }
        Some(_) => tell(out, STATE, &wrong(format!("its sums are not those of {control} on {deals} deals"))),
        None => {
            print(out, "totals.control: not counted again: interrupted\n")?;
            Ok(true)
        }
    }
}

/// Explains why the control cannot be recounted, if so.
fn not_again(control: &Control, state: &State) -> Option<String> {
    if state.identity.commit != COMMIT {
        return Some(format!("it was played by another version ({})", state.identity.commit));
    }
    let timed = control.bots.iter().find(|bot| says_clock(bot.as_str()))?;
    Some(format!("{timed} decides by the clock"))
}
