//! `checksums.txt`: the size and the CRC-32 of every file in a data directory, written last.
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
use std::io::{self, Write};
use std::path::Path;

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::files::{CHECKSUMS, if_there, read_bounded, remove, write_whole};
use serde::{Deserialize, Serialize};

use crate::damage::Damage;

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
    fn difference(self, written: Self) -> Option<Damage> {
        match self {
            found if found == written => None,
            Self { bytes, .. } if bytes == written.bytes => Some(Damage::Checksum),
            Self { bytes, .. } => Some(Damage::Size { found: bytes, written: written.bytes }),
        }
    }

    /// Checks that a file is as it was written.
    pub(crate) fn check(self, path: &Path) -> Result<(), ArenaError> {
        let why = measure(path)?.difference(self);
        why.map_or(Ok(()), |why| Err(ArenaError::damaged(path, why)))
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
    pub fn read(directory: &Path) -> Result<Option<Self>, ArenaError> {
        let path = directory.join(CHECKSUMS);
        let Some(text) = if_there(read_bounded(&path, MOST))? else { return Ok(None) };
        Self::parse(&text).map(Some).map_err(|why| ArenaError::damaged(path, why))
    }

    /// Parses the text of the file.
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
    pub fn write(&self, directory: &Path) -> Result<(), ArenaError> {
        write_whole(&directory.join(CHECKSUMS), self.to_text().as_bytes())
    }

    /// Removes the file, before any other change in the directory.
    pub fn remove(directory: &Path) -> Result<(), ArenaError> {
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
    pub fn measure(&mut self, directory: &Path, name: &str) -> Result<(), ArenaError> {
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
    pub fn difference(directory: &Path, name: &str, written: Sum) -> Result<Option<String>, ArenaError> {
        Ok(match if_there(measure(&directory.join(name)))? {
            None => Some("it is missing".to_owned()),
            Some(found) => found.difference(written).map(|why| why.to_string()),
        })
    }
}

/// A writer that counts and hashes its output.
pub struct Counted<W> {
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
pub fn measure(path: &Path) -> Result<Sum, ArenaError> {
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
