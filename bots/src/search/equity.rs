//! What the score of a deal is worth to who wants to win the match.

use std::sync::{Arc, Mutex, PoisonError};

use coinche_engine::rules::BothReached;
use coinche_engine::{ByTeam, Deal, DealScore, DealState, Deck, Key, RuleSet, Seat, Team, Turn};

use crate::{Bidder, CardPlayer, ParamError, ParamInfo, Params, RulesBidder, RulesPlayer};

/// The parameter that asks for it.
pub(crate) const EQUITY_PARAM: ParamInfo = params! {
    "equity" = "off", "on or off", "maximise the probability of winning the match instead of points";
}[0];

/// Tells if the parameter asks for it.
pub(crate) fn wants_equity(params: &Params) -> Result<bool, ParamError> {
    params.either("equity", ["on", "off"])
}

/// How many deals tell what a deal of a match comes to.
const DEALS: u64 = 400;
/// A table has so many rows at most.
const ROWS: i32 = 200;

/// The chance to win a match from any score, between sides that play alike.
///
/// A deal of the rest of the match is taken to be one of 400 that four `rules` bots have played under the rule
/// set, with the sides exchanged as often as not; who deals is not looked at. The chance follows from the ends of
/// matches backwards, on a grid of ten points (more where the target is above 2,000) with straight lines between.
#[derive(Debug)]
pub struct Equity {
    target: i32,
    both_reached: BothReached,
    /// Points between two rows of the table.
    step: i32,
    rows: usize,
    /// By points that the side needs, then by those that the other needs; nobody needs none.
    chances: Vec<f64>,
    /// What deals come to, for one side and the other.
    outcomes: Vec<(i32, i32)>,
}

impl Equity {
    /// Makes the table for a rule set; costs some ten milliseconds.
    pub fn new(rules: &RuleSet) -> Self {
        Self::from_outcomes(rules, outcomes(rules))
    }

    fn from_outcomes(rules: &RuleSet, outcomes: Vec<(i32, i32)>) -> Self {
        let target = u64::from(rules.game.target) + u64::from(rules.game.exceed);
        let target = i32::try_from(target).unwrap_or(i32::MAX).max(1);
        let step = 10.max(target / ROWS + 1);
        let rows = usize::try_from(target / step).unwrap_or(0) + 2;
        let both_reached = rules.game.both_reached;
        let mut this = Self { target, both_reached, step, rows, chances: vec![0.5; rows * rows], outcomes };
        for own in 1..rows {
            for other in 1..rows {
                this.chances[own * rows + other] = this.next_deal(own, other);
            }
        }
        this
    }

