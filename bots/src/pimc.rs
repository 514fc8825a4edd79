//! `pimc`: perfect information Monte Carlo (Ginsberg 1999; Long, Sturtevant, Buro & Furtak 2010).

use coinche_engine::Card;
use coinche_engine::solver::Solver;

use crate::search::{
    Decision, EQUITY_PARAM, READ_PARAMS, Search, SearchPlayer, Settings, TIME_PARAM, solve, solve_ties,
};
use crate::{ParamError, ParamInfo, Params, Thought};

/// Draws deals that fit what the seat knows, solves each double dummy, and plays the card whose score of the
/// deal has the best mean; of cards with the same mean, the one with which its side makes most card points.
///
/// The score is that of the rule set and the contract with its stake, not a count of points: what does not
/// change it is not searched ([`crate::search::Payoff`]). Cards that cannot win any more are pruned, and
/// of cards that do the same one is searched. Worlds are weighed by what the others called and played.
pub type PimcPlayer = SearchPlayer<Pimc>;

/// If two cards are tied after this share of the time, the rest is for their card points.
const FOR_SCORE: f64 = 0.8;

/// Solves world after world.
#[derive(Debug)]
pub struct Pimc {
    /// Whether cards are pruned that are behind.
    prunes: bool,
    solver: Solver,
}

impl SearchPlayer<Pimc> {
    /// The parameters of `pimc` in the registry.
    pub const PARAMS: &'static [ParamInfo] = &[
        ParamInfo {
            name: "worlds",
            default: "40",
            legal: "1 to 1000000",
            about: "worlds searched per decision, unless only time is given",
        },
        TIME_PARAM,
        ParamInfo {
            name: "prune",
            default: "yes",
            legal: "yes or no",
            about: "stop searching cards that are clearly behind; use no for judging",
        },
        EQUITY_PARAM,
        READ_PARAMS[0],
        READ_PARAMS[1],
        READ_PARAMS[2],
        READ_PARAMS[3],
        READ_PARAMS[4],
    ];

    /// Reads the parameters, and returns how to make the player.
    ///
    /// # Errors
    ///
    /// When one of them is not legal.
    pub fn maker(params: &Params) -> Result<impl Fn() -> Self + Send + Sync + use<>, ParamError> {
        let settings = Settings::from_params(params, "worlds")?;
        let prunes = params.either("prune", ["yes", "no"])?;
        Ok(move || Self::new(settings.clone(), Pimc { prunes, solver: Solver::new() }))
    }
}

impl Search for Pimc {
    fn decide(&mut self, decision: &mut Decision<'_, '_>) -> (Card, Thought) {
        let Decision { situation, candidates, worlds, limits, watch, .. } = decision;
        let (mut met, mut was_late) = (Vec::new(), false);
        for _ in 0..limits.count() {
            let Some((hands, weight)) = worlds.next() else { break };
            met.push(hands);
            candidates.begin_world(weight);
            solve(&mut self.solver, situation, &hands, candidates);
            if self.prunes {
                candidates.prune();
            }
            if candidates.is_decided() || limits.is_over(*watch, 1.0) {
                break;
            }
            if !was_late && limits.is_over(*watch, FOR_SCORE) {
                was_late = true;
                if candidates.lacks_points() {
                    break;
                }
            }
        }
        solve_ties(&mut self.solver, situation, &met, candidates, (*limits, *watch));
        (candidates.choice(), candidates.thought())
    }
}
