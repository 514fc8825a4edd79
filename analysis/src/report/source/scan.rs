//! One pass over the summary table: why deals differed, how much, and which differed most.
//!
//! Memory is that of the distinct differences and of ten deals, whatever the number of deals.

use core::ops::ControlFlow;
use std::collections::BTreeMap;
use std::path::Path;

use coinche_engine::Stake;
use coinche_selfplay::base::Result;
use coinche_selfplay::records::lines::table_in;
use coinche_selfplay::records::summary::{LegEnd, SummaryContract, SummaryRow};

use coinche_inference::{Merge, PairedSums};
use serde::Deserialize;

use super::error::{PassError, TableError, unreadable};
use super::table::{self, Largest, Next};
use coinche_runs::audit::Pairs;
use coinche_runs::figures::RunJson;

/// Why the two legs of a deal differed: the first that applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A leg was forfeited.
    Fault,
    /// Both legs had the same contract: the same seat, value, strain and stake.
    Same,
    /// Both legs were thrown in: nothing differed.
    Nothing,
    /// The same seat declared the same strain, at another level or stake.
    Level,
    /// The same side of the table declared, another strain or the partner.
    Strain,
    /// A declared in both legs.
    AlwaysA,
    /// B declared in both legs.
    AlwaysB,
    /// A declared in one leg, the other was thrown in.
    OnlyA,
    /// B declared in one leg, the other was thrown in.
    OnlyB,
}

impl Cause {
    pub(crate) const ALL: [Self; 9] = [
        Self::Fault,
        Self::Same,
        Self::Nothing,
        Self::Level,
        Self::Strain,
        Self::AlwaysA,
        Self::AlwaysB,
        Self::OnlyA,
        Self::OnlyB,
    ];

    /// Tests if the auctions ended differently.
    pub(crate) const fn has_other_contract(self) -> bool {
        !matches!(self, Self::Fault | Self::Same | Self::Nothing)
    }

    /// Returns the part of the difference that the cause belongs to.
    pub(crate) const fn part(self) -> &'static str {
        match self {
            Self::Fault => "faults",
            Self::Same => "same contract",
            Self::Nothing => "nothing",
            _ => "other contract",
        }
    }

    /// Finds the cause from how both legs ended.
    fn of(legs: [LegEnd; 2]) -> Self {
        // In leg 0 bot A has the even seats.
        let of_a = |leg: usize, contract: SummaryContract| contract.declarer.team().index() == leg;
        let only = |a: bool| if a { Self::OnlyA } else { Self::OnlyB };
        match legs {
            [LegEnd::Forfeit(_), _] | [_, LegEnd::Forfeit(_)] => Self::Fault,
            [LegEnd::PassedOut, LegEnd::PassedOut] => Self::Nothing,
            [LegEnd::Played(contract), LegEnd::PassedOut] => only(of_a(0, contract)),
            [LegEnd::PassedOut, LegEnd::Played(contract)] => only(of_a(1, contract)),
            [LegEnd::Played(first), LegEnd::Played(second)] => match [of_a(0, first), of_a(1, second)] {
                [true, true] => Self::AlwaysA,
                [false, false] => Self::AlwaysB,
                _ if first == second => Self::Same,
                _ if (first.declarer, first.strain) == (second.declarer, second.strain) => Self::Level,
                _ => Self::Strain,
            },
        }
    }
}

/// What was found of one pairing.
#[derive(Debug, Clone, Default)]
pub(crate) struct PairingScan {
    /// By cause, in the order of [`Cause::ALL`].
    pub causes: [PairedSums; 9],
    /// How often twice the paired difference was what.
    pub doubled: BTreeMap<i64, u64>,
}

/// A deal with a large difference.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Swing {
    pub deal: u64,
    pub pairing: usize,
    /// The differences A − B of both legs.
    pub legs: [i64; 2],
    /// The scores of both legs, by team of seats.
    pub scores: [[i64; 2]; 2],
    pub cause: Cause,
}

/// What one pass found.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// By pairing.
    pub pairings: Vec<PairingScan>,
    /// The largest first.
    pub swings: Vec<Swing>,
}

/// A row, as far as it is needed.
#[derive(Debug, Clone, Copy)]
struct Leg {
    ended: LegEnd,
    scores: [i64; 2],
    /// Whether all tricks were bid, and not won; only looked at where it is asked for.
    slam_failed: bool,
}

/// Which deals are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Criterion {
    /// The legs differ.
    #[default]
    Swing,
    /// All tricks were bid in a leg, and not won.
    SlamFailed,
    /// A leg was coinched.
    Coinched,
}

