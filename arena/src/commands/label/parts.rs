//! Merges shards of a data set, from `arena label --shard` and `arena train cards --rows --shard`.

use core::fmt::Display;
use std::io::Write;
use std::path::Path;

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::{print, tell};
use coinche_selfplay::base::style::thousands;

use coinche_analysis::label::Labelled;
use coinche_analysis::label::merge::{Merged, merge};
use coinche_runs::job::{Job, Parts};

/// Merges shards of labels into a directory.
pub(in crate::commands) fn merge_labels(
    shards: &Parts,
    directory: &Path,
    out: &mut dyn Write,
) -> Result<Exit, ArenaError> {
    let Merged { labelled, seed } = merge(shards, directory)?;
    let unit = if seed.is_some() { "deals" } else { "lines" };
    let source = seed.map_or_else(|| "a file".to_owned(), |seed| format!("seed {seed}"));
    print(out, &told(shards.job, &labelled, unit, &source, directory))?;
    let (shards, deals) = (thousands(shards.count() as u64), thousands(shards.deals()));
    tell(&format!("{shards} shards with {deals} {unit} merged in {}", directory.display()));
    Ok(Exit::Done)
}

/// Reports what was added to a data set of deals, or of lines of a file.
pub(in crate::commands) fn told(
    job: Job,
    done: &Labelled,
    unit: &str,
    source: &dyn Display,
    directory: &Path,
) -> String {
    let deals = thousands(done.deals);
    let made = match job {
        Job::Rows => format!("rows of {deals} deals written"),
        Job::Decisions => format!("{deals} deals with their decisions labelled"),
        _ => format!("{deals} {unit} labelled"),
    };
    let before = match done.before {
        0 => String::new(),
        before => format!(" ({} were there before)", thousands(before)),
    };
    format!("{made}{before}, {source}, in {}\n", directory.display())
}
