//! Reads a finished run: its configuration, and its rows block by block.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use coinche_bots::Registry;
use coinche_selfplay::base::columns::Batch;
use coinche_selfplay::base::columns::parquet::{ParquetTable, Parts};
use coinche_selfplay::base::files::checksums::Mismatch;
use coinche_selfplay::records::label::{BEFORE_DEAL, number_after};
use coinche_selfplay::records::lines::Bounded;
use coinche_selfplay::records::summary::{Rows, schema};
use coinche_selfplay::{ArenaError, LinesForm, MAX_DEALS_IN_MATCH, Result, TableForm, Unit};

use crate::config::{RunConfig, RunFile};
use crate::damage::Damage;
use crate::job::{STATE, SavedSink, State};
use crate::runner::{lines_block, table_block};

/// Returns the configuration of the run in a directory; a shard is treated as a whole run.
pub fn config_of(directory: &Path, state: &State, registry: &Registry) -> Result<RunConfig> {
    let file: Result<RunFile, _> = state.identity.settings.clone().try_into();
    let file = file.map_err(|error: toml::de::Error| ArenaError::damaged(directory.join(STATE), error))?;
    // A run that was stopped immediately has no deals yet.
    RunFile { deals: Some(state.done.max(1)), out: Some(directory.to_owned()), ..file }.check(registry)
}

/// The size in bytes from which rows are passed on before their block ends, and the maximum size of a block.
const PART: usize = 1 << 22;
const MOST_BLOCK: usize = 1 << 28;

/// A source of rows.
pub struct Source {
    path: PathBuf,
    unit: Unit,
    /// The number of deals in a block, and the end of the current block.
    block: u64,
    boundary: u64,
    /// The first deal that the run does not have.
    done: u64,
    kind: Kind,
}

enum Kind {
    Text {
        input: Box<dyn BufRead>,
        /// The text before the deal number.
        before: &'static [u8],
        /// A line that was read ahead and belongs to a later block, with its number.
        ahead: Option<(u64, Vec<u8>)>,
    },
    Parquet {
        table: Box<ParquetTable<File>>,
        next: usize,
        /// The row group that is partially read.
        parts: Option<Parts>,
    },
    Over,
}

impl Source {
    /// Opens a table of a run after verifying its checksum: the records if `lines`, else the summary.
    pub fn open(
        directory: &Path,
        saved: &SavedSink,
        config: &RunConfig,
        range: core::ops::Range<u64>,
        lines: bool,
    ) -> Result<Self> {
        let path = directory.join(&saved.file);
        let damaged = |why| ArenaError::damaged(&path, why);
        saved.closed.ok_or_else(|| damaged(Mismatch::Checksum.into()))?.check(&path)?;
        let open = || File::open(&path).map_err(|source| ArenaError::read(&path, source));
        let read_error = |source| ArenaError::read(&path, source);
        let text = |compressed: bool| -> Result<Box<dyn BufRead>> {
            let file = BufReader::with_capacity(1 << 18, open()?);
            let all: Box<dyn BufRead> = if compressed {
                let decoder = zstd::stream::Decoder::with_buffer(file).map_err(read_error)?;
                Box::new(BufReader::with_capacity(1 << 18, decoder))
            } else {
                Box::new(file)
            };
            Ok(if lines { Box::new(Bounded::lines(all)) } else { Box::new(Bounded::rows(all)) })
        };
        let schema = schema(config.unit, config.encounters().len() > 1);
        let (block, kind) = if lines {
            let input = text(config.lines == LinesForm::JsonlZst)?;
            (lines_block(config), Kind::Text { input, before: BEFORE_DEAL, ahead: None })
        } else if config.table == TableForm::Parquet {
            let table =
                ParquetTable::open(open()?, &[schema]).map_err(|error| ArenaError::damaged(&path, error))?;
            (table_block(config), Kind::Parquet { table: Box::new(table), next: 0, parts: None })
        } else {
            let mut input = text(config.table == TableForm::CsvZst)?;
            let mut header = String::new();
            input.read_line(&mut header).map_err(read_error)?;
            if header != schema.header() {
                return Err(damaged(Damage::Header));
            }
            (table_block(config), Kind::Text { input, before: b"", ahead: None })
        };
        let boundary = (range.start / block + 1) * block;
        Ok(Self { path, unit: config.unit, block, boundary, done: range.end, kind })
    }

