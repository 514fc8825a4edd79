//! The directory of a sequential test: that of a run, plus `sprt.csv`, a row for each look, and `sprt.json`.
//!
//! The progress of the test is in the state of the run. The table has all looks up to there, since a look is
//! written before the state that includes its pairs; later looks are from a process that was killed before
//! saving the state, and are removed.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use coinche_engine::record::RulesRecord;
use coinche_inference::{Checkpoint, Decision, PairedSums, SequentialTest, SprtPlan};
use coinche_selfplay::base::files::checksums::{Chain, sealed};
use coinche_selfplay::base::files::{OutFile, if_there, read_data, read_json, write_whole};
use coinche_selfplay::base::hash::Fnv;
use coinche_selfplay::{ArenaError, Result, SideTally, VERSION};
use serde_json::{Value, json};

use super::asked::Asked;
use super::under_way::decision;
use coinche_runs::differences::{changed, check_same};
use coinche_runs::directory::named;
use coinche_runs::figures::ControlFigures;
use coinche_runs::{COMMIT, Identity, RunDir, Totals, time_stamp};

const HEAD: &str = "deals,difference,sd,llr,decision,half_width,crc\n";
pub(in crate::commands) const TABLE: &str = "sprt.csv";
pub(in crate::commands) const RESULT: &str = "sprt.json";

/// The maximum size of a table of looks that is read.
const MOST: u64 = 1 << 30;

/// The files besides those of the run, open for writing.
pub(super) struct Files {
    directory: PathBuf,
    csv: OutFile,
    chain: Chain,
}

/// Returns a decision's name in the files.
pub(super) const fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::GoOn => "go-on",
        Decision::Upper => "upper",
        Decision::Lower => "lower",
        Decision::Undecided => "undecided",
    }
}

/// Returns the cells of a look, without their CRC-32.
fn to_row(look: &Checkpoint) -> String {
    let Checkpoint { pairs, mean, sd, half_width, llr, decision } = look;
    let half_width = half_width.map_or_else(String::new, |half| half.to_string());
    format!("{pairs},{mean},{sd},{llr},{},{half_width}", word(*decision))
}

pub(super) fn from_row(row: &str) -> Option<Checkpoint> {
    let cells: Vec<&str> = row.split(',').collect();
    let [pairs, mean, sd, llr, decision, half_width, ..] = cells[..] else { return None };
    let all = [Decision::GoOn, Decision::Upper, Decision::Lower, Decision::Undecided];
    Some(Checkpoint {
        pairs: pairs.parse().ok()?,
        mean: mean.parse().ok()?,
        sd: sd.parse().ok()?,
        llr: llr.parse().ok()?,
        decision: all.into_iter().find(|known| word(*known) == decision)?,
        half_width: if half_width.is_empty() { None } else { Some(half_width.parse().ok()?) },
    })
}

/// Returns the directory: the given one, or one named by all settings, so that the same command finds it again.
pub(super) fn directory(asked: &Asked) -> Result<PathBuf> {
    let Asked { config, plan, .. } = asked;
    if let Some(path) = &config.out {
        return Ok(path.clone());
    }
    let identity = Identity::new(config)?.fingerprint;
    let hash = format!("{:016x}", Fnv::of(&format!("{identity}\n{}", fixed(plan))));
    let bots = format!("{}-{}", config.bots[0], config.bots[1]);
    Ok(named(["", "-sprt"], &bots, &config.seed, &hash))
}

/// Returns the part of a plan that must match to resume a test: all but the maximum number of deals.
fn fixed(plan: &SprtPlan) -> Value {
    let mut plan = json!(plan);
    if let Some(plan) = plan.as_object_mut() {
        plan.remove("most");
    }
    // As it is parsed again.
    serde_json::from_str(&plan.to_string()).unwrap_or(plan)
}

