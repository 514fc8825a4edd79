//! Why the parts of a step cannot be made or taken.

use std::path::PathBuf;

use coinche_selfplay::base::error::ModuleError;
use coinche_selfplay::base::exit::Exit;

use crate::run::damage::Damage;

/// Why the parts of a step cannot be made or taken.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StepsError {
    /// Parts are missing; the command makes the first of them.
    #[error(
        "{} {} missing in {}: make {} with `{command}`{}",
        parts(.missing),
        if .missing.len() == 1 { "is" } else { "are" },
        folder.display(),
        if .missing.len() == 1 { "it" } else { "the first" },
        if .missing.len() == 1 { "" } else { ", the others with their numbers" }
    )]
    Missing { folder: PathBuf, missing: Vec<String>, command: String },
    /// A part has come to no end.
    #[error("{} is not complete: {unit} {from} to {to} are missing; repeat `{command}`", path.display())]
    NotComplete { path: PathBuf, unit: &'static str, from: u64, to: u64, command: String },
    /// A part is of something else.
    #[error("{} is a part of something else than {}: {}; remove it, and make it again", path.display(), other.display(),
        differences.join("; "))]
    Other { path: PathBuf, other: PathBuf, differences: Vec<String> },
    /// The parts are of another program.
    #[error("the parts in {} were made by another build of arena or other settings: {}; merge them with that build",
        folder.display(), differences.join("; "))]
    OtherProgram { folder: PathBuf, differences: Vec<String> },
    /// No part of the next step is there.
    #[error("there is no part to merge in {}: make them with `{command} --shard 1/N`, N being the number of parts",
        folder.display())]
    NoParts { folder: PathBuf, command: String },
    /// There is nothing that parts could be of.
    #[error("{} holds neither a {what} nor parts of one", path.display())]
    Nothing { path: PathBuf, what: &'static str },
    /// There are parts of a later step.
    #[error("{} is of a later step than the next one, {expected}: restore the files of {}, or remove it", path.display(),
        whole.display())]
    Ahead { path: PathBuf, expected: u64, whole: PathBuf },
}

/// The most parts that are named.
const NAMED: usize = 8;

fn parts(missing: &[String]) -> String {
    let named = missing[..missing.len().min(NAMED)].join(", ");
    match missing.len() {
        1 => format!("part {named}"),
        many if many <= NAMED => format!("parts {named}"),
        many => format!("parts {named} and {} more", many - NAMED),
    }
}

impl ModuleError for StepsError {
    fn exit(&self) -> Exit {
        match self {
            Self::Nothing { .. } => Exit::Usage,
            _ => Exit::Disagreements,
        }
    }
}

/// What is wrong with the file of a part.
#[derive(Debug, thiserror::Error)]
pub(super) enum PartDamage {
    #[error("it is part {found}, in the place of {expected}")]
    Place { found: String, expected: String },
    #[error("its deals are not those of its share")]
    Range,
    #[error("its stretches are not of its deals")]
    Stretches,
    #[error("its fingerprint is not that of its settings")]
    Fingerprint,
    #[error("{0}")]
    Sum(String),
    #[error(transparent)]
    File(#[from] Damage),
}
