#![allow(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::cards::{cards_text, deck};

fn texts(hands: &[Vec<Card>]) -> Vec<String> {
    hands.iter().map(|hand| cards_text(hand)).collect()
}

#[test]
fn packets_go_round_from_the_dealers_left() {
    let rules = Rules::preset("bga").unwrap();
    let hands = dealt(&rules, &deck(), 3);
    // 3-2-3: cards 0-2, 12-13 and 20-22 of the deck for the first.
    let of = |places: [usize; 8]| cards_text(&places.map(|place| deck()[place]));
    assert_eq!(texts(&hands)[0], of([0, 1, 2, 12, 13, 20, 21, 22]));
    assert_eq!(texts(&hands)[3], of([9, 10, 11, 18, 19, 29, 30, 31]));
    assert_eq!(turned(&rules, &deck()), None);
    assert_eq!(completed(&rules, &deck(), 3, 1), hands);
}

#[test]
fn the_taker_gets_the_turned_card_and_two_more() {
    let rules = Rules::preset("belote").unwrap();
    let cards = deck();
    assert_eq!(turned(&rules, &cards), Some(cards[20]));
    let (before, after) = (dealt(&rules, &cards, 0), completed(&rules, &cards, 0, 2));
    let new = |seat: usize| after[seat][before[seat].len()..].to_vec();
    assert_eq!(new(1), cards[21..24]);
    assert_eq!(new(2), [&cards[20..21], &cards[24..26]].concat());
    assert_eq!(new(3), cards[26..29]);
    assert_eq!(new(0), cards[29..32]);
}

#[test]
fn gathering_stacks_tricks_and_hands() {
    let cards = deck();
    let trick = |n: usize, winner: usize| RecordTrick {
        leader: 0,
        cards: cards[4 * n..4 * n + 4].iter().map(Card::to_string).collect(),
        winner,
    };
    // Team 0 wins tricks 0 and 7, team 1 the others; team 0's pile lies on top.
    let tricks: Vec<RecordTrick> = (0..8).map(|n| trick(n, usize::from(n != 0 && n != 7))).collect();
    let deck_after = gathered(&tricks);
    let backwards = |from: usize, to: usize| cards[from..to].iter().rev().copied().collect::<Vec<_>>();
    assert_eq!(deck_after, [backwards(28, 32), backwards(0, 4), backwards(4, 28)].concat());
    let rules = Rules::preset("belote").unwrap();
    let passed_out = gathered_passed_out(&rules, &cards, 3);
    assert_eq!(passed_out[20..], cards[20..]);
    let last: Vec<Card> = dealt(&rules, &cards, 3)[3].iter().rev().copied().collect();
    assert_eq!(passed_out[..5], last);
    assert_eq!(cut(&cards, 2), [&cards[2..], &cards[..2]].concat());
}
