//! The two legs of each deal as one row: what a paired test takes.

use std::collections::BTreeMap;

use coinche_engine::{Bid, Seat, Stake, Team};

use super::summary::SummaryRow;
use crate::base::columns::Name;
use crate::document::column::{Column, measured, named};
use crate::document::columns::{
    BOT_A, BOT_B, DEAL, DEAL_DIFFERENCE, DIFFERENCE_LEG0, DIFFERENCE_LEG1, MATCH, PAIRING,
};
use crate::document::field::Fields;
use crate::document::model::{Cell, Table};

/// What a leg tells: the contract, who declared, and the scores of A and B.
#[derive(Debug, Clone)]
struct Leg {
    contract: Option<String>,
    declarer: Option<&'static str>,
    scores: [i32; 2],
}

/// A deal in both seatings.
#[derive(Debug, Clone)]
struct Pair {
    id: Id,
    bots: [String; 2],
    legs: [Option<Leg>; 2],
}

/// Pairing, match, deal and its place in the match.
type Id = (Option<u64>, Option<u64>, u64, Option<u64>);

/// Finds the two legs of each deal, in any order.
pub struct Pairs {
    fields: Fields<'static, Pair>,
    /// Those of which a leg is missing.
    open: BTreeMap<Id, Pair>,
}

impl Leg {
    fn of(row: &SummaryRow<'_>, a: Team) -> Self {
        let side = |seat: Seat| if seat.team() == a { "A" } else { "B" };
        let contract = row.strain.map(|strain| {
            let bid = row.calls.last_bid().filter(|_| row.contract_value.is_some());
            let bid =
                bid.map_or_else(|| format!("TAKE{strain}"), |value| Bid::new(value, strain).to_string());
            let stake = match row.stake {
                Some(Stake::Coinche) => " X",
                Some(Stake::Surcoinche) => " XX",
                Some(Stake::Plain) | None => "",
            };
            bid + stake
        });
        let [even, odd] = [row.score0, row.score1];
        let scores = if a == Team::Even { [even, odd] } else { [odd, even] };
        Self { contract, declarer: row.declarer.map(side), scores }
    }

    const fn difference(&self) -> i32 {
        self.scores[0] - self.scores[1]
    }
}

impl Pair {
    fn difference(&self) -> Option<f64> {
        let [Some(one), Some(other)] = &self.legs else { return None };
        Some(f64::from(one.difference() + other.difference()) / 2.0)
    }
}

/// What a leg says, if it was played.
fn of_leg<V>(number: usize, say: impl Fn(&Leg) -> Option<V>) -> impl Fn(&Pair) -> Option<V> {
    move |pair| say(pair.legs[number].as_ref()?)
}

fn fields() -> Fields<'static, Pair> {
    let contract = "the contract of the leg, with ` X` or ` XX` behind it; empty without one";
    let declarer = "whose contract it was: `A` or `B`";
    let in_match = "number of the deal in its match; empty without `--match`";
    let score = |name| measured(name, "points", "score of the side in the leg");
    let points = |leg, side: usize| of_leg(leg, move |leg| Some(f64::from(leg.scores[side])));
    Table::of("", "", Vec::new())
        .count(DEAL, |pair: &Pair| pair.id.2)
        .count(PAIRING, |pair| pair.id.0)
        .count(MATCH, |pair| pair.id.1)
        .count(measured("deal_in_match", "from 0", in_match), |pair| pair.id.3)
        .text(BOT_A, |pair| pair.bots[0].clone())
        .text(BOT_B, |pair| pair.bots[1].clone())
        .text(named("contract_leg0", contract), of_leg(0, |leg| leg.contract.clone()))
        .text(named("declarer_leg0", declarer), of_leg(0, |leg| leg.declarer))
        .plain(score("score_a_leg0"), points(0, 0))
        .plain(score("score_b_leg0"), points(0, 1))
        .text(named("contract_leg1", contract), of_leg(1, |leg| leg.contract.clone()))
        .text(named("declarer_leg1", declarer), of_leg(1, |leg| leg.declarer))
        .plain(score("score_a_leg1"), points(1, 0))
        .plain(score("score_b_leg1"), points(1, 1))
        .signed(DIFFERENCE_LEG0, of_leg(0, |leg| Some(f64::from(leg.difference()))))
        .signed(DIFFERENCE_LEG1, of_leg(1, |leg| Some(f64::from(leg.difference()))))
        .signed(DEAL_DIFFERENCE, Pair::difference)
        .fields()
}

impl Default for Pairs {
    fn default() -> Self {
        Self { fields: fields(), open: BTreeMap::new() }
    }
}

impl Pairs {
    /// Returns the columns.
    pub fn columns(&self) -> Vec<Column> {
        self.fields.columns()
    }

    /// Adds a leg; returns the row of the deal when it was the second of its legs. A is the bot of seat 0 in leg 0.
    pub fn add(&mut self, row: &SummaryRow<'_>) -> Option<Vec<Cell>> {
        let id = (row.pairing.0, row.game.0, row.deal, row.deal_in_match.0);
        let (a, bots) = match row.leg {
            0 => (Team::Even, [row.bot0, row.bot1]),
            _ => (Team::Odd, [row.bot1, row.bot0]),
        };
        let leg = Leg::of(row, a);
        let new = || Pair { id, bots: bots.map(Name::to_text), legs: [None, None] };
        let pair = self.open.entry(id).or_insert_with(new);
        pair.legs[usize::from(row.leg != 0)] = Some(leg);
        if pair.legs.iter().any(Option::is_none) {
            return None;
        }
        self.open.remove(&id).map(|pair| self.fields.cells(&pair))
    }

    /// Returns the rows of the deals of which one leg was played, as at the end of matches.
    pub fn rest(self) -> impl Iterator<Item = Vec<Cell>> {
        self.open.into_values().map(move |pair| self.fields.cells(&pair))
    }
}
