//! Recomputes the files of a sequential test from the totals of its run.

use std::path::Path;
use std::time::Duration;

use coinche_inference::{Decision, SequentialTest, SprtPlan};
use coinche_selfplay::base::files::read_json;
use coinche_selfplay::{ArenaError, Result};
use serde_json::Value;

use super::asked::Asked;
use super::files::{Looks, RESULT, TABLE, read_looks, to_json};
use super::looks::impossible;
use coinche_runs::differences::differences;
use coinche_runs::{RunConfig, Totals};

/// The findings on the files of a test.
pub(crate) struct Verified {
    /// By file, what is wrong with it.
    pub(crate) wrong: [(&'static str, Vec<String>); 2],
    /// Whether a bound was accepted, or all deals were played.
    pub(crate) is_over: bool,
    /// The number of looks before the last one: the deals up to them cannot be recounted.
    pub(crate) middle: usize,
}

/// Checks the files of the test in a directory.
pub(crate) fn verify(directory: &Path, config: &RunConfig, totals: &Totals) -> Result<Verified> {
    let path = directory.join(RESULT);
    let damaged = |error: serde_json::Error| ArenaError::damaged(&path, error);
    let file: Value = serde_json::from_slice(&read_json(&path)?).map_err(damaged)?;
    let plan: SprtPlan = serde_json::from_value(file["plan"].clone()).map_err(damaged)?;
    let asked = Asked { config: config.clone(), plan, share: None };
    let sums = asked.sums(totals.first());
    let Looks { text, kept, last, .. } = read_looks(directory, &asked, totals)?;
    // With a control, a look has residuals of the differences, which are not integers to check.
    let wrong_rows = match &asked.config.control {
        _ if kept < text.len() => vec!["it has looks behind the last pair played".to_owned()],
        None => impossible(&text, &plan, &sums),
        Some(_) => Vec::new(),
    };
    let test = SequentialTest::resume(plan, last, sums)?;
    let again = to_json(&asked, &test, totals, Duration::ZERO);
    let wrong = differences(&file, &serde_json::from_str(&again).map_err(damaged)?);
    let is_over = test.decision() != Decision::GoOn;
    // Without the header and the last look.
    let middle = text.lines().count().saturating_sub(2);
    Ok(Verified { middle, wrong: [(TABLE, wrong_rows), (RESULT, wrong)], is_over })
}
