//! Progress on the standard error: a bar, plain lines, or JSON.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use super::style::thousands;

/// How the progress is told on the standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProgressMode {
    /// A bar on a terminal, else plain lines.
    Auto,
    /// A line now and then.
    Plain,
    /// A JSON object a line, every second.
    Json,
    /// Nothing.
    None,
}

/// Where progress goes, and how.
enum Form {
    /// A bar on a terminal.
    Bar(ProgressBar),
    /// Lines, sparser and sparser.
    Plain,
    /// A JSON object a line, every second.
    Json,
    /// Nowhere.
    None,
}

/// The standard error, where progress is shown when it is time to: a bar ten times a second, an object of JSON every
/// second, and lines sparser and sparser.
///
/// What cannot be written is lost; it never ends the work.
pub struct Display {
    form: Form,
    began: Instant,
    /// When to show something next, since the start.
    next: Duration,
}

impl Display {
    /// Starts the clock. The form is chosen by the mode, and by whether somebody watches; a bar ends at `total`, and
    /// nothing is shown before `first`.
    pub fn new(mode: ProgressMode, total: u64, first: Duration) -> Self {
        let form = match mode {
            ProgressMode::Auto if io::stderr().is_terminal() => Form::Bar(bar(total)),
            ProgressMode::Auto | ProgressMode::Plain => Form::Plain,
            ProgressMode::Json => Form::Json,
            ProgressMode::None => Form::None,
        };
        Self { form, began: Instant::now(), next: first }
    }

    /// Tests if nothing is ever shown.
    pub const fn is_silent(&self) -> bool {
        matches!(self.form, Form::None)
    }

    /// Returns the time since the start.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Tests if it is time to show something.
    pub fn is_due(&self) -> bool {
        !self.is_silent() && self.elapsed() >= self.next
    }

    /// Shows how much is done: on a bar with a message behind it, in a line, or as a JSON object, to which the time
    /// since the start is added. The next is due after a while.
    pub fn show(
        &mut self,
        done: u64,
        message: impl FnOnce() -> String,
        line: impl FnOnce() -> String,
        json: impl FnOnce() -> serde_json::Value,
    ) {
        let elapsed = self.elapsed();
        let (pause, text) = match &self.form {
            Form::Bar(bar) => {
                bar.set_position(done);
                bar.set_message(message());
                (Duration::from_millis(100), String::new())
            }
            // At last one a minute.
            Form::Plain => (elapsed.min(Duration::from_mins(1)), line() + "\n"),
            Form::Json => {
                let mut json = json();
                json["seconds"] = elapsed.as_secs_f64().into();
                (Duration::from_secs(1), format!("{json}\n"))
            }
            Form::None => return,
        };
        self.next = elapsed + pause;
        // In one piece, so that nothing comes between.
        let _ = io::stderr().write_all(text.as_bytes());
    }

    /// Ends the bar. Tests if a last object of JSON is to be shown, which tells the whole.
    pub fn end(&self) -> bool {
        if let Form::Bar(bar) = &self.form {
            bar.finish_and_clear();
        }
        matches!(self.form, Form::Json)
    }
}

/// Counts deals, or something else, from many threads.
pub struct Meter {
    display: Mutex<Display>,
    is_silent: bool,
    /// What is counted, in the singular and the plural.
    unit: [&'static str; 2],
    total: u64,
    /// Deals that were there before.
    before: AtomicU64,
    done: AtomicU64,
}

impl Meter {
    /// Starts the clock, to count deals.
    pub fn new(mode: ProgressMode, total: u64) -> Self {
        Self::of(mode, total, ["deal", "deals"])
    }

    /// Starts the clock, to count something else.
    pub fn of(mode: ProgressMode, total: u64, unit: [&'static str; 2]) -> Self {
        let display = Display::new(mode, total, Duration::from_secs(1));
        Self {
            is_silent: display.is_silent(),
            display: Mutex::new(display),
            unit,
            total,
            before: AtomicU64::new(0),
            done: AtomicU64::new(0),
        }
    }

    /// Counts deals that were there before.
    pub fn skip(&self, deals: u64) {
        self.before.fetch_add(deals, Ordering::Relaxed);
    }

    /// Counts some that are done, and shows it when it is time to.
    pub fn add(&self, number: u64) {
        self.done.fetch_add(number, Ordering::Relaxed);
        if self.is_silent {
            return;
        }
        // Whoever comes while another thread shows it has nothing to add.
        let Ok(mut display) = self.display.try_lock() else { return };
        if display.is_due() {
            self.show(&mut display);
        }
    }

    fn show(&self, display: &mut Display) {
        let now = self.done.load(Ordering::Relaxed);
        let done = now + self.before.load(Ordering::Relaxed);
        let (rate, [unit, units]) = (rate(now, display.elapsed()), self.unit);
        display.show(
            done,
            || format!("{} {units}/s", thousands(rate)),
            || {
                let (done, total) = (thousands(done), thousands(self.total));
                format!("{done} of {total} {units}, {} {units}/s", thousands(rate))
            },
            || {
                serde_json::json!({
                    "done": done, "of": self.total, "unit": unit, format!("{units}_per_second"): rate,
                })
            },
        );
    }

    /// Ends the bar, or writes the last line of JSON.
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

/// Returns how many a second, rounded.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a rate for people"
)]
pub fn rate(count: u64, elapsed: Duration) -> u64 {
    (count as f64 / elapsed.as_secs_f64().max(1e-9)).round() as u64
}
