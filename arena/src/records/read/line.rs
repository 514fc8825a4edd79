//! A record as it is written: the fields that the statistics need, read as JSON.

use coinche_engine::record::FaultKind;
use coinche_engine::{Call, Card, CardSet, Seat, Stake, Trick};
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::words::{Aim, As, Name, SeatNumber};

/// The version of the form that is read.
pub(crate) const VERSION: u32 = 1;

/// The rules as they are written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RulesText<'a>(pub(super) &'a str);

impl<'de: 'a, 'a> Deserialize<'de> for RulesText<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&'de RawValue>::deserialize(deserializer).map(|text| Self(text.get()))
    }
}

/// The line as JSON.
#[derive(Debug, PartialEq, Deserialize)]
pub(crate) struct Line<'a> {
    pub(crate) v: u32,
    pub(crate) deal: u64,
    #[serde(borrow)]
    pub(crate) rules: RulesText<'a>,
    pub(crate) dealer: SeatNumber,
    #[serde(borrow)]
    pub(crate) bots: [Name<'a>; 4],
    pub(crate) hands: [As<CardSet>; 4],
    pub(crate) turned: Option<As<Card>>,
    pub(crate) auction: Vec<(SeatNumber, As<Call>)>,
    pub(crate) contract: Option<ContractLine>,
    #[serde(default)]
    pub(crate) melds: Vec<MeldLine>,
    pub(crate) belote: Option<BeloteLine>,
    pub(crate) tricks: Tricks,
    pub(crate) tricks_won: [u8; 2],
    pub(crate) card_points: [u16; 2],
    pub(crate) made: Option<bool>,
    pub(crate) score: [i32; 2],
    #[serde(default)]
    pub(crate) faults: Vec<FaultLine>,
    #[serde(rename = "match")]
    pub(crate) game: Option<u64>,
}

impl<'a> Line<'a> {
    pub(crate) fn read(line: &'a [u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(line)
    }
}

#[derive(Debug, PartialEq, Deserialize)]
pub(crate) struct ContractLine {
    pub(crate) bid: As<Aim>,
    pub(crate) declarer: SeatNumber,
    pub(crate) stake: As<Stake>,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(crate) struct MeldLine {
    pub(crate) seat: SeatNumber,
    pub(crate) points: u16,
    pub(crate) counts: bool,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(crate) struct BeloteLine {
    pub(crate) seat: SeatNumber,
    pub(crate) announced: bool,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(crate) struct FaultLine {
    pub(crate) kind: FaultKind,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(crate) struct TrickLine {
    pub(crate) leader: SeatNumber,
    pub(crate) cards: [As<Card>; 4],
    pub(crate) winner: SeatNumber,
}

/// Up to eight tricks.
#[derive(Debug, PartialEq)]
pub(crate) struct Tricks {
    pub(crate) tricks: [Trick; 8],
    pub(crate) count: usize,
}

struct TricksVisitor;

pub(crate) const NO_TRICK: Trick = Trick {
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
