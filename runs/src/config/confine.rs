//! What programs could see besides their questions: they run confined or not, in a process a seat or in one for all.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::RunConfig;

/// The sandbox of programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confine {
    /// No file of the run, no other process, no network.
    Full,
    /// The same with the network.
    Network,
}

impl Confine {
    /// Returns its name on the command line.
    pub const fn name(self) -> &'static str {
        ["full", "network"][self as usize]
    }
}

impl RunConfig {
    /// Returns the bots of which one process answers for all seats.
    pub fn of_one_process(&self) -> Vec<String> {
        self.programs().into_iter().filter(|(_, program)| !program.by_seat).map(|(bot, _)| bot).collect()
    }

    /// Returns how programs ran, if there are any: `unconfined`, or the name of their sandbox.
    pub fn sandbox(&self) -> Option<String> {
        let name = self.confine.map_or("unconfined", Confine::name);
        (!self.programs().is_empty()).then(|| name.to_owned())
    }
}
