//! `alphamu`: αμ (Cazenave & Ventos 2019), a repair of what is wrong with `pimc`.
//!
//! `pimc` takes for granted that it will know the cards at its next turn: it may value a card highly that leaves
//! it a choice which in truth it must make blind (strategy fusion), and it believes that the others' choices
//! are good or bad for it world by world (non-locality). αμ looks `ahead` own cards further: there one card
//! is chosen for all worlds that look the same, and what can be reached is a Pareto front of outcomes over worlds.
//!
//! # How
//!
//! The worlds are first solved as `pimc` does, which prunes most cards. What is left is looked at in batches of
//! worlds: `loss` of a card is how much less it brings there when the next own cards are chosen blind, and is
//! taken from the mean of all worlds. A card's loss is never negative (but for fronts that were cut), so that
//! cards are skipped which cannot get ahead.

mod front;
#[cfg(test)]
mod tests;
mod tree;

use coinche_engine::solver::Solver;
use coinche_engine::{BySeat, Card, CardSet};

use crate::search::{
    Decision, EQUITY_PARAM, FROM_PARAM, READ_PARAMS, Search, SearchPlayer, SearchSettings, TIME_PARAM, solve,
    solve_ties,
};
use crate::{ParamError, ParamInfo, Params, Thought};
use tree::{Tree, World};

/// The share of the time in which worlds are solved.
const SOLVING: f64 = 0.5;

/// Solves worlds as [`crate::PimcPlayer`] does, and takes from each card what it loses when the next own cards are
/// chosen without knowing the world.
pub type AlphaMuPlayer = SearchPlayer<AlphaMu>;

/// Solves world after world, then looks ahead.
#[derive(Debug)]
pub struct AlphaMu {
    ahead: usize,
    width: usize,
    batch: usize,
    hand: usize,
    /// The first is also that of the worlds solved at first.
    solvers: Vec<Solver>,
}

impl SearchPlayer<AlphaMu> {
    /// The parameters of `alphamu` in the registry.
    pub const PARAMS: &'static [ParamInfo] = params! {
        "worlds" = "40", "1 to 1000000", "worlds searched per decision, unless only time is given";
        TIME_PARAM;
        "m" = "2", "1 to 3", "own cards chosen without knowing the world, including the current one";
        "width" = "8", "1 to 1000", "outcome vectors kept per position";
        "batch" = "20", "1 to 1000", "worlds searched together";
        "hand" = "5", "1 to 8", "look ahead with this many own cards or fewer; with more, play as pimc";
        FROM_PARAM;
        EQUITY_PARAM;
        READ_PARAMS[0 1 2 3 4];
    };

    /// Reads the parameters, and returns how to make the player.
    ///
    /// # Errors
    ///
    /// When one of them is not legal.
    pub fn maker(params: &Params) -> Result<impl Fn() -> Self + Send + Sync + use<>, ParamError> {
        let settings = SearchSettings::from_params(params, "worlds")?;
        let ahead = params.number("m", 1..=3)? - 1;
        let (width, batch) = (params.number("width", 1..=1000)?, params.number("batch", 1..=1000)?);
        let hand = params.number("hand", 1..=8)?;
        Ok(move || {
            Self::new(settings.clone(), AlphaMu { ahead, width, batch, hand, solvers: vec![Solver::new()] })
        })
    }
}

impl Search for AlphaMu {
    fn decide(&mut self, decision: &mut Decision<'_, '_>) -> (Card, Thought) {
        let looks = self.ahead > 0 && (3..=self.hand).contains(&decision.view.hand().len());
        let share = if looks { SOLVING } else { 1.0 };
        let Decision { situation, candidates, worlds, limits, watch, .. } = decision;
        let mut met = Vec::new();
        for _ in 0..limits.count() {
            let Some((hands, weight)) = worlds.next() else { break };
            candidates.begin_world(weight);
            solve(&mut self.solvers[0], situation, &hands, candidates);
            candidates.prune();
            met.push(hands);
            if candidates.is_decided() || limits.is_over(*watch, share) {
                break;
            }
        }
        if looks && !candidates.is_decided() {
            self.look_ahead(decision, &met);
        }
        let Decision { situation, candidates, limits, watch, .. } = decision;
        solve_ties(&mut self.solvers[0], situation, &met, candidates, (*limits, *watch));
        (decision.candidates.choice(), decision.candidates.thought())
    }
}

impl AlphaMu {
    /// Finds what the cards lose, batch by batch.
    fn look_ahead(&mut self, decision: &mut Decision<'_, '_>, met: &[BySeat<CardSet>]) {
        self.solvers.resize_with(self.batch.min(met.len()).max(1), Solver::new);
        let Decision { view, situation, candidates, limits, watch, .. } = decision;
        // What a card has lost, and in worlds of which weight.
        let mut losses: Vec<(usize, f64, f64)> =
            candidates.remaining().map(|(index, _)| (index, 0.0, 0.0)).collect();
        for (number, hands) in met.chunks(self.batch).enumerate() {
            let first = number * self.batch;
            let world = |(n, hands): (usize, &BySeat<CardSet>)| World {
                play: situation.play(hands),
                payoff: situation.payoff(hands).clone(),
                weight: candidates.weight(first + n),
            };
            let worlds: Vec<World> = hands.iter().enumerate().map(world).collect();
            let weight: f64 = worlds.iter().map(|world| world.weight).sum();
            let mut tree = Tree {
                rules: view.rules(),
                me: view.seat(),
                width: self.width,
                worlds: &worlds,
                solvers: &mut self.solvers,
                limits: *limits,
                watch: *watch,
            };
            // The most promising first: others may not be able to get ahead of it.
            losses.sort_by(|a, b| candidates.mean(b.0).total_cmp(&candidates.mean(a.0)));
            let (mut after, mut best) = (losses.clone(), f64::NEG_INFINITY);
            for (index, lost, seen) in &mut after {
                let (mean, before) = (candidates.mean(*index), candidates.loss(*index));
                if weight <= 0.0 || mean <= best {
                    continue;
                }
                // A batch that is not finished says nothing.
                let Some(blind) = tree.card(candidates.card(*index), self.ahead) else { return };
                *lost += weight * (candidates.mean_over(*index, first..first + worlds.len()) - blind);
                *seen += weight;
                best = best.max(mean + before - *lost / *seen);
            }
            losses = after;
            for (index, lost, seen) in losses.iter().filter(|(.., seen)| *seen > 0.0) {
                candidates.lose(*index, lost / seen);
            }
        }
    }
}
