//! Why runs cannot be compared.

use core::ops::Range;
use std::path::PathBuf;

use coinche_selfplay::ModuleError;

/// Why runs cannot be compared.
#[derive(Debug, thiserror::Error)]
pub(super) enum CompareError {
    #[error(
        "{} and {} are not of the same deals: {}. Compare runs of one seed and of the same rules, all of single deals or all of matches",
        first.display(),
        second.display(),
        differences.join("; ")
    )]
    OtherDeals { first: PathBuf, second: PathBuf, differences: Vec<String> },
    #[error(
        "deal {deal}: the {what} in {} (commit {}) are not those in {} (commit {}): the programs deal differently under \
         the same seed. Play one of the runs again",
        first.0.display(), first.1, second.0.display(), second.1
    )]
    OtherCards { deal: u64, what: &'static str, first: (PathBuf, String), second: (PathBuf, String) },
    #[error("no deal is in all runs: {}", ranges(.0))]
    NoCommonDeals(Vec<(PathBuf, Range<u64>)>),
    #[error(
        "{} has no table of its deals: play it with --records summary, which is the default",
        .0.display()
    )]
    NoTable(PathBuf),
    #[error(
        "no two results have a bot in common: {}. Compare runs in which two bots met the same opponent, as A against C \
         and B against C",
        .0.join("; ")
    )]
    NothingInCommon(Vec<String>),
    #[error("fewer than two results against `{bot}`: the results are {}", results.join("; "))]
    NotAgainst { bot: String, results: Vec<String> },
    #[error("one run: name a second one, or the opponent of the bots to compare with --against BOT")]
    OneRun,
    #[error("{comparisons} comparisons: name an opponent with --against BOT; at most {most} are made")]
    TooMany { comparisons: usize, most: usize },
}

/// Formats the deal ranges of runs.
fn ranges(runs: &[(PathBuf, Range<u64>)]) -> String {
    let range = |(path, deals): &(PathBuf, Range<u64>)| {
        if deals.is_empty() {
            format!("{} has none", path.display())
        } else {
            format!("{} has {} to {}", path.display(), deals.start, deals.end - 1)
        }
    };
    runs.iter().map(range).collect::<Vec<_>>().join(", ")
}

impl ModuleError for CompareError {}
