//! Errors, with their place and remedy.

use std::error::Error;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use coinche_bots::ParseBotError;
use coinche_engine::ParseRulesError;
use coinche_inference::StatsError;

use crate::base::exit::Exit;

/// The error of a module, with the exit code that it gives the program.
///
/// An error is typed where it arises, in whatever layer that is; [`ArenaError`], in the lowest layer, holds it without
/// knowing its type, and `downcast_ref` recovers it.
pub trait ModuleError: Error + Send + Sync + 'static {
    /// Returns the exit code.
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}

/// A whole number that is out of its range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {value} is not in {} to {}", range.start(), range.end())]
pub struct OutOfRange {
    /// The name of the flag or key.
    pub name: &'static str,
    /// The value given.
    pub value: u64,
    /// The allowed range.
    pub range: RangeInclusive<u64>,
}

impl OutOfRange {
    /// Returns the number if it is in the range.
    ///
    /// # Errors
    ///
    /// When it is not.
    pub fn check(name: &'static str, value: u64, range: RangeInclusive<u64>) -> Result<u64, Self> {
        if range.contains(&value) { Ok(value) } else { Err(Self { name, value, range }) }
    }
}

/// What is wrong, in whatever words or type the finder has.
pub type Why = Box<dyn Error + Send + Sync>;

/// An error at one place of a file.
#[derive(Debug, thiserror::Error)]
#[error("{what} {number}: {why}")]
struct At {
    what: &'static str,
    number: u64,
    #[source]
    why: Why,
}

/// What most functions of the arena return.
pub type Result<T, E = ArenaError> = std::result::Result<T, E>;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArenaError {
    /// An error of a module above this layer, by its own type.
    #[error("{0}")]
    Module(Box<dyn ModuleError>),
    /// A given number is out of its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// A number for statistics is out of its range.
    #[error(transparent)]
    Stats(#[from] StatsError),
    /// The bot does not exist, or has no such parameter.
    #[error(transparent)]
    Bot(#[from] ParseBotError),
    /// A bot program cannot be used.
    #[error("bot `{bot}`: {reason}\n`arena check-bot` shows what the program was asked and what it answered")]
    Program {
        /// The bot.
        bot: String,
        /// What is wrong.
        reason: String,
    },
    /// The rule set does not exist, or one of its fields is wrong.
    #[error("rules: {0}")]
    Rules(#[from] ParseRulesError),
    /// A rule file is wrong.
    #[error("{}: {error}", path.display())]
    RuleFile {
        /// The file.
        path: PathBuf,
        /// What is wrong, with the line.
        error: ParseRulesError,
    },
    /// An input is invalid.
    #[error("{}: {why}", path.display())]
    Input {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        #[source]
        why: Why,
    },
    /// A line of an input is invalid.
    #[error("{}, line {line}: {why}", path.display())]
    InputLine {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: u64,
        /// What is wrong.
        #[source]
        why: Why,
    },
    /// An input cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The directory already holds a run.
    #[error("{} already holds a run ({file}): choose another directory with --out, or remove it", path.display())]
    RunExists {
        /// The directory.
        path: PathBuf,
        /// The file that was found in it.
        file: &'static str,
    },
    /// The directory holds a run with other settings.
    #[error("{} holds a run with other settings: {}; use the same settings, or choose another directory with --out",
        path.display(), differences.join("; "))]
    OtherRun {
        /// The directory.
        path: PathBuf,
        /// What differs, with both values.
        differences: Vec<String>,
    },
    /// Another process uses the directory.
    #[error("{} is in use by another process: wait for it, or choose another directory with --out", path.display())]
    InUse {
        /// The directory.
        path: PathBuf,
    },
    /// A file of a run is not what the run wrote.
    #[error("{} is damaged: {why}; restore it, or play again in another directory", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        why: Why,
    },
    /// An output cannot be written.
    #[error("cannot write {}: {source}; {}", path.display(), remedy(source))]
    Write {
        /// The file or directory.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The reader of stdout has closed it; not treated as an error.
    #[error("standard output was closed by its reader")]
    BrokenPipe,
    /// The threads could not be started.
    #[error("cannot start {0} threads: choose fewer with --threads")]
    Threads(usize),
}

/// Returns the remedy for a file that cannot be written.
fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "free some space or write elsewhere with --out; --records summary or none needs less"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "choose a directory that you may write to with --out"
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "a file is in the way: choose another directory with --out"
        }
        _ => "choose another place with --out",
    }
}

