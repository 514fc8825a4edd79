//! The results of hands of a class, deal by deal.

use std::collections::BTreeMap;

use coinche_engine::{CardSet, RuleSet, Seat, Strain, Team};
use coinche_inference::ratio::{Part, Ratio};
use coinche_inference::{Merge, merge, quantile_of_counts};
use serde::{Deserialize, Serialize};

use super::class::{HandClass, Kind};
use super::marginal::Marginal;
use crate::label::Row;
use coinche_runs::Damage;
use coinche_runs::job::pairs;

/// Who leads to the first trick: the hand itself, or another one.
pub(super) const LEADS: [&str; 2] = ["own", "other"];

/// All tricks, for [`Points::at_least`]: a side that takes them all has more than all points.
pub(crate) const ALL_TRICKS: usize = usize::MAX;

/// The double-dummy points of the sides of one class's hands; saved without the current deal.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(try_from = "(Vec<(u16, u64)>, u64, Ratio)", into = "(Vec<(u16, u64)>, u64, Ratio)")]
pub struct Points {
    /// How often, by points, without all tricks.
    histogram: Vec<u64>,
    all_tricks: u64,
    /// The mean, with the deal as the unit.
    pub mean: Ratio,
    /// The sums of the current deal.
    part: Part,
}

merge! { Points { histogram, all_tricks, mean; kept: part } }

impl TryFrom<(Vec<(u16, u64)>, u64, Ratio)> for Points {
    type Error = Damage;

    fn try_from((taken, all_tricks, mean): (Vec<(u16, u64)>, u64, Ratio)) -> Result<Self, Damage> {
        let mut points = Self { all_tricks, mean, ..Self::default() };
        for (place, count) in taken {
            let place = points.place(place);
            *place = place.checked_add(count).ok_or(Damage::Totals)?;
        }
        Ok(points)
    }
}

impl From<Points> for (Vec<(u16, u64)>, u64, Ratio) {
    fn from(points: Points) -> Self {
        let taken = (0..).zip(points.histogram).filter(|(_, count)| *count > 0);
        (taken.collect(), points.all_tricks, points.mean)
    }
}

impl Points {
    fn add(&mut self, points: u16, all_tricks: bool) {
        *if all_tricks { &mut self.all_tricks } else { self.place(points) } += 1;
        self.part.add(points.into());
    }

    fn place(&mut self, points: u16) -> &mut u64 {
        let place = usize::from(points);
        self.histogram.resize(self.histogram.len().max(place + 1), 0);
        &mut self.histogram[place]
    }

    fn end_deal(&mut self) {
        self.mean.add(core::mem::take(&mut self.part));
    }

    /// Returns the number of hands.
    pub fn count(&self) -> u64 {
        self.mean.count()
    }

    /// Returns how many of them took at least this many points; [`ALL_TRICKS`]: every trick.
    pub fn at_least(&self, points: usize) -> u64 {
        self.histogram.iter().skip(points).sum::<u64>() + self.all_tricks
    }

    /// Returns the smallest number of points that a share of the hands does not exceed; `None`: all tricks.
    pub fn quantile(&self, percent: u64) -> Option<usize> {
        let all = [&self.histogram[..], &[self.all_tricks]].concat();
        quantile_of_counts(&all, percent).filter(|place| *place < self.histogram.len())
    }
}

/// All classes with their results.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// By strain, all points of a deal.
    all: [u16; 6],
    /// Rows: a deal with one leader.
    pub rows: u64,
    /// How many deals.
    pub deals: u64,
    /// The points by class of hands, then by who leads: the hand itself, or another one.
    #[serde(with = "pairs")]
    pub classes: BTreeMap<HandClass, [Points; 2]>,
    /// By kind of strain.
    #[serde(with = "pairs")]
    pub marginals: BTreeMap<Kind, Marginal>,
    /// The current deal, and its classes.
    #[serde(skip)]
    deal: Option<u64>,
    #[serde(skip)]
    touched: Vec<(HandClass, usize)>,
}

merge! { Totals { rows, deals, classes; with merge_by_kind: marginals; kept: all, deal, touched } }

fn merge_by_kind(marginals: &mut BTreeMap<Kind, Marginal>, others: &BTreeMap<Kind, Marginal>) {
    for (kind, other) in others {
        marginals.entry(*kind).or_insert_with(|| Marginal::new(*kind)).merge(other);
    }
}

impl Totals {
    /// Creates empty totals.
    pub fn new(rules: &RuleSet) -> Self {
        Self { all: Strain::ALL.map(|strain| rules.all_points(strain)), ..Self::default() }
    }

    /// Returns the maximum points in a strain.
    pub fn all_points(&self) -> usize {
        self.all.into_iter().max().unwrap_or_default().into()
    }

    /// Adds a row; the rows of a deal are adjacent.
    pub fn add(&mut self, row: &Row) {
        if self.deal != Some(row.deal) {
            self.finish();
            self.deal = Some(row.deal);
            self.deals += 1;
        }
        self.rows += 1;
        for strain in Strain::ALL {
            let Some(even) = row.points[strain.index()] else { continue };
            let all = self.all[strain.index()];
            for seat in Seat::ALL {
                let points = if seat.team() == Team::Even { even } else { all.saturating_sub(even) };
                let (hand, slam) = (row.hands[seat], row.is_slam(strain, seat.team()));
                self.add_hand(row.deal, hand, strain, seat == row.leader, points, slam);
            }
        }
    }

    fn add_hand(&mut self, deal: u64, hand: CardSet, strain: Strain, leads: bool, points: u16, slam: bool) {
        let class = HandClass::of(hand, strain);
        let lead = usize::from(!leads);
        let cell = &mut self.classes.entry(class).or_default()[lead];
        if cell.part.count == 0 {
            self.touched.push((class, lead));
        }
        cell.add(points, slam);
        let marginal = self.marginals.entry(class.kind()).or_insert_with(|| Marginal::new(class.kind()));
        marginal.add(deal, hand, strain, leads, points);
    }

    /// Adds the current deal.
    pub fn finish(&mut self) {
        for (class, lead) in self.touched.drain(..) {
            if let Some(cells) = self.classes.get_mut(&class) {
                cells[lead].end_deal();
            }
        }
        self.deal = None;
    }

    /// Tests if these are totals under the same rules.
    pub fn is_like(&self, other: &Self) -> bool {
        self.all == other.all
    }
}
