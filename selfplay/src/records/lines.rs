//! Line-based files: opens a file, the directory of a run or `-`, and reads it line by line.

use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use memchr::memchr2_iter;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::base::error::{ArenaError, ModuleError, Result};
use crate::base::files::open_checked;
use crate::records::forms::{LinesForm, TableForm};

/// The longest line that is read as a record: a file with longer lines is of another kind.
const LONGEST_LINE: u64 = 1 << 20;

/// The number of bytes from which lines are read together.
const PIECE: usize = 1 << 21;

/// The magic number of zstd frames (RFC 8878, section 3.1.1).
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The directory has no file of records.
#[derive(Debug, thiserror::Error)]
#[error("{} has no records.jsonl: play with `arena run … --records full`", .0.display())]
pub struct NoRecords(PathBuf);

impl ModuleError for NoRecords {}

/// Returns the records file in the directory of a run, if there is one.
pub fn records_in(directory: &Path) -> Option<PathBuf> {
    let files = LinesForm::ALL.map(|form| directory.join(form.file()));
    files.into_iter().find(|file| file.is_file())
}

/// Returns the summary table in the directory of a run, if there is one.
pub fn table_in(directory: &Path) -> Option<PathBuf> {
    let files = TableForm::ALL.map(|form| directory.join(form.file()));
    files.into_iter().find(|file| file.is_file())
}

/// Returns the records file of a path; of a directory, the file in it.
///
/// # Errors
///
/// When the directory has none.
pub fn file_of(path: &Path) -> Result<PathBuf, NoRecords> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    records_in(path).ok_or_else(|| NoRecords(path.to_owned()))
}

/// Opens a file of lines, also if it is compressed with zstd; `-` is stdin, and the directory of a run stands for its
/// records.
///
/// # Errors
///
/// When the file cannot be opened or its beginning cannot be read.
pub fn open(path: &Path) -> Result<Box<dyn BufRead>> {
    open_told(path, |_| ()).map(|file| -> Box<dyn BufRead> { file })
}

/// Opens a file as [`open`] does, and reports how many bytes are read from it on disk.
pub(super) fn open_told<'a>(
    path: &Path,
    told: impl Fn(u64) + Send + 'a,
) -> Result<Box<dyn BufRead + Send + 'a>> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(Told { inner: io::stdin(), told })));
    }
    let of_run = records_in(path);
    let path = of_run.as_deref().unwrap_or(path);
    let error = |source| ArenaError::read(path, source);
    let inner = open_checked(path)?;
    let mut file = BufReader::with_capacity(1 << 20, Told { inner, told });
    if file.fill_buf().map_err(error)?.starts_with(&ZSTD) {
        let decoder = zstd::stream::Decoder::with_buffer(file).map_err(error)?;
        return Ok(Box::new(BufReader::with_capacity(1 << 20, decoder)));
    }
    Ok(Box::new(file))
}

/// Opens a file as [`open`] does, with rows of a table (lines, except that line ends in quotes belong to the row)
/// limited to the length of a record.
///
/// # Errors
///
/// As [`open`] does; reading fails at a row that is too long.
pub fn open_rows(path: &Path) -> Result<Bounded<Box<dyn BufRead>>> {
    open(path).map(Bounded::rows)
}

/// Opens a file as [`open`] does, with lines limited to the length of a record.
///
/// # Errors
///
/// As [`open`] does; reading fails at a line that is too long.
pub fn open_lines(path: &Path) -> Result<Bounded<Box<dyn BufRead>>> {
    open(path).map(Bounded::lines)
}

/// Reads lines or rows of bounded length, so that a reader can keep one in memory.
pub struct Bounded<R> {
    inner: R,
    /// Whether line ends in quotes belong to the row.
    quotes: bool,
    is_quoted: bool,
    /// The bytes of the current row.
    length: u64,
}

impl<R: BufRead> Bounded<R> {
    /// Reads lines.
    pub const fn lines(inner: R) -> Self {
        Self { inner, quotes: false, is_quoted: false, length: 0 }
    }

    /// Reads rows of a table.
    pub const fn rows(inner: R) -> Self {
        Self { inner, quotes: true, is_quoted: false, length: 0 }
    }
}

