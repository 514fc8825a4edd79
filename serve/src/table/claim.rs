//! All that is to come, claimed: if the solver agrees, the rest is played.

use coinche_engine::solver::{Solver, points_to_come, takes_all};
use coinche_engine::{Card, CardSet, PlayState, RuleSet, Seat, Team, Turn};

use super::{Move, Table};
use crate::error::{Answer, Refusal};

impl Table {
    /// Claims all that is to come; if the solver agrees, the rest is played.
    pub(crate) fn claim(&mut self, seat: Seat) -> Answer<()> {
        self.check_turn(seat)?;
        let Some(play) = self.game.state().play_state().copied() else {
            return Err(Refusal::conflict("the auction is not over"));
        };
        let (rules, team, mut solver) = (*self.game.rules(), seat.team(), Solver::new());
        if let Some(points) = lost(&mut solver, &rules, &play, team) {
            let text =
                format!("the solver disagrees: best play takes {points} of the points to come from you");
            return Err(Refusal::conflict(text));
        }
        while let Turn::Play(turn) = self.game.turn() {
            let play = *self.game.state().play_state().expect("cards are played");
            let legal: CardSet = play.legal_plays();
            let keeps = |card: &Card| {
                let mut after = play;
                after.play_unchecked(*card);
                turn.team() != team || lost(&mut solver, &rules, &after, team).is_none()
            };
            let card = legal.into_iter().find(keeps).or(legal.first()).expect("a card is legal");
            self.make(Move::Play { card, bot: turn != seat, silent: false, melds: None })?;
        }
        self.show();
        Ok(())
    }
}

/// Returns the points that a team loses of those to come with best play of all, if any; with all tricks so far, the next
/// ones too.
fn lost(solver: &mut Solver, rules: &RuleSet, play: &PlayState, team: Team) -> Option<i32> {
    if play.is_over() {
        return None;
    }
    let all = i32::from(points_to_come(rules, play));
    let value = solver.value(rules, play);
    let own = if play.to_play().team() == team { value } else { all - value };
    let is_slam = play.tricks_won(team.other()) == 0;
    (own < all || is_slam && !takes_all(solver, rules, play, team)).then_some(all - own)
}
