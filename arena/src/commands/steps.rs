//! Common code of the stepwise commands, whose deals are divided over machines.

use std::path::Path;

use clap::Args;
use coinche_selfplay::base::error::{ArenaError, ModuleError};
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::files::read_json;
use coinche_selfplay::base::output::tell;
use coinche_selfplay::base::progress::ProgressMode;
use serde_json::Value;

use coinche_runs::steps::Ended;

/// What is wrong with the sums of parts.
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

/// Shards with different seeds cannot be merged.
#[derive(Debug, thiserror::Error)]
#[error(
    "--shard needs --seed: without it every machine draws its own, and the shards are of different deals"
)]
pub(super) struct NoSeed;

impl ModuleError for NoSeed {}

/// Reports how playing a part has ended, unless disabled, and returns the exit code.
pub(super) fn end(part: &Path, what: &str, ended: Ended, mode: ProgressMode) -> Exit {
    let (told, exit) = match ended {
        Ended::Whole => (format!("written to {}", part.display()), Exit::Done),
        Ended::Before => (format!("already in {}", part.display()), Exit::Done),
        Ended::Interrupted => ("stopped early; repeat the command to go on".to_owned(), Exit::Interrupted),
        Ended::Merged => ("the step was merged meanwhile, the shard is not needed".to_owned(), Exit::Done),
    };
    if mode != ProgressMode::None {
        tell(&format!("{what}: {told}"));
    }
    exit
}

/// Returns the command stored in a result file.
pub(super) fn command_in(path: &Path) -> Result<String, ArenaError> {
    let file: Value =
        serde_json::from_slice(&read_json(path)?).map_err(|error| ArenaError::damaged(path, error))?;
    let command = file["command"].as_str().ok_or_else(|| ArenaError::damaged(path, Damage::NoCommand))?;
    Ok(command.to_owned())
}

/// A command line that this program cannot parse.
#[derive(Debug, thiserror::Error)]
#[error("the parts are of a command that this build of arena does not read: `{0}`; merge them with theirs")]
struct Unreadable(String);

impl ModuleError for Unreadable {
    fn exit(&self) -> Exit {
        Exit::Disagreements
    }
}

/// Parses the command line of a part.
pub(super) fn read_command<A: Args>(text: &str, name: &'static str) -> Result<A, ArenaError> {
    let read = || {
        let words = shlex::split(text)?;
        let flags = words.strip_prefix(&["arena".to_owned(), name.to_owned()])?;
        let command = A::augment_args(clap::Command::new(name)).no_binary_name(true);
        A::from_arg_matches(&command.try_get_matches_from(flags).ok()?).ok()
    };
    read().ok_or_else(|| Unreadable(text.to_owned()).into())
}
