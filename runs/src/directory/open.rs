//! Finds and locks the directory of a run.

use std::fs;
use std::path::{Path, PathBuf};

use coinche_bots::TeamSpec;
use coinche_selfplay::base::error::{ArenaError, ModuleError};
use coinche_selfplay::base::files::foreign_data;

use crate::config::{RunConfig, seed_slug};
use crate::job::{Held, Identity, Job, STATE, State};

/// Returns the directory of a run: the requested one, or one whose name is derived from the bots, the seed and all
/// other settings, so that the same command finds it again.
pub(super) fn directory(config: &RunConfig, identity: &Identity) -> PathBuf {
    if let Some(path) = &config.out {
        return path.clone();
    }
    let bots: Vec<_> = config.bots.iter().map(TeamSpec::name).collect();
    let slug: String = bots
        .join("-")
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() || letter == '.' { letter } else { '-' })
        .take(60)
        .collect();
    let shard = config.shard.map_or_else(String::new, |shard| format!("-shard-{shard}").replace('/', "-of-"));
    let name = format!("{slug}-seed-{}-{}{shard}", seed_slug(&config.seed), &identity.fingerprint[..8]);
    Path::new("results").join("runs").join(name)
}

/// Creates the directory of a run if needed, and locks it: `config.toml` is the lock file.
pub(super) fn take(path: &Path) -> Result<Held, ArenaError> {
    // A directory with data but without the state of a run belongs to something else.
    if fs::symlink_metadata(path.join(STATE)).is_err()
        && let Some(file) = foreign_data(path, &[])
    {
        return Err(ArenaError::RunExists { path: path.to_owned(), file });
    }
    if State::read(path)?.is_some_and(|state| state.job != Job::Run) {
        return Err(ArenaError::RunExists { path: path.to_owned(), file: STATE });
    }
    Held::lock(path, "config.toml")
}

/// The run in a directory already has more deals than requested.
#[derive(Debug, thiserror::Error)]
#[error("{} already has {there} {unit}, more than the {asked} asked for: ask for as many, or choose another directory \
         with --out", path.display())]
struct HasMore {
    path: PathBuf,
    there: u64,
    asked: u64,
    unit: &'static str,
}

impl ModuleError for HasMore {}

/// Checks that the run in a directory has the requested settings.
pub fn check(path: &Path, state: &State, identity: &Identity, config: &RunConfig) -> Result<(), ArenaError> {
    let mut differences = state.identity.differences(identity);
    let range = config.range();
    if state.start != range.start {
        differences.push(format!("first deal: {} there, {} now", state.start, range.start));
    }
    if !differences.is_empty() {
        return Err(ArenaError::OtherRun { path: path.to_owned(), differences });
    }
    if state.done > range.end {
        let (there, asked) = (state.done - state.start, range.end - range.start);
        return Err(HasMore { path: path.to_owned(), there, asked, unit: config.unit.plural() }.into());
    }
    Ok(())
}
