//! The whole arena, with a bot of one's own: `own-bot run mine random`.

mod mine;

use coinche_bots::{Registry, RegistryError};

fn main() -> Result<std::process::ExitCode, RegistryError> {
    Ok(coinche_arena::main_with(Registry::builtin().with(mine::info())?))
}