    /// Returns the table for a rule set, which is made once for all players.
    pub fn of(rules: &RuleSet) -> Arc<Self> {
        static MADE: Mutex<Vec<(RuleSet, Arc<Equity>)>> = Mutex::new(Vec::new());
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, equity)) = made.iter().find(|(other, _)| other == rules) {
            return Arc::clone(equity);
        }
        let equity = Arc::new(Self::new(rules));
        made.push((*rules, Arc::clone(&equity)));
        equity
    }

    /// Returns the chance, 0 to 1, that a team wins the match at a score between deals.
    ///
    /// Both sides at the target, where the rules ask for an extra deal, have the chances of one deal.
    pub fn chance(&self, score: ByTeam<i32>, team: Team) -> f64 {
        self.at(self.target.saturating_sub(score[team]), self.target.saturating_sub(score[team.other()]))
    }

    /// Returns the chance after a deal, of which `left` end the match, if their number does; points that wait go to its winner.
    pub fn chance_after(
        &self,
        before: ByTeam<i32>,
        held: i32,
        left: u16,
        deal: &DealScore,
        declarers: Team,
        team: Team,
    ) -> f64 {
        let mut score = ByTeam::from_fn(|side| before[side].saturating_add(deal.points[side]));
        if deal.held == 0 {
            let winner = if deal.made { declarers } else { declarers.other() };
            score[winner] = score[winner].saturating_add(held);
        }
        match left.checked_sub(1) {
            None => self.chance(score, team),
            Some(left) => self.ahead(score[team].saturating_sub(score[team.other()]), left),
        }
    }

    /// The chance that a lead is still one after so many deals: as if these were normally distributed.
    fn ahead(&self, lead: i32, deals: u16) -> f64 {
        let squares: f64 =
            self.outcomes.iter().map(|(first, second)| f64::from(first - second).powi(2)).sum();
        let spread = (squares / self.outcomes.len().max(1) as f64 * f64::from(deals)).sqrt();
        match deals {
            0 => f64::midpoint(f64::from(lead.signum()), 1.0),
            1 => self.extra_deal(lead),
            // A logistic curve, which is within 0.01 of the normal one.
            _ => 1.0 / (1.0 + libm::exp(-1.702 * f64::from(lead) / spread.max(1.0))),
        }
    }

    /// The chance by the points that both need, which may be none.
    fn at(&self, own: i32, other: i32) -> f64 {
        match (own <= 0, other <= 0) {
            (true, false) => 1.0,
            (false, true) => 0.0,
            (true, true) if self.both_reached == BothReached::ExtraDeal => self.extra_deal(other - own),
            (true, true) if own == other => 0.5,
            (true, true) => f64::from(u8::from(own < other)),
            (false, false) => {
                let mut chance = 0.0;
                for ([a, b], weight) in self.corners(own, other) {
                    chance += weight * self.corner(a, b);
                }
                chance
            }
        }
    }

    /// The four points of the grid around a score, with their weights.
    fn corners(&self, own: i32, other: i32) -> [([usize; 2], f64); 4] {
        let place = |points: i32| {
            let row = usize::try_from(points / self.step).unwrap_or(0);
            if row + 1 < self.rows {
                (row, f64::from(points % self.step) / f64::from(self.step))
            } else {
                (self.rows - 2, 1.0)
            }
        };
        let ((a, up), (b, right)) = (place(own), place(other));
        [
            ([a, b], (1.0 - up) * (1.0 - right)),
            ([a + 1, b], up * (1.0 - right)),
            ([a, b + 1], (1.0 - up) * right),
            ([a + 1, b + 1], up * right),
        ]
    }

    /// The chance at a point of the grid; in the first row and column that of having just won or lost.
    fn corner(&self, own: usize, other: usize) -> f64 {
        match (own, other) {
            (0, 0) => 0.5,
            (0, _) => 1.0,
            (_, 0) => 0.0,
            _ => self.chances[own * self.rows + other],
        }
    }

    /// The chance at a point of the grid by the points after the next deal, all with fewer points to go; what leads
    /// back to the point itself is a deal that is played again.
    fn next_deal(&self, own: usize, other: usize) -> f64 {
        let points = |row: usize| self.step.saturating_mul(i32::try_from(row).unwrap_or(i32::MAX));
        let (need, needs) = (points(own), points(other));
        let (mut chance, mut again, mut all) = (0.0, 0.0, 0.0);
        for (first, second) in &self.outcomes {
            for (first, second) in [(first, second), (second, first)] {
                all += 1.0;
                let (after, afters) = (need - first, needs - second);
                if after <= 0 || afters <= 0 {
                    chance += self.at(after, afters);
                    continue;
                }
                for ([a, b], weight) in self.corners(after, afters) {
                    if (a, b) == (own, other) {
                        again += weight;
                    } else {
                        chance += weight * self.corner(a, b);
                    }
                }
            }
        }
        if all > again { chance / (all - again) } else { 0.5 }
    }

    /// The chance that a lead is still one after a deal.
    fn extra_deal(&self, lead: i32) -> f64 {
        let (mut won, mut all) = (0.0, 0.0);
        for (first, second) in &self.outcomes {
            for gain in [first - second, second - first] {
                all += 1.0;
                won += match (lead + gain).signum() {
                    1 => 1.0,
                    0 => 0.5,
                    _ => 0.0,
                };
            }
        }
        if all > 0.0 { won / all } else { 0.5 }
    }
}

/// Plays deals and returns what they came to; deals that are passed out, or score nothing, are skipped.
fn outcomes(rules: &RuleSet) -> Vec<(i32, i32)> {
    let deals = (0..DEALS).filter_map(|index| {
        let dealer = Seat::from_index(usize::try_from(index % 4).unwrap_or(0));
        play(DealState::new(rules, &Deal::new(&rules.deal, Deck::shuffled(0, index), dealer)))
    });
    deals.filter(|(even, odd)| *even >= 0 && *odd >= 0 && even + odd > 0).collect()
}

