//! The JSON form of a record: the fields that the statistics need.

use coinche_engine::record::FaultKind;
use coinche_engine::{Call, Card, CardSet, Seat, Stake, Trick};
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::words::{Aim, As, Name, SeatNumber};

/// The supported version of the format.
pub(super) const VERSION: u32 = 1;

/// The text of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Raw<'a>(pub(super) &'a str);

impl<'de: 'a, 'a> Deserialize<'de> for Raw<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&'de RawValue>::deserialize(deserializer).map(|text| Self(text.get()))
    }
}

/// A line as JSON.
#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct Line<'a> {
    pub(super) v: u32,
    pub(super) deal: u64,
    pub(super) leg: u32,
    #[serde(borrow)]
    pub(super) rules: Raw<'a>,
    pub(super) dealer: SeatNumber,
    #[serde(borrow)]
    pub(super) bots: [Name<'a>; 4],
    pub(super) hands: [As<CardSet>; 4],
    pub(super) turned: Option<As<Card>>,
    pub(super) auction: Vec<(SeatNumber, As<Call>)>,
    pub(super) contract: Option<ContractLine>,
    #[serde(default)]
    pub(super) melds: Vec<MeldLine>,
    pub(super) belote: Option<BeloteLine>,
    /// Those of all trump.
    #[serde(default)]
    pub(super) belotes: Vec<BeloteLine>,
    pub(super) tricks: Tricks,
    pub(super) tricks_won: [u8; 2],
    pub(super) card_points: [u16; 2],
    pub(super) made: Option<bool>,
    pub(super) score: [i32; 2],
    #[serde(default)]
    pub(super) held: i32,
    #[serde(default)]
    pub(super) faults: Vec<FaultLine>,
    #[serde(rename = "match")]
    pub(super) game: Option<u64>,
    pub(super) deal_in_match: Option<u64>,
    pub(super) match_score: Option<[i32; 2]>,
    pub(super) pairing: Option<u64>,
    #[serde(borrow)]
    pub(super) thoughts: Option<Raw<'a>>,
}

impl<'a> Line<'a> {
    pub(super) fn read(line: &'a [u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(line)
    }
}

#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct ContractLine {
    pub(super) bid: As<Aim>,
    pub(super) declarer: SeatNumber,
    pub(super) stake: As<Stake>,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct MeldLine {
    pub(super) seat: SeatNumber,
    pub(super) points: u16,
    pub(super) counts: bool,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct BeloteLine {
    pub(super) seat: SeatNumber,
    pub(super) announced: bool,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct FaultLine {
    pub(super) kind: FaultKind,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct TrickLine {
    pub(super) leader: SeatNumber,
    pub(super) cards: [As<Card>; 4],
    pub(super) winner: SeatNumber,
}

/// Up to eight tricks.
#[derive(Debug, PartialEq)]
pub(super) struct Tricks {
    pub(super) tricks: [Trick; 8],
    pub(super) count: usize,
}

struct TricksVisitor;

pub(super) const NO_TRICK: Trick = Trick {
    leader: Seat::S0,
    cards: [Card::new(coinche_engine::Suit::Clubs, coinche_engine::Rank::Seven); 4],
    winner: Seat::S0,
};

impl<'de> Visitor<'de> for TricksVisitor {
    type Value = Tricks;

    fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("a list of at most eight tricks")
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
