//! `checksums.txt`: the size and the CRC-32 of every file in a directory of data, written last.
//!
//! A line for each file, and one for the lines before it:
//!
//! ```text
//! 8d0f3ab2 1234 config.toml
//! 5ac1b0f2 187 checksums.txt
//! ```
//!
//! Whoever changes a run, a test or a tuning removes it first. So where there is one, the files are what was written;
//! without one the directory is being written, or a process was killed. Labels only grow, and it lists the parts that are
//! whole.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::files::{CHECKSUMS, if_there, read_bounded, remove, write_whole};

/// The most bytes of the file that are read: more names than any directory of data has.
const MOST: u64 = 1 << 28;

/// What is wrong with the sums themselves.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ChecksumsError {
    #[error("its last line is not the sum of those before it")]
    Sum,
    #[error("line {0} is not a CRC-32, a size and the name of a file")]
    Line(usize),
}

/// The size of a file and its CRC-32.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) bytes: u64,
    pub(crate) crc: u32,
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x} {}", self.crc, self.bytes)
    }
}

impl Sum {
    /// Returns the sum of a file with these bytes.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len() as u64, crc: crc32fast::hash(bytes) }
    }
}

/// The sums of the files of a directory, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Checksums(BTreeMap<String, Sum>);

/// Tests if a name is that of a file in the directory itself.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || ".-_".contains(letter))
        && !name.starts_with('.')
}

impl Checksums {
    /// Reads the sums of a directory; `None` where there are none.
    ///
    /// # Errors
    ///
    /// When the file is damaged or cannot be read.
    pub(crate) fn read(directory: &Path) -> Result<Option<Self>, ArenaError> {
        let path = directory.join(CHECKSUMS);
        let Some(text) = if_there(read_bounded(&path, MOST))? else { return Ok(None) };
        Self::parse(&text).map(Some).map_err(|why| ArenaError::damaged(path, why))
    }

    /// Reads the text of the file.
    ///
    /// # Errors
    ///
    /// Says what is wrong with it.
    pub(crate) fn parse(text: &[u8]) -> Result<Self, ChecksumsError> {
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
    pub(crate) fn to_text(&self) -> String {
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
    /// When it cannot be written.
    pub(crate) fn write(&self, directory: &Path) -> Result<(), ArenaError> {
        write_whole(&directory.join(CHECKSUMS), self.to_text().as_bytes())
    }

    /// Removes the file, before anything else in the directory is changed.
    ///
    /// # Errors
    ///
    /// When it cannot be removed.
    pub(crate) fn remove(directory: &Path) -> Result<(), ArenaError> {
        let path = directory.join(CHECKSUMS);
        if fs::symlink_metadata(&path).is_ok() { remove(&path) } else { Ok(()) }
    }

    /// Tests if there is a file of them.
    pub(crate) fn are_in(directory: &Path) -> bool {
        directory.join(CHECKSUMS).is_file()
    }

    /// Adds the sum of a file.
    pub(crate) fn add(&mut self, name: &str, sum: Sum) {
        self.0.insert(name.to_owned(), sum);
    }

    /// Reads a file and adds its sum.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub(crate) fn measure(&mut self, directory: &Path, name: &str) -> Result<(), ArenaError> {
        self.add(name, measure(&directory.join(name))?);
        Ok(())
    }

    /// Returns the sum of a file, where it is listed.
    pub(crate) fn get(&self, name: &str) -> Option<Sum> {
        self.0.get(name).copied()
    }

    /// Tests if a file is listed.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Returns the names of all files, with their sums.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, Sum)> {
        self.0.iter().map(|(name, sum)| (name.as_str(), *sum))
    }

    /// Says what a file has in place of what was written; `None` where it is that.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub(crate) fn difference(
        directory: &Path,
        name: &str,
        written: Sum,
    ) -> Result<Option<String>, ArenaError> {
        let found = match measure(&directory.join(name)) {
            Err(ArenaError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                return Ok(Some("it is missing".to_owned()));
            }
            found => found?,
        };
        Ok(if found == written {
            None
        } else if found.bytes == written.bytes {
            Some("its CRC-32 does not match: the contents have changed".to_owned())
        } else {
            Some(format!("it has {} bytes, expected {}", found.bytes, written.bytes))
        })
    }
}

/// Counts and hashes what is written.
pub(crate) struct Counted<W> {
    pub(crate) inner: W,
    pub(crate) bytes: u64,
    pub(crate) crc: crc32fast::Hasher,
}

impl<W> Counted<W> {
    pub(crate) fn new(inner: W) -> Self {
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
pub(crate) fn measure(path: &Path) -> Result<Sum, ArenaError> {
    let mut counted = Counted::new(io::sink());
    let mut file = File::open(path).map_err(|source| ArenaError::read(path, source))?;
    io::copy(&mut file, &mut counted).map_err(|source| ArenaError::read(path, source))?;
    Ok(Sum { bytes: counted.bytes, crc: counted.crc.finalize() })
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn names_lead_nowhere_else() {
        for name in ["../run.json", "/etc/passwd", "a b", ".", "..", ".hidden", "a\\b", ""] {
            assert!(!is_plain(name), "{name}");
            let line = format!("00000001 1 {name}\n");
            let text = format!("{line}{} {CHECKSUMS}\n", Sum::of(line.as_bytes()));
            assert!(Checksums::parse(text.as_bytes()).is_err(), "{name}");
        }
    }
}
