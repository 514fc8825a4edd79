//! Sums of files: no file that the program wrote is read without its sum.
//!
//! `checksums.txt` has the size and the CRC-32 of every file in a data directory, and is written last. A file that is
//! replaced while a command runs has its own CRC-32 at its end ([`sealed`]), and one that grows by lines at the end of each
//! line ([`Chain`]).
//!
//! It has one line per file, and a last line for the lines before it:
//!
//! ```text
//! 8d0f3ab2 1234 config.toml
//! 5ac1b0f2 187 checksums.txt
//! ```
//!
//! It is removed before a run, a test or a tuning is changed. So if it exists, the files are as they were written; if
//! not, the directory is being written, or a process was killed.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use super::{CHECKSUMS, if_there, read_bounded, remove, write_whole};
use crate::base::error::{ArenaError, Result};

/// Files are read in pieces of so many bytes.
const PIECE: u64 = 1 << 26;
/// The most bytes read: enough for more names than any data directory has.
const MOST: u64 = 1 << 28;

/// An error in the checksum file itself.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ChecksumsError {
    #[error("its last line is not the sum of those before it")]
    Sum,
    #[error("line {0} is not a CRC-32, a size and the name of a file")]
    Line(usize),
}

/// A file is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum Mismatch {
    #[error("it has {found} bytes, expected {written}")]
    Size { found: u64, written: u64 },
    #[error("its CRC-32 does not match: the contents have changed")]
    Checksum,
    #[error("truncated: {left} of {whole} bytes are left")]
    Cut { left: u64, whole: u64 },
    #[error("it has no CRC-32 at its end: an older version wrote it, or the contents have changed")]
    NoSum,
    #[error("{CHECKSUMS} does not list it")]
    NotListed,
    #[error("it is missing")]
    Missing,
}

/// The size of a file and its CRC-32.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sum {
    /// How many bytes the file has.
    pub bytes: u64,
    /// Its CRC-32.
    pub crc: u32,
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x} {}", self.crc, self.bytes)
    }
}

impl Sum {
    /// Returns the checksum of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len() as u64, crc: crc32fast::hash(bytes) }
    }

    /// Returns how it differs from the checksum of what was written.
    fn difference(self, written: Self) -> Option<Mismatch> {
        match self {
            found if found == written => None,
            Self { bytes, .. } if bytes == written.bytes => Some(Mismatch::Checksum),
            Self { bytes, .. } => Some(Mismatch::Size { found: bytes, written: written.bytes }),
        }
    }

    /// Checks that a file is as it was written.
    ///
    /// # Errors
    ///
    /// When it is not, or cannot be read.
    pub fn check(self, path: &Path) -> Result<()> {
        measure(path)?.expect(self, path)
    }

    /// Checks that this sum of a file is that of what was written.
    pub(super) fn expect(self, written: Self, path: &Path) -> Result<()> {
        self.difference(written).map_or(Ok(()), |why| Err(ArenaError::damaged(path, why)))
    }

    /// Checks that a file has the size that was written.
    ///
    /// # Errors
    ///
    /// When it has another, or does not exist.
    pub fn check_size(self, path: &Path) -> Result<()> {
        let there = fs::metadata(path).map_err(|_| ArenaError::damaged(path, Mismatch::Missing))?;
        Self { bytes: there.len(), ..self }.expect(self, path)
    }

    /// Checks that a file begins with what was written; what follows was added by a process that was killed.
    ///
    /// # Errors
    ///
    /// When it does not, or cannot be read.
    pub fn check_start(self, path: &Path) -> Result<()> {
        let found = measure_to(path, self.bytes)?;
        let cut = Mismatch::Cut { left: found.bytes, whole: self.bytes };
        if found.bytes < self.bytes { Err(ArenaError::damaged(path, cut)) } else { found.expect(self, path) }
    }
}

/// Both forms of a CRC-32 at the end of a JSON object: of one line, and indented.
const ENDS: [&str; 2] = [",\"crc\":\"########\"}\n", ",\n  \"crc\": \"########\"\n}\n"];

