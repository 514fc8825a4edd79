//! The directory of a sequential test: `sprt.csv`, a row a look, and `sprt.json`.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use coinche_engine::RulesRecord;
use serde_json::json;

use crate::ArenaError;
use crate::config::RunConfig;
use crate::figures::{COMMIT, VERSION};
use crate::run_dir::time_stamp;
use crate::stats::{Checkpoint, Decision, SequentialTest};
use crate::tally::Tally;

/// What no new test is written beside.
const FILES: [&str; 4] = ["sprt.csv", "sprt.json", "run.json", "config.toml"];

/// The files, open for writing.
pub(super) struct Files {
    directory: PathBuf,
    csv: File,
}

/// Names a decision as the files do.
const fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::GoOn => "go-on",
        Decision::Upper => "upper",
        Decision::Lower => "lower",
        Decision::Undecided => "undecided",
    }
}

impl Files {
    /// Makes the directory and begins the table.
    pub(super) fn create(config: &RunConfig) -> Result<Self, ArenaError> {
        let directory = config.out.clone().unwrap_or_else(|| own_directory(config));
        if let Some(file) = FILES.into_iter().find(|file| directory.join(file).symlink_metadata().is_ok()) {
            return Err(ArenaError::RunExists { path: directory, file });
        }
        fs::create_dir_all(&directory).map_err(|source| ArenaError::write(&directory, source))?;
        let path = directory.join("sprt.csv");
        let csv = File::create_new(&path).map_err(|source| ArenaError::write(&path, source))?;
        let mut files = Self { directory, csv };
        files.line("deals,mean,sd,llr,decision")?;
        Ok(files)
    }

    /// Returns the directory.
    pub(super) fn path(&self) -> &Path {
        &self.directory
    }

    fn line(&mut self, line: &str) -> Result<(), ArenaError> {
        let written = self.csv.write_all(format!("{line}\n").as_bytes());
        written.map_err(|source| ArenaError::write(self.directory.join("sprt.csv"), source))
    }

    /// Writes a look.
    pub(super) fn look(&mut self, look: &Checkpoint) -> Result<(), ArenaError> {
        let Checkpoint { pairs, mean, sd, llr, decision } = look;
        self.line(&format!("{pairs},{mean},{sd},{llr},{}", word(*decision)))
    }

    /// Writes `sprt.json`, whole or not at all.
    pub(super) fn finish(&self, text: &str) -> Result<(), ArenaError> {
        let [path, part] = ["sprt.json", "sprt.json.part"].map(|name| self.directory.join(name));
        let written = fs::write(&part, text).and_then(|()| fs::rename(&part, &path));
        written.map_err(|source| ArenaError::write(&path, source))
    }
}

/// Names a new directory under `results/runs`, after the time and the bots.
fn own_directory(config: &RunConfig) -> PathBuf {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || letter == '.' { letter } else { '-' };
    let slug: String = format!("{}-{}", config.bots[0], config.bots[1]).chars().map(plain).take(60).collect();
    let name = format!("{}-sprt-{slug}", time_stamp(SystemTime::now()));
    let runs = Path::new("results").join("runs");
    let taken = |path: &Path| path.symlink_metadata().is_ok();
    let others = (2..).map(|n| runs.join(format!("{name}-{n}")));
    std::iter::once(runs.join(&name)).chain(others).find(|path| !taken(path)).unwrap_or(runs)
}

/// Returns the text of `sprt.json`. All but `timing` is the same for the same command and commit.
pub(super) fn to_json(
    config: &RunConfig,
    command: &str,
    test: &SequentialTest,
    tally: &Tally,
    elapsed: Duration,
) -> String {
    let faults = [0, 1].map(|side: usize| tally.sides[side].all_faults());
    let value = json!({
        "v": 1,
        "version": VERSION,
        "commit": COMMIT,
        "command": command,
        "bots": config.first_two().map(|bot| bot.to_string()),
        "rules": RulesRecord::new(&config.rules),
        "seed": config.seed,
        "plan": test.plan(),
        "bounds": test.plan().thresholds(),
        "decision": word(test.decision()),
        "interrupted": test.decision() == Decision::GoOn,
        "last": test.last(),
        "estimate": test.estimate(),
        "faults": faults,
        "timing": {
            "ended": time_stamp(SystemTime::now()),
            "seconds": elapsed.as_secs_f64(),
            "threads": config.threads,
        },
    });
    format!("{value:#}\n")
}
