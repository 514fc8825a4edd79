//! Finding the directory of a run, and keeping others out of it.

use std::fs::{self, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use coinche_bots::TeamSpec;
use coinche_selfplay::base::error::{ArenaError, ModuleError};
use coinche_selfplay::base::files::{OutFile, foreign_data, make_directory};

use super::state::{Identity, STATE, State};
use crate::run::config::{RunConfig, seed_slug};

/// Returns the directory of a run: the one that was asked for, or one whose name follows from the bots, the
/// seed and all other settings, so that the same command finds it again.
pub(super) fn directory(config: &RunConfig, identity: &Identity) -> PathBuf {
    if let Some(path) = &config.out {
        return path.clone();
    }
    let bots: Vec<_> = config.bots.iter().map(TeamSpec::name).collect();
    let slug: String = bots
        .join("-")
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() || letter == '.' { letter } else { '-' })
        .take(60)
        .collect();
    let shard = config.shard.map_or_else(String::new, |shard| format!("-shard-{shard}").replace('/', "-of-"));
    let name = format!("{slug}-seed-{}-{}{shard}", seed_slug(&config.seed), &identity.fingerprint[..8]);
    Path::new("results").join("runs").join(name)
}

/// A directory, held by this process: one of its files is locked by the system, which lets it go when the
/// process ends, however it ends.
#[derive(Debug)]
pub(crate) struct Held {
    path: PathBuf,
    file: OutFile,
}

impl Held {
    /// Makes the directory of a run where there is none, and takes it: `config.toml` is the lock.
    ///
    /// # Errors
    ///
    /// When it cannot be written, is in use, or holds something that is no run of this program.
    pub(super) fn take(path: &Path) -> Result<Self, ArenaError> {
        // Where there is data but no state of a run, the directory is somebody else's.
        if fs::symlink_metadata(path.join(STATE)).is_err()
            && let Some(file) = foreign_data(path, &[])
        {
            return Err(ArenaError::RunExists { path: path.to_owned(), file });
        }
        Self::lock(path, "config.toml")
    }

    /// Makes a directory where there is none, and takes it by a file that is made and locked.
    ///
    /// # Errors
    ///
    /// When it cannot be written or is in use.
    pub(crate) fn lock(directory: &Path, name: &str) -> Result<Self, ArenaError> {
        make_directory(directory)?;
        let path = directory.join(name);
        let file = OutFile::open(&path).map_err(|source| ArenaError::write(&path, source))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { path, file }),
            Err(TryLockError::WouldBlock) => Err(ArenaError::InUse { path: directory.to_owned() }),
            Err(TryLockError::Error(source)) => Err(ArenaError::write(&path, source)),
        }
    }

    /// Reads the file that is the lock.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub(crate) fn read(&mut self) -> Result<Vec<u8>, ArenaError> {
        let mut bytes = Vec::new();
        let read = self.file.seek(SeekFrom::Start(0)).and_then(|_| self.file.read_to_end(&mut bytes));
        read.map_err(|source| ArenaError::read(&self.path, source))?;
        Ok(bytes)
    }

    /// Writes the file that is the lock, where it says something else; never under another name.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), ArenaError> {
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

/// The run in a directory has been played further than is asked for.
#[derive(Debug, thiserror::Error)]
#[error("{} already has {there} {unit}, more than the {asked} asked for: ask for as many, or choose another directory \
         with --out", path.display())]
struct HasMore {
    path: PathBuf,
    there: u64,
    asked: u64,
    unit: &'static str,
}

impl ModuleError for HasMore {}

/// Checks that the run in a directory is the one asked for.
pub(crate) fn check(
    path: &Path,
    state: &State,
    identity: &Identity,
    config: &RunConfig,
) -> Result<(), ArenaError> {
    let mut differences = state.identity.differences(identity);
    let range = config.range();
    if state.start != range.start {
        differences.push(format!("first deal: {} there, {} now", state.start, range.start));
    }
    if !differences.is_empty() {
        return Err(ArenaError::OtherRun { path: path.to_owned(), differences });
    }
    if state.done > range.end {
        let (there, asked) = (state.done - state.start, range.end - range.start);
        return Err(HasMore { path: path.to_owned(), there, asked, unit: config.unit.plural() }.into());
    }
    Ok(())
}
