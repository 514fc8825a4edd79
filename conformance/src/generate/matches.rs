//! `matches-*.jsonl`: sequences of deals and where they end.

use serde::Serialize;

use super::rng::Rng;
use super::{Lines, line};
use crate::matches::{Event, MatchState, match_state};
use crate::options::{Finish, Tie};
use crate::rules::NamedRules;

#[derive(Serialize)]
struct Line<'a> {
    rules: &'a NamedRules,
    dealer: usize,
    events: &'a [Event],
    states: &'a [MatchState],
}

/// An event; near the end, one that brings both sides to the target or past it, often level.
fn random_event(rules: &NamedRules, rng: &mut Rng, state: MatchState, steps: i32) -> Event {
    let target = rules.rules.match_end.target;
    if rng.chance(6) {
        return Event::ThrownIn;
    }
    let deal = &rules.rules.deal;
    if (deal.misdeal_penalty != 0 || deal.misdeal_credit != 0) && rng.chance(10) {
        return Event::Misdeal { dealer: state.dealer };
    }
    let winner = rng.below(2);
    let mut held = 0;
    if matches!(rules.rules.match_end.tie, Tie::Held | Tie::Hanging) && rng.chance(25) {
        held = rng.between(80, 110);
    }
    let [first, second] = state.totals;
    let close = first.max(second) >= target - target / steps;
    let score = if close && rng.chance(75) {
        let excess = if rng.chance(50) { 0 } else { rng.between(0, 30) };
        let reach = target + excess;
        let other = if rng.chance(50) { reach } else { target + rng.between(-1, 30) };
        // What is held goes to the winner besides.
        let mut score = [(reach - first).max(0), (other - second).max(0)];
        score[winner] = (score[winner] - state.held).max(0);
        score
    } else {
        [rng.between(0, target / steps), rng.between(0, target / steps)]
    };
    let of_slams = !rules.rules.match_end.slam_wins || rules.rules.match_end.finish != Finish::Any;
    let slam = (of_slams && rng.chance(30)).then(|| rng.below(2));
    let failed = rules.rules.match_end.finish == Finish::Unfailed && held == 0 && rng.chance(50);
    Event::Deal { score, winner, held, slam, failed }
}

pub(super) fn write(rules: &NamedRules, rng: &mut Rng, size: usize, lines: &mut Lines) {
    for _ in 0..size {
        let steps = rng.between(2, 6);
        let mut events: Vec<Event> = Vec::new();
        let mut states: Vec<MatchState> = Vec::new();
        let dealer = rng.below(4);
        let mut state = MatchState { dealer, totals: [0, 0], held: 0, winner: None };
        while state.winner.is_none() && events.len() < 40 {
            events.push(random_event(rules, rng, state, steps));
            state = match_state(&rules.rules, dealer, &events).expect("no event after the end");
            states.push(state);
        }
        lines.push(line(&Line { rules, dealer, events: &events, states: &states }));
    }
}
