//! One deal for replay on the page: both legs, from their records.

use core::cmp::Reverse;

use coinche_engine::record::Record;
use coinche_engine::rules::Rotation;
use coinche_engine::{
    Bid, ByTeam, Call, Card, CardSet, Contract, Goal, RuleSet, Seat, Stake, Strain, Suit, Team,
};
use serde_json::json;

use super::words;

/// The legs of a deal.
#[derive(Debug, Clone)]
pub struct DealView {
    pub(super) heading: String,
    pub(super) legs: Vec<LegView>,
    /// The data for the player on the page.
    pub(super) json: String,
}

/// One leg.
#[derive(Debug, Clone)]
pub(super) struct LegView {
    pub(super) title: String,
    /// The compass names of the seats.
    pub(super) places: [&'static str; 4],
    pub(super) contract: String,
    pub(super) result: String,
    pub(super) hands: Vec<HandView>,
    /// Seats and calls.
    pub(super) calls: Vec<(usize, String)>,
    pub(super) tricks: Vec<TrickView>,
}

/// A seat and its cards.
#[derive(Debug, Clone)]
pub(super) struct HandView {
    /// The name of the seat.
    pub(super) seat: String,
    pub(super) bot: String,
    pub(super) dealer: bool,
    pub(super) cards: Vec<CardView>,
}

/// A trick, complete or not.
#[derive(Debug, Clone)]
pub(super) struct TrickView {
    /// The name of the seat.
    pub(super) leader: String,
    pub(super) cards: Vec<CardView>,
    /// The name of the seat.
    pub(super) winner: String,
}

/// A card.
#[derive(Debug, Clone)]
pub(super) struct CardView {
    pub(super) text: String,
    /// Whether it is a heart or a diamond.
    pub(super) red: bool,
}

/// Returns the compass names of the seats: seat 0 is South, and the rules give the direction of play.
pub const fn places(rotation: Rotation) -> [&'static str; 4] {
    match rotation {
        Rotation::Clockwise => ["South", "West", "North", "East"],
        Rotation::Counterclockwise => ["South", "East", "North", "West"],
    }
}

/// Returns the suits in display order: the trump suit first, black and red alternating.
pub fn suits(strain: Option<Strain>) -> [Suit; 4] {
    let mut suits = [Suit::Spades, Suit::Hearts, Suit::Clubs, Suit::Diamonds];
    suits.sort_by_key(|suit| strain.and_then(Strain::trump) != Some(*suit));
    suits
}

/// Returns the cards of a hand in display order: by suit, each from its strongest card down.
fn sorted(hand: CardSet, strain: Option<Strain>) -> Vec<Card> {
    let order = suits(strain);
    let strength = |card: Card| strain.unwrap_or(Strain::NoTrump).strength(card);
    let mut cards: Vec<Card> = hand.into_iter().collect();
    cards.sort_by_key(|card| (order.iter().position(|suit| *suit == card.suit()), Reverse(strength(*card))));
    cards
}

pub(super) fn card_view(card: Card) -> CardView {
    let (rank, symbol) = (words::rank(card.rank()), card.suit().symbol());
    CardView { text: format!("{rank}{symbol}"), red: matches!(symbol, '♥' | '♦') }
}

fn contract_text(contract: Option<&Contract>, name: impl Fn(Seat) -> String) -> String {
    let Some(Contract { declarer, strain, goal, stake }) = contract else {
        return "No contract".to_owned();
    };
    let bid = match goal {
        Goal::Bid(value) => words::call(Call::Bid(Bid::new(*value, *strain))),
        Goal::Majority => format!("takes {}", strain.symbol()),
    };
    let stake = match stake {
        Stake::Plain => "",
        Stake::Coinche => ", coinched",
        Stake::Surcoinche => ", surcoinched",
    };
    format!("{bid} by {}{stake}", name(*declarer))
}

fn result_text(record: &Record) -> String {
    let [even, odd] = record.score.0;
    let own = record.contract.map_or(Team::Even, |contract| contract.declarer.team());
    let [points, other] = [own, own.other()].map(|team| record.card_points[team]);
    let how = match record.made {
        Some(true) => format!("Made with {points} card points against {other}. "),
        Some(false) => format!("Failed with {points} card points against {other}. "),
        None if record.score == ByTeam([0, 0]) => "Passed out. ".to_owned(),
        None => "Forfeited. ".to_owned(),
    };
    format!("{how}Score: North–South {even}, East–West {odd}.")
}

impl LegView {
    /// Converts a record.
    fn new(record: &Record) -> Self {
        // If the rules are no longer known, those of the default.
        let places = places(record.rules.rules().unwrap_or_else(|_| RuleSet::default()).deal.rotation);
        let name = |seat: Seat| format!("{} ({seat})", places[seat.index()]);
        let strain = record.contract.map(|contract| contract.strain);
        let hands = record.hands.iter().map(|(seat, hand)| HandView {
            seat: name(seat),
            bot: record.bots[seat].clone(),
            dealer: seat == record.dealer,
            cards: sorted(*hand, strain).into_iter().map(card_view).collect(),
        });
        let tricks = record.tricks.iter().map(|trick| TrickView {
            leader: name(trick.leader),
            cards: trick.cards.into_iter().map(card_view).collect(),
            winner: name(trick.winner),
        });
        Self {
            title: format!("Leg {}: {} sits North–South", record.leg + 1, record.bots[Seat::S0]),
            places,
            contract: contract_text(record.contract.as_ref(), name),
            result: result_text(record),
            hands: hands.collect(),
            calls: record.auction.iter().map(|(seat, call)| (seat.index(), words::call(*call))).collect(),
            tricks: tricks.collect(),
        }
    }

