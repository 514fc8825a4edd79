//! The standard output.

use std::io::Write;

use crate::base::error::ArenaError;

/// Writes to the standard output before the command is done. A reader that has gone is no error: the files are still
/// wanted.
///
/// # Errors
///
/// When it cannot be written for any other reason.
pub fn print_early(out: &mut dyn Write, text: &str) -> Result<(), ArenaError> {
    match print(out, text) {
        Err(ArenaError::BrokenPipe) => Ok(()),
        printed => printed,
    }
}

/// Writes to the standard output.
///
/// # Errors
///
/// When it cannot be written; [`ArenaError::BrokenPipe`] where its reader has gone.
pub fn print(out: &mut dyn Write, text: &str) -> Result<(), ArenaError> {
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(ArenaError::stdout)
}
