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

const RANKS: [(&str, Rank); 28] = [
    ("7", Rank::Seven),
    ("8", Rank::Eight),
    ("9", Rank::Nine),
    ("10", Rank::Ten),
    ("t", Rank::Ten),
    ("j", Rank::Jack),
    ("v", Rank::Jack),
    ("q", Rank::Queen),
    ("d", Rank::Queen),
    ("k", Rank::King),
    ("r", Rank::King),
    ("a", Rank::Ace),
    ("sept", Rank::Seven),
    ("huit", Rank::Eight),
    ("neuf", Rank::Nine),
    ("dix", Rank::Ten),
    ("valet", Rank::Jack),
    ("dame", Rank::Queen),
    ("roi", Rank::King),
    ("as", Rank::Ace),
    ("seven", Rank::Seven),
    ("eight", Rank::Eight),
    ("nine", Rank::Nine),
    ("ten", Rank::Ten),
    ("jack", Rank::Jack),
    ("queen", Rank::Queen),
    ("king", Rank::King),
    ("ace", Rank::Ace),
];

/// The names of the suits, without single letters.
const SUITS: [(&str, Suit); 20] = [
    ("trefle", Suit::Clubs),
    ("trefles", Suit::Clubs),
    ("club", Suit::Clubs),
    ("clubs", Suit::Clubs),
    ("♣", Suit::Clubs),
    ("carreau", Suit::Diamonds),
    ("carreaux", Suit::Diamonds),
    ("diamond", Suit::Diamonds),
    ("diamonds", Suit::Diamonds),
    ("♦", Suit::Diamonds),
    ("coeur", Suit::Hearts),
    ("coeurs", Suit::Hearts),
    ("heart", Suit::Hearts),
    ("hearts", Suit::Hearts),
    ("♥", Suit::Hearts),
    ("pique", Suit::Spades),
    ("piques", Suit::Spades),
    ("spade", Suit::Spades),
    ("spades", Suit::Spades),
    ("♠", Suit::Spades),
];

const STRAINS: [(&str, Strain); 12] = [
    ("sa", Strain::NoTrump),
    ("sansatout", Strain::NoTrump),
    ("sansatouts", Strain::NoTrump),
    ("nt", Strain::NoTrump),
    ("notrump", Strain::NoTrump),
    ("notrumps", Strain::NoTrump),
    ("ta", Strain::AllTrump),
    ("toutatout", Strain::AllTrump),
    ("toutatouts", Strain::AllTrump),
    ("at", Strain::AllTrump),
    ("alltrump", Strain::AllTrump),
    ("alltrumps", Strain::AllTrump),
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
            _ => Self::Named(SUITS.iter().find(|(name, _)| *name == folded)?.1),
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
    if let Some((_, strain)) = STRAINS.iter().find(|(name, _)| *name == folded) {
        return Some(Ok(*strain));
    }
    let spelled = Spelled::of(folded)?;
    Some(spelled.suits().map(Strain::of).map_err(|suits| suits.map(Strain::of)))
}

/// Parses a folded text as a rank.
pub(super) fn rank(folded: &str) -> Option<Rank> {
    RANKS.iter().find(|(name, _)| *name == folded).map(|(_, rank)| *rank)
}

/// Parses a folded text in one piece as a rank and a suit.
pub(super) fn rank_and_suit(folded: &str) -> Option<(Rank, Spelled)> {
    let by_rank = RANKS.iter().find_map(|(name, rank)| {
        let rest = folded.strip_prefix(name)?;
        Some((*rank, Spelled::of(rest)?))
    });
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
