//! Rows that a part keeps beside its totals: a file that grows by a frame of zstd whenever the state is saved.

use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::files::OutFile;
use serde::{Deserialize, Serialize};

use crate::run::checksums::{Sum, measure};
use crate::run::damage::Damage;

/// How well zstd compresses: its own default.
const LEVEL: i32 = 3;

/// The file as far as it belongs to the deals that are done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedRows {
    bytes: u64,
    crc: u32,
}

impl From<SavedRows> for Sum {
    fn from(SavedRows { bytes, crc }: SavedRows) -> Self {
        Self { bytes, crc }
    }
}

/// The file of a part at work.
#[derive(Debug)]
pub(super) struct RowsFile {
    path: PathBuf,
    file: OutFile,
    bytes: u64,
    crc: crc32fast::Hasher,
    /// Lines that wait for the next frame.
    waiting: Vec<u8>,
}

impl RowsFile {
    /// Goes on behind what belongs to the part: more was written by a process that was killed.
    ///
    /// # Errors
    ///
    /// When there is less, or the file cannot be written.
    pub(super) fn open(path: PathBuf, saved: SavedRows) -> Result<Self, ArenaError> {
        let mut file = OutFile::open(&path).map_err(|source| ArenaError::write(&path, source))?;
        let left = file.size().map_err(|source| ArenaError::read(&path, source))?;
        if left < saved.bytes {
            return Err(ArenaError::damaged(path, Damage::Cut { left, whole: saved.bytes }));
        }
        file.cut(saved.bytes).map_err(|source| ArenaError::write(&path, source))?;
        let found = measure(&path)?;
        if found != Sum::from(saved) {
            return Err(ArenaError::damaged(path, Damage::Checksum));
        }
        let crc = crc32fast::Hasher::new_with_initial_len(saved.crc, saved.bytes);
        Ok(Self { path, file, bytes: saved.bytes, crc, waiting: Vec::new() })
    }

    pub(super) fn push(&mut self, lines: &[u8]) {
        self.waiting.extend_from_slice(lines);
    }

    /// Writes the lines that wait, and makes them last.
    ///
    /// # Errors
    ///
    /// When they cannot be written: the file is then as it was.
    pub(super) fn save(&mut self) -> Result<SavedRows, ArenaError> {
        if !self.waiting.is_empty() {
            let frame = compress(&self.waiting).map_err(|source| ArenaError::write(&self.path, source))?;
            let written = self.file.write_all(&frame).and_then(|()| self.file.sync());
            if let Err(source) = written {
                // Where even this fails, the state says where the rows end.
                let _ = self.file.cut(self.bytes);
                return Err(ArenaError::write(&self.path, source));
            }
            self.bytes += frame.len() as u64;
            self.crc.update(&frame);
            self.waiting.clear();
        }
        Ok(SavedRows { bytes: self.bytes, crc: self.crc.clone().finalize() })
    }
}

fn compress(lines: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
    compressor.include_checksum(true)?;
    compressor.compress(lines)
}

/// Opens the rows of a part that is done, once it is sure that they are what was written.
///
/// # Errors
///
/// When they are not, or cannot be read.
pub(super) fn read(path: &Path, saved: SavedRows) -> Result<Box<dyn Read>, ArenaError> {
    let found = measure(path)?;
    if found.bytes != saved.bytes {
        return Err(ArenaError::damaged(path, Damage::Size { found: found.bytes, written: saved.bytes }));
    }
    if found != Sum::from(saved) {
        return Err(ArenaError::damaged(path, Damage::Checksum));
    }
    if saved.bytes == 0 {
        // zstd takes a file without a frame for one that was cut.
        return Ok(Box::new(io::empty()));
    }
    let error = |source| ArenaError::read(path, source);
    let file = BufReader::new(std::fs::File::open(path).map_err(error)?);
    Ok(Box::new(zstd::stream::Decoder::with_buffer(file).map_err(error)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_may_have_no_rows() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("rows.zst");
        let saved = RowsFile::open(path.clone(), SavedRows::default()).unwrap().save().unwrap();
        let mut text = String::new();
        read(&path, saved).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "");
    }

    #[test]
    fn what_no_state_tells_of_is_cut_off() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("rows.zst");
        let mut rows = RowsFile::open(path.clone(), SavedRows::default()).unwrap();
        rows.push(b"one\n");
        let saved = rows.save().unwrap();
        rows.push(b"lost\n");
        assert_ne!(rows.save().unwrap(), saved);
        drop(rows);
        let mut rows = RowsFile::open(path.clone(), saved).unwrap();
        rows.push(b"two\n");
        rows.push(b"three\n");
        let saved = rows.save().unwrap();
        assert_eq!(rows.save().unwrap(), saved);
        drop(rows);
        let mut text = String::new();
        read(&path, saved).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "one\ntwo\nthree\n");

        let bytes = std::fs::read(&path).unwrap();
        let mut wrong = bytes.clone();
        wrong[9] ^= 1;
        for wrong in [wrong, bytes[..bytes.len() - 1].to_vec()] {
            std::fs::write(&path, wrong).unwrap();
            assert!(matches!(read(&path, saved), Err(ArenaError::Damaged { .. })));
            assert!(matches!(RowsFile::open(path.clone(), saved), Err(ArenaError::Damaged { .. })));
        }
    }
}
