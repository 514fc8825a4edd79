//! What the program says to players, in their language: `arena play`, `arena advise`.
//!
//! A language is a file with all texts; the compiler names those that are missing. Another is added by a file, a
//! variant of [`Language`] and the words of cards and calls in [`typed`](crate::typed).

mod english;
mod errors;
mod french;

use coinche_engine::{IllegalCall, MeldKind, PlayError, Stake};
pub use errors::{error_in, known_errors};

pub(crate) use coinche_selfplay::document::texts::fill;
pub(crate) use english::Texts;

use crate::typed::{Language, TypedError};

/// Returns the texts of a language.
pub(crate) const fn texts(language: Language) -> &'static Texts {
    match language {
        Language::English => &english::TEXTS,
        Language::French => &french::TEXTS,
    }
}

/// Starts a text with a capital letter.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns the sentences that refuse a card, a call or what is typed, in English and in French, with `{0}`, `{1}`, … for
/// their values.
fn refusals() -> Vec<[String; 2]> {
    let of = |language| {
        let it: &Texts = texts(language);
        [
            [it.over, it.not_in_hand, it.must_follow, it.must_beat, it.must_trump, it.must_overtrump],
            [
                it.must_not_undertrump,
                it.auction_over,
                it.too_low,
                it.no_such_value,
                it.no_such_strain,
                it.offered,
            ],
            [
                it.over_coinche,
                it.must_bid,
                it.nothing_to_double,
                it.not_in_auction,
                it.turned_suit,
                it.not_a_card,
            ],
        ]
        .concat()
        .into_iter()
        .chain([it.not_a_call, it.not_a_suit, it.ambiguous])
    };
    let pairs = of(Language::English).zip(of(Language::French));
    pairs
        .map(|(english, french)| {
            let slots = english.split('{').skip(1).filter_map(|rest| rest.split('}').next());
            slots.enumerate().fold([english, french].map(str::to_owned), |texts, (n, slot)| {
                texts.map(|text| text.replace(&format!("{{{slot}}}"), &format!("{{{n}}}")))
            })
        })
        .collect()
}

/// Returns why a card may not be played.
pub(crate) fn play_error(language: Language, error: PlayError) -> String {
    let texts = texts(language);
    let (text, card) = match error {
        PlayError::Over(card) => (texts.over, card),
        PlayError::NotInHand(card) => (texts.not_in_hand, card),
        PlayError::MustFollow(card) => (texts.must_follow, card),
        PlayError::MustBeat(card) => (texts.must_beat, card),
        PlayError::MustTrump(card) => (texts.must_trump, card),
        PlayError::MustOvertrump(card) => (texts.must_overtrump, card),
        PlayError::MustNotUndertrump(card) => (texts.must_not_undertrump, card),
        other => return other.to_string(),
    };
    fill(text, &[("card", &language.card(card))])
}

/// Returns why a call may not be made.
pub(crate) fn call_error(language: Language, error: IllegalCall) -> String {
    use coinche_engine::Call;
    let texts = texts(language);
    let (text, call) = match error {
        IllegalCall::Over(call) => (texts.auction_over, call),
        IllegalCall::TooLow { bid, last } => {
            let [bid, last] = [bid, last].map(|bid| language.call(Call::Bid(bid)));
            return fill(texts.too_low, &[("call", &bid), ("last", &last)]);
        }
        IllegalCall::NoSuchValue(bid) => (texts.no_such_value, Call::Bid(bid)),
        IllegalCall::NoSuchStrain(bid) => (texts.no_such_strain, Call::Bid(bid)),
        IllegalCall::OverCoinche(call) => (texts.over_coinche, call),
        IllegalCall::Offered(call) => (texts.offered, call),
        IllegalCall::MustBid(call) => (texts.must_bid, call),
        IllegalCall::NothingToDouble(call) => (texts.nothing_to_double, call),
        IllegalCall::NotInThisAuction(call) => (texts.not_in_auction, call),
        IllegalCall::TurnedSuit(suit) => (texts.turned_suit, Call::TakeIn(suit)),
        other => return other.to_string(),
    };
    fill(text, &[("call", &language.call(call))])
}

/// Returns why what was typed cannot be read.
pub(crate) fn typed_error(language: Language, error: &TypedError) -> String {
    let texts = texts(language);
    match error {
        TypedError::Card(text) => fill(texts.not_a_card, &[("text", text)]),
        TypedError::Call(text) => fill(texts.not_a_call, &[("text", text)]),
        TypedError::Suit(text) => fill(texts.not_a_suit, &[("text", text)]),
        TypedError::Ambiguous { text, first, second } => {
            fill(texts.ambiguous, &[("text", text), ("first", first), ("second", second)])
        }
    }
}

/// Names a kind of meld.
pub(crate) const fn meld_kind(language: Language, kind: MeldKind) -> &'static str {
    let texts = texts(language);
    match kind {
        MeldKind::Tierce => texts.tierce,
        MeldKind::Fifty => texts.fifty,
        MeldKind::Hundred => texts.hundred,
        MeldKind::Carre => texts.carre,
    }
}

/// Returns the stake of a contract, to follow it.
pub(crate) const fn stake(language: Language, stake: Stake) -> &'static str {
    match stake {
        Stake::Plain => "",
        Stake::Coinche => texts(language).coinched,
        Stake::Surcoinche => texts(language).surcoinched,
    }
}

#[cfg(test)]
mod tests {
    use coinche_selfplay::document::texts::{differences, unpolished};

    use super::*;

    #[test]
    fn languages_say_the_same() {
        let (english, french) = (texts(Language::English).all(), texts(Language::French).all());
        assert_eq!(differences(&english, &french), [""; 0]);
        assert_eq!(unpolished(french.iter().map(|(_, text)| *text)), [""; 0]);
        let same = english.iter().zip(&french).filter(|(a, b)| a == b).count();
        assert!(same < 20, "{same} texts are not translated");
    }

    #[test]
    fn refusals_have_numbered_values() {
        for text in refusals().concat() {
            let mut slots = text.split('{').skip(1);
            assert!(text.contains("{0}") && slots.all(|rest| rest.starts_with(['0', '1', '2'])), "{text}");
        }
    }
}
