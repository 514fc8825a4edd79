//! One pass over the summary table of matches: how they ended, by how much, and which differed most.

use std::collections::BTreeMap;
use std::path::Path;

use coinche_engine::rules::Tie;
use coinche_engine::{ByTeam, DealScore, MatchState, RuleSet, Seat};
use coinche_selfplay::base::Result;
use coinche_selfplay::records::lines::table_in;
use coinche_selfplay::records::summary::{LegEnd, SummaryRow};

use super::error::{FormError, LegError, PassError, TableError, unreadable};
use super::table::{self, Largest, Pass};
use coinche_runs::figures::RunJson;

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

/// Which leg of which match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LegPlace {
    number: u64,
    pairing: usize,
    leg: usize,
}

/// A pass under way.
struct Scanner {
    rules: RuleSet,
    pairings: Vec<MatchPairing>,
    swings: Largest<MatchSwing>,
    /// The leg at work.
    now: Option<(LegPlace, MatchState)>,
    /// Leg 0 of the match at work, when it is over.
    first: Option<MatchLeg>,
    /// Matches that are still to come: those behind belong to no figure yet.
    left: u64,
}

impl Pass for Scanner {
    fn goes_on(&self) -> bool {
        self.left > 0
    }

    fn add_row(&mut self, row: &SummaryRow<'_>) -> Result<(), PassError> {
        let leg = row.leg as usize;
        let place = LegPlace { number: row.game.0.ok_or(LegError::NoMatch)?, pairing: row.pairing(), leg };
        let ended = row.end()?;
        if self.now.is_some_and(|(now, _)| now != place) {
            self.end_leg()?;
            if self.left == 0 {
                return Ok(());
            }
        }
        // The dealer has no part in the score.
        let fresh = || (place, MatchState::new(&self.rules, Seat::S0));
        let (_, state) = self.now.get_or_insert_with(fresh);
        let score = |made| DealScore { made, points: ByTeam([row.score0, row.score1]), held: 0 };
        match ended {
            LegEnd::PassedOut => state.add_thrown_in(),
            // Its team has lost the deal as declarers who failed.
            LegEnd::Forfeit(team) => state.add(&score(false), team),
            LegEnd::Played(contract) => state.add(&score(row.made == Some(true)), contract.declarer.team()),
        }
        Ok(())
    }
}

impl Scanner {
    /// Ends a leg, and with the second one the match.
    fn end_leg(&mut self) -> Result<(), LegError> {
        let Some((place, state)) = self.now.take() else { return Ok(()) };
        let [even, odd] = state.score().0.map(i64::from);
        // In leg 0 bot A has the even seats.
        let won = state.winner().map_or(0, |team| if team.index() == place.leg { 1 } else { -1 });
        let points = if place.leg == 0 { [even, odd] } else { [odd, even] };
        let leg = MatchLeg { points, deals: state.deals().into(), won };
        let Some(first) = self.first.take() else {
            self.first = Some(leg);
            return if place.leg == 0 { Ok(()) } else { Err(LegError::NotLeg0OfMatch) };
        };
        let found = self.pairings.get_mut(place.pairing);
        let found = found.filter(|_| place.leg == 1).ok_or(LegError::NotLeg1OfMatch)?;
        let legs = [first, leg];
        let doubled: i64 = legs.iter().map(MatchLeg::difference).sum();
        found.ended[usize::try_from(first.won + leg.won + 2).unwrap_or_default()] += 1;
        found.deals += first.deals + leg.deals;
        *found.doubled.entry(doubled).or_default() += 1;
        self.left -= 1;
        let LegPlace { number, pairing, .. } = place;
        self.swings.push(doubled, number, pairing, MatchSwing { number, pairing, legs });
        Ok(())
    }
}

impl MatchLeg {
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

/// Tests if the summary tells what a match came to: not where points of ties wait, which are in no row.
pub(crate) fn is_told(rules: &RuleSet) -> bool {
    rules.game.tie != Tie::Held
}

/// Reads the summary table of a run of matches; `None` without one and where it does not tell enough.
pub(super) fn read(directory: &Path, form: &RunJson) -> Result<Option<MatchScan>> {
    let Some(path) = table_in(directory).filter(|_| form.of_matches()) else { return Ok(None) };
    let rules = form.rules.rules().map_err(|error| unreadable(&path, FormError::Rules(error)))?;
    if !is_told(&rules) {
        return Ok(None);
    }
    let pairings = form.met().len();
    let mut scanner = Scanner {
        rules,
        pairings: vec![MatchPairing::default(); pairings],
        swings: Largest::new(),
        now: None,
        first: None,
        left: form.done.saturating_mul(pairings as u64),
    };
    table::read(&path, &mut scanner)?;
    if scanner.left > 0 {
        scanner.end_leg().map_err(|why| unreadable(&path, why))?;
    }
    if scanner.left > 0 {
        return Err(unreadable(&path, TableError::Missing { number: scanner.left, units: "matches" }));
    }
    let scan = MatchScan { pairings: scanner.pairings, swings: scanner.swings.into_vec() };
    table::check_means(&path, form, "matches", scan.pairings.iter().map(MatchPairing::mean))?;
    Ok(Some(scan))
}
