//! `part.json`: a share of a step, as far as it is played.

use core::ops::Range;
use std::path::Path;

use coinche_inference::PairedSums;
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::files::{if_there, read_bounded};
use serde::{Deserialize, Serialize};

use super::error::PartDamage;
use super::{Task, share_of};
use crate::run::checksums::Checksums;
use crate::run::config::{RunConfig, Shard};
use crate::run::damage::Damage;
use crate::run::directory::Identity;
use crate::run::figures::Timing;
use crate::run::totals::{SavedTotals, Totals};

/// The name of the file.
pub(super) const PART: &str = "part.json";

/// The version of its form.
pub(super) const VERSION: u32 = 1;

/// The most bytes of it that are read.
const MOST: u64 = 1 << 32;

/// Deals in a row, up to `end`, and what they came to.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedStretch {
    pub(super) end: u64,
    pub(super) totals: SavedTotals,
}

/// Deals in a row, up to `end`, and what they came to.
#[derive(Debug, Clone)]
pub(crate) struct Stretch {
    pub(crate) end: u64,
    pub(crate) totals: Totals,
}

/// The file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Saved {
    pub(super) v: u32,
    pub(super) command: String,
    pub(super) identity: Identity,
    pub(super) shard: Shard,
    /// The first deal of the step, and the first behind it.
    pub(super) step: [u64; 2],
    /// The first deal of the share, the first that is not played, and the first behind the share.
    pub(super) start: u64,
    pub(super) done: u64,
    pub(super) end: u64,
    /// The sums of the control over the share's deals of its own, in the first step of what has a control.
    pub(super) control: Option<PairedSums>,
    pub(super) stretches: Vec<SavedStretch>,
    pub(super) timing: Option<Timing>,
}

impl Saved {
    /// Starts a part.
    pub(super) fn new(task: &Task) -> Self {
        let Range { start, end } = task.range();
        Self {
            v: VERSION,
            command: task.command.clone(),
            identity: task.identity.clone(),
            shard: task.shard,
            step: [task.deals.start, task.deals.end],
            start,
            done: start,
            end,
            control: None,
            stretches: Vec::new(),
            timing: None,
        }
    }

    /// Reads the file of a part; `None` where there is none yet.
    ///
    /// # Errors
    ///
    /// When it is damaged or cannot be read.
    pub(super) fn read(directory: &Path) -> Result<Option<Self>, ArenaError> {
        let path = directory.join(PART);
        let Some(text) = if_there(read_bounded(&path, MOST))? else { return Ok(None) };
        let saved = Self::parse(&text).and_then(|saved| saved.check(share_of(directory)).map(|()| saved));
        saved.map(Some).map_err(|why| ArenaError::damaged(path, why))
    }

    /// Reads the text of the file.
    ///
    /// # Errors
    ///
    /// Says what is wrong with it.
    pub(super) fn parse(text: &[u8]) -> Result<Self, PartDamage> {
        let saved: Self = serde_json::from_slice(text).map_err(Damage::from)?;
        if saved.v != VERSION {
            return Err(Damage::Version { found: saved.v, read: VERSION }.into());
        }
        Ok(saved)
    }

    /// Checks what does not fit together in the file itself, or does not fit the name of its directory.
    pub(super) fn check(&self, place: Option<Shard>) -> Result<(), PartDamage> {
        if let Some(expected) = place.filter(|expected| *expected != self.shard) {
            let (found, expected) = (self.shard.to_string(), expected.to_string());
            return Err(PartDamage::Place { found, expected });
        }
        if !self.identity.is_sound() {
            return Err(PartDamage::Fingerprint);
        }
        let [from, to] = self.step;
        let Range { start, end } = self.shard.range(to.saturating_sub(from));
        let is_share = from <= to && [self.start, self.end] == [from + start, from + end];
        if !is_share || !(self.start..=self.end).contains(&self.done) {
            return Err(PartDamage::Range);
        }
        let mut at = self.start;
        for SavedStretch { end, totals } in &self.stretches {
            if *end <= at || totals.pairs() != end - at {
                return Err(PartDamage::Stretches);
            }
            at = *end;
        }
        if at == self.done { Ok(()) } else { Err(PartDamage::Stretches) }
    }

    /// Tests if all of the share is played.
    pub(super) const fn is_whole(&self) -> bool {
        self.done == self.end
    }

    /// Returns the stretches with their totals.
    ///
    /// # Errors
    ///
    /// When they do not fit the configuration.
    pub(super) fn restore(
        stretches: Vec<SavedStretch>,
        directory: &Path,
        config: &RunConfig,
    ) -> Result<Vec<Stretch>, ArenaError> {
        let damaged = |why| ArenaError::damaged(directory.join(PART), why);
        let restore = |SavedStretch { end, totals }| {
            let totals: Totals = totals.restore(&config.rules, config.unit).map_err(damaged)?;
            if totals.encounters != config.encounters() {
                return Err(damaged(Damage::Encounters));
            }
            Ok(Stretch { end, totals })
        };
        stretches.into_iter().map(restore).collect()
    }

    /// Returns what differs from a part of the same step, as `name: this there, that now`.
    pub(super) fn differences(&self, identity: &Identity, command: &str, step: [u64; 2]) -> Vec<String> {
        let mut found = self.identity.differences(identity);
        if found.is_empty() && self.command != command {
            found.push(format!("command: `{}` there, `{command}` now", self.command));
        }
        if self.step != step {
            let range = |[from, to]: [u64; 2]| format!("{from} to {}", to.saturating_sub(1));
            let [there, now] = [self.step, step].map(range);
            found.push(format!("{} of the step: {there} there, {now} now", unit_of(&self.identity)));
        }
        found
    }
}

/// Checks the file of a part against its sum; tests if there is one: a process has ended its work.
///
/// # Errors
///
/// When it is damaged or cannot be read.
pub(super) fn is_sealed(directory: &Path) -> Result<bool, ArenaError> {
    let Some(sums) = Checksums::read(directory)? else { return Ok(false) };
    let Some(sum) = sums.get(PART) else { return Ok(false) };
    match Checksums::difference(directory, PART, sum)? {
        None => Ok(true),
        Some(why) => Err(ArenaError::damaged(directory.join(PART), PartDamage::Sum(why))),
    }
}

/// Returns what the deals of some settings are called.
pub(super) fn unit_of(identity: &Identity) -> &'static str {
    let are_matches = identity.settings.get("match") == Some(&toml::Value::Boolean(true));
    if are_matches { "matches" } else { "deals" }
}
