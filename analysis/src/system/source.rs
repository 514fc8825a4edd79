//! Loads a system: from a file, or a built-in one.

use std::path::{Path, PathBuf};

use coinche_bots::system::{System, SystemError, known, text_of};
use coinche_selfplay::base::files::read_bounded;
use coinche_selfplay::{ArenaError, ModuleError, Result};

/// The maximum file size in bytes.
const MOST: u64 = 1 << 20;

/// A system with the name under which it was requested.
#[derive(Debug)]
pub struct SystemFile {
    /// The path, or the name of a built-in system.
    pub name: String,
    /// The system that it holds.
    pub system: System,
    /// Its text.
    pub text: String,
}

/// Why a system cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SystemFileError {
    #[error("there is no file {name}, and no system of this name{meant}: expected a path, {known}")]
    Unknown { name: String, meant: String, known: String },
    #[error("{name}: {error}")]
    Wrong { name: String, error: SystemError },
}

impl ModuleError for SystemFileError {}

impl SystemFile {
    /// Reads a file, or finds a built-in system.
    pub fn read(name: &str) -> Result<Self> {
        let wrong = |error| SystemFileError::Wrong { name: name.to_owned(), error };
        if let Some(text) = text_of(name) {
            let system = System::read(&text, &[]).map_err(wrong)?;
            return Ok(Self { name: name.to_owned(), system, text: text.into_owned() });
        }
        let path: PathBuf = Path::new(name).to_owned();
        if !path.is_file() && !name.contains(['/', '.']) {
            return Err(Self::unknown(name));
        }
        let bytes = read_bounded(&path, MOST)?;
        let system = System::from_bytes(name, &bytes, &[]).map_err(wrong)?;
        Ok(Self { name: name.to_owned(), system, text: String::from_utf8_lossy(&bytes).into_owned() })
    }

    /// Returns the error for the system that learning starts from where none is named.
    pub fn of_start(error: SystemError) -> ArenaError {
        SystemFileError::Wrong { name: "the system to start from".to_owned(), error }.into()
    }

    /// Returns the error for an unknown system name.
    pub fn unknown(name: &str) -> ArenaError {
        let [meant, known] = known(name);
        SystemFileError::Unknown { name: name.to_owned(), meant, known }.into()
    }

    /// Returns the name as used in a bot's parameter.
    pub fn bot(&self) -> String {
        format!("system:{}={}", if text_of(&self.name).is_some() { "name" } else { "file" }, self.name)
    }

    /// Returns the error for this system.
    pub fn wrong(&self, error: SystemError) -> ArenaError {
        SystemFileError::Wrong { name: self.name.clone(), error }.into()
    }
}
