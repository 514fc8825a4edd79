//! The logs written by the scripts of a plan.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::time::SystemTime;

use coinche_selfplay::Exit;

/// The number of stderr lines shown, and the maximum bytes read for them.
const LINES: usize = 5;
const MOST: u64 = 1 << 13;

/// The log of an attempt.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// The exit code; `None` while it is running, or if it was killed.
    pub(super) exit: Option<i32>,
    /// When it ended.
    pub(super) ended: Option<SystemTime>,
}

impl Log {
    /// Reads the exit code of a part or of the merge, by name.
    pub(super) fn read(logs: &Path, name: &str) -> Self {
        let path = logs.join(format!("{name}.exit"));
        let exit = fs::read_to_string(&path).ok().and_then(|text| text.trim().parse().ok());
        Self { exit, ended: fs::metadata(&path).and_then(|file| file.modified()).ok() }
    }

    /// Tests if it ended with an error.
    pub(super) fn has_failed(&self) -> bool {
        self.exit.is_some_and(|exit| exit != 0 && exit != Exit::Interrupted as i32)
    }
}

/// Returns the last stderr lines of the last attempt.
pub(super) fn stderr(logs: &Path, name: &str) -> Vec<String> {
    let text = tail(&logs.join(format!("{name}.err"))).unwrap_or_default();
    let mut lines: Vec<&str> =
        text.lines().rev().take_while(|line| !line.starts_with("== ")).take(LINES).collect();
    lines.reverse();
    lines.into_iter().map(str::to_owned).collect()
}

fn tail(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    file.seek(SeekFrom::Start(size.saturating_sub(MOST)))?;
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
