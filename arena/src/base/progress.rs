//! Progress on the standard error: a bar, plain lines, or JSON.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
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
pub(crate) enum Form {
    /// A bar on a terminal.
    Bar(ProgressBar),
    /// Lines, sparser and sparser.
    Plain,
    /// A JSON object a line, every second.
    Json,
    /// Nowhere.
    None,
}

impl Form {
    /// Chooses by the mode, and by whether somebody watches.
    pub(crate) fn new(mode: ProgressMode, total: u64) -> Self {
        match mode {
            ProgressMode::Auto if std::io::stderr().is_terminal() => Self::Bar(bar(total)),
            ProgressMode::Auto | ProgressMode::Plain => Self::Plain,
            ProgressMode::Json => Self::Json,
            ProgressMode::None => Self::None,
        }
    }
}

/// Counts deals, or something else, from many threads.
pub(crate) struct Meter {
    form: Form,
    /// What is counted, in the singular and the plural.
    unit: [&'static str; 2],
    began: Instant,
    total: u64,
    /// Deals that were there before.
    before: AtomicU64,
    done: AtomicU64,
    /// When to tell next, since the start.
    next: Mutex<Duration>,
}

impl Meter {
    /// Starts the clock, to count deals.
    pub(crate) fn new(mode: ProgressMode, total: u64) -> Self {
        Self::of(mode, total, ["deal", "deals"])
    }

    /// Starts the clock, to count something else.
    pub(crate) fn of(mode: ProgressMode, total: u64, unit: [&'static str; 2]) -> Self {
        let form = Form::new(mode, total);
        Self {
            form,
            unit,
            began: Instant::now(),
            total,
            before: AtomicU64::new(0),
            done: AtomicU64::new(0),
            next: Mutex::new(Duration::from_secs(1)),
        }
    }

    /// Counts deals that were there before.
    pub(crate) fn skip(&self, deals: u64) {
        self.before.fetch_add(deals, Ordering::Relaxed);
    }

    /// Counts some that are done, and tells when it is time to.
    pub(crate) fn add(&self, number: u64) {
        self.done.fetch_add(number, Ordering::Relaxed);
        if matches!(self.form, Form::None) {
            return;
        }
        // Whoever comes while another thread tells has nothing to add.
        let Ok(mut next) = self.next.try_lock() else { return };
        let elapsed = self.began.elapsed();
        if elapsed >= *next {
            *next = match self.form {
                Form::Bar(_) => elapsed + Duration::from_millis(100),
                Form::Plain => (2 * elapsed).min(elapsed + Duration::from_mins(1)),
                Form::Json | Form::None => elapsed + Duration::from_secs(1),
            };
            self.tell(elapsed);
        }
    }

    fn tell(&self, elapsed: Duration) {
        let now = self.done.load(Ordering::Relaxed);
        let done = now + self.before.load(Ordering::Relaxed);
        let (rate, [unit, units]) = (rate(now, elapsed), self.unit);
        // What cannot be written is lost; it never ends the work.
        let _ = match &self.form {
            Form::Bar(bar) => {
                bar.set_position(done);
                bar.set_message(format!("{} {units}/s", thousands(rate)));
                Ok(())
            }
            Form::Plain => {
                let (done, total) = (thousands(done), thousands(self.total));
                writeln!(io::stderr(), "{done} of {total} {units}, {} {units}/s", thousands(rate))
            }
            Form::Json => {
                let line = serde_json::json!({
                    "done": done, "of": self.total, "unit": unit,
                    format!("{units}_per_second"): rate, "seconds": elapsed.as_secs_f64(),
                });
                writeln!(io::stderr(), "{line}")
            }
            Form::None => Ok(()),
        };
    }

    /// Ends the bar, or writes the last line of JSON.
    pub(crate) fn finish(&self) {
        match &self.form {
            Form::Bar(bar) => bar.finish_and_clear(),
            Form::Json => self.tell(self.began.elapsed()),
            Form::Plain | Form::None => {}
        }
    }
}

/// Tells how far something other than a run has come, in its own words.
pub(crate) struct Teller {
    form: Form,
    unit: [&'static str; 2],
    began: Instant,
    next: Duration,
}

impl Teller {
    /// Starts the clock; `total` is where the bar ends, in units (their name in the singular and the plural).
    pub(crate) fn new(mode: ProgressMode, total: u64, unit: [&'static str; 2]) -> Self {
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
                let line = format!("{} {}, {}\n", thousands(done), self.unit[1], words());
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
pub(crate) fn rate(count: u64, elapsed: Duration) -> u64 {
    (count as f64 / elapsed.as_secs_f64().max(1e-9)).round() as u64
}
