//! Cards and calls as printed for people.

use clap::ValueEnum;
use coinche_engine::{Bid, BidValue, Call, Card, Rank, Strain, Suit};

/// Formats a rank: `10` for the ten, otherwise its letter or digit.
pub fn rank(rank: Rank) -> String {
    if rank == Rank::Ten { "10".to_owned() } else { rank.letter().to_string() }
}

/// Formats a call, with the symbol of the suit: `pass`, `80 ♥`, `take ♠`.
pub fn call(call: Call) -> String {
    Language::English.call(call)
}

/// Formats the value of a bid: its points, or the word for all tricks.
pub fn bid_value(value: BidValue) -> String {
    match value {
        BidValue::CAPOT => "capot".to_owned(),
        BidValue::GENERALE => "générale".to_owned(),
        value => value.to_string(),
    }
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
    /// The code of the language, for pages.
    pub const fn code(self) -> &'static str {
        self.of("en", "fr")
    }

    /// Returns what is in this language.
    pub const fn of<'a>(self, english: &'a str, french: &'a str) -> &'a str {
        match self {
            Self::English => english,
            Self::French => french,
        }
    }

    /// Tests if so many of something are named in the singular.
    pub const fn is_singular(self, n: u64) -> bool {
        n == 1 || n == 0 && matches!(self, Self::French)
    }

    /// Prints a number that is written in English: in French with a decimal comma and narrow no-break spaces between thousands.
    pub fn number(self, english: &str) -> String {
        let letters: Vec<char> = english.chars().collect();
        let is_digit =
            |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_digit);
        let print = |(at, letter): (usize, &char)| match letter {
            _ if self == Self::English || !is_digit(at.checked_sub(1)) || !is_digit(Some(at + 1)) => *letter,
            ',' => '\u{202f}',
            '.' => ',',
            letter => *letter,
        };
        letters.iter().enumerate().map(print).collect()
    }

    /// Names a seat of the compass, given in English.
    pub fn place(self, english: &'static str) -> &'static str {
        match (self, english) {
            (Self::English, place) => place,
            (Self::French, "South") => "Sud",
            (Self::French, "West") => "Ouest",
            (Self::French, "North") => "Nord",
            (Self::French, _) => "Est",
        }
    }

    /// Prints a rank.
    pub fn rank(self, rank: Rank) -> String {
        match (self, rank) {
            (Self::French, Rank::Jack) => "V".to_owned(),
            (Self::French, Rank::Queen) => "D".to_owned(),
            (Self::French, Rank::King) => "R".to_owned(),
            (_, rank) => self::rank(rank),
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

    /// Prints a call as it is typed: in English in the notation of records, `100S`.
    pub fn typed(self, call: Call) -> String {
        if self == Self::English { call.to_string() } else { self.call(call) }
    }

    /// Prints a call.
    pub fn call(self, call: Call) -> String {
        match call {
            Call::Pass => self.of("pass", "passe").to_owned(),
            Call::Wait => self.of("wait", "j’attends").to_owned(),
            Call::Coinche => "coinche".to_owned(),
            Call::Surcoinche => "surcoinche".to_owned(),
            Call::Take => self.of("take", "je prends").to_owned(),
            Call::TakeIn(suit) => {
                format!("{} {}", self.of("take", "je prends à"), self.strain(Strain::of(suit)))
            }
            Call::Bid(Bid { value: BidValue::NONE, strain }) => self.strain(strain).to_owned(),
            Call::Bid(Bid { value, strain }) => format!("{} {}", bid_value(value), self.strain(strain)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_people_do() {
        let numbers = ["1,775,712", "+1,234.5 ± 0.2", "96.0 % (95.1–96.8)", "p < 0.0001", ".5, 1.", "1, 2"];
        let french = [
            "1\u{202f}775\u{202f}712",
            "+1\u{202f}234,5 ± 0,2",
            "96,0 % (95,1–96,8)",
            "p < 0,0001",
            ".5, 1.",
            "1, 2",
        ];
        assert_eq!(numbers.map(|number| Language::English.number(number)), numbers);
        assert_eq!(numbers.map(|number| Language::French.number(number)), french);
    }

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