    fn damaged(&self, why: Damage) -> ArenaError {
        ArenaError::damaged(&self.path, why)
    }

    /// Returns the next block of rows, and an exclusive upper bound of their deals.
    pub fn next_block(&mut self) -> Result<Option<(Rows, u64)>> {
        let Some((mut rows, mut end)) = self.next_part()? else { return Ok(None) };
        while end.is_none() {
            let Some((part, part_end)) = self.next_part()? else { break };
            rows.append(part.part());
            end = part_end;
            if rows.bytes() > MOST_BLOCK {
                let (from, to) = (self.boundary - self.block, self.boundary - 1);
                return Err(self.damaged(Damage::Block { from, to, most: MOST_BLOCK }));
            }
        }
        Ok(Some((rows, end.unwrap_or(self.done))))
    }

    /// Returns the next rows of one block, at most some megabytes; with the last rows of a block, an exclusive upper
    /// bound of their deals.
    pub fn next_part(&mut self) -> Result<Option<(Rows, Option<u64>)>> {
        match core::mem::replace(&mut self.kind, Kind::Over) {
            Kind::Text { input, before, ahead } => self.next_lines(input, before, ahead).map(Some),
            Kind::Parquet { table, next, parts } if parts.is_some() || next < table.groups() => {
                let damaged = |error| ArenaError::damaged(&self.path, error);
                let (next, mut parts) = match parts {
                    Some(parts) => (next, parts),
                    None => (next + 1, table.parts(next).map_err(damaged)?),
                };
                let columns = parts.next_part().map_err(damaged)?;
                let columns = columns.ok_or_else(|| self.damaged(Damage::NoDeal))?;
                let last = self.last(&columns).ok_or_else(|| self.damaged(Damage::NoDeal))?;
                self.boundary = (last / self.block).saturating_add(1).saturating_mul(self.block);
                let end = parts.is_over().then(|| self.boundary.min(self.done));
                self.kind = Kind::Parquet { table, next, parts: end.is_none().then_some(parts) };
                Ok(Some((Rows::Columns(Box::new(columns)), end)))
            }
            Kind::Parquet { .. } | Kind::Over => Ok(None),
        }
    }

    /// The number of the last deal (or match) of some rows.
    fn last(&self, columns: &Batch) -> Option<u64> {
        let name = if self.unit == Unit::Match { "match" } else { "deal" };
        columns.longs(name)?.last().and_then(|last| u64::try_from(*last).ok())
    }

    fn next_lines(
        &mut self,
        mut input: Box<dyn BufRead>,
        before: &'static [u8],
        ahead: Option<(u64, Vec<u8>)>,
    ) -> Result<(Rows, Option<u64>)> {
        let mut text = Vec::new();
        if let Some((index, line)) = ahead {
            self.boundary = (index / self.block).saturating_add(1).saturating_mul(self.block);
            text = line;
        }
        let end = self.boundary.min(self.done);
        loop {
            let from = text.len();
            let read = input.read_until(b'\n', &mut text);
            if read.map_err(|source| ArenaError::read(&self.path, source))? == 0 {
                return Ok((Rows::Text(text), Some(end)));
            }
            let index = self.index(&text[from..], before).ok_or_else(|| self.damaged(Damage::NoRow))?;
            let is_later = index >= self.boundary;
            if is_later || text.len() > PART {
                let line = text.split_off(from);
                self.kind = Kind::Text { input, before, ahead: Some((index, line)) };
                return Ok((Rows::Text(text), is_later.then_some(end)));
            }
        }
    }

    /// Returns the number of the deal (or match) of a line.
    fn index(&self, line: &[u8], before: &[u8]) -> Option<u64> {
        let deal = number_after(before, line)?;
        Some(if self.unit == Unit::Match { deal / MAX_DEALS_IN_MATCH } else { deal })
    }
}