/// Adds the CRC-32 of all that stands before it to a JSON object, as its last field.
pub fn sealed(text: &str) -> String {
    let text = text.trim_end().strip_suffix('}').unwrap_or(text);
    let [of_line, indented] = ENDS;
    let end = if text.ends_with('\n') { indented } else { of_line };
    let text = text.trim_end();
    format!("{text}{}", end.replace("########", &hex(crc32fast::hash(text.as_bytes()))))
}

/// The CRC-32 at the end of TOML.
const COMMENT: &str = "# crc ########\n";

/// Adds the CRC-32 of all that stands before it to TOML, as a comment in the last line.
pub fn sealed_toml(text: &str) -> String {
    let crc = hex(crc32fast::hash(text.as_bytes()));
    format!("{text}{}", COMMENT.replace("########", &crc))
}

/// Tests if TOML has a CRC-32 in its last line.
pub(super) fn is_sealed_toml(text: &str) -> bool {
    text.trim_end().lines().next_back().is_some_and(|line| line.starts_with("# crc "))
}

/// Returns a JSON object without the CRC-32 that [`sealed`] has added, or TOML, of which it is a comment.
///
/// # Errors
///
/// When it has none, or that of other bytes.
pub fn unsealed(text: &[u8]) -> Result<Vec<u8>, Mismatch> {
    for end in [ENDS[0], ENDS[1], COMMENT] {
        let Some((start, _)) = text.split_at_checked(text.len().saturating_sub(end.len())) else { continue };
        let crc = hex(crc32fast::hash(start));
        if text[start.len()..] == *end.replace("########", &crc).as_bytes() {
            return Ok(if end == COMMENT { text.to_owned() } else { [start, b"}"].concat() });
        }
    }
    let is_there = text[text.len().saturating_sub(40)..].windows(3).any(|end| end == b"crc");
    Err(if is_there { Mismatch::Checksum } else { Mismatch::NoSum })
}

fn hex(crc: u32) -> String {
    format!("{crc:08x}")
}

/// The running CRC-32 of a table that grows by lines: the last cell of each line is that of all before it.
#[derive(Debug, Clone, Default)]
pub struct Chain(crc32fast::Hasher);

impl Chain {
    /// Starts after a text: the first line of a table, whose last column is `crc`, or more lines.
    pub fn after(text: &str) -> Self {
        let mut crc = crc32fast::Hasher::new();
        crc.update(text.as_bytes());
        Self(crc)
    }

    /// Returns a line with its last cell.
    pub fn line(&mut self, cells: &str) -> String {
        self.0.update(format!("{cells},").as_bytes());
        let line = format!("{cells},{}\n", hex(self.0.clone().finalize()));
        self.0.update(&line.as_bytes()[cells.len() + 1..]);
        line
    }

    /// Adds a line that was read, and returns its other cells; `None` if its last cell is another.
    pub fn read<'a>(&mut self, line: &'a str) -> Option<&'a str> {
        let (cells, _) = line.rsplit_once(',')?;
        (self.line(cells) == line).then_some(cells)
    }
}

/// The checksums of the files in a directory, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checksums(BTreeMap<String, Sum>);

/// Tests if a name is that of a file in the directory itself.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || ".-_".contains(letter))
        && !name.starts_with('.')
}

impl Checksums {
    /// Reads the checksums of a directory; `None` if there are none.
    ///
    /// # Errors
    ///
    /// When the file is damaged or cannot be read.
    pub fn read(directory: &Path) -> Result<Option<Self>> {
        let path = directory.join(CHECKSUMS);
        let Some(text) = if_there(read_bounded(&path, MOST))? else { return Ok(None) };
        Self::parse(&text).map(Some).map_err(|why| ArenaError::damaged(path, why))
    }

    /// Parses the text of the file.
    ///
    /// # Errors
    ///
    /// When that fails, or the contents have changed.
    pub fn parse(text: &[u8]) -> Result<Self, ChecksumsError> {
        let text = std::str::from_utf8(text).map_err(|_| ChecksumsError::Sum)?;
        let lines = text.strip_suffix('\n').ok_or(ChecksumsError::Sum)?;
        let end = lines.rfind('\n').map_or(0, |end| end + 1);
        if lines[end..] != format!("{} {CHECKSUMS}", Sum::of(&text.as_bytes()[..end])) {
            return Err(ChecksumsError::Sum);
        }
        let mut sums = BTreeMap::new();
        for (n, line) in text[..end].lines().enumerate() {
            let read = || {
                let mut words = line.split(' ');
                let (crc, bytes, name) = (words.next()?, words.next()?, words.next()?);
                let sum = Sum { bytes: bytes.parse().ok()?, crc: u32::from_str_radix(crc, 16).ok()? };
                (is_plain(name) && words.next().is_none()).then(|| (name.to_owned(), sum))
            };
            let (name, sum) = read().ok_or(ChecksumsError::Line(n + 1))?;
            sums.insert(name, sum);
        }
        Ok(Self(sums))
    }

