//! The self-description of a program.

use serde::{Deserialize, Serialize};

/// A program that is a bot or half of one, with what it reported when it was probed before the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProgramInfo {
    /// The first bot that contains it.
    pub bot: String,
    /// Its name.
    pub name: String,
    /// Its version; empty if it sent none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// Seconds from the start until it was ready.
    pub start_seconds: f64,
}
