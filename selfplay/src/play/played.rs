//! Played deals, and the trait that receives them.

use coinche_engine::record::Fault;
use coinche_engine::{ByTeam, DealState, Outcome, RuleSet, Seat, Team};
use serde::Serialize;

use crate::play::schedule::Leg;

/// How a leg of a deal ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Regular(Outcome),
    /// The bot at this seat crashed, timed out or sent an unreadable answer.
    Forfeit(Seat),
}

impl Ending {
    /// Returns the score of each team.
    pub fn score(&self, rules: &RuleSet) -> ByTeam<i32> {
        let mut score = ByTeam([0; 2]);
        match self {
            Self::Regular(Outcome::ThrownIn) => {}
            Self::Regular(Outcome::Played { score: deal, .. }) => score = deal.points,
            Self::Forfeit(seat) => score[seat.team().other()] = forfeit(rules),
        }
        score
    }
}

/// The place of a deal in a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InMatch {
    /// The number of the match.
    pub number: u64,
    /// The number of the deal in the match.
    pub deal: u64,
    /// The score before the deal.
    pub score: ByTeam<i32>,
}

/// One leg of one deal that is over.
#[derive(Debug)]
pub struct PlayedDeal<'a> {
    /// The seating.
    pub leg: &'a Leg,
    /// The number of the deal in the run.
    pub deal: u64,
    /// The match it belongs to.
    pub in_match: Option<InMatch>,
    /// The cards, the auction and the play.
    pub state: &'a DealState,
    /// How it ended.
    pub ending: Ending,
    /// What each team scored.
    pub score: ByTeam<i32>,
    /// The faults of bots.
    pub faults: &'a [Fault],
    /// The thoughts that bots reported on their decisions.
    pub thoughts: &'a [Thought],
}

/// A finished deal, kept until it is reported.
#[derive(Debug, Clone)]
pub struct FinishedDeal {
    /// The number of the deal in the run.
    pub deal: u64,
    /// The match it belongs to.
    pub in_match: Option<InMatch>,
    /// The cards, the auction and the play.
    pub state: DealState,
    /// How it ended.
    pub ending: Ending,
    /// What each team scored.
    pub score: ByTeam<i32>,
    /// The faults of bots.
    pub faults: Vec<Fault>,
    /// The thoughts that bots reported.
    pub thoughts: Vec<Thought>,
}

impl FinishedDeal {
    /// Returns it as a deal of a leg.
    pub fn played<'a>(&'a self, leg: &'a Leg) -> PlayedDeal<'a> {
        PlayedDeal {
            leg,
            deal: self.deal,
            in_match: self.in_match,
            state: &self.state,
            ending: self.ending,
            score: self.score,
            faults: &self.faults,
            thoughts: &self.thoughts,
        }
    }
}

impl From<&PlayedDeal<'_>> for FinishedDeal {
    fn from(deal: &PlayedDeal<'_>) -> Self {
        Self {
            deal: deal.deal,
            in_match: deal.in_match,
            state: deal.state.clone(),
            ending: deal.ending,
            score: deal.score,
            faults: deal.faults.to_vec(),
            thoughts: deal.thoughts.to_vec(),
        }
    }
}

/// A bot's estimates for a decision, reported beside its answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Thought {
    /// The seat.
    pub seat: u8,
    /// The number of the seat's decision in the deal, from 0; belote and meld announcements count too.
    pub decision: u64,
    /// For a call: the number of calls before it in the auction, without declined offers.
    #[serde(skip)]
    pub calls: Option<usize>,
    /// The expected points: the score of the own side minus that of the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<f64>,
    /// The probability that the contract is made, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
}

/// Receives the deals of a table, in the order played.
pub trait Scribe {
    /// Receives a leg of a deal that is over.
    fn deal(&mut self, deal: &PlayedDeal<'_>);

    /// Receives both legs of a deal or match that is over.
    fn pair(&mut self, _index: u64, _legs: &[LegResult; 2]) {}
}

impl Scribe for () {
    fn deal(&mut self, _deal: &PlayedDeal<'_>) {}
}

/// The result of one leg (a deal or a whole match).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LegResult {
    /// The points of both teams.
    pub score: ByTeam<i32>,
    /// The winner, if the leg is a match that has one.
    pub winner: Option<Team>,
}

/// Returns the score of a team for a deal that the other team forfeits.
pub fn forfeit(rules: &RuleSet) -> i32 {
    i32::from(rules.scoring.failed) + i32::from(rules.contract.capot)
}
