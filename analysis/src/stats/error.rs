//! Why records cannot be counted.

use coinche_selfplay::ModuleError;

use super::source::LineError;

/// Why records cannot be counted.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum StatsError {
    #[error("no deal records in {}: play with `arena run … --records full`", files.join(", "))]
    NoRecords { files: Vec<String> },
    #[error("a record that was just played is wrong: {0}")]
    JustPlayed(LineError),
    #[error("no bot `{bot}` in the records: the bots are {}", bots.join(", "))]
    NoBot { bot: String, bots: Vec<String> },
}

impl ModuleError for StatsError {}
