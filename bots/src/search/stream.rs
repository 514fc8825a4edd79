//! The worlds of one decision, one after the other.

use core::time::Duration;
use std::sync::Arc;

use coinche_engine::{BySeat, CardSet, Key};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Limits, SearchSettings, Stopwatch};
use crate::net::reading::Population;
use crate::system::{self, System, SystemBidder};
use crate::worlds::{CallReader, Component, Draws, OpponentModel, Weigher, Worlds, shuffle, unit};
use crate::{
    Bidder, CardPlayer, NetBidder, NetPlayer, ParamError, ParamInfo, Params, RulesBidder, RulesPlayer,
    TableBidder,
};

/// The parameter that says which population it is.
pub(crate) const POPULATION_PARAM: ParamInfo = params! {
    "population" = "built-in", "a file that `arena train reading` has made, or built-in",
        "the network of model=population";
}[0];

/// The parameters that say which worlds are likely.
pub(crate) const READ_PARAMS: [ParamInfo; 5] = *params! {
    "read" = "all", "none, calls, all or net",
        "evidence about the hidden cards: none, the calls, or calls and cards, compared with the cards of rules (all) or also with what net takes them to be worth (net)";
    "model" = "population", "population, rules, table, net, or a system: system:name=NAME or system:file=FILE",
        "the bidder that models how the others call, for reading; population: unknown bidders";
    "pool" = "200", "1 to 1000000", "the most worlds sampled for one that is likely enough to be searched";
    "partner" = "model", "as model, or model: the same as for the others",
        "the bidder that models how the partner calls";
    POPULATION_PARAM;
};

/// What is read as evidence of the hidden cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    Nothing,
    Calls,
    CallsAndCards,
    /// Cards also by what `net` takes them to be worth.
    Values,
}

/// Who is taken to make the calls of a seat.
#[derive(Debug, Clone)]
pub(crate) enum CallModel {
    Rules,
    Table,
    Net,
    /// The mixture for unknown bidders.
    Population(Arc<Population>),
    System(Arc<System>),
}

impl CallModel {
    /// Reads a parameter.
    pub(crate) fn from_params(params: &Params, name: &str) -> Result<Self, ParamError> {
        match params.text(name) {
            "rules" => Ok(Self::Rules),
            "table" => Ok(Self::Table),
            "net" => Ok(Self::Net),
            "population" => Ok(Self::Population(Population::of_param(params, "population")?)),
            _ => Ok(Self::System(Arc::new(system::of_param(params, name)?))),
        }
    }

    /// Makes what reads the calls: one, or several of which it may be any.
    pub(crate) fn readers(&self) -> Vec<Component> {
        let rules = || Box::new(RulesBidder::default());
        let alone: Box<dyn Bidder> = match self {
            Self::Population(network) => return Component::unknown_bidder(rules(), Arc::clone(network)),
            Self::Rules => rules(),
            Self::Table => Box::new(TableBidder::default()),
            Self::Net => Box::new(NetBidder::default()),
            Self::System(system) => Box::new(SystemBidder::new(Arc::clone(system))),
        };
        vec![Component { weight: 1.0, reader: CallReader::Bot(alone) }]
    }
}

/// What is read, and by whose calls.
#[derive(Debug, Clone)]
pub(crate) struct Reads {
    reading: Reading,
    others: CallModel,
    /// Where the partner is another.
    partner: Option<CallModel>,
}

impl Reads {
    /// Reads the parameters `read`, `model` and `partner`.
    pub(crate) fn from_params(params: &Params) -> Result<Self, ParamError> {
        let reading = match params.text("read") {
            "none" => Reading::Nothing,
            "calls" => Reading::Calls,
            "all" => Reading::CallsAndCards,
            "net" => Reading::Values,
            _ => return Err(params.illegal("read")),
        };
        let others = CallModel::from_params(params, "model")?;
        let partner = match params.text("partner") {
            "model" => None,
            _ => Some(CallModel::from_params(params, "partner")?),
        };
        Ok(Self { reading, others, partner })
    }

    /// Returns how the others are taken to bid and play.
    fn model(&self) -> Option<OpponentModel> {
        let cards: Option<Box<dyn CardPlayer>> = match self.reading {
            Reading::Nothing => return None,
            Reading::Calls => None,
            Reading::CallsAndCards | Reading::Values => Some(Box::new(RulesPlayer)),
        };
        let mut model = OpponentModel::of(self.others.readers(), cards);
        if self.reading == Reading::Values {
            model = model.with_values(NetPlayer::default());
        }
        Some(match &self.partner {
            Some(partner) => model.with_partner(partner.readers()),
            None => model,
        })
    }
}

/// Makes the model of the others that a search with these parameters has, as `read=all,model=rules`; none where nothing is read.
///
/// # Errors
///
/// When a parameter is none of `read`, `model`, `partner` and `population`, or cannot have this value.
pub fn opponent_model(params: &str) -> Result<Option<OpponentModel>, ParamError> {
    let known: Vec<ParamInfo> = READ_PARAMS.into_iter().filter(|param| param.name != "pool").collect();
    Ok(Reads::from_params(&Params::parse("read", &known, params)?)?.model())
}

