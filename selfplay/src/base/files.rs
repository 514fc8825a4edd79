//! Writing to disk: all files of the program are created, written, synced and renamed here.

pub mod checksums;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::write_fault::{Fate, operate};
use crate::base::error::{ArenaError, ModuleError, Result};
use checksums::{Checksums, Mismatch, Sum, is_sealed_toml, measure, unsealed};

/// The data files that a directory (a part, a sequential test, a tuning) is read from; the files of data sets are not
/// listed.
const DATA: [&str; 14] = [
    "run.json",
    "sprt.json",
    "sprt.csv",
    "tune.toml",
    "tune.json",
    "history.csv",
    "part.json",
    "config.toml",
    "summary.csv",
    "summary.csv.zst",
    "summary.parquet",
    "records.jsonl",
    "records.jsonl.zst",
    CHECKSUMS,
];

/// The checksums of the files in a data directory.
pub const CHECKSUMS: &str = "checksums.txt";

/// A directory with one of these files is a data directory.
const MARKS: [&str; 3] = ["tune.toml", "sprt.json", "part.json"];

/// Returns the first non-empty data file in a directory that is none of `own`.
pub fn foreign_data(directory: &Path, own: &[&str]) -> Option<&'static str> {
    let holds = |file: &str| fs::symlink_metadata(directory.join(file)).is_ok_and(|there| there.len() > 0);
    DATA.into_iter().find(|file| !own.contains(file) && holds(file))
}

/// Tests if a name is that of a part of labels.
fn is_part(name: &str) -> bool {
    let number = name.strip_prefix("part-").and_then(|rest| rest.split_once('.'));
    number.is_some_and(|(digits, ending)| {
        digits.bytes().all(|digit| digit.is_ascii_digit()) && ["csv", "parquet", "npy"].contains(&ending)
    })
}

/// An output would replace a data file.
#[derive(Debug, thiserror::Error)]
#[error("{} is a data file of the directory that it is in: choose another file", .0.display())]
struct ReplacesData(PathBuf);

impl ModuleError for ReplacesData {}

/// Checks that an output would not replace a data file of a run, a test, a tuning or labels.
///
/// # Errors
///
/// When it would.
pub fn check_output(path: &Path) -> Result<()> {
    if is_of_data(path) {
        return Err(ReplacesData(path.to_owned()).into());
    }
    Ok(())
}

fn name_of(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// Nothing vouches for a data file.
#[derive(Debug, thiserror::Error)]
#[error(
    "{}: there is no {CHECKSUMS} beside it, so its contents cannot be checked: a process is writing there or was killed, \
     or an older version wrote it; repeat the command that makes the directory, or copy all of it",
    .0.display()
)]
struct NoSums(PathBuf);

impl ModuleError for NoSums {}

/// Tests if a file is a data file in a data directory, for which checksums vouch.
pub fn is_of_data(path: &Path) -> bool {
    let (name, directory) = (name_of(path), directory_of(path));
    (DATA.contains(&name) || is_part(name))
        && MARKS.iter().any(|mark| fs::symlink_metadata(directory.join(mark)).is_ok())
}

/// Returns the sums that vouch for a data file, unless a process is writing in its directory. They must be those of the directory, not
/// copied from another with the file: they list what marks it.
fn sums_for(path: &Path) -> Result<Option<Checksums>> {
    let directory = directory_of(path);
    let Some(sums) = Checksums::read(directory)?.filter(|_| is_of_data(path)) else { return Ok(None) };
    for mark in MARKS.iter().filter(|mark| **mark != name_of(path)).map(|mark| directory.join(mark)) {
        if let Some(found) = if_there(measure(&mark))? {
            vouch(&sums, &mark, found)?;
        }
    }
    Ok(Some(sums))
}

/// Checks the sum of a file in a directory with these sums.
fn vouch(sums: &Checksums, path: &Path, found: Sum) -> Result<()> {
    let listed = sums.get(name_of(path)).ok_or_else(|| ArenaError::damaged(path, Mismatch::NotListed));
    match listed.and_then(|listed| found.expect(listed, path)) {
        // A process has begun to write there since they were read.
        Err(_) if !Checksums::are_in(directory_of(path)) => Ok(()),
        checked => checked,
    }
}

