//! One deal as it is replayed on the page: both legs, from their records.

use coinche_engine::{Card, CardSet, ContractRecord, Record, Strain};
use serde_json::json;

/// The legs of a deal.
#[derive(Debug, Clone)]
pub(crate) struct DealView {
    pub(crate) heading: String,
    pub(crate) legs: Vec<LegView>,
    /// What the player on the page reads.
    pub(crate) json: String,
}

/// One leg.
#[derive(Debug, Clone)]
pub(crate) struct LegView {
    pub(crate) title: String,
    pub(crate) contract: String,
    pub(crate) result: String,
    pub(crate) hands: Vec<HandView>,
    /// Seats and calls.
    pub(crate) calls: Vec<(u8, String)>,
    pub(crate) tricks: Vec<TrickView>,
}

/// A seat and its cards.
#[derive(Debug, Clone)]
pub(crate) struct HandView {
    pub(crate) seat: usize,
    pub(crate) bot: String,
    pub(crate) dealer: bool,
    pub(crate) cards: Vec<CardView>,
}

/// A trick, whole or not.
#[derive(Debug, Clone)]
pub(crate) struct TrickView {
    pub(crate) leader: u8,
    pub(crate) cards: Vec<CardView>,
    pub(crate) winner: u8,
}

/// A card.
#[derive(Debug, Clone)]
pub(crate) struct CardView {
    pub(crate) text: String,
    /// Whether it is a heart or a diamond.
    pub(crate) red: bool,
}

fn card_view(card: Card) -> CardView {
    let (rank, symbol) = (card.rank().letter(), card.suit().symbol());
    let rank = if rank == 'T' { "10".to_owned() } else { rank.to_string() };
    CardView { text: format!("{rank}{symbol}"), red: matches!(symbol, '♥' | '♦') }
}

/// A call as people write it: the symbol of the suit for its letter.
fn call_text(call: &str) -> String {
    let word = match call {
        "P" => "pass",
        "W" => "wait",
        "X" => "coinche",
        "XX" => "surcoinche",
        _ => "",
    };
    if !word.is_empty() {
        return word.to_owned();
    }
    let strain = Strain::ALL.into_iter().find(|strain| call.ends_with(strain.code()));
    // `SA` and `TA` end in no suit's letter, so the first that fits is the one.
    strain.map_or_else(
        || call.to_owned(),
        |strain| {
            let value = call.strip_suffix(strain.code()).unwrap_or(call).trim_end();
            let value = match value {
                "CAPOT" => "capot",
                "GENERALE" => "générale",
                "TAKE" => "takes",
                value => value,
            };
            format!("{value} {}", strain.symbol())
        },
    )
}

fn contract_text(contract: Option<&ContractRecord>) -> String {
    let Some(ContractRecord { bid, declarer, stake }) = contract else {
        return "No contract".to_owned();
    };
    let stake = match stake.as_str() {
        "coinche" => ", coinched",
        "surcoinche" => ", surcoinched",
        _ => "",
    };
    format!("{} by seat {declarer}{stake}", call_text(bid))
}

fn result_text(record: &Record) -> String {
    let [even, odd] = record.score;
    let own = record.contract.as_ref().map_or(0, |contract| usize::from(contract.declarer % 2));
    let [points, other] = [record.card_points[own], record.card_points[1 - own]];
    let how = match record.made {
        Some(true) => format!("Made with {points} card points against {other}. "),
        Some(false) => format!("Failed with {points} card points against {other}. "),
        None if record.score == [0, 0] => "Thrown in. ".to_owned(),
        None => "Forfeited. ".to_owned(),
    };
    format!("{how}Seats 0 and 2 score {even}, seats 1 and 3 {odd}.")
}

impl LegView {
    /// Reads a record.
    ///
    /// # Errors
    ///
    /// Names what is no card.
    fn new(record: &Record) -> Result<Self, String> {
        let card = |text: &String| {
            text.parse::<Card>().map(card_view).map_err(|error| format!("deal {}: {error}", record.deal))
        };
        let hands = record.hands.iter().zip(&record.bots).enumerate().map(|(seat, (hand, bot))| {
            let cards: CardSet = hand.parse().map_err(|error| format!("deal {}: {error}", record.deal))?;
            Ok(HandView {
                seat,
                bot: bot.clone(),
                dealer: seat == usize::from(record.dealer),
                cards: cards.into_iter().map(card_view).collect(),
            })
        });
        let tricks = record.tricks.iter().map(|trick| {
            Ok(TrickView {
                leader: trick.leader,
                cards: trick.cards.iter().map(card).collect::<Result<_, String>>()?,
                winner: trick.winner,
            })
        });
        Ok(Self {
            title: format!("Leg {}: {} at seats 0 and 2", record.leg + 1, record.bots[0]),
            contract: contract_text(record.contract.as_ref()),
            result: result_text(record),
            hands: hands.collect::<Result<_, String>>()?,
            calls: record.auction.iter().map(|(seat, call)| (*seat, call_text(call))).collect(),
            tricks: tricks.collect::<Result<_, String>>()?,
        })
    }

    fn json(&self) -> serde_json::Value {
        let texts = |cards: &[CardView]| cards.iter().map(|card| card.text.clone()).collect::<Vec<_>>();
        json!({
            "title": self.title,
            "contract": self.contract,
            "result": self.result,
            "seats": self.hands.iter().map(|hand| hand.bot.as_str()).collect::<Vec<_>>(),
            "dealer": self.hands.iter().position(|hand| hand.dealer),
            "hands": self.hands.iter().map(|hand| texts(&hand.cards)).collect::<Vec<_>>(),
            "calls": self.calls,
            "tricks": self.tricks.iter().map(|trick| json!({
                "leader": trick.leader, "cards": texts(&trick.cards), "winner": trick.winner,
            })).collect::<Vec<_>>(),
        })
    }
}

impl DealView {
    /// Reads the records of the legs of a deal.
    ///
    /// # Errors
    ///
    /// Names what cannot be read.
    pub(crate) fn new(heading: String, records: &[Record]) -> Result<Self, String> {
        let legs = records.iter().map(LegView::new).collect::<Result<Vec<_>, _>>()?;
        let json = serde_json::Value::from(legs.iter().map(LegView::json).collect::<Vec<_>>()).to_string();
        Ok(Self { heading, legs, json })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_written_as_people_do() {
        for (call, text) in [
            ("P", "pass"),
            ("XX", "surcoinche"),
            ("100S", "100 ♠"),
            ("82SA", "82 SA"),
            ("CAPOTH", "capot ♥"),
            ("110TA", "110 TA"),
            ("TAKE D", "takes ♦"),
            ("TAKE", "TAKE"),
        ] {
            assert_eq!(call_text(call), text);
        }
    }
}
