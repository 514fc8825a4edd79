//! Deals labelled with their exact points: settings, chunks, files.
//!
//! A data set is a directory: `labels.toml`, the settings, written first and locked by the process at work; then a file
//! for each chunk of deals, `part-000000.csv` and `part-000000.parquet`, each written whole under another name and then
//! renamed; and `checksums.txt`, the sums of the parts that are there. The same command goes on with the chunks that it
//! does not list.

mod columns;
mod error;
mod parquet;
mod source;

use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use coinche_engine::solver::{DealPoints, Solver};
use coinche_engine::{RuleSet, Seat, Seed, Strain};
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::files::{CHECKSUMS, foreign_data, read_text, write_whole};
use coinche_selfplay::base::output::complain;
use coinche_selfplay::base::progress::{Meter, ProgressMode};
use coinche_selfplay::play::solvers::Solvers;
use serde::{Deserialize, Serialize};

use crate::run::checksums::{Checksums, Sum};
use crate::run::directory::Held;
use error::LabelError;

pub(crate) use columns::Row;
pub(crate) use source::{Line, Source};

/// The file of the settings.
const SETTINGS: &str = "labels.toml";
/// How often the sums are written, at most: parts that they do not list are made again.
const SAVE: Duration = Duration::from_secs(2);

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
/// When the directory holds labels of other settings or anything else, is in use or damaged, or something cannot be read
/// or written.
pub(crate) fn make(
    settings: &Settings,
    directory: &Path,
    solvers: &Solvers,
    progress: ProgressMode,
) -> Result<Labelled, ArenaError> {
    let (_held, mut sums) = prepare(settings, directory)?;
    let mut saved = Instant::now();
    let total = settings.source.deals();
    let meter = Meter::new(progress, total);
    let mut deals = settings.source.open()?;
    let mut done = Labelled::default();
    for chunk in 0..total.div_ceil(settings.chunk) {
        let files: Vec<_> = settings.format.endings().iter().map(|ending| part(chunk, ending)).collect();
        let first = chunk * settings.chunk;
        let size = settings.chunk.min(total - first);
        if are_there(directory, &files, &sums)? {
            deals.skip(size)?;
            done.before += size;
            meter.skip(size);
            continue;
        }
        let lines = deals.take(size)?;
        for line in &lines {
            if let Err(error) = &line.hands {
                complain(format_args!("{}, line {}: {error}", settings.source, line.deal + 1));
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
        for (name, ending) in files.iter().zip(settings.format.endings()) {
            let file = directory.join(name);
            let bytes = match *ending {
                "csv" => columns::csv(settings, &rows),
                _ => parquet::parquet(settings, &rows)
                    .map_err(|error| ArenaError::write(&file, io::Error::other(error)))?,
            };
            write_whole(&file, &bytes)?;
            sums.add(name, Sum::of(&bytes));
        }
        if saved.elapsed() > SAVE {
            sums.write(directory)?;
            saved = Instant::now();
        }
        done.deals += good;
    }
    sums.write(directory)?;
    meter.finish();
    Ok(done)
}

/// Tests if the parts of a chunk are there.
///
/// # Errors
///
/// When one is damaged.
fn are_there(directory: &Path, files: &[String], sums: &Checksums) -> Result<bool, ArenaError> {
    for name in files {
        let Some(sum) = sums.get(name).filter(|_| directory.join(name).exists()) else { return Ok(false) };
        check(directory, name, sum)?;
    }
    Ok(true)
}

/// Checks that a part is what was written.
///
/// # Errors
///
/// When it is not.
pub(crate) fn check(directory: &Path, name: &str, sum: Sum) -> Result<(), ArenaError> {
    match Checksums::difference(directory, name, sum)? {
        None => Ok(()),
        Some(why) => Err(LabelError::Damaged { path: directory.join(name), why }.into()),
    }
}

/// The files that labels are to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Parts {
    chunks: u64,
    format: LabelFormat,
}

impl Parts {
    /// Reads the settings in a directory.
    ///
    /// # Errors
    ///
    /// When they are damaged or cannot be read.
    pub(crate) fn of(directory: &Path) -> Result<Self, ArenaError> {
        let path = directory.join(SETTINGS);
        let parts = Self::of_text(&read_text(&path)?);
        Ok(parts.map_err(|why| LabelError::Damaged { path, why })?)
    }

    /// Reads the text of settings, or says what is wrong with it.
    pub(crate) fn of_text(text: &str) -> Result<Self, String> {
        /// What decides about them.
        #[derive(Deserialize)]
        struct Chunks {
            deals: Option<String>,
            lines: Option<String>,
            chunk: String,
            format: LabelFormat,
        }
        let Chunks { deals, lines, chunk, format } =
            toml::from_str(text).map_err(|error| error.to_string())?;
        let number = |text: &str| text.parse::<u64>().ok().filter(|number| *number > 0);
        let chunks = deals.or(lines).as_deref().and_then(number).zip(number(&chunk));
        let chunks = chunks.map(|(deals, chunk)| deals.div_ceil(chunk));
        Ok(Self { chunks: chunks.ok_or("deals or chunk is not a number above 0")?, format })
    }

    /// Returns how many there are.
    pub(crate) fn number(self) -> u64 {
        self.chunks.saturating_mul(self.format.endings().len() as u64)
    }

    /// Tests if a file is one of them.
    pub(crate) fn has(self, name: &str) -> bool {
        let Some((stem, ending)) = name.split_once('.') else { return false };
        let chunk = stem.strip_prefix("part-").and_then(|digits| digits.parse::<u64>().ok());
        chunk.is_some_and(|chunk| {
            chunk < self.chunks && self.format.endings().contains(&ending) && part(chunk, ending) == name
        })
    }
}

/// Returns the seed of the data set in a directory, where there is one.
pub(crate) fn seed_of(directory: &Path) -> Option<Seed> {
    let text = read_text(&directory.join(SETTINGS)).ok()?;
    text.parse::<toml::Table>().ok()?.get("seed")?.as_str()?.parse().ok()
}

/// The file of a chunk.
fn part(chunk: u64, ending: &str) -> String {
    format!("part-{chunk:06}.{ending}")
}

/// Makes the directory with its settings, or compares those that are there; takes it, and returns the sums of the parts.
fn prepare(settings: &Settings, directory: &Path) -> Result<(Held, Checksums), ArenaError> {
    let path = directory.join(SETTINGS);
    let is_new = fs::symlink_metadata(&path).is_err();
    let own: &[&str] = if is_new { &[] } else { &[SETTINGS, CHECKSUMS] };
    if let Some(file) = foreign_data(directory, own) {
        return Err(ArenaError::RunExists { path: directory.to_owned(), file });
    }
    if is_new && ["csv", "parquet"].iter().any(|ending| directory.join(part(0, ending)).exists()) {
        return Err(LabelError::NoSettings(directory.to_owned()).into());
    }
    let mut held = Held::lock(directory, SETTINGS)?;
    let text = settings.to_toml()?;
    let before = String::from_utf8_lossy(&held.read()?).into_owned();
    let sums = match Checksums::read(directory) {
        Err(ArenaError::Damaged { path, why }) => {
            return Err(LabelError::Damaged { path, why: why.to_string() }.into());
        }
        sums => sums?,
    };
    if before != text {
        // Without a part there is nothing to lose: another process was killed at once.
        let is_begun = sums.is_some() || directory.join(part(0, settings.format.endings()[0])).exists();
        if is_begun {
            let fields = differing(&before, &text);
            return Err(LabelError::OtherSettings { directory: directory.to_owned(), fields }.into());
        }
        held.write(&text)?;
    }
    let mut sums = sums.unwrap_or_default();
    sums.add(SETTINGS, Sum::of(text.as_bytes()));
    Ok((held, sums))
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
