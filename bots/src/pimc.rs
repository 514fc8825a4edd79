//! `pimc`: perfect information Monte Carlo (Ginsberg 1999; Long, Sturtevant, Buro & Furtak 2010).

use coinche_engine::{Card, CardSet, Key, Solver, View};

use crate::search::{Ballot, Limits, Next, READ_PARAMS, Situation, Source, Stopwatch, TIME_PARAM};
use crate::worlds::Worlds;
use crate::{CardPlayer, ParamInfo, Params, ParseBotError, Thought};

/// Draws deals that fit what the seat knows, solves each with open cards, and plays the card whose score of the
/// deal has the best mean.
///
/// The score is that of the rule set and the contract with its stake, not a count of points: what does not
/// change it is not searched ([`crate::search::Payoff`]). Cards that cannot win any more are dropped early, and
/// of cards that do the same one is searched. Worlds are weighed by what the others called and played.
#[derive(Debug)]
pub struct PimcPlayer {
    limits: Limits,
    source: Source,
    solver: Solver,
    thought: Option<Thought>,
}

impl PimcPlayer {
    /// The parameters in the registry.
    pub const PARAMS: &'static [ParamInfo] = &[
        ParamInfo {
            name: "worlds",
            default: "40",
            legal: "1 to 1000000",
            about: "how many worlds are searched for a decision, unless time is given alone",
        },
        TIME_PARAM,
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
        Ok(Self {
            limits: Limits::from_params(params, "worlds")?,
            source: Source::from_params(params)?,
            solver: Solver::new(),
            thought: None,
        })
    }
}

impl CardPlayer for PimcPlayer {
    fn start(&mut self) {
        self.thought = None;
    }

    fn play(&mut self, view: &View<'_>, legal: CardSet, key: Key) -> Card {
        self.thought = None;
        let only = legal.first().expect("there is a legal card");
        let Some(mut situation) = Situation::of(view).filter(|_| legal.len() > 1) else { return only };
        let watch = Stopwatch::start();
        let worlds = Worlds::of(view);
        let mut ballot = Ballot::new(situation.candidates(legal, worlds.in_order(legal)));
        if ballot.is_decided() {
            return ballot.choice();
        }
        let mut stream = self.source.stream(view, worlds, self.limits, watch, key);
        for _ in 0..self.limits.count() {
            match stream.next() {
                None => break,
                Some(Next::Again(world)) => ballot.again(world),
                Some(Next::World(hands, weight)) => {
                    ballot.world(weight);
                    self.search(&mut situation, &hands, &mut ballot);
                    ballot.strike();
                }
            }
            if ballot.is_decided() || self.limits.is_over(watch, 1.0) {
                break;
            }
        }
        self.thought = Some(ballot.thought());
        ballot.choice()
    }

    fn thinks(&self) -> bool {
        true
    }

    fn thought(&self) -> Option<&Thought> {
        self.thought.as_ref()
    }
}

impl PimcPlayer {
    /// Solves a world for the cards that stand.
    fn search(
        &mut self,
        situation: &mut Situation<'_>,
        hands: &coinche_engine::BySeat<CardSet>,
        ballot: &mut Ballot,
    ) {
        let (play, taken, rules) = (situation.play(hands), situation.taken(), situation.rules());
        let payoff = situation.payoff(hands);
        let standing: Vec<(usize, Card)> = ballot.standing().collect();
        if payoff.is_settled() {
            for (index, _) in standing {
                ballot.count(index, payoff.at(0), payoff.is_made_at(0));
            }
            return;
        }
        self.solver.set_prizes(payoff.prizes());
        let (low, high) = payoff.window();
        let cards = standing.iter().map(|(_, card)| *card).collect();
        self.solver.values_within(rules, &play, cards, low - taken, high - taken, |card, value| {
            let (index, _) = standing.iter().find(|(_, other)| *other == card).expect("a card that stands");
            ballot.count(*index, payoff.at(taken + value), payoff.is_made_at(taken + value));
        });
    }
}
