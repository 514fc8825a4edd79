//! All parts of a job: checks that they belong together and cover each deal once.

use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use coinche_bots::Registry;
use coinche_selfplay::base::files::checksums::{Checksums, Sum};
use coinche_selfplay::base::{ArenaError, Result};
use serde::de::DeserializeOwned;

use super::error::MergeError;
use super::identity::Identity;
use super::list::Job;
use super::sink::SavedSink;
use super::state::{NotEnded, ROWS, STATE, State, range, share};
use crate::commit::COMMIT;
use crate::config::{RunConfig, RunFile, Shard};
use crate::damage::Damage;

/// All parts of a job, in deal order.
#[derive(Debug)]
pub struct Parts {
    paths: Vec<PathBuf>,
    /// The job that they are of.
    pub job: Job,
    /// The command of the whole, if the job stores it.
    pub command: String,
    /// What all of them have in common.
    pub identity: Identity,
    /// The first deal of the whole.
    pub first: u64,
    /// The end of its range.
    pub asked: u64,
}

/// A part without its sums, so that those of a thousand parts are not in memory at once.
struct Head {
    path: PathBuf,
    state: State,
    /// Whether no process is writing the part.
    is_closed: bool,
}

impl Parts {
    /// Reads the parts, and checks that together they cover every deal once. `make` completes the command for a missing
    /// part.
    pub fn read(paths: &[PathBuf], make: &dyn Fn(&State) -> String) -> Result<Self> {
        let mut heads = Vec::new();
        for path in paths {
            let mut state =
                State::read(path)?.ok_or_else(|| MergeError::Open(NotEnded::NoPart(path.clone())))?;
            state.sums = super::state::raw(&());
            let is_closed = Checksums::are_in(path) && state.is_closed();
            heads.push(Head { path: path.clone(), state, is_closed });
        }
        // An empty part sorts before the one that begins with the same deal.
        heads.sort_by_key(|head| (head.state.start, head.state.done));
        let asked = check(&heads, make)?;
        let paths = heads.iter().map(|head| head.path.clone()).collect();
        let State { job, command, identity, first, .. } = heads.swap_remove(0).state;
        Ok(Self { paths, job, command, identity, first, asked })
    }

    /// Returns the number of parts.
    pub const fn count(&self) -> usize {
        self.paths.len()
    }

    /// Returns the number of deals.
    pub const fn deals(&self) -> u64 {
        self.asked - self.first
    }

    /// Returns the run configuration of these settings.
    pub fn config(&self, settings: toml::Table, registry: &Registry) -> Result<RunConfig> {
        let file: RunFile = settings.try_into().map_err(|why: toml::de::Error| self.damaged(why))?;
        RunFile { deals: Some(self.deals()), ..file }.check(registry)
    }

    /// Returns the settings as the type of the job.
    pub fn settings<T: DeserializeOwned>(&self) -> Result<T> {
        self.identity.settings.clone().try_into().map_err(|why: toml::de::Error| self.damaged(why))
    }

    /// Returns the directories.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Checks that this program, with the files it finds, would make the same parts.
    pub fn check_program(&self, now: &Identity) -> Result<()> {
        let (differences, files) = (self.identity.differences(now), self.identity.differing_files(now));
        match () {
            () if differences.is_empty() => Ok(()),
            () if differences == files => Err(MergeError::OtherFiles { differences }.into()),
            () => Err(MergeError::OtherProgram { differences }.into()),
        }
    }

    /// Returns the error for a first part that is not what its job writes.
    pub fn damaged(&self, why: impl std::error::Error + Send + Sync + 'static) -> ArenaError {
        ArenaError::damaged(self.paths[0].join(STATE), why)
    }

    /// Passes on the states of the parts, in deal order.
    pub fn each(&self, mut add: impl FnMut(&Path, State) -> Result<()>) -> Result<()> {
        self.paths.iter().try_for_each(|path| add(path, State::closed(path)?))
    }

    /// Passes on the sums of the parts, in deal order.
    pub fn each_sums(&self, mut add: impl FnMut(&State) -> Result<(), Damage>) -> Result<()> {
        self.each(|path, state| add(&state).map_err(|why| ArenaError::damaged(path.join(STATE), why)))
    }

    /// Passes on the rows of the parts, in deal order, each with its path.
    pub fn each_rows(&self, mut add: impl FnMut(&Path, &mut dyn Read) -> Result<()>) -> Result<()> {
        self.each(|directory, state| {
            let saved = state.tables.iter().find(|table| table.file == ROWS);
            let sum = saved.and_then(SavedSink::sum);
            let (_, sum) = sum.ok_or_else(|| ArenaError::damaged(directory.join(STATE), Damage::Totals))?;
            let path = directory.join(ROWS);
            add(&path, &mut rows(&path, sum)?)
        })
    }
}

/// Opens the rows of a finished part, after verifying their checksum.
fn rows(path: &Path, written: Sum) -> Result<impl Read> {
    written.check(path)?;
    let error = |source| ArenaError::read(path, source);
    let file = BufReader::new(std::fs::File::open(path).map_err(error)?);
    zstd::stream::Decoder::with_buffer(file).map_err(error)
}

