//! Totals by bot, deal by deal.

use std::collections::BTreeMap;

use coinche_engine::{Call, Team};

use super::Leg;
use super::auction::CAUSES;
use super::decision::GROUPS;
use super::knowing::PARTS;
use coinche_inference::ratio::{Paired, Part, Ratio};
use coinche_inference::{Merge, merge};
use coinche_runs::damage::Damage;
use coinche_runs::job::pairs;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Points and score, each with the number of losing decisions.
#[derive(Debug, Clone, Copy, Default)]
struct DealCell {
    points: Part,
    score: Part,
    known: Part,
    points_losing: u64,
    score_losing: u64,
    known_losing: u64,
}

/// The decisions of one bot in one group.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cell {
    /// Card points lost per decision.
    pub(super) points: Ratio,
    /// Score lost per decision, where known.
    pub(super) score: Ratio,
    /// [`PARTS`](super::knowing::PARTS) of score lost per decision according to a bot.
    pub(super) known: Ratio,
    /// The number of decisions with a loss above 0.
    pub(super) points_losing: u64,
    pub(super) score_losing: u64,
    pub(super) known_losing: u64,
}

/// The measures by which bots are compared: the loss of a player per leg.
pub(super) const MEASURES: [&str; 5] =
    ["cards_points", "cards_score", "auction_score", "cards_known", "calls_known"];

/// The kinds of calls judged by a bot from what the seat could know.
pub(super) const CALLS: [&str; 4] = ["all", "pass", "bid", "coinche"];

/// The sums of one bot in the current deal.
#[derive(Debug, Clone)]
struct OfDeal {
    cells: [DealCell; GROUPS.len()],
    /// By cause, then all.
    auction: [Part; CAUSES.len() + 1],
    /// By kind of call, with the number of losing calls.
    calls: [(Part, u64); CALLS.len()],
    /// By [`MEASURES`]; the auction by side, the others by player.
    measures: [Part; MEASURES.len()],
}

/// The totals of one bot.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BotTotals {
    pub(super) name: String,
    pub(super) cells: [Cell; GROUPS.len()],
    /// The score lost by a side, by cause, then all.
    pub(super) auction: [Ratio; CAUSES.len() + 1],
    /// By cause, the number of auctions with a loss.
    pub(super) auction_losing: [u64; CAUSES.len() + 1],
    /// By kind of call: [`PARTS`](super::knowing::PARTS) of score lost, and the number of losing calls.
    pub(super) calls: [(Ratio, u64); CALLS.len()],
    pub(super) measures: [Ratio; MEASURES.len()],
    #[serde(skip)]
    of_deal: OfDeal,
    #[serde(skip)]
    in_deal: bool,
}

merge! {
    Cell { points, score, known, points_losing, score_losing, known_losing }
    BotTotals { cells, auction, auction_losing, calls, measures; kept: name, of_deal, in_deal }
}

/// All totals. Sums are integers, exact and independent of order.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// Whether there was a record, judged or not.
    pub(super) found: bool,
    /// Deals, or matches.
    pub(super) units: u64,
    pub(super) legs: u64,
    pub(super) thrown_in: u64,
    /// Legs ended by a crash.
    pub(super) forfeited: u64,
    /// Legs without score losses.
    pub(super) unscored: u64,
    /// Lines that are no record.
    pub wrong_lines: u64,
    pub(super) bots: Vec<BotTotals>,
    /// By two indices of bots, the lower first.
    #[serde(with = "pairs")]
    pub(super) pairs: BTreeMap<(usize, usize), [Paired; MEASURES.len()]>,
    #[serde(skip)]
    unit: Option<u64>,
}

