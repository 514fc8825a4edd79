//! A file that grows during a run, and whose bytes depend on the deals alone.
//!
//! Plain text grows with every batch. A compressed file grows by blocks: fixed numbers of deals, each a zstd frame or a
//! Parquet row group; rows of an incomplete block are buffered in memory and, when the state of the run is saved, in
//! the state. When a run ends, the incomplete block is written too.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use coinche_selfplay::base::columns::parquet::{ParquetTable, Writer, encode};
use coinche_selfplay::base::columns::{Batch, Schema};
use coinche_selfplay::base::files::checksums::{Counted, Sum};
use coinche_selfplay::base::files::{OutFile, replace};
use coinche_selfplay::base::{ArenaError, Result};
use coinche_selfplay::records::summary::{Rows, RowsPart};
use serde::{Deserialize, Serialize};

use crate::damage::Damage;

/// The compression level of zstd: its default.
const LEVEL: i32 = 3;

/// The file format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Form {
    /// Uncompressed lines.
    Plain,
    /// Compressed lines.
    Zst,
    /// Columns.
    Parquet(Schema),
}

/// The specification of a file.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub path: PathBuf,
    pub form: Form,
    /// The text before the first row.
    pub header: String,
    /// The number of deals in a block.
    pub block: u64,
}

/// The saved state of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedSink {
    /// The name of the file.
    pub file: String,
    /// Bytes of complete blocks in the growing file, and their CRC-32.
    pub whole: u64,
    pub(crate) crc: u32,
    /// The buffered rows after them, as text.
    pub pending: String,
    /// If the run has ended or is paused: the checksum of the file.
    pub closed: Option<Sum>,
}

impl SavedSink {
    /// Returns the checksum of the complete file.
    pub fn sum(&self) -> Option<(String, Sum)> {
        self.closed.map(|sum| (self.file.clone(), sum))
    }
}

/// A growing file.
#[derive(Debug)]
pub(crate) struct Sink {
    plan: Plan,
    /// The growing file, which for Parquet is not the final one.
    path: PathBuf,
    file: OutFile,
    whole: u64,
    crc: crc32fast::Hasher,
    pending: Rows,
    undo: Option<Undo>,
    closed: Option<Sum>,
}

/// The state of a sink before the last batch.
#[derive(Debug)]
struct Undo {
    whole: u64,
    crc: crc32fast::Hasher,
    pending: usize,
    /// The buffered rows, if they were written as a block.
    spent: Option<Rows>,
}

fn compress(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
    compressor.include_checksum(true)?;
    compressor.compress(text)
}

/// Returns the path of the file that collects row groups.
fn growing(plan: &Plan) -> PathBuf {
    match plan.form {
        Form::Plain | Form::Zst => plan.path.clone(),
        Form::Parquet(_) => plan.path.with_extension("parquet.part"),
    }
}

impl Plan {
    fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Returns the state of an empty file.
    pub(crate) fn fresh(&self) -> SavedSink {
        SavedSink { file: self.name(), whole: 0, crc: 0, pending: String::new(), closed: None }
    }

    /// Removes temporary files.
    pub(crate) fn clean_up(&self) {
        let growing = growing(self);
        if growing != self.path {
            // A leftover file is harmless: the next process to close removes it.
            let _ = fs::remove_file(&growing);
        }
    }

    fn no_rows(&self) -> Rows {
        match &self.form {
            Form::Plain | Form::Zst => Rows::Text(Vec::new()),
            Form::Parquet(schema) => Rows::Columns(Box::new(Batch::new(schema.clone()))),
        }
    }

    /// Encodes a block of rows as bytes of the growing file.
    fn block_bytes(&self, rows: &Rows) -> io::Result<Vec<u8>> {
        match rows {
            Rows::Text(text) if self.form == Form::Plain => Ok(text.clone()),
            Rows::Text(text) => compress(text),
            Rows::Columns(columns) => {
                let group = encode(columns).map_err(io::Error::other)?;
                let mut bytes = (group.len() as u64).to_le_bytes().to_vec();
                bytes.extend_from_slice(&group);
                Ok(bytes)
            }
        }
    }
}

