//! Whether somebody is at work in a directory.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// A directory in which something changed so lately is one in which somebody is at work, also on another machine.
const LATELY: Duration = Duration::from_mins(1);

/// What is locked on this machine.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// The numbers of the locked files.
    locked: BTreeSet<u64>,
}

impl Work {
    /// Reads what is locked, where the system tells it: Linux does. A lock that is held on another machine is not told.
    pub(super) fn read() -> Self {
        let locks = fs::read_to_string("/proc/locks").unwrap_or_default();
        // `1: FLOCK  ADVISORY  WRITE 1234 fd:01:131 0 EOF`: device and inode. The device is not that of the file where
        // file systems lie over others, so the inode decides.
        let inode = |line: &str| line.split_whitespace().nth(5)?.rsplit(':').next()?.parse().ok();
        Self { locked: locks.lines().filter(|line| !line.contains("->")).filter_map(inode).collect() }
    }

    /// Tests if somebody is at work in a directory: one of its files is locked, or changed lately. `since` is when somebody
    /// ended there, if that is known.
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
