//! One pass over the summary table of matches: how they ended, by how much, and which differed most.

use core::ops::ControlFlow;
use std::collections::BTreeMap;
use std::path::Path;

use coinche_engine::MatchState;
use coinche_selfplay::Result;
use coinche_selfplay::records::lines::table_in;

use super::error::{FormError, PassError, TableError, unreadable};
use super::table::{self, Largest};
use coinche_runs::RunJson;
use coinche_runs::audit::{Matches, Told, has_held_ties, outcome};

/// What was found of one pairing.
#[derive(Debug, Clone, Default)]
pub(crate) struct MatchPairing {
    /// Pairs of matches by the legs that A won less those that B won, from −2 to 2.
    pub ended: [u64; 5],
    /// How often twice the paired difference was what.
    pub doubled: BTreeMap<i64, u64>,
    /// Deals, of all legs.
    pub deals: u64,
}

/// A leg of a match as it ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MatchLeg {
    /// The points of A and B.
    pub points: [i64; 2],
    pub deals: u64,
    /// 1: A has won, −1: B; 0: nobody.
    won: i64,
}

/// A match with a large difference.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MatchSwing {
    pub number: u64,
    pub pairing: usize,
    pub legs: [MatchLeg; 2],
}

/// What one pass found.
#[derive(Debug, Default)]
pub(crate) struct MatchScan {
    /// By pairing.
    pub pairings: Vec<MatchPairing>,
    /// The largest first.
    pub swings: Vec<MatchSwing>,
}

impl MatchLeg {
    fn new(leg: usize, state: &MatchState) -> Self {
        let (points, won) = outcome(leg, state);
        Self { points, deals: state.deals().into(), won }
    }

    /// Returns the points of A less those of B.
    pub(crate) const fn difference(&self) -> i64 {
        self.points[0] - self.points[1]
    }
}

impl MatchSwing {
    /// Returns the paired difference in points.
    pub(crate) fn difference(&self) -> f64 {
        (self.legs[0].difference() + self.legs[1].difference()) as f64 / 2.0
    }
}

impl MatchPairing {
    /// Returns the mean of the paired differences.
    fn mean(&self) -> f64 {
        let pairs: u64 = self.ended.iter().sum();
        let sum: i64 = self.doubled.iter().map(|(doubled, count)| doubled * count.cast_signed()).sum();
        sum as f64 / 2.0 / pairs.max(1) as f64
    }
}

/// Reads the summary table of a run of matches; `None` without one and where it does not tell enough.
pub(super) fn read(directory: &Path, form: &RunJson) -> Result<Option<MatchScan>> {
    let Some(path) = table_in(directory).filter(|_| form.of_matches()) else { return Ok(None) };
    let rules = form.rules.rules().map_err(|error| unreadable(&path, FormError::Rules(error)))?;
    if has_held_ties(&rules) {
        return Ok(None);
    }
    let mut pairings = vec![MatchPairing::default(); form.met().len()];
    let (mut swings, mut matches) = (Largest::new(), Matches::default());
    // Matches that are still to come.
    let mut left = form.done.saturating_mul(pairings.len() as u64);
    table::read(&path, |row| {
        if left == 0 {
            return Ok(ControlFlow::Break(()));
        }
        let told = Told::of_row(row, &rules)?;
        let Some([first, second]) = matches.add(&told, &rules)? else { return Ok(ControlFlow::Continue(())) };
        let (number, pairing) = (row.game.0.unwrap_or_default(), row.pairing());
        let legs = [MatchLeg::new(0, &first), MatchLeg::new(1, &second)];
        let found = pairings.get_mut(pairing).ok_or(PassError::NoPairing)?;
        let doubled: i64 = legs.iter().map(MatchLeg::difference).sum();
        found.ended[usize::try_from(legs[0].won + legs[1].won + 2).unwrap_or_default()] += 1;
        found.deals += legs[0].deals + legs[1].deals;
        *found.doubled.entry(doubled).or_default() += 1;
        left -= 1;
        swings.push(doubled, number, pairing, MatchSwing { number, pairing, legs });
        Ok(ControlFlow::Continue(()))
    })?;
    if left > 0 {
        return Err(unreadable(&path, TableError::Missing { number: left, units: "matches" }));
    }
    table::check_means(&path, form, "matches", pairings.iter().map(MatchPairing::mean))?;
    Ok(Some(MatchScan { pairings, swings: swings.into_vec() }))
}
