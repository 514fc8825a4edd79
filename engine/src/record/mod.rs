//! Deal records, version 1: one JSON object a line.
//!
//! The form is fixed so that independent programs agree on it: see `docs/formats.md`. A [`Record`] holds
//! cards, calls and seats as such, so a text that is none is an error that names it, what was expected and
//! the column. Reading ignores fields that it does not know.

mod replay;

pub use replay::{Disagreement, Place, Step, replay, replay_steps};

use core::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::ParseRulesError;
use crate::{
    BySeat, ByTeam, Call, Card, CardSet, Contract, DealState, MeldKind, Outcome, RuleSet, Seat, Strain, Suit,
    Trick,
};

/// The version of the record form.
const VERSION: u32 = 1;

/// The rules of a record: a preset's name, or the whole rule set where something differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum RulesRecord {
    /// A preset, unchanged.
    Preset(String),
    /// The whole rule set.
    Full(Box<RuleSet>),
}

impl RulesRecord {
    /// Returns the name of the preset that the rules are equal to, else the rules themselves.
    pub fn new(rules: &RuleSet) -> Self {
        match rules.preset_name() {
            Some(name) => Self::Preset(name.to_owned()),
            None => Self::Full(Box::new(*rules)),
        }
    }

    /// Returns the rules.
    ///
    /// # Errors
    ///
    /// When there is no preset of the name.
    pub fn rules(&self) -> Result<RuleSet, ParseRulesError> {
        match self {
            Self::Preset(name) => {
                RuleSet::preset(name).ok_or_else(|| ParseRulesError::UnknownPreset(name.clone()))
            }
            Self::Full(rules) => Ok(**rules),
        }
    }
}

impl<'de> Deserialize<'de> for RulesRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RulesVisitor)
    }
}

/// Reads a name or a whole rule set, and says of either what is wrong with it.
struct RulesVisitor;

impl<'de> Visitor<'de> for RulesVisitor {
    type Value = RulesRecord;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a preset or a whole rule set")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<RulesRecord, E> {
        Ok(RulesRecord::Preset(name.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RulesRecord, A::Error> {
        let rules = RuleSet::deserialize(MapAccessDeserializer::new(map))?;
        Ok(RulesRecord::Full(Box::new(rules)))
    }
}

/// An announced meld.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeldRecord {
    /// Who announced it.
    pub seat: Seat,
    /// Its kind.
    pub kind: MeldKind,
    /// Its cards.
    pub cards: CardSet,
    /// Its points under the rules.
    pub points: u16,
    /// Whether its side won the contest.
    pub counts: bool,
}

/// King and queen of trumps in one hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BeloteRecord {
    /// Who held both.
    pub seat: Seat,
    /// Whether the player announced it.
    pub announced: bool,
    /// The suit: only in the list `belotes` of all trump.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suit: Option<Suit>,
}

/// What kind of wrong a bot did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FaultKind {
    /// No answer in time.
    Timeout,
    /// A call or card that is not legal.
    Illegal,
    /// The bot broke down.
    Crash,
    /// An answer that cannot be read.
    Protocol,
    /// Another answer when the question was asked again, alone, of a fresh copy of the bot.
    Inconsistent,
}

impl FaultKind {
    /// Tests if a bot that does this forfeits the deal: all but an illegal answer, which is replaced, and one that was another
    /// when asked again, which stands.
    pub const fn forfeits(self) -> bool {
        !matches!(self, Self::Illegal | Self::Inconsistent)
    }
}

/// What a bot did wrong in a deal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Whose bot.
    pub seat: Seat,
    /// What kind.
    pub kind: FaultKind,
    /// What was seen.
    pub detail: String,
}

/// A deal record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The version of the form: 1.
    pub v: u32,
    /// The number of the deal in the run.
    pub deal: u64,
    /// The number of the seating in which it was played.
    pub leg: u32,
    /// The rules.
    pub rules: RulesRecord,
    /// Who dealt.
    pub dealer: Seat,
    /// The bots by seat.
    pub bots: BySeat<String>,
    /// The hands by seat when play began; of a thrown-in turn-up deal, the five dealt.
    pub hands: BySeat<CardSet>,
    /// The turned card.
    pub turned: Option<Card>,
    /// The calls with their seats, declined offers left out.
    pub auction: Vec<(Seat, Call)>,
    /// The contract; none of a thrown-in deal.
    pub contract: Option<Contract>,
    /// The announced melds.
    #[serde(default)]
    pub melds: Vec<MeldRecord>,
    /// The belote of the trump suit.
    pub belote: Option<BeloteRecord>,
    /// The belotes of all trump, where the rules have them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub belotes: Vec<BeloteRecord>,
    /// The tricks.
    pub tricks: Vec<Trick>,
    /// Tricks by team.
    pub tricks_won: ByTeam<u8>,
    /// Card points by team with the last trick, before rounding and slams.
    pub card_points: ByTeam<u16>,
    /// Whether the contract was made; none of a thrown-in deal.
    pub made: Option<bool>,
    /// The score by team.
    pub score: ByTeam<i32>,
    /// The takers' points that wait for the winner of the next deal (a tie that is held).
    #[serde(default, skip_serializing_if = "is_default")]
    pub held: i32,
    /// What bots did wrong.
    #[serde(default)]
    pub faults: Vec<Fault>,
    /// The number of the match.
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
    /// The number of the deal in its match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deal_in_match: Option<u64>,
    /// The score of the match before the deal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub match_score: Option<ByTeam<i32>>,
    /// The misdeals of this dealer before the deal; the score of the match is that after their penalties.
    #[serde(default, skip_serializing_if = "is_default")]
    pub misdeals: u8,
}

