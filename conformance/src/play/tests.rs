#![allow(clippy::unwrap_used, reason = "a test may panic")]

use serde_json::json;

use super::*;
use crate::cards::{deck, hand_text};

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

fn legal(rules: &Rules, strain: &str, trick: &str, hand: &str) -> String {
    hand_text(&legal_cards(rules, strain.parse().unwrap(), &cards(hand), &cards(trick)))
}

#[test]
fn every_strain_has_the_points_of_its_page() {
    for name in crate::rules::PRESETS {
        let rules = Rules::preset(name).unwrap();
        for strain in Strain::ALL {
            let sum: i32 = deck().into_iter().map(|card| card_points(&rules, strain, card)).sum();
            let expected = match strain {
                Strain::NoTrump if name == "belot" => 120,
                Strain::AllTrump if name == "belot" => 248,
                _ => 152,
            };
            assert_eq!(sum, expected, "{name} {strain}");
        }
    }
}

#[test]
fn following() {
    let rules = Rules::preset("bga").unwrap();
    assert_eq!(legal(&rules, "H", "", "7C AH"), "7C AH");
    assert_eq!(legal(&rules, "H", "AC", "7C TC AH"), "7C TC");
    // A trump led is beaten, even the partner's.
    assert_eq!(legal(&rules, "H", "TH 7H", "8H AH 9H JS"), "9H AH");
    assert_eq!(legal(&rules, "H", "JH 7H", "8H AH 9H JS"), "8H 9H AH");
    // A ruffed side suit is only followed.
    assert_eq!(legal(&rules, "H", "AC 7H", "7C TC JH"), "7C TC");
}

#[test]
fn trumping() {
    let rules = Rules::preset("bga").unwrap();
    assert_eq!(legal(&rules, "H", "AC", "7H JH AD"), "7H JH");
    // The partner led and is winning; then an opponent is.
    assert_eq!(legal(&rules, "H", "AC 7C", "7H JH AD"), "AD 7H JH");
    assert_eq!(legal(&rules, "H", "7C AC", "7H JH AD"), "7H JH");
    // Overtrumping an opponent, undertrumping, and the partner's trump.
    assert_eq!(legal(&rules, "H", "7C TH", "7H JH AD"), "JH");
    assert_eq!(legal(&rules, "H", "7C 9H", "7H AH AD"), "7H AH");
    assert_eq!(legal(&rules, "H", "7C 8C TH", "7H JH AD"), "JH");
    assert_eq!(legal(&rules, "H", "7C TH 8C", "7H JH AD"), "AD 7H JH");
    assert_eq!(legal(&rules, "H", "7C TH AH", "7H JH AD"), "JH");
    // Neither suit nor trump.
    assert_eq!(legal(&rules, "H", "7C AC", "AD AS"), "AD AS");
    assert_eq!(legal(&rules, "H", "7H AH", "AD AS"), "AD AS");
}

#[test]
fn trumping_over_the_partner() {
    let rules = Rules::preset("bga").unwrap().with("play.partner_trump", json!("always")).unwrap();
    assert_eq!(legal(&rules, "H", "AC 7C", "7H JH AD"), "7H JH");
    assert_eq!(legal(&rules, "H", "7C TH 8C", "7H JH AD"), "JH");
    // Below the partner's jack; and with neither suit nor trump.
    assert_eq!(legal(&rules, "H", "7C JH 8C", "7H 9H AD"), "7H 9H");
    assert_eq!(legal(&rules, "H", "7C JH 8C", "7S AD"), "AD 7S");
    let free = rules.with("play.undertrump", json!("free")).unwrap();
    assert_eq!(legal(&free, "H", "7C JH 8C", "7H 9H AD"), "AD 7H 9H");
}

#[test]
fn undertrump_free() {
    let free = Rules::preset("contree").unwrap();
    assert_eq!(legal(&free, "H", "7C 9H", "7H AH AD"), "AD 7H AH");
    assert_eq!(legal(&free, "H", "7C TH", "7H JH AD"), "JH");
    assert_eq!(legal(&free, "H", "7C AC", "7H JH AD"), "7H JH");
    // A trump led is followed all the same.
    assert_eq!(legal(&free, "H", "9H", "7H AH AD"), "7H AH");
}

#[test]
fn partner_winning_by_a_trump() {
    let any = Rules::preset("bga").unwrap();
    let over = any.with("play.partner_trump", json!("overtrump")).unwrap();
    // Seat 0 leads 9C, seat 1 ruffs with TH, seat 2 follows; seat 3 is the partner of seat 1.
    let trick = "9C TH 8C";
    assert_eq!(trick_winner("H".parse().unwrap(), &cards(trick)), 1);
    assert_eq!(legal(&any, "H", trick, "7H JH"), "7H JH");
    assert_eq!(legal(&over, "H", trick, "7H JH"), "JH");
    assert_eq!(legal(&over, "H", trick, "7H 8H"), "7H 8H");
    assert_eq!(legal(&over, "H", trick, "7H JH AD"), "AD 7H JH");
    assert_eq!(legal(&over, "H", "9C AC 8C", "7H JH"), "7H JH");
}

#[test]
fn no_trump_and_all_trump() {
    let rules = Rules::preset("bga").unwrap();
    assert_eq!(legal(&rules, "SA", "TC", "7C AC JH"), "7C AC");
    assert_eq!(legal(&rules, "SA", "TC", "7D JH"), "7D JH");
    assert_eq!(legal(&rules, "TA", "TC 7C", "8C AC JC JH"), "JC AC");
    assert_eq!(legal(&rules, "TA", "9C 7C", "8C AC JH"), "8C AC");
    assert_eq!(legal(&rules, "TA", "9C JD", "JC 7C"), "JC");
    assert_eq!(legal(&rules, "TA", "9C", "JD 7H"), "JD 7H");
    assert_eq!(trick_winner(Strain::AllTrump, &cards("AC JD 9C JH")), 2);
    assert_eq!(trick_winner(Strain::NoTrump, &cards("9C AD JC TH")), 2);
}
