//! The command line.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};
use coinche_bots::Registry;
use coinche_selfplay::{Exit, Result, complain};

#[cfg(unix)]
use crate::commands::check_bot;
#[cfg(feature = "serve")]
use crate::commands::serve;
use crate::commands::{
    advise, bench, bidding, bots, compare, engine, export, fit, judge, label, leaderboard, merge, new_bot,
    plan, play, power, report, rules, run, selfcheck, shell, show, solve, sprt, stats, status, system, train,
    tune, verify,
};
use coinche_analysis::error_in;
use coinche_analysis::plan::{Inner, PlanError};
use coinche_analysis::typed::Language;
use coinche_runs::{Job, LONG_VERSION};

/// Self-play arena for Belote and Coinche bots: measures which is better, with confidence intervals.
#[derive(Debug, Parser)]
#[command(name = "arena", version, long_version = LONG_VERSION, max_term_width = 100)]
pub(crate) struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// Declares the commands: what each is for, its flags and its function.
macro_rules! commands {
    ($args:ident, $registry:ident, $out:ident; $(
        $(#[doc = $about:literal])* $(#[cfg($platform:meta)])? $command:ident($flags:ty) => $run:expr;
    )*) => {
        /// The commands.
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command {
            $($(#[doc = $about])* $(#[cfg($platform)])? $command($flags),)*
        }

        impl Command {
            /// Runs the command.
            fn run(self, $registry: &Registry, $out: &mut dyn Write) -> Result<Exit> {
                match self {
                    $($(#[cfg($platform)])? Self::$command($args) => $run,)*
                }
            }
        }
    };
}

commands! {
    args, registry, out;
    /// Play bots on the same deals in both seatings; print the verdict
    Run(run::RunArgs) => run::run(args, registry, out);
    /// Play a game yourself: you at one seat, bots at the others
    Play(play::PlayArgs) => play::play(args, registry, out);
    /// Play, analyse and read runs in a browser: starts a local server
    #[cfg(feature = "serve")]
    Serve(serve::ServeArgs) => serve::serve(args, registry, out);
    /// Merge shards; the result is byte-identical to an unsharded run
    Merge(merge::MergeArgs) => merge::merge(&args, registry, out);
    /// Divide a command: scripts for Slurm, HyperQueue, make or a shell
    Plan(plan::PlanArgs) => plan::plan(&args, parsed, |command| command.divided(registry), out);
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
    /// Start a bot of your own: in Rust, Python or C
    NewBot(new_bot::NewBotArgs) => new_bot::new_bot(&args, registry, out);
    /// Check that an external bot follows the protocol
    #[cfg(unix)]
    CheckBot(check_bot::CheckBotArgs) => check_bot::check_bot(&args, registry, out);
    /// Run a built-in bot as a protocol engine
    Engine(engine::EngineArgs) => engine::engine(&args, registry, out);
    /// Measure the speed of engine, bots and arena
    Bench(bench::BenchArgs) => bench::bench(&args, silently, out);
    /// Print completions for a shell
    Completions(shell::CompletionsArgs) => shell::completions(&args, command_line(), out);
    /// Print the man page, or write those of all commands
    Man(shell::ManArgs) => shell::man(&args, command_line(), out);
}

/// Parses the words of a command.
fn parsed(words: Vec<String>) -> Result<Command, clap::Error> {
    let matches = command_line().no_binary_name(true).try_get_matches_from(words)?;
    Command::from_arg_matches(&matches)
}

/// Runs a command with the built-in bots and without its output.
fn silently(words: Vec<String>) -> Result<()> {
    let command = parsed(words).expect("a command that `bench` knows");
    command.run(&Registry::builtin(), &mut io::sink()).map(|_| ())
}

impl Command {
    /// Returns the language in which it speaks.
    fn language(&self) -> Language {
        match self {
            Self::Play(args) => args.language,
            Self::Report(args) => args.language,
            Self::Advise(args) => args.language,
            Self::System(args) => args.language(),
            _ => Language::default(),
        }
    }

    /// Returns the properties that are needed to divide it.
    fn divided(self, registry: &Registry) -> Result<Inner> {
        match self {
            Self::Run(args) => plan::of_run(args, registry),
            Self::Label(args) => Ok(plan::of_label(&args)),
            Self::Train(args) => Ok(plan::of_train(&args)?),
            Self::Stats(args) => Ok(plan::of_stats(&args)?),
            Self::Bidding(args) => {
                Ok(Inner { seed: args.seed.seed, ..plan::of_deals(Job::Bidding, args.deals) })
            }
            Self::Judge(args) => Ok(plan::of_judge(args)),
            Self::Sprt(args) => Ok(plan::of_sprt(args)),
            Self::Tune(args) => Ok(plan::of_tune(args)),
            // Their names were rejected before.
            _ => Err(PlanError::NoCommand.into()),
        }
    }
}

/// The commands by what they are for, in the order in which `arena --help` lists them. Those that a platform lacks are
/// left out there.
const GROUPS: [(&str, &str); 5] = [
    ("Play", "run play serve leaderboard sprt tune power merge plan status"),
    ("Analyse", "report compare stats bidding judge verify selfcheck show export import"),
    ("Solve", "solve label advise fit train"),
    ("Bots and rules", "bots system rules new-bot check-bot engine bench"),
    ("Shell", "completions man"),
];

/// Returns the command line with its help: commands in groups, and flags of one line in `-h`.
fn command_line() -> clap::Command {
    let command = short_flags(Cli::command());
    let header = *command.get_styles().get_header();
    let literal = *command.get_styles().get_literal();
    let mut groups = String::new();
    for (title, names) in GROUPS {
        let _ = writeln!(groups, "{header}{title}:{header:#}");
        for name in names.split(' ') {
            if let Some(about) = command.find_subcommand(name).and_then(clap::Command::get_about) {
                let _ = writeln!(groups, "  {literal}{name:<11}{literal:#}  {about}");
            }
        }
        groups.push('\n');
    }
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}{header}Options:{header:#}\n{{options}}\n\n\
         `arena COMMAND -h` lists the flags of a command, `--help` explains them."
    ))
}

/// Keeps every flag to one line in `-h`, which names its values; `--help` also explains them.
fn short_flags(command: clap::Command) -> clap::Command {
    let explained = |arg: Arg| {
        let values: Vec<_> =
            arg.get_possible_values().into_iter().filter(|value| value.get_help().is_some()).collect();
        let Some(help) = arg.get_long_help().or(arg.get_help()).filter(|_| !values.is_empty()) else {
            return arg;
        };
        let mut help = format!("{help}\n\nPossible values:");
        for value in values {
            let about = value.get_help().map(ToString::to_string).unwrap_or_default();
            let _ = write!(help, "\n- {}: {about}", value.get_name());
        }
        arg.long_help(help).hide_possible_values(true)
    };
    command.mut_args(explained).mut_subcommands(short_flags)
}

/// Runs the program `arena` with the bots of a registry: reads the command line, runs the command, and returns its exit
/// code.
///
/// The `main` of a crate with bots of its own is this line, with its registry.
#[expect(clippy::needless_pass_by_value, reason = "a `main` makes it here and has no more use for it")]
pub fn main_with(registry: Registry) -> ExitCode {
    #[cfg(unix)]
    {
        if let Some(exit) = coinche_protocol::guard() {
            return exit;
        }
        coinche_protocol::use_guards();
    }
    run_command(std::env::args_os(), &registry).into()
}

/// Runs a command of the program `arena`, the program's name first, and returns its exit code. A command line that is wrong, or
/// asks for help, ends the process.
///
/// It is for programs that are `arena` in another guise: it takes Ctrl-C over. What [`main_with`] does beyond it is to end all
/// that the programs of bots have started; here it ends the process group of each.
pub fn run_command(words: impl IntoIterator<Item = OsString>, registry: &Registry) -> Exit {
    let command = match Cli::from_arg_matches(&command_line().get_matches_from(words)) {
        Ok(cli) => cli.command,
        Err(error) => error.exit(),
    };
    let is_long = matches!(
        command,
        Command::Run(_) | Command::Play(_) | Command::Leaderboard(_) | Command::Sprt(_) | Command::Tune(_)
    ) || match &command {
        Command::Stats(args) => args.is_part(),
        Command::Bidding(args) => args.shard.is_part(),
        Command::Judge(args) => args.shard.is_part(),
        Command::System(args) => args.is_search(),
        _ => false,
    };
    if is_long {
        // The first Ctrl-C ends the run in an orderly way, the second at once. Where no handler can be set, every one
        // ends it at once.
        let _ = ctrlc::set_handler(|| {
            if coinche_protocol::interrupt() {
                // The guards of programs see it, and end them.
                std::process::exit(Exit::Interrupted as i32);
            }
        });
    }
    let language = command.language();
    match command.run(registry, &mut io::stdout().lock()) {
        Ok(exit) => exit,
        Err(error) => {
            let exit = error.exit();
            if exit != Exit::Done {
                complain(error_in(language, &format!("error: {error}")));
            }
            exit
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let command = command_line();
        let mut listed: Vec<_> = GROUPS.iter().flat_map(|(_, names)| names.split(' ')).collect();
        let mut known: Vec<_> = command.get_subcommands().map(clap::Command::get_name).collect();
        listed.retain(|name| cfg!(unix) || *name != "check-bot");
        listed.retain(|name| cfg!(feature = "serve") || *name != "serve");
        listed.sort_unstable();
        known.sort_unstable();
        assert_eq!(listed, known);
    }

    #[test]
    fn the_command_line_is_sound() {
        command_line().debug_assert();
    }

    /// Renders the help of a command and of those below it, with 80 columns.
    fn helps(command: clap::Command, is_long: bool, found: &mut Vec<(String, String)>) {
        let mut command = command.term_width(80);
        let help = if is_long { command.render_long_help() } else { command.render_help() };
        found.push((command.get_name().to_owned(), help.to_string()));
        for below in command.get_subcommands() {
            helps(below.clone(), is_long, found);
        }
    }

    #[test]
    fn help_fits_80_columns() {
        let mut found = Vec::new();
        helps(command_line(), true, &mut found);
        helps(command_line(), false, &mut found);
        assert!(found.len() > 40);
        for (name, help) in found {
            for line in help.lines() {
                assert!(line.chars().count() <= 80, "{name}: {line}");
            }
        }
    }

    #[test]
    fn a_flag_is_one_line_of_the_short_help() {
        let mut found = Vec::new();
        helps(command_line(), false, &mut found);
        let mut continued = Vec::new();
        for (name, help) in found {
            let flags = help.lines().skip_while(|line| *line != "Arguments:" && *line != "Options:");
            for line in flags.filter(|line| line.starts_with(' ')) {
                let text = line.trim_start();
                let starts = text.starts_with(['-', '<', '[']) && line.len() - text.len() <= 6;
                if !starts {
                    continued.push(format!("{name}: {line}"));
                }
            }
        }
        assert!(continued.is_empty(), "these lines continue others:\n{}", continued.join("\n"));
    }

    #[test]
    fn the_short_help_of_a_flag_names_its_values() {
        fn look(command: &clap::Command, flags: &mut usize) {
            for arg in command.get_arguments().filter(|arg| arg.get_possible_values().len() > 1) {
                let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
                let words: Vec<_> = help.split([' ', ',', ':']).collect();
                for value in arg.get_possible_values().iter().filter(|_| arg.is_hide_possible_values_set()) {
                    assert!(
                        words.contains(&value.get_name()),
                        "{} {}: {help}",
                        command.get_name(),
                        arg.get_id()
                    );
                    *flags += 1;
                }
            }
            command.get_subcommands().for_each(|below| look(below, flags));
        }
        let mut flags = 0;
        look(&command_line(), &mut flags);
        assert!(flags > 40, "{flags} values");
    }

    #[test]
    fn an_example_is_not_wrapped() {
        let mut found = Vec::new();
        helps(command_line(), true, &mut found);
        for (name, help) in found {
            let Some((_, examples)) = help.split_once("\nExample") else { continue };
            let lines = examples.lines().skip(1).take_while(|line| !line.is_empty());
            for line in lines {
                assert!(line.starts_with("  "), "{name}: an example is too long: {line}");
            }
        }
    }
}
