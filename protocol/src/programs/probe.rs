//! A trial start of programs, to report problems before a run instead of in all of it.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use coinche_bots::Program;
use coinche_engine::RuleSet;
use coinche_selfplay::{ArenaError, Result};

use crate::interrupt::{Interrupted, STOP};
use crate::program_info::ProgramInfo;
use crate::programs::link::{self, Link};

/// Starts each program once, to report problems before a run, and returns their self-descriptions. Each program comes
/// with the name of its bot.
///
/// # Errors
///
/// Names the program that cannot be started or does not greet correctly.
pub fn probe(rules: &RuleSet, programs: Vec<(String, Program)>) -> Result<Vec<ProgramInfo>> {
    let mut found = Vec::new();
    for (bot, program) in programs {
        let began = Instant::now();
        let link = Link::trial(rules, &program, &bot, &mut || STOP.load(Ordering::Relaxed));
        let mut link = link.ok_or(Interrupted)?;
        if let Some(reason) = link.given_up() {
            let reason = format!("{reason}{}", link.stderr_tail("    "));
            return Err(ArenaError::Program { bot, reason });
        }
        let start_seconds = began.elapsed().as_secs_f64();
        let (name, version) = (link.hello.name.clone(), link.hello.version.clone());
        found.push(ProgramInfo { bot, name, version, start_seconds });
        link::quit(core::slice::from_mut(&mut link), Duration::ZERO);
    }
    Ok(found)
}
