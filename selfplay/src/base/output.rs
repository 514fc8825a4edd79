//! The standard output, and the standard error.

use std::fmt::Display;
use std::io::{self, Write};

use crate::base::error::ArenaError;
use crate::base::shown::{brief, safe};

/// Tells something on the standard error.
pub fn tell(text: &str) {
    // Nobody is left to tell when this fails.
    let _ = writeln!(io::stderr(), "{}", safe(text));
}

/// Tells an error on the standard error; of what it quotes only the beginning.
pub fn complain(error: impl Display) {
    let _ = writeln!(io::stderr(), "{}", brief(&error.to_string()));
}

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

/// Writes a text to the standard output; nothing in it commands a terminal.
///
/// # Errors
///
/// When it cannot be written; [`ArenaError::BrokenPipe`] where its reader has gone.
pub fn print(out: &mut dyn Write, text: &str) -> Result<(), ArenaError> {
    out.write_all(safe(text).as_bytes()).and_then(|()| out.flush()).map_err(ArenaError::stdout)
}
