//! A trial start of programs, to report problems before a run instead of in all of it.

use std::sync::atomic::Ordering;

use coinche_bots::Program;
use coinche_engine::RuleSet;
use coinche_selfplay::base::error::ArenaError;

use super::interrupt::{Interrupted, STOP};
use super::link::{self, Link};
use super::log::StderrLog;
use super::program_info::ProgramInfo;
use super::start::start_message;

/// Starts each program once, to report problems before a run, and returns their self-descriptions. Each program comes
/// with the name of its bot.
///
/// # Errors
///
/// Names the program that cannot be started or does not greet correctly.
pub fn probe(rules: &RuleSet, programs: Vec<(String, Program)>) -> Result<Vec<ProgramInfo>, ArenaError> {
    let mut found = Vec::new();
    for (bot, program) in programs {
        let began = std::time::Instant::now();
        let start = start_message(rules, &program);
        let mut link = Link::new(&program, start, &bot, String::new(), StderrLog::none());
        link.be_hasty();
        if !link::settle(core::slice::from_mut(&mut link), &mut || STOP.load(Ordering::Relaxed)) {
            return Err(Interrupted.into());
        }
        if let Some(reason) = link.given_up() {
            let reason = format!("{reason}{}", link.stderr_tail("    "));
            return Err(ArenaError::Program { bot, reason });
        }
        let start_seconds = began.elapsed().as_secs_f64();
        let (name, version) = (link.hello().name.clone(), link.hello().version.clone());
        found.push(ProgramInfo { bot, name, version, start_seconds });
        link.quit();
    }
    Ok(found)
}