/// Plays a deal by `rules`, which uses no randomness.
fn play(mut state: DealState) -> Option<(i32, i32)> {
    let (mut bidder, key) = (RulesBidder::default(), Key::from_bits(0));
    while let Turn::Call(seat) = state.turn() {
        let call = bidder.call(&state.view(seat), &state.legal_calls(), key);
        state.call(call).expect("the bot's calls are legal");
    }
    while let Turn::Play(seat) = state.turn() {
        let card = RulesPlayer.play(&state.view(seat), state.legal_plays(), key);
        state.play(card).expect("the bot's cards are legal");
    }
    let ByTeam([even, odd]) = state.outcome()?.score()?.points;
    Some((even, odd))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chance(equity: &Equity, own: i32, other: i32) -> f64 {
        equity.chance(ByTeam([own, other]), Team::Even)
    }

    #[test]
    fn who_has_won_has_won_and_equals_are_equal() {
        for (_, rules) in RuleSet::PRESETS {
            let equity = Equity::of(&rules);
            let target = i32::try_from(rules.game.target).unwrap() + i32::from(rules.game.exceed);
            for score in [-200, 0, target / 2, target - 10] {
                assert!((chance(&equity, score, score) - 0.5).abs() < 1e-9);
                assert!(chance(&equity, target, score) > 1.0 - 1e-9);
                assert!(chance(&equity, score, target + 50) < 1e-9);
            }
            let mut last = 0.0;
            for own in (0..target).step_by(7) {
                let now = chance(&equity, own, target / 2);
                assert!(now >= last && now <= 1.0, "{own}: {last} {now}");
                let other = equity.chance(ByTeam([own, target / 2]), Team::Odd);
                assert!((now + other - 1.0).abs() < 1e-9);
                last = now;
            }
            assert!(chance(&equity, target / 2, 0) > 0.6 && chance(&equity, target - 50, target / 2) > 0.75);
        }
    }

    #[test]
    fn a_coin_that_pays_a_hundred_is_counted_exactly() {
        let rules = RuleSet::BGA.with(|options| options.game.target = 300).unwrap();
        let equity = Equity::from_outcomes(&rules, vec![(100, 0)]);
        // One win to go against two and against three: 3/4 and 7/8.
        for (score, expected) in [((200, 100), 0.75), ((200, 0), 0.875), ((100, 0), 0.6875)] {
            assert!((chance(&equity, score.0, score.1) - expected).abs() < 1e-9, "{score:?}");
        }
    }

    #[test]
    fn a_lead_counts_for_the_deals_that_are_left() {
        let rules = RuleSet::BELOTE.with(|options| options.game.deals = 12).unwrap();
        let equity = Equity::from_outcomes(&rules, vec![(100, 0)]);
        let after = |left, lead| {
            let score = DealScore { made: true, points: ByTeam([lead, 0]), held: 0, slam: None };
            equity.chance_after(ByTeam([0; 2]), 0, left, &score, Team::Even, Team::Even)
        };
        // Wins of 100 to either side; with three left 1/8 + 3/8 win and 3/8 are level.
        for (left, lead, expected, tolerance) in [
            (1, 0, 0.5, 0.0),
            (1, 10, 1.0, 0.0),
            (1, -10, 0.0, 0.0),
            (2, 50, 0.5, 0.0),
            (2, 150, 1.0, 0.0),
            (4, 100, 0.6875, 0.05),
            (4, -100, 0.3125, 0.05),
        ] {
            assert!(
                (after(left, lead) - expected).abs() <= tolerance,
                "{left} {lead}: {}",
                after(left, lead)
            );
        }
    }

    #[test]
    fn waiting_points_go_to_the_winner() {
        let equity = Equity::of(&RuleSet::BELOTE);
        let score = |made, held| DealScore { made, points: ByTeam([60, 60]), held, slam: None };
        let before = ByTeam([400, 400]);
        let after =
            |made, held| equity.chance_after(before, 81, 0, &score(made, held), Team::Even, Team::Even);
        assert!(after(true, 0) > 0.5 && after(false, 0) < 0.5 && (after(true, 5) - 0.5).abs() < 1e-9);
    }
}
