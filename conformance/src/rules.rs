//! Rule sets: one JSON object each, with every field present.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::cards::{Strain, Suit};
use crate::options::{
    AllTrumpBelote, Announce, Bids, BothReached, ClosedBy, Coinche, CoinchedBelote, Contest, FailedBelote,
    FailedDefenders, Finish, FloorOf, Highest, Made, MadeDeclarers, MadeDefenders, MeldEqual, MeldTie,
    Method, Multiplied, OverCoinche, PartnerTrump, PassedOut, Rotation, Rounding, Shuffle, Slam, Tie,
    Undertrump,
};

mod before;

/// The presets' names.
pub const PRESETS: [&str; 9] =
    ["bga", "bga-ja", "belote", "belote-melds", "coinche", "coinche-melds", "coinchee", "contree", "belot"];

/// Why a rule set could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RulesError {
    /// No preset has this name.
    #[error("unknown preset `{0}`")]
    UnknownPreset(String),
    /// The object lacks a field, has one too many, or a value of the wrong kind.
    #[error("bad rule set: {0}")]
    Json(#[from] serde_json::Error),
    /// A path such as `scoring.failed` names no field.
    #[error("no field `{0}`")]
    UnknownField(String),
    /// The packets do not add up to the cards dealt before the auction.
    #[error("packets add up to {0} cards")]
    Packets(u32),
    /// The field asks for what deals of this method, or such bids, do not have.
    #[error("`{0}`: there is no such thing with this `deal.method` and these `auction.bids`")]
    Method(&'static str),
}

/// A rule set, whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// How cards are dealt.
    pub deal: DealRules,
    /// What cards are worth.
    pub cards: CardRules,
    /// What may be said.
    pub auction: AuctionRules,
    /// What a contract asks for.
    pub contract: ContractRules,
    /// What may be played.
    pub play: PlayRules,
    /// King and queen of trumps.
    pub belote: BeloteRules,
    /// Sequences and carrés.
    pub melds: MeldRules,
    /// What a deal scores.
    pub scoring: ScoringRules,
    /// When a match ends.
    #[serde(rename = "match")]
    pub match_end: MatchRules,
}

/// `deal.*`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DealRules {
    /// Full or turn-up.
    pub method: Method,
    /// Uniform or cut.
    pub shuffle: Shuffle,
    /// Cards dealt at a time.
    pub packets: Vec<u32>,
    /// Direction of play.
    pub rotation: Rotation,
    /// What the dealer's team loses for a misdeal.
    pub misdeal_penalty: i32,
    /// What the other team gets for it.
    #[serde(default = "before::zero", skip_serializing_if = "before::is_zero")]
    pub misdeal_credit: i32,
    /// Who deals when nobody bid.
    #[serde(default = "before::next", skip_serializing_if = "before::is_next")]
    pub passed_out: PassedOut,
    /// Where the deck is cut: after how many deals in a row without a bid it is shuffled (0: never).
    #[serde(default = "before::zero", skip_serializing_if = "before::is_zero")]
    pub reshuffle: i32,
    /// The fewest cards on either side of a cut.
    #[serde(default = "before::two", skip_serializing_if = "before::is_two")]
    pub least_cut: i32,
}

/// `cards.*`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardRules {
    /// Points in SA of A T K Q J 9 8 7.
    #[serde(default = "before::no_trump", skip_serializing_if = "before::is_no_trump")]
    pub no_trump: [i32; 8],
    /// Points in all trump of J 9 A T K Q 8 7.
    pub all_trump: [i32; 8],
}

/// `auction.*`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "the fields of the rule set are what they are")]
pub struct AuctionRules {
    /// What a bid says.
    #[serde(default = "before::bids", skip_serializing_if = "before::is_bids")]
    pub bids: Bids,
    /// The lowest value.
    pub lowest: i32,
    /// The highest value.
    pub highest: Highest,
    /// Whether SA can be bid.
    pub no_trump: bool,
    /// Whether TA can be bid.
    pub all_trump: bool,
    /// Whether capot can be bid.
    pub capot: bool,
    /// Whether générale can be bid.
    pub generale: bool,
    /// Whether there is a second kind of pass.
    pub signal_pass: bool,
    /// When a coinche may be said.
    pub coinche: Coinche,
    /// What may follow it.
    pub over_coinche: OverCoinche,
    /// The bid that is the last call.
    #[serde(default = "before::open", skip_serializing_if = "before::is_open")]
    pub closed_by: ClosedBy,
}

/// `contract.*`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContractRules {
    /// V of a capot.
    pub capot: i32,
    /// V of a générale.
    pub generale: i32,
    /// A value contract needs at least this many points (0: no floor).
    pub floor: i32,
    /// Which points.
    #[serde(default = "before::counted", skip_serializing_if = "before::is_counted")]
    pub floor_of: FloorOf,
    /// How many points more than its value a value contract needs.
    #[serde(default = "before::zero", skip_serializing_if = "before::is_zero")]
    pub margin: i32,
    /// Whether a value contract needs strictly more points than the defenders have, too.
    pub majority: bool,
}

