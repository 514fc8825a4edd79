//! Merges shards of a data set, from `arena label --shard` and `arena train cards --rows --shard`.

use std::io::Write;
use std::path::Path;

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::{print, tell};
use coinche_selfplay::base::style::thousands;

use coinche_analysis::label::merge::{Merged, merge};
use coinche_runs::job::{Job, Parts};

/// Merges shards of labels into a directory.
pub(in crate::commands) fn merge_labels(
    shards: &Parts,
    directory: &Path,
    out: &mut dyn Write,
) -> Result<Exit, ArenaError> {
    let merged = merge(shards, directory)?;
    print(out, &format!("{}, in {}\n", what_is_made(shards.job, &merged), directory.display()))?;
    let unit = if merged.seed.is_some() { "deals" } else { "lines" };
    let (shards, deals) = (thousands(shards.count() as u64), thousands(shards.deals()));
    tell(&format!("{shards} shards with {deals} {unit} merged in {}", directory.display()));
    Ok(Exit::Done)
}

/// Describes the output of `arena label` and `arena train cards --rows`.
fn what_is_made(job: Job, merged: &Merged) -> String {
    let deals = thousands(merged.labelled.deals);
    let before = match merged.labelled.before {
        0 => String::new(),
        before => format!(" ({} were there before)", thousands(before)),
    };
    let source = merged.seed.as_ref().map_or_else(|| "a file".to_owned(), |seed| format!("seed {seed}"));
    match (job, &merged.seed) {
        (Job::Rows, _) => format!("rows of {deals} deals written{before}, {source}"),
        (Job::Decisions, _) => format!("{deals} deals with their decisions labelled{before}, {source}"),
        (_, Some(_)) => format!("{deals} deals labelled{before}, {source}"),
        (_, None) => format!("{deals} lines labelled{before}, {source}"),
    }
}
