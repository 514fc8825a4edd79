//! All counts, record by record.

use coinche_engine::{Call, Seat};
use coinche_inference::{Merge, merge};
use coinche_selfplay::play::schedule;
use coinche_selfplay::records::read::record::{End, Leg};
use serde::{Deserialize, Serialize};

use super::cells::{Share, Unit};
use super::contracts::Contracts;
use super::error::StatsError;
use super::leads::Leads;
use super::openings::{Openings, first_calls};
use super::points::Points;
use super::rates::Rates;
use super::responses::{Responses, response};
use super::shapes::Shapes;
use super::tricks::Plays;

/// The counts of one bot.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfBot {
    pub(super) contracts: Contracts,
    pub(super) openings: Openings,
    pub(super) responses: Responses,
    pub(super) leads: Leads,
    pub(super) plays: Plays,
    pub(super) rates: Rates,
    pub(super) points: Points,
}

merge! { OfBot { contracts, openings, responses, leads, plays, rates, points } }

/// All totals. Sums are integers: they do not depend on the order of merging.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// Deals, or matches.
    pub units: u64,
    /// The number of records.
    pub legs: u64,
    /// Records ended by a bot's fault; nothing else of them is counted.
    pub forfeited: u64,
    /// Whether the deal was passed out.
    pub(super) thrown_in: Share,
    pub(super) bots: Vec<(String, OfBot)>,
    pub(super) shapes: Shapes,
    /// Whether the records are of matches.
    matches: bool,
    /// The current deal or match.
    #[serde(skip)]
    at: Option<u64>,
}

merge! { Totals { units, legs, forfeited, thrown_in, shapes, matches; with merge_by_name: bots; kept: at } }

/// Finds or adds a bot.
fn place(bots: &mut Vec<(String, OfBot)>, name: &str) -> usize {
    bots.iter().position(|(other, _)| other == name).unwrap_or_else(|| {
        bots.push((name.to_owned(), OfBot::default()));
        bots.len() - 1
    })
}

fn merge_by_name(bots: &mut Vec<(String, OfBot)>, others: &[(String, OfBot)]) {
    for (name, other) in others {
        let place = place(bots, name);
        bots[place].1.merge(other);
    }
}

impl Totals {
    /// Returns the independent unit.
    pub const fn unit(&self) -> schedule::Unit {
        if self.matches { schedule::Unit::Match } else { schedule::Unit::Deal }
    }

    /// Starts other records: the next one is of another deal.
    pub(super) const fn begin(&mut self) {
        self.at = None;
    }

    /// Adds a record; records of one deal are adjacent.
    pub(super) fn add(&mut self, leg: &Leg<'_>) {
        let unit = leg.label.unit();
        if self.at != Some(unit) {
            self.at = Some(unit);
            self.units += 1;
        }
        self.legs += 1;
        self.matches |= leg.label.game.is_some();
        if leg.end == End::Forfeit {
            self.forfeited += 1;
            return;
        }
        let unit = self.units;
        self.thrown_in.add(unit, leg.end == End::ThrownIn);
        self.shapes.add(unit, leg);
        let places = Seat::ALL.map(|seat| place(&mut self.bots, leg.bot(seat)));
        self.add_calls(unit, leg, places);
        self.add_play(unit, leg, places);
    }

    fn add_calls(&mut self, unit: Unit, leg: &Leg<'_>, places: [usize; 4]) {
        for (seat, call) in &leg.auction {
            if matches!(call, Call::Bid(_)) {
                self.bots[places[seat.index()]].1.contracts.add_call(*call);
            }
        }
        for (seat, call, round) in first_calls(leg) {
            self.bots[places[seat.index()]].1.openings.add(unit, leg, seat, call, round);
        }
        if let Some(response) = response(&leg.auction) {
            self.bots[places[response.seat.index()]].1.responses.add(unit, leg, response);
        }
    }

    fn add_play(&mut self, unit: Unit, leg: &Leg<'_>, places: [usize; 4]) {
        let played = leg.played();
        let declarer = played.map(|played| places[played.declarer.index()]);
        for (_, place) in places.iter().enumerate().filter(|(n, place)| !places[..*n].contains(place)) {
            let contracts = &mut self.bots[*place].1.contracts;
            contracts.add_seated(unit, played.is_none(), declarer == Some(*place));
        }
        let (Some(played), Some(declarer)) = (played, declarer) else { return };
        let of_declarer = &mut self.bots[declarer].1;
        of_declarer.contracts.add(unit, leg, played);
        of_declarer.plays.add(unit, played);
        of_declarer.rates.add(unit, leg, played);
        of_declarer.points.add(unit, played);
        let leader = played.tricks[0].leader;
        self.bots[places[leader.index()]].1.leads.add(unit, leg, played);
    }

    /// Tests if all references are valid, since those of a file may be anything.
    pub fn is_sound(&self) -> bool {
        self.bots
            .iter()
            .all(|(_, bot)| bot.contracts.is_sound() && bot.openings.is_sound() && bot.leads.is_sound())
    }

    /// Sorts the bots by name, once all is counted.
    pub fn finish(&mut self) {
        self.bots.sort_by(|a, b| a.0.cmp(&b.0));
    }

    /// Keeps only one bot; an error names those that exist.
    pub(super) fn keep(&mut self, bot: &str) -> Result<(), StatsError> {
        if !self.bots.iter().any(|(name, _)| name == bot) {
            let bots = self.bots.iter().map(|(name, _)| name.clone()).collect();
            return Err(StatsError::NoBot { bot: bot.to_owned(), bots });
        }
        self.bots.retain(|(name, _)| name == bot);
        Ok(())
    }
}
