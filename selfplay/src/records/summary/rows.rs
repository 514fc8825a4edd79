//! Rows of a summary in the form in which they go on to a file.

use core::convert::Infallible;
use core::ops::ControlFlow;

use super::read::{RowsError, each_line, each_of};
use super::row::{SummaryRow, schema};
use crate::base::columns::{Batch, Schema};
use crate::play::schedule::Unit;
use crate::records::forms::TableForm;

/// Rows of the summary table.
#[derive(Debug, Clone, PartialEq)]
pub enum Rows {
    /// Comma-separated values.
    Text(Vec<u8>),
    /// Columns, on the way to Parquet.
    Columns(Box<Batch>),
}

/// Rows of somebody else.
#[derive(Debug, Clone, Copy)]
pub enum RowsPart<'a> {
    /// Comma-separated values.
    Text(&'a [u8]),
    /// Columns, on the way to Parquet.
    Columns(&'a Batch),
}

impl Rows {
    /// Starts without a row, on the way to a table of this form, of deals or matches; `several`: with a column for
    /// the pairing.
    pub fn new(form: TableForm, unit: Unit, several: bool) -> Self {
        match form {
            TableForm::Csv | TableForm::CsvZst => Self::Text(Vec::new()),
            TableForm::Parquet => Self::Columns(Box::new(Batch::new(schema(unit, several)))),
        }
    }

    /// Forgets all rows and keeps the memory.
    pub fn clear(&mut self) {
        match self {
            Self::Text(text) => text.clear(),
            Self::Columns(columns) => columns.clear(),
        }
    }

    /// Tests if there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the size: bytes of text, or rows by columns. [`Self::truncate`] takes it back.
    pub fn len(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Columns(columns) => columns.rows,
        }
    }

    /// Returns the memory that they take, in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Columns(columns) => columns.bytes(),
        }
    }

    /// Keeps the first part, of a size that [`Self::len`] returned.
    pub fn truncate(&mut self, len: usize) {
        match self {
            Self::Text(text) => text.truncate(len),
            Self::Columns(columns) => columns.truncate(len),
        }
    }

    /// Returns the rows without owning them.
    pub fn part(&self) -> RowsPart<'_> {
        match self {
            Self::Text(text) => RowsPart::Text(text),
            Self::Columns(columns) => RowsPart::Columns(columns),
        }
    }

    /// Appends other rows of the same form.
    pub fn append(&mut self, other: RowsPart<'_>) {
        match (self, other) {
            (Self::Text(text), RowsPart::Text(other)) => text.extend_from_slice(other),
            (Self::Columns(columns), RowsPart::Columns(other)) => columns.append(other),
            _ => unreachable!("the rows of a run have one form"),
        }
    }

    /// Returns the rows as comma-separated values.
    pub fn to_text(&self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.clone(),
            Self::Columns(columns) => {
                let mut text = Vec::new();
                columns.push_csv(&mut text);
                text
            }
        }
    }

    /// Appends rows of text.
    ///
    /// # Errors
    ///
    /// When one is not of these columns; text is taken as it is.
    pub fn push_text(&mut self, text: &[u8]) -> Result<(), RowsError<Infallible>> {
        match self {
            Self::Text(rows) => {
                rows.extend_from_slice(text);
                Ok(())
            }
            Self::Columns(columns) => {
                let schema = columns.schema.clone();
                each_line(text, &schema, 0, &mut |row| {
                    columns.push(row);
                    Ok(ControlFlow::Continue(()))
                })
                .map(drop)
            }
        }
    }

    /// Hands on the rows, one by one; these are the columns of text.
    ///
    /// # Errors
    ///
    /// When a row is none, or `each` fails.
    pub fn each<E>(
        &self,
        schema: &Schema,
        mut each: impl FnMut(&SummaryRow<'_>) -> Result<(), E>,
    ) -> Result<(), RowsError<E>> {
        let mut each = |row: &SummaryRow<'_>| each(row).map(ControlFlow::Continue);
        match self {
            Self::Text(text) => each_line(&text[..], schema, 0, &mut each).map(drop),
            Self::Columns(rows) => each_of(rows, (0, 0), &mut each).map(drop),
        }
    }
}
