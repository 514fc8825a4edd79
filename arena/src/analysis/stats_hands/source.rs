//! Solved deals: of a directory of labels, or solved as they are asked for.

use core::ops::Range;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use coinche_engine::{BySeat, CardSet, RuleSet, Seat};
use coinche_selfplay::base::error::{ArenaError, ModuleError};
use coinche_selfplay::base::files::read_text;
use coinche_selfplay::base::progress::Meter;
use coinche_selfplay::play::solvers::Solvers;
use coinche_selfplay::records::lines::open_rows;
use coinche_selfplay::records::write::parquet::guarded;
use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use parquet::record::RowAccessor;

use super::Totals;
use crate::analysis::label;
use crate::analysis::label::{Row, Settings};
use crate::run::checksums::Checksums;
use crate::run::part::Pace;
use crate::run::runner::Next;

/// The most deals that are solved at a time.
const BATCH: u64 = 2048;

/// Solves some deals of settings and adds them; `after` gets the totals up to a deal once in a while.
///
/// # Errors
///
/// When the deals cannot be read, and those of `after`.
pub(super) fn solve(
    settings: &Settings,
    range: Range<u64>,
    solvers: &Solvers,
    meter: &Meter,
    totals: &mut Totals,
    mut after: impl FnMut(&Totals, u64) -> Result<Next, ArenaError>,
) -> Result<(), ArenaError> {
    let mut deals = settings.source.open()?;
    deals.skip(range.start)?;
    let (mut done, mut pace) = (range.start, Pace::new(solvers.threads() as u64..=BATCH));
    while done < range.end {
        let size = (range.end - done).min(pace.step());
        done += size;
        let rows = solvers.map(deals.take(size)?, |solver, line| {
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

/// What `labels.toml` says of a data set.
#[derive(Debug)]
pub(crate) struct Labels {
    directory: PathBuf,
    pub(crate) rules: RuleSet,
    /// The text of the deals: their seed, or that they were in a file.
    pub(crate) deals: String,
}

/// What is wrong with labels.
#[derive(Debug, thiserror::Error)]
enum LabelsDamage {
    #[error("it has no `rules`")]
    NoRules,
    #[error("it is not a solved deal")]
    NotSolved,
}

/// A directory of labels has none.
#[derive(Debug, thiserror::Error)]
#[error("{} has no labels yet: `arena label` makes them", .0.display())]
struct NoLabels(PathBuf);

impl ModuleError for NoLabels {}

/// A directory has labels of another kind.
#[derive(Debug, thiserror::Error)]
#[error("{} has no points of deals: choose a directory with points, as `arena label` makes them without --decisions", .0.display())]
struct NoPoints(PathBuf);

impl ModuleError for NoPoints {}

impl Labels {
    /// Opens a directory of labels.
    ///
    /// # Errors
    ///
    /// When it is none.
    pub(crate) fn open(directory: &Path) -> Result<Self, ArenaError> {
        let path = directory.join("labels.toml");
        let text = read_text(&path)?;
        let wrong = |error: toml::de::Error| ArenaError::damaged(&path, error);
        let table: toml::Table = text.parse().map_err(wrong)?;
        if table.get("kind").is_some() {
            return Err(NoPoints(directory.to_owned()).into());
        }
        let rules = table.get("rules").cloned();
        let rules = rules.ok_or_else(|| ArenaError::damaged(&path, LabelsDamage::NoRules))?;
        let rules = rules.try_into::<RuleSet>().map_err(wrong)?;
        let word = |key: &str| table.get(key).and_then(toml::Value::as_str);
        let deals = word("seed").map_or_else(|| "of a file".to_owned(), |seed| format!("of seed {seed}"));
        Ok(Self { directory: directory.to_owned(), rules, deals })
    }

    /// Adds the deals of all parts that are there.
    ///
    /// # Errors
    ///
    /// When there is none, or one is missing, damaged or cannot be read.
    pub(super) fn add_to(&self, totals: &mut Totals) -> Result<(), ArenaError> {
        if let Some(sums) = Checksums::read(&self.directory)? {
            for (name, sum) in sums.iter() {
                label::check(&self.directory, name, sum)?;
            }
        }
        // A shard has the parts from some other one on.
        let first = label::Parts::of(&self.directory)?.chunks().start;
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
pub(crate) fn read_parquet(
    path: &Path,
    file: impl ChunkReader + 'static,
    mut add: impl FnMut(&Row),
) -> Result<(), ArenaError> {
    let wrong = |number: u64| {
        move |error: parquet::errors::ParquetError| ArenaError::damaged_row(path, number, error)
    };
    let reader = guarded(|| SerializedFileReader::new(file)).map_err(wrong(0))?;
    let mut records = guarded(|| reader.get_row_iter(None)).map_err(wrong(0))?;
    for number in 1.. {
        let Some(record) = guarded(|| records.next().transpose()).map_err(wrong(number))? else { break };
        let read = || -> Result<Option<Row>, parquet::errors::ParquetError> {
            let mut hands = BySeat([CardSet::EMPTY; 4]);
            for seat in Seat::ALL {
                hands[seat] = CardSet::from_bits(record.get_uint(5 + seat.index())?);
            }
            let mut points = [None; 6];
            for (strain, points) in points.iter_mut().enumerate() {
                *points = record.get_ubyte(9 + strain).ok();
            }
            let slams = [record.get_ubyte(15)?, record.get_ubyte(16)?];
            let leader = Seat::ALL.get(usize::from(record.get_ubyte(4)?)).copied();
            Ok(leader.and_then(|leader| Row::read(record.get_ulong(3).ok()?, leader, hands, points, slams)))
        };
        let row = read().map_err(wrong(number))?;
        add(&row.ok_or_else(|| ArenaError::damaged_row(path, number, LabelsDamage::NotSolved))?);
    }
    Ok(())
}

/// A row as text.
#[derive(serde::Deserialize)]
struct TextRow {
    deal: u64,
    leader: u8,
    hand0: String,
    hand1: String,
    hand2: String,
    hand3: String,
    c: Option<u8>,
    d: Option<u8>,
    h: Option<u8>,
    s: Option<u8>,
    sa: Option<u8>,
    ta: Option<u8>,
    slams02: u8,
    slams13: u8,
}

impl TextRow {
    fn row(self) -> Option<Row> {
        let mut hands = BySeat([CardSet::EMPTY; 4]);
        for (seat, text) in Seat::ALL.into_iter().zip([self.hand0, self.hand1, self.hand2, self.hand3]) {
            hands[seat] = text.parse().ok()?;
        }
        let points = [self.c, self.d, self.h, self.s, self.sa, self.ta];
        let leader = *Seat::ALL.get(usize::from(self.leader))?;
        Row::read(self.deal, leader, hands, points, [self.slams02, self.slams13])
    }
}

/// Reads a part as comma-separated values; the path is for errors.
pub(crate) fn read_csv(path: &Path, input: impl Read, mut add: impl FnMut(&Row)) -> Result<(), ArenaError> {
    for (number, row) in (1..).zip(csv::Reader::from_reader(input).into_deserialize::<TextRow>()) {
        let row = row.map_err(|error| ArenaError::damaged_row(path, number, error))?;
        add(&row.row().ok_or_else(|| ArenaError::damaged_row(path, number, LabelsDamage::NotSolved))?);
    }
    Ok(())
}
