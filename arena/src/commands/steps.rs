//! What the commands share that go step by step, their deals shared out over machines.

use std::path::Path;

use clap::Args;
use coinche_selfplay::base::error::{ArenaError, ModuleError};
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::files::read_json;
use coinche_selfplay::base::output::tell;
use coinche_selfplay::base::progress::ProgressMode;
use serde_json::Value;

use crate::run::steps::{Ended, Part};

/// What is wrong with what parts have left.
#[derive(Debug, thiserror::Error)]
pub(super) enum Damage {
    #[error("it has no command")]
    NoCommand,
    #[error("it is not of deals {from} to {}, which are next: remove it", .to - 1)]
    Deals { from: u64, to: u64 },
    #[error("the sums of the control are missing")]
    NoControl,
    #[error("a stretch goes beyond the look at {0}")]
    Stretch(u64),
}

/// Shares of different seeds are no parts of one whole.
#[derive(Debug, thiserror::Error)]
#[error(
    "--shard needs --seed: without it every machine draws its own, and the shards are of different deals"
)]
pub(super) struct NoSeed;

impl ModuleError for NoSeed {}

/// Tells, where the user wants to be told, how playing a part has ended, and returns the exit code.
pub(super) fn end(part: &Part, what: &str, ended: Ended, mode: ProgressMode) -> Exit {
    let (told, exit) = match ended {
        Ended::Whole => (format!("written to {}", part.path().display()), Exit::Done),
        Ended::Interrupted => ("stopped early; repeat the command to go on".to_owned(), Exit::Interrupted),
        Ended::Merged => ("the step was merged meanwhile, the shard is not needed".to_owned(), Exit::Done),
    };
    if mode != ProgressMode::None {
        tell(&format!("{what}: {told}"));
    }
    exit
}

/// Tells, where the user wants to be told, that there is nothing to play.
pub(super) fn nothing(why: &str, mode: ProgressMode) -> Exit {
    if mode != ProgressMode::None {
        tell(why);
    }
    Exit::Done
}

/// Returns the command of a file of results.
///
/// # Errors
///
/// When it is damaged or cannot be read.
pub(super) fn command_in(path: &Path) -> Result<String, ArenaError> {
    let file: Value =
        serde_json::from_slice(&read_json(path)?).map_err(|error| ArenaError::damaged(path, error))?;
    let command = file["command"].as_str().ok_or_else(|| ArenaError::damaged(path, Damage::NoCommand))?;
    Ok(command.to_owned())
}

/// A command line that this program does not read.
#[derive(Debug, thiserror::Error)]
#[error("the parts are of a command that this build of arena does not read: `{0}`; merge them with theirs")]
struct Unreadable(String);

impl ModuleError for Unreadable {
    fn exit(&self) -> Exit {
        Exit::Disagreements
    }
}

/// Reads the command line that a part is of.
///
/// # Errors
///
/// When it is not one of this program.
pub(super) fn read_command<A: Args>(text: &str, name: &'static str) -> Result<A, ArenaError> {
    let read = || {
        let words = shlex::split(text)?;
        let flags = words.strip_prefix(&["arena".to_owned(), name.to_owned()])?;
        let command = A::augment_args(clap::Command::new(name)).no_binary_name(true);
        A::from_arg_matches(&command.try_get_matches_from(flags).ok()?).ok()
    };
    read().ok_or_else(|| Unreadable(text.to_owned()).into())
}
