//! Deals labelled with their exact points: settings, chunks, files.
//!
//! A data set is a directory: `labels.toml`, the settings, written first; then a file for each chunk of
//! deals, `part-000000.csv` and `part-000000.parquet`, each written whole under another name and then
//! renamed. What is there is right, and the same command goes on with the first chunk that is missing.

mod columns;
mod error;
mod parquet;
mod source;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use coinche_engine::solver::{DealPoints, Solver};
use coinche_engine::{RuleSet, Seat, Strain};
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::progress::{Meter, ProgressMode};
use coinche_selfplay::play::solvers::Solvers;
use serde::{Deserialize, Serialize};

use error::LabelError;

pub(crate) use columns::Row;
pub(crate) use source::{Line, Source};

/// The version of the schema of `docs/labels.md`, in every row.
pub(crate) const SCHEMA: u8 = 1;

/// The formats of labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LabelFormat {
    /// CSV.
    Csv,
    /// Parquet.
    Parquet,
    /// Both.
    Both,
}

impl LabelFormat {
    fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Csv => &["csv"],
            Self::Parquet => &["parquet"],
            Self::Both => &["csv", "parquet"],
        }
    }
}

/// From which seats the first card is led.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaders {
    /// The seat left of the dealer: seat `(deal + 1) mod 4`, as in the deals of `arena run`.
    DealerLeft,
    /// All four, a row each.
    All,
    /// Always this one.
    One(Seat),
}

impl Leaders {
    /// Returns the leaders of a deal.
    pub fn of(self, deal: u64) -> Vec<Seat> {
        match self {
            Self::DealerLeft => vec![dealer(deal).next()],
            Self::All => Seat::ALL.to_vec(),
            Self::One(seat) => vec![seat],
        }
    }
}

/// Who deals: as in `arena run`.
pub(crate) const fn dealer(deal: u64) -> Seat {
    Seat::from_index((deal % 4) as usize)
}

/// The error of reading [`Leaders`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected dealer-left, all, 0, 1, 2 or 3")]
pub struct ParseLeadersError;

impl std::str::FromStr for Leaders {
    type Err = ParseLeadersError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "dealer-left" => Ok(Self::DealerLeft),
            "all" => Ok(Self::All),
            seat => seat.parse().map(Self::One).map_err(|_| ParseLeadersError),
        }
    }
}

impl std::fmt::Display for Leaders {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::DealerLeft => f.write_str("dealer-left"),
            Self::All => f.write_str("all"),
            Self::One(seat) => write!(f, "{seat}"),
        }
    }
}

/// What a data set is made of.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) rules: RuleSet,
    pub(crate) strains: Vec<Strain>,
    pub(crate) leaders: Leaders,
    pub(crate) format: LabelFormat,
    /// How many deals (lines, of a file) are in one part.
    pub(crate) chunk: u64,
    pub(crate) source: Source,
}

impl Settings {
    /// The text of `labels.toml`.
    fn to_toml(&self) -> Result<String, LabelError> {
        let mut table = toml::Table::new();
        table.insert("schema".to_owned(), i64::from(SCHEMA).into());
        self.source.describe(&mut table);
        let strains: Vec<&str> = self.strains.iter().map(|strain| strain.code()).collect();
        table.insert("strains".to_owned(), strains.into());
        table.insert("leaders".to_owned(), self.leaders.to_string().into());
        table.insert("format".to_owned(), toml::Value::try_from(self.format)?);
        table.insert("chunk".to_owned(), self.chunk.to_string().into());
        table.insert("rules".to_owned(), toml::Value::try_from(self.rules)?);
        Ok(format!("# The settings of these labels; the same command goes on with them.\n{table}"))
    }

    /// The rows of a deal.
    pub(crate) fn label(&self, solver: &mut Solver, line: &Line) -> Vec<Row> {
        let Ok(hands) = line.hands else { return Vec::new() };
        let leaders = self.leaders.of(line.deal);
        let points = DealPoints::solve(solver, &self.rules, hands, &self.strains, &leaders);
        leaders.into_iter().map(|leader| Row::new(line.deal, leader, &points)).collect()
    }
}

