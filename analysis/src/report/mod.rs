//! `arena report`: runs and sequential tests as a document.
//!
//! | module | |
//! |---|---|
//! | `source` | reads the files of a run: figures, and one pass each over the summary table and the records |
//! | `sections` | formats the results, one section per file |
//!
//! Nothing here depends on the current time, so that the same files give the same bytes.

mod sections;
mod source;

use std::path::PathBuf;

use coinche_bots::Registry;
use coinche_selfplay::{Document, Result};

pub use sections::{forecasts_picture, forecasts_table};
pub use source::Forecasts;

/// Reads directories of runs and of sequential tests.
pub fn read(paths: &[PathBuf], registry: &Registry) -> Result<Document> {
    let sources =
        paths.iter().map(|path| source::Source::read(path, registry)).collect::<Result<Vec<_>, _>>()?;
    Ok(sections::document(&sources))
}
