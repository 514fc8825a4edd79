//! Deals labelled with their exact points: settings, chunks, files.
//!
//! `parts` makes the directory of a data set, whatever is in it; here are the points of deals, and in `decisions` the
//! decisions of deals that bots play.

mod columns;
pub mod decisions;
mod error;
pub mod games;
pub mod merge;
mod parts;
mod source;

use std::collections::BTreeMap;
use std::path::Path;

use clap::ValueEnum;
use coinche_engine::solver::{DealPoints, Solver};
use coinche_engine::{RuleSet, Seat, Strain};
use coinche_selfplay::{ProgressMode, Result, Solvers, complain};
use serde::{Deserialize, Serialize};

use coinche_runs::{Job, Shard};
use error::LabelError;

pub use columns::{LabelRow, Row, schema};
pub use parts::{
    Chunk, Chunks, Contents, DataSet, Files, Labelled, check, damaged, make as make_chunks, seed_of, task,
};
pub use source::{Line, Source};

/// The version of the schema of `docs/labels.md`, in every row.
pub const SCHEMA: u8 = 1;

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
    /// NumPy arrays, which can be mapped into memory; only of decisions.
    Npy,
    /// The tables of games, in Parquet.
    #[value(skip)]
    Games,
}

impl LabelFormat {
    /// Returns name and ending of the files of a chunk.
    const fn files(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Csv => &[("part", "csv")],
            Self::Parquet => &[("part", "parquet")],
            Self::Both => &[("part", "csv"), ("part", "parquet")],
            Self::Npy => &[("part", "npy")],
            Self::Games => &[("deals", "parquet"), ("legs", "parquet"), ("choices", "parquet")],
        }
    }

    /// Returns the names of the files of a chunk.
    fn names(self, chunk: u64) -> impl Iterator<Item = String> {
        self.files().iter().map(move |(name, ending)| format!("{name}-{chunk:06}.{ending}"))
    }

    /// Returns the name on the command line.
    pub const fn name(self) -> &'static str {
        ["csv", "parquet", "both", "npy", "games"][self as usize]
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
pub const fn dealer(deal: u64) -> Seat {
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
pub struct Settings {
    /// The rules.
    pub rules: RuleSet,
    /// The strains that are solved.
    pub strains: Vec<Strain>,
    /// Who leads.
    pub leaders: Leaders,
    /// The format of the files.
    pub format: LabelFormat,
    /// How many deals (lines, of a file) are in one part.
    pub chunk: u64,
    /// Where the deals come from.
    pub source: Source,
}

impl Settings {
    /// What decides about the rows.
    fn table(&self) -> Result<toml::Table, LabelError> {
        let strains: Vec<&str> = self.strains.iter().map(|strain| strain.code()).collect();
        let of_source = self.source.settings().map(|(key, text)| (key, text.into()));
        let others = [
            ("strains", strains.into()),
            ("leaders", self.leaders.to_string().into()),
            ("rules", toml::Value::try_from(self.rules)?),
        ];
        let all = [("schema", i64::from(SCHEMA).into())].into_iter().chain(of_source).chain(others);
        Ok(all.map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// The rows of a deal.
    pub fn label(&self, solver: &mut Solver, line: &Line) -> Vec<Row> {
        let Ok(hands) = line.hands else { return Vec::new() };
        let leaders = self.leaders.of(line.deal);
        let points = DealPoints::solve(solver, &self.rules, hands, &self.strains, &leaders);
        leaders.into_iter().map(|leader| Row::new(line.deal, leader, &points)).collect()
    }
}

/// Makes what is missing of a data set, or of a shard of it.
pub fn make(
    settings: &Settings,
    shard: Option<Shard>,
    directory: &Path,
    solvers: &Solvers,
    progress: ProgressMode,
) -> Result<Labelled> {
    let chunks = Chunks::new(settings.source.deals(), settings.chunk, shard, settings.format);
    let task = task(Job::Label, settings.table()?, BTreeMap::new(), &chunks);
    let mut source = settings.source.open()?;
    parts::make(&chunks, &task, directory, progress, |deals, meter| {
        let lines = source.range(deals)?;
        let mut bad = 0;
        for line in &lines {
            if let Err(error) = &line.hands {
                complain(format_args!("{}, line {}: {error}", settings.source, line.deal + 1));
                bad += 1;
            }
        }
        let good = lines.len() as u64 - bad;
        let rows = solvers.map(lines, |solver, line| {
            let rows = settings.label(solver, &line);
            meter.add(1);
            rows
        });
        let rows: Vec<Row> = rows.into_iter().flatten().collect();
        let file = |(_, ending): &(_, &str)| match *ending {
            "csv" => Ok(Contents::Bytes(columns::csv(settings, &rows))),
            _ => columns::parquet(settings, &rows).map(Contents::Bytes),
        };
        let files: Result<_, _> = settings.format.files().iter().map(file).collect();
        Ok(Chunk { files: files.map_err(LabelError::from)?, good, bad })
    })
}