    /// Returns the text of the file.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (name, sum) in &self.0 {
            let _ = writeln!(text, "{sum} {name}");
        }
        let own = Sum::of(text.as_bytes());
        let _ = writeln!(text, "{own} {CHECKSUMS}");
        text
    }

    /// Writes the file.
    ///
    /// # Errors
    ///
    /// When that fails, or the contents have changed.
    pub fn write(&self, directory: &Path) -> Result<()> {
        write_whole(&directory.join(CHECKSUMS), self.to_text().as_bytes())
    }

    /// Removes the file, before any other change in the directory.
    ///
    /// # Errors
    ///
    /// When that fails, or the contents have changed.
    pub fn remove(directory: &Path) -> Result<()> {
        let path = directory.join(CHECKSUMS);
        if fs::symlink_metadata(&path).is_ok() { remove(&path) } else { Ok(()) }
    }

    /// Tests if the checksum file exists.
    pub fn are_in(directory: &Path) -> bool {
        directory.join(CHECKSUMS).is_file()
    }

    /// Adds the checksum of a file.
    pub fn add(&mut self, name: &str, sum: Sum) {
        self.0.insert(name.to_owned(), sum);
    }

    /// Reads a file and adds its checksum.
    ///
    /// # Errors
    ///
    /// When that fails, or the contents have changed.
    pub fn measure(&mut self, directory: &Path, name: &str) -> Result<()> {
        self.add(name, measure(&directory.join(name))?);
        Ok(())
    }

    /// Returns the checksum of a file, if it is listed.
    pub fn get(&self, name: &str) -> Option<Sum> {
        self.0.get(name).copied()
    }

    /// Tests if a file is listed.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Returns the names of all files, with their checksums.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Sum)> {
        self.0.iter().map(|(name, sum)| (name.as_str(), *sum))
    }

    /// Describes how a file differs from what was written; `None` if it does not.
    ///
    /// # Errors
    ///
    /// When that fails, or the contents have changed.
    pub fn difference(directory: &Path, name: &str, written: Sum) -> Result<Option<String>> {
        Ok(match if_there(measure(&directory.join(name)))? {
            None => Some("it is missing".to_owned()),
            Some(found) => found.difference(written).map(|why| why.to_string()),
        })
    }
}

/// A writer that counts and hashes its output.
pub struct Counted<W> {
    inner: W,
    /// The number of bytes so far.
    pub bytes: u64,
    /// Their CRC-32.
    pub crc: crc32fast::Hasher,
}

