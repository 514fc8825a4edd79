#![allow(clippy::unwrap_used, reason = "a test may panic")]

use serde_json::json;

use super::*;

fn deal(first: i32, second: i32, winner: usize) -> Event {
    Event::Deal { score: [first, second], winner, held: 0, slam: None, failed: false }
}

fn winner(rules: &Rules, events: &[Event]) -> Option<usize> {
    match_state(rules, 0, events).unwrap().winner
}

#[test]
fn most_points() {
    let rules = Rules::preset("bga").unwrap();
    assert_eq!(winner(&rules, &[deal(1999, 0, 0)]), None);
    assert_eq!(winner(&rules, &[deal(2000, 0, 0)]), Some(0));
    assert_eq!(winner(&rules, &[deal(2000, 2010, 0)]), Some(1));
    assert_eq!(winner(&rules, &[deal(2000, 2000, 0)]), None);
    assert_eq!(winner(&rules, &[deal(2000, 2000, 0), Event::ThrownIn]), None);
    assert_eq!(winner(&rules, &[deal(2000, 2000, 0), deal(0, 10, 0)]), Some(1));
    assert_eq!(match_state(&rules, 0, &[deal(2000, 0, 0), Event::ThrownIn]), Err(AfterEnd(1)));
}

#[test]
fn extra_deal() {
    let rules = Rules::preset("belote").unwrap();
    assert_eq!(winner(&rules, &[deal(501, 500, 0)]), Some(0));
    assert_eq!(winner(&rules, &[deal(600, 501, 0)]), None);
    assert_eq!(winner(&rules, &[deal(600, 501, 0), Event::ThrownIn]), None);
    assert_eq!(winner(&rules, &[deal(600, 501, 0), deal(0, 162, 1)]), Some(1));
    assert_eq!(winner(&rules, &[deal(600, 501, 0), deal(0, 99, 1)]), None);
    assert_eq!(winner(&rules, &[deal(600, 501, 0), deal(0, 99, 1), deal(81, 81, 1)]), None);
    assert_eq!(winner(&rules, &[deal(600, 501, 0), deal(0, 99, 1), deal(82, 80, 1)]), Some(0));
}

#[test]
fn last_winner() {
    let rules = Rules::preset("coinche").unwrap();
    assert_eq!(winner(&rules, &[deal(1000, 1100, 0)]), Some(1));
    assert_eq!(winner(&rules, &[deal(1000, 1000, 0)]), Some(0));
    assert_eq!(winner(&rules, &[deal(1000, 1000, 1)]), Some(1));
}

#[test]
fn exceeding_and_misdeals() {
    let rules = Rules::preset("coinchee").unwrap().with("match.exceed", json!(true)).unwrap();
    assert_eq!(winner(&rules, &[deal(1000, 0, 0)]), None);
    assert_eq!(winner(&rules, &[deal(1001, 0, 0)]), Some(0));
    let state = match_state(&rules, 3, &[Event::Misdeal { dealer: 3 }]).unwrap();
    assert_eq!((state.totals, state.dealer), ([0, -50], 3));
}

#[test]
fn the_deal_passes_on() {
    let rules = Rules::preset("bga").unwrap();
    let dealer = |events: &[Event]| match_state(&rules, 3, events).unwrap().dealer;
    assert_eq!(dealer(&[]), 3);
    assert_eq!(dealer(&[deal(10, 0, 0)]), 0);
    assert_eq!(dealer(&[Event::ThrownIn, Event::ThrownIn]), 1);
}

#[test]
fn held_points_go_to_the_next_winner() {
    let rules = Rules::preset("belote").unwrap().with("match.tie", json!("held")).unwrap();
    let tie = Event::Deal { score: [0, 81], winner: 1, held: 81, slam: None, failed: false };
    let state = match_state(&rules, 0, &[tie, Event::ThrownIn]).unwrap();
    assert_eq!((state.totals, state.held), ([0, 81], 81));
    let state = match_state(&rules, 0, &[tie, deal(90, 72, 0)]).unwrap();
    assert_eq!((state.totals, state.held), ([171, 153], 0));
    // A tie is won by nobody: after two the points of both wait.
    let state = match_state(&rules, 0, &[tie, tie]).unwrap();
    assert_eq!((state.totals, state.held), ([0, 162], 162));
    let state = match_state(&rules, 0, &[tie, Event::ThrownIn, tie, deal(90, 72, 0)]).unwrap();
    assert_eq!((state.totals, state.held), ([252, 234], 0));
}

#[test]
fn a_number_of_deals_ends_a_match() {
    let rules = Rules::preset("belote").unwrap();
    let fields = [
        ("match.deals", json!(2)),
        ("match.tie", json!("held")),
        ("match.both_reached", json!("most-points")),
    ];
    let rules = rules.with_fields(fields.map(|(path, value)| (path.to_owned(), value))).unwrap();
    let after = |events: &[Event]| match_state(&rules, 0, events).unwrap();
    // Points do not end it, and deals that are passed out do not count.
    assert_eq!(after(&[deal(900, 0, 0), Event::ThrownIn]).winner, None);
    assert_eq!(after(&[deal(900, 0, 0), Event::ThrownIn, deal(0, 100, 1)]).winner, Some(0));
    // Level: one more.
    assert_eq!(after(&[deal(100, 62, 0), deal(62, 100, 1)]).winner, None);
    assert_eq!(after(&[deal(100, 62, 0), deal(62, 100, 1), deal(90, 72, 0)]).winner, Some(0));
    // What waits in the end is scored by those who took, here team 0; before, it waits.
    let tie = Event::Deal { score: [0, 81], winner: 1, held: 81, slam: None, failed: false };
    assert_eq!((after(&[tie]).totals, after(&[tie]).held), ([0, 81], 81));
    let state = after(&[deal(90, 72, 0), tie]);
    assert_eq!((state.totals, state.held, state.winner), ([171, 153], 0, Some(0)));
    assert_eq!(after(&[tie, tie]).totals, [162, 162]);
}
