//! Rows of a summary in the form in which they go on to a file.

use super::columns::{Columns, RowError, Schema};
use crate::play::schedule::Unit;
use crate::records::forms::TableForm;

/// Rows of the summary table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rows {
    /// Comma-separated values.
    Text(Vec<u8>),
    /// Columns, on the way to Parquet.
    #[doc(hidden)]
    Columns(ColumnRows),
}

/// Rows of somebody else.
#[derive(Debug, Clone, Copy)]
pub enum RowsPart<'a> {
    /// Comma-separated values.
    Text(&'a [u8]),
    /// Columns, on the way to Parquet.
    Columns(&'a Columns),
}

/// Rows by columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnRows(pub Box<Columns>);

impl Rows {
    /// Starts without a row, on the way to a table of this form, of deals or matches; `several`: with a column for
    /// the pairing.
    pub fn new(form: TableForm, unit: Unit, several: bool) -> Self {
        match form {
            TableForm::Csv | TableForm::CsvZst => Self::Text(Vec::new()),
            TableForm::Parquet => {
                Self::Columns(ColumnRows(Box::new(Columns::new(Schema::new(unit, several)))))
            }
        }
    }

    /// Forgets all rows and keeps the memory.
    pub fn clear(&mut self) {
        match self {
            Self::Text(text) => text.clear(),
            Self::Columns(columns) => columns.0.clear(),
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
            Self::Columns(columns) => columns.0.rows,
        }
    }

    /// Returns the memory that they take, in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Columns(columns) => columns.0.bytes(),
        }
    }

    /// Keeps the first part, of a size that [`Self::len`] returned.
    pub fn truncate(&mut self, len: usize) {
        match self {
            Self::Text(text) => text.truncate(len),
            Self::Columns(columns) => columns.0.truncate(len),
        }
    }

    /// Returns the rows without owning them.
    pub fn part(&self) -> RowsPart<'_> {
        match self {
            Self::Text(text) => RowsPart::Text(text),
            Self::Columns(columns) => RowsPart::Columns(&columns.0),
        }
    }

    /// Appends other rows of the same form.
    pub fn append(&mut self, other: RowsPart<'_>) {
        match (self, other) {
            (Self::Text(text), RowsPart::Text(other)) => text.extend_from_slice(other),
            (Self::Columns(columns), RowsPart::Columns(other)) => columns.0.append(other),
            _ => unreachable!("the rows of a run have one form"),
        }
    }

    /// Returns the rows as comma-separated values.
    pub fn to_text(&self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.clone(),
            Self::Columns(columns) => {
                let mut text = Vec::new();
                columns.0.push_csv(&mut text);
                text
            }
        }
    }

    /// Appends rows of comma-separated values.
    ///
    /// # Errors
    ///
    /// Names what is no row of this schema; text is taken as it is.
    pub fn push_text(&mut self, text: &[u8]) -> Result<(), RowError> {
        match self {
            Self::Text(rows) => rows.extend_from_slice(text),
            Self::Columns(columns) => {
                let mut reader =
                    csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
                let mut record = csv::ByteRecord::new();
                while reader.read_byte_record(&mut record)? {
                    columns.0.push_texts(record.iter())?;
                }
            }
        }
        Ok(())
    }
}
