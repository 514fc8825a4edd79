//! Writes tables too long for memory, as CSV and Parquet.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::column::Column;
use super::dictionary;
use super::forms::{csv_head, push_csv};
use super::model::Cell;
use super::parquet::ParquetRows;
use crate::base::error::Result;
use crate::base::files::{OutFile, Unfinished, check_output, make_directory};

/// The number of rows per write.
const GROUP: usize = 1 << 15;

/// The output format of a streamed table.
enum Sink<W: Write + Send> {
    Csv(W),
    Parquet(Box<ParquetRows<W>>),
}

/// A table whose rows are written in groups as they arrive.
pub struct TableStream<W: Write + Send> {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
    sink: Sink<W>,
}

impl<W: Write + Send> TableStream<W> {
    /// Starts a table as CSV.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn csv(mut out: W, columns: Vec<Column>) -> io::Result<Self> {
        out.write_all(&csv_head(&columns))?;
        Ok(Self { columns, rows: Vec::new(), sink: Sink::Csv(out) })
    }

    /// Starts a table as Parquet.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn parquet(out: W, columns: Vec<Column>) -> io::Result<Self> {
        let sink = Sink::Parquet(Box::new(ParquetRows::new(out, &columns, &[])?));
        Ok(Self { columns, rows: Vec::new(), sink })
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn push(&mut self, row: Vec<Cell>) -> io::Result<()> {
        self.rows.push(row);
        if self.rows.len() >= GROUP { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Csv(out) => {
                let mut bytes = Vec::new();
                push_csv(&mut bytes, &self.columns, &self.rows);
                out.write_all(&bytes)?;
            }
            Sink::Parquet(out) => out.push(&self.rows)?,
        }
        self.rows.clear();
        Ok(())
    }

    /// Writes the buffered rows and the end of the table.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        if !self.rows.is_empty() {
            self.flush()?;
        }
        match self.sink {
            Sink::Csv(mut out) => out.flush(),
            Sink::Parquet(out) => out.finish()?.flush(),
        }
    }
}

/// A table in CSV or Parquet files, or both; each file is written atomically.
pub struct TableFiles(Vec<(Unfinished, TableStream<BufWriter<OutFile>>)>);

/// Starts a file of a directory, which is created if needed.
fn create(directory: &Path, name: &str) -> Result<(Unfinished, BufWriter<OutFile>)> {
    make_directory(directory)?;
    let path = directory.join(name);
    check_output(&path)?;
    let (unfinished, file) = Unfinished::create(&path)?;
    Ok((unfinished, BufWriter::with_capacity(1 << 16, file)))
}

impl TableFiles {
    /// Starts the files `NAME.csv` and `NAME.parquet` in the given directories.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub fn create(
        name: &str,
        columns: Vec<Column>,
        csv: Option<&Path>,
        parquet: Option<&Path>,
    ) -> Result<Self> {
        dictionary::note(name, &columns);
        let mut files = Vec::new();
        if let Some(directory) = csv {
            let (file, out) = create(directory, &format!("{name}.csv"))?;
            let stream = file.check(TableStream::csv(out, columns.clone()))?;
            files.push((file, stream));
        }
        if let Some(directory) = parquet {
            let (file, out) = create(directory, &format!("{name}.parquet"))?;
            let stream = file.check(TableStream::parquet(out, columns))?;
            files.push((file, stream));
        }
        Ok(Self(files))
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn push(&mut self, row: &[Cell]) -> Result<()> {
        self.0.iter_mut().try_for_each(|(file, stream)| file.check(stream.push(row.to_vec())))
    }

    /// Renames the files to their final names.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub fn finish(self) -> Result<()> {
        self.0.into_iter().try_for_each(|(file, stream)| {
            file.check(stream.finish())?;
            file.finish()
        })
    }
}
