//! Positions as text: what is read, what is printed, what is refused.

use coinche_engine::solver::Position;
use coinche_engine::{Deal, Deck, Key, PlayState, RuleSet, Seat, Strain, random_card};
use proptest::prelude::*;

/// A state after some random cards.
fn state(index: u64, strain: usize, leader: usize, cards: usize) -> PlayState {
    let rules = RuleSet::BGA;
    let deal = Deal::new(&rules.deal, Deck::shuffled(3, index), Seat::S0);
    let leader = Seat::from_index(leader);
    let mut state = PlayState::new(&rules.play, Strain::ALL[strain], *deal.hands(), leader);
    let key = Key::decisions(3, index, leader);
    for n in 0..cards {
        state.play_unchecked(random_card(state.legal_plays(), key.and(n as u64)).unwrap());
    }
    state
}

proptest! {
    #[test]
    fn what_is_printed_is_read(index in 0..1000u64, strain in 0..6usize, leader in 0..4usize, cards in 0..32usize) {
        let state = state(index, strain, leader, cards);
        let position = Position::of(&state).unwrap();
        let text = position.to_string();
        prop_assert_eq!(text.parse::<Position>(), Ok(position));
        prop_assert_eq!(text.to_lowercase().replace('t', "10").parse::<Position>().is_ok(), strain != 5);
        let again = position.to_state(&RuleSet::BGA.play).unwrap();
        for seat in Seat::ALL {
            prop_assert_eq!(again.hand(seat), state.hand(seat));
        }
        prop_assert_eq!(again.to_play(), state.to_play());
        prop_assert_eq!(again.legal_plays(), state.legal_plays());
        prop_assert!(again.trick().eq(state.trick()));
        prop_assert_eq!(again.strain(), state.strain());
    }

    #[test]
    fn no_text_panics(text in "[CDHSAT0-4789JQKtsa |:-]{0,60}") {
        let _ = text.parse::<Position>().map(|position| position.to_state(&RuleSet::BGA.play));
    }

    #[test]
    fn no_small_change_panics(index in 0..50u64, at in 0..100usize, cards in 0..32usize, new in "[ |AHT9x:]") {
        let mut text = Position::of(&state(index, 2, 1, cards)).unwrap().to_string();
        let at = at % text.len();
        text.replace_range(at..=at, &new);
        let _ = text.parse::<Position>().map(|position| position.to_state(&RuleSet::BGA.play));
    }
}

#[test]
fn both_forms_of_hands_are_read() {
    let one: Position = "H 2 | 10h as | JH 8C | 9H TS | 7H 8H".parse().unwrap();
    let other: Position = "h 2|S:A H:T|C:8 D:- H:J S:-|H:9 S:10|H:87".parse().unwrap();
    assert_eq!(one, other);
    assert_eq!(one.to_string(), "H 2 | TH AS | 8C JH | 9H TS | 7H 8H");
    let begun: Position = "SA 3 7H AS | TC | JH 8C | 9H 8D | 8H".parse().unwrap();
    assert_eq!(begun.trick().count(), 2);
    assert_eq!(begun.to_string(), "SA 3 7H AS | TC | 8C JH | 8D 9H | 8H");
    // The last card of the last trick.
    let last = "TA 0 7H AS TC | | | | 8H".parse::<Position>().unwrap();
    assert_eq!(last.to_string(), "TA 0 7H AS TC | | | | 8H");
    assert_eq!(last.to_state(&RuleSet::BGA.play).unwrap().to_play(), Seat::S3);
}

#[test]
fn errors_name_what_is_wrong() {
    for (text, parts) in [
        ("", &["STRAIN LEADER"] as &[&str]),
        ("H 2", &["STRAIN LEADER"]),
        ("H | 7H | 8H | 9H | TH", &["STRAIN LEADER"]),
        ("| 7H | 8H | 9H | TH", &["STRAIN LEADER"]),
        ("NT 2 | 7H | 8H | 9H | TH", &["`NT`", "C, D, H, S, SA or TA"]),
        ("H 4 | 7H | 8H | 9H | TH", &["leader", "`4`", "0, 1, 2 or 3"]),
        ("H -1 | 7H | 8H | 9H | TH", &["leader", "`-1`"]),
        ("H 2 | 7H | 8H | 9H", &["four hands", "found 3"]),
        ("H 2 | 7H | 8H | 9H | TH | JH", &["four hands", "found 5"]),
        ("H 2 | 7H | 1H | 9H | TH", &["seat 1", "`1H`"]),
        ("H 2 | 7H | 8H | 9H 9H | TH", &["seat 2", "9H is given twice"]),
        ("H 2 | 7H | 8H | 9H | 7H", &["7H", "seats 0 and 3"]),
        ("H 2 | 7H | 8H | 9H JH | TH", &["seat 2: 2, expected 1"]),
        ("H 2 | 7H 7C | 8H | 9H JH | TH TC", &["seat 1: 1, expected 2"]),
        ("H 2 | 7H | 8H | 9H |", &["seat 3: 0, expected 1"]),
        ("H 2 | | | |", &["no card"]),
        ("H 2 JX | 7H | 8H | | TH", &["the trick", "`JX`"]),
        ("H 2 JH | 7H | 8H | 9H | TH", &["seat 2: 1, expected 0"]),
        ("H 2 JH JH | 7H | 8H | | ", &["JH is in the trick twice"]),
        ("H 2 7H | 7H | 8H | | TH", &["7H is in the trick and in the hand of seat 0"]),
        ("H 2 JH QH KH AH | | | | ", &["4 cards", "at most 3"]),
        ("H 2 | C:7 C:8 | 8H | 9H | TH", &["seat 0", "suit C is given twice"]),
        ("H 2 | C:X | 8H | 9H | TH", &["seat 0", "C:X"]),
    ] {
        let error = text.parse::<Position>().unwrap_err().to_string();
        for part in parts {
            assert!(error.contains(part), "`{text}`: `{part}` is not in: {error}");
        }
    }
    for (text, parts) in [
        ("H 2 JC 9H | 7H 8D | 8H 8S | 7C | 8C", &["seat 3", "9H", "suit led"] as &[&str]),
        ("H 2 JC 9D | 7H 8D | 8H 8S | 7C | TH", &["seat 3", "9D", "trump"]),
        ("H 2 9H 7H | 7S 8D | 8H 8S | 7C | JH", &["seat 3", "7H", "higher"]),
    ] {
        let position: Position = text.parse().unwrap();
        let error = position.to_state(&RuleSet::BGA.play).unwrap_err().to_string();
        for part in parts {
            assert!(error.contains(part), "`{text}`: `{part}` is not in: {error}");
        }
    }
}

#[test]
fn the_trick_is_judged_by_the_rules() {
    // Seat 0 has trumped; seat 1 cannot overtrump and has discarded.
    let position: Position = "H 3 7S JH 7D | 8C | 8H | 9C 9S | TC".parse().unwrap();
    assert!(position.to_state(&RuleSet::BGA.play).is_err());
    assert!(position.to_state(&RuleSet::CONTREE.play).is_ok());
}