    /// Returns the auction on one line: `South: 100 ♠, West: pass`.
    pub(super) fn auction(&self) -> String {
        let calls = self.calls.iter().map(|(seat, call)| format!("{}: {call}", self.places[*seat]));
        calls.collect::<Vec<_>>().join(", ")
    }

    fn json(&self, record: &Record) -> serde_json::Value {
        let texts = |cards: &[CardView]| cards.iter().map(|card| card.text.clone()).collect::<Vec<_>>();
        json!({
            "title": self.title,
            "contract": self.contract,
            "result": self.result,
            "seats": self.hands.iter().map(|hand| hand.bot.as_str()).collect::<Vec<_>>(),
            "places": self.places,
            "dealer": record.dealer.index(),
            "hands": self.hands.iter().map(|hand| texts(&hand.cards)).collect::<Vec<_>>(),
            "calls": self.calls,
            "tricks": self.tricks.iter().zip(&record.tricks).map(|(shown, trick)| json!({
                "leader": trick.leader.index(), "cards": texts(&shown.cards), "winner": trick.winner.index(),
            })).collect::<Vec<_>>(),
        })
    }
}

impl DealView {
    /// Converts the records of the legs of a deal.
    pub fn new(heading: String, records: &[Record]) -> Self {
        let legs: Vec<_> = records.iter().map(LegView::new).collect();
        let json = legs.iter().zip(records).map(|(leg, record)| leg.json(record)).collect::<Vec<_>>();
        let json = serde_json::Value::from(json).to_string();
        Self { heading, legs, json }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_seat_is_at_the_side_that_the_rotation_says() {
        // South looks north, so West is at the left.
        assert_eq!(places(Rotation::Clockwise)[1], "West");
        assert_eq!(places(Rotation::Counterclockwise)[1], "East");
    }

    #[test]
    fn hands_are_shown_from_the_trump_suit_and_the_strongest_card_on() {
        let hand: CardSet = ["7C", "AC", "9D", "JD", "AD", "TH", "8S", "JS"]
            .map(|card| card.parse::<Card>().unwrap())
            .into_iter()
            .collect();
        let shown = |strain: &str| {
            let strain = strain.parse().unwrap();
            sorted(hand, Some(strain))
                .into_iter()
                .map(|card| card_view(card).text)
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(shown("D"), "J♦ 9♦ A♦ J♠ 8♠ 10♥ A♣ 7♣");
        assert_eq!(shown("SA"), "J♠ 8♠ 10♥ A♣ 7♣ A♦ J♦ 9♦");
    }
}
