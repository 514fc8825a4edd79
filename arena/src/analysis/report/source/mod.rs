//! What a report is made of: the files of runs and of sequential tests.

mod form;
mod matches;
mod records;
mod scan;
mod table;
mod test_files;

pub(crate) use form::{Met, RunForm, rules_text};
pub(crate) use matches::{MatchLeg, MatchScan, is_told};
pub(crate) use records::{Forecasts, Seen, TENTHS};
pub(crate) use scan::{Cause, PairingScan, Scan, Swing};
pub(crate) use test_files::{Look, TestForm};

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use coinche_inference::Blocks;

use crate::base::error::ArenaError;

/// A run with all that its directory tells.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) path: PathBuf,
    pub(crate) form: RunForm,
    /// The sums by blocks of deals, where they were kept and there are more than two bots.
    pub(crate) blocks: Option<Blocks>,
    /// What one pass over the summary table found; `None` without a table and where matches are played.
    pub(crate) scan: Option<Scan>,
    /// The same of matches; `None` without a table, where deals are played, and where points of ties wait.
    pub(crate) matches: Option<MatchScan>,
    /// What one pass over the records found.
    pub(crate) seen: Option<Seen>,
}

/// What is reported on.
#[derive(Debug)]
pub(crate) enum Source {
    Run(Box<Run>),
    Test(Box<TestForm>),
}

/// Reads a JSON file.
fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, ArenaError> {
    let text = fs::read(path).map_err(|source| ArenaError::read(path, source))?;
    serde_json::from_slice(&text).map_err(|error| unreadable(path, &error.to_string()))
}

/// The error of a file that is not what it should be.
fn unreadable(path: &Path, why: &str) -> ArenaError {
    ArenaError::Usage(format!(
        "{}: {why}; it was not written by `arena`, or by another version",
        path.display()
    ))
}

impl Source {
    /// Reads a directory.
    ///
    /// # Errors
    ///
    /// When it holds no run and no test, or a file of it cannot be read or tells other numbers than the others.
    pub(crate) fn read(path: &Path) -> Result<Self, ArenaError> {
        // The file of figures means its directory.
        let is_file = path.is_file() && path.extension().is_some_and(|extension| extension == "json");
        let directory = if is_file { path.parent().unwrap_or(path) } else { path };
        // The directory of a test is that of a run as well.
        if directory.join("sprt.json").is_file() {
            return Ok(Self::Test(Box::new(TestForm::read(directory)?)));
        }
        if directory.join("run.json").is_file() {
            return Ok(Self::Run(Box::new(Run::read(directory)?)));
        }
        if directory.join("tune.json").is_file() {
            return Err(ArenaError::Usage(format!(
                "{} holds a tuning: the run of its result against the start is in {}",
                directory.display(),
                directory.join("verify").display()
            )));
        }
        Err(ArenaError::Usage(format!(
            "{} holds neither run.json nor sprt.json: expected the directory of a run or of a sequential test",
            path.display()
        )))
    }
}

impl Run {
    fn read(directory: &Path) -> Result<Self, ArenaError> {
        let path = directory.join("run.json");
        let form: RunForm = read_json(&path)?;
        form.check().map_err(|why| unreadable(&path, &why))?;
        let blocks = if form.bots.len() > 2 { form::read_blocks(directory, &form)? } else { None };
        let scan = scan::read(directory, &form)?;
        let matches = matches::read(directory, &form)?;
        let wanted: BTreeSet<u64> =
            scan.iter().flat_map(|scan| scan.swings.iter().map(|swing| swing.deal)).collect();
        let seen = records::read(directory, &wanted)?;
        Ok(Self { path: directory.to_owned(), form, blocks, scan, matches, seen })
    }
}
