//! The command line.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io;
use std::process::ExitCode;

use clap::{Arg, CommandFactory, FromArgMatches, Parser};
use coinche_bots::Registry;
use coinche_selfplay::{Exit, complain};

use crate::commands::Command;
use coinche_runs::LONG_VERSION;

/// Self-play arena for Belote and Coinche bots: measures which is better, with confidence intervals.
#[derive(Debug, Parser)]
#[command(name = "arena", version, long_version = LONG_VERSION, max_term_width = 100)]
pub(crate) struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands by what they are for, in the order in which `arena --help` lists them. Those that a platform lacks are
/// left out there.
const GROUPS: [(&str, &str); 5] = [
    ("Play", "run play leaderboard sprt tune power merge plan status"),
    ("Analyse", "report compare stats bidding judge verify selfcheck show export import"),
    ("Solve", "solve label advise fit train"),
    ("Bots and rules", "bots system rules check-bot engine bench"),
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
        Command::Bidding(args) => args.is_part(),
        Command::Judge(args) => args.is_part(),
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
    match command.run(command_line, registry, &mut io::stdout().lock()) {
        Ok(exit) => exit,
        Err(error) => {
            let exit = error.exit();
            if exit != Exit::Done {
                complain(format_args!("error: {error}"));
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
