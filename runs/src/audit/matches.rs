//! Puts legs together: both of a deal or match, and the deals of a leg of a match.

use coinche_engine::{DealScore, MatchState, RuleSet, Team};
use coinche_selfplay::MAX_DEALS_IN_MATCH;

use super::told::{Ending, Played, Told};

/// Why a leg is not the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum LegError {
    #[error("expected leg 0")]
    NotLeg0,
    #[error("expected leg 1 of deal {deal}")]
    NotLeg1 { deal: u64 },
    #[error("expected the next deal of a match")]
    NotNext,
}

/// Pairs the legs of deals or matches: of each pairing leg 0 comes before leg 1.
#[derive(Debug)]
pub struct Pairs<T> {
    /// Leg 0, with its deal and pairing.
    first: Option<((u64, usize), T)>,
}

impl<T> Default for Pairs<T> {
    fn default() -> Self {
        Self { first: None }
    }
}

impl<T> Pairs<T> {
    /// Adds a leg of a deal (or match) and pairing; returns both with the second.
    pub fn add(&mut self, of: (u64, usize), leg: usize, item: T) -> Result<Option<[T; 2]>, LegError> {
        match (self.first.take(), leg) {
            (None, 0) => {
                self.first = Some((of, item));
                Ok(None)
            }
            (None, _) => Err(LegError::NotLeg0),
            (Some((place, first)), 1) if place == of => Ok(Some([first, item])),
            (Some(((deal, _), _)), _) => Err(LegError::NotLeg1 { deal }),
        }
    }

    /// Tests if leg 0 is there and leg 1 is not.
    pub const fn is_open(&self) -> bool {
        self.first.is_some()
    }
}

/// Follows matches: the deals come leg by leg, each leg to its end.
#[derive(Debug, Default)]
pub struct Matches {
    /// A leg that is not over: match, pairing and leg, and its state.
    leg: Option<((u64, usize, usize), MatchState)>,
    pairs: Pairs<MatchState>,
}

impl Matches {
    /// Adds the next deal; returns both legs when the second is over.
    pub fn add(&mut self, told: &Told, rules: &RuleSet) -> Result<Option<[MatchState; 2]>, LegError> {
        let (game, deal) = told.in_match.ok_or(LegError::NotNext)?;
        let place = (game, told.pairing, told.leg);
        let fresh = || (place, MatchState::new(rules, told.dealer));
        let (at, mut state) = self.leg.take().unwrap_or_else(fresh);
        let number = game.checked_mul(MAX_DEALS_IN_MATCH).and_then(|first| first.checked_add(deal));
        let is_next = (at, state.deals().into(), state.dealer()) == (place, deal, told.dealer);
        if !is_next || Some(told.deal) != number {
            return Err(LegError::NotNext);
        }
        told.advance(&mut state);
        if state.winner().is_none() && u64::from(state.deals()) < MAX_DEALS_IN_MATCH {
            self.leg = Some((place, state));
            return Ok(None);
        }
        self.pairs.add((game, told.pairing), told.leg, state)
    }
}

impl Told {
    /// Adds the deal to its match.
    pub fn advance(&self, state: &mut MatchState) {
        let points = self.score;
        match &self.ending {
            Ending::PassedOut => state.add_thrown_in(),
            Ending::Forfeit(team) => {
                state.add(&DealScore { made: false, points, held: 0, slam: None }, *team);
            }
            Ending::Played(Played { declarers, made, held, tricks, .. }) => {
                let slam = Team::ALL.into_iter().find(|team| tricks[team.index()] == 8);
                state.add(&DealScore { made: *made, points, held: held.unwrap_or(0), slam }, *declarers);
            }
        }
    }
}

/// Returns the points of A and B in a leg of a match, and who won it: 1 A, −1 B, 0 nobody.
pub fn outcome(leg: usize, state: &MatchState) -> ([i64; 2], i64) {
    let [even, odd] = state.score().0.map(i64::from);
    // In leg 0 bot A has the even seats.
    let won = state.winner().map_or(0, |team| if team.index() == leg { 1 } else { -1 });
    (if leg == 0 { [even, odd] } else { [odd, even] }, won)
}
