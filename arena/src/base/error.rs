//! What can go wrong, with the place and the remedy.

use std::io;
use std::path::{Path, PathBuf};

use coinche_bots::ParseBotError;
use coinche_engine::ParseRulesError;
use coinche_inference::StatsError;

use crate::base::exit::Exit;

/// Why a command could not be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArenaError {
    /// The command line or the configuration lacks something or contradicts itself.
    #[error("{0}")]
    Usage(String),
    /// A number that statistics are to be made of is out of its range.
    #[error(transparent)]
    Stats(#[from] StatsError),
    /// There is no such bot, or it has no such parameter.
    #[error(transparent)]
    Bot(#[from] ParseBotError),
    /// A program that is to be a bot cannot be played with.
    #[error("bot `{bot}`: {reason}; `arena check-bot` says more")]
    Program {
        /// The bot.
        bot: String,
        /// What is wrong.
        reason: String,
    },
    /// There is no such rule set, or a field of it is wrong.
    #[error("rules: {0}")]
    Rules(#[from] ParseRulesError),
    /// A rule file has something wrong.
    #[error("{}: {error}", path.display())]
    RuleFile {
        /// The file.
        path: PathBuf,
        /// What is wrong, with the line.
        error: ParseRulesError,
    },
    /// The configuration file has something wrong.
    #[error("{}: {message}", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// What is wrong, with the line.
        message: String,
    },
    /// An input cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A run is there already.
    #[error("{} already holds a run ({file}): choose another directory with --out, or remove it", path.display())]
    RunExists {
        /// The directory.
        path: PathBuf,
        /// What was found in it.
        file: &'static str,
    },
    /// The run in a directory is of other settings.
    #[error("{} holds a run of other settings: {}; go on with the same ones, or choose another directory with --out",
        path.display(), differences.join("; "))]
    OtherRun {
        /// The directory.
        path: PathBuf,
        /// What differs, with both values.
        differences: Vec<String>,
    },
    /// Another process is at work in the directory.
    #[error("{} is in use by another process: wait for it, or choose another directory with --out", path.display())]
    InUse {
        /// The directory.
        path: PathBuf,
    },
    /// Shards do not make a run.
    #[error("cannot merge: {0}")]
    Shards(String),
    /// A file of a run is not what the run wrote.
    #[error("{} is damaged: {why}; restore it, or play again in another directory", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Something cannot be written.
    #[error("cannot write {}: {source}; {}", path.display(), remedy(source))]
    Write {
        /// The file or directory.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Whoever reads the standard output has stopped: no error.
    #[error("the reader of the standard output has gone")]
    BrokenPipe,
    /// The threads could not be started.
    #[error("cannot start {0} threads: choose fewer with --threads")]
    Threads(usize),
}

/// What to do about a file that cannot be written.
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
    /// Makes the error of a path that cannot be written.
    pub fn write(path: impl AsRef<Path>, source: io::Error) -> Self {
        Self::Write { path: path.as_ref().to_owned(), source }
    }

    /// Makes the error of a path that cannot be read.
    pub fn read(path: impl AsRef<Path>, source: io::Error) -> Self {
        Self::Read { path: path.as_ref().to_owned(), source }
    }

    /// Makes the error of the standard output.
    pub fn stdout(source: io::Error) -> Self {
        if source.kind() == io::ErrorKind::BrokenPipe {
            Self::BrokenPipe
        } else {
            Self::write("the standard output", source)
        }
    }

    /// Returns the exit code.
    pub fn exit(&self) -> Exit {
        match self {
            Self::BrokenPipe => Exit::Done,
            Self::Write { .. } | Self::RunExists { .. } | Self::InUse { .. } => Exit::Output,
            Self::Shards(_) | Self::Damaged { .. } => Exit::Disagreements,
            _ => Exit::Usage,
        }
    }
}
