//! Progress on stderr: a bar, plain lines, or JSON.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use super::shown::safe;
use super::style::thousands;

/// The progress display on the standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProgressMode {
    /// A bar on a terminal, otherwise periodic lines.
    Auto,
    /// Periodic lines.
    Plain,
    /// A JSON object every second.
    Json,
    /// No progress display.
    None,
}

/// The output form of progress.
enum Form {
    /// A bar on a terminal.
    Bar(ProgressBar),
    /// Periodic lines, at growing intervals.
    Plain,
    /// One JSON object per line, every second.
    Json,
    /// No output.
    None,
}

/// A rate-limited progress display on stderr: the bar is updated ten times a second, JSON is printed every second, and
/// lines at growing intervals.
///
/// Write errors are ignored; they never end the work.
pub struct Display {
    form: Form,
    /// The name of the unit, in the plural.
    units: &'static str,
    total: u64,
    /// The number that was done before the clock was started.
    before: u64,
    /// Whether the work may end before the total.
    at_most: bool,
    /// Whether the work ended early.
    is_over: bool,
    began: Instant,
    /// When to update next, since the start.
    next: Duration,
}

impl Display {
    /// Starts the clock for `total` units. The form depends on the mode and on whether stderr is a terminal; nothing is
    /// shown before `first`.
    pub fn new(mode: ProgressMode, total: u64, units: &'static str, first: Duration) -> Self {
        let form = match mode {
            ProgressMode::Auto if io::stderr().is_terminal() => Form::Bar(bar(total)),
            ProgressMode::Auto | ProgressMode::Plain => Form::Plain,
            ProgressMode::Json => Form::Json,
            ProgressMode::None => Form::None,
        };
        Self {
            form,
            units,
            total,
            before: 0,
            at_most: false,
            is_over: false,
            began: Instant::now(),
            next: first,
        }
    }

    /// Declares that the work may end before the total.
    #[must_use]
    pub fn at_most(self) -> Self {
        Self { at_most: true, ..self }
    }

    /// Declares that nothing is left, whatever the total is.
    pub const fn stop_early(&mut self) {
        self.is_over = true;
    }

    /// Counts units that were done before the clock was started.
    pub const fn skip(&mut self, number: u64) {
        self.before += number;
    }

    /// Tests if nothing is ever shown.
    pub const fn is_silent(&self) -> bool {
        matches!(self.form, Form::None)
    }

    /// Returns the time since the start.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Tests if an update is due.
    pub fn is_due(&self) -> bool {
        !self.is_silent() && self.elapsed() >= self.next
    }

    /// Shows how much is done: on a bar or in a line, followed by a message, or as a JSON object, to which the elapsed
    /// time is added. Schedules the next update.
    pub fn show(
        &mut self,
        done: u64,
        message: impl FnOnce() -> String,
        json: impl FnOnce() -> serde_json::Value,
    ) {
        let elapsed = self.elapsed();
        let (pause, text) = match &self.form {
            Form::Bar(bar) => {
                bar.set_position(done);
                bar.set_message(safe(&message()).into_owned());
                (Duration::from_millis(100), String::new())
            }
            // At least one a minute.
            Form::Plain => {
                (elapsed.min(Duration::from_mins(1)), self.line(done, elapsed, &safe(&message())) + "\n")
            }
            Form::Json => {
                let mut json = json();
                json["seconds"] = elapsed.as_secs_f64().into();
                (Duration::from_secs(1), format!("{json}\n"))
            }
            Form::None => return,
        };
        self.next = elapsed + pause;
        // One write, so that no other output comes between.
        let _ = io::stderr().write_all(text.as_bytes());
    }

    /// Formats a line, alike for all commands: the count, the message, the time left.
    fn line(&self, done: u64, elapsed: Duration, message: &str) -> String {
        let Self { units, total, before, at_most, is_over, .. } = *self;
        let most = if at_most { "at most " } else { "" };
        let left = if is_over { 0 } else { total.saturating_sub(done) };
        let left = time_left(done.saturating_sub(before), left, elapsed);
        let left = left.map_or_else(String::new, |left| format!(", {most}{left} left"));
        format!("{} of {most}{} {units}, {message}{left}", thousands(done), thousands(total))
    }

    /// Ends the bar. Tests if a last JSON object with the totals is to be printed.
    pub fn end(&self) -> bool {
        if let Form::Bar(bar) = &self.form {
            bar.finish_and_clear();
        }
        matches!(self.form, Form::Json)
    }
}

