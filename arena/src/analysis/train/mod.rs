//! Trains the networks of the bot `net`: `bidding` that of the bidder, `cards` that of the card player.

pub(crate) mod bidding;
pub(crate) mod cards;
mod descent;
pub(crate) mod reading;

use coinche_bots::{CardPlayer, RulesPlayer};
use coinche_engine::{DealScore, DealState, Key, Outcome, Team, Turn};

/// Lets four `rules` players play the rest of the cards; `None` if the deal is passed out.
fn play_out(state: &mut DealState) -> Option<DealScore> {
    play_out_by(&mut RulesPlayer, state)
}

/// Lets a player, at all seats, play the rest of the cards; `None` if the deal is passed out.
fn play_out_by(player: &mut dyn CardPlayer, state: &mut DealState) -> Option<DealScore> {
    let key = Key::from_bits(0);
    while let Turn::Play(seat) = state.turn() {
        let card = player.play(&state.view(seat), state.legal_plays(), key);
        state.play(card).ok()?;
    }
    match state.outcome()? {
        Outcome::Played { score, .. } => Some(score),
        Outcome::ThrownIn => None,
    }
}

/// What a team scores more than the other, in hundreds of points.
fn net(score: &DealScore, team: Team) -> f32 {
    hundreds(score.points[team] - score.points[team.other()])
}

fn hundreds(points: i32) -> f32 {
    f32::from(i16::try_from(points.clamp(-30_000, 30_000)).unwrap_or_default()) / 100.0
}
