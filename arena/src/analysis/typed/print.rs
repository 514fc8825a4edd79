//! Printing cards and calls for people, in both languages; all of it can be typed back.

use clap::ValueEnum;
use coinche_engine::{Bid, BidValue, Call, Card, Rank, Strain, Suit};

/// In which language cards and calls are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Language {
    /// `J♠`, `pass`, `80 ♥`
    #[default]
    English,
    /// `V♠`, `passe`, `80 cœur`
    French,
}

impl Language {
    /// Prints a rank.
    pub(crate) fn rank(self, rank: Rank) -> String {
        match (self, rank) {
            (_, Rank::Ten) => "10".to_owned(),
            (Self::French, Rank::Jack) => "V".to_owned(),
            (Self::French, Rank::Queen) => "D".to_owned(),
            (Self::French, Rank::King) => "R".to_owned(),
            (_, rank) => rank.letter().to_string(),
        }
    }

    /// Prints a card, as `J♠`.
    pub(crate) fn card(self, card: Card) -> String {
        format!("{}{}", self.rank(card.rank()), card.suit().symbol())
    }

    /// Prints a card in words, as `jack of spades`.
    pub(crate) fn card_in_words(self, card: Card) -> String {
        let rank = card.rank().index();
        match self {
            Self::English => {
                let ranks = ["seven", "eight", "nine", "jack", "queen", "king", "ten", "ace"];
                format!("{} of {}", ranks[rank], self.suit(card.suit()))
            }
            Self::French => {
                let ranks = ["sept", "huit", "neuf", "valet", "dame", "roi", "dix", "as"];
                format!("{} de {}", ranks[rank], self.suit(card.suit()))
            }
        }
    }

    /// Names a suit.
    pub(crate) const fn suit(self, suit: Suit) -> &'static str {
        match self {
            Self::English => ["clubs", "diamonds", "hearts", "spades"][suit.index()],
            Self::French => ["trèfle", "carreau", "cœur", "pique"][suit.index()],
        }
    }

    /// Prints a strain as part of a bid.
    pub(crate) fn strain(self, strain: Strain) -> &'static str {
        match (self, strain) {
            (Self::English, strain) => strain.symbol(),
            (Self::French, Strain::NoTrump) => "sans atout",
            (Self::French, Strain::AllTrump) => "tout atout",
            (Self::French, strain) => strain.trump().map_or("", |suit| self.suit(suit)),
        }
    }

    /// Prints a call.
    pub(crate) fn call(self, call: Call) -> String {
        let is_french = self == Self::French;
        match call {
            Call::Pass => if is_french { "passe" } else { "pass" }.to_owned(),
            Call::Wait => if is_french { "j'attends" } else { "wait" }.to_owned(),
            Call::Coinche => "coinche".to_owned(),
            Call::Surcoinche => "surcoinche".to_owned(),
            Call::Take => if is_french { "je prends" } else { "take" }.to_owned(),
            Call::TakeIn(suit) if is_french => format!("je prends à {}", self.suit(suit)),
            Call::TakeIn(suit) => format!("take {}", suit.symbol()),
            Call::Bid(Bid { value, strain }) => format!("{} {}", value_text(value), self.strain(strain)),
        }
    }
}

/// Prints the value of a bid, in both languages alike.
pub(crate) fn value_text(value: BidValue) -> String {
    match value {
        BidValue::CAPOT => "capot".to_owned(),
        BidValue::GENERALE => "générale".to_owned(),
        value => value.to_string(),
    }
}
