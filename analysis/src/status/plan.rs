//! The parts of a plan.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use coinche_bots::Registry;
use coinche_selfplay::{Exit, Result};
use serde_json::Value;

use super::found::{self, json};
use super::logs::{Log, stderr};
use super::work::Work;
use super::{Job, Part, PartState, gather};
use crate::plan::PlanFile;
use coinche_runs::{Shard, State};

/// Reads the parts of a plan.
pub(super) fn read(directory: &Path, plan: &PlanFile, registry: &Registry) -> Result<Job> {
    let (logs, whole, work) = (directory.join("logs"), directory.join("whole"), Work::read());
    let width = plan.shards.to_string().len().max(4);
    let step = if plan.stepwise { last_step(&whole) } else { None };
    let mut parts: Vec<Part> = (1..=plan.shards)
        .map(|number| {
            let name = format!("{number:0width$}");
            let numbers = (number, plan.shards);
            match &step {
                // Before the first wave and after the last one there are no parts.
                None if plan.stepwise => waiting(numbers, &whole, &logs, &name),
                None => part(numbers, directory.join("parts").join(&name), &logs, &name, &work),
                Some(step) => {
                    part(numbers, step.join(format!("{number}-of-{}", plan.shards)), &logs, &name, &work)
                }
            }
        })
        .collect();
    name_foreign(plan, &mut parts);
    let merge = Log::read(&logs, "merge");
    let over = [Exit::Done, Exit::Lower, Exit::Undecided].map(|exit| Some(exit as i32));
    let is_over = over.contains(&merge.exit) && (plan.kind.may_end_early() || merge.exit == over[0]);
    let is_merged =
        if plan.stepwise { is_over || has_decided(&whole)? } else { is_whole(directory, &whole, plan)? };
    let failed = merge.exit.filter(|exit| !is_merged && *exit != 0 && *exit != 12);
    let mut job = Job {
        plan: Some(directory.to_owned()),
        commit: Some(plan.commit.clone()),
        of_matches: plan.unit == "matches",
        asked: plan.deals,
        before: if plan.stepwise { before(&whole, plan.deals)? } else { 0 },
        is_merged,
        merge_failed: failed.map(|exit| (exit, stderr(&logs, "merge"))),
        ..Job::new(plan.kind, plan.line(), parts)
    };
    gather::together(&mut job, registry);
    Ok(job)
}

/// Returns a part of a wave that does not exist; its last attempt may have failed before creating it.
fn waiting(number: (u64, u64), whole: &Path, logs: &Path, name: &str) -> Part {
    let log = Log::read(logs, name);
    let state = if log.has_failed() { PartState::Failed } else { PartState::Waiting };
    attempted(Part::new(Some(number), whole.to_owned(), state), &log, logs, name)
}

/// Adds the end of the last attempt to a part.
fn attempted(part: Part, log: &Log, logs: &Path, name: &str) -> Part {
    let stderr = if part.state == PartState::Failed { stderr(logs, name) } else { Vec::new() };
    Part { exit: log.exit, stderr, ..part }
}

/// Returns the status of one part.
fn part(number: (u64, u64), path: PathBuf, logs: &Path, name: &str, work: &Work) -> Part {
    let found = found::read(&path).map_err(|error| error.to_string());
    let log = Log::read(logs, name);
    attempted(Part::of(Some(number), path, found, &log, work), &log, logs, name)
}

/// Marks the parts whose command differs from the majority's, or that are in another one's place.
fn name_foreign(plan: &PlanFile, parts: &mut [Part]) {
    let mut commands = BTreeMap::<String, usize>::new();
    let key =
        |state: &State| format!("{:?}\n{}\n{}", state.job, state.identity.commit, state.identity.settings);
    let states = || parts.iter().filter_map(|part| Some(&*part.found.as_ref()?.state));
    for state in states() {
        *commands.entry(key(state)).or_default() += 1;
    }
    let Some(most) = commands.values().max().copied() else { return };
    let common = states().find(|state| commands[&key(state)] == most);
    let Some((common, identity)) = common.map(|state| (key(state), state.identity.clone())) else { return };
    for part in parts {
        let Some(found) = &part.found else { continue };
        let state = &found.state;
        let mut differences =
            if key(state) == common { Vec::new() } else { state.identity.differences(&identity) };
        if state.job != plan.kind && state.job.is_stepwise() == plan.stepwise {
            differences.push(format!("it is of `arena {}`", state.job.name()));
        }
        if let (Some(there), Some(number)) = (found.shard(), part.number)
            && there != number
        {
            differences.push(format!("it is shard {}/{}", there.0, there.1));
        }
        if let (Some(asked), Some(deals)) = (found.asked(), plan.deals)
            && asked != deals
        {
            differences.push(format!("it is of {asked} {}, the plan of {deals}", plan.unit));
        }
        if !differences.is_empty() {
            part.state = PartState::Foreign;
            part.problem = Some(format!("it is not of this plan: {}; remove it", differences.join("; ")));
        }
    }
}

/// Returns the last step of a command in waves.
fn last_step(whole: &Path) -> Option<PathBuf> {
    let of = |steps: PathBuf| {
        let steps = fs::read_dir(steps).ok()?;
        steps.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).max()
    };
    [whole.join("waves"), whole.join("steps")].into_iter().find_map(of)
}

/// Tests if the merged result exists.
fn is_whole(directory: &Path, whole: &Path, plan: &PlanFile) -> Result<bool> {
    if plan.kind.is_of_sums() {
        return Ok(directory.join("whole.txt").is_file());
    }
    Ok(found::read(whole)?.is_some_and(|found| {
        let asked = found.asked();
        found.is_complete && found.state.shard.is_none() && asked == plan.deals.or(asked)
    }))
}

/// Tests if a sequential test is over.
fn has_decided(whole: &Path) -> Result<bool> {
    Ok(json(&whole.join("sprt.json"))?["interrupted"] == Value::Bool(false))
}

/// Returns the number of merged deals of a command in waves.
fn before(whole: &Path, asked: Option<u64>) -> Result<u64> {
    if let Some(found) = found::read(whole)? {
        return Ok(found.done());
    }
    // A tuning has iterations with the same number of deals each.
    let json = json(&whole.join("tune.json"))?;
    let of_tuning = || {
        let [done, all] = ["done", "iterations"].map(|key| json[key].as_u64());
        asked?.checked_div(all?)?.checked_mul(done?)
    };
    Ok(of_tuning().unwrap_or(0))
}

/// Returns the deals of a part that is not begun.
pub(super) fn range(number: (u64, u64), asked: u64) -> Option<core::ops::Range<u64>> {
    let shard: Shard = format!("{}/{}", number.0, number.1).parse().ok()?;
    Some(shard.range(asked))
}
