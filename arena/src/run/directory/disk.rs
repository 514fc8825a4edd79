//! Writing so that a crash or a power cut leaves the old or the new.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use coinche_selfplay::base::error::ArenaError;

/// Writes a file whole or not at all: under another name first, on the disk before it is renamed.
///
/// # Errors
///
/// When it cannot be written; what was there before is then still there.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), ArenaError> {
    replace(path, |file| file.write_all(bytes))
}

/// Writes a file whole or not at all, by a function.
///
/// # Errors
///
/// When it cannot be written; what was there before is then still there.
pub(crate) fn replace(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), ArenaError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".unfinished");
    let unfinished = path.with_file_name(name);
    let written = File::create(&unfinished).and_then(|mut file| {
        write(&mut file)?;
        file.sync_all()?;
        fs::rename(&unfinished, path)?;
        sync_directory(path.parent().unwrap_or(Path::new(".")))
    });
    written.map_err(|source| {
        let _ = fs::remove_file(&unfinished);
        ArenaError::write(path, source)
    })
}

/// Makes renames and new files in a directory last.
pub(crate) fn sync_directory(path: &Path) -> io::Result<()> {
    // Only Unix opens a directory as a file; elsewhere the system sees to it.
    if cfg!(unix) {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        File::open(path)?.sync_all()?;
    }
    Ok(())
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
pub(crate) fn measure(path: &Path) -> Result<(u64, u32), ArenaError> {
    let mut counted = Counted::new(io::sink());
    let mut file = File::open(path).map_err(|source| ArenaError::read(path, source))?;
    io::copy(&mut file, &mut counted).map_err(|source| ArenaError::read(path, source))?;
    Ok((counted.bytes, counted.crc.finalize()))
}