/// How worlds are drawn and weighed.
#[derive(Debug)]
pub(crate) struct Source {
    model: Option<OpponentModel>,
    pool: u32,
    limits: Limits,
}

/// All worlds are listed, not drawn, where there are so many at most; fewer where each is weighed.
const LISTED: usize = 400;
const LISTED_AND_WEIGHED: usize = 128;
/// A list of worlds to draw from again and again takes this share of the time, and has so many at most.
const FILLING: f64 = 0.2;
const MOST: usize = 4096;

impl Source {
    /// Makes the source of a player's worlds.
    pub(crate) fn new(settings: &SearchSettings) -> Self {
        Self { model: settings.reads.model(), pool: settings.pool, limits: settings.worlds }
    }

    /// Weighs worlds by this model of the others.
    pub(crate) fn set_model(&mut self, model: OpponentModel) {
        self.model = Some(model);
    }

    /// Limits the time of the next decision.
    pub(crate) const fn set_time(&mut self, time: Duration) {
        self.limits = self.limits.within(time);
    }

    /// Starts the worlds of a decision.
    pub(crate) fn stream<'a, 's>(
        &'s mut self,
        worlds: Worlds<'a>,
        watch: Stopwatch,
        key: Key,
    ) -> Stream<'a, 's> {
        let (mut rng, limits) = (key.rng(), self.limits);
        let listed = if self.model.is_some() { LISTED_AND_WEIGHED } else { LISTED };
        let listed = worlds.all(limits.count().min(listed));
        let is_listed = listed.is_some();
        let mut list: Vec<_> = listed.unwrap_or_default().into_iter().map(|hands| (hands, 1.0)).collect();
        // In any order: time may be over before the last.
        shuffle(&mut list, &mut rng);
        let mut draws = None;
        match &mut self.model {
            Some(model) if is_listed => {
                let mut weigher = Weigher::new(&worlds, model);
                for (hands, weight) in &mut list {
                    *weight = weigher.weight(&worlds, hands, 0.0, &mut rng);
                }
                // The likely ones first.
                list.sort_by(|a, b| b.1.total_cmp(&a.1));
            }
            Some(model) => draws = Some(Draws::new(&worlds, model, self.pool)),
            None => {}
        }
        Stream { worlds, rng, list, sums: Vec::new(), next: 0, is_listed, draws, limits, watch }
    }
}

/// The worlds of one decision.
pub(crate) struct Stream<'a, 's> {
    worlds: Worlds<'a>,
    rng: Xoshiro256PlusPlus,
    /// All worlds, or those to draw from again and again.
    list: Vec<(BySeat<CardSet>, f64)>,
    /// Of the weights of the list, up to and with each; none until they are asked for.
    sums: Vec<f64>,
    next: usize,
    is_listed: bool,
    /// How worlds are drawn where they are weighed.
    draws: Option<Draws<'a, 's>>,
    limits: Limits,
    watch: Stopwatch,
}

impl Stream<'_, '_> {
    /// Returns the next world with its weight; `None` where all were seen.
    pub(crate) fn next(&mut self) -> Option<(BySeat<CardSet>, f64)> {
        if self.is_listed {
            self.next += 1;
            return self.list.get(self.next - 1).copied();
        }
        Some(match &mut self.draws {
            None => (self.worlds.hands(&mut self.rng), 1.0),
            Some(draws) => draws.next(&self.worlds, &mut self.rng),
        })
    }

    /// Returns a world by the weights, as often as it is asked, for a search that sees a world many times.
    pub(crate) fn draw(&mut self) -> BySeat<CardSet> {
        if !self.is_listed && self.draws.is_none() {
            return self.worlds.hands(&mut self.rng);
        }
        if self.sums.is_empty() {
            self.fill();
        }
        let place = unit(&mut self.rng) * self.sums.last().copied().unwrap_or_default();
        let at = self.sums.partition_point(|upto| *upto <= place).min(self.list.len() - 1);
        self.list[at].0
    }

    fn fill(&mut self) {
        if let Some(draws) = &mut self.draws {
            let most = self.limits.count().min(MOST);
            while self.list.len() < most
                && (self.list.is_empty() || !self.limits.is_over(self.watch, FILLING))
            {
                self.list.push(draws.next(&self.worlds, &mut self.rng));
            }
        }
        let mut sum = 0.0;
        let add = |(_, weight): &(BySeat<CardSet>, f64)| {
            sum += weight;
            sum
        };
        self.sums = self.list.iter().map(add).collect();
    }

    /// Tests if all worlds are listed.
    pub(crate) const fn is_listed(&self) -> bool {
        self.is_listed
    }

    /// Returns the worlds that they are drawn from.
    pub(crate) const fn worlds(&self) -> &Worlds<'_> {
        &self.worlds
    }
}
