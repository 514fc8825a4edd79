//! Parses cards and hands.

use coinche_engine::{Card, CardSet, ParseHandError, Suit};

use super::words::{Spelled, compact, fold, is_french_rank, rank, rank_and_suit};
use super::{Language, TypedError};

/// Words between rank and suit.
const SILENT: [&str; 4] = ["de", "of", "the", "le"];
/// The maximum number of words of a card, as in `valet de pique`.
const MOST_WORDS: usize = 3;

/// The letters for suits used in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Letters {
    /// Only `C` occurs as a letter.
    Unknown,
    /// `D H S`.
    English,
    /// `P K T`.
    French,
    Both,
}

impl Letters {
    fn of(spelled: impl Iterator<Item = Spelled>) -> Self {
        let [mut english, mut french] = [false; 2];
        for spelled in spelled {
            english |= matches!(spelled, Spelled::English(_));
            french |= matches!(spelled, Spelled::French(_));
        }
        match (english, french) {
            (false, false) => Self::Unknown,
            (true, false) => Self::English,
            (false, true) => Self::French,
            (true, true) => Self::Both,
        }
    }
}

/// Parses cards, with the same suit letters for all of them.
#[derive(Debug, Clone, Copy)]
pub struct CardReader {
    letters: Letters,
}

impl CardReader {
    /// Creates a parser of single cards.
    pub const fn single() -> Self {
        Self { letters: Letters::Unknown }
    }

    /// Creates a parser for the cards of a text.
    pub fn of(text: &str) -> Self {
        let words = text.split(|letter: char| letter.is_whitespace() || ",/|".contains(letter));
        let spelled = words.filter_map(|word| rank_and_suit(fold(word).trim()).map(|(_, spelled)| spelled));
        Self { letters: Letters::of(spelled) }
    }

    /// Parses a card.
    pub fn card(self, text: &str) -> Result<Card, TypedError> {
        let strict = text.parse::<Card>().ok();
        if let Some(card) = strict.filter(|_| matches!(self.letters, Letters::Unknown | Letters::English)) {
            return Ok(card);
        }
        let read = rank_and_suit(&compact(text, &SILENT));
        let (rank, spelled) = read.ok_or_else(|| TypedError::Card(text.trim().to_owned()))?;
        match (spelled.suits(), self.letters) {
            (Ok(suit), _) => Ok(Card::new(suit, rank)),
            (Err(_), Letters::English) => Ok(Card::new(Suit::Clubs, rank)),
            (Err(_), Letters::French) => Ok(Card::new(Suit::Hearts, rank)),
            (Err(suits), Letters::Unknown | Letters::Both) => {
                let [first, second] = suits.map(|suit| named(Card::new(suit, rank)));
                Err(TypedError::Ambiguous { text: text.trim().to_owned(), first, second })
            }
        }
    }

    /// Parses a list of cards, separated by blanks or commas; an invalid card is an error in its place.
    pub fn cards(self, text: &str) -> Vec<Result<Card, TypedError>> {
        let mut cards = Vec::new();
        for part in text.split(',') {
            let words: Vec<&str> = part.split_whitespace().collect();
            let mut rest = &words[..];
            while !rest.is_empty() {
                // The longest first: `as` is a card, but also the beginning of `as de pique`.
                let longest = (2..=MOST_WORDS.min(rest.len()))
                    .rev()
                    .find_map(|n| Some((n, self.card(&rest[..n].join(" ")).ok()?)));
                let (n, card) = match longest {
                    Some((n, card)) => (n, Ok(card)),
                    None => (1, self.card(rest[0])),
                };
                cards.push(card);
                rest = &rest[n..];
            }
        }
        cards
    }
}

/// Names a card in both notations.
fn named(card: Card) -> String {
    format!("{card} ({})", Language::French.card_in_words(card))
}

/// Why a hand by suits cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ReadHandError {
    #[error(transparent)]
    Hand(#[from] ParseHandError),
    #[error("suit C can be clubs (T:, ♣:) or cœur (H:, ♥:): type one of these")]
    AmbiguousSuit,
}

/// Parses a hand by suits, as `C:J97 D:A H:- S:KQ87` or `P:RD87 C:- K:A T:V97`.
pub fn hand_by_suit(text: &str) -> Result<CardSet, ReadHandError> {
    let strict = match text.parse::<CardSet>() {
        Ok(hand) => return Ok(hand),
        Err(error) => error,
    };
    let Some(parts) = parts(text) else { return Err(strict.into()) };
    let has_french_rank = parts.iter().any(|(_, ranks)| ranks.chars().any(is_french_rank));
    let clubs_or_hearts = match Letters::of(parts.iter().map(|(suit, _)| *suit)) {
        Letters::English => Some(Suit::Clubs),
        Letters::French => Some(Suit::Hearts),
        Letters::Unknown if !has_french_rank => Some(Suit::Clubs),
        Letters::Unknown | Letters::Both => None,
    };
    let (mut hand, mut seen) = (CardSet::EMPTY, Vec::new());
    for (spelled, ranks) in &parts {
        let suit = spelled.suits().ok().or(clubs_or_hearts).ok_or(ReadHandError::AmbiguousSuit)?;
        if seen.contains(&suit) {
            return Err(ParseHandError::DuplicateSuit(suit).into());
        }
        seen.push(suit);
        for letter in ranks.chars().filter(|_| ranks != "-") {
            let card = rank(letter.encode_utf8(&mut [0; 4])).map(|rank| Card::new(suit, rank));
            let Some(card) = card else { return Err(strict.into()) };
            if !hand.insert(card) {
                return Err(ParseHandError::Duplicate(card).into());
            }
        }
    }
    Ok(hand)
}

/// Returns the suits with their ranks, a letter each.
fn parts(text: &str) -> Option<Vec<(Spelled, String)>> {
    let part = |part: &str| {
        let (suit, ranks) = part.split_once(':')?;
        let ranks = ranks.to_lowercase().replace("10", "t");
        Some((Spelled::of(fold(suit).trim())?, ranks))
    };
    text.split_whitespace().map(part).collect()
}
