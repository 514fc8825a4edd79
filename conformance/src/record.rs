//! Deal records, as in `docs/formats.md`.

use serde::{Deserialize, Serialize};

use crate::auction::Stake;
use crate::melds::MeldKind;
use crate::rules::NamedRules;

/// A deal record. Fields that the rule book has no use for are not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Version of the format, 1.
    pub v: u32,
    /// Number of the deal in the run.
    #[serde(default)]
    pub deal: u64,
    /// Number of the seating.
    #[serde(default)]
    pub leg: u32,
    /// A preset's name or a whole rule set.
    pub rules: NamedRules,
    /// Who dealt.
    pub dealer: usize,
    /// Who played, by seat.
    #[serde(default)]
    pub bots: Vec<String>,
    /// The eight cards of each seat; of a thrown-in turn-up deal the five dealt.
    pub hands: Vec<String>,
    /// The turned card.
    #[serde(default)]
    pub turned: Option<String>,
    /// Seats and calls.
    pub auction: Vec<(usize, String)>,
    /// The contract, if there is one.
    pub contract: Option<RecordContract>,
    /// Announced melds.
    #[serde(default)]
    pub melds: Vec<RecordMeld>,
    /// The belote of the trump suit.
    #[serde(default)]
    pub belote: Option<RecordBelote>,
    /// The belotes of all trump.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub belotes: Vec<SuitBelote>,
    /// The tricks.
    pub tricks: Vec<RecordTrick>,
    /// Tricks won by each team.
    #[serde(default)]
    pub tricks_won: Option<[usize; 2]>,
    /// Card points with the last trick, by team.
    #[serde(default)]
    pub card_points: Option<[i32; 2]>,
    /// Whether the contract was made.
    pub made: Option<bool>,
    /// What each team scores.
    pub score: [i32; 2],
    /// Points held after a tie.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<i32>,
    /// What players did wrong; the rule book only writes that it was nothing.
    #[serde(default)]
    pub faults: Vec<serde_json::Value>,
}

/// `contract` of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordContract {
    /// `100S`, `TAKEH`.
    pub bid: String,
    /// Who made the last bid.
    pub declarer: usize,
    /// plain, coinche or surcoinche.
    pub stake: Stake,
}

/// One of `melds`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordMeld {
    /// Whose.
    pub seat: usize,
    /// tierce, fifty, hundred or carre.
    pub kind: MeldKind,
    /// Its cards.
    pub cards: String,
    /// Its worth.
    pub points: i32,
    /// Whether it scores.
    pub counts: bool,
}

/// `belote` of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordBelote {
    /// Who holds both cards.
    pub seat: usize,
    /// Whether it was announced.
    pub announced: bool,
}

/// One of `belotes`, in all trump.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuitBelote {
    /// Who holds both cards.
    pub seat: usize,
    /// Of which suit.
    pub suit: String,
    /// Whether it was announced.
    pub announced: bool,
}

/// One of `tricks`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordTrick {
    /// Who led.
    pub leader: usize,
    /// The cards in the order played.
    pub cards: Vec<String>,
    /// Who won.
    pub winner: usize,
}
