//! The commands of the program, one per file.

use std::io::Write;

use clap::Subcommand;
use coinche_bots::Registry;
use coinche_selfplay::{Exit, Result, print};

mod advise;
mod bench;
mod bidding;
mod bots;
#[cfg(unix)]
mod check_bot;
mod compare;
mod count;
mod engine;
mod export;
mod fit;
mod flags;
mod judge;
mod label;
mod leaderboard;
mod merge;
mod plan;
mod play;
mod power;
mod report;
mod rules;
mod run;
mod selfcheck;
mod shell;
mod show;
mod solve;
mod sprt;
mod stats;
mod status;
mod steps;
mod system;
mod train;
mod tune;
mod verify;
mod wrap;

pub use verify::check_part;

/// Prints the result of a command, which is then done.
fn finish(out: &mut dyn Write, text: &str) -> Result<Exit> {
    print(out, text).map(|()| Exit::Done)
}

/// Declares the commands: what each is for, its flags and its function.
macro_rules! commands {
    ($args:ident, $line:ident, $registry:ident, $out:ident; $(
        $(#[doc = $about:literal])* $(#[cfg($platform:meta)])? $command:ident($flags:ty) => $run:expr;
    )*) => {
        /// The commands.
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command {
            $($(#[doc = $about])* $(#[cfg($platform)])? $command($flags),)*
        }

        impl Command {
            /// Runs the command; `line` makes the command line of all.
            pub(crate) fn run(
                self,
                $line: fn() -> clap::Command,
                $registry: &Registry,
                $out: &mut dyn Write,
            ) -> Result<Exit> {
                match self {
                    $($(#[cfg($platform)])? Self::$command($args) => $run,)*
                }
            }
        }
    };
}

commands! {
    args, line, registry, out;
    /// Play bots on the same deals in both seatings; print the verdict
    Run(run::RunArgs) => run::run(args, registry, out);
    /// Play a game yourself: you at one seat, bots at the others
    Play(play::PlayArgs) => play::play(args, registry, out);
    /// Merge shards; the result is byte-identical to an unsharded run
    Merge(merge::MergeArgs) => merge::merge(&args, registry, out);
    /// Divide a command: scripts for Slurm, HyperQueue, make or a shell
    Plan(plan::PlanArgs) => plan::plan(&args, line, registry, out);
    /// Show how far the parts of a plan, or of shards, are
    Status(status::StatusArgs) => status::status(&args, registry, out);
    /// Run a sequential test (SPRT) between two bots
    Sprt(sprt::SprtArgs) => sprt::sprt(args, registry, out);
    /// Tune a bot's parameters by self-play (SPSA)
    Tune(tune::TuneArgs) => tune::tune(args, registry, out);
    /// Compute how many deals detect a difference (power analysis)
    Power(power::PowerArgs) => power::power(&args, out);
    /// Write an HTML report: charts, tables, deals to replay
    Report(report::ReportArgs) => report::report(&args, registry, out);
    /// Rate all bots of a file, in classes of time per decision
    Leaderboard(leaderboard::LeaderboardArgs) => leaderboard::leaderboard(&args, registry, out);
    /// Compare runs on the same deals, deal by deal
    Compare(compare::CompareArgs) => compare::compare(&args, registry, out);
    /// Check runs, labels and records: replay, recount, compare sums
    Verify(verify::VerifyArgs) => verify::verify(&args, registry, out);
    /// Convert tables and records: CSV, Parquet, JSON Lines, text
    Export(export::ExportArgs) => export::export(&args, out);
    /// Read deals that were exported as text
    Import(export::ImportArgs) => export::import(&args, out);
    /// Show one recorded deal: hands, auction, tricks, score
    Show(show::ShowArgs) => show::show(&args, out);
    /// Measure what each decision cost against double-dummy play
    Judge(judge::JudgeArgs) => judge::judge(&args, registry, out);
    /// Play the arena's own figures as claims; print what came true
    Selfcheck(selfcheck::SelfcheckArgs) => selfcheck::selfcheck(args, registry, out);
    /// Solve positions double dummy: points, every card, best play
    Solve(solve::SolveArgs) => solve::solve(&args, out);
    /// Label deals with double-dummy points, decisions with values
    Label(Box<label::LabelArgs>) => label::label(&args, registry, out);
    /// Fit the bidding table of the bot `table` to played deals
    Fit(fit::FitArgs) => fit::fit(&args, out);
    /// Train the networks that bid, play and read the others
    Train(train::TrainArgs) => train::train(&args, registry, out);
    /// Count what bots bid, lead and answer, and what hands take
    Stats(Box<stats::StatsArgs>) => stats::stats(&args, registry, out);
    /// Compare bidders: points, losses by cause, agreement
    Bidding(bidding::BiddingArgs) => bidding::bidding(&args, registry, out);
    /// Recommend a call or card for a hand, with probabilities
    Advise(Box<advise::AdviseArgs>) => advise::advise(&args, registry, out);
    /// Bidding systems as text: list, check, explain
    System(system::SystemArgs) => system::system(&args, out);
    /// List the rule sets, or print one with all its fields
    Rules(rules::RulesArgs) => rules::rules(&args, out);
    /// List the bots, or describe one with its parameters
    Bots(bots::BotsArgs) => bots::bots(&args, registry, out);
    /// Check that an external bot follows the protocol
    #[cfg(unix)]
    CheckBot(check_bot::CheckBotArgs) => check_bot::check_bot(&args, registry, out);
    /// Run a built-in bot as a protocol engine
    Engine(engine::EngineArgs) => engine::engine(&args, registry, out);
    /// Measure the speed of engine, bots and arena
    Bench(bench::BenchArgs) => bench::bench(&args, out);
    /// Print completions for a shell
    Completions(shell::CompletionsArgs) => shell::completions(&args, line(), out);
    /// Print the man page, or write those of all commands
    Man(shell::ManArgs) => shell::man(&args, line(), out);
}
