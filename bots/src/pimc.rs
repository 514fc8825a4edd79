//! `pimc`: perfect information Monte Carlo (Ginsberg 1999; Long, Sturtevant, Buro & Furtak 2010).

use coinche_engine::Card;
use coinche_engine::solver::Solver;

use crate::search::{
    Decision, EQUITY_PARAM, FROM_PARAM, READ_PARAMS, Search, SearchPlayer, SearchSettings, TIME_PARAM, solve,
    solve_ties,
};
use crate::{NetPlayer, ParamError, ParamInfo, Params, Thought};

/// Draws deals that fit what the seat knows, solves each double dummy, and plays the card whose score of the
/// deal has the best mean; of cards with the same mean, the one with which its side makes most card points.
///
/// The values of [`NetPlayer`] are a prior with the weight of some worlds (`prior`): with few worlds the search errs more than the network. It is
/// not used where all worlds are listed, nor with `equity=on`.
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
    /// The weight of the network's values, in worlds.
    prior: f64,
    net: Option<NetPlayer>,
}

impl SearchPlayer<Pimc> {
    /// The parameters of `pimc` in the registry.
    pub const PARAMS: &'static [ParamInfo] = params! {
        "worlds" = "40", "1 to 1000000", "worlds searched per decision, unless only time is given";
        TIME_PARAM;
        "prune" = "yes", "yes or no", "stop searching cards that are clearly behind; use no for judging";
        "prior" = "8", "0 to 1000", "weight of the card player net's values, in worlds; 0: not used";
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
        let prunes = params.either("prune", ["yes", "no"])?;
        let prior = params.number("prior", 0.0..=1000.0)?;
        // The network knows points, not chances to win a match.
        let prior = if settings.equity { 0.0 } else { prior };
        Ok(move || {
            let (solver, net) = (Solver::new(), (prior > 0.0).then(NetPlayer::default));
            Self::new(settings.clone(), Pimc { prunes, solver, prior, net })
        })
    }
}

impl Search for Pimc {
    fn decide(&mut self, decision: &mut Decision<'_, '_>) -> (Card, Thought) {
        let Decision { view, situation, candidates, worlds, limits, watch, .. } = decision;
        // Where all worlds are listed, nothing is left to chance.
        if let Some(net) = self.net.as_mut().filter(|_| !worlds.is_listed()) {
            let cards = candidates.remaining().map(|(_, card)| card).collect();
            let mut values = Vec::new();
            net.values(view, cards, |card, value| values.push((card, f64::from(value))));
            candidates.set_prior(self.prior, &values);
        }
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
