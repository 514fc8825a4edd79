//! Bots from outside: the line protocol of `docs/protocol.md`, both ways round.
//!
//! A program is asked by [`in_flight`]: many legs in flight, each with its questions ([`question`]) on the way to the
//! processes ([`link`], [`process`]). What it answers is read by [`message`]. The other way round `engine`
//! reads the questions ([`read`]) and lets a bot of the registry answer.

#![cfg_attr(not(unix), allow(dead_code, reason = "without programs as bots half of it has no use"))]

mod engine;
mod fault_injection;
mod log;
mod message;
mod mixed_table;
mod program_info;
mod question;
mod read;

#[cfg(unix)]
mod check;
#[cfg(unix)]
mod in_flight;
#[cfg(unix)]
mod leg;
#[cfg(unix)]
mod link;
#[cfg(unix)]
mod process;
#[cfg(not(unix))]
mod unsupported;

#[cfg(unix)]
pub(crate) use check::{Finding, Mark, Plan, check};
pub(crate) use engine::{EngineError, engine};
pub use fault_injection::Vice;
#[cfg(unix)]
pub(crate) use in_flight::Flights;
pub use log::StderrLog;
pub use mixed_table::MixedTable;
pub use program_info::ProgramInfo;
#[cfg(not(unix))]
pub(crate) use unsupported::{Flights, probe};

use coinche_bots::Program;
use coinche_engine::RuleSet;

use crate::base::error::ArenaError;

/// Starts programs once each, to tell before a run what would go wrong in all of it, and returns what they said of
/// themselves. Each comes with the name of its bot.
///
/// # Errors
///
/// Names the program that cannot be started or does not greet as it should.
#[cfg(unix)]
pub(crate) fn probe(
    rules: &RuleSet,
    programs: Vec<(String, Program)>,
) -> Result<Vec<ProgramInfo>, ArenaError> {
    let mut found = Vec::new();
    for (bot, program) in programs {
        let began = std::time::Instant::now();
        let start = start_message(rules, &program);
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
