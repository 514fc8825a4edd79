//! `part.json`: how far a part has come, with its totals.

use core::ops::Range;
use std::path::Path;

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::files::{if_there, read_bounded};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::error::PartError;
use super::rows::SavedRows;
use crate::run::checksums::{Checksums, Sum};
use crate::run::config::Shard;
use crate::run::damage::Damage;
use crate::run::directory::{Identity, NotEnded};

/// The name of the file.
pub(crate) const STATE: &str = "part.json";

/// The most bytes of it that are read.
const MOST: u64 = 1 << 30;

/// The version of its form.
pub(super) const VERSION: u32 = 1;

/// The state of a part.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct State {
    /// The version of this form.
    pub(crate) v: u32,
    /// The command, without `arena`.
    pub(crate) command: String,
    pub(crate) identity: Identity,
    pub(crate) shard: Shard,
    /// The first deal of the whole.
    pub(crate) first: u64,
    /// The first deal of the part.
    pub(crate) start: u64,
    /// The first deal that is not in the totals.
    pub(crate) done: u64,
    /// The first deal behind the part.
    pub(crate) end: u64,
    /// The first deal behind the whole.
    pub(crate) asked: u64,
    /// Where the rows beside the totals end, of a command that keeps some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rows: Option<SavedRows>,
    /// The totals, in the form of the command.
    pub(crate) totals: Box<RawValue>,
    pub(crate) timing: PartTiming,
}

/// When and how fast a part was made: nothing that has to be the same.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PartTiming {
    /// Of all processes that made it.
    pub(crate) seconds: f64,
    /// Of the last one.
    pub(crate) threads: usize,
}

impl State {
    /// Tests if a directory holds a part.
    pub(crate) fn is_in(directory: &Path) -> bool {
        directory.join(STATE).is_file()
    }

    /// Reads the state of the part in a directory; `None` where there is none.
    ///
    /// # Errors
    ///
    /// When it cannot be read or is damaged.
    pub(crate) fn read(directory: &Path) -> Result<Option<Self>, ArenaError> {
        let path = directory.join(STATE);
        let Some(bytes) = if_there(read_bounded(&path, MOST))? else { return Ok(None) };
        if let Some(sum) = Checksums::read(directory)?.and_then(|sums| sums.get(STATE))
            && sum != Sum::of(&bytes)
        {
            return Err(ArenaError::damaged(path, Damage::Checksum));
        }
        Self::parse(&bytes).map(Some).map_err(|why| ArenaError::damaged(&path, why))
    }

    /// Reads the state of a part that nobody works on.
    ///
    /// # Errors
    ///
    /// When there is none, somebody does, or it cannot be read or is damaged.
    pub(crate) fn closed(directory: &Path) -> Result<Self, ArenaError> {
        let state = Self::read(directory)?.ok_or_else(|| PartError::NoPart(directory.to_owned()))?;
        if !Checksums::are_in(directory) {
            return Err(NotEnded::Unfinished(directory.to_owned()).into());
        }
        Ok(state)
    }

    /// Reads the text of the file.
    ///
    /// # Errors
    ///
    /// Says what is wrong with it.
    pub(crate) fn parse(text: &[u8]) -> Result<Self, Damage> {
        let state: Self = serde_json::from_slice(text)?;
        if state.v != VERSION {
            return Err(Damage::Version { found: state.v, read: VERSION });
        }
        Ok(state)
    }

    /// Returns the text of the file.
    pub(super) fn to_json(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec(self).expect("a state is numbers, texts and lists");
        text.push(b'\n');
        text
    }

    /// Tests if all deals are in the totals.
    pub(crate) const fn is_done(&self) -> bool {
        self.done == self.end
    }

    /// Returns the word for several of what is counted.
    pub(crate) fn unit(&self) -> &'static str {
        self.identity.unit()
    }

    /// Returns what does not fit together in the state itself.
    pub(crate) fn contradictions(&self) -> Vec<String> {
        let mut found = Vec::new();
        if !self.identity.is_sound() {
            found.push("its fingerprint is not that of its settings".to_owned());
        }
        let Self { first, start, done, end, asked, .. } = *self;
        let is_range = first <= asked && share(self.shard, first, asked) == (start..end);
        if !(is_range && start <= done && done <= end) {
            found.push("its first, last and missing deals do not fit together".to_owned());
        }
        found
    }
}

/// Returns the deals of a shard, of those from `first` to `asked`.
pub(super) fn share(shard: Shard, first: u64, asked: u64) -> Range<u64> {
    let Range { start, end } = shard.range(asked.saturating_sub(first));
    first + start..first + end
}