impl<W> Counted<W> {
    /// Starts with no bytes.
    pub fn new(inner: W) -> Self {
        Self { inner, bytes: 0, crc: crc32fast::Hasher::new() }
    }
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.bytes += written as u64;
        self.crc.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Reads a file and returns its size and hash.
///
/// # Errors
///
/// When it cannot be read.
pub fn measure(path: &Path) -> Result<Sum> {
    measure_to(path, u64::MAX)
}

/// Reads at most the first bytes of a file, pieces of it on all threads, and returns their number and hash.
fn measure_to(path: &Path, most: u64) -> Result<Sum> {
    let wrong = |source| ArenaError::read(path, source);
    let last = fs::metadata(path).map_err(wrong)?.len().min(most) / PIECE;
    let piece = |n: u64| {
        let mut file = BufReader::with_capacity(1 << 18, File::open(path)?);
        file.seek(SeekFrom::Start(n * PIECE))?;
        let mut counted = Counted::new(io::sink());
        // A file that grows is read to its end.
        let end = if n == last { most - n * PIECE } else { PIECE };
        io::copy(&mut file.take(end), &mut counted)?;
        Ok((counted.bytes, counted.crc))
    };
    let pieces: io::Result<Vec<_>> = (0..=last).into_par_iter().map(piece).collect();
    let (mut bytes, mut crc) = (0, crc32fast::Hasher::new());
    for (more, of_piece) in pieces.map_err(wrong)? {
        bytes += more;
        crc.combine(&of_piece);
    }
    Ok(Sum { bytes, crc: crc.finalize() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files that end before, at and after the end of a piece are measured as one.
    #[test]
    fn a_file_in_pieces_has_the_sum_of_the_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("large");
        let bytes: Vec<u8> = (0..2 * PIECE + 9).map(|n| (n * n % 251) as u8).collect();
        for length in [0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 2 * PIECE + 9] {
            let of = usize::try_from(length).unwrap();
            fs::write(&path, &bytes[..of]).unwrap();
            assert_eq!(measure(&path).unwrap(), Sum::of(&bytes[..of]), "{length}");
            for most in [0, 1, PIECE, PIECE + 5, u64::MAX] {
                let most = most.min(length);
                let first = Sum::of(&bytes[..usize::try_from(most).unwrap()]);
                assert_eq!(measure_to(&path, most).unwrap(), first, "{length} {most}");
            }
        }
        assert!(measure(&dir.path().join("missing")).is_err());
    }

    #[test]
    fn sums_are_read_again_and_every_flipped_bit_is_seen() {
        let mut sums = Checksums::default();
        sums.add("config.toml", Sum::of(b"seed = 1\n"));
        sums.add("run.json", Sum { bytes: u64::MAX, crc: 7 });
        let text = sums.to_text();
        assert_eq!(Checksums::parse(text.as_bytes()).unwrap(), sums);
        for at in 0..8 * text.len() {
            let mut flipped = text.clone().into_bytes();
            flipped[at / 8] ^= 1 << (at % 8);
            assert!(Checksums::parse(&flipped).is_err(), "bit {at}");
        }
        for text in ["", "\n", "00000000 0 checksums.txt"] {
            assert!(Checksums::parse(text.as_bytes()).is_err());
        }
    }

    #[test]
    fn every_flipped_bit_of_a_sealed_object_and_of_a_chain_is_seen() {
        for (text, plain) in
            [("{\"v\":1}\n", "{\"v\":1}"), ("{\n  \"v\": {\n  }\n}\n", "{\n  \"v\": {\n  }}")]
        {
            let sealed = sealed(text);
            assert_eq!(unsealed(sealed.as_bytes()), Ok(plain.as_bytes().to_vec()), "{sealed}");
            serde_json::from_str::<serde_json::Value>(&sealed).unwrap();
            for at in 0..8 * sealed.len() {
                let mut flipped = sealed.clone().into_bytes();
                flipped[at / 8] ^= 1 << (at % 8);
                assert!(unsealed(&flipped).is_err(), "bit {at}");
            }
            assert_eq!(unsealed(text.as_bytes()), Err(Mismatch::NoSum));
        }
        let head = "a,b,crc\n";
        let mut chain = Chain::after(head);
        let table = head.to_owned() + &chain.line("1,2") + &chain.line("3,4");
        let read = |table: &str| {
            let mut lines = table.split_inclusive('\n');
            let mut chain = Chain::after(lines.next()?);
            lines.map(|line| chain.read(line)).collect::<Option<Vec<_>>>().map(|lines| lines.concat())
        };
        assert_eq!(read(&table), Some("1,23,4".to_owned()));
        for at in 0..8 * table.len() {
            let mut flipped = table.clone().into_bytes();
            flipped[at / 8] ^= 1 << (at % 8);
            assert!(String::from_utf8(flipped).ok().and_then(|table| read(&table)).is_none(), "bit {at}");
        }
    }

    #[test]
    fn names_lead_nowhere_else() {
        for name in ["../run.json", "/etc/passwd", "a b", ".", "..", ".hidden", "a\\b", ""] {
            assert!(!is_plain(name), "{name}");
            let line = format!("00000001 1 {name}\n");
            let text = format!("{line}{} {CHECKSUMS}\n", Sum::of(line.as_bytes()));
            assert!(Checksums::parse(text.as_bytes()).is_err(), "{name}");
        }
    }
}
