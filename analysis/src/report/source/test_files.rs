//! The files of a sequential test: `sprt.json` and `sprt.csv`.

use coinche_engine::Seed;
use std::path::Path;

use coinche_engine::record::RulesRecord;
use coinche_inference::MeanOfPairs;
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::play::freeze::FreezeText;
use coinche_selfplay::records::lines::open_rows;
use serde::Deserialize;

use super::error::{FormError, unreadable};
use super::read_json;

/// A sequential test as its files tell it.
#[derive(Debug, Deserialize)]
pub(crate) struct TestForm {
    v: u32,
    pub version: String,
    pub commit: String,
    pub command: String,
    pub bots: Vec<String>,
    pub rules: RulesRecord,
    pub seed: Seed,
    /// `match` where it is about matches won; absent in older files.
    #[serde(default)]
    unit: Option<String>,
    /// The regime; absent where all of the game is the bots' own.
    #[serde(default)]
    pub freeze: Option<FreezeText>,
    pub plan: Plan,
    /// The bounds of the log-likelihood ratio, the lower one first.
    pub bounds: [f64; 2],
    pub decision: String,
    pub estimate: Option<Interval>,
    pub faults: [u64; 2],
    /// Legs of deals forfeited, and all; absent in older files.
    #[serde(default)]
    pub forfeited: [u64; 2],
    #[serde(default)]
    pub legs: u64,
    #[serde(skip)]
    pub looks: Vec<Look>,
}

/// What the test was asked.
#[derive(Debug, Deserialize)]
pub(crate) struct Plan {
    pub lower: f64,
    pub upper: f64,
    pub alpha: f64,
    pub beta: f64,
}

/// An estimate.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct Interval {
    pub pairs: u64,
    /// How many pairs differ; absent in older files, as is `leg_sd`.
    pub differing: Option<u64>,
    leg_sd: Option<f64>,
    pub mean: f64,
    pub half_width: Option<f64>,
}

impl Interval {
    /// Returns half the width of the 95 % interval after so many of the pairs, with their standard deviation.
    #[expect(clippy::cast_precision_loss, reason = "counts of deals are below 2^53")]
    pub(crate) fn half_width_at(&self, deals: u64, sd: f64) -> Option<f64> {
        let leg_square = self.leg_sd.map_or(0.0, |leg| leg * leg);
        let [pairs, n] = [deals, deals.max(2) - 1].map(|n| n as f64);
        let variance = sd * sd * pairs / n;
        let mean =
            MeanOfPairs { pairs: deals, differing: deals, mean: 0.0, variance, leg_square, degrees: n };
        mean.interval(0.95).map(|interval| interval.half_width)
    }
}

/// One look.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct Look {
    pub deals: u64,
    /// `mean` in older files.
    #[serde(rename = "difference", alias = "mean")]
    pub mean: f64,
    pub sd: f64,
    pub llr: f64,
}

impl TestForm {
    /// Tests if the test is about matches won: its numbers are percentage points over half of them.
    pub(crate) fn is_of_matches(&self) -> bool {
        self.unit.as_deref() == Some("match")
    }

    /// Returns what its numbers are in.
    pub(crate) fn unit(&self) -> &'static str {
        if self.is_of_matches() {
            "percentage points of matches won over half of them"
        } else {
            "points per deal"
        }
    }

    pub(super) fn read(directory: &Path) -> Result<Self, ArenaError> {
        let path = directory.join("sprt.json");
        let mut form: Self = read_json(&path)?;
        if form.v != 1 || form.bots.len() != 2 {
            return Err(unreadable(&path, FormError::NoTest));
        }
        form.rules.rules().map_err(|error| unreadable(&path, FormError::Rules(error)))?;
        let path = directory.join("sprt.csv");
        let mut reader = csv::Reader::from_reader(open_rows(&path)?);
        let looks: Result<Vec<Look>, _> = reader.deserialize().collect();
        form.looks = looks.map_err(|error| unreadable(&path, error))?;
        Ok(form)
    }
}
