//! Solved deals: from a directory of labels, or solved on demand.

use core::ops::Range;
use std::fs::File;
use std::io::BufRead;
use std::path::{Path, PathBuf};

use coinche_engine::RuleSet;
use coinche_selfplay::base::columns::parquet::ParquetTable;
use coinche_selfplay::base::columns::{Line, Row as _, RowError};
use coinche_selfplay::records::lines::open_rows;
use coinche_selfplay::{ArenaError, Meter, ModuleError, Result, Solvers};
use parquet::errors::ParquetError;
use parquet::file::reader::ChunkReader;

use super::Totals;
use crate::label;
use crate::label::{DataSet, LabelRow, Row, Settings, schema};
use coinche_runs::{Job, Next, Pace, STATE};

/// The maximum number of deals solved at a time.
const BATCH: u64 = 2048;

/// Solves and adds the deals of some settings; `after` periodically gets the totals up to a deal.
pub(super) fn solve(
    settings: &Settings,
    range: Range<u64>,
    solvers: &Solvers,
    meter: &Meter,
    totals: &mut Totals,
    mut after: impl FnMut(&Totals, u64) -> Result<Next>,
) -> Result<()> {
    let mut deals = settings.source.open()?;
    let (mut done, mut pace) = (range.start, Pace::new(solvers.threads() as u64..=BATCH));
    while done < range.end {
        let next = done..range.end.min(done + pace.step());
        done = next.end;
        let rows = solvers.map(deals.range(next)?, |solver, line| {
            let rows = settings.label(solver, &line);
            meter.add(1);
            rows
        });
        rows.iter().flatten().for_each(|row| totals.add(row));
        totals.finish();
        pace.is_over();
        if after(totals, done)? == Next::Stop {
            break;
        }
    }
    Ok(())
}

/// A data set of solved deals.
pub struct Labels {
    directory: PathBuf,
    /// The rules.
    pub rules: RuleSet,
    /// A description of the deals: their seed, or that they came from a file.
    pub deals: String,
    set: DataSet,
}

/// What is wrong with labels.
#[derive(Debug, thiserror::Error)]
enum LabelsDamage {
    #[error("it has no `rules`")]
    NoRules,
    #[error("it is not a solved deal")]
    NotSolved,
    #[error("the first line does not name the columns of labels")]
    Header,
    #[error(transparent)]
    Row(#[from] RowError),
    #[error(transparent)]
    Csv(#[from] csv::Error),
    #[error(transparent)]
    Parquet(#[from] ParquetError),
}

/// The directory has no labels.
#[derive(Debug, thiserror::Error)]
#[error("{} has no labels yet: `arena label` makes them", .0.display())]
struct NoLabels(PathBuf);

impl ModuleError for NoLabels {}

/// The directory has labels of another kind.
#[derive(Debug, thiserror::Error)]
#[error("{} has no points of deals: choose a directory with points, as `arena label` makes them without --decisions", .0.display())]
struct NoPoints(PathBuf);

impl ModuleError for NoPoints {}

impl Labels {
    /// Opens a directory of labels.
    pub fn open(directory: &Path) -> Result<Self> {
        let path = directory.join(STATE);
        let set = DataSet::open(directory)?;
        if set.state.job != Job::Label {
            return Err(NoPoints(directory.to_owned()).into());
        }
        let table = &set.state.identity.settings;
        let rules = table.get("rules").cloned();
        let rules = rules.ok_or_else(|| ArenaError::damaged(&path, LabelsDamage::NoRules))?;
        let rules = rules.try_into::<RuleSet>().map_err(|error| ArenaError::damaged(&path, error))?;
        let word = |key: &str| table.get(key).and_then(toml::Value::as_str);
        let deals = word("seed").map_or_else(|| "of a file".to_owned(), |seed| format!("of seed {seed}"));
        Ok(Self { directory: directory.to_owned(), rules, deals, set })
    }

    /// Adds the deals of all existing parts.
    pub(super) fn add_to(&self, totals: &mut Totals) -> Result<()> {
        for (name, sum) in self.set.files.iter() {
            label::check(&self.directory, name, sum)?;
        }
        // The parts of a shard do not start at 0.
        let first = self.set.chunks.chunks().start;
        let mut part = first;
        loop {
            let stem = self.directory.join(format!("part-{part:06}"));
            let [parquet, csv] = ["parquet", "csv"].map(|ending| stem.with_extension(ending));
            if parquet.is_file() {
                let file = File::open(&parquet).map_err(|source| ArenaError::read(&parquet, source))?;
                read_parquet(&parquet, file, |row| totals.add(row))?;
            } else if csv.is_file() {
                read_csv(&csv, open_rows(&csv)?, |row| totals.add(row))?;
            } else if part == first {
                return Err(NoLabels(self.directory.clone()).into());
            } else {
                totals.finish();
                return Ok(());
            }
            part += 1;
        }
    }
}

/// Reads a part as Parquet; the path is for errors.
pub fn read_parquet(path: &Path, file: impl ChunkReader + 'static, mut add: impl FnMut(&Row)) -> Result<()> {
    let mut number = 0;
    let read = || -> Result<(), LabelsDamage> {
        ParquetTable::open(file, &[false, true].map(schema))?.each_part(|part| {
            part.iter::<LabelRow<'_>>().try_for_each(|row| {
                number += 1;
                add(&Row::of(&row?).ok_or(LabelsDamage::NotSolved)?);
                Ok(())
            })
        })
    };
    read().map_err(|error| ArenaError::damaged_row(path, number, error))
}

/// Reads a part as comma-separated values; the path is for errors.
pub fn read_csv(path: &Path, mut input: impl BufRead, mut add: impl FnMut(&Row)) -> Result<()> {
    let (mut number, schema) = (0, schema(false));
    let read = || -> Result<(), LabelsDamage> {
        let mut header = Vec::new();
        input.read_until(b'\n', &mut header).map_err(csv::Error::from)?;
        if header != schema.header().as_bytes() {
            return Err(LabelsDamage::Header);
        }
        let mut lines = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(input);
        let mut record = csv::ByteRecord::new();
        number += 1;
        while lines.read_byte_record(&mut record)? {
            let row = LabelRow::read(&mut Line::new(&schema.columns, &record))?;
            add(&Row::of(&row).ok_or(LabelsDamage::NotSolved)?);
            number += 1;
        }
        Ok(())
    };
    read().map_err(|error| ArenaError::damaged_row(path, number, error))
}
