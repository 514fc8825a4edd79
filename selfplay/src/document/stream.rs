//! A table too long for memory, as CSV and Parquet.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::column::Column;
use super::forms::{csv_head, push_csv};
use super::model::Cell;
use super::parquet::ParquetRows;
use crate::base::error::ArenaError;

/// How many rows are written at a time.
const GROUP: usize = 1 << 15;

/// A file that is written under another name, and takes its own when it is whole.
struct Unfinished {
    path: PathBuf,
    under: PathBuf,
}

/// The form of a table of which the rows come some at a time.
enum Sink<W: Write + Send> {
    Csv(W),
    Parquet(Box<ParquetRows<W>>),
}

/// A table whose rows come one by one, written as they come.
pub struct TableStream<W: Write + Send> {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
    sink: Sink<W>,
}

impl<W: Write + Send> TableStream<W> {
    /// Starts a table as comma-separated values.
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

    /// Writes what is left.
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

/// A table in files, CSV or Parquet or both; each is there when it is whole, or not at all.
pub struct TableFiles(Vec<(Unfinished, TableStream<BufWriter<File>>)>);

impl Unfinished {
    fn create(directory: &Path, name: String) -> Result<(Self, BufWriter<File>), ArenaError> {
        fs::create_dir_all(directory).map_err(|source| ArenaError::write(directory, source))?;
        let (path, under) = (directory.join(&name), directory.join(name + ".unfinished"));
        let file = File::create(&under).map_err(|source| ArenaError::write(&path, source))?;
        Ok((Self { path, under }, BufWriter::with_capacity(1 << 16, file)))
    }

    fn check<T>(&self, written: io::Result<T>) -> Result<T, ArenaError> {
        written.map_err(|error| ArenaError::write(&self.path, error))
    }
}

impl Drop for Unfinished {
    /// Removes what is not whole; what is has its own name.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.under);
    }
}

impl TableFiles {
    /// Starts the files `NAME.csv` and `NAME.parquet` in the directories that are given.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub fn create(
        name: &str,
        columns: Vec<Column>,
        csv: Option<&Path>,
        parquet: Option<&Path>,
    ) -> Result<Self, ArenaError> {
        let mut files = Vec::new();
        if let Some(directory) = csv {
            let (file, out) = Unfinished::create(directory, format!("{name}.csv"))?;
            let stream = file.check(TableStream::csv(out, columns.clone()))?;
            files.push((file, stream));
        }
        if let Some(directory) = parquet {
            let (file, out) = Unfinished::create(directory, format!("{name}.parquet"))?;
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
    pub fn push(&mut self, row: &[Cell]) -> Result<(), ArenaError> {
        self.0.iter_mut().try_for_each(|(file, stream)| file.check(stream.push(row.to_vec())))
    }

    /// Gives the files their names.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub fn finish(self) -> Result<(), ArenaError> {
        self.0.into_iter().try_for_each(|(file, stream)| {
            let written = stream.finish().and_then(|()| fs::rename(&file.under, &file.path));
            file.check(written)
        })
    }
}
