//! A bidder and a card player: opens a long suit with the jack, and plays its strongest card.

use coinche_bots::{Agent, Bidder, BotInfo, CardPlayer, ParamInfo};
use coinche_engine::{Bid, Call, Card, CardSet, Key, LegalCalls, Rank, Strain, Suit, View};

const LENGTH: ParamInfo =
    ParamInfo { name: "length", default: "4", legal: "1 to 8", about: "the trumps that a bid needs" };

/// Says what the bot is called, which parameters it has, and how it is made.
pub(crate) fn info() -> BotInfo {
    BotInfo::new("mine", "opens a long suit with the jack, and plays its strongest card")
        .bidder(&[LENGTH], |params| {
            let length = params.number("length", 1..=8)?;
            Ok(move || Mine { length })
        })
        .player(&[], |_| Ok(|| Mine { length: 0 }))
}

struct Mine {
    length: usize,
}

impl Agent for Mine {}

impl Bidder for Mine {
    fn call(&mut self, view: &View<'_>, legal: &LegalCalls, _key: Key) -> Call {
        let hand = view.hand();
        let is_good =
            |suit: &Suit| hand.of(*suit).len() >= self.length && hand.contains(Card::new(*suit, Rank::Jack));
        let nobody_bid = view.auction().state().contract().is_none();
        match (Suit::ALL.into_iter().find(is_good), legal.lowest_value()) {
            (Some(suit), Some(value)) if nobody_bid => Call::Bid(Bid::new(value, Strain::of(suit))),
            _ => Call::Pass,
        }
    }
}

impl CardPlayer for Mine {
    fn play(&mut self, view: &View<'_>, legal: CardSet, _key: Key) -> Card {
        let strength = |card: &Card| view.strain().map(|strain| strain.strength(*card));
        legal.into_iter().max_by_key(strength).expect("there is a legal card")
    }
}
