//! `arena status`: shows the progress of the parts of commands.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use coinche_bots::Registry;
use coinche_selfplay::{Detail, Exit, Result, finish};

use coinche_analysis::status;

/// The flags of `arena status`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("status"))]
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
