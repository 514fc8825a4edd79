//! Prints cards and calls for people, in both languages; all output can be typed back.

use clap::ValueEnum;
use coinche_engine::{Bid, Call, Card, Rank, Strain, Suit};
use coinche_selfplay::document::words;

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
    pub fn rank(self, rank: Rank) -> String {
        match (self, rank) {
            (Self::French, Rank::Jack) => "V".to_owned(),
            (Self::French, Rank::Queen) => "D".to_owned(),
            (Self::French, Rank::King) => "R".to_owned(),
            (_, rank) => words::rank(rank),
        }
    }

    /// Prints a card, as `J♠`.
    pub fn card(self, card: Card) -> String {
        format!("{}{}", self.rank(card.rank()), card.suit().symbol())
    }

    /// Prints a card in words, as `jack of spades`.
    pub fn card_in_words(self, card: Card) -> String {
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
    pub const fn suit(self, suit: Suit) -> &'static str {
        match self {
            Self::English => ["clubs", "diamonds", "hearts", "spades"][suit.index()],
            Self::French => ["trèfle", "carreau", "cœur", "pique"][suit.index()],
        }
    }

    /// Prints a strain as part of a bid.
    pub fn strain(self, strain: Strain) -> &'static str {
        match (self, strain) {
            (Self::English, strain) => strain.symbol(),
            (Self::French, Strain::NoTrump) => "sans atout",
            (Self::French, Strain::AllTrump) => "tout atout",
            (Self::French, strain) => strain.trump().map_or("", |suit| self.suit(suit)),
        }
    }

    /// Prints a call.
    pub fn call(self, call: Call) -> String {
        if self == Self::English {
            return words::call(call);
        }
        match call {
            Call::Pass => "passe".to_owned(),
            Call::Wait => "j'attends".to_owned(),
            Call::Take => "je prends".to_owned(),
            Call::TakeIn(suit) => format!("je prends à {}", self.suit(suit)),
            Call::Bid(Bid { value, strain }) => {
                format!("{} {}", words::bid_value(value), self.strain(strain))
            }
            Call::Coinche | Call::Surcoinche => words::call(call),
        }
    }
}