/// Counts deals or other units from many threads.
pub struct Meter {
    display: Mutex<Display>,
    is_silent: bool,
    /// The name of the unit, in the singular and the plural.
    unit: [&'static str; 2],
    done: AtomicU64,
}

impl Meter {
    /// Starts the clock to count deals.
    pub fn new(mode: ProgressMode, total: u64) -> Self {
        Self::of(mode, total, ["deal", "deals"])
    }

    /// Starts the clock to count other units.
    pub fn of(mode: ProgressMode, total: u64, unit: [&'static str; 2]) -> Self {
        let display = Display::new(mode, total, unit[1], Duration::from_secs(1));
        Self { is_silent: display.is_silent(), display: Mutex::new(display), unit, done: AtomicU64::new(0) }
    }

    /// Counts deals that were done before the clock was started.
    pub fn skip(&self, deals: u64) {
        self.display.lock().unwrap_or_else(PoisonError::into_inner).skip(deals);
    }

    /// Counts finished units, and updates the display when that is due.
    pub fn add(&self, number: u64) {
        self.done.fetch_add(number, Ordering::Relaxed);
        if self.is_silent {
            return;
        }
        // Another thread is updating the display: this one need not wait.
        let Ok(mut display) = self.display.try_lock() else { return };
        if display.is_due() {
            self.show(&mut display);
        }
    }

    fn show(&self, display: &mut Display) {
        let now = self.done.load(Ordering::Relaxed);
        let (done, total) = (now + display.before, display.total);
        let (rate, [unit, units]) = (rate(now, display.elapsed()), self.unit);
        display.show(
            done,
            || format!("{} {units}/s", thousands(rate)),
            || {
                serde_json::json!({
                    "done": done, "of": total, "unit": unit, format!("{units}_per_second"): rate,
                })
            },
        );
    }

    /// Ends the bar, or prints the last line of JSON.
    pub fn finish(&self) {
        let mut display = self.display.lock().unwrap_or_else(PoisonError::into_inner);
        if display.end() {
            self.show(&mut display);
        }
    }
}

fn bar(total: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{bar:30} {percent:>3} %  {human_pos} of {human_len}  {msg}  {eta}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(total).with_style(style)
}

/// Returns the estimated time left as text; `None` if nothing is left, or if nothing is done to estimate it from.
fn time_left(done: u64, left: u64, elapsed: Duration) -> Option<String> {
    (done > 0 && left > 0).then(|| span(elapsed.as_secs_f64() / done as f64 * left as f64))
}

/// Formats a time: `40 s`, `3 min`, `1 h 20 min`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a time for people; a float too large saturates"
)]
pub fn span(seconds: f64) -> String {
    let seconds = seconds.ceil() as u64;
    let minutes = seconds.div_ceil(60);
    match () {
        () if seconds < 90 => format!("{seconds} s"),
        () if minutes < 90 => format!("{minutes} min"),
        () if minutes < 48 * 60 => format!("{} h {} min", minutes / 60, minutes % 60),
        () => format!("{} days", minutes.div_ceil(24 * 60)),
    }
}

/// Returns the rate per second, rounded.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rate for people")]
pub fn rate(count: u64, elapsed: Duration) -> u64 {
    (count as f64 / elapsed.as_secs_f64().max(1e-9)).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_told_in_the_unit_that_fits() {
        let second = Duration::from_secs(1);
        for (done, left, expected) in [
            (0, 10, None),
            (10, 0, None),
            (1, 1, Some("1 s")),
            (2, 3, Some("2 s")),
            (1, 89, Some("89 s")),
            (1, 90, Some("2 min")),
            (1, 3_601, Some("61 min")),
            (1, 5_400, Some("1 h 30 min")),
            (1, 400_000, Some("5 days")),
            (1, u64::MAX, Some("213503982334602 days")),
        ] {
            assert_eq!(time_left(done, left, second).as_deref(), expected, "{done} {left}");
        }
    }

    #[test]
    fn a_line_tells_how_much_is_done_and_how_long_to_go() {
        let mut display = Display::new(ProgressMode::Plain, 10_000, "deals", Duration::ZERO);
        let line = |display: &Display| display.line(4_000, Duration::from_mins(1), "5 deals/s");
        assert_eq!(line(&display), "4,000 of 10,000 deals, 5 deals/s, 2 min left");
        // What was done before the clock was started took no time.
        display.skip(3_000);
        assert_eq!(line(&display), "4,000 of 10,000 deals, 5 deals/s, 6 min left");
        assert_eq!(line(&display.at_most()), "4,000 of at most 10,000 deals, 5 deals/s, at most 6 min left");
    }
}
