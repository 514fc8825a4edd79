//! The command line.

use std::io::Write;

use clap::{Parser, Subcommand};

use crate::{ArenaError, Exit, commands};

/// Self-play arena for Belote and Coinche: which of two bots is better, by how many points a deal, and
/// with what certainty.
#[derive(Debug, Parser)]
#[command(name = "arena", version, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play two bots against each other on the same deals in both seatings, and print the verdict
    Run(commands::RunArgs),
}

impl Command {
    /// Does what the command says; results go to `out`.
    ///
    /// # Errors
    ///
    /// See [`ArenaError`].
    pub fn run(self, out: &mut dyn Write) -> Result<Exit, ArenaError> {
        match self {
            Self::Run(args) => commands::run(args, out),
        }
    }
}
