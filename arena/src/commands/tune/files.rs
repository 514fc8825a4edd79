//! The directory of a tuning.
//!
//! | file | |
//! |---|---|
//! | `tune.toml` | the settings; locked while a process is running |
//! | `history.csv` | a row for each iteration: the match's exact sums, and the parameters after it |
//! | `tune.json`, `trajectories.svg` | the result, and a picture of the trajectories |
//! | `verify/` | the run of the result against the start |
//!
//! The history is append-only. The state of a tuning follows from its sums, so the next process recomputes
//! everything, and reports any difference as damage. An incomplete row is removed.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use coinche_selfplay::base::files::checksums::{Chain, Checksums, sealed_toml, unsealed};
use coinche_selfplay::base::files::{
    CHECKSUMS, OutFile, foreign_data, if_there, read_data, read_toml, write_whole,
};
use coinche_selfplay::{ArenaError, Result};
use serde::{Deserialize, Serialize};

use coinche_inference::{Measured, Spsa, Trial};

use super::params::Param;
use coinche_runs::differences::check_same;
use coinche_runs::{Damage, Held, Identity};

pub(in crate::commands) const SETTINGS: &str = "tune.toml";
const HISTORY: &str = "history.csv";
pub(super) const RESULT: &str = "tune.json";
pub(super) const PICTURE: &str = "trajectories.svg";
/// The data files in the directory of a tuning.
const OWN: [&str; 4] = [SETTINGS, HISTORY, RESULT, CHECKSUMS];
/// The most bytes read of a file.
const MOST: u64 = 1 << 28;
/// The minimum interval between syncs of the history.
const SYNC: Duration = Duration::from_secs(2);

/// `tune.toml`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    v: u32,
    identity: Identity,
}

/// A row of the history: the measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) measured: Measured,
    pub(super) faults: u64,
}

/// The directory, open for writing.
pub(super) struct Files {
    directory: PathBuf,
    history: OutFile,
    chain: Chain,
    synced: Instant,
    /// Dropped last.
    _held: Held,
}

/// Returns the names of the columns.
pub(super) fn header(params: &[Param]) -> String {
    let columns = params.iter().map(|Param { name, .. }| format!(",{name},{name}_plus,{name}_minus"));
    format!("iteration,deals,pairs,doubled,squares,difference,faults{},crc\n", columns.collect::<String>())
}

/// Returns the cells of the last iteration, without their CRC-32.
pub(super) fn line(params: &[Param], batch: u64, spsa: &Spsa, trial: &Trial, row: &Row) -> String {
    let Measured { pairs, doubled, squares } = row.measured;
    let (n, mean) = (spsa.done(), row.measured.mean());
    let mut line = format!("{n},{},{pairs},{doubled},{squares},{mean:.4},{}", n * batch, row.faults);
    let values = spsa.theta().iter().zip(&trial.plus).zip(&trial.minus);
    for (param, ((theta, plus), minus)) in params.iter().zip(values) {
        let digits = param.spsa.digits as usize + 4;
        let _ = write!(line, ",{theta:.digits$},{},{}", param.text(*plus), param.text(*minus));
    }
    line
}

impl Row {
    /// Parses the measurement of a line.
    fn parse(line: &str) -> Option<Self> {
        let mut cells = line.split(',').skip(2);
        let mut cell = || cells.next();
        let measured = Measured {
            pairs: cell()?.parse().ok()?,
            doubled: cell()?.parse().ok()?,
            squares: cell()?.parse().ok()?,
        };
        Some(Self { measured, faults: cells.nth(1)?.parse().ok()? })
    }
}

/// What is wrong with the history of a tuning.
#[derive(Debug, thiserror::Error)]
enum HistoryError {
    #[error("the first line does not name the columns")]
    Header,
    #[error("line {0} is not a row of the table, or does not match its CRC-32: the contents have changed")]
    NoRow(usize),
    #[error("iteration {0} does not follow from those before it")]
    OtherIteration(u64),
}

/// Returns the error for a history that differs from the recomputed one.
pub(super) fn damaged(directory: &Path, iteration: u64) -> ArenaError {
    ArenaError::damaged(directory.join(HISTORY), HistoryError::OtherIteration(iteration))
}

/// What is in the directory of a tuning.
pub(super) struct There {
    /// The rows of the history with their cells.
    pub(super) rows: Vec<(Row, String)>,
    /// The sum of its complete lines.
    chain: Chain,
    /// The length in bytes of its complete lines.
    whole: usize,
    /// Whether the settings are still missing: the process was killed before it had written them.
    is_new: bool,
}

