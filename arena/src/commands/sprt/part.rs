//! A share of the next wave of a test, played by one of several machines.

use std::path::Path;

use coinche_inference::{Decision, SequentialTest};
use coinche_selfplay::base::error::{ArenaError, OutOfRange};
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::files::foreign_data;
use coinche_selfplay::base::output::tell;
use coinche_selfplay::base::progress::ProgressMode;
use coinche_selfplay::base::style::thousands;

use super::asked::Asked;
use super::{SprtArgs, files};
use crate::commands::steps::{NoSeed, end};
use coinche_protocol::{ProgramInfo, STOP};
use coinche_runs::config::{MOST_DEALS, Shard};
use coinche_runs::directory::task;
use coinche_runs::job::{Identity, Job, State, Task};
use coinche_runs::steps::{Place, play};

/// The directory of the waves in that of a test.
pub(in crate::commands) const WAVES: &str = "waves";

/// The default number of looks in a shard of a wave.
const LOOKS: u64 = 16;

/// The requested share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Share {
    shard: Shard,
    wave: Option<u64>,
}

impl Share {
    /// Parses the flags; `None` if the whole test is requested.
    pub(super) fn of(args: &SprtArgs) -> Result<Option<Self>, ArenaError> {
        let Some(shard) = args.shard else { return Ok(None) };
        if args.play.seed.seed.is_none() {
            return Err(NoSeed.into());
        }
        args.wave.map(|wave| OutOfRange::check("wave", wave, 1..=MOST_DEALS)).transpose()?;
        Ok(Some(Self { shard, wave: args.wave }))
    }

    /// Returns the maximum number of deals in a wave.
    fn wave(&self, every: u64) -> u64 {
        let looks = self.shard.of().saturating_mul(LOOKS);
        self.wave.unwrap_or_else(|| every.saturating_mul(looks)).min(MOST_DEALS)
    }
}

/// The progress of a test.
struct Standing {
    /// The first deal that was not played.
    done: u64,
    decision: Decision,
    has_control: bool,
}

impl Standing {
    /// Reads the progress of the test in a directory, while processes may be running on it.
    fn read(whole: &Path, asked: &Asked) -> Result<Self, ArenaError> {
        let Some(state) = State::read(whole)? else {
            if let Some(file) = foreign_data(whole, &[]) {
                return Err(ArenaError::RunExists { path: whole.to_owned(), file });
            }
            return Ok(Self { done: 0, decision: Decision::GoOn, has_control: false });
        };
        task(&asked.config)?.check(whole, &state)?;
        let totals = state.restore(whole, &asked.config)?;
        let last = files::last_look(whole, asked, &totals)?;
        let test = SequentialTest::resume(asked.plan, last, asked.sums(totals.first()))?;
        let (decision, has_control) = (test.decision(), totals.control.is_some());
        Ok(Self { done: state.done, decision, has_control })
    }
}

/// Plays a share of the next wave.
pub(super) fn make(asked: &Asked, programs: Vec<ProgramInfo>, share: Share) -> Result<Exit, ArenaError> {
    let (whole, mode) = (files::directory(asked)?, asked.config.progress);
    let Standing { done, decision, has_control } = Standing::read(&whole, asked)?;
    if decision != Decision::GoOn {
        let over = format!("the test in {} is over: nothing is left to play", whole.display());
        if mode != ProgressMode::None {
            tell(&over);
        }
        return Ok(Exit::Done);
    }
    let deals = done..asked.plan.most.min(done.saturating_add(share.wave(asked.plan.every)));
    let task = Task::shard(Job::Sprt, Identity::new(&asked.config)?, share.shard, deals);
    let task = Task { command: asked.command.clone(), ..task.by(asked.config.threads) };
    let place = Place { whole, steps: WAVES, number: done };
    let (unit, range) = (asked.config.unit.plural(), task.range());
    let what = if range.is_empty() {
        format!("shard {} of the wave from {} on has no {unit}", share.shard, thousands(done))
    } else {
        let [from, to] = [range.start, range.end - 1].map(thousands);
        format!("shard {}, {unit} {from} to {to}", share.shard)
    };
    let needs_control = asked.config.control.is_some() && !has_control;
    let ended = play(&place, &task, &asked.config, asked.plan.every, needs_control, || Ok(programs), &STOP)?;
    Ok(end(&place.part(share.shard), &what, ended, mode))
}
