//! Checks that data sets are unmodified and complete.

use std::io::Write;
use std::path::Path;

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::print;
use coinche_selfplay::base::style::thousands;

use super::run::{files, tell};
use coinche_analysis::label::DataSet;
use coinche_runs::job::STATE;

/// Checks the data set in a directory.
pub(super) fn verify(directory: &Path, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    if !files(directory, &|_| false, out)? {
        return Ok(Exit::Disagreements);
    }
    let DataSet { state, chunks, files } = DataSet::open(directory)?;
    if !tell(out, STATE, &state.contradictions())? {
        return Ok(Exit::Disagreements);
    }
    if files.count() < chunks.number() {
        let [there, all] = [files.count(), chunks.number()].map(thousands);
        print(
            out,
            &format!("the data set is not finished: {there} of {all} files are there; repeat its command\n"),
        )?;
    }
    Ok(Exit::Done)
}
