//! `mc`: flat Monte Carlo over worlds, the simplest of the searches and the baseline of the others.
//!
//! # Cost
//!
//! A world and a random playout of it for each of eight cards, at the first lead: some 2 µs; with `policy=rules`
//! some 50 µs.

mod bidder;
mod policy;

pub use bidder::McBidder;
pub(crate) use policy::{POLICY_PARAM, PlayPolicy, result};

use coinche_engine::solver::Solver;
use coinche_engine::{BySeat, Card, CardSet, Key, PlayState, RuleSet};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::search::{
    Canonical, Decision, EQUITY_PARAM, FROM_PARAM, PRUNE_PARAM, Payoff, READ_PARAMS, Search, SearchPlayer,
    SearchSettings, TIME_PARAM, prunes, solve_value,
};
use crate::simulation::play_on;
use crate::{CardPlayer, ParamError, ParamInfo, Params, Thought};

/// Draws deals that fit what the seat knows, plays each out by a policy after each legal card, and plays the card
/// whose score of the deal has the best mean.
///
/// Nobody searches: the value of a card is what the policy makes of it at all four seats, not what best play
/// does. With `tricks` the policy plays some tricks only, and what is left is solved double dummy: nobody
/// takes for granted, as [`crate::PimcPlayer`] does, that the cards are known at the next turn. Cards that fall
/// behind are pruned, and of cards that do the same one is looked at.
pub type McPlayer = SearchPlayer<MonteCarlo>;

/// Plays world after world out.
#[derive(Debug)]
pub struct MonteCarlo {
    policy: PlayPolicy,
    tricks: usize,
    /// Whether cards are pruned that are behind.
    prunes: bool,
    solver: Solver,
}

impl SearchPlayer<MonteCarlo> {
    /// The parameters of `mc` in the registry.
    pub const PARAMS: &'static [ParamInfo] = params! {
        "worlds" = "200", "1 to 1000000", "worlds played out per decision, unless only time is given";
        TIME_PARAM;
        PRUNE_PARAM;
        POLICY_PARAM;
        "tricks" = "8", "1 to 8; only 8 with policy=random",
            "tricks the policy plays, including the current one; the rest is solved double dummy";
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
        let (settings, policy) =
            (SearchSettings::from_params(params, "worlds")?, PlayPolicy::from_params(params)?);
        let fewest = if matches!(policy, PlayPolicy::Random) { 8 } else { 1 };
        let tricks = params.number("tricks", fewest..=8)?;
        let prunes = prunes(params)?;
        Ok(move || {
            let (policy, solver) = (policy.clone(), Solver::new());
            Self::new(settings.clone(), MonteCarlo { policy, tricks, prunes, solver })
        })
    }
}

impl Search for MonteCarlo {
    fn decide(&mut self, decision: &mut Decision<'_, '_>) -> (Card, Thought) {
        let mut rng = decision.key.and(1).rng();
        let worlds = decision.worlds.worlds();
        let canonical = Canonical::new(&decision.view, worlds, &worlds.hands(&mut rng));
        let until = decision.view.tricks().len() + self.tricks;
        let (limits, watch) = (decision.limits, decision.watch);
        let mut playouts = Playouts { decision, canonical, rng, until };
        for n in 1..=limits.count() {
            if !playouts.world(&mut self.policy, &mut self.solver) {
                break;
            }
            let candidates = &mut playouts.decision.candidates;
            // To look at all worlds for each new one would cost more than the playouts.
            if self.prunes && (n <= 256 || n.is_power_of_two()) {
                candidates.prune();
            }
            if candidates.is_decided() || limits.is_over(watch, 1.0) {
                break;
            }
        }
        let candidates = &playouts.decision.candidates;
        (candidates.choice(), candidates.thought())
    }
}

/// The playouts of a decision.
struct Playouts<'d, 'a, 's> {
    decision: &'d mut Decision<'a, 's>,
    canonical: Canonical,
    rng: Xoshiro256PlusPlus,
    /// How many tricks are played when the solver takes over; 8 or more, never.
    until: usize,
}

impl Playouts<'_, '_, '_> {
    /// Plays the next world out for each candidate; `false` where all were seen.
    fn world(&mut self, policy: &mut PlayPolicy, solver: &mut Solver) -> bool {
        let Decision { worlds, candidates, .. } = &mut *self.decision;
        match policy.player() {
            // A world that comes again is played out again: the outcome is another.
            None => {
                let hands = worlds.draw();
                candidates.begin_world(1.0);
                self.random(&hands);
            }
            Some(policy) => {
                let Some((hands, weight)) = worlds.next() else { return false };
                candidates.begin_world(weight);
                play_out(self.decision, &hands, (policy, self.until), solver);
            }
        }
        true
    }

    fn random(&mut self, hands: &BySeat<CardSet>) {
        let Decision { situation, candidates, .. } = &mut *self.decision;
        let (rules, contract) = (situation.rules(), situation.contract());
        let play = self.canonical.play(hands);
        let payoff = situation.payoff(hands);
        for (index, card) in candidates.remaining().collect::<Vec<_>>() {
            let mut end = play;
            end.play_unchecked(self.canonical.card(card));
            end.play_randomly(&mut self.rng);
            let (score, made) = result(payoff, rules, contract, &end);
            candidates.score(index, score, made, Some(points_of(rules, payoff, &end)));
        }
    }
}

/// Has a policy at all seats play a world on after each candidate until so many tricks of the deal are played, solves what is left, and
/// scores the candidates.
pub(crate) fn play_out(
    decision: &mut Decision<'_, '_>,
    hands: &BySeat<CardSet>,
    (policy, until): (&mut dyn CardPlayer, usize),
    solver: &mut Solver,
) {
    let state = decision.state(hands);
    let Decision { situation, candidates, .. } = decision;
    let (rules, contract) = (situation.rules(), situation.contract());
    let payoff = situation.payoff(hands);
    for (index, card) in candidates.remaining().collect::<Vec<_>>() {
        let mut state = state.clone();
        state.play(card).expect("the card is legal");
        play_on(policy, &mut state, until, Key::from_bits(0));
        let end = *state.play_state().expect("cards were played");
        let ((score, made), points) = if end.is_over() {
            (result(payoff, rules, contract, &end), Some(points_of(rules, payoff, &end)))
        } else {
            let points = solve_value(solver, rules, payoff, &end);
            let known = payoff.tells_apart(points).then_some(points);
            ((payoff.at(points), payoff.is_made_at(points)), known)
        };
        candidates.score(index, score, made, points);
    }
}

/// The card points of the payoff's side at the end of a deal.
pub(crate) fn points_of(rules: &RuleSet, payoff: &Payoff, end: &PlayState) -> i32 {
    end.card_points(rules)[payoff.side()].into()
}
