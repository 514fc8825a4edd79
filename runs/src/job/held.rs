//! Locks a directory that is being written.

use std::fs::TryLockError;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use coinche_selfplay::base::files::{OutFile, make_directory};
use coinche_selfplay::{ArenaError, Result};

/// A directory locked by this process: the lock is on one of its files, and the system releases it when the process
/// ends, however it ends.
#[derive(Debug)]
pub struct Held {
    path: PathBuf,
    file: OutFile,
}

impl Held {
    /// Creates a directory if needed, and locks it by a file in it.
    pub fn lock(directory: &Path, name: &str) -> Result<Self> {
        make_directory(directory)?;
        let path = directory.join(name);
        let file = OutFile::open(&path).map_err(|source| ArenaError::write(&path, source))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { path, file }),
            Err(TryLockError::WouldBlock) => Err(ArenaError::InUse { path: directory.to_owned() }),
            Err(TryLockError::Error(source)) => Err(ArenaError::write(&path, source)),
        }
    }

    /// Reads the lock file.
    fn read(&mut self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let read = self.file.seek(SeekFrom::Start(0)).and_then(|_| self.file.read_to_end(&mut bytes));
        read.map_err(|source| ArenaError::read(&self.path, source))?;
        Ok(bytes)
    }

    /// Writes the lock file if its content differs; in place, since a rename would lose the lock.
    pub fn write(&mut self, text: &str) -> Result<()> {
        if self.read()? == text.as_bytes() {
            return Ok(());
        }
        let mut write = || -> io::Result<()> {
            self.file.cut(0)?;
            self.file.write_all(text.as_bytes())?;
            self.file.sync()
        };
        write().map_err(|source| ArenaError::write(&self.path, source))
    }
}
