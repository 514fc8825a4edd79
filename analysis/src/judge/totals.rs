//! Totals by bot, deal by deal.

use core::ops::Deref;
use std::collections::BTreeMap;

use coinche_engine::{Call, Team};

use super::Leg;
use super::auction::CAUSES;
use super::audit::{BARE, HABITS, Habit};
use super::decision::GROUPS;
use super::knowing::PARTS;
use coinche_inference::ratio::{Paired, Part, Ratio};
use coinche_inference::{Merge, merge};
use coinche_runs::Damage;
use coinche_runs::job::pairs;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A ratio, and what the current deal will add to it.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Running {
    ratio: Ratio,
    #[serde(skip)]
    deal: Part,
}

impl Running {
    /// Counts a loss, and whether it is above 0.
    fn add(&mut self, loss: i32, losing: &mut u64) {
        self.deal.add(loss);
        *losing += u64::from(loss > 0);
    }
}

impl Deref for Running {
    type Target = Ratio;

    fn deref(&self) -> &Ratio {
        &self.ratio
    }
}

/// The decisions of one bot in one group.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cell {
    /// Card points lost per decision.
    pub(super) points: Running,
    /// Score lost per decision, where known.
    pub(super) score: Running,
    /// [`PARTS`](super::knowing::PARTS) of score lost per decision according to a bot.
    pub(super) known: Running,
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

/// How often a bot did something that people call foolish, and what that cost.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Habits {
    /// How often, of the cards chosen among several or of the bids.
    pub(super) often: Running,
    /// Card points lost each time.
    pub(super) points: Running,
    /// Score lost each time, where known.
    pub(super) score: Running,
}

/// The totals of one bot.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BotTotals {
    pub(super) name: String,
    pub(super) cells: [Cell; GROUPS],
    /// The score lost by a side, by cause, then all.
    pub(super) auction: [Running; CAUSES.len() + 1],
    /// By cause, the number of auctions with a loss.
    pub(super) auction_losing: [u64; CAUSES.len() + 1],
    /// By kind of call: [`PARTS`](super::knowing::PARTS) of score lost, and the number of losing calls.
    pub(super) calls: [(Running, u64); CALLS.len()],
    /// By [`HABITS`].
    pub(super) habits: [Habits; HABITS.len()],
    /// By [`MEASURES`]; the auction by side, the others by player.
    pub(super) measures: [Running; MEASURES.len()],
    #[serde(skip)]
    in_deal: bool,
}

merge! {
    Running { ratio; kept: deal }
    Cell { points, score, known, points_losing, score_losing, known_losing }
    Habits { often, points, score }
    BotTotals { cells, auction, auction_losing, calls, habits, measures; kept: name, in_deal }
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
    /// Sum over the legs of the square of the difference in score.
    pub(super) squares: u64,
    /// The most card points of a leg.
    pub(super) most: u16,
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
        let Self {
            found,
            units,
            legs,
            squares,
            most,
            thrown_in,
            forfeited,
            unscored,
            wrong_lines,
            bots,
            pairs,
            unit: _,
        } = other;
        self.found.merge(found);
        self.units.merge(units);
        self.legs.merge(legs);
        self.squares.merge(squares);
        self.most = self.most.max(*most);
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
            own.merge(&if a < b { *sums } else { sums.map(Paired::swapped) });
        }
    }
}

impl BotTotals {
    fn ratios(&mut self) -> impl Iterator<Item = &mut Running> {
        let of_cards = self.cells.iter_mut().flat_map(|it| [&mut it.points, &mut it.score, &mut it.known]);
        let of_calls = self.calls.iter_mut().map(|(ratio, _)| ratio);
        let of_habits = self.habits.iter_mut().flat_map(|it| [&mut it.often, &mut it.points, &mut it.score]);
        of_cards.chain(&mut self.auction).chain(of_calls).chain(of_habits).chain(&mut self.measures)
    }

