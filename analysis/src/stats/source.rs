//! Adds up the records of files on many threads.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use coinche_engine::RuleSet;
use coinche_inference::Merge;
use coinche_selfplay::base::files::checksums::Sum;
use coinche_selfplay::base::threads;
use coinche_selfplay::records::lines::file_of;
use coinche_selfplay::records::read::ReadRecordError;
use coinche_selfplay::records::read::files::{Files, Piece};
use coinche_selfplay::records::read::record::Leg;
use coinche_selfplay::records::seen::Seen;
use coinche_selfplay::{ArenaError, Label, Meter, ProgressMode, Result, tell};

use super::error::StatsError;
use super::rules::{Rules, RulesError};
use super::totals::Totals;
use coinche_runs::State;

/// The size of a piece in bytes: some milliseconds of work per lock.
const PIECE: usize = 1 << 20;

/// A line that is not a record.
struct Wrong {
    file: usize,
    line: u64,
    why: LineError,
}

/// Why a line cannot be counted.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    #[error(transparent)]
    Record(#[from] ReadRecordError),
    #[error(transparent)]
    Rules(#[from] RulesError),
    #[error(
        "{what} {unit} comes after {what} {before}: the records of a run must be in order; give those of several \
             runs as several files"
    )]
    Order { what: &'static str, unit: u64, before: u64 },
}

/// Adds the lines of a piece, and tells of each which leg it is; an error has the line within the piece, counted from 0.
pub(super) fn add_lines(
    totals: &mut Totals,
    each: &mut dyn FnMut(&Label, &[u8]),
    rules: &Rules,
    text: &[u8],
    mut before: Option<u64>,
) -> Result<(), (u64, LineError)> {
    totals.begin();
    for (number, line) in (0..).zip(text.split(|byte| *byte == b'\n')) {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let same = |own: &str| rules.check(own).map_err(LineError::from);
        let leg = Leg::read(line, &rules.set, &rules.text, same).map_err(|why| (number, why))?;
        let (unit, what) = (leg.label.unit(), leg.label.unit_name());
        if let Some(before) = before.filter(|before| unit < *before) {
            return Err((number, LineError::Order { what, unit, before }));
        }
        before = Some(unit);
        each(&leg.label, line);
        totals.add(&leg);
    }
    Ok(())
}

/// Returns the rules of the first record.
fn first_rules(piece: &Piece, path: &Path) -> Result<Option<Rules>> {
    let mut lines = (piece.line..).zip(piece.text.split(|byte| *byte == b'\n'));
    let first = lines.find(|(_, line)| !line.iter().all(u8::is_ascii_whitespace));
    let Some((number, line)) = first else { return Ok(None) };
    let place = format!("{}, line {number},", path.display());
    Rules::read(line, place).map(Some).map_err(|why| ArenaError::damaged_line(path, number, why))
}

/// Reads records of files, directories of runs and `-`, and adds them up.
pub fn read(paths: &[PathBuf], threads: Option<usize>, progress: ProgressMode) -> Result<(Totals, RuleSet)> {
    read_pieces(paths, threads, progress, PIECE)
}

fn read_pieces(
    paths: &[PathBuf],
    threads: Option<usize>,
    progress: ProgressMode,
    piece: usize,
) -> Result<(Totals, RuleSet)> {
    paths.iter().try_for_each(|path| State::refuse(path))?;
    let paths = paths.iter().map(|path| file_of(path)).collect::<Result<Vec<_>, _>>()?;
    let threads = threads::check(threads)?;
    // The amount of piped input is unknown.
    let piped = paths.iter().any(|path| path.as_os_str() == "-");
    let progress = if piped { ProgressMode::None } else { progress };
    let bytes = paths.iter().filter_map(|path| path.metadata().ok()).map(|file| file.len()).sum();
    let meter = Meter::of(progress, bytes, ["byte", "bytes"]);
    let mut files = Files::new(&paths, &meter, piece);
    let (first, rules) = loop {
        let Some(piece) = files.next_piece()? else {
            let names: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
            return Err(StatsError::NoRecords { files: names }.into());
        };
        if let Some(rules) = first_rules(&piece, &paths[piece.file])? {
            break (Some(piece), rules);
        }
    };
    let source = Mutex::new((first, files));
    let stop = AtomicBool::new(false);
    let work = || work(&source, &rules, &stop);
    let parts: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("a thread that counts does not panic"))
            .collect()
    });
    meter.finish();
    let (mut totals, mut wrong) = (Totals::default(), None::<Wrong>);
    let (mut failed, mut seen) = (None, vec![<(Seen, u64)>::default(); paths.len()]);
    for part in parts {
        match part {
            Ok((part, of_part)) => {
                totals.merge(&part);
                for (file, (of_file, sum)) in &of_part {
                    seen[*file].0.merge(of_file);
                    seen[*file].1 = seen[*file].1.wrapping_add(*sum);
                }
            }
            Err(Failure::Line(line)) => {
                wrong = wrong.into_iter().chain([line]).min_by_key(|wrong| (wrong.file, wrong.line));
            }
            Err(Failure::Read(error)) => failed = Some(error),
        }
    }
    if let Some(Wrong { file, line, why }) = wrong {
        return Err(ArenaError::damaged_line(&paths[file], line, why));
    }
    if let Some(error) = failed {
        return Err(error);
    }
    for (n, (path, (seen_here, sum))) in paths.iter().zip(&seen).enumerate() {
        seen_here.warn(path);
        if let Some(first) = seen[..n].iter().position(|(_, other)| other == sum && *sum > 0) {
            tell(&format!("{}: {}", path.display(), Twice(&paths[first])));
        }
    }
    totals.finish();
    Ok((totals, rules.set))
}

