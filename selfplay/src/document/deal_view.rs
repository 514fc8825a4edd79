//! One deal for replay on the page: both legs, from their records.

use core::cmp::Reverse;

use coinche_engine::record::Record;
use coinche_engine::rules::Rotation;
use coinche_engine::{
    Bid, ByTeam, Call, Card, CardSet, Contract, Goal, RuleSet, Seat, Stake, Strain, Suit, Team,
};
use serde_json::json;

use super::texts::{PageTexts, fill, page};
use super::words::Language;

/// The legs of a deal.
#[derive(Debug, Clone)]
pub struct DealView {
    pub(super) heading: String,
    pub(super) legs: Vec<LegView>,
    /// The data for the player on the page.
    pub(super) json: String,
    /// What is said around it.
    pub(super) texts: &'static PageTexts,
}

/// One leg.
#[derive(Debug, Clone)]
pub(super) struct LegView {
    pub(super) title: String,
    /// The compass names of the seats.
    pub(super) places: [&'static str; 4],
    /// Where they are drawn.
    areas: [String; 4],
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

/// Returns the compass names of the seats in English: seat 0 is South, and the rules give the direction of play.
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

pub(super) fn card_view(card: Card, language: Language) -> CardView {
    let symbol = card.suit().symbol();
    CardView { text: language.card(card), red: matches!(symbol, '♥' | '♦') }
}

fn contract_text(contract: Option<&Contract>, language: Language, name: impl Fn(Seat) -> String) -> String {
    let texts = page(language);
    let Some(Contract { declarer, strain, goal, stake }) = contract else {
        return texts.no_contract.to_owned();
    };
    let bid = match goal {
        Goal::Bid(value) => language.call(Call::Bid(Bid::new(*value, *strain))),
        Goal::Majority => fill(texts.takes, &[("strain", &language.strain(*strain))]),
    };
    let stake = match stake {
        Stake::Plain => "",
        Stake::Coinche => texts.coinched,
        Stake::Surcoinche => texts.surcoinched,
    };
    fill(texts.contract_by, &[("bid", &bid), ("who", &name(*declarer)), ("stake", &stake)])
}

fn result_text(record: &Record, texts: &PageTexts) -> String {
    let [even, odd] = record.score.0;
    let own = record.contract.map_or(Team::Even, |contract| contract.declarer.team());
    let [own, other] = [own, own.other()].map(|team| record.card_points[team]);
    let how = match record.made {
        Some(true) => texts.made,
        Some(false) => texts.failed,
        None if record.score == ByTeam([0, 0]) => texts.passed_out,
        None => texts.forfeited,
    };
    fill(how, &[("own", &own), ("other", &other)]) + &fill(texts.scores, &[("even", &even), ("odd", &odd)])
}

impl LegView {
    /// Converts a record.
    fn new(record: &Record, language: Language) -> Self {
        let texts = page(language);
        // If the rules are no longer known, those of the default.
        let english = places(record.rules.rules().unwrap_or_else(|_| RuleSet::default()).deal.rotation);
        let places = english.map(|place| language.place(place));
        let name = |seat: Seat| format!("{} ({seat})", places[seat.index()]);
        let strain = record.contract.map(|contract| contract.strain);
        let hands = record.hands.iter().map(|(seat, hand)| HandView {
            seat: name(seat),
            bot: record.bots[seat].clone(),
            dealer: seat == record.dealer,
            cards: sorted(*hand, strain).into_iter().map(|card| card_view(card, language)).collect(),
        });
        let tricks = record.tricks.iter().map(|trick| TrickView {
            leader: name(trick.leader),
            cards: trick.cards.into_iter().map(|card| card_view(card, language)).collect(),
            winner: name(trick.winner),
        });
        Self {
            title: fill(
                texts.legs,
                &[("leg", &fill(texts.leg, &[("n", &(record.leg + 1))])), ("bot", &record.bots[Seat::S0])],
            ),
            places,
            areas: english.map(str::to_lowercase),
            contract: contract_text(record.contract.as_ref(), language, name),
            result: result_text(record, texts),
            hands: hands.collect(),
            calls: record.auction.iter().map(|(seat, call)| (seat.index(), language.call(*call))).collect(),
            tricks: tricks.collect(),
        }
    }

    /// Returns the auction on one line: `Auction: South: 100 ♠, West: pass`.
    pub(super) fn auction(&self, texts: &PageTexts) -> String {
        let said = |(seat, call): &(usize, String)| {
            fill(texts.said, &[("who", &self.places[*seat]), ("call", call)])
        };
        let calls: Vec<_> = self.calls.iter().map(said).collect();
        fill(texts.auction, &[("calls", &calls.join(", "))])
    }

    fn json(&self, record: &Record) -> serde_json::Value {
        let texts = |cards: &[CardView]| cards.iter().map(|card| card.text.clone()).collect::<Vec<_>>();
        json!({
            "title": self.title,
            "contract": self.contract,
            "result": self.result,
            "seats": self.hands.iter().map(|hand| hand.bot.as_str()).collect::<Vec<_>>(),
            "places": self.places,
            "areas": self.areas,
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
    pub fn new(heading: String, records: &[Record], language: Language) -> Self {
        let legs: Vec<_> = records.iter().map(|record| LegView::new(record, language)).collect();
        let json = legs.iter().zip(records).map(|(leg, record)| leg.json(record)).collect::<Vec<_>>();
        let json = serde_json::Value::from(json).to_string();
        Self { heading, legs, json, texts: page(language) }
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
                .map(|card| card_view(card, Language::English).text)
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(shown("D"), "J♦ 9♦ A♦ J♠ 8♠ 10♥ A♣ 7♣");
        assert_eq!(shown("SA"), "J♠ 8♠ 10♥ A♣ 7♣ A♦ J♦ 9♦");
    }
}
