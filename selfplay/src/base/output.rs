//! Standard output and standard error.

use std::fmt::Display;
use std::io::{self, Write};

use crate::base::error::{ArenaError, Result};
use crate::base::exit::Exit;
use crate::base::shown::{brief, safe};

/// Prints a message on stderr.
pub fn tell(text: &str) {
    // If this fails, there is no other place to report it.
    let _ = writeln!(io::stderr(), "{}", safe(text));
}

/// Prints an error on stderr; long quotes in it are truncated.
pub fn complain(error: impl Display) {
    let _ = writeln!(io::stderr(), "{}", brief(&error.to_string()));
}

/// Prints to stdout before the command is done. A closed pipe is no error: the files must still be written.
///
/// # Errors
///
/// When it cannot be written for any other reason.
pub fn print_early(out: &mut dyn Write, text: &str) -> Result<()> {
    match print(out, text) {
        Err(ArenaError::BrokenPipe) => Ok(()),
        printed => printed,
    }
}

/// Prints a text on stdout, with terminal control characters escaped.
///
/// # Errors
///
/// When it cannot be written; [`ArenaError::BrokenPipe`] where the pipe is closed.
pub fn print(out: &mut dyn Write, text: &str) -> Result<()> {
    out.write_all(safe(text).as_bytes()).and_then(|()| out.flush()).map_err(ArenaError::stdout)
}

/// Prints the result of a command, which is then done.
///
/// # Errors
///
/// As of [`print()`].
pub fn finish(out: &mut dyn Write, text: &str) -> Result<Exit> {
    print(out, text).map(|()| Exit::Done)
}
