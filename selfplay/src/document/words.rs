//! Cards and calls as printed for people, in English.

use coinche_engine::{Bid, BidValue, Call, Rank};

/// Formats a rank: `10` for the ten, otherwise its letter or digit.
pub fn rank(rank: Rank) -> String {
    if rank == Rank::Ten { "10".to_owned() } else { rank.letter().to_string() }
}

/// Formats a call, with the symbol of the suit: `pass`, `80 ♥`, `take ♠`.
pub fn call(call: Call) -> String {
    match call {
        Call::Pass => "pass".to_owned(),
        Call::Wait => "wait".to_owned(),
        Call::Coinche => "coinche".to_owned(),
        Call::Surcoinche => "surcoinche".to_owned(),
        Call::Take => "take".to_owned(),
        Call::TakeIn(suit) => format!("take {}", suit.symbol()),
        Call::Bid(Bid { value: BidValue::NONE, strain }) => strain.symbol().to_owned(),
        Call::Bid(Bid { value, strain: trump }) => format!("{} {}", bid_value(value), trump.symbol()),
    }
}

/// Formats the value of a bid: its points, or the word for all tricks.
pub fn bid_value(value: BidValue) -> String {
    match value {
        BidValue::CAPOT => "capot".to_owned(),
        BidValue::GENERALE => "générale".to_owned(),
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_written_as_people_do() {
        for (notation, text) in [
            ("P", "pass"),
            ("XX", "surcoinche"),
            ("100S", "100 ♠"),
            ("82SA", "82 SA"),
            ("CAPOTH", "capot ♥"),
            ("110TA", "110 TA"),
            ("TAKE D", "take ♦"),
            ("TAKE", "take"),
            ("H", "♥"),
        ] {
            assert_eq!(call(notation.parse().unwrap()), text);
        }
    }
}