/// Opens a table or records to read; those of a data directory must be as they were written there.
///
/// # Errors
///
/// When they are not, or cannot be read.
pub fn open_checked(path: &Path) -> Result<File> {
    if is_of_data(path) {
        vouch(&sums_for(path)?.ok_or_else(|| NoSums(path.to_owned()))?, path, measure(path)?)?;
    }
    File::open(path).map_err(|source| ArenaError::read(path, source))
}

/// Reads a file of limited size; one of a data directory in which no process is writing must be as it was written there.
///
/// # Errors
///
/// When it is not, cannot be read or is larger.
pub fn read_data(path: &Path, most: u64) -> Result<Vec<u8>> {
    // Read first: a process that ends meanwhile adds them.
    let sums = sums_for(path)?;
    let bytes = read_bounded(path, most)?;
    sums.map_or(Ok(()), |sums| vouch(&sums, path, Sum::of(&bytes)))?;
    Ok(bytes)
}

/// A file is larger than any file of its kind.
#[derive(Debug, thiserror::Error)]
#[error("it has more than {0} MB: it is not a file of this kind")]
struct TooLarge(u64);

/// Reads a file of limited size.
///
/// # Errors
///
/// When it cannot be read or is larger.
pub fn read_bounded(path: &Path, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes));
    read.map_err(|source| ArenaError::read(path, source))?;
    if bytes.len() as u64 > most {
        return Err(ArenaError::input(path, TooLarge(most >> 20)));
    }
    Ok(bytes)
}

/// Reads a text that a person may have written (a configuration, rules) of at most one megabyte.
///
/// # Errors
///
/// When it cannot be read, is larger, or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String> {
    String::from_utf8(read_data(path, 1 << 20)?).map_err(|error| ArenaError::input(path, error.utf8_error()))
}

/// Reads a JSON file that the program wrote, of at most 256 megabytes, without the CRC-32 at its end.
///
/// # Errors
///
/// When it is not as it was written, cannot be read or is larger.
pub fn read_json(path: &Path) -> Result<Vec<u8>> {
    unsealed(&read_data(path, 1 << 28)?).map_err(|why| ArenaError::damaged(path, why))
}

/// Reads TOML that the program wrote, with the CRC-32 in its last line.
///
/// # Errors
///
/// As [`read_json`].
pub fn read_toml(path: &Path) -> Result<String> {
    let text = String::from_utf8(read_json(path)?);
    text.map_err(|error| ArenaError::damaged(path, error.utf8_error()))
}

/// Reads a configuration, of which the program writes one for each run: that must be as it was written.
///
/// # Errors
///
/// When it is not, or as [`read_text`].
pub fn read_config(path: &Path) -> Result<String> {
    let text = read_text(path)?;
    match unsealed(text.as_bytes()) {
        Err(why) if is_of_data(path) => Err(ArenaError::damaged(path, why)),
        Err(_) if is_sealed_toml(&text) => Err(ArenaError::input(path, Edited)),
        _ => Ok(text),
    }
}

/// A configuration that the program wrote has changed.
#[derive(Debug, thiserror::Error)]
#[error("it is not as the program wrote it: if you have changed it, remove its last line, `# crc …`")]
struct Edited;

/// Returns `None` if the file to read does not exist.
///
/// # Errors
///
/// When the file exists and cannot be read.
pub fn if_there<T>(read: Result<T>) -> Result<Option<T>> {
    match read {
        Err(ArenaError::Read { source, .. })
            if matches!(source.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            Ok(None)
        }
        read => read.map(Some),
    }
}

/// Returns the directory of a file.
fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// A file open for writing.
#[derive(Debug)]
pub struct OutFile(File);

