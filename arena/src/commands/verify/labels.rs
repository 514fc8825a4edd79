//! Are labels what was written, and all that were asked for?

use std::io::Write;
use std::path::Path;

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::print;
use coinche_selfplay::base::style::thousands;

use super::run::files;
use crate::analysis::label::Parts;
use crate::run::checksums::Checksums;

/// Checks the labels in a directory.
///
/// # Errors
///
/// When a file is damaged or cannot be read.
pub(super) fn verify(directory: &Path, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    let right = files(directory, &|_| false, out)?;
    let (parts, sums) = match Parts::of(directory) {
        // What is wrong with the settings was told.
        Err(_) if !right => return Ok(Exit::Disagreements),
        parts => (parts?, Checksums::read(directory)?.unwrap_or_default()),
    };
    let there = sums.iter().filter(|(name, _)| parts.has(name)).count() as u64;
    if there < parts.number() {
        let [there, all] = [there, parts.number()].map(thousands);
        print(
            out,
            &format!("the labels are not finished: {there} of {all} files are there; repeat their command\n"),
        )?;
    }
    Ok(if right { Exit::Done } else { Exit::Disagreements })
}
