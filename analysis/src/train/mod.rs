//! Trains the networks of the bot `net`: `bidding` for the bidder, `cards` for the card player.

pub mod bidding;
pub mod cards;
mod descent;
pub mod reading;

use coinche_engine::{DealScore, DealState, Outcome, Team};

/// Returns the score of a finished deal; `None` if it was passed out.
fn score(state: &DealState) -> Option<DealScore> {
    match state.outcome()? {
        Outcome::Played { score, .. } => Some(score),
        Outcome::ThrownIn => None,
    }
}

/// Returns a team's net score, in hundreds of points.
fn net(score: &DealScore, team: Team) -> f32 {
    hundreds(score.points[team] - score.points[team.other()])
}

fn hundreds(points: i32) -> f32 {
    f32::from(i16::try_from(points.clamp(-30_000, 30_000)).unwrap_or_default()) / 100.0
}
