//! Searches from the rules alone, as simple as they can be written.
//!
//! Values are the points still to come for the team of seats 0 and 2, whoever is to play.

use std::collections::HashMap;

use coinche_engine::{ByTeam, Card, CardSet, PlayState, RuleSet, Seat, Team};

/// Points that a team gets for taking every trick of the position, beside the others.
pub(crate) type Prizes = ByTeam<i32>;

/// Plays a card and returns what the team of seats 0 and 2 gains by it.
pub(crate) fn play(rules: &RuleSet, state: &mut PlayState, card: Card, prizes: Prizes) -> i32 {
    let Some(trick) = state.play_unchecked(card) else { return 0 };
    let mut gains = ByTeam([0; 2]);
    gains[trick.winner.team()] += i32::from(rules.cards.points_of(state.strain(), trick.cards));
    if state.is_over() {
        gains[trick.winner.team()] += i32::from(rules.scoring.last_trick_in(state.strain()));
        for team in Team::ALL {
            if state.tricks_won(team.other()) == 0 {
                // A prize is what the other side loses as much as what this side wins.
                gains[team] += prizes[team];
                gains[team.other()] -= prizes[team];
            }
        }
    }
    // Where there are prizes the value is a difference, which `own` undoes.
    gains[Team::Even]
}

/// Plain minimax.
pub(crate) fn minimax(rules: &RuleSet, state: &PlayState, prizes: Prizes) -> i32 {
    if state.is_over() {
        return 0;
    }
    let values = state.legal_plays().into_iter().map(|card| after(rules, state, card, prizes));
    let best = if state.to_play().team() == Team::Even { values.max() } else { values.min() };
    best.unwrap()
}

/// The same, when this card is played first.
pub(crate) fn after(rules: &RuleSet, state: &PlayState, card: Card, prizes: Prizes) -> i32 {
    let mut next = *state;
    let gain = play(rules, &mut next, card, prizes);
    gain + minimax(rules, &next, prizes)
}

/// Tests if a team takes every trick, by trying all plays.
pub(crate) fn takes_all(state: &PlayState, team: Team) -> bool {
    if state.tricks_won(team.other()) > 0 {
        return false;
    }
    if state.is_over() {
        return true;
    }
    let mut results = state.legal_plays().into_iter().map(|card| {
        let mut next = *state;
        next.play_unchecked(card);
        takes_all(&next, team)
    });
    if state.to_play().team() == team { results.any(|taken| taken) } else { results.all(|taken| taken) }
}

/// The points still to come for both teams.
pub(crate) fn rest(rules: &RuleSet, state: &PlayState) -> i32 {
    let mut cards: CardSet = state.trick().map(|(_, card)| card).collect();
    for seat in Seat::ALL {
        cards |= state.hand(seat);
    }
    i32::from(rules.cards.points_of(state.strain(), cards) + rules.scoring.last_trick_in(state.strain()))
}

/// Turns the value for seats 0 and 2 into that of the side to play.
pub(crate) fn own(rules: &RuleSet, state: &PlayState, value: i32) -> i32 {
    if state.to_play().team() == Team::Even { value } else { rest(rules, state) - value }
}

/// Bounds of the values of positions at the starts of tricks, by the four hands and the leader.
#[derive(Default)]
pub(crate) struct AlphaBeta(HashMap<([u32; 4], u8), (i32, i32)>);

impl AlphaBeta {
    /// The value of a position of one deal, strain and rule set, by alpha-beta with an exact table.
    pub(crate) fn value(&mut self, rules: &RuleSet, state: &PlayState) -> i32 {
        self.search(rules, state, -1, 1000)
    }

    fn search(&mut self, rules: &RuleSet, state: &PlayState, mut alpha: i32, mut beta: i32) -> i32 {
        if state.is_over() {
            return 0;
        }
        let key = (Seat::ALL.map(|seat| state.hand(seat).bits()), state.leader() as u8);
        let is_start = state.cards_in_trick() == 0;
        if is_start && let Some((low, high)) = self.0.get(&key).copied() {
            if low >= beta || low == high {
                return low;
            }
            if high <= alpha {
                return high;
            }
        }
        let (start_alpha, start_beta) = (alpha, beta);
        let mut best = None;
        for card in state.legal_plays() {
            let mut next = *state;
            let gain = play(rules, &mut next, card, ByTeam([0; 2]));
            let value = gain + self.search(rules, &next, alpha - gain, beta - gain);
            if state.to_play().team() == Team::Even {
                best = best.max(Some(value));
                alpha = alpha.max(value);
            } else {
                best = Some(best.map_or(value, |best: i32| best.min(value)));
                beta = beta.min(value);
            }
            if alpha >= beta {
                break;
            }
        }
        let best = best.unwrap();
        if is_start {
            let (low, high) = self.0.entry(key).or_insert((-1000, 1000));
            if best > start_alpha {
                *low = best.max(*low);
            }
            if best < start_beta {
                *high = best.min(*high);
            }
        }
        best
    }
}