impl ArenaError {
    /// Returns the error for a path that cannot be written.
    pub fn write(path: impl AsRef<Path>, source: io::Error) -> Self {
        Self::Write { path: path.as_ref().to_owned(), source }
    }

    /// Returns the error for a path that cannot be read.
    pub fn read(path: impl AsRef<Path>, source: io::Error) -> Self {
        Self::Read { path: path.as_ref().to_owned(), source }
    }

    /// Returns the error for an invalid input.
    pub fn input(path: impl AsRef<Path>, why: impl Into<Why>) -> Self {
        Self::Input { path: path.as_ref().to_owned(), why: why.into() }
    }

    /// Returns the error for an invalid line of an input, from 1.
    pub fn input_line(path: impl AsRef<Path>, line: u64, why: impl Into<Why>) -> Self {
        Self::InputLine { path: path.as_ref().to_owned(), line, why: why.into() }
    }

    /// Returns the error for a file that is not what the run wrote.
    pub fn damaged(path: impl AsRef<Path>, why: impl Into<Why>) -> Self {
        Self::Damaged { path: path.as_ref().to_owned(), why: why.into() }
    }

    /// Returns the error for a line, from 1, that is not what the run wrote, or not a record.
    pub fn damaged_line(path: impl AsRef<Path>, line: u64, why: impl Into<Why>) -> Self {
        Self::damaged(path, At { what: "line", number: line, why: why.into() })
    }

    /// Returns the error for a row, from 1, that is not what the run wrote.
    pub fn damaged_row(path: impl AsRef<Path>, row: u64, why: impl Into<Why>) -> Self {
        Self::damaged(path, At { what: "row", number: row, why: why.into() })
    }

    /// Returns the error for stdout.
    pub fn stdout(source: io::Error) -> Self {
        if source.kind() == io::ErrorKind::BrokenPipe {
            Self::BrokenPipe
        } else {
            Self::write("stdout", source)
        }
    }

    /// Returns the exit code.
    pub fn exit(&self) -> Exit {
        match self {
            Self::BrokenPipe => Exit::Done,
            Self::Write { .. } | Self::RunExists { .. } | Self::InUse { .. } => Exit::Output,
            Self::Module(error) => error.exit(),
            Self::Damaged { .. } => Exit::Disagreements,
            _ => Exit::Usage,
        }
    }
}

impl<E: ModuleError> From<E> for ArenaError {
    fn from(error: E) -> Self {
        Self::Module(Box::new(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, thiserror::Error)]
    #[error("{0} deals are too few")]
    struct TooFew(u64);

    impl ModuleError for TooFew {
        fn exit(&self) -> Exit {
            Exit::Undecided
        }
    }

    #[test]
    fn the_error_of_a_module_keeps_its_type_and_its_exit_code() {
        let error = ArenaError::from(TooFew(3));
        assert_eq!((error.to_string(), error.exit()), ("3 deals are too few".to_owned(), Exit::Undecided));
        let ArenaError::Module(inner) = &error else { panic!("{error:?}") };
        let inner: &dyn Error = &**inner;
        assert_eq!(inner.downcast_ref::<TooFew>(), Some(&TooFew(3)));
    }

    #[test]
    fn what_is_damaged_is_named_with_its_place() {
        let error = ArenaError::damaged_line("a.csv", 7, TooFew(2));
        assert!(error.to_string().starts_with("a.csv is damaged: line 7: 2 deals are too few; "));
        assert_eq!(error.exit(), Exit::Disagreements);
        let error = ArenaError::input_line("a.csv", 7, TooFew(2));
        assert_eq!(
            (error.to_string(), error.exit()),
            ("a.csv, line 7: 2 deals are too few".to_owned(), Exit::Usage)
        );
        assert_eq!(
            OutOfRange::check("deals", 0, 1..=9).unwrap_err().to_string(),
            "deals: 0 is not in 1 to 9"
        );
        assert_eq!(OutOfRange::check("deals", 9, 1..=9), Ok(9));
    }
}
