//! Reads files of records in pieces of whole deals.

use std::io::{BufRead, Read};
use std::path::PathBuf;

use memchr::{memchr_iter, memrchr};

use crate::base::error::{ArenaError, Result};
use crate::base::progress::Meter;
use crate::records::label::Label;
use crate::records::lines::open_told;

/// The most bytes of one deal's records: more is not the output of a run.
const LARGEST: usize = 1 << 26;

/// The records of one deal, or one line, are too long for a run.
#[derive(Debug, thiserror::Error)]
#[error("one deal or one line is too long")]
struct EndlessDeal;

/// Lines of a file, with the records of each deal together.
pub struct Piece {
    /// The index of the file in the list.
    pub file: usize,
    /// The number of the first line in its file, from 1.
    pub line: u64,
    /// The lines with their ends; the last line of a file may have none.
    pub text: Vec<u8>,
    /// The deal (or match) of the last line of the previous piece, which the first line of this one must not precede;
    /// `None` at the beginning of a file, and if that line is not a record.
    pub before: Option<u64>,
}

/// Reads files one after the other.
pub struct Files<'a> {
    paths: &'a [PathBuf],
    meter: &'a Meter,
    /// The size of a piece.
    piece: usize,
    /// The index of the current file.
    file: usize,
    input: Option<Box<dyn BufRead + Send + 'a>>,
    /// Text of a deal that may continue in the next read.
    rest: Vec<u8>,
    line: u64,
    before: Option<u64>,
}

/// Returns where the records of the last deal begin, in text that ends within or after a line, and the deal before.
/// `None` if there is no other deal.
fn last_deal(text: &[u8]) -> Option<(usize, Option<u64>)> {
    // The text after the last line end may be truncated.
    let mut begin = memrchr(b'\n', text)? + 1;
    let mut last = None;
    while begin > 0 {
        let start = memrchr(b'\n', &text[..begin - 1]).map_or(0, |end| end + 1);
        let unit = Label::read(&text[start..begin]).ok().map(|label| label.unit());
        match last {
            None => last = Some(unit),
            Some(last) if last != unit => return Some((begin, unit)),
            Some(_) => {}
        }
        begin = start;
    }
    None
}

impl<'a> Files<'a> {
    /// Starts before the first line; the meter counts the bytes read.
    pub const fn new(paths: &'a [PathBuf], meter: &'a Meter, piece: usize) -> Self {
        Self { paths, meter, piece, file: 0, input: None, rest: Vec::new(), line: 1, before: None }
    }

    /// Returns the next piece: `None` after the last file.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, or one deal is too long.
    pub fn next_piece(&mut self) -> Result<Option<Piece>> {
        while self.file < self.paths.len() {
            let path = &self.paths[self.file];
            if self.input.is_none() {
                let meter = self.meter;
                self.input = Some(open_told(path, move |bytes| meter.add(bytes))?);
                (self.line, self.before) = (1, None);
            }
            let Some(input) = &mut self.input else { continue };
            let mut text = core::mem::take(&mut self.rest);
            loop {
                let wanted = self.piece.max(text.len());
                text.reserve(wanted);
                let read = input
                    .by_ref()
                    .take(wanted as u64)
                    .read_to_end(&mut text)
                    .map_err(|source| ArenaError::read(path, source))?;
                let (cut, before) = if read < wanted {
                    (text.len(), None)
                } else if let Some((cut, before)) = last_deal(&text) {
                    (cut, before)
                } else if text.len() < LARGEST {
                    continue;
                } else {
                    return Err(ArenaError::damaged_line(path, self.line, EndlessDeal));
                };
                self.rest = text.split_off(cut);
                let piece = Piece { file: self.file, line: self.line, text, before: self.before };
                self.line += memchr_iter(b'\n', &piece.text).count() as u64;
                self.before = before;
                if read < wanted {
                    self.file += 1;
                    self.input = None;
                }
                return Ok(Some(piece));
            }
        }
        Ok(None)
    }
}