impl OutFile {
    /// Creates a file that does not exist yet; never follows a link.
    ///
    /// # Errors
    ///
    /// When something of this name exists, or the file cannot be written.
    pub fn create_new(path: &Path) -> io::Result<Self> {
        let open = || OpenOptions::new().write(true).create_new(true).open(path);
        operate(open).map(Self)
    }

    /// Creates a file, replacing an existing one; the target of a link is left unchanged.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or is a device or a pipe, which would be gone.
    pub fn create_anew(path: &Path) -> io::Result<Self> {
        check_replaceable(path)?;
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Self::create_new(path),
        }
    }

    /// Opens a file for reading and writing, without truncation; creates it if it does not exist. Never follows a link.
    ///
    /// # Errors
    ///
    /// When it is a link, or cannot be read or written.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).truncate(false);
        if let Ok(there) = fs::symlink_metadata(path) {
            if there.is_symlink() {
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, "it is a symbolic link"));
            }
            options.open(path).map(Self)
        } else {
            operate(|| options.create(true).open(path)).map(Self)
        }
    }

    /// Returns another handle of the file.
    ///
    /// # Errors
    ///
    /// When the system has no handles left.
    pub fn try_clone(&self) -> io::Result<Self> {
        self.0.try_clone().map(Self)
    }

    /// Returns the size in bytes.
    ///
    /// # Errors
    ///
    /// When the system does not report it.
    pub fn size(&self) -> io::Result<u64> {
        self.0.metadata().map(|metadata| metadata.len())
    }

    /// Truncates the file to a size, where it is another, and seeks to its end.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn cut(&mut self, size: u64) -> io::Result<()> {
        if self.size()? != size {
            operate(|| self.0.set_len(size))?;
        }
        self.0.seek(SeekFrom::Start(size)).map(drop)
    }

    /// Syncs the file to disk.
    ///
    /// # Errors
    ///
    /// When the disk fails.
    pub fn sync(&self) -> io::Result<()> {
        operate(|| self.0.sync_all())
    }

    /// Locks the file for this process; the system releases the lock when the process ends, however it ends.
    ///
    /// # Errors
    ///
    /// When another process holds the lock, or the file system does not support locks.
    pub fn try_lock(&self) -> Result<(), TryLockError> {
        // A process that is being started holds the locks of the one that starts it until it is another program.
        for _ in 0..10 {
            match self.0.try_lock() {
                Err(TryLockError::WouldBlock) => std::thread::sleep(std::time::Duration::from_millis(20)),
                other => return other,
            }
        }
        self.0.try_lock()
    }
}

impl Read for OutFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Seek for OutFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

impl Write for OutFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let half = || drop((&self.0).write_all(&bytes[..bytes.len() / 2]));
        Fate::next().befall(half, || (&self.0).write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Creates a directory and its parents.
///
/// # Errors
///
/// When it cannot be created.
pub fn make_directory(path: &Path) -> Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    operate(|| fs::create_dir_all(path)).map_err(|source| ArenaError::write(path, source))
}

/// Removes a file if it exists.
///
/// # Errors
///
/// When it exists and cannot be removed.
pub fn remove(path: &Path) -> Result<()> {
    unless_missing(path, operate(|| fs::remove_file(path)))
}

/// Moves a directory; creates the parent of the new place if needed.
///
/// # Errors
///
/// When it cannot be moved there.
pub fn move_directory(from: &Path, to: &Path) -> Result<()> {
    make_directory(directory_of(to))?;
    operate(|| fs::rename(from, to)).map_err(|source| ArenaError::write(to, source))
}

/// Removes a directory and its contents if it exists.
///
/// # Errors
///
/// When it exists and cannot be removed.
pub fn remove_directory(path: &Path) -> Result<()> {
    unless_missing(path, operate(|| fs::remove_dir_all(path)))
}

/// Ignores that what is to be removed does not exist.
fn unless_missing(path: &Path, removed: io::Result<()>) -> Result<()> {
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(ArenaError::write(path, error)),
        _ => Ok(()),
    }
}

