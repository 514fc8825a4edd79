//! Totals over deals, by bidder and by pair of bidders.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use coinche_engine::{Goal, Ladder, RuleSet, Stake, Strain, Team};
use coinche_inference::ratio::{Paired, Part, Ratio};
use coinche_inference::{Merge, merge};
use coinche_selfplay::play::tally::Contracts;
use serde::{Deserialize, Serialize};

use super::tables::{Chunk, Deal, End, Own};
use crate::judge::CAUSES;
use crate::report::Forecasts;
use coinche_runs::{Damage, RunConfig, Totals};

/// All totals. Sums are integers, exact and independent of order.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BiddingTotals {
    /// Each two bidders against each other, as in `arena run`.
    pub(super) duels: Totals,
    /// By bidder, with itself at all seats.
    pub(super) own: Vec<OwnTotals>,
    /// By encounter.
    pub(super) pairs: Vec<PairTotals>,
    deals: u64,
    #[serde(skip)]
    rules: RuleSet,
    #[serde(skip)]
    show: usize,
}

/// The totals of one bidder with itself at all seats.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OwnTotals {
    pub(super) deals: u64,
    pub(super) thrown_in: u64,
    pub(super) forfeited: u64,
    /// Deals whose auction was judged.
    pub(super) judged: u64,
    /// By level and strain: index `6 · level + strain`.
    pub(super) contracts: Vec<Declared>,
    /// The loss of a side per deal, all causes together.
    pub(super) lost: Ratio,
    pub(super) causes: [Lost; CAUSES.len()],
    /// Sides that could take all tricks, and how many of these bid it.
    pub(super) slams: [u64; 2],
    pub(super) forecasts: Forecasts,
}

/// The losses of one cause.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lost {
    /// Deals in which at least one side lost by this cause.
    pub(super) deals: u64,
    /// The loss of a side per deal.
    pub(super) points: Ratio,
}

/// Contracts of one level and strain.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Declared {
    pub(super) all: Contracts,
    /// The coinched ones, including surcoinched ones.
    pub(super) coinched: Contracts,
}

merge! {
    OwnTotals { deals, thrown_in, forfeited, judged, contracts, lost, causes, slams, forecasts }
    Lost { deals, points }
    Declared { all, coinched }
}

/// The totals of two bidders compared.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PairTotals {
    /// Deals that neither forfeited with itself at all seats.
    pub(super) deals: u64,
    /// How many of these have the same side, strain and level, and the same side and strain.
    pub(super) same: [u64; 2],
    /// The loss of a side per deal.
    pub(super) lost: Paired,
    /// The deals with the largest paired differences: twice the absolute difference, the number of the deal,
    /// twice the difference.
    swings: BTreeSet<(u64, Reverse<u64>, i64)>,
}

merge! { PairTotals { deals, same, lost; with Extend::extend: swings } }

impl PairTotals {
    /// Keeps at most `show` of the deals to show.
    fn cut(&mut self, show: usize) {
        while self.swings.len() > show {
            self.swings.pop_first();
        }
    }

    /// Returns the deals with the largest differences, largest first: the number of the deal, twice the
    /// difference.
    pub(super) fn swings(&self) -> impl Iterator<Item = (u64, i64)> {
        self.swings.iter().rev().map(|(_, Reverse(deal), doubled)| (*deal, *doubled))
    }
}

impl Merge for BiddingTotals {
    fn merge(&mut self, other: &Self) {
        let Self { duels, own, pairs, deals, rules: _, show: _ } = other;
        self.duels.merge(duels);
        self.own.merge(own);
        self.pairs.merge(pairs);
        self.pairs.iter_mut().for_each(|pair| pair.cut(self.show));
        self.deals.merge(deals);
    }
}

impl BiddingTotals {
    pub(super) fn new(config: &RunConfig, show: usize) -> Self {
        let duels = Totals::new(config);
        let cells = 6 * Ladder::new(&config.rules).len();
        let own = || OwnTotals { contracts: vec![Declared::default(); cells], ..OwnTotals::default() };
        Self {
            own: config.bots.iter().map(|_| own()).collect(),
            pairs: duels.encounters.iter().map(|_| PairTotals::default()).collect(),
            duels,
            deals: 0,
            rules: config.rules,
            show,
        }
    }

    /// Adds the next deals.
    pub(super) fn add(&mut self, chunk: &Chunk) {
        self.duels.tallies.merge(&chunk.tallies);
        let doubled: Vec<i64> = chunk.deals.iter().flat_map(|deal| deal.doubled.iter().copied()).collect();
        self.duels.covariance.add(chunk.start, &doubled, &[]);
        for (index, deal) in (chunk.start..).zip(&chunk.deals) {
            self.add_deal(index, deal);
        }
    }