/// What came of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Labelled {
    /// Deals labelled now.
    pub(crate) deals: u64,
    /// Deals that were there before.
    pub(crate) before: u64,
    /// Lines of a file that are no deals.
    pub(crate) bad: u64,
}

/// Makes what is missing of a data set.
///
/// # Errors
///
/// When the directory holds labels of other settings, or something cannot be read or written.
pub(crate) fn make(
    settings: &Settings,
    directory: &Path,
    solvers: &Solvers,
    progress: ProgressMode,
) -> Result<Labelled, ArenaError> {
    prepare(settings, directory)?;
    let total = settings.source.deals();
    let meter = Meter::new(progress, total);
    let mut deals = settings.source.open()?;
    let mut done = Labelled::default();
    for chunk in 0..total.div_ceil(settings.chunk) {
        let files: Vec<_> =
            settings.format.endings().iter().map(|ending| part(directory, chunk, ending)).collect();
        let first = chunk * settings.chunk;
        let size = settings.chunk.min(total - first);
        if files.iter().all(|file| file.exists()) {
            deals.skip(size)?;
            done.before += size;
            meter.skip(size);
            continue;
        }
        let lines = deals.take(size)?;
        for line in &lines {
            if let Err(error) = &line.hands {
                let _ = writeln!(io::stderr(), "{}, line {}: {error}", settings.source, line.deal + 1);
                done.bad += 1;
            }
        }
        let good = lines.iter().filter(|line| line.hands.is_ok()).count() as u64;
        let rows = solvers.map(lines, |solver, line| {
            let rows = settings.label(solver, &line);
            meter.add(1);
            rows
        });
        let rows: Vec<Row> = rows.into_iter().flatten().collect();
        for (file, ending) in files.iter().zip(settings.format.endings()) {
            let bytes = match *ending {
                "csv" => columns::csv(settings, &rows),
                _ => parquet::parquet(settings, &rows)
                    .map_err(|error| ArenaError::write(file, io::Error::other(error)))?,
            };
            write_whole(file, &bytes)?;
        }
        done.deals += good;
    }
    meter.finish();
    Ok(done)
}

/// Returns the seed of the data set in a directory, where there is one.
pub(crate) fn seed_of(directory: &Path) -> Option<u64> {
    let text = fs::read_to_string(directory.join("labels.toml")).ok()?;
    text.parse::<toml::Table>().ok()?.get("seed")?.as_str()?.parse().ok()
}

/// The file of a chunk.
fn part(directory: &Path, chunk: u64, ending: &str) -> PathBuf {
    directory.join(format!("part-{chunk:06}.{ending}"))
}

/// Writes a file whole or not at all.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), ArenaError> {
    let unfinished = path.with_extension("unfinished");
    let written = fs::write(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, path));
    written.map_err(|source| {
        let _ = fs::remove_file(&unfinished);
        ArenaError::write(path, source)
    })
}

/// Makes the directory with its settings, or compares those that are there.
fn prepare(settings: &Settings, directory: &Path) -> Result<(), ArenaError> {
    let path = directory.join("labels.toml");
    let text = settings.to_toml()?;
    match fs::read_to_string(&path) {
        Ok(before) if before == text => Ok(()),
        Ok(before) => {
            let fields = differing(&before, &text);
            Err(LabelError::OtherSettings { directory: directory.to_owned(), fields }.into())
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fs::create_dir_all(directory).map_err(|source| ArenaError::write(directory, source))?;
            write_whole(&path, text.as_bytes())
        }
        Err(source) if source.kind() == io::ErrorKind::NotADirectory => {
            Err(ArenaError::write(directory, source))
        }
        Err(source) => Err(ArenaError::read(&path, source)),
    }
}

/// The settings in which two files differ.
fn differing(before: &str, after: &str) -> Vec<String> {
    let [before, after]: [toml::Table; 2] = [before, after].map(|text| text.parse().unwrap_or_default());
    let mut keys: Vec<_> = before.keys().chain(after.keys()).cloned().collect();
    keys.sort();
    keys.dedup();
    keys.retain(|key| before.get(key) != after.get(key));
    keys
}
