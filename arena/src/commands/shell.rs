//! `arena completions` and `arena man`: generated from the command line definition.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;
use coinche_selfplay::{ArenaError, Exit, Result};

/// The flags of `arena completions`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("completions"))]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

/// The flags of `arena man`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("man"))]
pub(crate) struct ManArgs {
    /// Output directory, for the pages of all commands
    ///
    /// Without it, the page of `arena` is printed.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Prints the completions of a shell.
pub(crate) fn completions(args: &CompletionsArgs, mut command: Command, out: &mut dyn Write) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "arena", &mut script);
    out.write_all(&script).and_then(|()| out.flush()).map_err(ArenaError::stdout)?;
    Ok(Exit::Done)
}

/// Prints the man page, or writes those of all commands.
pub(crate) fn man(args: &ManArgs, command: Command, out: &mut dyn Write) -> Result<Exit> {
    match &args.out {
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page).map_err(ArenaError::stdout)?;
            out.write_all(&page).and_then(|()| out.flush()).map_err(ArenaError::stdout)?;
        }
        Some(directory) => {
            let pages =
                fs::create_dir_all(directory).and_then(|()| clap_mangen::generate_to(command, directory));
            pages.map_err(|source| ArenaError::write(directory, source))?;
        }
    }
    Ok(Exit::Done)
}
