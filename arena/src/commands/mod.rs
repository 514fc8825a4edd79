//! The commands of the program, one a file.

mod advise;
mod bench;
mod bidding;
mod bots;
#[cfg(unix)]
mod check_bot;
mod engine;
mod export;
mod fit;
mod flags;
mod judge;
mod label;
mod merge;
mod power;
mod report;
mod rules;
mod run;
mod show;
mod solve;
mod sprt;
mod stats;
mod tune;
mod verify;

pub use advise::AdviseArgs;
pub(crate) use advise::advise;
pub use bench::BenchArgs;
pub(crate) use bench::bench;
pub use bidding::BiddingArgs;
pub(crate) use bidding::bidding;
pub use bots::BotsArgs;
pub(crate) use bots::bots;
#[cfg(unix)]
pub use check_bot::CheckBotArgs;
#[cfg(unix)]
pub(crate) use check_bot::check_bot;
pub use engine::EngineArgs;
pub(crate) use engine::engine;
pub use export::{ExportArgs, ExportForm, ImportArgs};
pub(crate) use export::{export, import};
pub use fit::FitArgs;
pub(crate) use fit::fit;
pub use flags::{PageFlags, PlayFlags, RulesFlags};
pub use judge::JudgeArgs;
pub(crate) use judge::judge;
pub use label::LabelArgs;
pub(crate) use label::label;
pub use merge::MergeArgs;
pub(crate) use merge::merge;
pub use power::PowerArgs;
pub(crate) use power::power;
pub use report::ReportArgs;
pub(crate) use report::report;
pub use rules::RulesArgs;
pub(crate) use rules::rules;
pub(crate) use run::run;
pub use run::{RunArgs, interrupt};
pub use show::ShowArgs;
pub(crate) use show::show;
pub use solve::SolveArgs;
pub(crate) use solve::solve;
pub use sprt::SprtArgs;
pub(crate) use sprt::sprt;
pub(crate) use stats::stats;
pub use stats::{HandsArgs, RecordsArgs, StatsArgs, StatsOf};
pub use tune::TuneArgs;
pub(crate) use tune::tune;
pub use verify::VerifyArgs;
pub(crate) use verify::verify;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use crate::ArenaError;

/// The longest line that is read as a record: more is some other file.
const LONGEST_LINE: u64 = 1 << 20;

/// The first bytes of everything that zstd has compressed (RFC 8878, section 3.1.1).
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Opens a file of lines, also one that zstd has compressed; `-` is the standard input, and of the directory
/// of a run it is its records.
pub(crate) fn open(path: &Path) -> Result<Box<dyn BufRead>, ArenaError> {
    open_told(path, |_| ()).map(|file| -> Box<dyn BufRead> { file })
}

/// Does what [`open`] does, and tells how many bytes are read of the file, as it is on the disk.
pub(crate) fn open_told<'a>(
    path: &Path,
    told: impl Fn(u64) + Send + 'a,
) -> Result<Box<dyn BufRead + Send + 'a>, ArenaError> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(Told { inner: io::stdin(), told })));
    }
    let of_run = ["records.jsonl", "records.jsonl.zst"].map(|file| path.join(file));
    let path = of_run.iter().find(|file| file.is_file()).map_or(path, PathBuf::as_path);
    let error = |source| ArenaError::read(path, source);
    let inner = File::open(path).map_err(error)?;
    let mut file = BufReader::with_capacity(1 << 20, Told { inner, told });
    if file.fill_buf().map_err(error)?.starts_with(&ZSTD) {
        let decoder = zstd::stream::Decoder::with_buffer(file).map_err(error)?;
        return Ok(Box::new(BufReader::with_capacity(1 << 20, decoder)));
    }
    Ok(Box::new(file))
}

/// A source that tells how much is read of it.
struct Told<R, F> {
    inner: R,
    told: F,
}

impl<R: Read, F: Fn(u64)> Read for Told<R, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        (self.told)(read as u64);
        Ok(read)
    }
}

/// Reads the next line without its end: `None` at the end of the file. Of a line that is too long the
/// rest is skipped.
pub(crate) fn next_line(input: &mut dyn BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if input.take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() as u64 == LONGEST_LINE && line.last() != Some(&b'\n') {
        let mut rest = Vec::new();
        while input.take(LONGEST_LINE).read_until(b'\n', &mut rest)? > 0 && rest.last() != Some(&b'\n') {
            rest.clear();
        }
    }
    while matches!(line.last(), Some(b'\n' | b'\r')) {
        line.pop();
    }
    Ok(Some(line))
}

/// Writes to the standard output what comes before the end. A reader that has gone is no error: the files are
/// wanted all the same.
fn print_early(out: &mut dyn Write, text: &str) -> Result<(), ArenaError> {
    match print(out, text) {
        Err(ArenaError::BrokenPipe) => Ok(()),
        printed => printed,
    }
}

/// Writes to the standard output.
fn print(out: &mut dyn Write, text: &str) -> Result<(), ArenaError> {
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(ArenaError::stdout)
}
