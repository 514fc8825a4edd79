//! The program `arena`: see the crate's documentation.

use std::process::ExitCode;

use coinche_bots::Registry;

fn main() -> ExitCode {
    coinche_arena::main_with(Registry::builtin())
}