impl Sink {
    /// Resumes a file at its saved state; creates it if that is before the first byte.
    pub(crate) fn resume(plan: Plan, saved: &SavedSink) -> Result<Self> {
        if saved.file != plan.name() {
            return Err(ArenaError::damaged(&plan.path, Damage::OtherFile(saved.file.clone())));
        }
        let path = growing(&plan);
        let mut pending = plan.no_rows();
        pending
            .push_text(saved.pending.as_bytes())
            .map_err(|error| ArenaError::damaged(&plan.path, error))?;
        let (whole, crc) = match (&plan.form, saved.closed) {
            (Form::Parquet(_), Some(sum)) => {
                sum.check(&plan.path)?;
                take_apart(&plan, &path, !pending.is_empty())?
            }
            _ => (saved.whole, crc32fast::Hasher::new_with_initial_len(saved.crc, saved.whole)),
        };
        let mut file = OutFile::open(&path).map_err(|source| ArenaError::write(&path, source))?;
        // Bytes after the saved position were written by a process that was killed.
        Sum { bytes: whole, crc: crc.clone().finalize() }.check_start(&path)?;
        file.cut(whole).map_err(|source| ArenaError::write(&path, source))?;
        let mut sink = Self { plan, path, file, whole, crc, pending, undo: None, closed: None };
        if whole == 0 && !sink.plan.header.is_empty() && !matches!(sink.plan.form, Form::Parquet(_)) {
            let header = Rows::Text(sink.plan.header.clone().into_bytes());
            let written = sink.plan.block_bytes(&header).and_then(|bytes| sink.write(&bytes));
            written.map_err(|source| ArenaError::write(&sink.path, source))?;
        }
        Ok(sink)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.whole += bytes.len() as u64;
        self.crc.update(bytes);
        Ok(())
    }

    /// Appends the rows of a batch whose last deal is before `end`.
    pub(crate) fn append(&mut self, rows: RowsPart<'_>, end: u64) -> Result<()> {
        self.undo =
            Some(Undo { whole: self.whole, crc: self.crc.clone(), pending: self.pending.len(), spent: None });
        self.try_append(rows, end).map_err(|source| ArenaError::write(&self.path, source))
    }

    fn try_append(&mut self, rows: RowsPart<'_>, end: u64) -> io::Result<()> {
        if let (Form::Plain, RowsPart::Text(text)) = (&self.plan.form, rows) {
            return self.write(text);
        }
        self.pending.append(rows);
        if end.is_multiple_of(self.plan.block) && !self.pending.is_empty() {
            let bytes = self.plan.block_bytes(&self.pending)?;
            let spent = core::mem::replace(&mut self.pending, self.plan.no_rows());
            if let Some(undo) = &mut self.undo {
                undo.spent = Some(spent);
            }
            self.write(&bytes)?;
        }
        Ok(())
    }

    /// Keeps the last batch: it can no longer be undone.
    pub(crate) fn settle(&mut self) {
        self.undo = None;
    }

    /// Undoes the last batch, unless it was kept.
    pub(crate) fn undo(&mut self) {
        let Some(undo) = self.undo.take() else { return };
        if let Some(spent) = undo.spent {
            self.pending = spent;
        }
        self.pending.truncate(undo.pending);
        (self.whole, self.crc) = (undo.whole, undo.crc);
        // If this fails too, the saved state still says where the rows end.
        let _ = self.file.cut(self.whole);
    }

    /// Writes the incomplete block and syncs the file.
    pub(crate) fn close(&mut self) -> Result<()> {
        let closed = match self.plan.form.clone() {
            Form::Plain | Form::Zst => self.write_rest(),
            Form::Parquet(schema) => return self.compose(&schema),
        };
        self.closed = Some(closed.map_err(|source| ArenaError::write(&self.path, source))?);
        Ok(())
    }

