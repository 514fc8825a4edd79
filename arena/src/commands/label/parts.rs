//! Merging shards of a data set: what `arena label --shard` and `arena train cards --rows --shard` make.

use std::io::Write;
use std::path::{Path, PathBuf};

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::{print, tell};
use coinche_selfplay::base::style::thousands;

use crate::analysis::label::SETTINGS;
use crate::analysis::label::merge::{Merged, merge};

/// Tests if a directory is one of labels.
pub(in crate::commands) fn is_labels(directory: &Path) -> bool {
    directory.join(SETTINGS).exists()
}

/// Merges shards of labels into a directory.
///
/// # Errors
///
/// When they do not make a data set, or something cannot be read or written.
pub(in crate::commands) fn merge_labels(
    shards: &[PathBuf],
    directory: &Path,
    out: &mut dyn Write,
) -> Result<Exit, ArenaError> {
    let merged = merge(shards, directory)?;
    print(out, &format!("{}, in {}\n", what_is_made(&merged), directory.display()))?;
    let (shards, deals) = (thousands(shards.len() as u64), thousands(merged.deals));
    let unit = if merged.seed.is_some() { "deals" } else { "lines" };
    tell(&format!("{shards} shards with {deals} {unit} merged in {}", directory.display()));
    Ok(Exit::Done)
}

/// What `arena label` and `arena train cards --rows` say of what they made.
fn what_is_made(merged: &Merged) -> String {
    let deals = thousands(merged.labelled.deals);
    let before = match merged.labelled.before {
        0 => String::new(),
        before => format!(" ({} were there before)", thousands(before)),
    };
    let source = merged.seed.as_ref().map_or_else(|| "a file".to_owned(), |seed| format!("seed {seed}"));
    match (merged.kind.as_deref(), &merged.seed) {
        (Some("choices"), _) => format!("rows of {deals} deals written{before}, {source}"),
        (Some(_), _) => format!("{deals} deals with their decisions labelled{before}, {source}"),
        (None, Some(_)) => format!("{deals} deals labelled{before}, {source}"),
        (None, None) => format!("{deals} lines labelled{before}, {source}"),
    }
}
