//! The program `arena`: see the crate's documentation.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use coinche_arena::{Cli, Command, Exit, interrupt};

fn main() -> ExitCode {
    let command = Cli::parse().command;
    if matches!(command, Command::Run(_) | Command::Sprt(_) | Command::Tune(_)) {
        // The first Ctrl-C ends the run in good order, the second at once. Where no handler can be set,
        // every one ends it at once.
        let _ = ctrlc::set_handler(|| {
            if interrupt() {
                std::process::exit(Exit::Interrupted as i32);
            }
        });
    }
    match command.run(&mut io::stdout().lock()) {
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
