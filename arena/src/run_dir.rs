//! The directory of a run.
//!
//! | file | |
//! |---|---|
//! | `config.toml` | written first: `arena run --config` on it plays the run again |
//! | `summary.csv` | a row per leg (`--records summary` and `full`) |
//! | `records.jsonl` | a record per leg (`--records full`) |
//! | `run.json` | written last: the figures, and what they are of |
//!
//! The tables grow batch by batch. When one cannot be written on, all are cut back to the last batch
//! that is whole in each, so what is there is right and says the same.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::ArenaError;
use crate::config::{Records, RunConfig};
use crate::runner::Batch;
use crate::write::SummaryTable;

const FILES: [&str; 4] = ["run.json", "config.toml", "summary.csv", "records.jsonl"];

/// The directory of a run, open for writing.
#[derive(Debug)]
pub(crate) struct RunDir {
    path: PathBuf,
    tables: Vec<TableFile>,
}

#[derive(Debug)]
struct TableFile {
    path: PathBuf,
    file: File,
    /// Bytes of whole batches.
    whole: u64,
    lines: fn(&Batch) -> &[u8],
}

impl TableFile {
    fn create(path: PathBuf, head: &str, lines: fn(&Batch) -> &[u8]) -> Result<Self, ArenaError> {
        let mut file = create(&path)?;
        file.write_all(head.as_bytes()).map_err(|source| ArenaError::write(&path, source))?;
        Ok(Self { path, file, whole: head.len() as u64, lines })
    }
}

fn create(path: &Path) -> Result<File, ArenaError> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .map_err(|source| ArenaError::write(path, source))
}

impl RunDir {
    /// Makes the directory and writes the configuration into it.
    ///
    /// # Errors
    ///
    /// When there is a run in it already, or it cannot be written.
    pub(crate) fn create(config: &RunConfig) -> Result<Self, ArenaError> {
        let path = match &config.out {
            Some(path) => path.clone(),
            None => own_directory(config)?,
        };
        for file in FILES {
            if path.join(file).symlink_metadata().is_ok() {
                return Err(ArenaError::RunExists { path, file });
            }
        }
        fs::create_dir_all(&path).map_err(|source| ArenaError::write(&path, source))?;
        let file = path.join("config.toml");
        create(&file)?
            .write_all(config.to_toml()?.as_bytes())
            .map_err(|source| ArenaError::write(&file, source))?;
        let mut tables = Vec::new();
        if config.records != Records::None {
            let bots = [config.bots[0].as_str(), config.bots[1].as_str()];
            let head = SummaryTable::new(&config.rules, config.unit, bots).header();
            tables.push(TableFile::create(path.join("summary.csv"), &head, |batch| &batch.summary)?);
        }
        if config.records == Records::Full {
            tables.push(TableFile::create(path.join("records.jsonl"), "", |batch| &batch.records)?);
        }
        Ok(Self { path, tables })
    }

    /// Returns the directory.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends the lines of a batch to the tables.
    ///
    /// # Errors
    ///
    /// When one cannot be written; all are then as before.
    pub(crate) fn append(&mut self, batch: &Batch) -> Result<(), ArenaError> {
        let mut failed = None;
        for table in &mut self.tables {
            if let Err(source) = table.file.write_all((table.lines)(batch)) {
                failed = Some(ArenaError::write(&table.path, source));
                break;
            }
        }
        for table in &mut self.tables {
            if failed.is_some() {
                // Nothing better can be done where even this fails.
                let _ = table.file.set_len(table.whole);
            } else {
                table.whole += (table.lines)(batch).len() as u64;
            }
        }
        failed.map_or(Ok(()), Err)
    }

    /// Writes `run.json`, whole or not at all.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub(crate) fn finish(self, run: &str) -> Result<(), ArenaError> {
        let path = self.path.join("run.json");
        let part = self.path.join("run.json.part");
        let written = fs::write(&part, run).and_then(|()| fs::rename(&part, &path));
        written.map_err(|source| {
            let _ = fs::remove_file(&part);
            ArenaError::write(&path, source)
        })
    }
}

/// Makes a new directory under `results/runs`, named after the time and the bots.
fn own_directory(config: &RunConfig) -> Result<PathBuf, ArenaError> {
    let runs = Path::new("results").join("runs");
    fs::create_dir_all(&runs).map_err(|source| ArenaError::write(&runs, source))?;
    let slug: String = format!("{}-{}", config.bots[0], config.bots[1])
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() || letter == '.' { letter } else { '-' })
        .take(60)
        .collect();
    let name = format!("{}-{slug}", time_stamp(SystemTime::now()));
    let mut path = runs.join(&name);
    for n in 2.. {
        match fs::create_dir(&path) {
            Ok(()) => break,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                path = runs.join(format!("{name}-{n}"));
            }
            Err(source) => return Err(ArenaError::write(&path, source)),
        }
    }
    Ok(path)
}

/// Writes a time as `2026-11-20-112233`, in UTC.
pub(crate) fn time_stamp(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Howard Hinnant's `civil_from_days`, with years that begin in March.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = 400 * era + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}-{hour:02}{minute:02}{second:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn time_stamps_are_dates() {
        let stamp = |seconds| time_stamp(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(stamp(0), "1970-01-01-000000");
        assert_eq!(stamp(951_782_399), "2000-02-28-235959");
        assert_eq!(stamp(951_782_400), "2000-02-29-000000");
        assert_eq!(stamp(1_795_174_953), "2026-11-20-114233");
    }
}
