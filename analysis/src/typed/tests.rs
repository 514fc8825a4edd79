//! Tests that printed text can be parsed, ambiguous text is an error, and nothing panics.

use coinche_engine::{Bid, BidValue, Call, Card, CardSet, Strain, Suit};
use proptest::prelude::*;

use super::{CardReader, Language, ReadHandError, TypedError, call, hand_by_suit, next_call, suit};

const LANGUAGES: [Language; 2] = [Language::English, Language::French];

fn card(text: &str) -> Result<Card, TypedError> {
    CardReader::single().card(text)
}

fn all_calls() -> Vec<Call> {
    let mut calls = vec![Call::Pass, Call::Wait, Call::Coinche, Call::Surcoinche, Call::Take];
    calls.extend(Suit::ALL.map(Call::TakeIn));
    let points = (1..=BidValue::MAX_POINTS).filter_map(BidValue::points);
    for value in points.chain([BidValue::CAPOT, BidValue::GENERALE]) {
        calls.extend(Strain::ALL.map(|strain| Call::Bid(Bid::new(value, strain))));
    }
    calls
}

/// Returns the ways people type what is printed: unchanged, in capitals, without accents, without optional
/// blanks.
fn spellings(text: &str) -> Vec<String> {
    let plain = text.replace('œ', "oe").replace(['è', 'é'], "e").replace('à', "a");
    [text, &plain]
        .into_iter()
        .flat_map(|text| [text.to_owned(), text.to_uppercase(), format!(" {text} ")])
        .collect()
}

#[test]
fn every_card_that_is_printed_is_read() {
    for expected in Card::all() {
        let mut texts =
            vec![expected.to_string(), format!("{}{}", expected.suit().symbol(), expected.rank())];
        for language in LANGUAGES {
            let (rank, name) = (language.rank(expected.rank()), language.suit(expected.suit()));
            texts.extend([language.card(expected), language.card_in_words(expected)]);
            texts.extend([format!("{rank} {name}"), format!("{rank}{name}")]);
            texts.push(format!("{}{rank}", expected.suit().symbol()));
        }
        for text in texts.iter().flat_map(|text| spellings(text)) {
            assert_eq!(card(&text), Ok(expected), "{text}");
        }
    }
}

#[test]
fn every_call_that_is_printed_is_read() {
    for expected in all_calls() {
        let texts = [expected.to_string(), Language::English.call(expected), Language::French.call(expected)];
        for text in texts.iter().flat_map(|text| spellings(text)) {
            assert_eq!(call(&text), Ok(expected), "{text}");
            // Also as an element of a list.
            let words: Vec<&str> = text.split_whitespace().chain(["P", "P"]).collect();
            assert_eq!(next_call(&words), (words.len() - 2, Ok(expected)), "{text} P P");
        }
    }
}

#[test]
fn letters_are_read_by_their_place() {
    for (text, expected) in [
        ("7C", "7C"),
        ("10c", "TC"),
        ("KD", "KD"),
        ("DK", "QD"),
        ("DD", "QD"),
        ("RD", "KD"),
        ("rp", "KS"),
        ("KT", "KC"),
        ("TT", "TC"),
        ("10T", "TC"),
        ("JP", "JS"),
        ("VH", "JH"),
        ("AS", "AS"),
        ("as de pique", "AS"),
        ("as trèfle", "AC"),
        ("♠️V", "JS"),
        ("10♡", "TH"),
        ("Dame de Cœur", "QH"),
    ] {
        assert_eq!(card(text), Ok(expected.parse().unwrap()), "{text}");
    }
    for (text, expected) in [
        ("80C", "80C"),
        ("80 P", "80S"),
        ("80k", "80D"),
        ("capot pique", "CAPOTS"),
        ("Capot SA", "CAPOTSA"),
        ("générale Trèfle", "GENERALEC"),
        ("110 sans-atout", "110SA"),
        ("tout atout", "TA"),
        ("130 tout atout", "130TA"),
        ("contre", "X"),
        ("surcontre", "XX"),
        ("je passe", "P"),
        ("J’attends", "W"),
        ("prends à carreau", "TAKE D"),
        ("prends", "TAKE"),
        ("1000 coeur", ""),
        ("0 coeur", ""),
        ("coeur", "H"),
        ("80", ""),
        ("", ""),
    ] {
        assert_eq!(call(text).ok(), expected.parse().ok(), "{text}");
    }
    assert_eq!((suit("♠"), suit("Cœur"), suit("C")), (Ok(Suit::Spades), Ok(Suit::Hearts), Ok(Suit::Clubs)));
    assert!(suit("x").unwrap_err().to_string().contains("`x`"));
}