impl There {
    /// Reads the directory, while a process may be running there, and checks that it holds the requested tuning.
    pub(super) fn read(directory: &Path, identity: &Identity, header: &str) -> Result<Self> {
        if let Some(file) = foreign_data(directory, &OWN) {
            return Err(ArenaError::RunExists { path: directory.to_owned(), file });
        }
        let [settings, bytes] =
            [SETTINGS, HISTORY].map(|name| if_there(read_data(&directory.join(name), MOST)));
        let (settings, bytes) = (settings?.unwrap_or_default(), bytes?.unwrap_or_default());
        let path = directory.join(HISTORY);
        // Text after the last complete line is incomplete.
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let text = std::str::from_utf8(&bytes[..whole]).map_err(|error| ArenaError::damaged(&path, error))?;
        let is_new = text.is_empty() && unsealed(&settings).is_err();
        if !is_new {
            check(directory, identity)?;
        }
        let mut lines = text.split_inclusive('\n');
        if lines.next().is_some_and(|first| first != header) {
            return Err(ArenaError::damaged(path, HistoryError::Header));
        }
        let mut chain = Chain::after(header);
        let row = |(n, line)| {
            let row = chain.read(line).and_then(|cells| Some((Row::parse(cells)?, cells.to_owned())));
            row.ok_or_else(|| ArenaError::damaged(&path, HistoryError::NoRow(n + 2)))
        };
        let rows = lines.enumerate().map(row).collect::<Result<_, _>>()?;
        Ok(Self { rows, chain, whole, is_new })
    }
}

impl Files {
    /// Creates the directory, or opens it to resume: returns the rows of the history with their texts.
    pub(super) fn open(
        directory: &Path,
        identity: &Identity,
        header: &str,
    ) -> Result<(Self, Vec<(Row, String)>)> {
        if let Some(file) = foreign_data(directory, &OWN) {
            return Err(ArenaError::RunExists { path: directory.to_owned(), file });
        }
        let mut held = Held::lock(directory, SETTINGS)?;
        let There { rows, chain, whole, is_new } = There::read(directory, identity, header)?;
        let path = directory.join(HISTORY);
        if is_new {
            let text = toml::to_string(&Settings { v: 1, identity: identity.clone() });
            held.write(&sealed_toml(&text.map_err(|error| ArenaError::damaged(&path, error))?))?;
        }
        Checksums::remove(directory)?;
        let history = OutFile::open(&path).and_then(|mut file| file.cut(whole as u64).map(|()| file));
        let history = history.map_err(|source| ArenaError::write(&path, source))?;
        let directory = directory.to_owned();
        let mut this = Self { directory, history, chain, synced: Instant::now(), _held: held };
        if whole == 0 {
            this.add(header)?;
        }
        Ok((this, rows))
    }

    /// Returns the directory.
    pub(super) fn path(&self) -> &Path {
        &self.directory
    }

    fn written(&self, written: io::Result<()>) -> Result<()> {
        written.map_err(|source| ArenaError::write(self.directory.join(HISTORY), source))
    }

    /// Appends a row to the history.
    pub(super) fn append(&mut self, cells: &str) -> Result<()> {
        let line = self.chain.line(cells);
        self.add(&line)
    }

    fn add(&mut self, line: &str) -> Result<()> {
        let written = self.history.write_all(line.as_bytes());
        self.written(written)?;
        if self.synced.elapsed() > SYNC {
            self.sync()?;
        }
        Ok(())
    }

    /// Flushes and syncs the history.
    pub(super) fn sync(&mut self) -> Result<()> {
        self.synced = Instant::now();
        self.written(self.history.sync())
    }

    /// Writes the checksums of the files, once they are final.
    pub(super) fn seal(&self) -> Result<()> {
        let mut sums = Checksums::default();
        for name in [SETTINGS, HISTORY, RESULT, PICTURE] {
            sums.measure(&self.directory, name)?;
        }
        sums.write(&self.directory)
    }

    /// Writes a file of the directory atomically.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<()> {
        write_whole(&self.directory.join(name), text.as_bytes())
    }
}

/// Checks that the tuning in a directory is the requested one.
fn check(directory: &Path, identity: &Identity) -> Result<()> {
    let path = directory.join(SETTINGS);
    let there: Settings =
        toml::from_str(&read_toml(&path)?).map_err(|error| ArenaError::damaged(&path, error))?;
    if there.v != 1 {
        return Err(ArenaError::damaged(&path, Damage::Version { found: there.v, read: 1 }));
    }
    check_same(directory, there.identity.differences(identity))
}
