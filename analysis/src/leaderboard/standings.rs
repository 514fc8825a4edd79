//! The standings of a class: ratings from all its runs, the worst opponent, and the time of a decision.

use std::time::Duration;

use coinche_inference::{Blocks, Estimate, Pairing, Ratings, StatsError, rate};
use serde::Serialize;

use super::jobs::{Board, Job};
use super::plan::Plan;
use super::played::{Played, Results};
use crate::cycles::cycles;
use coinche_runs::figures::{Mean, nash};

/// The level of all intervals.
const LEVEL: f64 = 0.95;

/// The standings of a class.
#[derive(Debug, Clone)]
pub(crate) struct Standings {
    /// The number of the rules.
    pub rules: usize,
    /// The number of the class.
    pub class: usize,
    /// Best first.
    pub rows: Vec<Standing>,
    /// The entries that met, and the first less the second.
    pub pairs: Vec<([usize; 2], Estimate)>,
    /// The p-value of the fit of one rating, if there are enough pairings.
    pub fit: Option<f64>,
    /// What is said of cycles, with names of entries.
    pub cycles: String,
}

/// An entry in a class.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Standing {
    /// The number of the entry.
    pub entry: usize,
    /// Points per deal above the anchor.
    pub rating: Mean,
    /// Points per deal above the mean of the class.
    pub above_mean: Mean,
    /// The opponent against which it does worst, with the result.
    pub worst: (usize, Mean),
    /// The share of the entry in the Nash average.
    pub nash_share: Option<f64>,
    /// The mean processor time of a decision.
    pub time: Time,
    /// Its faults in all its runs.
    pub faults: u64,
    /// Whether so many legs of one of its runs were forfeited that its result is no verdict.
    pub is_void: bool,
}

/// The mean time of a decision.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(crate) struct Time {
    /// The number of timed decisions; those of external programs are not timed.
    pub timed: u64,
    /// In microseconds.
    pub mean: f64,
}

impl Standings {
    /// Returns what an entry scores against another one on the deals that both played against each other.
    pub(super) fn direct(&self, entry: usize, other: usize) -> Option<Mean> {
        let (ends, points) =
            self.pairs.iter().find(|(ends, _)| *ends == [entry, other] || *ends == [other, entry])?;
        let sign = if ends[0] == entry { 1.0 } else { -1.0 };
        Some(Mean { mean: sign * points.mean, half_width: points.half_width })
    }
}

impl Time {
    /// Tests if it exceeds the limit of a class.
    pub(crate) fn is_over(self, limit: Duration) -> bool {
        self.timed > 0 && self.mean > limit.as_secs_f64() * 1e6
    }
}

fn mean_of(estimate: &Estimate) -> Mean {
    Mean { mean: estimate.mean, half_width: estimate.half_width }
}

/// Rates the entries of a class, in their order there.
fn ratings(
    ends: &[[usize; 2]],
    played: &[&Played],
    estimates: &[Estimate],
    pairings: &[Pairing],
    entries: usize,
) -> Result<Ratings, StatsError> {
    let mut blocks = Blocks::new(entries, ends)?;
    blocks.set_added(&estimates.iter().map(Estimate::added_variance).collect::<Vec<_>>())?;
    for (block, deals) in played[0].blocks.iter().enumerate() {
        let sums: Vec<i128> = played.iter().map(|played| played.doubled[0][block].into()).collect();
        blocks.push(*deals, &sums)?;
    }
    rate(entries, pairings, Some(&blocks.covariance()?), LEVEL)
}

