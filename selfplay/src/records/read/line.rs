//! A record as it is written: the fields that the statistics need, read as JSON.

use coinche_engine::record::FaultKind;
use coinche_engine::{Call, Card, CardSet, Seat, Stake, Trick};
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::words::{Aim, As, Name, SeatNumber};

/// The version of the form that is read.
pub const VERSION: u32 = 1;

/// The rules as they are written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RulesText<'a>(pub(super) &'a str);

impl<'de: 'a, 'a> Deserialize<'de> for RulesText<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&'de RawValue>::deserialize(deserializer).map(|text| Self(text.get()))
    }
}

/// The line as JSON.
#[derive(Debug, PartialEq, Deserialize)]
pub struct Line<'a> {
    pub v: u32,
    pub deal: u64,
    #[serde(borrow)]
    pub rules: RulesText<'a>,
    pub dealer: SeatNumber,
    #[serde(borrow)]
    pub bots: [Name<'a>; 4],
    pub hands: [As<CardSet>; 4],
    pub turned: Option<As<Card>>,
    pub auction: Vec<(SeatNumber, As<Call>)>,
    pub contract: Option<ContractLine>,
    #[serde(default)]
    pub melds: Vec<MeldLine>,
    pub belote: Option<BeloteLine>,
    pub tricks: Tricks,
    pub tricks_won: [u8; 2],
    pub card_points: [u16; 2],
    pub made: Option<bool>,
    pub score: [i32; 2],
    #[serde(default)]
    pub faults: Vec<FaultLine>,
    #[serde(rename = "match")]
    pub game: Option<u64>,
}

impl<'a> Line<'a> {
    pub fn read(line: &'a [u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(line)
    }
}

#[derive(Debug, PartialEq, Deserialize)]
pub struct ContractLine {
    pub bid: As<Aim>,
    pub declarer: SeatNumber,
    pub stake: As<Stake>,
}

#[derive(Debug, PartialEq, Deserialize)]
pub struct MeldLine {
    pub seat: SeatNumber,
    pub points: u16,
    pub counts: bool,
}

#[derive(Debug, PartialEq, Deserialize)]
pub struct BeloteLine {
    pub seat: SeatNumber,
    pub announced: bool,
}

#[derive(Debug, PartialEq, Deserialize)]
pub struct FaultLine {
    pub kind: FaultKind,
}

#[derive(Debug, PartialEq, Deserialize)]
pub struct TrickLine {
    pub leader: SeatNumber,
    pub cards: [As<Card>; 4],
    pub winner: SeatNumber,
}

/// Up to eight tricks.
#[derive(Debug, PartialEq)]
pub struct Tricks {
    pub tricks: [Trick; 8],
    pub count: usize,
}

struct TricksVisitor;

pub const NO_TRICK: Trick = Trick {
    leader: Seat::S0,
    cards: [Card::new(coinche_engine::Suit::Clubs, coinche_engine::Rank::Seven); 4],
    winner: Seat::S0,
};

impl<'de> Visitor<'de> for TricksVisitor {
    type Value = Tricks;

    fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("a list of up to eight tricks")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Tricks, A::Error> {
        let mut tricks = Tricks { tricks: [NO_TRICK; 8], count: 0 };
        while let Some(TrickLine { leader, cards, winner }) = list.next_element()? {
            let place = tricks.tricks.get_mut(tricks.count);
            *place.ok_or_else(|| A::Error::custom("more than eight tricks"))? =
                Trick { leader: leader.0, cards: cards.map(|card| card.0), winner: winner.0 };
            tricks.count += 1;
        }
        Ok(tricks)
    }
}

impl<'de> Deserialize<'de> for Tricks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(TricksVisitor)
    }
}