/// Syncs renames and new files in a directory to disk.
fn sync_directory(path: &Path) -> io::Result<()> {
    // Only Unix opens a directory as a file; elsewhere this is left to the system.
    if cfg!(unix) { operate(|| File::open(path)?.sync_all()) } else { Ok(()) }
}

/// Refuses to put a file in the place of a device or a pipe, such as `/dev/null` or `/dev/stdout`.
fn check_replaceable(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) if !there.is_file() && !there.is_dir() => {
            let why = "it is a device or a pipe, which a file would replace: name a file";
            Err(io::Error::new(io::ErrorKind::InvalidInput, why))
        }
        _ => Ok(()),
    }
}

/// A file that is written under a temporary name and renamed when it is complete.
#[derive(Debug)]
pub struct Unfinished {
    path: PathBuf,
    under: PathBuf,
}

impl Unfinished {
    /// Creates the file under its temporary name.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn create(path: &Path) -> Result<(Self, OutFile)> {
        let this = Self { path: path.to_owned(), under: path.with_added_extension("unfinished") };
        this.check(check_replaceable(path))?;
        let file = this.check(OutFile::create_anew(&this.under))?;
        Ok((this, file))
    }

    /// Adds the path of the file to a write error.
    ///
    /// # Errors
    ///
    /// That error.
    pub fn check<T>(&self, written: io::Result<T>) -> Result<T> {
        written.map_err(|error| ArenaError::write(&self.path, error))
    }

    /// Renames the file to its final name. It must have been synced before.
    ///
    /// # Errors
    ///
    /// When it cannot be renamed.
    pub fn finish(self) -> Result<()> {
        let renamed = operate(|| fs::rename(&self.under, &self.path));
        self.check(renamed.and_then(|()| sync_directory(directory_of(&self.path))))
    }
}

impl Drop for Unfinished {
    /// Removes an incomplete file; a complete one was renamed.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.under);
    }
}

/// Writes a file of a run atomically, by a function: under a temporary name, synced, then renamed.
///
/// # Errors
///
/// When it cannot be written; the previous file is then unchanged.
pub fn replace(path: &Path, write: impl FnOnce(&mut OutFile) -> io::Result<()>) -> Result<()> {
    let (unfinished, mut file) = Unfinished::create(path)?;
    unfinished.check(write(&mut file).and_then(|()| file.sync()))?;
    unfinished.finish()
}

/// Writes a file of a run atomically.
///
/// # Errors
///
/// When it cannot be written; the previous file is then unchanged.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    replace(path, |file| file.write_all(bytes))
}

/// Makes a hard link to another file if both are in one file system, else an atomic copy.
///
/// # Errors
///
/// When the other file cannot be read, or this one cannot be written.
pub fn link_or_copy(from: &Path, to: &Path) -> Result<()> {
    let read = |source| ArenaError::read(from, source);
    // A hard link to a symbolic link could point elsewhere.
    let file = fs::canonicalize(from).map_err(read)?;
    remove(to)?;
    if operate(|| fs::hard_link(&file, to)).is_ok() {
        return Ok(());
    }
    let mut file = File::open(file).map_err(read)?;
    replace(to, |copy| io::copy(&mut file, copy).map(drop))
}

/// Writes an output that the user named atomically, by a function; never replaces a data file.
///
/// # Errors
///
/// When it cannot be written or would replace a data file; the previous file is then unchanged.
pub fn output(path: &Path, write: impl FnOnce(&mut OutFile) -> io::Result<()>) -> Result<()> {
    check_output(path)?;
    replace(path, write)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_pipe_is_not_replaced() {
        let directory = std::env::temp_dir().join(format!("coinche-pipe-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let pipe = directory.join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for refused in [OutFile::create_anew(&pipe).is_err(), write_whole(&pipe, b"1").is_err()] {
            assert!(refused);
        }
        assert!(!fs::metadata(&pipe).unwrap().is_file());
        fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn names_of_parts_are_known() {
        assert!(is_part("part-000012.csv") && is_part("part-1000000.parquet"));
        assert!(!is_part("part-x.csv") && !is_part("part-000001.txt") && !is_part("parts.csv"));
    }
}
