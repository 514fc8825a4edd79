//! One pass over a summary table, whatever its form.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::records::lines::open_rows;
use coinche_selfplay::records::write::parquet::ParquetTable;

use super::error::{TableError, unreadable};

/// What takes the rows.
pub(super) trait Pass {
    /// Reads rows of comma-separated values; the first names the columns.
    ///
    /// # Errors
    ///
    /// Names the row that is wrong.
    fn read(&mut self, input: &mut dyn Read) -> Result<(), TableError>;
}

/// Reads a table.
///
/// # Errors
///
/// When it cannot be read, or a row is wrong.
pub(super) fn read(path: &Path, pass: &mut impl Pass) -> Result<(), ArenaError> {
    if path.extension().is_none_or(|extension| extension != "parquet") {
        let mut input = open_rows(path)?;
        return pass.read(&mut input).map_err(|why| unreadable(path, why));
    }
    let file = File::open(path).map_err(|source| ArenaError::read(path, source))?;
    let table = ParquetTable::open(file).map_err(|error| unreadable(path, error))?;
    for number in 0..table.groups() {
        let mut parts = table.parts(number).map_err(|error| unreadable(path, error))?;
        while let Some(rows) = parts.next_part().map_err(|error| unreadable(path, error))? {
            let mut text = table.schema.header().into_bytes();
            rows.push_csv(&mut text);
            let read = pass.read(&mut &text[..]);
            read.map_err(|why| unreadable(path, TableError::Group { group: number, why: Box::new(why) }))?;
        }
    }
    Ok(())
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
