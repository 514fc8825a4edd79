//! `arena export`: converts rows and records to other formats.

use std::io::{self, BufRead, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use coinche_engine::ParseRulesError;
use coinche_selfplay::base::columns::parquet::{Writer, encode};
use coinche_selfplay::base::columns::{Batch, RowError};
use coinche_selfplay::base::files::{OutFile, Unfinished, check_output};
use coinche_selfplay::base::shown::safe;
use coinche_selfplay::document::stream::TableStream;
use coinche_selfplay::document::{Cell, Column, csv_head, push_csv};
use coinche_selfplay::records::label::Label;
use coinche_selfplay::records::lines::{open_lines, records_in, table_in};
use coinche_selfplay::records::long::Long;
use coinche_selfplay::records::pairs::Pairs;
use coinche_selfplay::records::pbn;
use coinche_selfplay::records::pbn::Kept;
use coinche_selfplay::records::seen::Seen;
use coinche_selfplay::records::summary::{Place, ReadError, RowsError, SummaryFile, schema};
use coinche_selfplay::{ArenaError, Exit, ModuleError, Result, SummaryRow, Unit, next_line, open, print};

/// A form to export to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportForm {
    /// The summary table as CSV
    Csv,
    /// The summary table as Parquet
    Parquet,
    /// Every call and card as JSON Lines
    Jsonl,
    /// Every call and card as text
    Pbn,
}

/// What has a row in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum ExportRows {
    /// A leg: the summary table
    #[default]
    Legs,
    /// A call of an auction
    Calls,
    /// A card that was played
    Cards,
    /// The hand of a seat
    Hands,
    /// A deal in both seatings
    Pairs,
}

impl ExportRows {
    const fn long(self) -> Option<Long> {
        match self {
            Self::Legs | Self::Pairs => None,
            Self::Hands => Some(Long::Hands),
            Self::Calls => Some(Long::Calls),
            Self::Cards => Some(Long::Cards),
        }
    }

    /// Returns the columns of a table that is not that of the legs.
    fn columns(self) -> Option<Vec<Column>> {
        match self {
            Self::Legs => None,
            Self::Pairs => Some(Pairs::default().columns()),
            _ => self.long().map(Long::columns),
        }
    }

    /// Hands on its rows, some at a time.
    fn each(self, source: &Path, each: &mut dyn FnMut(Vec<Vec<Cell>>) -> Result<()>) -> Result<()> {
        if let Some(long) = self.long() {
            return records(source, &mut |kept| each(long.rows(kept)));
        }
        let mut pairs = Pairs::default();
        tables(source, &mut |batch| {
            let mut rows = Vec::new();
            for row in batch.iter::<SummaryRow<'_>>() {
                let row = row.map_err(|error| ArenaError::input(source, error))?;
                rows.extend(pairs.add(&row));
            }
            each(rows)
        })?;
        each(pairs.rest().collect())
    }
}

