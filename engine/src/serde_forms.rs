//! The vocabulary as serde reads and writes it: the notation of `docs/formats.md` as text, seats and teams as
//! numbers.
//!
//! Nothing is allocated where the text is right.

use core::fmt::{self, Display};
use core::marker::PhantomData;
use core::str::FromStr;

use serde::de::{self, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::auction::ContractBid;
use crate::{Bid, BidValue, Call, Card, CardSet, Contract, MeldKind, Rank, Seat, Stake, Strain, Suit, Team};

/// Reads a text by its `FromStr`.
struct Text<T> {
    expected: &'static str,
    value: PhantomData<T>,
}

impl<T: FromStr<Err: Display>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! as_text {
    ($($name:ident: $expected:literal;)*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Text { expected: $expected, value: PhantomData })
            }
        }
    )*};
}
as_text! {
    Suit: "a suit such as `C`";
    Rank: "a rank such as `T`";
    Card: "a card such as `TD`";
    CardSet: "cards such as `TD JS 7C`";
    Strain: "a strain such as `H` or `SA`";
    BidValue: "the value of a bid, such as `82` or `CAPOT`";
    Bid: "a bid such as `82H`";
    Call: "a call such as `82H` or `P`";
    Stake: "a stake: `plain`, `coinche` or `surcoinche`";
    MeldKind: "a kind of meld: `tierce`, `fifty`, `hundred` or `carre`";
    ContractBid: "the bid of a contract, such as `82H` or `TAKEH`";
}

/// Reads one of a few things by its index.
struct Index<T: 'static> {
    expected: &'static str,
    all: &'static [T],
}

impl<T: Copy> Visitor<'_> for Index<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_u64<E: de::Error>(self, index: u64) -> Result<T, E> {
        let value = usize::try_from(index).ok().and_then(|index| self.all.get(index));
        value.copied().ok_or_else(|| E::invalid_value(Unexpected::Unsigned(index), &self))
    }

    fn visit_i64<E: de::Error>(self, index: i64) -> Result<T, E> {
        match u64::try_from(index) {
            Ok(index) => self.visit_u64(index),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(index), &self)),
        }
    }
}

macro_rules! as_number {
    ($($name:ident: $expected:literal;)*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_u8(*self as u8)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_u8(Index { expected: $expected, all: &$name::ALL })
            }
        }
    )*};
}
as_number! {
    Seat: "a seat: 0, 1, 2 or 3";
    Team: "a team: 0 or 1";
}

/// A [`Contract`] as it is written.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Contract")]
struct Form {
    bid: ContractBid,
    declarer: Seat,
    stake: Stake,
}

impl Serialize for Contract {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { declarer, strain, goal, stake } = *self;
        Form { bid: ContractBid { strain, goal }, declarer, stake }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Contract {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Form { bid: ContractBid { strain, goal }, declarer, stake } = Form::deserialize(deserializer)?;
        Ok(Self { declarer, strain, goal, stake })
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use serde::de::DeserializeOwned;

    use super::*;
    use crate::Goal;

    /// Both ways, and the same from an owned text as from a line.
    fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, json: &str) {
        assert_eq!(serde_json::to_string(value).unwrap(), json);
        assert_eq!(serde_json::from_str::<T>(json).unwrap(), *value);
        let owned = serde_json::to_value(value).unwrap();
        assert_eq!(serde_json::from_value::<T>(owned).unwrap(), *value);
    }

    #[test]
    fn texts_are_those_of_the_notation() {
        for card in Card::all() {
            round_trip(&card, &format!("\"{card}\""));
            round_trip(&card.suit(), &format!("\"{}\"", card.suit()));
            round_trip(&card.rank(), &format!("\"{}\"", card.rank()));
        }
        round_trip(&CardSet::EMPTY, "\"\"");
        round_trip(&"JH AS TC".parse::<CardSet>().unwrap(), "\"TC JH AS\"");
        for strain in Strain::ALL {
            round_trip(&strain, &format!("\"{strain}\""));
            for text in ["1", "82", "990", "CAPOT", "GENERALE"] {
                let value: BidValue = text.parse().unwrap();
                round_trip(&value, &format!("\"{text}\""));
                round_trip(&Bid::new(value, strain), &format!("\"{text}{strain}\""));
                round_trip(&Call::Bid(Bid::new(value, strain)), &format!("\"{text}{strain}\""));
            }
        }
        for text in ["P", "W", "X", "XX", "TAKE", "TAKE H"] {
            round_trip(&text.parse::<Call>().unwrap(), &format!("\"{text}\""));
        }
        for stake in Stake::ALL {
            round_trip(&stake, &format!("\"{stake}\""));
        }
        for kind in MeldKind::ALL {
            round_trip(&kind, &format!("\"{kind}\""));
        }
    }

    #[test]
    fn seats_and_teams_are_numbers() {
        for seat in Seat::ALL {
            round_trip(&seat, &seat.index().to_string());
        }
        for team in Team::ALL {
            round_trip(&team, &team.index().to_string());
        }
        let table: toml::Table = "seat = 3".parse().unwrap();
        assert_eq!(table["seat"].clone().try_into::<Seat>().unwrap(), Seat::S3);
    }

    #[test]
    fn contracts_are_objects() {
        let contract =
            |goal| Contract { declarer: Seat::S2, strain: Strain::Hearts, goal, stake: Stake::Coinche };
        let json = |bid: &str| format!(r#"{{"bid":"{bid}","declarer":2,"stake":"coinche"}}"#);
        round_trip(&contract(Goal::Majority), &json("TAKEH"));
        round_trip(&contract(Goal::Bid(BidValue::CAPOT)), &json("CAPOTH"));
        let lower: Contract = serde_json::from_str(&json("take h")).unwrap();
        assert_eq!(lower, contract(Goal::Majority));
        let all_trump = Contract { strain: Strain::AllTrump, ..contract(Goal::Majority) };
        round_trip(&all_trump, &json("TAKETA"));
    }

    #[test]
    fn errors_say_what_was_expected_and_where() {
        fn error<T: DeserializeOwned + Debug>(json: &str) -> String {
            serde_json::from_str::<T>(json).unwrap_err().to_string()
        }
        assert!(error::<Card>("\"1H\"").starts_with("`1H` is not a card: expected a rank"));
        assert!(error::<Card>("7").contains("integer `7`, expected a card such as `TD` at line 1 column 1"));
        assert!(error::<CardSet>("\"7C 7C\"").starts_with("7C is given twice"));
        assert!(error::<Seat>("4").starts_with("invalid value: integer `4`, expected a seat: 0, 1, 2 or 3"));
        assert!(error::<Seat>("-1").starts_with("invalid value: integer `-1`, expected a seat"));
        assert!(error::<Team>("2").contains("expected a team: 0 or 1"));
        assert!(error::<BidValue>("\"991\"").starts_with("`991` is not the value of a bid"));
        assert!(error::<Stake>("\"Plain\"").starts_with("`Plain` is not a stake"));
        assert!(error::<MeldKind>("\"run\"").starts_with("`run` is not a kind of meld"));
        let json = |bid: &str| format!(r#"{{"bid":"{bid}","declarer":2,"stake":"plain"}}"#);
        for bid in ["", "TAKE", "TAKEX", "H", "P", "80"] {
            let error = error::<Contract>(&json(bid));
            assert!(error.starts_with(&format!("`{bid}` is not the bid of a contract")), "{error}");
        }
    }
}
