//! One pass over the deal records: the deals that are shown, what bots forecast, and what they did wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use coinche_engine::record::Record;
use coinche_engine::{AuctionState, AuctionTurn, Call, Card, Seat, Stake};
use coinche_inference::merge;
use coinche_selfplay::base::Result;
use coinche_selfplay::play::tally::fault_name;
use coinche_selfplay::records::json;
use coinche_selfplay::records::label::deal_of;
use coinche_selfplay::records::lines::{read_all, records_in};
use memchr::memmem;
use serde::{Deserialize, Serialize};

use super::error::{LineError, RecordError, unreadable};

/// The number of classes of forecasts.
pub(crate) const TENTHS: usize = 10;

/// How many examples of a kind of fault are kept.
const EXAMPLES: usize = 3;

/// Some contracts by tenth of the chance told.
pub(crate) type Tenths = [Tenth; TENTHS];

/// The unit in which chances are added up: as whole numbers their sums do not depend on the order.
const UNITS: f64 = 1_099_511_627_776.0;

/// A sum of chances, or of squares of their differences from what came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ChanceSum(u128);

impl ChanceSum {
    /// Adds a number from 0 to 1.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 2^40")]
    fn add(&mut self, number: f64) {
        self.0 += (number * UNITS).round() as u128;
    }

    /// Returns the sum.
    pub fn sum(self) -> f64 {
        self.0 as f64 / UNITS
    }
}

/// The contracts of a tenth.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tenth {
    pub contracts: u64,
    pub made: u64,
    /// The chances told.
    pub told: ChanceSum,
}

/// The forecasts of one bot.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forecasts {
    /// All contracts.
    pub all: Tenths,
    /// Those that were not coinched.
    pub plain: Tenths,
    /// (chance − 1 or 0)².
    pub squares: ChanceSum,
}

merge! {
    ChanceSum { 0 }
    Tenth { contracts, made, told }
    Forecasts { all, plain, squares }
}

impl Forecasts {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the number of tenths"
    )]
    /// Adds a contract: its forecast, whether it was not coinched, whether it was made.
    pub fn add(&mut self, chance: f64, is_plain: bool, made: bool) {
        let chance = chance.clamp(0.0, 1.0);
        let tenth = ((chance * 10.0) as usize).min(TENTHS - 1);
        for tenths in [Some(&mut self.all), Some(&mut self.plain).filter(|_| is_plain)].into_iter().flatten()
        {
            tenths[tenth].contracts += 1;
            tenths[tenth].made += u64::from(made);
            tenths[tenth].told.add(chance);
        }
        self.squares.add((chance - f64::from(u8::from(made))).powi(2));
    }

    /// Returns how many there are.
    pub fn count(&self) -> u64 {
        self.all.iter().map(|tenth| tenth.contracts).sum()
    }
}

/// A fault that was seen: deal, leg, what it was.
type Example = (u64, u32, String);

/// What one pass found.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The legs of the deals that were wanted, by deal and pairing.
    pub deals: BTreeMap<(u64, usize), Vec<Record>>,
    /// The forecasts, by bot.
    pub forecasts: BTreeMap<String, Forecasts>,
    /// The first faults of each bot and kind: deal, leg, what was seen.
    pub faults: BTreeMap<(String, &'static str), Vec<Example>>,
}

/// What a bot told of a decision.
#[derive(Deserialize)]
struct Thought {
    seat: Seat,
    decision: u64,
    chance: Option<f64>,
}

/// What a line has for the report.
struct Found {
    pairing: usize,
    /// The forecast of a bot: its chance, whether the contract was not coinched, whether it was made.
    forecast: Option<(String, f64, bool, bool)>,
    /// The record, if it has faults or is wanted.
    record: Option<Box<Record>>,
}

/// Finds what lines have for the report, without parsing those that have nothing.
struct Finder<'a> {
    wanted: &'a BTreeSet<u64>,
    thoughts: memmem::Finder<'static>,
    faults: memmem::Finder<'static>,
}

impl Finder<'_> {
    fn find(&self, line: &[u8]) -> Result<Option<Found>, RecordError> {
        let Some(deal) = deal_of(line) else {
            // A last line that was cut belongs to a run that is under way.
            return if line.ends_with(b"}") { Err(RecordError::NoRecord) } else { Ok(None) };
        };
        let is_kept = self.wanted.contains(&deal) || self.faults.find(line).is_some();
        if !is_kept && self.thoughts.find(line).is_none() {
            return Ok(None);
        }
        let parse = if is_kept { json::whole } else { json::without_cards };
        let (mut record, pairing, thoughts) = parse(line)?;
        let thoughts: Vec<Thought> = thoughts.map_or(Ok(Vec::new()), serde_json::from_str)?;
        let told = forecast(&record, &thoughts).zip(record.contract.as_ref()).zip(record.made);
        let forecast = told.map(|((chance, contract), made)| {
            let bot = &mut record.bots[contract.declarer];
            let bot = if is_kept { bot.clone() } else { core::mem::take(bot) };
            (bot, chance, contract.stake == Stake::Plain, made)
        });
        let pairing = usize::try_from(pairing.unwrap_or(0)).unwrap_or(usize::MAX);
        Ok(Some(Found { pairing, forecast, record: is_kept.then(|| Box::new(record)) }))
    }
}