/// Checks that the test in a directory is the requested one.
fn check(directory: &Path, text: &[u8], asked: &Asked) -> Result<()> {
    let there: Value =
        serde_json::from_slice(text).map_err(|error| ArenaError::damaged(directory.join(RESULT), error))?;
    check_same(directory, changed(&there["plan"], &fixed(&asked.plan)))
}

/// Checks that a directory whose run has these sums holds the requested test, or nothing yet.
fn check_there(directory: &Path, asked: &Asked, sums: &PairedSums) -> Result<()> {
    match if_there(read_json(&directory.join(RESULT)))? {
        Some(text) => check(directory, &text, asked),
        None if sums.pairs > 0 => Err(ArenaError::RunExists { path: directory.to_owned(), file: "run.json" }),
        None => Ok(()),
    }
}

/// The looks in a table up to some totals.
pub(super) struct Looks {
    /// The text of the whole table.
    pub(super) text: String,
    /// The length in bytes of the looks, with the header; 0 if there is none.
    pub(super) kept: usize,
    pub(super) last: Option<Checkpoint>,
    /// Continues the table.
    chain: Chain,
}

/// Returns the chain of an empty table. It begins with the settings of the test, so that the looks of another one do
/// not match.
fn chain(asked: &Asked) -> Result<Chain> {
    Ok(Chain::after(&format!("{HEAD}{}", asked.config.settings()?)))
}

/// Reads the looks of the test in a directory at these totals.
pub(super) fn read_looks(directory: &Path, asked: &Asked, totals: &Totals) -> Result<Looks> {
    let (path, sums) = (directory.join(TABLE), asked.sums(totals.first()));
    let rows = if_there(read_data(&path, MOST))?.unwrap_or_default();
    let text = String::from_utf8_lossy(&rows).into_owned();
    let looks = looks(text, chain(asked)?, &asked.plan, &sums, asked.look(totals)?.as_ref());
    looks.map_err(|error| ArenaError::damaged(&path, error))
}

/// Returns the test in a directory at these totals, while a process may be running there.
pub(super) fn test_in(directory: &Path, asked: &Asked, totals: &Totals) -> Result<SequentialTest> {
    let sums = asked.sums(totals.first());
    check_there(directory, asked, &sums)?;
    let last = read_looks(directory, asked, totals)?.last;
    Ok(SequentialTest::resume(asked.plan, last, sums)?)
}

impl Files {
    /// Opens the files in the directory of a run, and returns the test at the progress of the run.
    pub(super) fn open(dir: &mut RunDir, asked: &Asked) -> Result<(Self, SequentialTest)> {
        let directory = dir.path().to_owned();
        let sums = asked.sums(dir.totals().first());
        check_there(&directory, asked, &sums)?;
        dir.unseal()?;
        let path = directory.join(TABLE);
        let error = |source| ArenaError::write(&path, source);
        let mut csv = OutFile::open(&path).map_err(error)?;
        let Looks { kept, last, chain, .. } = read_looks(&directory, asked, dir.totals())?;
        csv.cut(kept as u64).map_err(error)?;
        if kept == 0 {
            csv.write_all(HEAD.as_bytes()).map_err(error)?;
        }
        dir.keep(&path, csv.try_clone().map_err(error)?);
        let test = SequentialTest::resume(asked.plan, last, sums)?;
        Ok((Self { directory, csv, chain }, test))
    }

    /// Returns the directory.
    pub(super) fn path(&self) -> &Path {
        &self.directory
    }

    /// Writes a look.
    pub(super) fn look(&mut self, look: &Checkpoint) -> Result<()> {
        let written = self.csv.write_all(self.chain.line(&to_row(look)).as_bytes());
        written.map_err(|source| ArenaError::write(self.directory.join(TABLE), source))
    }

    /// Writes `sprt.json` atomically.
    pub(super) fn finish(&self, text: &str) -> Result<()> {
        write_whole(&self.directory.join(RESULT), sealed(text).as_bytes())
    }
}

