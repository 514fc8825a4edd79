//! Combines the parts of one command.

use core::ops::Range;
use std::path::Path;

use coinche_bots::Registry;
use coinche_inference::Merge;
use coinche_selfplay::thousands;
use serde::Serialize;

use super::found::Found;
use super::{Job, Part, PartState};
use coinche_runs::{Controlled, Job as JobName, RunConfig, Totals, config_of, verdict};

/// The result of a run so far.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Verdict {
    /// In words.
    pub(super) text: String,
    /// By pairing.
    pairings: Vec<Pairing>,
}

/// The result of two bots so far.
#[derive(Debug, Clone, Serialize)]
struct Pairing {
    a: String,
    b: String,
    pairs: u64,
    mean: Option<f64>,
    half_width: Option<f64>,
}

/// Combines the parts of one command, in deal order and each deal once: inconsistencies, and the verdict.
pub(super) fn together(job: &mut Job, registry: &Registry) {
    let usable = |part: &&Part| !matches!(part.state, PartState::Foreign | PartState::Damaged);
    let parts = job.parts.iter().filter(usable);
    let parts = parts.filter_map(|part| Some((part.path.as_path(), part.found.as_ref()?)));
    let mut parts: Vec<(&Path, &Found)> = parts.collect();
    parts.sort_by_key(|(_, found)| (found.state.start, found.state.end));
    let mut problems: Vec<String> = Vec::new();
    let mut twice = Vec::new();
    let mut apart: Vec<(&Path, &Found)> = Vec::new();
    for (path, found) in parts {
        let Range { start, end } = found.range();
        match apart.last().filter(|(_, last)| start < last.state.end && start < end) {
            Some((first, last)) => {
                let (unit, first, second) = (job.unit()[1], first.display(), path.display());
                let [from, to] = [start, last.state.end.min(end) - 1].map(thousands);
                problems.push(format!(
                    "{unit} {from} to {to} are in {first} and in {second}: one of them is not needed"
                ));
                twice.push(path.to_owned());
            }
            None => apart.push((path, found)),
        }
    }
    for part in &job.parts {
        if let Some(problem) = &part.problem {
            problems.push(format!("{}: {problem}", part.path.display()));
        }
    }
    let verdict = if job.kind == JobName::Run { of_run(&apart, registry) } else { None };
    (job.problems, job.twice, job.verdict) = (problems, twice, verdict);
}

/// Adds up the totals of all parts: they are integers, so the order does not matter.
fn of_run(parts: &[(&Path, &Found)], registry: &Registry) -> Option<Verdict> {
    let (path, state) = parts.first().map(|(path, found)| (path, &found.state))?;
    // A bot whose file is missing here gives no verdict; its parts are listed nevertheless.
    let config = config_of(path, state, registry).ok()?;
    let mut totals = Totals::new(&config);
    for (path, found) in parts {
        totals.merge(&found.state.restore(path, &config).ok()?);
    }
    (totals.pairs() > 0).then(|| to_verdict(&config, &totals))
}

fn to_verdict(config: &RunConfig, totals: &Totals) -> Verdict {
    let of_bots = totals.of_bots(config);
    let pairings = of_bots.encounters.iter().zip(&of_bots.tallies).enumerate();
    let pairings = pairings.map(|(n, (encounter, tally))| {
        let [a, b] = config.pair(*encounter).map(ToString::to_string);
        let controlled = Controlled::new(config, totals, n).map(|controlled| controlled.estimate());
        let estimate = controlled.or_else(|| tally.points.estimate());
        Pairing {
            a,
            b,
            pairs: tally.points.pairs,
            mean: estimate.as_ref().map(|estimate| estimate.mean),
            half_width: estimate.and_then(|estimate| estimate.half_width),
        }
    });
    let text = verdict::document(config, totals).render_verdicts().trim_end().to_owned();
    Verdict { text, pairings: pairings.collect() }
}

/// The progress of a job.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pace {
    /// Deals or matches done.
    pub(super) done: u64,
    /// Deals or matches per second, over the running parts.
    pub(super) per_second: Option<f64>,
    /// Remaining time, in seconds.
    pub(super) left: Option<f64>,
}

impl Part {
    /// Returns the number of deals or matches done.
    pub(super) fn done(&self) -> u64 {
        self.found.as_ref().map_or(0, Found::done)
    }

    /// Returns the speed per second.
    pub(super) fn per_second(&self) -> Option<f64> {
        let seconds = self.found.as_ref()?.seconds.filter(|seconds| *seconds > 0.0)?;
        (self.done() > 0).then(|| self.done() as f64 / seconds)
    }
}

impl Job {
    /// Returns the progress. The remaining time is known while parts are running, at their speed; one that has
    /// not saved yet is assumed to be as fast as the others.
    pub(super) fn pace(&self) -> Pace {
        let counts = |part: &&Part| part.state != PartState::Foreign && !self.twice.contains(&part.path);
        let done = self.before + self.parts.iter().filter(counts).map(Part::done).sum::<u64>();
        let done = match self.asked {
            // Parts of a merged job may have been removed; a sequential test may end before its last deal.
            Some(asked) if self.is_merged && !self.kind.may_end_early() => asked,
            Some(asked) => done.min(asked),
            None => done,
        };
        let at_work: Vec<_> =
            self.parts.iter().filter(|part| part.state == PartState::Working).map(Part::per_second).collect();
        let known: Vec<f64> = at_work.iter().flatten().copied().collect();
        let per_second = (!known.is_empty())
            .then(|| known.iter().sum::<f64>() / known.len() as f64 * at_work.len() as f64);
        let left = self.asked.zip(per_second).map(|(asked, rate)| (asked - done) as f64 / rate);
        Pace { done, per_second, left: left.filter(|_| !self.is_merged) }
    }
}