/// The flags of `arena export`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("export"))]
pub(crate) struct ExportArgs {
    /// A run, a table or a file of records
    ///
    /// The directory of a run, a table (CSV or Parquet) or deal records (JSON Lines), also compressed with zstd.
    #[arg(value_name = "RUN|FILE")]
    pub source: PathBuf,
    /// Output format: csv, parquet, jsonl or pbn
    #[arg(long, value_enum, value_name = "FORM")]
    pub to: ExportForm,
    /// Rows: legs, pairs, calls, cards or hands
    ///
    /// Calls, cards and hands are made from records.
    #[arg(long, value_enum, value_name = "WHAT", default_value = "legs")]
    pub rows: ExportRows,
    /// Output file [default: stdout, except for Parquet]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// The number of rows in a row group.
const GROUP: usize = 1 << 16;

/// Runs the command.
pub(crate) fn export(args: &ExportArgs, out: &mut dyn Write) -> Result<Exit> {
    let is_table = matches!(args.to, ExportForm::Csv | ExportForm::Parquet);
    let rows = args.rows;
    if rows != ExportRows::Legs && !is_table {
        return Err(ExportError::RowsOfText.into());
    }
    let wants_table = is_table && rows.long().is_none();
    let source = find(&args.source, wants_table)?;
    match &args.out {
        None if args.to == ExportForm::Parquet => Err(ExportError::ParquetToStdout.into()),
        None => {
            let mut out = BufWriter::with_capacity(1 << 16, out);
            // Programs get the unmodified texts.
            let is_watched = io::stdout().is_terminal();
            write(&source, args.to, rows, &mut |text| {
                if is_watched {
                    let text = String::from_utf8_lossy(text);
                    return out.write_all(safe(&text).as_bytes()).map_err(ArenaError::stdout);
                }
                out.write_all(text).map_err(ArenaError::stdout)
            })?;
            out.flush().map_err(ArenaError::stdout)?;
            Ok(Exit::Done)
        }
        Some(path) => {
            to_named(path, |file| to_file(&source, args.to, rows, file))?;
            Ok(Exit::Done)
        }
    }
}

/// Why something cannot be exported.
#[derive(Debug, thiserror::Error)]
enum ExportError {
    #[error("Parquet cannot be written to stdout: name a file with --out FILE")]
    ParquetToStdout,
    #[error("--rows is for tables: --to csv or --to parquet")]
    RowsOfText,
    #[error("it has no {what}")]
    Nothing { what: &'static str },
    #[error("neither a table (its first line names the columns) nor records (JSON lines) nor Parquet")]
    NoTable,
    #[error("{place}: {error}")]
    Row { place: Place, error: RowError },
    #[error("deal {deal}, leg {leg}: {error}")]
    Rules { deal: u64, leg: u32, error: ParseRulesError },
    #[error("deal {deal}, leg {leg}: deals and matches, or runs with and without pairings, in one file")]
    Columns { deal: u64, leg: u32 },
}

impl ModuleError for ExportError {}

/// Finds the file: in a run's directory, the table or the records.
fn find(source: &Path, wants_table: bool) -> Result<PathBuf> {
    // Before anything is printed.
    let about = std::fs::metadata(source).map_err(|error| ArenaError::read(source, error))?;
    if !about.is_dir() {
        return Ok(source.to_owned());
    }
    let table = if wants_table { table_in(source) } else { None };
    table.or_else(|| records_in(source)).ok_or_else(|| {
        let what = if wants_table { "table" } else { "records" };
        ArenaError::input(source, ExportError::Nothing { what })
    })
}

/// Returns an error for a file that does not have its final name yet.
fn written(error: io::Error) -> ArenaError {
    ArenaError::write("the exported file", error)
}

/// Writes the named file atomically, by a function with its own errors.
fn to_named(path: &Path, write: impl FnOnce(&mut OutFile) -> Result<()>) -> Result<()> {
    check_output(path)?;
    let (unfinished, mut file) = Unfinished::create(path)?;
    write(&mut file)?;
    unfinished.check(file.sync())?;
    unfinished.finish()
}

fn to_file(source: &Path, to: ExportForm, rows: ExportRows, file: &mut OutFile) -> Result<()> {
    let error = written;
    if to != ExportForm::Parquet {
        let mut out = BufWriter::with_capacity(1 << 16, file);
        write(source, to, rows, &mut |text| out.write_all(text).map_err(error))?;
        return out.flush().map_err(error);
    }
    if let Some(columns) = rows.columns() {
        let out = BufWriter::with_capacity(1 << 16, file);
        let mut table = TableStream::parquet(out, columns).map_err(error)?;
        rows.each(source, &mut |rows| rows.into_iter().try_for_each(|row| table.push(row)).map_err(error))?;
        return table.finish().map_err(error);
    }
    let parquet = |reason: ::parquet::errors::ParquetError| error(io::Error::other(reason));
    let mut writer: Option<Writer<&mut OutFile>> = None;
    let mut file = Some(file);
    tables(source, &mut |rows| {
        if let Some(file) = file.take() {
            writer = Some(Writer::new(file, &rows.schema).map_err(parquet)?);
        }
        match &mut writer {
            Some(writer) if rows.rows > 0 => {
                writer.append_bytes(&encode(rows).map_err(parquet)?.into(), &rows.schema).map_err(parquet)
            }
            _ => Ok(()),
        }
    })?;
    writer.map_or(Ok(()), |writer| writer.finish().map(drop).map_err(parquet))
}

/// Writes text of any format.
fn write(
    source: &Path,
    to: ExportForm,
    rows: ExportRows,
    out: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    if let Some(columns) = rows.columns() {
        out(&csv_head(&columns))?;
        return rows.each(source, &mut |rows| {
            let mut text = Vec::new();
            push_csv(&mut text, &columns, &rows);
            out(&text)
        });
    }
    if to == ExportForm::Csv {
        let mut is_first = true;
        return tables(source, &mut |columns| {
            let mut text = Vec::new();
            if core::mem::take(&mut is_first) {
                text.extend_from_slice(columns.schema.header().as_bytes());
            }
            columns.push_csv(&mut text);
            out(&text)
        });
    }
    let mut is_first = true;
    records(source, &mut |kept| {
        let text = match to {
            ExportForm::Jsonl => kept.to_json() + "\n",
            _ if core::mem::take(&mut is_first) => pbn::print(kept),
            _ => format!("\n{}", pbn::print(kept)),
        };
        out(text.as_bytes())
    })
}

/// Reads records one by one.
fn records(path: &Path, each: &mut dyn FnMut(&Kept) -> Result<()>) -> Result<()> {
    let mut input = open(path)?;
    let (mut number, mut seen) = (0u64, Seen::default());
    while let Some(line) = next_line(&mut *input).map_err(|source| ArenaError::read(path, source))? {
        number += 1;
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let kept = Kept::from_json(&line);
        let kept = kept.map_err(|error| ArenaError::input_line(path, number, error))?;
        seen.add(&Label::of_record(&kept.record, kept.pairing));
        each(&kept)?;
    }
    seen.warn(path);
    Ok(())
}

/// Reads rows some at a time, and at least once.
fn tables(path: &Path, each: &mut dyn FnMut(&Batch) -> Result<()>) -> Result<()> {
    let table = SummaryFile::open(path).map_err(|error| of_table(path, error))?;
    if let Some(table) = table {
        return table.each_batch(GROUP, each).map_err(|error| of_table(path, error));
    }
    let is_json = open(path)?.fill_buf().is_ok_and(|first| first.starts_with(b"{"));
    if is_json { tables_of_records(path, each) } else { Err(ArenaError::input(path, ExportError::NoTable)) }
}

/// The error of a table that was given.
fn of_table(path: &Path, error: ReadError<ArenaError>) -> ArenaError {
    match error {
        ReadError::File(error) | ReadError::Rows(RowsError::Each(_, error)) => error,
        ReadError::Rows(RowsError::Row(place, error)) => {
            ArenaError::input(path, ExportError::Row { place, error })
        }
        error => ArenaError::input(path, error),
    }
}

/// Converts records to rows.
fn tables_of_records(path: &Path, each: &mut dyn FnMut(&Batch) -> Result<()>) -> Result<()> {
    let mut rows: Option<Batch> = None;
    records(path, &mut |kept| {
        let record = &kept.record;
        let unit = if record.game.is_some() { Unit::Match } else { Unit::Deal };
        let rows = rows.get_or_insert_with(|| Batch::new(schema(unit, kept.pairing.is_some())));
        let (deal, leg) = (record.deal, record.leg);
        let row = SummaryRow::of_record(record, kept.pairing)
            .map_err(|error| ArenaError::input(path, ExportError::Rules { deal, leg, error }))?;
        if !row.fits(&rows.schema) {
            return Err(ArenaError::input(path, ExportError::Columns { deal, leg }));
        }
        rows.push(&row);
        if rows.rows == GROUP {
            each(rows)?;
            rows.clear();
        }
        Ok(())
    })?;
    each(&rows.unwrap_or_else(|| Batch::new(schema(Unit::Deal, false))))
}

/// The flags of `arena import`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("import"))]
pub(crate) struct ImportArgs {
    /// A file of deals as text; `-` is stdin
    #[arg(value_name = "FILE|-")]
    pub file: PathBuf,
    /// Output format
    #[arg(long, value_name = "FORM", default_value = "jsonl", value_parser = ["jsonl"])]
    pub to: String,
    /// Output file [default: stdout]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn import(args: &ImportArgs, out: &mut dyn Write) -> Result<Exit> {
    match &args.out {
        None => imported(&args.file, &mut |text| print(out, text))?,
        Some(path) => to_named(path, |file| {
            imported(&args.file, &mut |text| file.write_all(text.as_bytes()).map_err(written))
        })?,
    }
    Ok(Exit::Done)
}

/// Passes on the lines of all records, in batches.
fn imported(file: &Path, each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
    let mut reader = pbn::Reader::new(open_lines(file)?);
    let mut text = String::new();
    loop {
        match reader.next_record() {
            Ok(Some(kept)) => {
                text.push_str(&kept.to_json());
                text.push('\n');
            }
            Ok(None) => break,
            Err(error) => return Err(ArenaError::input_line(file, reader.line(), error)),
        }
        if text.len() > 1 << 16 {
            each(&text)?;
            text.clear();
        }
    }
    each(&text)
}