/// `play.*`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayRules {
    /// What a player does who cannot overtrump.
    pub undertrump: Undertrump,
    /// A player who cannot follow and whose partner is winning.
    pub partner_trump: PartnerTrump,
}

/// `belote.*`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BeloteRules {
    /// Whether the holder may be silent.
    pub announce: Announce,
    /// Whether the 20 count for the contract.
    pub counts_for_contract: bool,
    /// Who scores the declarers' belote when the contract fails.
    pub failed: FailedBelote,
    /// Who scores it when the bid was coinched.
    pub coinched: CoinchedBelote,
    /// Belotes in all trump.
    pub all_trump: AllTrumpBelote,
    /// Whether it is multiplied by the stake's `contract` factor.
    pub multiplied: Multiplied,
    /// Whether anybody scores it. If nobody does and it does not count for the contract, there is none.
    #[serde(default = "before::yes", skip_serializing_if = "before::is_yes")]
    pub scored: bool,
}

/// `melds.*`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "the fields of the rule set are what they are")]
pub struct MeldRules {
    /// Whether melds are announced at all.
    pub enabled: bool,
    /// Whether the holder may be silent; rule sets of before lack the field.
    #[serde(default = "automatic")]
    pub announce: Announce,
    /// Which melds count.
    pub contest: Contest,
    /// What decides between sequences of equal points.
    #[serde(default = "before::trumps", skip_serializing_if = "before::is_trumps")]
    pub equal: MeldEqual,
    /// Who wins when nothing does.
    #[serde(default = "before::neither", skip_serializing_if = "before::is_neither")]
    pub tie: MeldTie,
    /// Whether there are melds in SA.
    #[serde(default = "before::yes", skip_serializing_if = "before::is_yes")]
    pub no_trump: bool,
    /// Who scores them when the bid was coinched.
    #[serde(default = "before::holder", skip_serializing_if = "before::is_holder")]
    pub coinched: CoinchedBelote,
    /// Worth of a carré of aces (0: no meld).
    pub carre_of_aces: i32,
    /// Whether melds that count do so for the contract.
    pub counts_for_contract: bool,
    /// Whether they are multiplied by the stake's `contract` factor.
    pub multiplied: bool,
}

fn automatic() -> Announce {
    Announce::Automatic
}

/// `scoring.*`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoringRules {
    /// What the declarers of a made contract score.
    pub made: Made,
    /// The flat trick part of the defenders of a failed contract.
    pub failed: i32,
    /// Whether a slam of theirs takes the place of the flat.
    pub failed_slam: bool,
    /// Whether V is scored for a failed contract.
    pub failed_bid: bool,
    /// What the next two do to T.
    #[serde(default = "before::slam", skip_serializing_if = "before::is_slam")]
    pub slam: Slam,
    /// T of all eight tricks.
    pub unbid_slam: i32,
    /// T of all eight tricks by one player.
    pub solo_slam: i32,
    /// Flat score of a bid capot (0: it scores like any contract).
    pub flat_capot: i32,
    /// Rounding of T.
    pub rounding: Rounding,
    /// Last trick with a trump suit.
    pub last_trick: i32,
    /// Last trick in SA.
    pub last_trick_no_trump: i32,
    /// Last trick in TA.
    pub last_trick_all_trump: i32,
    /// Factor on card points and last trick in SA.
    #[serde(default = "before::one", skip_serializing_if = "before::is_one")]
    pub factor_no_trump: i32,
    /// The same in TA.
    #[serde(default = "before::one", skip_serializing_if = "before::is_one")]
    pub factor_all_trump: i32,
    /// The row of a deal that was not coinched.
    pub plain: StakeRules,
    /// The row of a coinche.
    pub coinche: StakeRules,
    /// The row of a surcoinche.
    pub surcoinche: StakeRules,
}

/// `scoring.plain.*`, `scoring.coinche.*`, `scoring.surcoinche.*`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StakeRules {
    /// Factor on the trick part.
    pub tricks: i32,
    /// Factor on V.
    pub contract: i32,
    /// Trick part of the declarers, made.
    pub made_declarers: MadeDeclarers,
    /// Trick part of the defenders, made.
    pub made_defenders: MadeDefenders,
    /// Trick part of the defenders, failed.
    pub failed_defenders: FailedDefenders,
}

/// `match.*`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchRules {
    /// Points that end the match.
    pub target: i32,
    /// Played deals that end the match instead (0: points end it).
    #[serde(default = "before::zero", skip_serializing_if = "before::is_zero")]
    pub deals: i32,
    /// Whether they must be exceeded.
    pub exceed: bool,
    /// Who wins when both sides reach them.
    pub both_reached: BothReached,
    /// A tie of the made test of a contract without value.
    pub tie: Tie,
    /// Whether a deal with a slam can be the last one.
    #[serde(default = "before::yes", skip_serializing_if = "before::is_yes")]
    pub slam_wins: bool,
    /// What keeps a side from winning the match with a deal.
    #[serde(default = "before::any", skip_serializing_if = "before::is_any")]
    pub finish: Finish,
}

