//! One pass over a summary table, whatever its form.

use core::ops::ControlFlow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::records::summary::{ReadError, SummaryFile, SummaryRow};

use super::error::{PassError, TableError, unreadable};

/// What takes the rows.
pub(super) trait Pass {
    /// Tests if there are rows still to come: those behind belong to no figure yet.
    fn goes_on(&self) -> bool;

    /// Takes a row.
    fn add_row(&mut self, row: &SummaryRow<'_>) -> Result<(), PassError>;
}

/// Reads a table.
pub(super) fn read(path: &Path, pass: &mut impl Pass) -> Result<(), ArenaError> {
    let error = |error| match error {
        ReadError::File(error) => error,
        error => unreadable(path, TableError::Row(error)),
    };
    let table =
        SummaryFile::open(path).map_err(error)?.ok_or_else(|| unreadable(path, TableError::Header))?;
    let read = table.each(|row| {
        if !pass.goes_on() {
            return Ok(ControlFlow::Break(()));
        }
        pass.add_row(row).map(ControlFlow::Continue)
    });
    read.map_err(error)
}

/// How many deals or matches are shown.
const MOST: usize = 10;

/// The largest of many, in little memory.
pub(super) struct Largest<T>(BinaryHeap<Reverse<T>>);

impl<T: Ord> Largest<T> {
    pub(super) const fn new() -> Self {
        Self(BinaryHeap::new())
    }

    pub(super) fn push(&mut self, item: T) {
        if self.0.len() < MOST || self.0.peek().is_some_and(|Reverse(least)| item > *least) {
            self.0.push(Reverse(item));
            if self.0.len() > MOST {
                self.0.pop();
            }
        }
    }

    /// Returns them, the largest first.
    pub(super) fn into_vec(self) -> Vec<T> {
        // Sorted by what is reversed.
        self.0.into_sorted_vec().into_iter().map(|Reverse(item)| item).collect()
    }
}
