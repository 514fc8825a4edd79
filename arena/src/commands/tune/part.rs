//! A share of the next iteration of a tuning, or of its verification, played by one machine of several.

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::style::thousands;

use super::step::Step;
use super::tuning::Tuning;
use super::{TuneArgs, files};
use crate::commands::steps::{NoSeed, end, nothing};
use crate::protocol::STOP;
use crate::run::config::Shard;
use crate::run::directory::Identity;
use crate::run::steps::{Part, Task};

/// Reads which share is asked for; `None` where the whole tuning is.
pub(super) fn share_of(args: &TuneArgs) -> Result<Option<Shard>, ArenaError> {
    match args.shard {
        Some(_) if args.play.seed.seed.is_none() => Err(NoSeed.into()),
        shard => Ok(shard),
    }
}

/// Plays a share of the next iteration, or of the verification.
pub(super) fn make(mut tuning: Tuning, shard: Shard) -> Result<Exit, ArenaError> {
    let identity = tuning.identity()?;
    let (whole, mode) = (tuning.directory(&identity), tuning.config.progress);
    let rows = files::rows_of(&whole, &identity, &files::header(&tuning.params))?;
    tuning.resume(&whole, rows)?;
    tuning.pass_equal()?;
    let Some(step) = Step::next(&tuning, &whole)? else {
        let over = format!("the tuning in {} is over: nothing is left to play", whole.display());
        return Ok(nothing(&over, mode));
    };
    let config = &step.config;
    let (command, identity) = (tuning.command.clone(), Identity::new(config)?);
    let task = Task { command, identity, deals: step.deals.clone(), shard };
    let range = task.range();
    let what = if range.is_empty() {
        format!("shard {shard} of {} has no deals", step.name())
    } else {
        let [from, to] = [range.start, range.end - 1].map(thousands);
        format!("shard {shard} of {}, deals {from} to {to}", step.name())
    };
    let mut part = Part::open(&step.place(&whole), &task, config)?;
    if part.is_complete() {
        return Ok(nothing(&format!("{what}: already in {}", part.path().display()), mode));
    }
    if step.is_verification {
        part.name_programs(config.probe()?);
    }
    let ended = part.play(u64::MAX, false, &STOP)?;
    Ok(end(&part, &what, ended, mode))
}
