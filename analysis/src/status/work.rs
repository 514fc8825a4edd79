//! Detects whether a process is running in a directory.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// A directory with a change this recent counts as one with a running process, possibly on another machine.
const LATELY: Duration = Duration::from_mins(1);

/// The locks held on this machine.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// The inode numbers of the locked files.
    locked: BTreeSet<u64>,
}

impl Work {
    /// Reads the locks, if the system reports them, as Linux does. Locks held on other machines are not
    /// reported.
    pub(super) fn read() -> Self {
        let locks = fs::read_to_string("/proc/locks").unwrap_or_default();
        // `1: FLOCK  ADVISORY  WRITE 1234 fd:01:131 0 EOF`: device and inode. With overlaid file systems, the
        // device is not that of the file, so only the inode is compared.
        let inode = |line: &str| line.split_whitespace().nth(5)?.rsplit(':').next()?.parse().ok();
        Self { locked: locks.lines().filter(|line| !line.contains("->")).filter_map(inode).collect() }
    }

    /// Tests if a process is running in a directory: one of its files is locked, or changed recently. `since`
    /// is the time when a process ended there, if known.
    pub(super) fn is_in(&self, directory: &Path, since: Option<SystemTime>) -> bool {
        let Ok(entries) = fs::read_dir(directory) else { return false };
        entries.flatten().filter_map(|entry| entry.metadata().ok()).any(|file| {
            let changed = file.modified().ok();
            let is_late = changed.is_some_and(|changed| {
                // The clock of another machine may be ahead.
                let ago = SystemTime::now().duration_since(changed).unwrap_or_else(|error| error.duration());
                ago < LATELY && since.is_none_or(|since| changed > since)
            });
            is_late || self.locked.contains(&inode(&file))
        })
    }
}

#[cfg(unix)]
fn inode(file: &fs::Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    file.ino()
}

#[cfg(not(unix))]
fn inode(_: &fs::Metadata) -> u64 {
    0
}