impl Criterion {
    fn is_met(self, legs: [Leg; 2], doubled: i64) -> bool {
        match self {
            Self::Swing => doubled != 0,
            Self::SlamFailed => legs.iter().any(|leg| leg.slam_failed),
            Self::Coinched => legs
                .iter()
                .any(|leg| matches!(leg.ended, LegEnd::Played(contract) if contract.stake != Stake::Plain)),
        }
    }
}

/// A pass under way.
pub(super) struct Scanner {
    pairings: Vec<PairingScan>,
    swings: Largest<Swing>,
    pairs: Pairs<Leg>,
    /// The number of the pairing of the control, which is in no figure.
    control: Option<usize>,
    /// Pairs that are still to come: those behind belong to no figure yet.
    left: u64,
    criterion: Criterion,
}

impl Scanner {
    /// Starts with the number of deals to read.
    pub(super) fn new(pairings: usize, deals: u64, criterion: Criterion) -> Self {
        let left = deals.saturating_mul(pairings as u64);
        let (scans, swings) = (vec![PairingScan::default(); pairings], Largest::new());
        Self { pairings: scans, swings, pairs: Pairs::default(), control: None, left, criterion }
    }

    fn add_row(&mut self, row: &SummaryRow<'_>) -> Next {
        if self.left == 0 {
            return Ok(ControlFlow::Break(()));
        }
        let slam_failed = self.criterion == Criterion::SlamFailed
            && row.made == Some(false)
            && row.calls.last_bid().is_some_and(|bid| bid.as_points().is_none());
        let leg = Leg { ended: row.end()?, scores: [row.score0, row.score1].map(i64::from), slam_failed };
        self.add((row.deal, row.pairing()), row.leg as usize, leg).map(ControlFlow::Continue)
    }

    fn add(&mut self, (deal, pairing): (u64, usize), number: usize, leg: Leg) -> Result<(), PassError> {
        if self.control == Some(pairing) {
            return Ok(());
        }
        let Some(both) = self.pairs.add((deal, pairing), number, leg)? else { return Ok(()) };
        let scan = self.pairings.get_mut(pairing).ok_or(PassError::NoPairing)?;
        let scores = both.map(|leg| leg.scores);
        let legs = [scores[0][0] - scores[0][1], scores[1][1] - scores[1][0]];
        let cause = Cause::of(both.map(|leg| leg.ended));
        scan.causes[cause as usize].add(legs);
        let doubled = legs[0] + legs[1];
        *scan.doubled.entry(doubled).or_default() += 1;
        self.left -= 1;
        if self.criterion.is_met(both, doubled) {
            self.swings.push(doubled, deal, pairing, Swing { deal, pairing, legs, scores, cause });
        }
        Ok(())
    }

    /// Ends the pass.
    pub(super) fn finish(self) -> Result<Scan, TableError> {
        if self.left > 0 || self.pairs.is_open() {
            return Err(TableError::Missing { number: self.left.max(1), units: "deals" });
        }
        Ok(Scan { pairings: self.pairings, swings: self.swings.into_vec() })
    }
}

impl Swing {
    /// Returns the paired difference in points.
    pub(crate) fn difference(&self) -> f64 {
        (self.legs[0] + self.legs[1]) as f64 / 2.0
    }
}

impl PairingScan {
    /// Returns the sums of the deals for whose cause the test holds, alone.
    pub(crate) fn own(&self, of: impl Fn(Cause) -> bool) -> PairedSums {
        let mut sums = PairedSums::default();
        for cause in Cause::ALL.into_iter().filter(|cause| of(*cause)) {
            sums.merge(&self.causes[cause as usize]);
        }
        sums
    }

    /// Returns the sums of all deals for whose cause the test holds, as a share of all deals: their mean is
    /// the part of the whole mean that they make, its interval that of a difference that is 0 on all others.
    pub(crate) fn part(&self, of: impl Fn(Cause) -> bool) -> PairedSums {
        let mut sums = self.own(of);
        sums.pairs = self.causes.iter().map(|cause| cause.pairs).sum();
        sums
    }
}

/// Reads the summary table of a run; `None` without one and where matches are played.
pub(super) fn read(directory: &Path, form: &RunJson, criterion: Criterion) -> Result<Option<Scan>> {
    let Some(path) = table_in(directory).filter(|_| !form.of_matches()) else { return Ok(None) };
    let mut scanner = Scanner::new(form.met().len(), form.done, criterion);
    // The pairing of the control is behind the others.
    scanner.control = form.has_control().then_some(scanner.pairings.len());
    table::read(&path, |row| scanner.add_row(row))?;
    let scan = scanner.finish().map_err(|why| unreadable(&path, why))?;
    let mean = |scan: &PairingScan| scan.part(|_| true).estimate().map_or(0.0, |points| points.mean);
    table::check_means(&path, form, "deals", scan.pairings.iter().map(mean))?;
    Ok(Some(scan))
}

