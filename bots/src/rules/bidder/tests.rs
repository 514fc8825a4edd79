use coinche_engine::{BySeat, CardSet, Deal, DealState, RuleSet};

use super::*;

/// What `rules` says with this hand after these calls; the other cards lie as they come.
fn says(rules: &RuleSet, hand: &str, calls: &[&str]) -> String {
    let mine: CardSet = hand.parse().unwrap();
    let speaker = Seat::from_index(calls.len());
    let mut rest = (!mine).into_iter();
    let hands = BySeat::from_fn(|seat| if seat == speaker { mine } else { rest.by_ref().take(8).collect() });
    let deal = Deal::from_hands(&rules.deal, Seat::S3, hands, None).unwrap();
    let mut state = DealState::new(rules, &deal);
    for call in calls {
        state.call(call.parse().unwrap()).unwrap();
    }
    let mut bidder = RulesBidder { style: Style::default() };
    let key = Key::decisions(0, 0, speaker);
    bidder.call(&state.view(speaker), &state.legal_calls(), key).to_string()
}

#[test]
fn opens_by_strength() {
    let says = |hand| says(&RuleSet::BGA, hand, &[]);
    assert_eq!(says("7C 8C QC 9D KD 8H QH 7S"), "P");
    assert!(says("JS 9S AS 8S AH 7H TD 7C").ends_with('S'));
    assert!(says("AC TC KC AD TD AH TH AS").ends_with("SA"));
    assert!(says("JC 9C JD 9D JH 9H JS 9S").ends_with("TA"));
}

/// The first five cards of the hand, suit by suit, are those that it bids by.
#[test]
fn names_a_strain_by_the_first_cards() {
    let says = |hand, calls: &[&str]| says(&RuleSet::BELOT, hand, calls);
    assert_eq!(says("9H JH KH TH AH 7S 8S 9S", &[]), "H");
    assert_eq!(says("JC 9C JD 9D JH 7S 8S 9S", &[]), "TA");
    assert_eq!(says("AC TC AD AH AS 7S 8S 9S", &[]), "SA");
    assert_eq!(says("7C 8C 9D QD 7H 7S 8S QS", &[]), "P");
    assert_eq!(says("7C 8C 9D QD 7H 7S 8S QS", &["H", "P"]), "P");
}

#[test]
fn bids_slams_with_the_hand_for_it() {
    let certain = "JS 9S AS TS KS AH TH AD";
    assert_eq!(says(&RuleSet::BGA, certain, &[]), "CAPOTS");
    assert_eq!(says(&RuleSet::COINCHEE, certain, &[]), "GENERALES");
}

#[test]
fn raises_the_partner_with_trumps_and_aces() {
    let raise = says(&RuleSet::BGA, "9S AS 8S AH TH AD 7D 7C", &["90S", "P"]);
    assert!(raise.ends_with('S') && raise != "P", "{raise}");
    assert_eq!(says(&RuleSet::BGA, "7H 8H QH 9D 8D 7C QC KC", &["90S", "P"]), "P");
}

#[test]
fn coinches_with_the_trumps() {
    assert_eq!(says(&RuleSet::BGA, "JS 9S AS TS 7S AH AD AC", &["120S"]), "X");
    assert_eq!(says(&RuleSet::BGA, "7H 8H QH 9D 8D 7C QC KC", &["120S"]), "P");
}

#[test]
fn signals_help() {
    let helpful = "AC TC 7C AD 7D 8H 9H 7S";
    assert_eq!(says(&RuleSet::COINCHEE, helpful, &[]), "W");
    assert_eq!(says(&RuleSet::COINCHE, helpful, &[]), "P");
}