impl Merge for Totals {
    /// Adds the totals of later deals; bots stay in order of appearance.
    fn merge(&mut self, other: &Self) {
        let Self { found, units, legs, thrown_in, forfeited, unscored, wrong_lines, bots, pairs, unit: _ } =
            other;
        self.found.merge(found);
        self.units.merge(units);
        self.legs.merge(legs);
        self.thrown_in.merge(thrown_in);
        self.forfeited.merge(forfeited);
        self.unscored.merge(unscored);
        self.wrong_lines.merge(wrong_lines);
        let places: Vec<usize> = bots.iter().map(|bot| self.place(&bot.name)).collect();
        for (place, bot) in places.iter().zip(bots) {
            self.bots[*place].merge(bot);
        }
        for ((a, b), sums) in pairs {
            let (a, b) = (places[*a], places[*b]);
            let own = self.pairs.entry((a.min(b), a.max(b))).or_default();
            own.merge(&if a < b { *sums } else { sums.map(|sums| sums.swapped()) });
        }
    }
}

impl Default for OfDeal {
    fn default() -> Self {
        Self::new()
    }
}

impl OfDeal {
    const fn new() -> Self {
        const NONE: Part = Part { sum: 0, count: 0 };
        let cell = DealCell {
            points: NONE,
            score: NONE,
            known: NONE,
            points_losing: 0,
            score_losing: 0,
            known_losing: 0,
        };
        Self {
            cells: [cell; GROUPS.len()],
            auction: [NONE; CAUSES.len() + 1],
            calls: [(NONE, 0); CALLS.len()],
            measures: [NONE; MEASURES.len()],
        }
    }
}

impl BotTotals {
    fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            cells: [Cell::default(); GROUPS.len()],
            auction: [Ratio::default(); CAUSES.len() + 1],
            auction_losing: [0; CAUSES.len() + 1],
            calls: [(Ratio::default(), 0); CALLS.len()],
            measures: [Ratio::default(); MEASURES.len()],
            of_deal: OfDeal::new(),
            in_deal: false,
        }
    }

    /// Adds the bot's sums of the current deal.
    fn finish_deal(&mut self) {
        for (cell, deal) in self.cells.iter_mut().zip(&self.of_deal.cells) {
            cell.points.add(deal.points);
            cell.score.add(deal.score);
            cell.points_losing += deal.points_losing;
            cell.score_losing += deal.score_losing;
            cell.known.add(deal.known);
            cell.known_losing += deal.known_losing;
        }
        for ((ratio, losing), (part, more)) in self.calls.iter_mut().zip(self.of_deal.calls) {
            ratio.add(part);
            *losing += more;
        }
        for (ratio, part) in self.auction.iter_mut().zip(self.of_deal.auction) {
            ratio.add(part);
        }
        for (ratio, part) in self.measures.iter_mut().zip(self.of_deal.measures) {
            ratio.add(part);
        }
        self.of_deal = OfDeal::new();
        self.in_deal = false;
    }
}

impl Totals {
    /// Parses totals that were saved between two deals.
    pub(super) fn read(text: &RawValue) -> Result<Self, Damage> {
        let totals: Self = serde_json::from_str(text.get())?;
        let bots = totals.bots.len();
        let are_there = totals.pairs.keys().all(|(a, b)| a < b && *b < bots);
        if are_there { Ok(totals) } else { Err(Damage::Totals) }
    }

    /// Starts a deal (in matches: a match), or continues the current one.
    pub(super) fn begin(&mut self, unit: u64) {
        if self.unit != Some(unit) {
            self.finish();
            self.unit = Some(unit);
            self.units += 1;
        }
    }

