//! Parts without a plan.

use std::fs;
use std::path::{Path, PathBuf};

use coinche_bots::Registry;
use coinche_selfplay::Unit;

use super::found::{self, Found};
use super::logs::Log;
use super::work::Work;
use super::{Job, Part, PartState, gather};

/// A directory that may be a part, with its contents.
pub(super) type Loose = (PathBuf, Result<Found, String>);

/// Returns the part in a directory, else those in its subdirectories.
pub(super) fn parts(directory: &Path) -> Vec<Loose> {
    if let Some(part) = part(directory) {
        return vec![part];
    }
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let mut below: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    below.sort();
    below.iter().filter_map(|path| part(path)).collect()
}

fn part(directory: &Path) -> Option<Loose> {
    let found = found::read(directory).transpose()?;
    Some((directory.to_owned(), found.map_err(|error| error.to_string())))
}

/// Groups the parts by command.
pub(super) fn jobs(parts: Vec<Loose>, registry: &Registry) -> Vec<Job> {
    let work = Work::read();
    let mut jobs: Vec<Job> = Vec::new();
    for (path, found) in parts {
        let same = jobs.iter_mut().find(|job| {
            match (&found, job.parts.first().and_then(|part| part.found.as_ref())) {
                (Ok(found), Some(first)) => {
                    let [one, other] =
                        [found, first].map(|of| (of.state.job, &of.state.identity, of.asked()));
                    one == other
                }
                _ => false,
            }
        });
        let number = found.as_ref().ok().and_then(Found::shard);
        let part = Part::of(number, path, found.map(Some), &Log::default(), &work);
        match same {
            Some(job) => job.parts.push(part),
            None => jobs.push(new(part)),
        }
    }
    for job in &mut jobs {
        job.parts.sort_by_key(|part| part.found.as_ref().map(|found| (found.state.start, found.state.end)));
        // An unsharded run, or merged shards.
        job.is_merged =
            matches!(&job.parts[..], [alone] if alone.state == PartState::Done && alone.number.is_none());
        add_missing(job);
        gather::together(job, registry);
    }
    jobs
}

fn new(part: Part) -> Job {
    let Some(found) = &part.found else {
        return Job::new(coinche_runs::Job::Run, "unknown".to_owned(), vec![part]);
    };
    let (state, asked) = (&found.state, found.asked());
    let commit = Some(state.identity.commit.clone()).filter(|commit| !commit.is_empty());
    let of_matches = state.unit() == Unit::Match.plural();
    Job { commit, of_matches, asked, ..Job::new(state.job, found.command.clone(), vec![part]) }
}

/// The maximum number of shards for which missing ones are listed as parts.
const MOST: u64 = 10_000;

/// Adds the missing shards, if all existing ones have the same number of shards.
fn add_missing(job: &mut Job) {
    let mut divisions = job.parts.iter().filter_map(|part| part.number).map(|(_, of)| of);
    let Some(of) = divisions.next().filter(|of| *of <= MOST) else { return };
    if divisions.any(|other| other != of) || job.parts.iter().any(|part| part.number.is_none()) {
        return;
    }
    for number in 1..=of {
        if job.parts.iter().all(|part| part.number != Some((number, of))) {
            job.parts.push(Part::new(Some((number, of)), PathBuf::new(), PartState::Waiting));
        }
    }
    job.parts.sort_by_key(|part| part.number);
}
