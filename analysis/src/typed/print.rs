//! Prints cards and calls for people, in both languages; all output can be typed back.

use clap::ValueEnum;
use coinche_engine::{Bid, BidValue, Call, Card, LegalCalls, Rank, Strain, Suit};
use coinche_selfplay::document::words;

/// Returns the lowest and the highest value of the legal bids, and their strains; `None` if there is no bid.
pub(crate) fn bids(legal: &LegalCalls) -> Option<(BidValue, BidValue, impl Iterator<Item = Strain>)> {
    let values: Vec<_> = legal.values().collect();
    let (low, high) = (*values.first()?, *values.last()?);
    let is_legal = move |strain: &Strain| legal.contains(Call::Bid(Bid::new(low, *strain)));
    Some((low, high, Strain::ALL.into_iter().filter(is_legal)))
}

/// The language of what is printed for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Language {
    /// `J♠`, `pass`, `80 ♥`
    #[default]
    #[value(alias = "en")]
    English,
    /// `V♠`, `passe`, `80 cœur`
    #[value(alias = "fr")]
    French,
}

impl Language {
    /// Tests if so many of something are named in the singular.
    pub(crate) const fn is_singular(self, n: u64) -> bool {
        n == 1 || n == 0 && matches!(self, Self::French)
    }

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
        let (ranks, of) = match self {
            Self::English => (["seven", "eight", "nine", "jack", "queen", "king", "ten", "ace"], "of"),
            Self::French => (["sept", "huit", "neuf", "valet", "dame", "roi", "dix", "as"], "de"),
        };
        format!("{} {of} {}", ranks[rank], self.suit(card.suit()))
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
            Call::Bid(Bid { value: BidValue::NONE, strain }) => self.strain(strain).to_owned(),
            Call::Bid(Bid { value, strain }) => {
                format!("{} {}", words::bid_value(value), self.strain(strain))
            }
            Call::Coinche | Call::Surcoinche => words::call(call),
        }
    }
}
