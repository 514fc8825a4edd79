//! The stderr of programs: logged in the run's directory, with limited size.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use coinche_selfplay::complain;

/// The most bytes logged per bot.
const MAX_BYTES: usize = 1 << 20;

/// The log of programs' stderr; cheap to clone, for all threads.
#[derive(Debug, Clone, Default)]
pub struct StderrLog {
    to: Option<Arc<LogDirectory>>,
    /// By bot: how its first failed process failed, and the number of failures.
    failures: Arc<Mutex<BTreeMap<String, (String, u64)>>>,
}

#[derive(Debug)]
struct LogDirectory {
    directory: PathBuf,
    /// By bot; opened with the first line.
    files: Mutex<BTreeMap<String, LogFile>>,
}

#[derive(Debug)]
struct LogFile {
    file: Option<File>,
    left: usize,
}

impl StderrLog {
    /// Discards everything.
    pub fn none() -> Self {
        Self::default()
    }

    /// Logs to one file per bot in a directory, which is created with the first line.
    pub fn in_directory(directory: &Path) -> Self {
        let files = LogDirectory { directory: directory.to_owned(), files: Mutex::new(BTreeMap::new()) };
        Self { to: Some(Arc::new(files)), ..Self::default() }
    }

    /// Records a failed process; `how` is called only for the first of a bot.
    pub(super) fn note_failure(&self, bot: &str, how: impl FnOnce() -> String) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.entry(bot.to_owned()).or_insert_with(|| (how(), 0)).1 += 1;
    }

    /// Reports on stderr, after a run, which programs failed, and how the first time.
    pub fn report_failures(&self) {
        for (bot, (how, count)) in &*self.failures.lock().unwrap_or_else(PoisonError::into_inner) {
            let times = if *count == 1 { "once".to_owned() } else { format!("{count} times; first") };
            complain(format_args!("{bot} failed {times}: {how}"));
            if let Some(files) = self.to.as_ref().filter(|files| files.directory.is_dir()) {
                complain(format_args!("  its stderr is in {}", files.directory.display()));
            }
        }
    }

    /// Appends lines of a bot's process, each after the prefix. A file that cannot be written is dropped.
    pub(super) fn push(&self, bot: &str, prefix: &str, lines: &[u8]) {
        let Some(files) = self.to.as_ref().filter(|_| !lines.is_empty()) else { return };
        let mut by_bot = files.files.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || LogFile { file: files.open(bot), left: MAX_BYTES };
        let file = by_bot.entry(bot.to_owned()).or_insert_with(new);
        let mut text = Vec::with_capacity(lines.len() + 64);
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            text.extend_from_slice(prefix.as_bytes());
            text.extend_from_slice(line);
            text.push(b'\n');
        }
        file.append(&text);
    }
}

impl LogDirectory {
    fn open(&self, bot: &str) -> Option<File> {
        let slug: String = bot
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() || letter == '.' { letter } else { '-' })
            .take(60)
            .collect();
        fs::create_dir_all(&self.directory).ok()?;
        OpenOptions::new().create(true).append(true).open(self.directory.join(format!("{slug}.txt"))).ok()
    }
}

impl LogFile {
    fn append(&mut self, text: &[u8]) {
        let Some(file) = &mut self.file else { return };
        let fits = text.len() <= self.left;
        let text = if fits { text } else { &text[..self.left] };
        self.left -= text.len();
        let written = file.write_all(text);
        if !fits {
            let _ = file.write_all(b"\n(the rest is omitted)\n");
        }
        if !fits || written.is_err() {
            self.file = None;
        }
    }
}
