//! Errors of making or merging parts.

use std::path::{Path, PathBuf};

use coinche_selfplay::{Exit, ModuleError};

use super::list::Job;
use super::state::NotEnded;
use crate::commit::COMMIT;
use crate::config::Shard;

/// Why a part cannot be made or read.
#[derive(Debug, thiserror::Error)]
pub(super) enum JobError {
    #[error(
        "{} is a part of `arena {}`: `arena merge` reads all parts together and prints what the whole command prints",
        path.display(), job.command()
    )]
    IsPart { path: PathBuf, job: Job },
    #[error("{} holds a part with other settings: {}; use the same settings, or choose another directory with --out",
        path.display(), differences.join("; "))]
    OtherSettings { path: PathBuf, differences: Vec<String> },
    #[error("shard {shard} of {deals} {unit} is empty: choose fewer shards{} or more {unit}",
        if *chunk > 1 { ", a smaller --chunk" } else { "" })]
    EmptyShard { shard: Shard, unit: &'static str, deals: u64, chunk: u64 },
    #[error("{} already has {there} {unit}, more than the {asked} asked for: ask for as many, or choose another directory \
         with --out", path.display())]
    HasMore { path: PathBuf, there: u64, asked: u64, unit: &'static str },
}

impl ModuleError for JobError {}

/// Why parts do not make a whole. `unit` says whether deals or matches are counted.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum MergeError {
    #[error("cannot merge: {0}")]
    Open(#[from] NotEnded),
    #[error("cannot merge: {} is a part of `arena {}`, {} one of `arena {}`: give the parts of one command",
        path.display(), job.command(), first.display(), first_job.command())]
    OtherCommand { path: PathBuf, job: Job, first: PathBuf, first_job: Job },
    #[error("cannot merge: {} is a shard of a different run than {}: {}", path.display(), first.display(), differences.join("; "))]
    OtherRun { path: PathBuf, first: PathBuf, differences: Vec<String> },
    #[error("cannot merge: the shards were made by another build of arena (this is {COMMIT}): {}; merge them with that build", differences.join("; "))]
    OtherProgram { differences: Vec<String> },
    #[error("cannot merge: the shards were made with other files than are there now: {}; merge where the files are as they were", differences.join("; "))]
    OtherFiles { differences: Vec<String> },
    #[error("cannot merge: {unit} {from} to {to} are missing: {}{}", path.display(), not_at_end(command))]
    NotAtEnd { unit: &'static str, from: u64, to: u64, path: PathBuf, command: String },
    #[error("cannot merge: {unit} {from} to {to} are missing: {}{}", place(before.as_deref(), after.as_deref()), make_them(missing, command))]
    Missing {
        unit: &'static str,
        from: u64,
        to: u64,
        before: Option<PathBuf>,
        after: Option<PathBuf>,
        missing: Vec<Shard>,
        command: String,
    },
    #[error("cannot merge: {unit} {from} to {to} are duplicated: in {} and in {}; give one of them", first.display(), second.display())]
    Overlap { unit: &'static str, from: u64, to: u64, first: PathBuf, second: PathBuf },
    #[error("cannot merge: no {0} were played in these shards")]
    Nothing(&'static str),
    #[error("--out {} is one of the shards", .0.display())]
    OutIsShard(PathBuf),
    #[error("{} already holds a part of this run: choose another directory with --out", .0.display())]
    OutHoldsPart(PathBuf),
    #[error("{} has other contents than {}: choose another directory with --out", there.display(), given.display())]
    OtherContents { there: PathBuf, given: PathBuf },
}

/// Returns the remedy for an incomplete part.
fn not_at_end(command: &str) -> String {
    let its = if command.is_empty() { "its command".to_owned() } else { format!("`{command}`") };
    format!(" is not complete, repeat {its}")
}

/// Returns where deals are missing.
fn place(before: Option<&Path>, after: Option<&Path>) -> String {
    match (before, after) {
        (Some(before), Some(after)) => {
            format!("{} ends there and {} begins behind them", before.display(), after.display())
        }
        (None, Some(after)) => format!("{} is the first part given", after.display()),
        (Some(before), None) => format!("{} is the last part given", before.display()),
        (None, None) => "no part has them".to_owned(),
    }
}

/// Returns the commands that make the missing shards.
fn make_them(shards: &[Shard], command: &str) -> String {
    const MOST: usize = 8;
    let Some(first) = shards.first() else { return String::new() };
    let mut names: Vec<_> = shards.iter().take(MOST).map(ToString::to_string).collect();
    if shards.len() > MOST {
        names.push(format!("{} more", shards.len() - MOST));
    }
    let what = if shards.len() == 1 { "shard" } else { "shards" };
    let make = if command.is_empty() {
        "give it too, or make it with --shard and the flags of the others".to_owned()
    } else {
        format!("make it with `{command} --shard {first}`")
    };
    format!("; not given: {what} {}: {make}", names.join(", "))
}

impl ModuleError for MergeError {
    fn exit(&self) -> Exit {
        match self {
            Self::OutIsShard(_) | Self::OutHoldsPart(_) | Self::OtherContents { .. } => Exit::Usage,
            _ => Exit::Disagreements,
        }
    }
}
