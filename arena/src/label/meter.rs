//! How far labelling has come, told on the standard error by the threads at work.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use crate::config::ProgressMode;
use crate::progress::{bar, rate};
use crate::report::thousands;

/// Counts deals, or something else.
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

enum Form {
    Bar(ProgressBar),
    Plain,
    Json,
    None,
}

impl Meter {
    /// Starts the clock, to count deals.
    pub(crate) fn new(mode: ProgressMode, total: u64) -> Self {
        Self::of(mode, total, ["deal", "deals"])
    }

    /// Starts the clock, to count something else.
    pub(crate) fn of(mode: ProgressMode, total: u64, unit: [&'static str; 2]) -> Self {
        let form = match mode {
            ProgressMode::Auto if io::stderr().is_terminal() => Form::Bar(bar(total)),
            ProgressMode::Auto | ProgressMode::Plain => Form::Plain,
            ProgressMode::Json => Form::Json,
            ProgressMode::None => Form::None,
        };
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
