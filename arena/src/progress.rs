//! Progress on the standard error: a bar, plain lines, or JSON.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::config::{ProgressMode, RunConfig};
use crate::report::thousands;
use crate::schedule::Unit;
use crate::totals::Totals;

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

enum Form {
    Bar(ProgressBar),
    Plain,
    Json,
    None,
}

impl Form {
    fn new(mode: ProgressMode, total: u64) -> Self {
        match mode {
            ProgressMode::Auto if std::io::stderr().is_terminal() => Self::Bar(bar(total)),
            ProgressMode::Auto | ProgressMode::Plain => Self::Plain,
            ProgressMode::Json => Self::Json,
            ProgressMode::None => Self::None,
        }
    }
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

/// Tells how far something other than a run has come, in its own words.
pub(crate) struct Teller {
    form: Form,
    unit: Unit,
    began: Instant,
    next: Duration,
}

impl Teller {
    /// Starts the clock; `total` is where the bar ends, in deals or matches.
    pub(crate) fn new(mode: ProgressMode, total: u64, unit: Unit) -> Self {
        Self { form: Form::new(mode, total), unit, began: Instant::now(), next: Duration::from_millis(200) }
    }

    /// Returns the time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Tells what is there after so many, in words or as a JSON object: when it is time to, and always when
    /// `last`. What cannot be written is lost.
    pub(crate) fn tell(
        &mut self,
        last: bool,
        done: u64,
        words: impl FnOnce() -> String,
        json: impl FnOnce() -> serde_json::Value,
    ) {
        let elapsed = self.began.elapsed();
        if elapsed < self.next && !last {
            return;
        }
        match &self.form {
            Form::Bar(bar) => {
                self.next = elapsed + Duration::from_millis(200);
                bar.set_position(done);
                bar.set_message(words());
            }
            Form::Plain => {
                // Sparser and sparser, at last one a minute.
                self.next = (2 * elapsed).min(elapsed + Duration::from_mins(1));
                let line = format!("{} {}, {}\n", thousands(done), self.unit.plural(), words());
                let _ = std::io::stderr().write_all(line.as_bytes());
            }
            Form::Json => {
                self.next = elapsed + Duration::from_secs(1);
                let mut line = json();
                line["seconds"] = elapsed.as_secs_f64().into();
                let _ = writeln!(std::io::stderr(), "{line}");
            }
            Form::None => {}
        }
    }

    /// Ends the bar.
    pub(crate) fn finish(&self) {
        if let Form::Bar(bar) = &self.form {
            bar.finish_and_clear();
        }
    }
}

pub(crate) fn bar(total: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{bar:30} {percent:>3} %  {human_pos} of {human_len}  {msg}  {eta}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(total).with_style(style)
}

/// Returns how many a second, rounded.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a rate for people"
)]
pub(crate) fn rate(count: u64, elapsed: Duration) -> u64 {
    (count as f64 / elapsed.as_secs_f64().max(1e-9)).round() as u64
}
