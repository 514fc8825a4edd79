//! The contracts of a run, counted again from the rows of its table.

use coinche_engine::{BidValue, Call, Ladder, RuleSet, Stake, Strain};
use coinche_selfplay::play::schedule::Unit;
use coinche_selfplay::play::tally::{Contracts, Role, SideTally, Tally};
use coinche_selfplay::records::write::columns::place;

/// What a row says of a deal that was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Deal {
    strain: Strain,
    stake: Stake,
    /// The value of the last bid; `None` in the turn-up game.
    value: Option<BidValue>,
    tricks: [u8; 2],
    melds: [i64; 2],
}

impl Deal {
    /// Reads the cells of a row.
    pub(super) fn of_row(row: &csv::ByteRecord) -> Option<Self> {
        let text = |column: usize| std::str::from_utf8(row.get(column)?).ok();
        let melds = |column| match text(column)? {
            "" => Some(0),
            points => points.parse().ok(),
        };
        let mut bids = text(const { place("calls") })?.split(' ').filter_map(|call| match call.parse() {
            Ok(Call::Bid(bid)) => Some(bid.value),
            _ => None,
        });
        Some(Self {
            strain: text(const { place("strain") })?.parse().ok()?,
            stake: text(const { place("stake") })?.parse().ok()?,
            value: bids.next_back(),
            tricks: [
                text(const { place("tricks0") })?.parse().ok()?,
                text(const { place("tricks1") })?.parse().ok()?,
            ],
            melds: [melds(const { place("melds0") })?, melds(const { place("melds1") })?],
        })
    }
}

/// Who declared, and how it ended: by side, seen from the declarer's.
pub(super) struct Ended {
    /// The declarer's side.
    pub(super) side: usize,
    /// The declarer's team.
    pub(super) team: usize,
    pub(super) made: bool,
    pub(super) own: i64,
    pub(super) other: i64,
}

/// What is counted of an encounter.
#[derive(Debug, Clone)]
pub(super) struct Counts {
    ladder: Ladder,
    /// Legs without a contract: passed out or forfeited.
    empty: u64,
    sides: [SideTally; 2],
}

impl Counts {
    /// Starts at nothing.
    pub(super) fn new(rules: &RuleSet, unit: Unit) -> Self {
        let tally = Tally::new(rules, unit);
        Self { ladder: tally.ladder(), empty: 0, sides: tally.sides }
    }

    /// Counts a leg without a contract.
    pub(super) const fn add_empty(&mut self) {
        self.empty += 1;
    }

    /// Counts a deal that was played.
    pub(super) fn add(&mut self, deal: &Deal, ended: &Ended) {
        let Ended { side, team, made, own, other } = *ended;
        let difference = i32::try_from(own - other).unwrap_or(i32::MAX);
        let level = deal.value.and_then(|value| self.ladder.index_of(value)).unwrap_or(0);
        let declaring = &mut self.sides[side];
        declaring.contracts[6 * level + deal.strain.index()].add(made, difference);
        declaring.stakes[deal.stake as usize].add(made, difference);
        match deal.value {
            Some(BidValue::CAPOT) => declaring.capots.add(made, difference),
            Some(BidValue::GENERALE) => declaring.generales.add(made, difference),
            _ => {}
        }
        let count = |role: &mut Role, points: i64| {
            role.legs += 1;
            role.points += points;
        };
        count(&mut declaring.declaring, own);
        let defending = &mut self.sides[1 - side];
        count(&mut defending.defending, other);
        if deal.stake != Stake::Plain {
            defending.coinches.add(!made, -difference);
        }
        for (side, team) in [(side, team), (1 - side, 1 - team)] {
            self.sides[side].slams += u64::from(deal.tricks[team] == 8);
            self.sides[side].meld_points += deal.melds[team];
        }
    }

    /// Returns what differs from the totals: the numbers of both, with a name.
    pub(super) fn differences(&self, totals: &Tally) -> Vec<(String, i64, i64)> {
        let long = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let mut found = vec![(
            "legs without a contract".to_owned(),
            long(totals.thrown_in + totals.forfeited),
            long(self.empty),
        )];
        for ((told, counted), side) in totals.sides.iter().zip(&self.sides).zip(["A", "B"]) {
            let mut contracts = |what: &str, told: &Contracts, counted: &Contracts| {
                found.push((format!("{what} of {side}"), long(told.played), long(counted.played)));
                found.push((format!("{what} made by {side}"), long(told.made), long(counted.made)));
                found.push((format!("points of {what} of {side}"), told.difference, counted.difference));
            };
            for (at, (told, counted)) in told.contracts.iter().zip(&counted.contracts).enumerate() {
                let (level, strain) = (self.ladder.value(at / 6), Strain::ALL[at % 6].code());
                let level = level.map_or_else(String::new, |value| value.to_string());
                contracts(&format!("contracts {level}{strain}"), told, counted);
            }
            for (stake, (told, counted)) in told.stakes.iter().zip(&counted.stakes).enumerate() {
                contracts(
                    ["plain contracts", "coinched contracts", "surcoinched contracts"][stake],
                    told,
                    counted,
                );
            }
            contracts("coinches", &told.coinches, &counted.coinches);
            contracts("capots", &told.capots, &counted.capots);
            contracts("générales", &told.generales, &counted.generales);
            found.push((format!("slams of {side}"), long(told.slams), long(counted.slams)));
            found.push((format!("points of melds of {side}"), told.meld_points, counted.meld_points));
        }
        found.retain(|(_, told, counted)| told != counted);
        found
    }
}