/// Returns the forecast that counts: the declarer's of the bid that became the contract, else its first one of the play.
fn forecast(record: &Record, thoughts: &[Thought]) -> Option<f64> {
    let declarer = record.contract.as_ref()?.declarer;
    let (bid, calls) = decisions(record, declarer)?;
    let own = || {
        let told =
            |thought: &Thought| Some((thought.decision, thought.chance.filter(|chance| chance.is_finite())?));
        thoughts.iter().filter(|thought| thought.seat == declarer).filter_map(told)
    };
    let with_bid = own().find(|(decision, _)| *decision == bid);
    let in_play = || own().filter(|(decision, _)| *decision >= calls).min_by_key(|(decision, _)| *decision);
    with_bid.or_else(in_play).map(|(_, chance)| chance)
}

/// The number of a declarer's decision to bid its contract, and of all its decisions in the auction: answers to offers
/// count, and those that decline are not in the record.
fn decisions(record: &Record, declarer: Seat) -> Option<(u64, u64)> {
    let rules = record.rules.rules().ok()?;
    let mut auction = AuctionState::new(&rules, record.dealer, record.turned.map(Card::suit));
    let (mut bid, mut decisions) = (0, 0);
    let mut calls = record.auction.iter();
    while let Some(seat) = auction.turn().seat() {
        let is_offer = !matches!(auction.turn(), AuctionTurn::Speak(_));
        let accepts = |(next, call): &&(Seat, Call)| {
            *next == seat && !call.is_pass() && auction.legal_calls().contains(*call)
        };
        let call = match calls.as_slice().first() {
            next if is_offer && !next.is_some_and(|next| accepts(&next)) => Call::Pass,
            _ => calls.next()?.1,
        };
        if seat == declarer {
            let is_bid = matches!(call, Call::Bid(_) | Call::Take | Call::TakeIn(_));
            bid = if is_bid { decisions } else { bid };
            decisions += 1;
        }
        auction.call(call).ok()?;
    }
    Some((bid, decisions))
}

impl Seen {
    fn add(&mut self, Found { pairing, forecast, record }: Found, wanted: &BTreeSet<u64>) {
        if let Some((bot, chance, is_plain, made)) = forecast {
            self.forecasts.entry(bot).or_default().add(chance, is_plain, made);
        }
        let Some(record) = record else { return };
        for fault in &record.faults {
            let bot = record.bots[fault.seat].clone();
            let examples = self.faults.entry((bot, fault_name(fault.kind))).or_default();
            if examples.len() < EXAMPLES {
                examples.push((record.deal, record.leg, fault.detail.clone()));
            }
        }
        if wanted.contains(&record.deal) {
            self.deals.entry((record.deal, pairing)).or_default().push(*record);
        }
    }
}

/// Reads the records of a run; `None` where there are none.
pub(super) fn read(directory: &Path, pairings: usize, wanted: &BTreeSet<u64>) -> Result<Option<Seen>> {
    let Some(path) = records_in(directory) else { return Ok(None) };
    let thoughts = memmem::Finder::new("\"thoughts\":[");
    let finder = Finder { wanted, thoughts, faults: memmem::Finder::new("\"faults\":[{") };
    let mut seen = Seen::default();
    let find = |line, text: &[u8]| finder.find(text).map_err(|why| LineError { line, why });
    read_all(&path, find, |found| {
        let found = found.map_err(|why| unreadable(&path, why))?;
        // The control is not reported on.
        if let Some(found) = found.filter(|found| found.pairing < pairings) {
            seen.add(found, wanted);
        }
        Ok(())
    })?;
    Ok(Some(seen))
}

#[cfg(test)]
mod tests {
    use super::*;
    use coinche_inference::Merge;

    #[test]
    fn forecasts_are_counted_by_tenths() {
        let mut forecasts = Forecasts::default();
        for (chance, made) in
            [(0.0, false), (0.05, true), (0.1, true), (0.95, true), (1.0, true), (7.0, false)]
        {
            forecasts.add(chance, made, made);
        }
        let counts = |tenths: Tenths| [0, 1, 9].map(|at| (tenths[at].contracts, tenths[at].made));
        assert_eq!(counts(forecasts.all), [(2, 1), (1, 1), (3, 2)]);
        assert_eq!(counts(forecasts.plain), [(1, 1), (1, 1), (2, 2)]);
        assert_eq!(forecasts.count(), 6);
        let squares = 0.0 + 0.95f64.powi(2) + 0.9f64.powi(2) + 0.05f64.powi(2) + 0.0 + 1.0;
        assert!((forecasts.squares.sum() - squares).abs() < 1e-11);
    }

    #[test]
    fn the_order_of_forecasts_is_not_seen() {
        let chances: Vec<f64> = (1..400).map(|n| (f64::from(n) * 0.618_034).fract()).collect();
        let all = |order: &mut dyn Iterator<Item = &f64>| {
            let mut forecasts = Forecasts::default();
            order.for_each(|chance| forecasts.add(*chance, true, *chance > 0.4));
            forecasts
        };
        let (whole, backwards) = (all(&mut chances.iter()), all(&mut chances.iter().rev()));
        let mut parts = all(&mut chances[100..].iter());
        parts.merge(&all(&mut chances[..100].iter()));
        for other in [backwards, serde_json::from_str(&serde_json::to_string(&parts).unwrap()).unwrap()] {
            assert_eq!((other.squares, other.count()), (whole.squares, 399));
            let told = |forecasts: &Forecasts| forecasts.all.map(|tenth| (tenth.told, tenth.contracts));
            assert_eq!(told(&other), told(&whole));
        }
        let told: f64 = whole.all.iter().map(|tenth| tenth.told.sum()).sum();
        assert!((told - chances.iter().sum::<f64>()).abs() < 1e-9);
    }
}
