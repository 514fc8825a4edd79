//! Compares runs on the same deals, deal by deal.
//!
//! If one bot met an opponent in one run and another bot met it in a second run with the same seed, their
//! scores differ only because of the bots: the cards are the same. The difference between the paired
//! differences of each deal has a mean and an interval, like any paired difference. In matches, the points of
//! all deals of a match are summed. Memory use is one block of deals per run.

mod document;
mod error;
mod rivals;
mod source;

use std::path::{Path, PathBuf};

use coinche_bots::Registry;
use coinche_inference::{Estimate, MeanOfPairs, PairedSums};
use coinche_selfplay::{ArenaError, Result, Unit};

pub use document::document;
use error::CompareError;
use rivals::{Outcome, Rivals};
use source::{Cards, Deals, Run};

/// Two results on the same deals.
#[derive(Debug)]
pub struct Comparison {
    rivals: Rivals,
    /// The first result, the second, and the first less the second.
    sums: [PairedSums; 3],
    /// How many legs of the first result and of the second were forfeited.
    forfeited: [u64; 2],
}

impl Comparison {
    /// Returns the difference, with the interval that a gauntlet gives two opponents on the same deals; `None` without a
    /// deal.
    pub fn estimate(&self) -> Option<Estimate> {
        let [first, second, difference] = self.sums.map(|sums| sums.mean_of_pairs());
        let interval = first.zip(second).zip(difference).and_then(|((first, second), it)| {
            MeanOfPairs::of_sum(&[(1.0, first), (-1.0, second)], it.mean, it.variance).interval(0.95)
        });
        Some(self.sums[2].estimate()?.with(interval))
    }
}

/// What was compared.
#[derive(Debug)]
pub struct Compared {
    runs: Vec<Run>,
    /// The deals that all runs have.
    deals: core::ops::Range<u64>,
    /// The number of deals whose cards were compared too: those of which all runs have records.
    dealt: u64,
    comparisons: Vec<Comparison>,
}

impl Compared {
    /// Returns the unit of the runs.
    fn unit(&self) -> Unit {
        self.runs[0].config.unit
    }
}

/// Reads the paired differences of a finished or stopped run: the number of its first deal, and for each deal
/// or match twice the difference A − B of each pairing, the control's last if there is one.
///
/// # Errors
///
/// If the directory holds no such run, or it has no summary table.
pub fn paired_differences(path: &Path, registry: &Registry) -> Result<(u64, Vec<Vec<i64>>)> {
    let run = Run::read(path, 0, registry)?;
    let mut deals = Deals::open(&run)?;
    let pairs = run.deals.clone().map(|deal| {
        let legs = deals.at(deal)?.legs;
        Ok(legs.into_iter().map(|[first, second]| first + second).collect())
    });
    Ok((run.deals.start, pairs.collect::<Result<_>>()?))
}

/// Compares the results of runs on the same deals; with `against`, of all bots that met this one.
pub fn compare(paths: &[PathBuf], against: Option<&str>, registry: &Registry) -> Result<Compared> {
    let runs = paths.iter().enumerate().map(|(n, path)| Run::read(path, n, registry));
    let runs: Vec<Run> = runs.collect::<Result<_>>()?;
    for run in &runs[1..] {
        let differences = runs[0].differences(run);
        if !differences.is_empty() {
            let [first, second] = [&runs[0], run].map(|run| run.path.clone());
            return Err(CompareError::OtherDeals { first, second, differences }.into());
        }
    }
    let outcomes: Vec<_> = runs.iter().map(Run::outcomes).collect();
    let rivals = Rivals::find(&outcomes, against)?;
    let start = runs.iter().map(|run| run.deals.start).max().unwrap_or(0);
    let end = runs.iter().map(|run| run.deals.end).min().unwrap_or(0);
    if start >= end {
        let ranges = runs.iter().map(|run| (run.path.clone(), run.deals.clone())).collect();
        return Err(CompareError::NoCommonDeals(ranges).into());
    }
    let dealt = compare_cards(&runs, start..end)?;
    let comparisons = add_up(&runs, start..end, rivals)?;
    Ok(Compared { runs, deals: start..end, dealt, comparisons })
}

/// Adds up the differences of both results over all deals, and checks that the dealers agree.
fn add_up(runs: &[Run], deals: core::ops::Range<u64>, rivals: Vec<Rivals>) -> Result<Vec<Comparison>> {
    let begin = |rivals| Comparison { rivals, sums: Default::default(), forfeited: [0; 2] };
    let mut comparisons: Vec<Comparison> = rivals.into_iter().map(begin).collect();
    let mut sources = runs.iter().map(Deals::open).collect::<Result<Vec<_>, _>>()?;
    for deal in deals {
        let at_deal = sources.iter_mut().map(|source| source.at(deal)).collect::<Result<Vec<_>>>()?;
        if let Some(other) = at_deal.iter().position(|found| found.dealer != at_deal[0].dealer) {
            return Err(other_cards(runs, other, deal, "dealers"));
        }
        for Comparison { rivals, sums, forfeited } in &mut comparisons {
            let of = |result: &Outcome| {
                let [first, second] = at_deal[result.run].legs[result.pairing];
                // B sits in leg 1 where A sits in leg 0.
                if result.is_turned { [-second, -first] } else { [first, second] }
            };
            for (sum, result) in forfeited.iter_mut().zip([&rivals.first, &rivals.second]) {
                *sum += at_deal[result.run].forfeited[result.pairing];
            }
            let [first, second] = [of(&rivals.first), of(&rivals.second)];
            sums[0].add(first);
            sums[1].add(second);
            sums[2].add([first[0] - second[0], first[1] - second[1]]);
        }
    }
    Ok(comparisons)
}

/// Compares the cards of the deals of which all runs have records, and returns the number of these deals.
fn compare_cards(runs: &[Run], deals: core::ops::Range<u64>) -> Result<u64> {
    let mut sources = runs.iter().map(Cards::open).collect::<Result<Vec<_>, _>>()?;
    if sources.iter().any(Option::is_none) || runs[0].cards_depend_on_bots() {
        return Ok(0);
    }
    let mut sources: Vec<_> = sources.iter_mut().flatten().collect();
    let (mut deal, mut compared) = (deals.start, 0);
    'deals: loop {
        let mut hands = Vec::with_capacity(sources.len());
        for source in &mut sources {
            // The next deal of which this run has a record, from `deal` on.
            match source.from(deal)? {
                Some((found, _)) if found >= deals.end => return Ok(compared),
                Some((found, cards)) if found == deal => hands.push(cards),
                Some((found, _)) => {
                    deal = found;
                    continue 'deals;
                }
                None => return Ok(compared),
            }
        }
        if let Some(other) = hands.iter().position(|cards| *cards != hands[0]) {
            return Err(other_cards(runs, other, deal, "cards"));
        }
        (deal, compared) = (deal + 1, compared + 1);
    }
}

/// Returns the error for deals that differ although all settings agree.
fn other_cards(runs: &[Run], other: usize, deal: u64, what: &'static str) -> ArenaError {
    let [first, second] = [0, other].map(|run| (runs[run].path.clone(), runs[run].commit.clone()));
    CompareError::OtherCards { deal, what, first, second }.into()
}
