//! The cost of playing with a stranger: the cross-play of a leaderboard.

use coinche_inference::{MeanOfPairs, PairedSums};

use super::jobs::{Board, Job};
use super::plan::Plan;
use super::played::{Played, Results};
use coinche_runs::figures::{Mean, Strangers};
use coinche_runs::{Crossplay, Totals};

/// The cross-play under one set of rules.
#[derive(Debug, Clone)]
pub(crate) struct Partners {
    /// The number of the rules.
    pub rules: usize,
    /// The entries with the mean cost of a stranger; the easiest partner first.
    pub rows: Vec<(usize, Mean)>,
    /// Two entries, and their loss as partners.
    pub pairs: Vec<([usize; 2], Strangers)>,
}

impl Partners {
    /// Computes it if all runs are complete.
    pub(crate) fn new(plan: &Plan, board: &Board, results: &Results) -> Option<Self> {
        let crossplay = plan.crossplay.as_ref().filter(|_| board.class.is_none())?;
        let found = results.of_all(&board.jobs)?;
        let pairs = found.iter().map(|(job, played)| Some((job.ends, strangers(job, played)?)));
        let row = |entry: &usize| {
            let own: Vec<_> = found.iter().filter(|(job, _)| job.ends.contains(entry)).collect();
            Some((*entry, mean_cost(&own)?))
        };
        let mut rows = crossplay.entries.iter().map(row).collect::<Option<Vec<_>>>()?;
        rows.sort_by(|(_, a), (_, b)| a.mean.total_cmp(&b.mean));
        Some(Self { rules: board.rules, rows, pairs: pairs.collect::<Option<_>>()? })
    }

    /// Returns the loss of two entries as partners.
    pub(crate) fn between(&self, entry: usize, other: usize) -> Option<Mean> {
        let found = self.pairs.iter().find(|(ends, _)| ends.contains(&entry) && ends.contains(&other));
        found.filter(|_| entry != other).map(|(_, strangers)| strangers.cost)
    }
}

/// The contribution of an encounter to the loss of A and B as partners, by the numbers of the partners. The
/// other side is A of each encounter, so the sign of a partnership's score is reversed.
const TERMS: [([usize; 2], i32); 4] = [([0, 0], -1), ([1, 1], -1), ([0, 1], 1), ([1, 0], 1)];

/// Returns the encounters of a cross-play of two bots with their signs in the cost; a pair against itself is
/// not played.
fn terms(crossplay: &Crossplay) -> impl Iterator<Item = (usize, i32)> {
    TERMS.iter().filter_map(|([a, b], sign)| Some((crossplay.encounter(*a, *b)?, *sign)))
}

/// Returns the sum over deals of the squared cost, in its doubled parts.
pub(super) fn cost_squares(crossplay: &Crossplay, totals: &Totals) -> i128 {
    let terms: Vec<_> = terms(crossplay).collect();
    let every_two = terms.iter().flat_map(|first| terms.iter().map(move |second| [first, second]));
    every_two.map(|[(p, one), (q, other)]| i128::from(one * other) * totals.covariance.product(*p, *q)).sum()
}

/// The scale of summed terms: paired differences are doubled, and a cost has two parts.
const PARTS: f64 = 4.0;

/// Returns the loss of a run's bots as partners, as in `arena run --format crossplay`.
fn strangers(job: &Job, played: &Played) -> Option<Strangers> {
    let crossplay = job.config.crossplay.as_ref()?;
    let n = i128::from(played.deals);
    let total = |ends: [usize; 2]| {
        let encounter = crossplay.encounter(ends[0], ends[1]);
        encounter.and_then(|encounter| played.points.get(encounter)).map_or(0, PairedSums::total)
    };
    let [apart, together] = [[[0, 0], [1, 1]], [[0, 1], [1, 0]]].map(|ends| {
        let sum: i128 = ends.into_iter().map(total).sum();
        0.0 - sum as f64 / n as f64 / PARTS
    });
    let sum: i128 = TERMS.iter().map(|(ends, sign)| i128::from(*sign) * total(*ends)).sum();
    let count = n as f64;
    let variance = (n * played.cost_squares? - sum * sum) as f64 / (count * (count - 1.0));
    let mean = sum as f64 / count / PARTS;
    let known = MeanOfPairs::of_sum(&known(crossplay, played, 1.0), mean, variance / (PARTS * PARTS));
    Some(Strangers { a: 0, b: 1, apart, together, cost: with_half(&known) })
}

/// Returns what is known of the encounters in the cost of two bots, which is one of so many.
fn known(crossplay: &Crossplay, played: &Played, all: f64) -> Vec<(f64, MeanOfPairs)> {
    let of = |(encounter, sign): (usize, i32)| {
        Some((f64::from(sign) * 2.0 / PARTS / all, played.points.get(encounter)?.mean_of_pairs()?))
    };
    terms(crossplay).filter_map(of).collect()
}

fn with_half(known: &MeanOfPairs) -> Mean {
    let half_width = known.interval(0.95).map(|interval| interval.half_width);
    Mean { mean: known.mean + 0.0, half_width }
}

/// Returns the mean cost over some runs, from the block sums of the deals that all of them played; `None` if
/// the runs do not have the same blocks, at least two.
fn mean_cost(runs: &[&(&Job, &Played)]) -> Option<Mean> {
    let (_, first) = runs.first()?;
    let blocks = &first.blocks;
    if blocks.len() < 2 || runs.iter().any(|(_, played)| played.blocks != *blocks) {
        return None;
    }
    let all = runs.len() as f64;
    let mut sums = vec![0i128; blocks.len()];
    let mut terms_of_all = Vec::new();
    for (job, played) in runs {
        let crossplay = job.config.crossplay.as_ref()?;
        for (encounter, sign) in terms(crossplay) {
            let doubled = played.doubled.get(encounter)?;
            for (sum, doubled) in sums.iter_mut().zip(doubled) {
                *sum += i128::from(sign) * i128::from(*doubled);
            }
        }
        terms_of_all.extend(known(crossplay, played, all));
    }
    let (number, deals) = (blocks.len() as f64, first.deals as f64);
    let mean = sums.iter().sum::<i128>() as f64 / deals / PARTS / all;
    let away = sums.iter().zip(blocks).map(|(sum, deals)| *sum as f64 / PARTS / all - *deals as f64 * mean);
    let variance = number / (number - 1.0) / (deals * deals) * away.map(|away| away * away).sum::<f64>();
    let of_all = MeanOfPairs::of_sum(&terms_of_all, mean, deals * variance);
    Some(with_half(&MeanOfPairs { degrees: number - 1.0, ..of_all }))
}
