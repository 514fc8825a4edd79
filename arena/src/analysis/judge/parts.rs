//! The judge in shards of the deals: one shard made in a directory, and all put together.

use core::ops::Range;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::progress::ProgressMode;
use coinche_selfplay::play::solvers::Solvers;
use coinche_selfplay::records::label::Label;
use coinche_selfplay::records::lines::{file_of, next_line, open};
use serde_json::value::RawValue;

use super::decisions::Row;
use super::error::JudgeError;
use super::source::{Own, Source};
use super::{BATCH, DecisionFiles, Leg, Settings, Totals, judge_some, meter};
use crate::run::checksums::{Sum, measure};
use crate::run::damage::Damage;
use crate::run::directory::{NotEnded, SavedSink, State as RunState};
use crate::run::part::{Pace, PartDir, Parts, Task};

/// What records there are, for shards of them to be the same everywhere.
#[derive(Debug)]
pub(crate) struct Extent {
    /// The numbers of their deals, or matches.
    pub(crate) units: Range<u64>,
    /// Whether they are of matches.
    pub(crate) matches: bool,
    /// What is in the file.
    pub(crate) sum: Sum,
}

impl Extent {
    /// Looks at a run, which tells what it has, or else through a file.
    ///
    /// # Errors
    ///
    /// When it is the standard input, cannot be read, or has no records, or the run has not ended.
    pub(crate) fn of(path: &Path) -> Result<Self, ArenaError> {
        if path.as_os_str() == "-" {
            return Err(JudgeError::ShardOfStdin.into());
        }
        let file = file_of(path)?;
        match if path.is_dir() { RunState::read(path)? } else { None } {
            Some(state) => Self::of_run(path, &file, &state),
            None => Self::of_file(&file),
        }
    }

    fn of_run(path: &Path, file: &Path, state: &RunState) -> Result<Self, ArenaError> {
        let sum = state.lines.as_ref().and_then(SavedSink::sum);
        let Some((_, sum)) = sum else { return Err(NotEnded::Unfinished(path.to_owned()).into()) };
        let found = fs::metadata(file).map_err(|source| ArenaError::read(file, source))?.len();
        if found != sum.bytes {
            return Err(ArenaError::damaged(file, Damage::Size { found, written: sum.bytes }));
        }
        Ok(Self { units: state.start..state.done, matches: state.identity.unit() == "matches", sum })
    }

    fn of_file(file: &Path) -> Result<Self, ArenaError> {
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

/// Judges what is missing of a part. A request to stop lets what is at work end.
///
/// # Errors
///
/// When the directory holds something else, the records cannot be read or are not in order, or something cannot be
/// written.
pub(crate) fn make(
    settings: &Settings,
    path: &Path,
    task: Task,
    solvers: &Solvers,
    progress: ProgressMode,
    stop: &AtomicBool,
) -> Result<(PartDir, u64), ArenaError> {
    let first = task.whole.start;
    let (mut dir, saved) = PartDir::open(path, task, &Totals::default())?;
    let mut totals = match saved {
        None => Totals::default(),
        Some(saved) => Totals::read(&saved).map_err(|why| dir.damaged(why))?,
    };
    if dir.is_complete() {
        return Ok((dir, totals.wrong_lines));
    }
    let own = Own { units: dir.done()..dir.range().end, is_first: dir.done() == first };
    let meter = meter(settings, own.clone(), progress)?;
    let mut source = Source::open(settings, own)?;
    let mut lines = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    let (mut is_between, mut pace) = (true, Pace::new(solvers.threads() as u64..=BATCH as u64));
    let judged = loop {
        if is_between && stop.load(Ordering::Relaxed) {
            break Ok(());
        }
        let mut add = |leg: &Leg| {
            Row::of(leg).for_each(|row| row.write(&mut lines));
            Ok(())
        };
        let number = usize::try_from(pace.step()).unwrap_or(BATCH);
        let last = match judge_some(number, &mut source, settings, solvers, &meter, &mut totals, &mut add) {
            Ok(last) => last,
            Err(error) => break Err(error),
        };
        pace.is_over();
        // A match that goes on is no place to stop.
        let next = source.next_unit();
        is_between = last.is_none() || next != last;
        if is_between {
            totals.finish();
            let rows = std::mem::replace(
                &mut lines,
                csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new()),
            );
            dir.add_rows(&rows.into_inner().unwrap_or_default());
            dir.keep(next.unwrap_or(dir.range().end), &totals)?;
        }
        if dir.is_complete() {
            break Ok(());
        }
    };
    meter.finish();
    judged?;
    dir.close(&totals)?;
    Ok((dir, totals.wrong_lines))
}

/// Adds up the totals of all parts, and writes their decisions.
///
/// # Errors
///
/// When one cannot be read or has other totals, or the files cannot be written.
pub(crate) fn merge(
    parts: &Parts,
    settings: &Settings,
    files: Option<&mut DecisionFiles>,
) -> Result<Totals, ArenaError> {
    let mut all = Totals::default();
    parts.each(|text| {
        all.absorb(&Totals::read(text)?);
        Ok(())
    })?;
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

/// Checks that a text is the totals of a part.
///
/// # Errors
///
/// Says what is wrong with it.
pub(crate) fn check(text: &RawValue) -> Result<(), Damage> {
    Totals::read(text).map(|_| ())
}
