//! The totals of a run or a part of it: integers by encounter, and covariances between encounters.

use std::borrow::Cow;

use coinche_engine::RuleSet;
use coinche_inference::{Estimate, MeanOfPairs, Merge, PairedSums, merge};
use coinche_selfplay::{Encounter, SideTally, Tally, Unit};
use serde::{Deserialize, Serialize};

use crate::config::RunConfig;
use crate::covariance::CovarianceSums;
use crate::damage::Damage;
use crate::mean::Mean;

/// All totals of a run or of a part of it; those read from a file can be used once they are [`restored`](Self::restored).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// The encounters.
    pub encounters: Vec<Encounter>,
    /// The totals by encounter.
    pub tallies: Vec<Tally>,
    /// The sums for covariances between the encounters; named as in files of older versions.
    #[serde(rename = "joint")]
    pub covariance: CovarianceSums,
    /// The sums of the control over its extra deals; `None` without a control and before they are played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<PairedSums>,
}

merge! { Totals { tallies, covariance, control; kept: encounters } }

impl Totals {
    /// Creates empty totals.
    pub fn new(config: &RunConfig) -> Self {
        let encounters = config.encounters();
        let tallies = vec![Tally::new(&config.rules, config.unit); encounters.len()];
        let covariance = CovarianceSums::new(encounters.len());
        Self { encounters, tallies, covariance, control: None }
    }

    /// Returns the totals of the bots alone, without those of a control on the same deals.
    pub fn of_bots(&self, config: &RunConfig) -> Cow<'_, Self> {
        let own = config.own_encounters();
        if own == self.encounters.len() {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Self {
            encounters: self.encounters[..own].to_vec(),
            tallies: self.tallies[..own].to_vec(),
            covariance: self.covariance.first(own),
            control: None,
        })
    }

    /// Returns the number of deals or matches, each played by every encounter in two legs.
    pub fn pairs(&self) -> u64 {
        self.tallies.first().map_or(0, |tally| tally.points.pairs)
    }

    /// Returns the number of legs of deals.
    pub fn legs(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.deals).sum()
    }

    /// Returns the totals of a match of two bots: those of the first encounter.
    pub fn first(&self) -> &Tally {
        &self.tallies[0]
    }

    /// Returns the totals of a bot over all its encounters.
    pub fn of_bot(&self, bot: usize) -> Option<SideTally> {
        let mut sides = self.encounters.iter().zip(&self.tallies).flat_map(|(encounter, tally)| {
            let sides = [(encounter.a, &tally.sides[0]), (encounter.b, &tally.sides[1])];
            sides.into_iter().filter_map(move |(other, side)| (other == bot).then_some(side))
        });
        let first = sides.next()?.clone();
        Some(sides.fold(first, SideTally::merged))
    }

    /// Returns the paired difference between two bots, from the first one's side; `None` if they have not met.
    pub fn between(&self, bot: usize, other: usize) -> Option<Estimate> {
        let mut all = self.encounters.iter().zip(&self.tallies);
        all.find_map(|(encounter, tally)| {
            let Encounter { a, b } = *encounter;
            if (a, b) == (bot, other) {
                tally.points.estimate()
            } else if (b, a) == (bot, other) {
                tally.points.estimate().map(Estimate::reversed)
            } else {
                None
            }
        })
    }

    /// Returns the mean paired difference of a bot against all its opponents, equally weighted. The interval accounts for the
    /// correlation of encounters within a deal.
    pub fn against_all(&self, bot: usize) -> Option<Mean> {
        let signed = self.encounters.iter().enumerate().filter_map(|(n, encounter)| match bot {
            bot if bot == encounter.a => Some((n, 1)),
            bot if bot == encounter.b => Some((n, -1)),
            _ => None,
        });
        let signed: Vec<(usize, i128)> = signed.collect();
        let sum = if signed.is_empty() { None } else { self.weighted(&signed, true) };
        sum.map(|sum| sum.out_of(signed.len() as f64))
    }

    /// Tests if a weighted sum of paired differences is 0 in every deal.
    pub fn is_nothing(&self, terms: &[(usize, i128)]) -> bool {
        let square = |(p, weight): &(usize, i128), (q, other): &(usize, i128)| {
            weight * other * self.covariance.product(*p, *q)
        };
        terms.iter().map(|term| terms.iter().map(|other| square(term, other)).sum::<i128>()).sum::<i128>()
            == 0
    }

    /// Returns the mean over deals of a weighted sum of paired differences, given the index and weight of each encounter;
    /// `None` for fewer than two deals. The interval accounts for the correlation of encounters within a deal.
    pub fn sum_of(&self, terms: &[(usize, i128)]) -> Option<Mean> {
        self.weighted(terms, false)
    }

    /// The same; on request with encounters of negative weight seen from the side of B, so that the differences of all of them may be rare in
    /// the same deals and add up.
    fn weighted(&self, terms: &[(usize, i128)], are_of_one_side: bool) -> Option<Mean> {
        let n = i128::from(self.pairs());
        if n < 2 {
            return None;
        }
        let (mut sum, mut squares, mut known) = (0, 0, Vec::new());
        for (p, weight) in terms {
            sum += weight * self.covariance.sum(*p);
            squares +=
                terms.iter().map(|(q, other)| weight * other * self.covariance.product(*p, *q)).sum::<i128>();
            let (of_a, weight) = (self.tallies[*p].points.mean_of_pairs()?, *weight as f64);
            let is_turned = are_of_one_side && weight < 0.0;
            known.push(if is_turned { (-weight, of_a.reversed()) } else { (weight, of_a) });
        }
        // The sums are of twice the differences.
        let count = n as f64;
        let variance = (n * squares - sum * sum) as f64 / (count * (count - 1.0)) / 4.0;
        let mean = sum as f64 / count / 2.0;
        let interval = MeanOfPairs::of_sum(&known, mean, variance).interval(0.95);
        Some(Mean { mean, half_width: interval.map(|interval| interval.half_width) })
    }

    /// Completes totals read from a file with what files do not hold, or returns what is wrong with them.
    pub fn restored(mut self, rules: &RuleSet, unit: Unit) -> Result<Self, Damage> {
        let tallies =
            self.tallies.into_iter().map(|tally| tally.restored(rules, unit).ok_or(Damage::Contracts));
        self.tallies = tallies.collect::<Result<_, _>>()?;
        let pairs = self.pairs();
        if self.tallies.len() != self.encounters.len()
            || self.tallies.iter().any(|tally| tally.points.pairs != pairs)
        {
            return Err(Damage::Encounters);
        }
        if self.covariance.is_sound(self.encounters.len(), pairs) {
            Ok(self)
        } else {
            Err(Damage::Covariance)
        }
    }
}