#[test]
fn two_readings_are_named_and_refused() {
    for (text, parts) in [
        ("VC", ["`VC`", "JC (valet de trèfle)", "JH (valet de cœur)"]),
        ("dc", ["`dc`", "QC (dame de trèfle)", "QH (dame de cœur)"]),
        ("roi c", ["`roi c`", "KC", "KH"]),
    ] {
        let error = card(text).unwrap_err().to_string();
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    }
    for (text, parts) in [
        ("prends C", ["TAKE C (je prends à trèfle)", "TAKE H (je prends à cœur)"]),
        ("générale C", ["GENERALEC", "GENERALEH"]),
    ] {
        let error = call(text).unwrap_err().to_string();
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    }
    let words = ["prends", "c", "P"];
    assert!(matches!(next_call(&words).1, Err(TypedError::Ambiguous { .. })));
}

#[test]
fn the_other_suits_of_a_list_say_what_c_is() {
    let read = |text: &str| -> Result<CardSet, TypedError> {
        CardReader::of(text).cards(text).into_iter().collect()
    };
    let hand = |text: &str| text.parse::<CardSet>().unwrap();
    assert_eq!(read("VC 7C 10P AK"), Ok(hand("JH 7H TS AD")));
    assert_eq!(read("VC 7C 10S AD"), Ok(hand("JC 7C TS AD")));
    assert_eq!(read("7C 8C"), Ok(hand("7C 8C")));
    assert_eq!(read("valet de pique, as de cœur, 10 trèfle 7♦ as pique"), Ok(hand("JS AH TC 7D AS")));
    assert!(matches!(read("7C 10P AD"), Err(TypedError::Ambiguous { .. })));
    assert!(matches!(read("VC 7C"), Err(TypedError::Ambiguous { .. })));
    assert_eq!(read("JS 1S"), Err(TypedError::Card("1S".to_owned())));

    assert_eq!(hand_by_suit("P:RD87 C:- K:A T:V97"), Ok(hand("KS QS 8S 7S AD JC 9C 7C")));
    assert_eq!(hand_by_suit("P:R C:A10"), Ok(hand("KS AH TH")));
    assert_eq!(hand_by_suit("C:V97 D:A H:- S:RD87"), Ok(hand("JC 9C 7C AD KS QS 8S 7S")));
    assert_eq!(hand_by_suit("C:V97 pique:RD"), Err(ReadHandError::AmbiguousSuit));
    assert_eq!(hand_by_suit("C:7 P:8 S:9"), Err(ReadHandError::AmbiguousSuit));
    assert!(hand_by_suit("P:RR").unwrap_err().to_string().contains("KS is given twice"));
    assert!(hand_by_suit("P:R ♠:D").unwrap_err().to_string().contains("suit S"));
}

proptest! {
    #[test]
    fn nothing_panics(text in "\\PC{0,24}", words in proptest::collection::vec("[a-zé♠♥0-9:]{0,6}", 0..6)) {
        let _ = (card(&text), call(&text), hand_by_suit(&text), suit(&text));
        let reader = CardReader::of(&text);
        prop_assert!(reader.cards(&text).len() <= text.len());
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (n, _) = next_call(&words);
        prop_assert!(n >= 1 && n <= words.len().max(1));
    }
}