/// What a record says that the state of the deal does not know.
#[derive(Debug, Clone)]
pub struct RecordContext<'a> {
    /// The number of the deal in the run.
    pub deal: u64,
    /// The number of the seating.
    pub leg: u32,
    /// The rules of the run.
    pub rules: &'a RulesRecord,
    /// The bots by seat.
    pub bots: BySeat<&'a str>,
    /// What bots did wrong.
    pub faults: &'a [Fault],
    /// In a match: its number, the number of the deal in it, and the score before.
    pub game: Option<(u64, u64, ByTeam<i32>)>,
}

/// Why there is no record of a deal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The deal is still under way.
    #[error("the deal is not over")]
    NotOver,
    /// A line is not a record; the message names the field.
    #[error("not a deal record: {0}")]
    Form(String),
    /// The version is another.
    #[error("record version {0}: this program reads version 1")]
    Version(u32),
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Record {
    /// Makes the record of a deal that is over.
    ///
    /// # Errors
    ///
    /// [`RecordError::NotOver`] while the deal is under way.
    pub fn new(state: &DealState, context: &RecordContext<'_>) -> Result<Self, RecordError> {
        let outcome = state.outcome().ok_or(RecordError::NotOver)?;
        let mut record = Self {
            v: VERSION,
            deal: context.deal,
            leg: context.leg,
            rules: context.rules.clone(),
            dealer: state.deal().dealer(),
            bots: context.bots.map(str::to_owned),
            hands: *state.hands(),
            turned: state.deal().turned(),
            auction: state.auction().calls().to_vec(),
            contract: None,
            melds: Vec::new(),
            belote: None,
            belotes: Vec::new(),
            tricks: Vec::new(),
            tricks_won: ByTeam([0; 2]),
            card_points: ByTeam([0; 2]),
            made: None,
            score: ByTeam([0; 2]),
            held: 0,
            faults: context.faults.to_vec(),
            game: context.game.map(|(game, _, _)| game),
            deal_in_match: context.game.map(|(_, deal, _)| deal),
            match_score: context.game.map(|(_, _, score)| score),
            misdeals: 0,
        };
        if let Outcome::Played { result, score } = outcome {
            record.contract = Some(result.contract);
            record.melds = meld_records(state);
            (record.belote, record.belotes) = belote_records(state, result.contract.strain);
            record.tricks = state.tricks().to_vec();
            record.tricks_won = result.tricks_won();
            record.card_points = result.card_points;
            record.made = Some(score.made);
            record.score = score.points;
            record.held = score.held;
        }
        Ok(record)
    }

    /// Reads a record from a line of JSON.
    ///
    /// # Errors
    ///
    /// Names the field that is missing or wrong, or the version.
    pub fn from_json(line: &str) -> Result<Self, RecordError> {
        let record: Self =
            serde_json::from_str(line).map_err(|error| RecordError::Form(error.to_string()))?;
        if record.v == VERSION { Ok(record) } else { Err(RecordError::Version(record.v)) }
    }

    /// Writes the record as one line of JSON, without the line's end.
    ///
    /// # Panics
    ///
    /// Never: a record is numbers, texts and lists.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a record is numbers, texts and lists")
    }
}

fn meld_records(state: &DealState) -> Vec<MeldRecord> {
    let mut records = Vec::new();
    for (seat, melds) in state.announced_melds().iter() {
        for meld in melds.iter() {
            let counts =
                state.scored_melds().is_some_and(|scored| scored[seat].iter().any(|other| other == meld));
            records.push(MeldRecord {
                seat,
                kind: meld.kind,
                cards: meld.cards,
                points: meld.points(&state.rules().melds),
                counts,
            });
        }
    }
    records
}

/// The belote of the trump suit, and those of the suits in all trump.
fn belote_records(state: &DealState, strain: Strain) -> (Option<BeloteRecord>, Vec<BeloteRecord>) {
    let all = if strain == Strain::AllTrump { &Suit::ALL[..] } else { &[] };
    let one = strain.trump().and_then(|suit| belote_record(state, suit, None));
    (one, all.iter().filter_map(|suit| belote_record(state, *suit, Some(*suit))).collect())
}

fn belote_record(state: &DealState, suit: Suit, name: Option<Suit>) -> Option<BeloteRecord> {
    state.belote(suit).map(|belote| BeloteRecord {
        seat: belote.seat,
        announced: belote.announced == Some(true),
        suit: name,
    })
}
