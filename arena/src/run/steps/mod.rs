//! Parts of a step: what several machines play of a command whose deals depend on those before.
//!
//! A sequential test goes on from one wave of deals to the next, a tuning from one iteration to the next. The deals of a
//! step are shared out; each share is played into a directory of its own, `T/waves/000000004096/3-of-8` beside the files of
//! the test `T`, and `arena merge T` takes them all as if one machine had played them.
//!
//! | file | |
//! |---|---|
//! | `part.json` | what the part is of, how far it has come, and the totals of each stretch of deals |
//! | `part.lock` | locked while a process is at work |
//! | `checksums.txt` | the sum of `part.json`, while no process is at work |
//! | `stderr/` | what programs wrote to their standard errors |
//!
//! A stretch ends where the step may be cut: at the place of a look of a sequential test. `part.json` is replaced every
//! other second and when a process ends, so a process that is killed loses seconds, and the same command goes on.

mod error;
mod gather;
mod part;
mod saved;

use core::ops::Range;
use std::path::{Path, PathBuf};

use coinche_bots::Registry;

use crate::run::config::{RunFile, Shard};
use crate::run::directory::Identity;

pub(crate) use error::StepsError;
pub(crate) use gather::{Gathered, Taken, command_of, gather, remove, standing};
pub(crate) use part::{Ended, Part};
pub(crate) use saved::Stretch;

/// What a part is a share of.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Task {
    /// The command that plays the whole on one machine.
    pub(crate) command: String,
    /// What decides about the deals of the step.
    pub(crate) identity: Identity,
    /// The deals of the step, of all shares together.
    pub(crate) deals: Range<u64>,
    /// The share.
    pub(crate) shard: Shard,
}

impl Task {
    /// Returns the deals of the share.
    pub(crate) fn range(&self) -> Range<u64> {
        let Range { start, end } = self.shard.range(self.deals.end - self.deals.start);
        self.deals.start + start..self.deals.start + end
    }
}

/// Where the parts of a step are: `T/waves/000000004096`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The directory of the whole.
    pub(crate) whole: PathBuf,
    /// Under what name the steps are there.
    pub(crate) steps: &'static str,
    /// The number of the step.
    pub(crate) number: u64,
}

impl Place {
    /// Returns the directory of the step.
    pub(crate) fn step(&self) -> PathBuf {
        self.whole.join(self.steps).join(format!("{:012}", self.number))
    }

    /// Returns the directory of a part.
    pub(crate) fn part(&self, shard: Shard) -> PathBuf {
        self.step().join(format!("{}-of-{}", shard.number(), shard.of()))
    }
}

/// Reads the text of `part.json`, and what is in it: a fuzz target.
pub(crate) fn read_text(text: &[u8], registry: &Registry) {
    let Ok(saved) = saved::Saved::parse(text) else { return };
    let is_sound = saved.check(None).is_ok();
    let file: Result<RunFile, _> = saved.identity.settings.clone().try_into();
    let config = file.ok().and_then(|file| file.check(registry).ok());
    if let Some(config) = config.filter(|config| is_sound && config.encounters().len() < 64) {
        let _ = saved.timing.and_then(|timing| timing.into_clock(&config));
        let _ = saved::Saved::restore(saved.stretches, "x".as_ref(), &config);
    }
}

/// Reads the share of the name of a part's directory.
fn share_of(path: &Path) -> Option<Shard> {
    let (number, of) = path.file_name()?.to_str()?.split_once("-of-")?;
    format!("{number}/{of}").parse().ok().filter(|shard: &Shard| {
        // No other spelling of the same numbers.
        path.ends_with(format!("{}-of-{}", shard.number(), shard.of()))
    })
}