    fn add_deal(&mut self, index: u64, deal: &Deal) {
        self.deals += 1;
        let ladder = Ladder::new(&self.rules);
        for (totals, own) in self.own.iter_mut().zip(&deal.own) {
            totals.add(&ladder, own, deal.slams);
        }
        let encounters = self.duels.encounters.iter().zip(&deal.doubled);
        for (pair, (encounter, doubled)) in self.pairs.iter_mut().zip(encounters) {
            let [a, b] = [&deal.own[encounter.a], &deal.own[encounter.b]];
            if let (Some(first), Some(second)) = (reached(&a.end), reached(&b.end)) {
                pair.deals += 1;
                pair.same[0] += u64::from(first == second);
                let loosely = |reached: Reached| reached.map(|(team, strain, _)| (team, strain));
                pair.same[1] += u64::from(loosely(first) == loosely(second));
            }
            if let (Some(first), Some(second)) = (a.losses, b.losses) {
                pair.lost.add(part(first.iter().flatten()), part(second.iter().flatten()));
            }
            if *doubled != 0 {
                pair.swings.insert((doubled.unsigned_abs(), Reverse(index), *doubled));
            }
            pair.cut(self.show);
        }
    }

    /// Completes totals read from a file with what files do not hold, or returns what is wrong with them.
    pub(super) fn restored(self, config: &RunConfig, show: usize) -> Result<Self, Damage> {
        let nothing = Self::new(config, show);
        let cells = |own: &[OwnTotals]| own.iter().map(|own| own.contracts.len()).collect::<Vec<_>>();
        let duels = self.duels.restored(&config.rules, config.unit)?;
        let fits = duels.encounters == nothing.duels.encounters
            && cells(&self.own) == cells(&nothing.own)
            && self.pairs.len() == nothing.pairs.len();
        if fits { Ok(Self { duels, rules: config.rules, show, ..self }) } else { Err(Damage::Totals) }
    }

    /// Returns what may be lost in a deal: the root mean square of the difference in a leg.
    pub(super) fn size(&self) -> f64 {
        self.duels.first().points.mean_of_pairs().map_or(0.0, |mean| mean.leg_square.sqrt())
    }

    /// Returns the totals of each two bidders against each other.
    pub const fn duels(&self) -> &Totals {
        &self.duels
    }

    /// Returns how many deals were added.
    pub(super) const fn deals(&self) -> u64 {
        self.deals
    }
}

/// Returns the loss of a side per deal, from the losses of both sides.
fn part<'a>(losses: impl Iterator<Item = &'a i32>) -> Part {
    Part { sum: losses.map(|loss| i64::from(*loss)).sum(), count: 2 }
}

/// The contract of a deal for comparison: side, strain and level, or `None` if it was passed out.
type Reached = Option<(Team, Strain, Goal)>;

fn reached(end: &End) -> Option<Reached> {
    match end {
        End::Forfeited => None,
        End::ThrownIn => Some(None),
        End::Played { contract, .. } => {
            Some(Some((contract.declarer.team(), contract.strain, contract.goal)))
        }
    }
}

impl OwnTotals {
    fn add(&mut self, ladder: &Ladder, own: &Own, slams: Option<[bool; 2]>) {
        self.deals += 1;
        let mut bid = [false; 2];
        match own.end {
            End::ThrownIn => self.thrown_in += 1,
            End::Forfeited => self.forfeited += 1,
            End::Played { contract, made, difference, told } => {
                let level = match contract.goal {
                    Goal::Bid(value) => ladder.index_of(value).unwrap_or_default(),
                    Goal::Majority => 0,
                };
                let cell = &mut self.contracts[6 * level + contract.strain.index()];
                cell.all.add(made, difference);
                if contract.stake != Stake::Plain {
                    cell.coinched.add(made, difference);
                }
                if let Some(told) = told {
                    self.forecasts.add(told, contract.stake == Stake::Plain, made);
                }
                let slam = matches!(contract.goal, Goal::Bid(value) if value.as_points().is_none());
                bid[contract.declarer.team().index()] = slam;
            }
        }
        if let Some(losses) = &own.losses {
            self.judged += 1;
            self.lost.add(part(losses.iter().flatten()));
            for (cause, lost) in self.causes.iter_mut().enumerate() {
                let sides = losses.map(|losses| losses[cause]);
                lost.deals += u64::from(sides.iter().any(|loss| *loss > 0));
                lost.points.add(part(sides.iter()));
            }
        }
        for (there, bid) in slams.into_iter().flatten().zip(bid) {
            self.slams[0] += u64::from(there);
            self.slams[1] += u64::from(there && bid);
        }
    }
}
