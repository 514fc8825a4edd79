//! The commands of the program, one a file.

mod bench;
mod bots;
mod label;
mod rules;
mod run;
mod show;
mod solve;
mod verify;

pub use bench::BenchArgs;
pub(crate) use bench::bench;
pub use bots::BotsArgs;
pub(crate) use bots::bots;
pub use label::LabelArgs;
pub(crate) use label::label;
pub use rules::RulesArgs;
pub(crate) use rules::rules;
pub(crate) use run::run;
pub use run::{RunArgs, interrupt};
pub use show::ShowArgs;
pub(crate) use show::show;
pub use solve::SolveArgs;
pub(crate) use solve::solve;
pub use verify::VerifyArgs;
pub(crate) use verify::verify;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use crate::ArenaError;

/// The longest line that is read as a record: more is some other file.
const LONGEST_LINE: u64 = 1 << 20;

/// Opens a file of records, `-` for the standard input.
pub(crate) fn open(path: &Path) -> Result<Box<dyn BufRead>, ArenaError> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    let file = File::open(path).map_err(|source| ArenaError::read(path, source))?;
    Ok(Box::new(BufReader::with_capacity(1 << 20, file)))
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

/// Writes to the standard output.
fn print(out: &mut dyn Write, text: &str) -> Result<(), ArenaError> {
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(ArenaError::stdout)
}
