//! The progress of a run: how much is played, how fast, and the difference so far.

use std::time::Duration;

use coinche_selfplay::{Display, Format, ProgressMode, Unit, plus_minus, rate, thousands};

use crate::config::RunConfig;
use crate::totals::Totals;

/// The progress display of a run.
pub struct Progress {
    display: Display,
    total: u64,
    unit: Unit,
    /// Whether there are more than two bots.
    is_of_several: bool,
    /// Legs that were played before the clock was started.
    before: u64,
}

impl Progress {
    /// Starts the clock; `totals` were played before.
    pub fn new(config: &RunConfig, totals: &Totals) -> Self {
        let range = config.range();
        let total = range.end - range.start;
        // A short run prints only its verdict, unless a program reads the progress.
        let first = Duration::from_secs(if config.progress == ProgressMode::Json { 1 } else { 2 });
        let mut display = Display::new(config.progress, total, config.unit.plural(), first);
        display.skip(totals.pairs());
        let is_of_several = config.format != Format::Match;
        Self { display, total, unit: config.unit, is_of_several, before: totals.legs() }
    }

    /// Shows the progress if an update is due.
    pub fn update(&mut self, totals: &Totals) {
        if self.display.is_due() {
            self.show(totals);
        }
    }

    fn show(&mut self, totals: &Totals) {
        let Some(estimate) = totals.first().points.estimate() else { return };
        let rate = rate(totals.legs() - self.before, self.display.elapsed());
        let half = estimate.half_width.map_or_else(String::new, |half| plus_minus(half, 1));
        let who = if self.is_of_several { "first pairing: A − B" } else { "A − B" };
        let difference = format!("{who} = {:+.1}{half} a {}", estimate.mean, self.unit.singular());
        let (done, total, unit) = (estimate.pairs, self.total, self.unit);
        self.display.show(
            done,
            || format!("{} legs/s, {difference}", thousands(rate)),
            || {
                serde_json::json!({
                    "done": done, "of": total, "unit": unit.singular(),
                    "mean": estimate.mean, "half_width": estimate.half_width, "legs_per_second": rate,
                })
            },
        );
    }

    /// Ends the bar, or prints the last line of JSON.
    pub fn finish(&mut self, totals: &Totals) {
        if self.display.end() {
            self.show(totals);
        }
    }
}