    /// Adds the bot's sums of the current deal.
    fn finish_deal(&mut self) {
        self.ratios().for_each(|it| it.ratio.add(core::mem::take(&mut it.deal)));
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
        let [first, second] = leg.record.score.0.map(i64::from);
        self.squares += first.abs_diff(second).pow(2);
        self.add_auction(leg);
        self.add_calls(leg);
        self.add_habits(leg);
        if leg.record.contract.is_none() {
            self.thrown_in += 1;
            return;
        }
        self.unscored += u64::from(!leg.scored);
        self.most = self.most.max(leg.record.card_points.0.iter().sum());
        let bots = leg.record.bots.0.each_ref().map(|name| self.index_of(name));
        for bot in bots {
            // A player of a leg also counts if it had no choice.
            let [points, score, _, known, _] = &mut self.bots[bot].measures;
            points.deal.count += 1;
            score.deal.count += i64::from(leg.scored);
            known.deal.count += i64::from(leg.is_judged_by_a_bot());
        }
        let known = leg.known.cards.iter().copied().chain(core::iter::repeat(None));
        for (decision, known) in leg.decisions.iter().zip(known) {
            let bot = &mut self.bots[bots[decision.seat.index()]];
            bot.measures[0].deal.sum += i64::from(decision.loss());
            bot.measures[1].deal.sum += i64::from(decision.score_loss.unwrap_or_default());
            bot.measures[3].deal.sum += i64::from(known.unwrap_or_default());
            for group in decision.groups() {
                let cell = &mut bot.cells[group];
                cell.points.add(decision.loss(), &mut cell.points_losing);
                if let Some(loss) = known {
                    cell.known.add(loss, &mut cell.known_losing);
                }
                if let Some(loss) = decision.score_loss {
                    cell.score.add(loss, &mut cell.score_losing);
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
                bot.measures[2].deal.add(loss.total());
                for (n, loss) in all.clone().enumerate() {
                    bot.auction[n].add(loss, &mut bot.auction_losing[n]);
                }
            }
        }
    }

    /// Adds what people call foolish.
    fn add_habits(&mut self, leg: &Leg) {
        let bots = leg.record.bots.0.each_ref().map(|name| self.index_of(name));
        let of_cards = leg.decisions.iter().map(|decision| decision.seat);
        let cards =
            of_cards.flat_map(|seat| (0..HABITS.len()).filter(|it| *it != BARE).map(move |it| (seat, it)));
        let bids = leg.audit.bids.iter().flat_map(|(seat, bids)| (0..*bids).map(move |_| (seat, BARE)));
        for (seat, habit) in cards.chain(bids) {
            self.bots[bots[seat.index()]].habits[habit].often.deal.count += 1;
        }
        for Habit { seat, which, decision } in &leg.audit.habits {
            let habit = &mut self.bots[bots[seat.index()]].habits[*which];
            habit.often.deal.sum += 1;
            let Some(decision) = decision.and_then(|decision| leg.decisions.get(decision)) else { continue };
            habit.points.deal.add(decision.loss());
            if let Some(loss) = decision.score_loss {
                habit.score.deal.add(loss);
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
            self.bots[bot].measures[4].deal.count += 1;
        }
        for (seat, call, loss) in &leg.known.calls {
            let Some(loss) = *loss else { continue };
            let bot = &mut self.bots[bots[seat.index()]];
            bot.measures[4].deal.sum += i64::from(loss);
            let kind = match call {
                Call::Pass => 1,
                Call::Coinche | Call::Surcoinche => 3,
                _ => 2,
            };
            for kind in [0, kind] {
                let (ratio, losing) = &mut bot.calls[kind];
                ratio.add(loss, losing);
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
            self.bots.push(BotTotals { name: name.to_owned(), ..BotTotals::default() });
            self.bots.len() - 1
        })
    }

    /// Adds the current deal.
    pub(super) fn finish(&mut self) {
        let there: Vec<_> = (0..self.bots.len()).filter(|bot| self.bots[*bot].in_deal).collect();
        for (n, a) in there.iter().enumerate() {
            for b in &there[n + 1..] {
                let [first, second] = [a, b].map(|bot| self.bots[*bot].measures.map(|it| it.deal));
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

/// What may be lost in a deal: in card points, in score, and in [`PARTS`](super::knowing::PARTS) of score.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub(super) points: f64,
    pub(super) score: f64,
    pub(super) known: f64,
}

impl Sizes {
    /// Returns that of one of [`MEASURES`].
    pub(super) fn of(self, measure: usize) -> f64 {
        [self.points, self.score, self.score, self.known, self.known][measure]
    }
}

impl Totals {
    /// Returns the sizes: that of a score is the root mean square of the legs.
    pub(super) fn sizes(&self) -> Sizes {
        let score = (self.squares as f64 / self.legs.max(1) as f64).sqrt();
        Sizes { points: self.most.into(), score, known: f64::from(PARTS) * score }
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
