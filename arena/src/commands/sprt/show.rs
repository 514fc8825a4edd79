//! What a person sees of a sequential test: a line while it is under way, and the verdict.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use serde_json::json;

use crate::config::{ProgressMode, RunConfig, nearest_preset};
use crate::progress::bar;
use crate::report::thousands;
use crate::stats::{Checkpoint, Decision, SequentialTest, SprtPlan};
use crate::tally::Tally;

/// Tells the state of the test on the standard error, when it is time to.
pub(super) struct Live {
    form: Form,
    began: Instant,
    next: Duration,
}

enum Form {
    Bar(ProgressBar),
    Plain,
    Json,
    None,
}

/// Where the ratio is between its bounds, and the difference so far.
fn state(test: &SequentialTest, look: &Checkpoint) -> String {
    let [low, high] = test.plan().thresholds();
    let half = test.estimate().and_then(|estimate| estimate.half_width);
    let half = half.map_or_else(String::new, |half| format!(" ± {half:.1}"));
    format!("LLR {:+.2} ({low:.2} to {high:.2}), A − B = {:+.1}{half}", look.llr, look.mean)
}

impl Live {
    /// Starts the clock.
    pub(super) fn new(config: &RunConfig, plan: &SprtPlan) -> Self {
        let form = match config.progress {
            ProgressMode::Auto if std::io::stderr().is_terminal() => Form::Bar(bar(plan.most)),
            ProgressMode::Auto | ProgressMode::Plain => Form::Plain,
            ProgressMode::Json => Form::Json,
            ProgressMode::None => Form::None,
        };
        Self { form, began: Instant::now(), next: Duration::from_millis(200) }
    }

    /// Tells a look; the last one always. What cannot be written is lost.
    pub(super) fn look(&mut self, test: &SequentialTest, look: &Checkpoint) {
        let elapsed = self.began.elapsed();
        if elapsed < self.next && look.decision == Decision::GoOn {
            return;
        }
        match &self.form {
            Form::Bar(bar) => {
                self.next = elapsed + Duration::from_millis(200);
                bar.set_position(look.pairs);
                bar.set_message(state(test, look));
            }
            Form::Plain => {
                // Sparser and sparser, at last one a minute.
                self.next = (2 * elapsed).min(elapsed + Duration::from_mins(1));
                let line = format!("{} deals, {}\n", thousands(look.pairs), state(test, look));
                let _ = std::io::stderr().write_all(line.as_bytes());
            }
            Form::Json => {
                self.next = elapsed + Duration::from_secs(1);
                let line = json!({ "look": look, "bounds": test.plan().thresholds(),
                    "seconds": elapsed.as_secs_f64() });
                let _ = writeln!(std::io::stderr(), "{line}");
            }
            Form::None => {}
        }
    }

    /// Ends the bar.
    pub(super) fn finish(&self) {
        if let Form::Bar(bar) = &self.form {
            bar.finish_and_clear();
        }
    }
}

/// Returns the verdict.
pub(super) fn verdict(config: &RunConfig, test: &SequentialTest, tally: &Tally) -> String {
    let SprtPlan { lower, upper, alpha, beta, .. } = test.plan();
    let deals = thousands(test.sums().pairs);
    let mut words = match test.decision() {
        Decision::Upper => format!(
            "upper bound accepted: A − B is above {lower:+} points a deal (chance of error {} %)",
            100.0 * alpha
        ),
        Decision::Lower => format!(
            "lower bound accepted: A − B is below {upper:+} points a deal (chance of error {} %)",
            100.0 * beta
        ),
        Decision::Undecided => format!("undecided between {lower:+} and {upper:+} points a deal"),
        Decision::GoOn => format!("stopped between {lower:+} and {upper:+} points a deal"),
    };
    let (rules, settings) = nearest_preset(&config.rules);
    let changed = if settings.is_empty() { "" } else { ", changed" };
    let [a, b] = config.first_two();
    let _ = write!(
        words,
        "\n  A = {a}, B = {b}\n  after {deals} deals in pairs, seed {}, rules {rules}{changed}",
        config.seed
    );
    if let Some(look) = test.last() {
        let _ = write!(words, "\n  {}", state(test, look));
    }
    if matches!(test.decision(), Decision::Upper | Decision::Lower) {
        words.push_str(" (95 %; after an early stop too far out)");
    }
    let faults = [0, 1].map(|side| tally.sides[side].all_faults());
    if faults != [0, 0] {
        let _ = write!(words, "\n  faults: A {}, B {}", thousands(faults[0]), thousands(faults[1]));
    }
    words.push('\n');
    words
}