    /// Adds a leg of the deal.
    pub(super) fn add(&mut self, leg: &Leg) {
        self.legs += 1;
        self.add_auction(leg);
        self.add_calls(leg);
        if leg.record.contract.is_none() {
            self.thrown_in += 1;
            return;
        }
        self.unscored += u64::from(!leg.scored);
        let bots = leg.record.bots.0.each_ref().map(|name| self.index_of(name));
        for bot in bots {
            // A player of a leg also counts if it had no choice.
            let [points, score, _, known, _] = &mut self.bots[bot].of_deal.measures;
            points.count += 1;
            score.count += i64::from(leg.scored);
            known.count += i64::from(leg.is_judged_by_a_bot());
        }
        let known = leg.known.cards.iter().copied().chain(core::iter::repeat(None));
        for (decision, known) in leg.decisions.iter().zip(known) {
            let of_deal = &mut self.bots[bots[decision.seat.index()]].of_deal;
            of_deal.measures[0].sum += i64::from(decision.loss());
            of_deal.measures[1].sum += i64::from(decision.score_loss.unwrap_or_default());
            of_deal.measures[3].sum += i64::from(known.unwrap_or_default());
            for group in decision.groups() {
                let cell = &mut of_deal.cells[group];
                cell.points.add(decision.loss());
                cell.points_losing += u64::from(decision.loss() > 0);
                if let Some(loss) = known {
                    cell.known.add(loss);
                    cell.known_losing += u64::from(loss > 0);
                }
                if let Some(loss) = decision.score_loss {
                    cell.score.add(loss);
                    cell.score_losing += u64::from(loss > 0);
                }
            }
        }
    }

    fn add_auction(&mut self, leg: &Leg) {
        let Some(losses) = &leg.auction else { return };
        for team in Team::ALL {
            let loss = &losses[team.index()];
            let all = loss.0.into_iter().chain([loss.total()]);
            for name in leg.bots(team) {
                let bot = self.index_of(name);
                let bot = &mut self.bots[bot];
                bot.of_deal.measures[2].add(loss.total());
                for (n, loss) in all.clone().enumerate() {
                    bot.of_deal.auction[n].add(loss);
                    bot.auction_losing[n] += u64::from(loss > 0);
                }
            }
        }
    }

    /// Adds the losses of the calls according to a bot.
    fn add_calls(&mut self, leg: &Leg) {
        if leg.known.calls.iter().all(|(.., loss)| loss.is_none()) {
            return;
        }
        let bots = leg.record.bots.0.each_ref().map(|name| self.index_of(name));
        for bot in bots {
            self.bots[bot].of_deal.measures[4].count += 1;
        }
        for (seat, call, loss) in &leg.known.calls {
            let Some(loss) = *loss else { continue };
            let of_deal = &mut self.bots[bots[seat.index()]].of_deal;
            of_deal.measures[4].sum += i64::from(loss);
            let kind = match call {
                Call::Pass => 1,
                Call::Coinche | Call::Surcoinche => 3,
                _ => 2,
            };
            for kind in [0, kind] {
                let (part, losing) = &mut of_deal.calls[kind];
                part.add(loss);
                *losing += u64::from(loss > 0);
            }
        }
    }

    /// Finds or adds a bot by name, and notes that it played in this deal.
    fn index_of(&mut self, name: &str) -> usize {
        let index = self.place(name);
        self.bots[index].in_deal = true;
        index
    }

    /// Finds or adds a bot by name.
    fn place(&mut self, name: &str) -> usize {
        self.bots.iter().position(|bot| bot.name == name).unwrap_or_else(|| {
            self.bots.push(BotTotals::new(name));
            self.bots.len() - 1
        })
    }

    /// Adds the current deal.
    pub(super) fn finish(&mut self) {
        let there: Vec<_> = (0..self.bots.len()).filter(|bot| self.bots[*bot].in_deal).collect();
        for (n, a) in there.iter().enumerate() {
            for b in &there[n + 1..] {
                let [first, second] = [a, b].map(|bot| self.bots[*bot].of_deal.measures);
                let pair = self.pairs.entry((*a, *b)).or_default();
                for (paired, (a, b)) in pair.iter_mut().zip(first.into_iter().zip(second)) {
                    paired.add(a, b);
                }
            }
        }
        for bot in there {
            self.bots[bot].finish_deal();
        }
        self.unit = None;
    }
}

/// Returns the factor from a mean of one of [`MEASURES`] to the loss of a side per leg.
pub(super) fn of_a_side(measure: usize) -> f64 {
    match measure {
        2 => 1.0,
        3 | 4 => 2.0 / f64::from(PARTS),
        _ => 2.0,
    }
}
