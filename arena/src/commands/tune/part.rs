//! A share of the next iteration of a tuning, or of its verification, played by one of several machines.

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::tell;
use coinche_selfplay::base::progress::ProgressMode;
use coinche_selfplay::base::style::thousands;

use super::step::Step;
use super::tuning::Tuning;
use super::{TuneArgs, files};
use crate::commands::steps::{NoSeed, end};
use coinche_protocol::STOP;
use coinche_runs::config::Shard;
use coinche_runs::job::{Identity, Job, Task};
use coinche_runs::steps::play;

/// Parses the requested share; `None` if the whole tuning is requested.
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
        if mode != ProgressMode::None {
            tell(&over);
        }
        return Ok(Exit::Done);
    };
    let config = &step.config;
    let task = Task::shard(Job::Tune, Identity::new(config)?, shard, step.deals.clone());
    let task = Task { command: tuning.command.clone(), ..task.by(config.threads) };
    let range = task.range();
    let what = if range.is_empty() {
        format!("shard {shard} of {} has no deals", step.name())
    } else {
        let [from, to] = [range.start, range.end - 1].map(thousands);
        format!("shard {shard} of {}, deals {from} to {to}", step.name())
    };
    let place = step.place(&whole);
    let programs = || if step.is_verification { config.probe() } else { Ok(Vec::new()) };
    let ended = play(&place, &task, config, u64::MAX, false, programs, &STOP)?;
    Ok(end(&place.part(shard), &what, ended, mode))
}
