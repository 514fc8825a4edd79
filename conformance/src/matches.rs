//! A match: totals, and when it is over.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::options::{BothReached, Finish, PassedOut};
use crate::rules::Rules;

/// What happens in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A deal was played.
    Deal {
        /// What each team scored.
        score: [i32; 2],
        /// The team that won it: the declarers if the contract was made, else the defenders.
        winner: usize,
        /// Points of the takers held after a tie.
        held: i32,
        /// The team that took all tricks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        slam: Option<usize>,
        /// Whether the contract failed.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        failed: bool,
    },
    /// Nobody bid.
    ThrownIn,
    /// A misdeal of this seat, whose turn it is to deal.
    Misdeal {
        /// Who dealt.
        dealer: usize,
    },
}

/// The state of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchState {
    /// Who deals next.
    pub dealer: usize,
    /// Points of each team.
    pub totals: [i32; 2],
    /// Points held for the winner of the next deal that somebody wins.
    pub held: i32,
    /// The winning team, once the match is over.
    pub winner: Option<usize>,
}

/// An event after the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("event {0} comes after the end of the match")]
pub struct AfterEnd(pub usize);

/// The state after some events; `dealer` deals first.
///
/// # Errors
/// When an event comes after the end.
pub fn match_state(rules: &Rules, dealer: usize, events: &[Event]) -> Result<MatchState, AfterEnd> {
    let mut state = MatchState { dealer, totals: [0, 0], held: 0, winner: None };
    // Whether the deal now to be played is the extra deal of `extra-deal`.
    let mut extra = false;
    let mut target = rules.match_end.target;
    let mut played = 0;
    for (index, event) in events.iter().enumerate() {
        if state.winner.is_some() {
            return Err(AfterEnd(index));
        }
        match *event {
            Event::ThrownIn => match rules.deal.passed_out {
                PassedOut::Next | PassedOut::Never => state.dealer = (state.dealer + 1) % 4,
                PassedOut::Same => {}
            },
            // The same dealer deals again.
            Event::Misdeal { dealer } => {
                state.totals[dealer % 2] -= rules.deal.misdeal_penalty;
                state.totals[(dealer + 1) % 2] += rules.deal.misdeal_credit;
            }
            Event::Deal { score, winner, held, slam, failed } => {
                state.dealer = (state.dealer + 1) % 4;
                state.totals[0] += score[0];
                state.totals[1] += score[1];
                played += 1;
                let all_played = rules.match_end.deals != 0 && played >= rules.match_end.deals;
                if held != 0 && all_played {
                    // Nobody is to win another deal: the takers have what they took, and what waited.
                    state.totals[(winner + 1) % 2] += held + std::mem::take(&mut state.held);
                } else if held == 0 {
                    state.totals[winner % 2] += std::mem::take(&mut state.held);
                } else {
                    state.held += held;
                }
                // A tie that is held is won by nobody: what waits goes on waiting, with more of it.
                let reached = if rules.match_end.deals == 0 {
                    state.totals.map(|points| reaches(rules, target, points))
                } else {
                    [all_played; 2]
                };
                state.winner = ended(rules, reached, state.totals, winner % 2, &mut extra);
                let without_trick = slam.map(|team| 1 - team);
                let has_failed = failed.then_some(1 - winner);
                let barred = match rules.match_end.finish {
                    Finish::Any => [None, None],
                    Finish::Trick => [without_trick, None],
                    Finish::Unfailed => [without_trick, has_failed],
                };
                if rules.match_end.deals == 0 && state.winner.is_some() && barred.contains(&state.winner) {
                    state.winner = None;
                }
                if rules.match_end.deals == 0
                    && slam.is_some()
                    && state.winner.is_some()
                    && !rules.match_end.slam_wins
                {
                    // The match goes on until somebody has more than the leader has now.
                    state.winner = None;
                    target = state.totals[0].max(state.totals[1]) + 1;
                }
            }
        }
    }
    Ok(state)
}

fn reaches(rules: &Rules, target: i32, points: i32) -> bool {
    if rules.match_end.exceed { points > target } else { points >= target }
}

/// The winner, when the match is over after a played deal.
fn ended(
    rules: &Rules,
    reached: [bool; 2],
    totals: [i32; 2],
    last_winner: usize,
    extra: &mut bool,
) -> Option<usize> {
    let higher = match totals[0].cmp(&totals[1]) {
        std::cmp::Ordering::Greater => Some(0),
        std::cmp::Ordering::Less => Some(1),
        std::cmp::Ordering::Equal => None,
    };
    if *extra {
        return higher;
    }
    match (reached[0], reached[1]) {
        (false, false) => None,
        (true, false) => Some(0),
        (false, true) => Some(1),
        (true, true) => match rules.match_end.both_reached {
            BothReached::MostPoints => higher,
            BothReached::LastWinner => Some(higher.unwrap_or(last_winner)),
            BothReached::ExtraDeal => {
                *extra = true;
                None
            }
        },
    }
}

#[cfg(test)]
mod tests;
