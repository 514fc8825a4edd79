#![allow(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::cards::{hand_text, parse_hand};

fn texts(rules: &Rules, hand: &str) -> Vec<String> {
    choices(rules, Strain::Suit(Suit::Spades), &parse_hand(hand).unwrap())
        .iter()
        .map(|choice| {
            choice
                .iter()
                .map(|m| format!("{} {}", hand_text(&m.cards), m.points))
                .collect::<Vec<_>>()
                .join(", ")
        })
        .collect()
}

/// Announces the default of four hands and says which melds count.
fn counts(rules: &Rules, strain: &str, hands: [&str; 4]) -> Vec<(usize, i32, bool)> {
    let mut announced = Vec::new();
    for (seat, hand) in hands.into_iter().enumerate() {
        let choice = choices(rules, Strain::Suit(Suit::Spades), &parse_hand(hand).unwrap()).swap_remove(0);
        announced.extend(choice.into_iter().map(|meld| (seat, meld)));
    }
    let counts = contest(rules, strain.parse().unwrap(), 0, &announced);
    announced.iter().zip(counts).map(|((seat, meld), counts)| (*seat, meld.points, counts)).collect()
}

#[test]
fn runs_and_carres() {
    let rules = Rules::preset("coinche-melds").unwrap();
    assert_eq!(texts(&rules, "C:789 D:TJQK H:- S:A"), ["7C 8C 9C 20, TD JD QD KD 50"]);
    assert_eq!(texts(&rules, "C:789TJQKA"), ["7C 8C 9C TC JC QC KC AC 100"]);
    assert_eq!(texts(&rules, "C:J97 D:A H:- S:KQ87"), [""]);
    assert_eq!(texts(&rules, "JC JD JH JS 7C 7D 7H 7S"), ["JC JD JH JS 200"]);
    assert_eq!(texts(&rules, "AC AD AH AS 7C 7D 7H 7S"), ["AC AD AH AS 100"]);
    let no_aces = Rules::preset("coinchee").unwrap();
    assert_eq!(texts(&no_aces, "AC KC QC AD AH AS 7D 7H"), ["QC KC AC 20"]);
    assert_eq!(texts(&Rules::preset("coinche").unwrap(), "JC JD JH JS 7C 7D 7H 7S"), [""]);
}

#[test]
fn a_carre_and_a_run_share_a_card() {
    let rules = Rules::preset("coinche-melds").unwrap();
    assert_eq!(texts(&rules, "JC TC 9C 7D JD JH JS AS"), ["JC JD JH JS 200", "9C TC JC 20"]);
    // The run is shortened by its end, or kept whole.
    assert_eq!(texts(&rules, "QC JC TC 9C 7D QD QH QS"), ["QC QD QH QS 100, 9C TC JC 20", "9C TC JC QC 50"]);
    // As many points: the carré first.
    assert_eq!(texts(&rules, "TC JC QC KC AC QD QH QS"), ["QC QD QH QS 100", "TC JC QC KC AC 100"]);
    // A tail of two given up.
    assert_eq!(
        texts(&rules, "8C 9C TC JC QC JD JH JS"),
        ["JC JD JH JS 200, 8C 9C TC 20", "8C 9C TC JC QC 100"]
    );
    // Two runs share cards of one carré.
    assert_eq!(texts(&rules, "JC QC KC JD QD KD KH KS"), ["KC KD KH KS 100", "JC QC KC 20, JD QD KD 20"]);
}

#[test]
fn by_kind() {
    let rules = Rules::preset("coinche-melds").unwrap();
    // The longer run counts, whatever its top; carrés apart.
    let hands = ["C:789T", "D:QKA", "H:789", "9S"];
    assert_eq!(counts(&rules, "S", hands), [(0, 50, true), (1, 20, false), (2, 20, true)]);
    // A run of six beats one of five, though both are worth 100.
    let hands = ["C:789TJQ", "D:TJQKA", "", ""];
    assert_eq!(counts(&rules, "D", hands), [(0, 100, true), (1, 100, false)]);
    // An exact tie, trumps or not: none; the carré counts still.
    let hands = ["C:789", "D:789 H:J C:J S:J", "", "KC KD KH KS"];
    let found = counts(&rules, "C", hands);
    assert_eq!(found, [(0, 20, false), (1, 20, false), (3, 100, true)]);
    // Nines beat kings; aces beat tens.
    let hands = ["9C 9D 9H 9S", "KC KD KH KS", "", "JC JD JH JS"];
    assert_eq!(counts(&rules, "C", hands), [(0, 150, false), (1, 100, true), (3, 200, true)]);
    let hands = ["TC TD TH TS", "AC AD AH AS", "", ""];
    assert_eq!(counts(&rules, "C", hands), [(0, 100, false), (1, 100, true)]);
}

#[test]
fn by_points() {
    let rules = Rules::preset("coinchee").unwrap();
    // The 50 cancels the tierce of the other side and adds to the partner's.
    let hands = ["C:789T", "D:QKA", "H:789", ""];
    assert_eq!(counts(&rules, "S", hands), [(0, 50, true), (1, 20, false), (2, 20, true)]);
    // A carré before a sequence of as many points.
    let hands = ["QC QD QH QS", "D:789TJ", "", ""];
    assert_eq!(counts(&rules, "D", hands), [(0, 100, true), (1, 100, false)]);
    // The length is nothing, trumps are.
    let hands = ["C:789TJQ", "D:789TJ", "", ""];
    assert_eq!(counts(&rules, "D", hands), [(0, 100, false), (1, 100, true)]);
    assert_eq!(counts(&rules, "H", hands), [(0, 100, true), (1, 100, false)]);
    // An exact tie.
    let hands = ["C:789", "D:789", "H:789", ""];
    assert_eq!(counts(&rules, "S", hands), [(0, 20, false), (1, 20, false), (2, 20, false)]);
    assert_eq!(counts(&rules, "H", hands), [(0, 20, true), (1, 20, false), (2, 20, true)]);
    let hands = ["KC KD KH KS", "", "", "TC TD TH TS"];
    assert_eq!(counts(&rules, "S", hands), [(0, 100, false), (3, 100, true)]);
}

#[test]
fn a_holder_may_keep_silent() {
    let rules = Rules::preset("coinche-melds").unwrap().with("melds.announce", "voluntary".into()).unwrap();
    assert_eq!(texts(&rules, "C:J97 D:A H:- S:KQ87"), [""]);
    assert_eq!(texts(&rules, "C:789 D:TJQK H:- S:A"), ["7C 8C 9C 20, TD JD QD KD 50", ""]);
    let found = texts(&rules, "JC JD JH JS 8C 9C TC AH");
    assert_eq!(found, ["JC JD JH JS 200, 8C 9C TC 20", "8C 9C TC JC 50", ""]);
}
