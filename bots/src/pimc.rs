//! `pimc`: perfect information Monte Carlo (Ginsberg 1999; Long, Sturtevant, Buro & Furtak 2010).

use coinche_engine::{Card, CardSet, Key, Solver, View};

use crate::search::{Decision, EQUITY_PARAM, Limits, READ_PARAMS, Source, TIME_PARAM, solve, wants_equity};
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
    /// Whether the match is to be won.
    equity: bool,
    /// Whether bad cards are dropped early.
    strikes: bool,
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
        ParamInfo {
            name: "strike",
            default: "yes",
            legal: "yes or no",
            about: "whether cards that are behind for certain are searched no longer; to judge, all should be",
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
        Ok(Self {
            limits: Limits::from_params(params, "worlds")?,
            source: Source::from_params(params)?,
            equity: wants_equity(params)?,
            strikes: match params.text("strike") {
                "yes" => true,
                "no" => false,
                _ => return Err(params.illegal("strike")),
            },
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
        let Decision { mut situation, worlds, mut ballot, watch } =
            match Decision::new(view, legal, self.equity) {
                Ok(decision) => decision,
                Err(card) => return card,
            };
        let mut stream = self.source.stream(worlds, self.limits, watch, key);
        for _ in 0..self.limits.count() {
            let Some((hands, weight)) = stream.next() else { break };
            ballot.world(weight);
            solve(&mut self.solver, &mut situation, &hands, &mut ballot);
            if self.strikes {
                ballot.strike();
            }
            if ballot.is_decided() || self.limits.is_over(watch, 1.0) {
                break;
            }
        }
        self.thought = Some(situation.tell(ballot.thought()));
        ballot.choice()
    }

    fn thinks(&self) -> bool {
        true
    }

    fn thought(&self) -> Option<&Thought> {
        self.thought.as_ref()
    }
}
