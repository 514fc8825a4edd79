//! `arena status`: shows the progress of the parts of commands.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use coinche_bots::Registry;
use coinche_selfplay::{Detail, Exit, Result};

use super::finish;
use coinche_analysis::status;

/// The flags of `arena status`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
For plans of `arena plan`, and for parts that were made by hand with --shard: which parts are done, at work, stopped, failed or not begun, how many deals are done, how fast, and how long the rest takes; of what failed the exit code and the end of its standard error; parts that overlap or are of another command; and of runs the verdict so far.

A part is at work if one of its files is locked by a process of this machine or was changed within the last minute, on whatever machine. Nothing is locked and nothing is written: give the command as often as you like.

Examples:
  arena status big                          a plan
  arena status part1 part2 part3            parts
  arena status runs                         all parts in a directory
  watch -n 10 arena status big

Exit codes: 0 told, also of parts that failed, 2 wrong arguments or nothing to tell of.")]
pub(crate) struct StatusArgs {
    /// Plans, parts, or directories of parts
    #[arg(value_name = "DIR", required = true)]
    pub directories: Vec<PathBuf>,
    /// Print all as JSON, for programs
    #[arg(long, conflicts_with = "missing")]
    pub json: bool,
    /// Print the numbers of the parts to make, one a line
    ///
    /// Nothing when all are done. Of a command in waves all numbers, until it is over.
    #[arg(long)]
    pub missing: bool,
}

/// Runs the command.
pub(crate) fn status(args: &StatusArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let jobs = status::read(&args.directories, registry)?;
    let text = if args.missing {
        let missing = jobs.iter().flat_map(status::Job::missing);
        missing.map(|number| number.to_string() + "\n").collect()
    } else if args.json {
        format!("{:#}\n", status::json(&jobs))
    } else {
        status::document(&jobs).render(Detail::Full)
    };
    finish(out, &text)
}
