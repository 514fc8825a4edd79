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
    /// Replay deal records and print everything in which they disagree with the rules
    Verify(commands::VerifyArgs),
    /// Show one recorded deal: hands, auction, tricks, score
    Show(commands::ShowArgs),
    /// Solve positions exactly with all cards open: points, every card, par, best play
    Solve(commands::SolveArgs),
    /// Label random deals, or those of a file, with their exact points: CSV and Parquet
    Label(commands::LabelArgs),
    /// List the rule sets, or print one with the meaning of every field
    Rules(commands::RulesArgs),
    /// List the bots and their parameters
    Bots(commands::BotsArgs),
    /// Measure the speed of engine, bots and arena on this machine
    Bench(commands::BenchArgs),
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
            Self::Verify(args) => commands::verify(&args, out),
            Self::Show(args) => commands::show(&args, out),
            Self::Solve(args) => commands::solve(&args, out),
            Self::Label(args) => commands::label(&args, out),
            Self::Rules(args) => commands::rules(&args, out),
            Self::Bots(args) => commands::bots(&args, out),
            Self::Bench(args) => commands::bench(&args, out),
        }
    }
}
