//! One deal as it is replayed on the page: both legs, from their records.

use coinche_engine::record::Record;
use coinche_engine::{Bid, BidValue, ByTeam, Call, Card, Contract, Goal, Seat, Stake, Team};
use serde_json::json;

/// The legs of a deal.
#[derive(Debug, Clone)]
pub struct DealView {
    pub(super) heading: String,
    pub(super) legs: Vec<LegView>,
    /// What the player on the page reads.
    pub(super) json: String,
}

/// One leg.
#[derive(Debug, Clone)]
pub(super) struct LegView {
    pub(super) title: String,
    pub(super) contract: String,
    pub(super) result: String,
    pub(super) hands: Vec<HandView>,
    /// Seats and calls.
    pub(super) calls: Vec<(u8, String)>,
    pub(super) tricks: Vec<TrickView>,
}

/// A seat and its cards.
#[derive(Debug, Clone)]
pub(super) struct HandView {
    pub(super) seat: usize,
    pub(super) bot: String,
    pub(super) dealer: bool,
    pub(super) cards: Vec<CardView>,
}

/// A trick, whole or not.
#[derive(Debug, Clone)]
pub(super) struct TrickView {
    pub(super) leader: u8,
    pub(super) cards: Vec<CardView>,
    pub(super) winner: u8,
}

/// A card.
#[derive(Debug, Clone)]
pub(super) struct CardView {
    pub(super) text: String,
    /// Whether it is a heart or a diamond.
    pub(super) red: bool,
}

fn card_view(card: Card) -> CardView {
    let (rank, symbol) = (card.rank().letter(), card.suit().symbol());
    let rank = if rank == 'T' { "10".to_owned() } else { rank.to_string() };
    CardView { text: format!("{rank}{symbol}"), red: matches!(symbol, '♥' | '♦') }
}

/// A call as people write it: the symbol of the suit for its letter.
fn call_text(call: Call) -> String {
    match call {
        Call::Pass => "pass".to_owned(),
        Call::Wait => "wait".to_owned(),
        Call::Coinche => "coinche".to_owned(),
        Call::Surcoinche => "surcoinche".to_owned(),
        Call::Take => call.to_string(),
        Call::TakeIn(suit) => format!("takes {}", suit.symbol()),
        Call::Bid(Bid { value, strain }) => {
            let value = match value {
                BidValue::CAPOT => "capot".to_owned(),
                BidValue::GENERALE => "générale".to_owned(),
                value => value.to_string(),
            };
            format!("{value} {}", strain.symbol())
        }
    }
}

fn contract_text(contract: Option<&Contract>) -> String {
    let Some(Contract { declarer, strain, goal, stake }) = contract else {
        return "No contract".to_owned();
    };
    let bid = match goal {
        Goal::Bid(value) => call_text(Call::Bid(Bid::new(*value, *strain))),
        Goal::Majority => format!("takes {}", strain.symbol()),
    };
    let stake = match stake {
        Stake::Plain => "",
        Stake::Coinche => ", coinched",
        Stake::Surcoinche => ", surcoinched",
    };
    format!("{bid} by seat {declarer}{stake}")
}

fn result_text(record: &Record) -> String {
    let [even, odd] = record.score.0;
    let own = record.contract.map_or(Team::Even, |contract| contract.declarer.team());
    let [points, other] = [own, own.other()].map(|team| record.card_points[team]);
    let how = match record.made {
        Some(true) => format!("Made with {points} card points against {other}. "),
        Some(false) => format!("Failed with {points} card points against {other}. "),
        None if record.score == ByTeam([0, 0]) => "Thrown in. ".to_owned(),
        None => "Forfeited. ".to_owned(),
    };
    format!("{how}Seats 0 and 2 score {even}, seats 1 and 3 {odd}.")
}

impl LegView {
    /// Takes a record apart.
    fn new(record: &Record) -> Self {
        let hands = record.hands.iter().map(|(seat, hand)| HandView {
            seat: seat.index(),
            bot: record.bots[seat].clone(),
            dealer: seat == record.dealer,
            cards: hand.into_iter().map(card_view).collect(),
        });
        let tricks = record.tricks.iter().map(|trick| TrickView {
            leader: trick.leader as u8,
            cards: trick.cards.into_iter().map(card_view).collect(),
            winner: trick.winner as u8,
        });
        Self {
            title: format!("Leg {}: {} at seats 0 and 2", record.leg + 1, record.bots[Seat::S0]),
            contract: contract_text(record.contract.as_ref()),
            result: result_text(record),
            hands: hands.collect(),
            calls: record.auction.iter().map(|(seat, call)| (*seat as u8, call_text(*call))).collect(),
            tricks: tricks.collect(),
        }
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
    /// Takes the records of the legs of a deal.
    pub fn new(heading: String, records: &[Record]) -> Self {
        let legs: Vec<_> = records.iter().map(LegView::new).collect();
        let json = serde_json::Value::from(legs.iter().map(LegView::json).collect::<Vec<_>>()).to_string();
        Self { heading, legs, json }
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
            assert_eq!(call_text(call.parse().unwrap()), text);
        }
    }
}