#[cfg(test)]
mod tests {
    use coinche_engine::{Seat, Strain, Suit, Team};

    use super::*;

    fn played(declarer: usize, value: u32, strain: Strain, stake: Stake) -> LegEnd {
        let declarer = Seat::from_index(declarer);
        LegEnd::Played(SummaryContract { declarer, value: Some(value), strain, stake })
    }

    #[test]
    fn every_pair_has_one_cause() {
        let (hearts, no_trump) = (Strain::of(Suit::Hearts), Strain::NoTrump);
        let base = played(2, 100, hearts, Stake::Plain);
        for (legs, cause) in [
            ([base, base], Cause::Same),
            ([base, played(2, 110, hearts, Stake::Plain)], Cause::Level),
            ([base, played(2, 100, hearts, Stake::Coinche)], Cause::Level),
            ([base, played(2, 100, no_trump, Stake::Plain)], Cause::Strain),
            ([base, played(0, 100, hearts, Stake::Plain)], Cause::Strain),
            // Bot A has the even seats in leg 0 and the odd ones in leg 1.
            ([base, played(1, 100, hearts, Stake::Plain)], Cause::AlwaysA),
            ([played(3, 90, hearts, Stake::Plain), base], Cause::AlwaysB),
            ([base, LegEnd::PassedOut], Cause::OnlyA),
            ([LegEnd::PassedOut, base], Cause::OnlyB),
            ([LegEnd::PassedOut, LegEnd::PassedOut], Cause::Nothing),
            ([base, LegEnd::Forfeit(Team::Odd)], Cause::Fault),
            ([LegEnd::Forfeit(Team::Odd), LegEnd::PassedOut], Cause::Fault),
        ] {
            assert_eq!(Cause::of(legs), cause, "{legs:?}");
            assert_eq!(
                cause.has_other_contract(),
                !matches!(cause, Cause::Same | Cause::Nothing | Cause::Fault)
            );
        }
        for (n, cause) in Cause::ALL.into_iter().enumerate() {
            assert_eq!(cause as usize, n);
        }
    }

    #[test]
    fn deals_are_listed_by_a_criterion() {
        let suit = Strain::of(Suit::Hearts);
        let leg =
            |stake, slam_failed| Leg { ended: played(0, 100, suit, stake), scores: [1, 0], slam_failed };
        let (plain, coinched, failed) =
            (leg(Stake::Plain, false), leg(Stake::Coinche, false), leg(Stake::Plain, true));
        for (legs, met) in [
            ([plain, plain], [false, false, false]),
            ([plain, coinched], [false, false, true]),
            ([failed, plain], [false, true, false]),
        ] {
            let found = [Criterion::Swing, Criterion::SlamFailed, Criterion::Coinched];
            assert_eq!(found.map(|criterion| criterion.is_met(legs, 0)), met, "{legs:?}");
        }
        assert!(Criterion::Swing.is_met([plain, plain], 1));
    }

    #[test]
    fn the_largest_swings_are_kept_whatever_comes_behind() {
        let mut scanner = Scanner::new(1, 100, Criterion::Swing);
        for deal in 0..100u64 {
            let points = i64::try_from(deal * 37 % 100).unwrap() - 50;
            for (number, scores) in [(0, [points, 0]), (1, [0, points])] {
                let leg = Leg { ended: LegEnd::Forfeit(Team::Even), scores, slam_failed: false };
                scanner.add((deal, 0), number, leg).unwrap();
            }
        }
        let scan = scanner.finish().unwrap();
        let sizes: Vec<_> = scan.swings.iter().map(|swing| swing.difference().abs()).collect();
        assert_eq!(format!("{sizes:?}"), "[50.0, 49.0, 49.0, 48.0, 48.0, 47.0, 47.0, 46.0, 46.0, 45.0]");
        // Of equal ones the first deal comes first.
        assert!(scan.swings[1].deal < scan.swings[2].deal);
        let part = scan.pairings[0].part(|cause| cause == Cause::Fault);
        assert_eq!((part.pairs, part.total()), (100, -100));
        assert_eq!(scan.pairings[0].part(|cause| cause == Cause::Same).total(), 0);
    }
}
