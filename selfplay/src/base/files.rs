//! Files that are written whole or not at all.

use std::path::{Path, PathBuf};

use crate::base::error::ArenaError;

/// Writes a file whole or not at all.
///
/// # Errors
///
/// When it cannot be written.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), ArenaError> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let written = std::fs::write(&part, bytes).and_then(|()| std::fs::rename(&part, path));
    written.map_err(|source| {
        // What is left of it is in nobody's way.
        let _ = std::fs::remove_file(&part);
        ArenaError::write(path, source)
    })
}
