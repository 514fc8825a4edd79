//! `arena export`: rows and records in other forms.

use std::fs::File;
use std::io::{self, BufRead, BufWriter, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use coinche_engine::rules::ParseRulesError;
use coinche_selfplay::base::error::{ArenaError, ModuleError};
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::files::{OutFile, output};
use coinche_selfplay::base::output::print;
use coinche_selfplay::base::shown::safe;
use coinche_selfplay::document::stream::TableStream;
use coinche_selfplay::document::{csv_head, push_csv};
use coinche_selfplay::play::schedule::Unit;
use coinche_selfplay::records::lines::{next_line, open, open_lines, open_rows, records_in, table_in};
use coinche_selfplay::records::long::Long;
use coinche_selfplay::records::pbn;
use coinche_selfplay::records::pbn::Kept;
use coinche_selfplay::records::write::columns::{Columns, RowError, Schema};
use coinche_selfplay::records::write::parquet::{Composer, ParquetTable, encode};
use coinche_selfplay::records::write::{ColumnRows, Rows, push_record_row};

/// A form to export to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportForm {
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
pub enum ExportRows {
    /// A leg: the summary table
    #[default]
    Legs,
    /// A call of an auction
    Calls,
    /// A card that was played
    Cards,
}

impl ExportRows {
    const fn long(self) -> Option<Long> {
        match self {
            Self::Legs => None,
            Self::Calls => Some(Long::Calls),
            Self::Cards => Some(Long::Cards),
        }
    }
}

/// The flags of `arena export`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
From a run, tables are made from its table, and calls and cards from its records. Files are recognised by their content; a table is also made from records. docs/user/data.md lists the columns of all tables, docs/formats.md describes the other formats.

Examples:
  arena export results/runs/… --to parquet --out summary.parquet
  arena export mine --to parquet --rows calls --out calls.parquet
  arena export records.jsonl.zst --to pbn | less

Exit codes: 0 done, 2 the input cannot be read, 3 output cannot be written.")]
pub struct ExportArgs {
    /// A run, a table or a file of records
    ///
    /// The directory of a run, a table (CSV or Parquet) or deal records (JSON Lines), also compressed with zstd.
    #[arg(value_name = "RUN|FILE")]
    pub source: PathBuf,
    /// Output format: csv, parquet, jsonl or pbn
    #[arg(long, value_enum, value_name = "FORM")]
    pub to: ExportForm,
    /// Rows of the table: legs, calls or cards
    ///
    /// Calls and cards are made from records.
    #[arg(long, value_enum, value_name = "WHAT", default_value = "legs")]
    pub rows: ExportRows,
    /// Output file [default: stdout, except for Parquet]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// How many rows make a row group.
const GROUP: usize = 1 << 16;

/// Runs the command.
///
/// # Errors
///
/// When the source cannot be read or has nothing of the kind, or something cannot be written.
pub(crate) fn export(args: &ExportArgs, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    let is_table = matches!(args.to, ExportForm::Csv | ExportForm::Parquet);
    let long = args.rows.long();
    if long.is_some() && !is_table {
        return Err(ExportError::RowsOfText.into());
    }
    let wants_table = is_table && long.is_none();
    let source = find(&args.source, wants_table)?;
    match &args.out {
        None if args.to == ExportForm::Parquet => Err(ExportError::ParquetToStdout.into()),
        None => {
            let mut out = BufWriter::with_capacity(1 << 16, out);
            // Programs get the texts as they are.
            let is_watched = io::stdout().is_terminal();
            write(&source, args.to, long, &mut |text| {
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
            to_named(path, |file| to_file(&source, args.to, long, file))?;
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
    #[error("line {line}: {error}")]
    Row { line: u64, error: RowError },
    #[error("deal {deal}, leg {leg}: {error}")]
    Rules { deal: u64, leg: u32, error: ParseRulesError },
    #[error("deal {deal}, leg {leg}: {error}")]
    Record { deal: u64, leg: u32, error: RowError },
}

impl ModuleError for ExportError {}

/// Finds the file: in the directory of a run the table or the records.
fn find(source: &Path, wants_table: bool) -> Result<PathBuf, ArenaError> {
    if !source.is_dir() {
        return Ok(source.to_owned());
    }
    let table = if wants_table { table_in(source) } else { None };
    table.or_else(|| records_in(source)).ok_or_else(|| {
        let what = if wants_table { "table" } else { "records" };
        ArenaError::input(source, ExportError::Nothing { what })
    })
}

/// The error of a file that is not the named one yet.
fn written(error: io::Error) -> ArenaError {
    ArenaError::write("the exported file", error)
}

/// Writes the file that was named, whole or not at all, by a function with errors of its own.
fn to_named(
    path: &Path,
    write: impl FnOnce(&mut OutFile) -> Result<(), ArenaError>,
) -> Result<(), ArenaError> {
    let mut failed = Ok(());
    let done = output(path, |file| {
        let result = write(file);
        let text = result.as_ref().err().map(ToString::to_string);
        failed = result;
        text.map_or(Ok(()), |text| Err(io::Error::other(text)))
    });
    failed.and(done)
}

fn to_file(source: &Path, to: ExportForm, long: Option<Long>, file: &mut OutFile) -> Result<(), ArenaError> {
    let error = written;
    if to != ExportForm::Parquet {
        let mut out = BufWriter::with_capacity(1 << 16, file);
        write(source, to, long, &mut |text| out.write_all(text).map_err(error))?;
        return out.flush().map_err(error);
    }
    if let Some(long) = long {
        let out = BufWriter::with_capacity(1 << 16, file);
        let mut table = TableStream::parquet(out, long.columns()).map_err(error)?;
        records(source, &mut |kept| {
            long.rows(kept).into_iter().try_for_each(|row| table.push(row)).map_err(error)
        })?;
        return table.finish().map_err(error);
    }
    let parquet = |reason: ::parquet::errors::ParquetError| error(io::Error::other(reason));
    let mut composer: Option<Composer<&mut OutFile>> = None;
    let mut file = Some(file);
    tables(source, &mut |columns| {
        if composer.is_none()
            && let Some(file) = file.take()
        {
            composer = Some(Composer::new(file, &columns.schema).map_err(parquet)?);
        }
        match &mut composer {
            Some(composer) if columns.rows > 0 => {
                composer.append_bytes(&encode(columns).map_err(parquet)?).map_err(parquet)
            }
            _ => Ok(()),
        }
    })?;
    composer.map_or(Ok(()), |composer| composer.finish().map(drop).map_err(parquet))
}

/// Writes text of any form.
fn write(
    source: &Path,
    to: ExportForm,
    long: Option<Long>,
    out: &mut dyn FnMut(&[u8]) -> Result<(), ArenaError>,
) -> Result<(), ArenaError> {
    if let Some(long) = long {
        let columns = long.columns();
        out(&csv_head(&columns))?;
        return records(source, &mut |kept| {
            let mut text = Vec::new();
            push_csv(&mut text, &columns, &long.rows(kept));
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
fn records(path: &Path, each: &mut dyn FnMut(&Kept) -> Result<(), ArenaError>) -> Result<(), ArenaError> {
    let mut input = open(path)?;
    let mut number = 0u64;
    while let Some(line) = next_line(&mut *input).map_err(|source| ArenaError::read(path, source))? {
        number += 1;
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let kept = Kept::from_json(&line);
        each(&kept.map_err(|error| ArenaError::input_line(path, number, error))?)?;
    }
    Ok(())
}

/// Reads rows some at a time, and at least once.
fn tables(path: &Path, each: &mut dyn FnMut(&Columns) -> Result<(), ArenaError>) -> Result<(), ArenaError> {
    let error = |source| ArenaError::read(path, source);
    let bad = |error: ::parquet::errors::ParquetError| ArenaError::input(path, error);
    let mut file = File::open(path).map_err(error)?;
    let mut magic = Vec::new();
    (&mut file).take(4).read_to_end(&mut magic).map_err(error)?;
    if magic == b"PAR1" {
        file.seek(SeekFrom::Start(0)).map_err(error)?;
        let table = ParquetTable::open(file).map_err(bad)?;
        let mut is_empty = true;
        for group in 0..table.groups() {
            let mut parts = table.parts(group).map_err(bad)?;
            while let Some(part) = parts.next_part().map_err(bad)? {
                is_empty = false;
                each(&part)?;
            }
        }
        return if is_empty { each(&Columns::new(table.schema.clone())) } else { Ok(()) };
    }
    let mut input = open_rows(path)?;
    if input.fill_buf().map_err(error)?.starts_with(b"{") {
        return tables_of_records(path, each);
    }
    read_rows(path, input, each)
}

/// Reads rows of comma-separated values; the path is for errors.
pub(crate) fn read_rows(
    path: &Path,
    mut input: impl BufRead,
    each: &mut dyn FnMut(&Columns) -> Result<(), ArenaError>,
) -> Result<(), ArenaError> {
    let mut header = String::new();
    input.read_line(&mut header).map_err(|source| ArenaError::read(path, source))?;
    let names = header.trim_end().split(',');
    let schema = Schema::of_names(&names).ok_or_else(|| ArenaError::input(path, ExportError::NoTable))?;
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(input);
    let mut columns = Columns::new(schema);
    let mut row = csv::ByteRecord::new();
    while reader.read_byte_record(&mut row).map_err(|error| ArenaError::input(path, error))? {
        let line = row.position().map_or(0, |place| place.line() + 1);
        let pushed = columns.push_texts(row.iter());
        pushed.map_err(|error| ArenaError::input(path, ExportError::Row { line, error }))?;
        if columns.rows == GROUP {
            each(&columns)?;
            columns.clear();
        }
    }
    each(&columns)
}

/// Makes rows of records.
fn tables_of_records(
    path: &Path,
    each: &mut dyn FnMut(&Columns) -> Result<(), ArenaError>,
) -> Result<(), ArenaError> {
    let mut rows: Option<Rows> = None;
    records(path, &mut |kept| {
        let record = &kept.record;
        let rows = rows.get_or_insert_with(|| {
            let unit = if record.game.is_some() { Unit::Match } else { Unit::Deal };
            let schema = Schema::new(unit, kept.pairing.is_some());
            Rows::Columns(ColumnRows(Box::new(Columns::new(schema))))
        });
        let mut text = Vec::new();
        let (deal, leg) = (record.deal, record.leg);
        push_record_row(&mut text, record, kept.pairing)
            .map_err(|error| ArenaError::input(path, ExportError::Rules { deal, leg, error }))?;
        rows.push_text(&text)
            .map_err(|error| ArenaError::input(path, ExportError::Record { deal, leg, error }))?;
        match rows {
            Rows::Columns(columns) if columns.0.rows == GROUP => {
                each(&columns.0)?;
                columns.0.clear();
                Ok(())
            }
            _ => Ok(()),
        }
    })?;
    match rows {
        Some(Rows::Columns(columns)) => each(&columns.0),
        _ => each(&Columns::new(Schema::new(Unit::Deal, false))),
    }
}

/// The flags of `arena import`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Reads what `arena export --to pbn` writes, or the same format written by hand or by another program, and writes deal records. `arena verify` checks them.

Examples:
  arena import deals.pbn --out records.jsonl
  arena export mine --to pbn | arena import - | arena verify -

Exit codes: 0 done, 2 the input cannot be read, 3 output cannot be written.")]
pub struct ImportArgs {
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
///
/// # Errors
///
/// When the file cannot be read, with the line, or something cannot be written.
pub(crate) fn import(args: &ImportArgs, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    match &args.out {
        None => imported(&args.file, &mut |text| print(out, text))?,
        Some(path) => to_named(path, |file| {
            imported(&args.file, &mut |text| file.write_all(text.as_bytes()).map_err(written))
        })?,
    }
    Ok(Exit::Done)
}

/// Hands on the lines of all records, some at a time.
fn imported(file: &Path, each: &mut dyn FnMut(&str) -> Result<(), ArenaError>) -> Result<(), ArenaError> {
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