impl<R: BufRead> BufRead for Bounded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.length > LONGEST_LINE {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it has a line of more than 1 MB"));
        }
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        // The consumed bytes are in the buffer: nothing is read here.
        let bytes = self.inner.fill_buf().map_or(&[][..], |bytes| &bytes[..amount.min(bytes.len())]);
        let mut start = 0;
        for at in memchr2_iter(b'\n', b'"', bytes) {
            if bytes[at] == b'"' {
                self.is_quoted ^= self.quotes;
            } else if !self.is_quoted {
                (self.length, start) = (0, at + 1);
            }
        }
        self.length += (bytes.len() - start) as u64;
        self.inner.consume(amount);
    }
}

impl<R: BufRead> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

/// A reader that reports how many bytes are read from it.
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

/// Reads the next line without its end: `None` at the end of the file. A line that is too long is truncated: the rest
/// is skipped.
///
/// # Errors
///
/// When the input cannot be read.
pub fn next_line(input: &mut dyn BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    Ok(push_line(input, &mut line)?.then_some(line))
}

/// Appends the next line as [`next_line`] does; tests if there was one.
fn push_line(input: &mut dyn BufRead, text: &mut Vec<u8>) -> io::Result<bool> {
    let from = text.len();
    let read = input.take(LONGEST_LINE).read_until(b'\n', text)? as u64;
    if read == LONGEST_LINE && text.last() != Some(&b'\n') {
        let mut rest = Vec::new();
        while input.take(LONGEST_LINE).read_until(b'\n', &mut rest)? > 0 && rest.last() != Some(&b'\n') {
            rest.clear();
        }
    }
    while text.len() > from && matches!(text.last(), Some(b'\n' | b'\r')) {
        text.pop();
    }
    Ok(read > 0)
}

/// Some lines of a file, one after the other.
#[derive(Default)]
struct Piece {
    text: Vec<u8>,
    /// Their numbers and places.
    lines: Vec<(u64, Range<usize>)>,
}

impl Piece {
    /// Reads the lines after number `last`.
    fn fill(&mut self, input: &mut dyn BufRead, mut last: u64) -> io::Result<()> {
        self.text.clear();
        self.lines.clear();
        let mut from = 0;
        while self.text.len() < PIECE && push_line(input, &mut self.text)? {
            last += 1;
            self.lines.push((last, from..self.text.len()));
            from = self.text.len();
        }
        Ok(())
    }
}

/// Reads the lines of a file, numbered from 1, on all threads, and hands on the results in the order of the lines.
///
/// The next lines are read while some are parsed.
///
/// # Errors
///
/// When the file cannot be read, or `each` fails.
pub fn read_all<T: Send>(
    path: &Path,
    read: impl Fn(u64, &[u8]) -> T + Sync,
    mut each: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    let mut input = open_told(path, |_| ())?;
    let [mut piece, mut next] = [Piece::default(), Piece::default()];
    piece.fill(&mut *input, 0).map_err(|source| ArenaError::read(path, source))?;
    while let Some((last, _)) = piece.lines.last() {
        let parse = || -> Vec<T> {
            let line = |(number, line): &(u64, Range<usize>)| read(*number, &piece.text[line.clone()]);
            piece.lines.par_iter().map(line).collect()
        };
        let (results, filled) = rayon::join(parse, || next.fill(&mut *input, *last));
        results.into_iter().try_for_each(&mut each)?;
        filled.map_err(|source| ArenaError::read(path, source))?;
        std::mem::swap(&mut piece, &mut next);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_rows_are_refused_before_they_fill_the_memory() {
        let row = |length: usize| format!("{}\n", "x".repeat(length));
        let longest = usize::try_from(LONGEST_LINE).unwrap() - 1;
        let read = |text: String, rows: bool| {
            let input = BufReader::with_capacity(1 << 12, io::Cursor::new(text.into_bytes()));
            let mut input = if rows { Bounded::rows(input) } else { Bounded::lines(input) };
            input.read_to_end(&mut Vec::new())
        };
        assert!(read(row(longest) + &row(longest) + &row(0), true).is_ok());
        assert!(read(row(9) + &row(longest + (1 << 13)), true).is_err());
        // A row continues after a line end in quotes, a line does not.
        let quoted = format!("\"{}\n", "\n".repeat(longest + (1 << 13)));
        assert!(read(quoted.clone(), true).is_err());
        assert!(read(quoted, false).is_ok());
    }
}
