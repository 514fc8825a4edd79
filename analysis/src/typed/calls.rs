//! Parses calls.

use coinche_engine::{Bid, BidValue, Call, LegalCalls, Strain, Suit};

use super::words::{Spelled, compact, fold, named, strain};
use super::{Language, TypedError};

/// Words without meaning: `je prends à cœur` is `prends cœur`.
const SILENT: [&str; 6] = ["je", "j", "a", "en", "in", "de"];
/// The maximum number of words of a call, as in `je prends à cœur`.
const MOST_WORDS: usize = 4;

const CALLS: [(&str, Call); 5] = [
    ("p pass passe parole", Call::Pass),
    ("w wait attends attend", Call::Wait),
    ("x coinche contre double", Call::Coinche),
    ("xx surcoinche surcontre redouble", Call::Surcoinche),
    ("take prends prend prise", Call::Take),
];

/// Parses a call.
pub fn call(text: &str) -> Result<Call, TypedError> {
    if let Ok(call) = text.parse() {
        return Ok(call);
    }
    let folded = compact(text, &SILENT);
    if let Some(call) = named(&CALLS, &folded) {
        return Ok(call);
    }
    let read =
        taken(&folded).or_else(|| bid(&folded)).ok_or_else(|| TypedError::Call(text.trim().to_owned()))?;
    read.map_err(|calls| {
        let [first, second] = calls.map(|call| format!("{call} ({})", Language::French.call(call)));
        TypedError::Ambiguous { text: text.trim().to_owned(), first, second }
    })
}

/// A call, or two possible ones.
type Read = Option<Result<Call, [Call; 2]>>;

/// Parses `prends coeur`.
fn taken(folded: &str) -> Read {
    let takes = CALLS.iter().filter(|(_, call)| *call == Call::Take);
    let takes = takes.flat_map(|(names, _)| names.split(' '));
    let mut suits = takes.filter_map(|name| Spelled::of(folded.strip_prefix(name)?));
    let by_suit = |suit: Suit| Call::TakeIn(suit);
    suits.next().map(|spelled| spelled.suits().map(by_suit).map_err(|suits| suits.map(by_suit)))
}

/// Parses `80coeur`, or `coeur` where bids have no value.
fn bid(folded: &str) -> Read {
    let (value, rest) = value(folded).unwrap_or((BidValue::NONE, folded));
    let with = |strain: Strain| Call::Bid(Bid::new(value, strain));
    strain(rest).map(|strain| strain.map(with).map_err(|strains| strains.map(with)))
}

/// Parses the value of a bid, and returns it with the rest of the text.
fn value(folded: &str) -> Option<(BidValue, &str)> {
    for (name, value) in [("capot", BidValue::CAPOT), ("generale", BidValue::GENERALE)] {
        if let Some(rest) = folded.strip_prefix(name) {
            return Some((value, rest));
        }
    }
    let digits = folded.find(|letter: char| !letter.is_ascii_digit())?;
    let (points, rest) = folded.split_at(digits);
    Some((BidValue::points(points.parse().ok()?)?, rest))
}

/// Returns the lowest and the highest value of the legal bids, and their strains; `None` if there is no bid.
pub(crate) fn bids(legal: &LegalCalls) -> Option<(BidValue, BidValue, impl Iterator<Item = Strain>)> {
    let values: Vec<_> = legal.values().collect();
    let (low, high) = (*values.first()?, *values.last()?);
    let is_legal = move |strain: &Strain| legal.contains(Call::Bid(Bid::new(low, *strain)));
    Some((low, high, Strain::ALL.into_iter().filter(is_legal)))
}

/// Parses the first call of a list of words, and returns it with the number of its words, at least one.
///
/// The call is as short as possible: `X X` are two coinches. Only a suit that is taken joins the word before
/// it: `TAKE H`. In a list a lone `P` is always a pass.
pub fn next_call(words: &[&str]) -> (usize, Result<Call, TypedError>) {
    let read = |n: usize| call(&words[..n].join(" "));
    let most = MOST_WORDS.min(words.len());
    let mut first_error = None;
    for n in 1..=most {
        match read(n) {
            Ok(Call::Take) => {
                // `P` is a pass here, `à` belongs to the suit after it.
                let is_pass = words.get(n).is_some_and(|word| fold(word) == "p");
                for more in (n + 1..=most).take_while(|_| !is_pass) {
                    match read(more) {
                        Ok(call @ Call::TakeIn(_)) => return (more, Ok(call)),
                        Err(error @ TypedError::Ambiguous { .. }) => return (more, Err(error)),
                        _ => {}
                    }
                }
                return (n, Ok(Call::Take));
            }
            Ok(call) => return (n, Ok(call)),
            Err(error @ TypedError::Ambiguous { .. }) => return (n, Err(error)),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    (1, Err(first_error.unwrap_or_else(|| TypedError::Call(String::new()))))
}
