//! The command line.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use coinche_bots::Registry;
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::exit::Exit;

use crate::commands;

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
    /// Play bots against each other on the same deals in both seatings, and print the verdict
    Run(commands::RunArgs),
    /// Play a game yourself: you at one seat, bots at the others
    Play(commands::PlayArgs),
    /// Put the shards of a run together: the bytes of one undivided run
    Merge(commands::MergeArgs),
    /// Play two bots until it is clear on which side of two bounds their difference is
    Sprt(commands::SprtArgs),
    /// Tune numbers of a bot by matches between neighbours of it
    Tune(commands::TuneArgs),
    /// Tell how many deals it takes to see a difference
    Power(commands::PowerArgs),
    /// Make a page of runs and sequential tests: pictures, tables, and deals to replay
    Report(commands::ReportArgs),
    /// Replay deal records and print everything in which they disagree with the rules
    Verify(commands::VerifyArgs),
    /// Write the table or the records of a run in another form: CSV, Parquet, JSON lines, text for people
    Export(commands::ExportArgs),
    /// Read deals that were exported as text for people
    Import(commands::ImportArgs),
    /// Show one recorded deal: hands, auction, tricks, score
    Show(commands::ShowArgs),
    /// Tell what every decision of recorded deals lost against best play with all cards open
    Judge(commands::JudgeArgs),
    /// Solve positions exactly with all cards open: points, every card, par, best play
    Solve(commands::SolveArgs),
    /// Label random deals, or those of a file, with their exact points: CSV and Parquet
    Label(commands::LabelArgs),
    /// Make the table by which the bidder `table` bids, from played deals
    Fit(commands::FitArgs),
    /// Tell what deals say of the game: what bots bid, lead and answer, and what hands take
    Stats(Box<commands::StatsArgs>),
    /// Compare bidders: points, what auctions lose and why, agreement, largest differences
    Bidding(commands::BiddingArgs),
    /// Tell a player with a hand what to call or play, how sure that is, and what the others hold
    Advise(Box<commands::AdviseArgs>),
    /// List the rule sets, or print one with the meaning of every field
    Rules(commands::RulesArgs),
    /// List the bots and their parameters
    Bots(commands::BotsArgs),
    /// Say what is wrong with a program that is to be a bot
    #[cfg(unix)]
    CheckBot(commands::CheckBotArgs),
    /// Speak the line protocol as one of the bots, for other programs
    Engine(commands::EngineArgs),
    /// Measure the speed of engine, bots and arena on this machine
    Bench(commands::BenchArgs),
}

impl Command {
    /// Does what the command says with the bots of a registry; results go to `out`.
    ///
    /// # Errors
    ///
    /// See [`ArenaError`].
    pub fn run(self, registry: &Registry, out: &mut dyn Write) -> Result<Exit, ArenaError> {
        match self {
            Self::Run(args) => commands::run(args, registry, out),
            Self::Play(args) => commands::play(args, registry, out),
            Self::Merge(args) => commands::merge(&args, registry, out),
            Self::Sprt(args) => commands::sprt(args, registry, out),
            Self::Tune(args) => commands::tune(args, registry, out),
            Self::Power(args) => commands::power(&args, out),
            Self::Report(args) => commands::report(&args, registry, out),
            Self::Verify(args) => commands::verify(&args, registry, out),
            Self::Export(args) => commands::export(&args, out),
            Self::Import(args) => commands::import(&args, out),
            Self::Show(args) => commands::show(&args, out),
            Self::Judge(args) => commands::judge(&args, registry, out),
            Self::Solve(args) => commands::solve(&args, out),
            Self::Label(args) => commands::label(&args, out),
            Self::Fit(args) => commands::fit(&args, out),
            Self::Stats(args) => commands::stats(&args, registry, out),
            Self::Bidding(args) => commands::bidding(&args, registry, out),
            Self::Advise(args) => commands::advise(&args, registry, out),
            Self::Rules(args) => commands::rules(&args, out),
            Self::Bots(args) => commands::bots(&args, registry, out),
            #[cfg(unix)]
            Self::CheckBot(args) => commands::check_bot(&args, registry, out),
            Self::Engine(args) => commands::engine(&args, registry, out),
            Self::Bench(args) => commands::bench(&args, out),
        }
    }
}

/// Is the program `arena` with the bots of a registry: reads the command line, does what it says, and returns how it
/// ended.
///
/// The `main` of a crate with bots of its own is this line, with its registry.
#[expect(clippy::needless_pass_by_value, reason = "a `main` makes it here and has no more use for it")]
pub fn main_with(registry: Registry) -> ExitCode {
    let command = Cli::parse().command;
    if matches!(command, Command::Run(_) | Command::Play(_) | Command::Sprt(_) | Command::Tune(_)) {
        // The first Ctrl-C ends the run in good order, the second at once. Where no handler can be set,
        // every one ends it at once.
        let _ = ctrlc::set_handler(|| {
            if commands::interrupt() {
                std::process::exit(Exit::Interrupted as i32);
            }
        });
    }
    match command.run(&registry, &mut io::stdout().lock()) {
        Ok(exit) => exit.into(),
        Err(error) => {
            let exit = error.exit();
            if exit != Exit::Done {
                // Nobody is left to tell when this fails.
                let _ = writeln!(io::stderr(), "error: {error}");
            }
            exit.into()
        }
    }
}
