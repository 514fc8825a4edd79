//! `mc`: flat Monte Carlo over worlds, the simplest of the searches and the baseline of the others.
//!
//! # Cost
//!
//! A world and a random playout of it for each of eight cards, at the first lead: some 2 µs; with `policy=rules`
//! some 50 µs.

mod policy;

pub(crate) use policy::{POLICY_PARAM, Policy, play_on, play_out, result};

use coinche_engine::{BySeat, Card, CardSet, Contract, Key, Solver, View};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::search::{
    Ballot, EQUITY_PARAM, Limits, READ_PARAMS, Renamed, Situation, Source, Stopwatch, Stream, TIME_PARAM,
    solve_value, wants_equity,
};
use crate::worlds::{Worlds, retell};
use crate::{CardPlayer, ParamInfo, Params, ParseBotError, Thought};

/// Draws deals that fit what the seat knows, plays each out by a policy after each legal card, and plays the card
/// whose score of the deal has the best mean.
///
/// Nobody searches: the value of a card is what the policy makes of it at all four seats, not what best play
/// does. With `tricks` the policy plays some tricks only, and what is left is solved with open cards: nobody
/// takes for granted, as [`crate::PimcPlayer`] does, that the cards are known at the next turn. Cards that fall behind are dropped early, and of cards that do the same one is looked at.
#[derive(Debug)]
pub struct McPlayer {
    limits: Limits,
    source: Source,
    /// Whether the match is to be won.
    equity: bool,
    policy: Policy,
    tricks: usize,
    solver: Solver,
    thought: Option<Thought>,
}

impl McPlayer {
    /// The parameters in the registry.
    pub const PARAMS: &'static [ParamInfo] = &[
        ParamInfo {
            name: "worlds",
            default: "200",
            legal: "1 to 1000000",
            about: "how many worlds are played out for a decision, unless time is given alone",
        },
        TIME_PARAM,
        POLICY_PARAM,
        ParamInfo {
            name: "tricks",
            default: "8",
            legal: "1 to 8, with policy=random 8 alone",
            about: "how many tricks, that under way included, the policy plays; the rest is solved with open cards",
        },
        EQUITY_PARAM,
        READ_PARAMS[0],
        READ_PARAMS[1],
        READ_PARAMS[2],
    ];

    /// Builds the player from the registry's parameters.
    ///
    /// # Errors
    ///
    /// When one of them is not legal.
    pub fn from_params(params: &Params) -> Result<Self, ParseBotError> {
        let policy = Policy::from_params(params)?;
        let fewest = if matches!(policy, Policy::Random) { 8 } else { 1 };
        Ok(Self {
            limits: Limits::from_params(params, "worlds")?,
            source: Source::from_params(params)?,
            equity: wants_equity(params)?,
            policy,
            tricks: params.number("tricks", fewest..=8)?,
            solver: Solver::new(),
            thought: None,
        })
    }
}

impl CardPlayer for McPlayer {
    fn start(&mut self) {
        self.thought = None;
    }

    fn play(&mut self, view: &View<'_>, legal: CardSet, key: Key) -> Card {
        self.thought = None;
        let only = legal.first().expect("there is a legal card");
        let Some(contract) = view.contract().filter(|_| legal.len() > 1) else { return only };
        let Some(situation) = Situation::of(view) else { return only };
        let situation = situation.for_match(self.equity);
        let watch = Stopwatch::start();
        let worlds = Worlds::of(view);
        let mut ballot = Ballot::new(situation.candidates(legal, worlds.in_order(legal)));
        if ballot.is_decided() {
            return ballot.choice();
        }
        let mut rng = key.and(1).rng();
        let renamed = Renamed::new(view, &worlds, &worlds.hands(&mut rng));
        let stream = self.source.stream(worlds, self.limits, watch, key);
        let until = view.tricks().len() + self.tricks;
        let mut table = Table { view, contract, situation, renamed, stream, rng, until };
        for n in 1..=self.limits.count() {
            if !table.world(&mut self.policy, &mut self.solver, &mut ballot) {
                break;
            }
            // To look at all worlds for each new one would cost more than the playouts.
            if n <= 256 || n.is_power_of_two() {
                ballot.strike();
            }
            if ballot.is_decided() || self.limits.is_over(watch, 1.0) {
                break;
            }
        }
        self.thought = Some(table.situation.tell(ballot.thought()));
        ballot.choice()
    }

    fn thinks(&self) -> bool {
        true
    }

    fn thought(&self) -> Option<&Thought> {
        self.thought.as_ref()
    }
}

/// A decision under way.
struct Table<'a, 's> {
    view: &'a View<'a>,
    contract: Contract,
    situation: Situation<'a>,
    renamed: Renamed,
    stream: Stream<'a, 's>,
    rng: Xoshiro256PlusPlus,
    /// How many tricks are played when the solver takes over; 8 or more, never.
    until: usize,
}

impl Table<'_, '_> {
    /// Plays the next world out for the cards that stand; `false` where all were seen.
    fn world(&mut self, policy: &mut Policy, solver: &mut Solver, ballot: &mut Ballot) -> bool {
        match policy {
            // A world that comes again is played out again: the outcome is another.
            Policy::Random => {
                let hands = self.stream.draw();
                ballot.world(1.0);
                self.random(&hands, ballot);
            }
            Policy::Player(policy) => {
                let Some((hands, weight)) = self.stream.next() else { return false };
                ballot.world(weight);
                self.played(&hands, policy.as_mut(), solver, ballot);
            }
        }
        true
    }

    fn random(&mut self, hands: &BySeat<CardSet>, ballot: &mut Ballot) {
        let (rules, play) = (self.situation.rules(), self.renamed.play(hands));
        let payoff = self.situation.payoff(hands);
        for (index, card) in ballot.standing().collect::<Vec<_>>() {
            let mut end = play;
            end.play_unchecked(self.renamed.card(card));
            end.play_randomly(&mut self.rng);
            let (score, made) = result(payoff, rules, self.contract, &end);
            ballot.count(index, score, made);
        }
    }

    fn played(
        &mut self,
        hands: &BySeat<CardSet>,
        policy: &mut dyn CardPlayer,
        solver: &mut Solver,
        ballot: &mut Ballot,
    ) {
        let rules = self.situation.rules();
        let deal = self.stream.worlds().deal_of(hands, &mut self.rng);
        let state = retell(self.view, &deal, |_, _, _| {}).expect("a world fits what was seen");
        let payoff = self.situation.payoff(hands);
        for (index, card) in ballot.standing().collect::<Vec<_>>() {
            let mut state = state.clone();
            state.play(card).expect("the card is legal");
            let end = play_on(policy, state, self.until);
            let (score, made) = if end.is_over() {
                result(payoff, rules, self.contract, &end)
            } else {
                let points = solve_value(solver, rules, payoff, &end);
                (payoff.at(points), payoff.is_made_at(points))
            };
            ballot.count(index, score, made);
        }
    }
}
