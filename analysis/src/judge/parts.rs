//! Sharded judging: judges one shard of the deals in a directory, and merges all.

use core::ops::Range;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use coinche_selfplay::base::files::checksums::{Mismatch, Sum, measure};
use coinche_selfplay::records::lines::file_of;
use coinche_selfplay::{ArenaError, Label, ProgressMode, Result, Solvers, next_line, open};
use serde_json::value::RawValue;

use super::decisions::Row;
use super::error::JudgeError;
use super::source::{Own, Source};
use super::{BATCH, DecisionFiles, Leg, Settings, Totals, judge_some, meter};
use coinche_runs::job::raw;
use coinche_runs::{Damage, Next, NotEnded, Pace, PartDir, Parts, SavedSink, State, SumJob, Task};

/// The records present, so that shards are the same everywhere.
#[derive(Debug)]
pub struct Extent {
    /// The numbers of their deals or matches.
    pub units: Range<u64>,
    /// Whether these are matches.
    pub matches: bool,
    /// The checksum of the file.
    pub sum: Sum,
}

impl Extent {
    /// Examines a run, from its metadata, or else a file by reading it.
    pub fn of(path: &Path) -> Result<Self> {
        if path.as_os_str() == "-" {
            return Err(JudgeError::ShardOfStdin.into());
        }
        let file = file_of(path)?;
        match if path.is_dir() { State::read(path)? } else { None } {
            Some(state) => Self::of_run(path, &file, &state),
            None => Self::of_file(&file),
        }
    }

    fn of_run(path: &Path, file: &Path, state: &State) -> Result<Self> {
        let sum = state.records().and_then(SavedSink::sum);
        let Some((_, sum)) = sum else { return Err(NotEnded::Unfinished(path.to_owned()).into()) };
        let found = fs::metadata(file).map_err(|source| ArenaError::read(file, source))?.len();
        if found != sum.bytes {
            return Err(ArenaError::damaged(file, Mismatch::Size { found, written: sum.bytes }));
        }
        Ok(Self { units: state.start..state.done, matches: state.identity.unit() == "matches", sum })
    }

    fn of_file(file: &Path) -> Result<Self> {
        let mut input = open(file)?;
        let mut found: Option<(Range<u64>, bool)> = None;
        while let Some(line) = next_line(&mut *input).map_err(|source| ArenaError::read(file, source))? {
            let Ok(label) = Label::read(&line) else { continue };
            let unit = label.unit();
            let (units, _) = found.get_or_insert((unit..unit, label.game.is_some()));
            units.end = units.end.max(unit.saturating_add(1));
        }
        let (units, matches) = found.ok_or_else(|| JudgeError::NoRecords(file.to_owned()))?;
        Ok(Self { units, matches, sum: measure(file)? })
    }
}

/// A judging job.
pub struct JudgeJob;

impl SumJob for JudgeJob {
    type Sums = Totals;

    const HAS_ROWS: bool = true;

    fn nothing(&self, _start: u64) -> Totals {
        Totals::default()
    }

    fn save(&self, totals: &Totals) -> Box<RawValue> {
        raw(totals)
    }

    fn read(&self, state: &State) -> Result<Totals, Damage> {
        Totals::read(&state.sums)
    }
}

/// Judges what is missing of a part. On a request to stop, running work is completed first.
pub fn make(
    settings: &Settings,
    path: &Path,
    task: &Task,
    solvers: &Solvers,
    progress: ProgressMode,
    stop: &AtomicBool,
) -> Result<(PartDir, u64)> {
    let first = task.whole.start;
    let made = JudgeJob.make(path, task, stop, |making, totals| {
        let (done, end) = (making.dir.done(), making.dir.range().end);
        let own = Own { units: done..end, is_first: done == first };
        let meter = meter(settings, own.clone(), progress)?;
        let mut source = Source::open(settings, own)?;
        let writer = || csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        let (mut lines, mut pace) = (writer(), Pace::new(solvers.threads() as u64..=BATCH as u64));
        let mut next = Next::GoOn;
        while !(making.dir.is_complete() || making.is_whole && stop.load(Ordering::Relaxed)) {
            let mut add = |leg: &Leg| {
                Row::of(leg).for_each(|row| row.write(&mut lines));
                Ok(())
            };
            making.is_whole = false;
            let number = usize::try_from(pace.step()).unwrap_or(BATCH);
            let last = judge_some(number, &mut source, settings, solvers, &meter, totals, &mut add)?;
            pace.is_over();
            // Do not stop within a match.
            let unit = source.next_unit();
            if last.is_none() || unit != last {
                totals.finish();
                let rows = std::mem::replace(&mut lines, writer());
                let done = unit.unwrap_or(end);
                making.dir.add_rows(&rows.into_inner().unwrap_or_default(), done)?;
                next = making.keep(totals, done)?;
            }
            if next == Next::Stop {
                break;
            }
        }
        meter.finish();
        Ok(())
    });
    made.map(|(dir, totals)| (dir, totals.wrong_lines))
}

/// Adds up the totals of all parts, and writes their decisions.
pub fn merge(parts: &Parts, settings: &Settings, files: Option<&mut DecisionFiles>) -> Result<Totals> {
    let all = JudgeJob.total(parts)?;
    all.check(settings)?;
    if let Some(files) = files {
        parts.each_rows(|path, lines| {
            for (number, row) in (1..).zip(Row::read(lines)) {
                files.push(&row.map_err(|why| ArenaError::damaged_row(path, number, why))?)?;
            }
            Ok(())
        })?;
    }
    Ok(all)
}
