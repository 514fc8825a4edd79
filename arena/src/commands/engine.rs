//! `arena engine`: a built-in bot as a protocol engine.

use std::io::{self, BufReader, Write};

use clap::Args;
use coinche_bots::Registry;
use coinche_selfplay::{ArenaError, Exit, ModuleError, Result};

use coinche_protocol::{EngineError, InjectedFault, run_engine};

/// The flags of `arena engine`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("engine"))]
pub(crate) struct EngineArgs {
    /// The bot; `arena bots` lists them
    #[arg(value_name = "BOT")]
    pub bot: String,
    /// Do something wrong, as `crash/50`: for tests, in builds with debug assertions
    #[cfg(debug_assertions)]
    #[arg(long, value_name = "FAULT", hide = true)]
    pub inject: Option<InjectedFault>,
}

impl EngineArgs {
    /// Returns the fault to inject into the bot: none in a release.
    const fn fault(&self) -> Option<InjectedFault> {
        #[cfg(debug_assertions)]
        return self.inject;
        #[cfg(not(debug_assertions))]
        None
    }
}

/// Why a bot cannot be an engine, or has stopped.
#[derive(Debug, thiserror::Error)]
enum EngineArgsError {
    #[error("`{0}` is a program, which speaks the protocol itself: name a bot of `arena bots`")]
    Program(String),
    #[error("`{0}` sees all hands, which the protocol does not send: it only plays inside the arena")]
    SeesAll(String),
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl ModuleError for EngineArgsError {}

/// Runs the command.
pub(crate) fn engine(args: &EngineArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let spec = registry.parse(&args.bot)?;
    if spec.has_program() {
        return Err(EngineArgsError::Program(spec.to_string()).into());
    }
    if spec.sees_all() {
        return Err(EngineArgsError::SeesAll(spec.to_string()).into());
    }
    let mut input = BufReader::with_capacity(1 << 16, io::stdin());
    match run_engine(&|| spec.build(), &|rules| spec.check_rules(rules), args.fault(), &mut input, out) {
        Ok(()) => Ok(Exit::Done),
        Err(EngineError::Write(source)) => Err(ArenaError::stdout(source)),
        Err(error) => Err(EngineArgsError::Engine(error).into()),
    }
}
