//! Parts without a plan.

use std::fs;
use std::path::{Path, PathBuf};

use coinche_bots::Registry;

use super::found::{self, Found};
use super::gather::{self, Together};
use super::work::Work;
use super::{Job, Part, PartState};

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
                    (found.job, &found.identity, found.asked) == (first.job, &first.identity, first.asked)
                }
                _ => false,
            }
        });
        let part = to_part(path, found, &work);
        match same {
            Some(job) => job.parts.push(part),
            None => jobs.push(new(part)),
        }
    }
    for job in &mut jobs {
        job.parts.sort_by_key(|part| part.found.as_ref().map(|found| (found.range.start, found.range.end)));
        // An unsharded run, or merged shards.
        job.is_merged =
            matches!(&job.parts[..], [alone] if alone.state == PartState::Done && alone.number.is_none());
        add_missing(job);
        let Together { problems, twice, verdict } = gather::together(job, registry);
        (job.problems, job.twice) = (problems, twice);
        job.verdict = verdict;
    }
    jobs
}

fn to_part(path: PathBuf, found: Result<Found, String>, work: &Work) -> Part {
    let (state, found, problem) = match found {
        Ok(found) if found.is_complete => (PartState::Done, Some(found), None),
        Ok(found) if work.is_in(&path, None) => (PartState::Working, Some(found), None),
        Ok(found) => (PartState::Stopped, Some(found), None),
        Err(problem) => (PartState::Damaged, None, Some(problem)),
    };
    let number = found.as_ref().and_then(|found| found.shard);
    Part { number, path, state, found, exit: None, stderr: Vec::new(), problem }
}

fn new(part: Part) -> Job {
    let found = part.found.as_ref();
    Job {
        plan: None,
        command: found.map_or_else(|| "unknown".to_owned(), |found| found.command.clone()),
        kind: found.map_or(coinche_runs::job::Job::Run, |found| found.job),
        commit: found.map(|found| found.identity.commit.clone()).filter(|commit| !commit.is_empty()),
        of_matches: found.is_some_and(|found| found.of_matches),
        asked: found.and_then(|found| found.asked),
        before: 0,
        parts: vec![part],
        problems: Vec::new(),
        twice: Vec::new(),
        is_merged: false,
        merge_failed: None,
        verdict: None,
    }
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
            job.parts.push(Part {
                number: Some((number, of)),
                path: PathBuf::new(),
                state: PartState::Waiting,
                found: None,
                exit: None,
                stderr: Vec::new(),
                problem: None,
            });
        }
    }
    job.parts.sort_by_key(|part| part.number);
}
