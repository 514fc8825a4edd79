//! What a played deal is, and who takes note of it.

use coinche_engine::record::Fault;
use coinche_engine::{ByTeam, DealState, Outcome, RuleSet, Seat, Team};
use serde::Serialize;

use crate::play::schedule::Leg;

/// How a leg of a deal ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Regular(Outcome),
    /// The bot at this seat crashed, was silent or could not be understood.
    Forfeit(Seat),
}

impl Ending {
    /// Returns what each team scores.
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

/// Where in a match a deal stands.
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
    /// What bots did wrong.
    pub faults: &'a [Fault],
    /// What bots told of their decisions.
    pub thoughts: &'a [Thought],
}

/// What a bot told of a decision beside its answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Thought {
    /// Whose.
    pub seat: u8,
    /// The number of the seat's decision in the deal, from 0; words on belotes and melds are counted too.
    pub decision: u64,
    /// Of a call: how many calls came before it in the auction, where declined offers are left out.
    #[serde(skip)]
    pub calls: Option<usize>,
    /// The points expected: the score of the own side less that of the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<f64>,
    /// The chance that the contract is made, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
}

/// Takes note of the deals of a table, in the order played.
pub trait Scribe {
    /// A leg of a deal is over.
    fn deal(&mut self, deal: &PlayedDeal<'_>);

    /// Both legs of a deal or match are over.
    fn pair(&mut self, _index: u64, _legs: &[LegResult; 2]) {}
}

impl Scribe for () {
    fn deal(&mut self, _deal: &PlayedDeal<'_>) {}
}

/// What one leg (a deal or a whole match) came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LegResult {
    /// The points of both teams.
    pub score: ByTeam<i32>,
    /// The winner, of a match that has one.
    pub winner: Option<Team>,
}

/// Returns what a team scores for a deal that the other forfeits.
pub fn forfeit(rules: &RuleSet) -> i32 {
    i32::from(rules.scoring.failed) + i32::from(rules.contract.capot)
}
