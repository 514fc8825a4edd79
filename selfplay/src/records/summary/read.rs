//! The one reader of summary tables: CSV, also compressed, and Parquet.

use core::fmt;
use core::ops::ControlFlow;
use std::fs::File;
use std::io::{self, BufRead, Read, Seek};
use std::path::Path;

use parquet::errors::ParquetError;

use super::row::{SummaryRow, schema_of, schemas};
use crate::base::columns::parquet::ParquetTable;
use crate::base::columns::{Batch, Line, Row as _, RowError, Schema};
use crate::base::error::ArenaError;
use crate::base::files::open_checked;
use crate::records::lines::open_rows;

/// Where a row is in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A line, from 1.
    Line(u64),
    /// A row of a row group, both from 0.
    Row {
        /// The row group.
        group: usize,
        /// The row.
        row: usize,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Row { group, row } => write!(f, "row group {group}: row {row}"),
        }
    }
}

/// What is wrong with rows, or what their reader reported.
#[derive(Debug, thiserror::Error)]
pub enum RowsError<E> {
    /// It is no CSV.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    /// A row is none.
    #[error("{0} is not a row of a summary: {1}")]
    Row(Place, RowError),
    /// A row is not what it should be.
    #[error("{0}: {1}")]
    Each(Place, E),
}

impl<E: From<RowError>> RowsError<E> {
    /// Returns the error without its place, which of a part of a table is not that in the table.
    pub fn without_place(self) -> E {
        match self {
            Self::Csv(error) => RowError::from(error).into(),
            Self::Row(_, error) => error.into(),
            Self::Each(_, error) => error,
        }
    }
}

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError<E> {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] ArenaError),
    /// It is no Parquet, or damaged.
    #[error(transparent)]
    Parquet(#[from] ParquetError),
    /// One of its rows.
    #[error(transparent)]
    Rows(#[from] RowsError<E>),
}

/// A summary table.
pub struct SummaryFile {
    /// Its columns.
    pub schema: Schema,
    rows: FileRows,
}

enum FileRows {
    Csv(Box<dyn BufRead>),
    Parquet(Box<ParquetTable<File>>),
}

impl SummaryFile {
    /// Opens a file; `None` where its first line does not name the columns of a summary.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or is a Parquet file of something else.
    pub fn open<E>(path: &Path) -> Result<Option<Self>, ReadError<E>> {
        let error = |source| ArenaError::read(path, source);
        let mut magic = Vec::new();
        let mut file = open_checked(path)?;
        (&mut file).take(4).read_to_end(&mut magic).map_err(error)?;
        if magic == b"PAR1" {
            file.rewind().map_err(error)?;
            let table = ParquetTable::open(file, &schemas())?;
            return Ok(Some(Self { schema: table.schema.clone(), rows: FileRows::Parquet(Box::new(table)) }));
        }
        Self::of_csv(Box::new(open_rows(path)?)).map_err(|source| error(source).into())
    }

    /// Starts with the first line of CSV.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn of_csv(mut input: Box<dyn BufRead>) -> io::Result<Option<Self>> {
        let mut header = Vec::new();
        input.read_until(b'\n', &mut header)?;
        let schema = core::str::from_utf8(&header).ok().and_then(schema_of);
        Ok(schema.map(|schema| Self { schema, rows: FileRows::Csv(input) }))
    }

    /// Hands on the rows, one by one, until it is told to stop.
    ///
    /// # Errors
    ///
    /// When a row is none or cannot be read, or `each` fails.
    pub fn each<E>(
        self,
        mut each: impl FnMut(&SummaryRow<'_>) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), ReadError<E>> {
        let table = match self.rows {
            FileRows::Csv(input) => return Ok(each_line(input, &self.schema, 1, &mut each).map(drop)?),
            FileRows::Parquet(table) => table,
        };
        for group in 0..table.groups() {
            let (mut parts, mut before) = (table.parts(group)?, 0);
            while let Some(rows) = parts.next_part()? {
                if each_of(&rows, (group, before), &mut each)?.is_break() {
                    return Ok(());
                }
                before += rows.rows;
            }
        }
        Ok(())
    }

    /// Hands on the rows by columns, so many at a time, and at least once.
    ///
    /// # Errors
    ///
    /// When a row is none or cannot be read, or `each` fails.
    pub fn each_batch<E>(
        self,
        most: usize,
        mut each: impl FnMut(&Batch) -> Result<(), E>,
    ) -> Result<(), ReadError<E>> {
        let mut rows = Batch::new(self.schema.clone());
        let last = |why| ReadError::from(RowsError::Each(Place::Row { group: 0, row: 0 }, why));
        if let FileRows::Parquet(table) = &self.rows {
            let mut is_empty = true;
            table.each_part(|part| {
                is_empty = false;
                each(part).map_err(last)
            })?;
            return if is_empty { each(&rows).map_err(last) } else { Ok(()) };
        }
        self.each(|row| {
            rows.push(row);
            if rows.rows == most {
                each(&rows)?;
                rows.clear();
            }
            Ok(ControlFlow::Continue(()))
        })?;
        each(&rows).map_err(last)
    }
}

/// Hands on the rows of CSV behind so many lines.
pub(super) fn each_line<E>(
    input: impl Read,
    schema: &Schema,
    before: u64,
    each: &mut impl FnMut(&SummaryRow<'_>) -> Result<ControlFlow<()>, E>,
) -> Result<ControlFlow<()>, RowsError<E>> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .buffer_capacity(1 << 17)
        .from_reader(input);
    let mut record = csv::ByteRecord::new();
    while reader.read_byte_record(&mut record)? {
        let place = || Place::Line(record.position().map_or(0, csv::Position::line) + before);
        let row = SummaryRow::read(&mut Line::new(&schema.columns, &record));
        let row = row.map_err(|why| RowsError::Row(place(), why))?;
        if each(&row).map_err(|why| RowsError::Each(place(), why))?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// Hands on rows by columns: those of a row group behind so many.
pub(super) fn each_of<E>(
    rows: &Batch,
    (group, before): (usize, usize),
    each: &mut impl FnMut(&SummaryRow<'_>) -> Result<ControlFlow<()>, E>,
) -> Result<ControlFlow<()>, RowsError<E>> {
    for (n, row) in rows.iter::<SummaryRow<'_>>().enumerate() {
        let place = || Place::Row { group, row: before + n };
        let row = row.map_err(|why| RowsError::Row(place(), why))?;
        if each(&row).map_err(|why| RowsError::Each(place(), why))?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}