impl Rules {
    /// Reads a preset.
    ///
    /// # Errors
    /// When no preset has this name.
    pub fn preset(name: &str) -> Result<Self, RulesError> {
        let text = match name {
            "bga" => include_str!("../presets/bga.json"),
            "bga-ja" => include_str!("../presets/bga-ja.json"),
            "belote" => include_str!("../presets/belote.json"),
            "belote-melds" => include_str!("../presets/belote-melds.json"),
            "coinche" => include_str!("../presets/coinche.json"),
            "coinche-melds" => include_str!("../presets/coinche-melds.json"),
            "coinchee" => include_str!("../presets/coinchee.json"),
            "contree" => include_str!("../presets/contree.json"),
            "belot" => include_str!("../presets/belot.json"),
            other => return Err(RulesError::UnknownPreset(other.to_owned())),
        };
        serde_json::from_str::<Self>(text)?.checked()
    }

    /// Reads a preset's name, or a whole rule set.
    ///
    /// # Errors
    /// When there is no such preset, or a field is missing, unknown or of the wrong kind.
    pub fn from_json(value: &Value) -> Result<Self, RulesError> {
        match value {
            Value::String(name) => Self::preset(name),
            other => Self::deserialize(other)?.checked(),
        }
    }

    /// This rule set with one field changed, named as in `scoring.coinche.contract`.
    ///
    /// # Errors
    /// When there is no such field, or it cannot take the value.
    pub fn with(&self, path: &str, value: Value) -> Result<Self, RulesError> {
        self.with_fields([(path.to_owned(), value)])
    }

    /// This rule set with some fields changed, which are checked together.
    ///
    /// # Errors
    /// When there is no such field, or one cannot take its value.
    pub fn with_fields(&self, fields: impl IntoIterator<Item = (String, Value)>) -> Result<Self, RulesError> {
        let mut whole = serde_json::to_value(self)?;
        for (path, value) in fields {
            let (section, leaf) = path.rsplit_once('.').unwrap_or(("", &path));
            let section =
                whole.pointer_mut(&format!("/{}", section.replace('.', "/"))).and_then(Value::as_object_mut);
            let Some(section) = section else { return Err(RulesError::UnknownField(path)) };
            section.insert(leaf.to_owned(), value);
        }
        Self::from_json(&whole)
    }

    /// Whether a bid has a value: else the takers need more points than the other side.
    pub(crate) fn bids_have_values(&self) -> bool {
        self.deal.method != Method::TurnUp && self.auction.bids == Bids::Values
    }

    /// The strains that can be bid.
    pub(crate) fn strains(&self) -> Vec<Strain> {
        let mut strains = Suit::ALL.map(Strain::Suit).to_vec();
        strains.extend(self.auction.no_trump.then_some(Strain::NoTrump));
        strains.extend(self.auction.all_trump.then_some(Strain::AllTrump));
        strains
    }

    fn checked(self) -> Result<Self, RulesError> {
        let expected = match self.deal.method {
            Method::Full => 8..=8,
            Method::TurnUp => 5..=5,
            Method::Split => 1..=7,
        };
        let sum: u32 = self.deal.packets.iter().sum();
        if !expected.contains(&sum) {
            return Err(RulesError::Packets(sum));
        }
        let auction = &self.auction;
        let any_time_lacks = (
            "auction.over_coinche",
            auction.coinche == Coinche::AnyTime && auction.over_coinche == OverCoinche::Open,
        );
        let without_values_lack = [
            any_time_lacks,
            ("auction.capot", auction.capot),
            ("auction.generale", auction.generale),
            ("scoring.made", self.scoring.made != Made::Tricks),
        ];
        let values_lack = [
            any_time_lacks,
            ("match.tie", matches!(self.match_end.tie, Tie::Held | Tie::Hanging)),
            ("scoring.rounding", self.scoring.rounding == Rounding::Tenths),
        ];
        let mut lacks = Vec::new();
        lacks.extend(if self.bids_have_values() { &values_lack[..] } else { &without_values_lack[..] });
        if self.deal.method == Method::TurnUp {
            lacks.push(("auction.signal_pass", auction.signal_pass));
        }
        match lacks.iter().find(|(_, asked)| *asked) {
            Some((field, _)) => Err(RulesError::Method(field)),
            None => Ok(self),
        }
    }
}

/// A rule set with the name that it goes by, if it is a preset.
///
/// In JSON it is the name alone, or the whole rule set.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Value")]
pub struct NamedRules {
    /// The preset's name.
    pub name: Option<String>,
    /// The rule set.
    pub rules: Rules,
}

impl NamedRules {
    /// A preset.
    ///
    /// # Errors
    /// When no preset has this name.
    pub fn preset(name: &str) -> Result<Self, RulesError> {
        Ok(Self { name: Some(name.to_owned()), rules: Rules::preset(name)? })
    }
}

impl TryFrom<Value> for NamedRules {
    type Error = RulesError;

    fn try_from(value: Value) -> Result<Self, RulesError> {
        Ok(Self { name: value.as_str().map(str::to_owned), rules: Rules::from_json(&value)? })
    }
}

impl Serialize for NamedRules {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.name {
            Some(name) => serializer.serialize_str(name),
            None => self.rules.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests;
