//! The progress of a run: how much is played, how fast, and the difference so far.

use std::io::Write;
use std::time::{Duration, Instant};

use crate::base::progress::{Form, rate};
use crate::base::style::thousands;
use crate::play::schedule::Unit;
use crate::run::config::RunConfig;
use crate::run::totals::Totals;

/// Tells how far a run has come.
///
/// What cannot be written to the standard error is lost; it never ends a run.
pub(crate) struct Progress {
    form: Form,
    began: Instant,
    next: Duration,
    total: u64,
    unit: Unit,
    /// Legs that were there before the clock was started.
    before: u64,
}

impl Progress {
    /// Starts the clock, with what was played before.
    pub(crate) fn new(config: &RunConfig, totals: &Totals) -> Self {
        let range = config.range();
        let total = range.end - range.start;
        let form = Form::new(config.progress, total);
        let next = match form {
            Form::Bar(_) => Duration::from_millis(100),
            Form::Plain => Duration::from_secs(2),
            Form::Json | Form::None => Duration::from_secs(1),
        };
        Self { form, began: Instant::now(), next, total, unit: config.unit, before: totals.legs() }
    }

    /// Tells the state of the run, when it is time to.
    pub(crate) fn update(&mut self, totals: &Totals) {
        let elapsed = self.began.elapsed();
        if elapsed < self.next || matches!(self.form, Form::None) {
            return;
        }
        self.next = match self.form {
            Form::Bar(_) => elapsed + Duration::from_millis(100),
            // Sparser and sparser, at last one a minute.
            Form::Plain => (2 * elapsed).min(elapsed + Duration::from_mins(1)),
            Form::Json | Form::None => elapsed + Duration::from_secs(1),
        };
        self.tell(totals, elapsed);
    }

    fn tell(&self, totals: &Totals, elapsed: Duration) {
        let Some(estimate) = totals.first().points.estimate() else { return };
        let rate = rate(totals.legs() - self.before, elapsed);
        let half = estimate.half_width.map_or_else(String::new, |half| format!(" ± {half:.1}"));
        let several = totals.encounters.len() > 1;
        let who = if several { "first pairing: A − B" } else { "A − B" };
        let difference = format!("{who} = {:+.1}{half} a {}", estimate.mean, self.unit.singular());
        match &self.form {
            Form::Bar(bar) => {
                bar.set_position(estimate.pairs);
                bar.set_message(format!("{} legs/s   {difference}", thousands(rate)));
            }
            Form::Plain => {
                let (done, total) = (thousands(estimate.pairs), thousands(self.total));
                let unit = self.unit.plural();
                let line = format!("{done} of {total} {unit}, {} legs/s, {difference}\n", thousands(rate));
                let _ = std::io::stderr().write_all(line.as_bytes());
            }
            Form::Json => {
                let line = serde_json::json!({
                    "done": estimate.pairs, "of": self.total, "unit": self.unit.singular(),
                    "mean": estimate.mean, "half_width": estimate.half_width,
                    "legs_per_second": rate, "seconds": elapsed.as_secs_f64(),
                });
                let _ = writeln!(std::io::stderr(), "{line}");
            }
            Form::None => {}
        }
    }

    /// Ends the bar, or writes the last line of JSON.
    pub(crate) fn finish(&self, totals: &Totals) {
        match &self.form {
            Form::Bar(bar) => bar.finish_and_clear(),
            Form::Json => self.tell(totals, self.began.elapsed()),
            Form::Plain | Form::None => {}
        }
    }
}
