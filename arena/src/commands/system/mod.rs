//! `arena system`: bidding systems as text.

mod check;
mod explain;
mod learn;
mod list;
mod meet;

use std::io::Write;

use clap::{Args, Subcommand};
use coinche_engine::RuleSet;
use coinche_selfplay::{Exit, Result};

use crate::commands::flags::RulesFlags;
use coinche_analysis::system::SystemFile;
use coinche_analysis::typed::Language;

pub(crate) use check::SystemCheckArgs;
pub(crate) use explain::SystemExplainArgs;
pub(crate) use learn::SystemLearnArgs;
pub(crate) use list::{SystemListArgs, SystemShowArgs, SystemWordsArgs};
pub(crate) use meet::{SystemDiffArgs, SystemPrintArgs, SystemWorthArgs};

/// The flags of `arena system`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("system"))]
pub(crate) struct SystemArgs {
    /// What to do.
    #[command(subcommand)]
    pub what: SystemCommand,
}

impl SystemArgs {
    /// Returns the language of what is printed.
    pub(crate) fn language(&self) -> Language {
        match &self.what {
            SystemCommand::Words(args) => args.language,
            SystemCommand::Explain(args) => args.language,
            SystemCommand::Print(args) => args.language,
            _ => Language::default(),
        }
    }

    /// Tests if it is a search, which ends in an orderly way when it is interrupted.
    pub(crate) const fn is_search(&self) -> bool {
        matches!(self.what, SystemCommand::Learn(_))
    }
}

/// What can be done with systems.
#[derive(Debug, Subcommand)]
pub(crate) enum SystemCommand {
    /// List the systems that come with the program
    List(SystemListArgs),
    /// Print the file of one of them
    Show(SystemShowArgs),
    /// List the words and functions of the language
    Words(SystemWordsArgs),
    /// Check a file: promises of calls, unused rules, gaps
    Check(SystemCheckArgs),
    /// Tell which rule makes a call, and what it promises
    Explain(SystemExplainArgs),
    /// Print a system for players, in English or French
    Print(SystemPrintArgs),
    /// Count what each rule and number is worth
    Worth(SystemWorthArgs),
    /// Compare two systems: where they differ, and what it is worth
    Diff(SystemDiffArgs),
    /// Write a system that people can learn, found by comparison on deals
    Learn(SystemLearnArgs),
}

/// Runs the command.
pub(crate) fn system(args: &SystemArgs, out: &mut dyn Write) -> Result<Exit> {
    match &args.what {
        SystemCommand::List(args) => list::list(args, out),
        SystemCommand::Show(args) => list::show(args, out),
        SystemCommand::Words(args) => list::words(args, out),
        SystemCommand::Check(args) => check::check(args, out),
        SystemCommand::Explain(args) => explain::explain(args, out),
        SystemCommand::Print(args) => meet::print(args, out),
        SystemCommand::Worth(args) => meet::tell_worth(args, out),
        SystemCommand::Diff(args) => meet::tell_diff(args, out),
        SystemCommand::Learn(args) => learn::learn(args, out),
    }
}

/// Returns the given rules, else the first preset that the system supports.
fn rules_of(flags: &RulesFlags, file: &SystemFile) -> Result<RuleSet> {
    match (&flags.rules, file.system.presets().first()) {
        (None, Some(preset)) => {
            let rules = RuleSet::preset(preset).unwrap_or_default();
            Ok(rules.with_settings(flags.set.iter().map(String::as_str))?)
        }
        _ => flags.load(),
    }
}
