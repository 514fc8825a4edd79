//! What a program said of itself.

use serde::{Deserialize, Serialize};

/// A program that is a bot or a half of one: what it said of itself when it was started before the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProgramInfo {
    /// The first bot that it is a part of.
    pub bot: String,
    /// Its name.
    pub name: String,
    /// Its version; empty where it told none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// Seconds from the start until it was ready.
    pub start_seconds: f64,
}