/// Why a thread has stopped.
enum Failure {
    Line(Wrong),
    Read(ArenaError),
}

/// What a thread has seen, by the number of the file; the sum of the CRC-32s of its lines, which does not depend on their order.
type SeenOf = BTreeMap<usize, (Seen, u64)>;

/// A file has the records of an earlier one.
#[derive(Debug, thiserror::Error)]
#[error("warning: its records are those of {}: they count twice, and the intervals are too narrow; leave one of them out", .0.display())]
struct Twice<'a>(&'a Path);

/// The input of the threads: a piece that was read in advance, then the files.
type Source<'a> = Mutex<(Option<Piece>, Files<'a>)>;

/// Counts pieces until none is left or one is malformed. Pieces are handed out in order, and each thread
/// finishes its piece: when all have stopped, everything before a malformed line has been read.
fn work(source: &Source<'_>, rules: &Rules, stop: &AtomicBool) -> Result<(Totals, SeenOf), Failure> {
    let (mut totals, mut seen) = (Totals::default(), SeenOf::default());
    while !stop.load(Ordering::Relaxed) {
        let next = {
            let mut guard: MutexGuard<'_, _> = source.lock().unwrap_or_else(PoisonError::into_inner);
            let (first, files) = &mut *guard;
            first.take().map_or_else(|| files.next_piece(), |piece| Ok(Some(piece)))
        };
        let failed = |failure| {
            stop.store(true, Ordering::Relaxed);
            Err(failure)
        };
        match next {
            Err(error) => return failed(Failure::Read(error)),
            Ok(None) => break,
            Ok(Some(Piece { file, line, text, before })) => {
                let (seen, sum) = seen.entry(file).or_default();
                let mut each = |label: &Label, line: &[u8]| {
                    seen.add(label);
                    *sum = sum.wrapping_add(Sum::of(line).crc.into());
                };
                if let Err((number, why)) = add_lines(&mut totals, &mut each, rules, &text, before) {
                    return failed(Failure::Line(Wrong { file, line: line + number, why }));
                }
            }
        }
    }
    Ok((totals, seen))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::stats::{Counted, document};
    use coinche_selfplay::document::text::Detail;
    use coinche_selfplay::play::schedule::Unit;
    use coinche_selfplay::records::test_lines::lines;

    fn told(paths: &[PathBuf], threads: usize, piece: usize) -> Result<String, String> {
        let read = read_pieces(paths, Some(threads), ProgressMode::None, piece);
        let (totals, rules) = read.map_err(|error| error.to_string())?;
        let counted = Counted { totals, rules, from: "here".to_owned(), unit: Unit::Deal };
        let document = document(&counted, None);
        let tables: Vec<_> = document.tables().collect();
        Ok(format!("{}{:?}", document.render(Detail::Short), tables))
    }

    #[test]
    fn neither_threads_nor_pieces_are_seen() {
        let dir = tempfile::tempdir().unwrap();
        let paths = ["a.jsonl", "b.jsonl"].map(|name| dir.path().join(name));
        let text = lines("bga", ["random:pass=0.6", "rules"], 40);
        // Repeated deals count as other deals; blank lines and a last line without a newline are accepted.
        fs::write(&paths[0], [b"\n \n", &text[..]].concat()).unwrap();
        fs::write(&paths[1], text.trim_ascii_end()).unwrap();
        let expected = told(&paths, 1, PIECE).unwrap();
        assert!(expected.contains("\n80 deals, 160 records, rules bga, here."), "{expected}");
        for (threads, piece) in [(1, 1), (3, 700), (2, 4096), (3, 1 << 14)] {
            assert!(
                told(&paths, threads, piece).unwrap() == expected,
                "{threads} threads, pieces of {piece}"
            );
        }
    }

    #[test]
    fn the_first_wrong_line_is_named_for_any_number_of_threads() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.jsonl");
        let text = String::from_utf8(lines("bga", ["random:pass=0.6", "rules"], 40)).unwrap();
        let mut all: Vec<_> = text.lines().map(str::to_owned).collect();
        for line in [37, 11, 70] {
            all[line].truncate(300);
        }
        fs::write(&path, all.join("\n")).unwrap();
        for (threads, piece) in [(1, PIECE), (1, 100), (4, 100), (4, 5000)] {
            let error = told(std::slice::from_ref(&path), threads, piece).unwrap_err();
            assert!(error.contains("line 12: not a deal record: EOF"), "{error}");
        }
    }
}