    /// Appends the incomplete block after the complete ones, which do not change.
    fn write_rest(&mut self) -> io::Result<Sum> {
        let (mut bytes, mut crc) = (self.whole, self.crc.clone());
        // Without rows there is an empty frame: a file of zero bytes would not be valid zstd.
        if !self.pending.is_empty() || (self.whole == 0 && self.plan.form == Form::Zst) {
            let rest = self.plan.block_bytes(&self.pending)?;
            self.file.write_all(&rest)?;
            bytes += rest.len() as u64;
            crc.update(&rest);
        }
        self.file.sync()?;
        Ok(Sum { bytes, crc: crc.finalize() })
    }

    /// Assembles the Parquet file.
    fn compose(&mut self, schema: &Schema) -> Result<()> {
        let rest = match &self.pending {
            Rows::Columns(columns) if columns.rows > 0 => Some(encode(columns)),
            _ => None,
        };
        let (growing, whole) = (&mut self.file, self.whole);
        let mut closed = Sum { bytes: 0, crc: 0 };
        replace(&self.plan.path, |file| {
            let mut writer = Writer::new(Counted::new(file), schema).map_err(io::Error::other)?;
            growing.seek(SeekFrom::Start(0))?;
            let mut at = 0;
            while at < whole {
                let group = read_group(growing)?;
                at += 8 + group.len() as u64;
                writer.append_bytes(&group, schema).map_err(io::Error::other)?;
            }
            if let Some(group) = rest {
                writer
                    .append_bytes(&group.map_err(io::Error::other)?.into(), schema)
                    .map_err(io::Error::other)?;
            }
            let counted = writer.finish().map_err(io::Error::other)?;
            closed = Sum { bytes: counted.bytes, crc: counted.crc.finalize() };
            Ok(())
        })?;
        self.closed = Some(closed);
        Ok(())
    }

    /// Removes temporary files; call it after the saved state marks the file as closed.
    pub(crate) fn clean_up(&self) {
        self.plan.clean_up();
    }

    /// Returns the state to save.
    pub(crate) fn saved(&self) -> SavedSink {
        // Closing a run removes the file of row groups.
        let gone = self.closed.is_some() && matches!(self.plan.form, Form::Parquet(_));
        SavedSink {
            file: self.plan.name(),
            whole: if gone { 0 } else { self.whole },
            crc: if gone { 0 } else { self.crc.clone().finalize() },
            pending: String::from_utf8_lossy(&self.pending.to_text()).into_owned(),
            closed: self.closed,
        }
    }

    /// Returns the growing file, to sync it.
    pub(crate) fn file(&self) -> io::Result<OutFile> {
        self.file.try_clone()
    }

    /// Returns the path of the growing file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// Reads the next row group.
fn read_group(file: &mut OutFile) -> io::Result<Bytes> {
    let mut length = [0; 8];
    file.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    let mut group = Vec::new();
    if file.take(length).read_to_end(&mut group)? as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Bytes::from(group))
}

/// Extracts the complete row groups from the Parquet file of a closed run: all, or all but the last.
fn take_apart(plan: &Plan, growing: &Path, but_last: bool) -> Result<(u64, crc32fast::Hasher)> {
    let Form::Parquet(schema) = &plan.form else {
        return Err(ArenaError::damaged(&plan.path, Damage::NotParquet));
    };
    let file = File::open(&plan.path).map_err(|source| ArenaError::read(&plan.path, source))?;
    let again = file.try_clone().map_err(|source| ArenaError::read(&plan.path, source))?;
    let whole = ParquetTable::open(again, core::slice::from_ref(schema))
        .map_err(|error| ArenaError::damaged(&plan.path, error))?;
    let groups = whole.groups().saturating_sub(but_last.into());
    let mut size = (0, crc32fast::Hasher::new());
    replace(growing, |out| {
        let mut counted = Counted::new(out);
        for group in 0..groups {
            let mut writer = Writer::new(Vec::new(), schema).map_err(io::Error::other)?;
            writer.append(&file, &whole, group..group + 1).map_err(io::Error::other)?;
            let bytes = writer.finish().map_err(io::Error::other)?;
            counted.write_all(&(bytes.len() as u64).to_le_bytes())?;
            counted.write_all(&bytes)?;
        }
        size = (counted.bytes, counted.crc);
        Ok(())
    })?;
    Ok(size)
}