/// Checks that parts are of one job, finished, and cover every deal once. Returns the end of their deals.
fn check(heads: &[Head], make: &dyn Fn(&State) -> String) -> Result<u64> {
    let Head { path: first_path, state: first, .. } = &heads[0];
    for Head { path, state, .. } in heads {
        if let Some(why) = state.contradictions().into_iter().next() {
            return Err(ArenaError::damaged(path.join(STATE), why));
        }
        if state.job != first.job {
            let (path, first_path) = (path.clone(), first_path.clone());
            return Err(MergeError::OtherCommand {
                path,
                job: state.job,
                first: first_path,
                first_job: first.job,
            }
            .into());
        }
        let mut differences = first.identity.differences(&state.identity);
        if differences.is_empty() && first.command != state.command {
            differences.push(format!("command: `{}` there, `{}` now", first.command, state.command));
        }
        // Runs may have been extended at different times: the last shard decides.
        let asked = |state: &State| if state.job == Job::Run { 0 } else { state.asked };
        if (first.first, asked(first)) != (state.first, asked(state)) {
            let [there, now] = [first, state].map(|state| range(state.first..state.asked));
            differences.push(format!("{}: {there} there, {now} now", first.unit()));
        }
        if !differences.is_empty() {
            let (path, first) = (path.clone(), first_path.clone());
            return Err(MergeError::OtherRun { path, first, differences }.into());
        }
    }
    if first.identity.commit != COMMIT {
        let differences = vec![format!("commit: {} there, {COMMIT} now", first.identity.commit)];
        return Err(MergeError::OtherProgram { differences }.into());
    }
    let unit = first.unit();
    // Reported first, because its remedy differs from that of a missing part.
    if let Some(Head { path, state, .. }) = heads.iter().find(|head| !head.state.is_done()) {
        let State { done, end, .. } = *state;
        let command = command(state, state.shard, make);
        let path = path.clone();
        return Err(MergeError::NotAtEnd { unit, from: done, to: end - 1, path, command }.into());
    }
    if let Some(Head { path, .. }) = heads.iter().find(|head| !head.is_closed) {
        return Err(MergeError::Open(NotEnded::Unfinished(path.clone())).into());
    }
    let missing = |from: u64, to: u64, before: Option<&Head>, after: Option<&Head>| {
        let [before, after] = [before, after].map(|head| head.map(|head| head.path.clone()));
        let (missing, command) = (not_given(heads), command(first, None, make));
        Err(MergeError::Missing { unit, from, to, before, after, missing, command }.into())
    };
    let (mut next, mut last): (u64, Option<&Head>) = (first.first, None);
    for head in heads {
        let State { start, done, .. } = head.state;
        if start > next {
            return missing(next, start - 1, last, Some(head));
        }
        if start < next {
            let (to, first) = (next.min(done).max(start + 1) - 1, last.map(|last| last.path.clone()));
            let (first, second) = (first.unwrap_or_default(), head.path.clone());
            return Err(MergeError::Overlap { unit, from: start, to, first, second }.into());
        }
        (next, last) = (done, Some(head));
    }
    // A step also needs the shards without deals, which may have their share of a control.
    if let Some(shard) = not_given(heads).first().filter(|_| first.job.is_stepwise()) {
        let range = share(Some(*shard), first.first..first.asked, first.chunk);
        return missing(range.start, range.end.max(range.start + 1) - 1, None, None);
    }
    match last.filter(|last| last.state.end < last.state.asked) {
        Some(last) => missing(next, last.state.asked - 1, Some(last), None),
        None if next == first.first => Err(MergeError::Nothing(unit).into()),
        None => Ok(next),
    }
}

/// Returns the command that makes a shard; empty if the job does not store its command.
fn command(state: &State, shard: Option<Shard>, make: &dyn Fn(&State) -> String) -> String {
    if state.command.is_empty() {
        return String::new();
    }
    let shard = shard.map_or_else(String::new, |shard| format!(" --shard {shard}"));
    format!("{}{}{shard}", state.command, make(state))
}

/// Returns the shards that are missing, if all have the same number of shards.
fn not_given(heads: &[Head]) -> Vec<Shard> {
    let Some(first) = heads[0].state.shard else { return Vec::new() };
    if heads.iter().any(|head| head.state.shard.is_none_or(|shard| shard.of() != first.of())) {
        return Vec::new();
    }
    let is_given = |shard: &Shard| heads.iter().any(|head| head.state.shard == Some(*shard));
    let State { job, first: from, asked, chunk, .. } = heads[0].state;
    // Shards without deals are not made, except for a step, where they may have their share of a control.
    let is_made = |shard: &Shard| job.is_stepwise() || !share(Some(*shard), from..asked, chunk).is_empty();
    first.all().filter(|shard| is_made(shard) && !is_given(shard)).collect()
}
