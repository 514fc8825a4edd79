//! One pass over a summary table, whatever its form.

use core::ops::ControlFlow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

use coinche_selfplay::base::Result;
use coinche_selfplay::records::summary::{ReadError, SummaryFile, SummaryRow};

use super::error::{PassError, TableError, unreadable};
use coinche_runs::figures::RunJson;

/// What follows a row; the rows behind a break belong to no figure yet.
pub(super) type Next = Result<ControlFlow<()>, PassError>;

/// Reads the rows of a table.
pub(super) fn read(path: &Path, take: impl FnMut(&SummaryRow<'_>) -> Next) -> Result<()> {
    let error = |error| match error {
        ReadError::File(error) => error,
        error => unreadable(path, TableError::Row(error)),
    };
    let table =
        SummaryFile::open(path).map_err(error)?.ok_or_else(|| unreadable(path, TableError::Header))?;
    table.each(take).map_err(error)
}

/// How many deals or matches are shown.
const MOST: usize = 10;

/// The deals or matches with the largest of many differences, in little memory: by size, number and pairing.
pub(super) struct Largest<T>(BTreeMap<(Reverse<u64>, u64, usize), T>);

impl<T> Largest<T> {
    pub(super) const fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// Takes a deal or match, given twice its paired difference.
    pub(super) fn push(&mut self, doubled: i64, number: u64, pairing: usize, item: T) {
        // Of equal sizes the first comes first.
        let key = (Reverse(doubled.unsigned_abs()), number, pairing);
        if self.0.len() < MOST || self.0.last_key_value().is_some_and(|(last, _)| key < *last) {
            self.0.insert(key, item);
            if self.0.len() > MOST {
                self.0.pop_last();
            }
        }
    }

    /// Returns them, the largest first.
    pub(super) fn into_vec(self) -> Vec<T> {
        self.0.into_values().collect()
    }
}

/// Checks that the means of the pairings are those of `run.json`.
pub(super) fn check_means(
    path: &Path,
    form: &RunJson,
    units: &'static str,
    means: impl Iterator<Item = f64>,
) -> Result<()> {
    for (met, found) in form.met().iter().zip(means) {
        let told = met.points.map_or(0.0, |points| points.mean);
        if (told - found).abs() > 1e-9 * told.abs().max(1.0) {
            let versus = form.versus(met.ends);
            return Err(unreadable(path, TableError::Mean { versus, units, found, told }));
        }
    }
    Ok(())
}