/// What is wrong with the table of looks.
#[derive(Debug, thiserror::Error)]
enum LooksError {
    #[error("the first line does not name the columns")]
    Header,
    #[error("a line is not a look")]
    NoLook,
    #[error("a line does not match its CRC-32: the contents have changed")]
    Checksum,
    #[error("its looks do not match --first and --every")]
    OtherPlan,
    #[error("its last look does not match the pairs played")]
    OtherPairs,
    #[error("a look follows the one that ended the test")]
    Behind,
    #[error("looks are missing")]
    Missing,
}

/// Reads the looks at the pairs of a run from a table that begins with this chain. `now` is a look at all these pairs.
fn looks(
    text: String,
    mut chain: Chain,
    plan: &SprtPlan,
    sums: &PairedSums,
    now: Option<&Checkpoint>,
) -> Result<Looks, LooksError> {
    // Text after the last complete line is incomplete.
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let mut lines = text[..whole].split_inclusive('\n');
    let (mut kept, mut last): (usize, Option<Checkpoint>) = (0, None);
    if let Some(head) = lines.next() {
        if head != HEAD {
            return Err(LooksError::Header);
        }
        kept = HEAD.len();
    }
    for line in lines {
        let mut after = chain.clone();
        let Some(cells) = after.read(line) else {
            let next = plan.next_look(last.map_or(0, |last| last.pairs));
            // Behind the looks of the state there is what a killed process left.
            if next.is_some_and(|next| next <= sums.pairs) {
                return Err(LooksError::Checksum);
            }
            break;
        };
        let look = from_row(cells).ok_or(LooksError::NoLook)?;
        // With more deals allowed, an undecided test continues: the look at its end is not a regular one.
        let is_end = look.decision == Decision::Undecided && look.pairs < plan.most;
        if look.pairs > sums.pairs || is_end {
            break;
        }
        if last.is_some_and(|last| last.decision != Decision::GoOn) {
            return Err(LooksError::Behind);
        }
        if plan.next_look(last.map_or(0, |last| last.pairs)) != Some(look.pairs) {
            return Err(LooksError::OtherPlan);
        }
        if look.pairs == sums.pairs && now.is_none_or(|now| to_row(now) != cells) {
            return Err(LooksError::OtherPairs);
        }
        kept += line.len();
        (chain, last) = (after, Some(look));
    }
    let next = plan.next_look(last.map_or(0, |last| last.pairs));
    let is_over = last.is_some_and(|last| last.decision != Decision::GoOn);
    if !is_over && next.is_some_and(|next| next < sums.pairs) {
        return Err(LooksError::Missing);
    }
    Ok(Looks { text, kept, last, chain })
}

/// Returns the text of `sprt.json`. All but `timing` is the same for the same command and commit.
pub(super) fn to_json(asked: &Asked, test: &SequentialTest, totals: &Totals, elapsed: Duration) -> String {
    let tally = totals.first();
    let faults = [0, 1].map(|side: usize| tally.sides[side].all_faults());
    let config = &asked.config;
    let decision = decision(test, tally);
    let mut value = json!({
        "v": 1,
        "version": VERSION,
        "commit": COMMIT,
        "command": asked.to_command(),
        "bots": config.first_two().map(|bot| bot.to_string()),
        "rules": RulesRecord::new(&config.rules),
        "seed": config.seed,
        "unit": config.unit.singular(),
        "freeze": config.freeze.named(),
        "plan": test.plan(),
        "bounds": test.plan().thresholds(),
        "decision": word(decision),
        "interrupted": decision == Decision::GoOn,
        "last": test.last(),
        "estimate": asked.estimate(totals),
        "faults": faults,
        "forfeited": tally.sides.each_ref().map(SideTally::forfeits),
        "legs": tally.deals,
        "timing": {
            "ended": time_stamp(SystemTime::now()),
            "seconds": elapsed.as_secs_f64(),
            "threads": config.threads,
        },
    });
    if let Some(control) = ControlFigures::new(config, totals, 0) {
        value["control"] = json!(control);
    }
    format!("{value:#}")
}
