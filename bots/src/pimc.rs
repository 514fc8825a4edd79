//! `pimc`: perfect information Monte Carlo (Ginsberg 1999; Long, Sturtevant, Buro & Furtak 2010).

use coinche_engine::Card;
use coinche_engine::solver::Solver;

use crate::families::untrained;
use crate::mc::play_out;
use crate::search::{
    Decision, EQUITY_PARAM, FROM_PARAM, PRUNE_PARAM, READ_PARAMS, Search, SearchPlayer, SearchSettings,
    TIME_PARAM, prunes, solve, solve_ties,
};
use crate::{NetPlayer, ParamError, ParamInfo, Params, Thought};

/// Draws deals that fit what the seat knows, solves each double dummy, and plays the card whose score of the
/// deal has the best mean; of cards with the same mean, the one with which its side makes most card points.
///
/// In the first tricks (`playout`) [`NetPlayer`] plays a world out at all four seats to the end of them, and what is left is solved: as long as most
/// cards are hidden, best play of all who see them is far from what is played.
///
/// The values of [`NetPlayer`] are a prior with the weight of some worlds (`prior`): with few worlds the search errs more than the network. It is
/// not used where all worlds are listed, nor with `equity=on`.
///
/// The score is that of the rule set and the contract with its stake, not a count of points: what does not
/// change it is not searched ([`crate::search::Payoff`]). Cards that cannot win any more are pruned, and
/// of cards that do the same one is searched. Worlds are weighed by what the others called and played.
pub type PimcPlayer = SearchPlayer<Pimc>;

/// By what the weight of the prior is multiplied in the tricks that are played out: what the network's play makes of a card, the network knows best.
const EARLY: f64 = 10.0;
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
    /// The first tricks that are played out.
    playout: usize,
}

impl SearchPlayer<Pimc> {
    /// The parameters of `pimc` in the registry.
    pub const PARAMS: &'static [ParamInfo] = params! {
        "worlds" = "40", "1 to 1000000", "worlds searched per decision, unless only time is given";
        TIME_PARAM;
        PRUNE_PARAM;
        "prior" = "8", "0 to 1000",
            "weight of the card player net's values, in worlds; tenfold in the tricks of playout; 0: not used";
        "playout" = "3", "0 to 7",
            "in the first N tricks, net plays each world on to the end of trick N, at all seats, before it is solved";
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
        let prunes = prunes(params)?;
        let prior = params.number("prior", 0.0..=1000.0)?;
        // The network knows points, not chances to win a match.
        let prior = if settings.equity { 0.0 } else { prior };
        let playout = params.number("playout", 0..=7)?;
        Ok(move || {
            let (solver, net) = (Solver::new(), (prior > 0.0 || playout > 0).then(NetPlayer::default));
            Self::new(settings.clone(), Pimc { prunes, solver, prior, net, playout })
        })
    }
}

impl Search for Pimc {
    fn decide(&mut self, decision: &mut Decision<'_, '_>) -> (Card, Thought) {
        let Decision { view, candidates, worlds, .. } = &mut *decision;
        // Where all worlds are listed, nothing is left to chance; under rules that it has not met the network knows nothing.
        let knows = !worlds.is_listed() && untrained(view.rules()).is_none();
        let is_early = view.tricks().len() < self.playout && knows;
        if let Some(net) = self.net.as_mut().filter(|_| self.prior > 0.0 && knows) {
            let cards = candidates.remaining().map(|(_, card)| card).collect();
            let mut values = Vec::new();
            net.values(view, cards, |card, value| values.push((card, f64::from(value))));
            candidates.set_prior(if is_early { EARLY * self.prior } else { self.prior }, &values);
        }
        let (mut met, mut was_late) = (Vec::new(), false);
        let (limits, watch) = (decision.limits, decision.watch);
        for _ in 0..limits.count() {
            let Some((hands, weight)) = decision.worlds.next() else { break };
            met.push(hands);
            decision.candidates.begin_world(weight);
            match self.net.as_mut().filter(|_| is_early) {
                Some(net) => play_out(decision, &hands, (net, self.playout), &mut self.solver),
                None => solve(&mut self.solver, &mut decision.situation, &hands, &mut decision.candidates),
            }
            let candidates = &mut decision.candidates;
            if self.prunes {
                candidates.prune();
            }
            if candidates.is_decided() || limits.is_over(watch, 1.0) {
                break;
            }
            if !is_early && !was_late && limits.is_over(watch, FOR_SCORE) {
                was_late = true;
                if candidates.lacks_points() {
                    break;
                }
            }
        }
        let Decision { situation, candidates, .. } = decision;
        if !is_early {
            solve_ties(&mut self.solver, situation, &met, candidates, (limits, watch));
        }
        (candidates.choice(), candidates.thought())
    }
}