impl Standings {
    /// Computes the standings of a class; `None` if a run is missing.
    pub(crate) fn new(plan: &Plan, board: &Board, results: &Results) -> Result<Option<Self>, StatsError> {
        // Deals of one seed have the same blocks.
        let found = results.of_all(&board.jobs);
        let found = found.filter(|found| found.iter().all(|(_, played)| played.blocks == found[0].1.blocks));
        let found = found.filter(|found| !found.is_empty());
        let (Some(class), Some(found)) = (board.class, found) else { return Ok(None) };
        let entries = &plan.classes[class].entries;
        let place = |entry: usize| entries.iter().position(|other| *other == entry).unwrap_or(0);
        let ends: Vec<_> = found.iter().map(|(job, _)| job.ends.map(place)).collect();
        let played: Vec<_> = found.iter().map(|(_, played)| *played).collect();
        let estimates: Option<Vec<_>> = played.iter().map(|played| played.points[0].estimate()).collect();
        let Some(estimates) = estimates else { return Ok(None) };
        let sums = ends.iter().zip(&played);
        let pairings: Vec<Pairing> =
            sums.filter_map(|([a, b], played)| Pairing::of_sums(*a, *b, &played.points[0])).collect();
        let ratings = ratings(&ends, &played, &estimates, &pairings, entries.len())?;
        let nash = nash(entries.len(), |a, b| {
            let met = pairings.iter().find(|it| [it.a, it.b] == [a, b] || [it.a, it.b] == [b, a])?;
            Some(if met.a == a { met.mean } else { -met.mean })
        })?;
        let anchor = place(plan.anchor);
        let mut rows = Vec::new();
        for (n, entry) in entries.iter().enumerate() {
            let above = ratings.difference(n, anchor)?;
            let of_mean = ratings.ratings[n];
            // The anchor is known to be 0 above itself.
            let interval = |half: f64, is_known: bool| Some(half).filter(|half| *half > 0.0 || is_known);
            let half_width = interval(above.half_width, n == anchor);
            let rating = Mean { mean: above.points, half_width };
            rows.push(Standing {
                entry: *entry,
                rating,
                above_mean: Mean { mean: of_mean.rating, half_width: interval(of_mean.half_width, false) },
                worst: worst(*entry, &found, &estimates),
                nash_share: nash.as_ref().map(|nash| nash.weights[n]),
                time: time(*entry, board, results),
                faults: faults(*entry, &found),
                is_void: found.iter().any(|(job, played)| {
                    job.ends.contains(entry) && played.forfeits().is_some_and(|forfeits| forfeits.is_void)
                }),
            });
        }
        // Ties in file order.
        rows.sort_by(|a, b| b.rating.mean.total_cmp(&a.rating.mean));
        let pairs = found.iter().zip(estimates).map(|((job, _), estimate)| (job.ends, estimate)).collect();
        let cycles = cycles(entries.len(), &pairings, |n| plan.entries[entries[n]].name.clone());
        Ok(Some(Self { rules: board.rules, class, rows, pairs, fit: ratings.fit, cycles }))
    }

    /// Returns the difference between two entries that met, from the first one's side.
    pub(crate) fn between(&self, entry: usize, other: usize) -> Option<Estimate> {
        self.pairs.iter().find_map(|(ends, estimate)| match *ends {
            [a, b] if [a, b] == [entry, other] => Some(*estimate),
            [a, b] if [b, a] == [entry, other] => Some(estimate.reversed()),
            _ => None,
        })
    }
}

/// Returns the opponent against which an entry does worst.
fn worst(entry: usize, found: &[(&Job, &Played)], estimates: &[Estimate]) -> (usize, Mean) {
    let met = found.iter().zip(estimates).filter_map(|((job, _), estimate)| match job.ends {
        [a, b] if a == entry => Some((b, mean_of(estimate))),
        [a, b] if b == entry => Some((a, mean_of(&estimate.reversed()))),
        _ => None,
    });
    let worst = met.min_by(|(_, a), (_, b)| a.mean.total_cmp(&b.mean));
    worst.expect("a class has two entries or more, and all of them met")
}

fn time(entry: usize, board: &Board, results: &Results) -> Time {
    let times = board.jobs.iter().flat_map(|job| job.ends.into_iter().zip(results.times_of(job)));
    let own = times.filter(|(end, _)| *end == entry);
    let [number, sum] = own.fold([0, 0], |[number, sum]: [u64; 2], (_, of_run)| {
        [number + of_run[0], sum.saturating_add(of_run[1])]
    });
    Time { timed: number, mean: if number == 0 { 0.0 } else { sum as f64 / number as f64 / 1e3 } }
}

fn faults(entry: usize, found: &[(&Job, &Played)]) -> u64 {
    let of_run = found.iter().flat_map(|(job, played)| job.ends.into_iter().zip(played.faults));
    of_run.filter(|(end, _)| *end == entry).map(|(_, faults)| faults).sum()
}
