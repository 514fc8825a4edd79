//! The spellings of ranks, suits and strains.

use coinche_engine::{Rank, Strain, Suit};

use super::TypedError;

/// Returns a text in lower case, without accents, apostrophes, hyphens and variants of suit symbols.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.chars().flat_map(char::to_lowercase) {
        match letter {
            'à' | 'â' | 'ä' => folded.push('a'),
            'é' | 'è' | 'ê' | 'ë' => folded.push('e'),
            'î' | 'ï' => folded.push('i'),
            'ô' | 'ö' => folded.push('o'),
            'ù' | 'û' | 'ü' => folded.push('u'),
            'ç' => folded.push('c'),
            'œ' => folded.push_str("oe"),
            '♧' => folded.push('♣'),
            '♢' => folded.push('♦'),
            '♡' => folded.push('♥'),
            '♤' => folded.push('♠'),
            '\'' | '’' | '-' => folded.push(' '),
            // Combining marks and variation selectors.
            '\u{300}'..='\u{36f}' | '\u{fe0e}' | '\u{fe0f}' => {}
            other => folded.push(other),
        }
    }
    folded
}

/// Joins the words of a text, without silent ones.
pub(super) fn compact(text: &str, silent: &[&str]) -> String {
    fold(text).split_whitespace().filter(|word| !silent.contains(word)).collect()
}

/// Returns what a word stands for in a list of several words for each thing.
pub(super) fn named<T: Copy>(list: &[(&str, T)], word: &str) -> Option<T> {
    list.iter().find(|(names, _)| names.split(' ').any(|name| name == word)).map(|(_, meaning)| *meaning)
}

const RANKS: [(&str, Rank); 8] = [
    ("7 sept seven", Rank::Seven),
    ("8 huit eight", Rank::Eight),
    ("9 neuf nine", Rank::Nine),
    ("10 t dix ten", Rank::Ten),
    ("j v valet jack", Rank::Jack),
    ("q d dame queen", Rank::Queen),
    ("k r roi king", Rank::King),
    ("a as ace", Rank::Ace),
];

/// The names of the suits, without single letters.
const SUITS: [(&str, Suit); 4] = [
    ("trefle trefles club clubs ♣", Suit::Clubs),
    ("carreau carreaux diamond diamonds ♦", Suit::Diamonds),
    ("coeur coeurs heart hearts ♥", Suit::Hearts),
    ("pique piques spade spades ♠", Suit::Spades),
];

const STRAINS: [(&str, Strain); 2] = [
    ("sa sansatout sansatouts nt notrump notrumps", Strain::NoTrump),
    ("ta toutatout toutatouts at alltrump alltrumps", Strain::AllTrump),
];

/// A suit as spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelled {
    /// By its name or symbol.
    Named(Suit),
    /// By one of `D H S`.
    English(Suit),
    /// By one of `P K T`.
    French(Suit),
    /// By `C`: clubs or cœur.
    C,
}

impl Spelled {
    /// Parses a folded text.
    pub(super) fn of(folded: &str) -> Option<Self> {
        Some(match folded {
            "c" => Self::C,
            "d" => Self::English(Suit::Diamonds),
            "h" => Self::English(Suit::Hearts),
            "s" => Self::English(Suit::Spades),
            "p" => Self::French(Suit::Spades),
            "k" => Self::French(Suit::Diamonds),
            "t" => Self::French(Suit::Clubs),
            _ => Self::Named(named(&SUITS, folded)?),
        })
    }

    /// Returns the suit, or the two possible ones.
    pub(super) fn suits(self) -> Result<Suit, [Suit; 2]> {
        match self {
            Self::Named(suit) | Self::English(suit) | Self::French(suit) => Ok(suit),
            Self::C => Err([Suit::Clubs, Suit::Hearts]),
        }
    }
}

/// Parses a suit by itself: a letter, a name or a symbol; `C` is clubs.
pub fn suit(text: &str) -> Result<Suit, TypedError> {
    let spelled = Spelled::of(fold(text).trim()).ok_or_else(|| TypedError::Suit(text.trim().to_owned()))?;
    Ok(spelled.suits().unwrap_or(Suit::Clubs))
}

/// Parses a folded text as a strain; two possible ones for `C`.
pub(super) fn strain(folded: &str) -> Option<Result<Strain, [Strain; 2]>> {
    if let Some(strain) = named(&STRAINS, folded) {
        return Some(Ok(strain));
    }
    let spelled = Spelled::of(folded)?;
    Some(spelled.suits().map(Strain::of).map_err(|suits| suits.map(Strain::of)))
}

/// Parses a folded text as a rank.
pub(super) fn rank(folded: &str) -> Option<Rank> {
    named(&RANKS, folded)
}

/// Parses a folded text in one piece as a rank and a suit.
pub(super) fn rank_and_suit(folded: &str) -> Option<(Rank, Spelled)> {
    let mut names = RANKS.iter().flat_map(|(names, rank)| names.split(' ').map(move |name| (name, *rank)));
    let by_rank = names.find_map(|(name, rank)| Some((rank, Spelled::of(folded.strip_prefix(name)?)?)));
    by_rank.or_else(|| {
        // The suit first, as `show` prints it: only with a symbol, since letters would be ambiguous.
        let symbol = folded.chars().next().filter(|letter| "♣♦♥♠".contains(*letter))?;
        let (suit, rest) = folded.split_at(symbol.len_utf8());
        Some((rank(rest)?, Spelled::of(suit)?))
    })
}

/// Tests if a folded text has a rank letter in French.
pub(super) fn is_french_rank(letter: char) -> bool {
    "vdr".contains(letter)
}
