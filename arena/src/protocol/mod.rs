//! Bots from outside: the line protocol of `docs/protocol.md`, both ways round.
//!
//! A program is asked by [`flight`]: many legs in flight, each with its questions ([`go`]) on the way to the
//! processes ([`link`], [`process`]). What it answers is read by [`message`]. The other way round `engine`
//! reads the questions ([`read`]) and lets a bot of the registry answer.

#![cfg_attr(not(unix), allow(dead_code, reason = "without programs as bots half of it has no use"))]

mod engine;
mod go;
mod log;
mod message;
mod read;
mod vice;

#[cfg(unix)]
mod check;
#[cfg(not(unix))]
mod elsewhere;
#[cfg(unix)]
mod flight;
#[cfg(unix)]
mod link;
#[cfg(unix)]
mod process;
#[cfg(unix)]
mod slot;

#[cfg(unix)]
pub(crate) use check::{Finding, Mark, Plan, check};
#[cfg(not(unix))]
pub(crate) use elsewhere::{Flights, probe};
pub(crate) use engine::{EngineError, engine};
#[cfg(unix)]
pub(crate) use flight::Flights;
pub use log::StderrLog;
pub use vice::Vice;

use coinche_bots::Program;
use coinche_engine::RuleSet;

use crate::ArenaError;
use crate::config::RunConfig;
#[cfg(unix)]
use crate::figures::ProgramInfo;

/// Starts every program of a run once, to tell before it what would go wrong in all of it, and returns what they
/// said of themselves.
///
/// # Errors
///
/// Names the program that cannot be started or does not greet as it should.
#[cfg(unix)]
pub(crate) fn probe(config: &RunConfig) -> Result<Vec<ProgramInfo>, ArenaError> {
    let mut found = Vec::new();
    for (bot, program) in config.programs() {
        let began = std::time::Instant::now();
        let start = start_message(&config.rules, &program);
        let mut link = link::Link::new(&program, start, &bot, String::new(), StderrLog::none());
        link::settle(core::slice::from_mut(&mut link));
        if let Some(reason) = link.given_up() {
            return Err(ArenaError::Program { bot, reason: reason.to_owned() });
        }
        let start_seconds = began.elapsed().as_secs_f64();
        let (name, version) = (link.hello().name.clone(), link.hello().version.clone());
        found.push(ProgramInfo { bot, name, version, start_seconds });
        link.quit();
    }
    Ok(found)
}

/// Returns the message `start`, without the end of the line.
fn start_message(rules: &RuleSet, program: &Program) -> String {
    let options: serde_json::Map<String, serde_json::Value> =
        program.options.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect();
    let json = |value: serde_json::Result<String>| value.expect("rules and options are plain data");
    format!(
        "{{\"type\":\"start\",\"options\":{},\"timeout_ms\":{},\"preset\":{},\"rules\":{}}}",
        json(serde_json::to_string(&options)),
        program.timeout.as_millis(),
        json(serde_json::to_string(&rules.preset_name())),
        json(serde_json::to_string(rules)),
    )
}
