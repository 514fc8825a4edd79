//! The files of a sequential test: `sprt.json` and `sprt.csv`.

use coinche_engine::Seed;
use std::path::Path;

use coinche_engine::record::RulesRecord;
use coinche_inference::{Estimate, SprtPlan};
use coinche_selfplay::records::lines::open_rows;
use coinche_selfplay::{FreezeText, Result};
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
    /// `match` where it is about matches won.
    unit: String,
    /// The regime; `None` where all of the game is the bots' own.
    pub freeze: Option<FreezeText>,
    pub plan: SprtPlan,
    /// The bounds of the log-likelihood ratio, the lower one first.
    pub bounds: [f64; 2],
    pub decision: String,
    pub estimate: Option<Estimate>,
    pub faults: [u64; 2],
    /// Legs of deals forfeited, and all.
    pub forfeited: [u64; 2],
    pub legs: u64,
    #[serde(skip)]
    pub looks: Vec<Look>,
}

/// One look.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct Look {
    pub deals: u64,
    #[serde(rename = "difference")]
    pub mean: f64,
    pub sd: f64,
    /// Half the width of the 95 % interval.
    pub half_width: Option<f64>,
    pub llr: f64,
}

impl TestForm {
    /// Tests if the test is about matches won: its numbers are percentage points over half of them.
    pub(crate) fn is_of_matches(&self) -> bool {
        self.unit == "match"
    }

    /// Returns what its numbers are in.
    pub(crate) fn unit(&self) -> &'static str {
        if self.is_of_matches() {
            "percentage points of matches won over half of them"
        } else {
            "points per deal"
        }
    }

    pub(crate) fn read(directory: &Path) -> Result<Self> {
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
