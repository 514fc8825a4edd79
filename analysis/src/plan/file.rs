//! `plan.toml`: what to compute, with which program, and the cost.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use coinche_selfplay::base::files::checksums::sealed_toml;
use coinche_selfplay::base::files::{read_toml, write_whole};
use coinche_selfplay::{ArenaError, Result};
use serde::{Deserialize, Serialize};

use super::{Estimate, PlanError};
use coinche_runs::Job;

/// The name of the file.
const PLAN: &str = "plan.toml";
/// The version of its format.
pub(super) const FORM: u32 = 1;

/// A plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanFile {
    /// The version of this format.
    pub v: u32,
    /// The version of the program.
    pub version: String,
    /// The commit from which it was built.
    pub commit: String,
    /// The job to divide.
    pub kind: Job,
    /// Whether its parts are made in waves, each followed by a merge.
    pub stepwise: bool,
    /// The number of parts.
    pub shards: u64,
    /// The words of the command, with the seed.
    pub command: Vec<String>,
    /// The words of the merge.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output: Vec<String>,
    /// The seed, if randomness is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// The number of deals or matches, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deals: Option<u64>,
    /// `deals` or `matches`.
    pub unit: String,
    /// The threads of a part.
    pub threads: usize,
    /// The program.
    pub arena: PathBuf,
    /// The base directory of relative paths: where the plan was made.
    pub from: PathBuf,
    /// The cost estimate; last, since TOML requires tables at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
}

/// The file has another format version.
#[derive(Debug, thiserror::Error)]
#[error("its form has version {0}, this program reads {FORM}")]
struct OtherForm(u32);

impl PlanFile {
    /// Reads the plan in a directory; `None` if there is none.
    pub fn read(directory: &Path) -> Result<Option<Self>> {
        let path = directory.join(PLAN);
        if fs::symlink_metadata(&path).is_err() {
            return Ok(None);
        }
        let plan: Self =
            toml::from_str(&read_toml(&path)?).map_err(|error| ArenaError::input(&path, error))?;
        if plan.v != FORM {
            return Err(ArenaError::input(&path, OtherForm(plan.v)));
        }
        Ok(Some(plan))
    }

    /// Writes the plan into a directory.
    pub(super) fn write(&self, directory: &Path) -> Result<()> {
        let text = toml::to_string(self).map_err(|error| ArenaError::input(directory.join(PLAN), error))?;
        let text = format!(
            "# A plan of `arena plan`. The scripts beside it do what it says, `arena status` tells how far they are.\n\
             # docs/user/clusters.md describes both.\n{text}"
        );
        write_whole(&directory.join(PLAN), sealed_toml(&text).as_bytes())
    }

    /// Returns the command as typed.
    pub fn line(&self) -> String {
        line(&self.command)
    }

    /// Describes how another plan differs, as `name: this there, that now`.
    pub(super) fn differences(&self, now: &Self) -> Vec<String> {
        let mut found = Vec::new();
        let mut compare = |name: &str, there: &dyn Display, now: &dyn Display| {
            let [there, now] = [there, now].map(ToString::to_string);
            if there != now {
                found.push(format!("{name}: {there} there, {now} now"));
            }
        };
        compare("command", &self.line(), &now.line());
        compare("output", &line(&self.output), &line(&now.output));
        compare("shards", &self.shards, &now.shards);
        compare("threads", &self.threads, &now.threads);
        compare("made in", &self.from.display(), &now.from.display());
        compare("commit", &self.commit, &now.commit);
        found
    }
}

/// Quotes words for a shell.
pub(super) fn line(words: &[String]) -> String {
    // No word contains a NUL byte: none can be typed.
    let words = words.iter().map(|word| shlex::try_quote(word).unwrap_or_else(|_| word.into()));
    words.collect::<Vec<_>>().join(" ")
}

/// Returns a path as text for scripts.
pub(super) fn text(path: &Path) -> Result<&str, PlanError> {
    path.to_str().ok_or_else(|| PlanError::NotText(path.to_owned()))
}
