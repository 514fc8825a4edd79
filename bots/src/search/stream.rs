//! The worlds of one decision, one after the other.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use coinche_engine::{BySeat, CardSet, Key, View};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng as _;

use super::{Limits, Stopwatch};
use crate::worlds::{Reading, Worlds};
use crate::{BotSpec, ParamInfo, Params, ParseBotError};

/// The parameters that say which worlds are likely.
pub(crate) const READ_PARAMS: [ParamInfo; 3] = [
    ParamInfo {
        name: "read",
        default: "all",
        legal: "none, calls or all",
        about: "what is read as evidence of the hidden cards: nothing, the calls, calls and cards",
    },
    ParamInfo {
        name: "model",
        default: "rules",
        legal: "the name of a bot that answers without randomness: rules",
        about: "how the others are taken to bid and play when that is read",
    },
    ParamInfo {
        name: "pool",
        default: "8",
        legal: "1 to 1000",
        about: "how many worlds are drawn and weighed for each that is searched",
    },
];

/// How worlds are drawn and weighed.
#[derive(Debug)]
pub(crate) struct Source {
    reading: Option<Reading>,
    pool: usize,
}

/// The share of the time of a decision in which worlds are weighed.
const WEIGHING: f64 = 0.2;
/// All worlds are listed, not drawn, where there are so many at most.
const LISTED: usize = 400;
/// The fewest and the most worlds in a pool, when time is what limits it.
const FEWEST: usize = 16;
const MOST_POOLED: usize = 1 << 16;

impl Source {
    /// Reads the parameters.
    ///
    /// # Errors
    ///
    /// When one of them is not legal.
    pub(crate) fn from_params(params: &Params) -> Result<Self, ParseBotError> {
        let model = params.text("model");
        if model != "rules" {
            return Err(params.illegal("model"));
        }
        let model = || model.parse::<BotSpec>().map(|spec| spec.build());
        let reading = match params.text("read") {
            "none" => None,
            "calls" => Some(Reading::new(model()?.bidder, None)),
            "all" => model().map(|bot| Some(Reading::new(bot.bidder, bot.player.into_fair())))?,
            _ => return Err(params.illegal("read")),
        };
        Ok(Self { reading, pool: params.number("pool", 1..=1000)? })
    }

    /// Starts the worlds of a decision.
    pub(crate) fn stream<'a>(
        &mut self,
        view: &View<'a>,
        worlds: Worlds<'a>,
        limits: Limits,
        watch: Stopwatch,
        key: Key,
    ) -> Stream<'a> {
        let mut rng = key.rng();
        let listed = worlds.all(limits.count().min(LISTED));
        let kind = match (&listed, &self.reading) {
            (Some(_), _) => Kind::Listed,
            (None, None) => Kind::Drawn,
            (None, Some(_)) => Kind::Pooled,
        };
        let mut list: Vec<_> = listed.unwrap_or_default().into_iter().map(|hands| (hands, 1.0)).collect();
        // In any order: time may be over before the last.
        shuffle(&mut list, &mut rng);
        if let Some(reading) = &mut self.reading {
            let mut weigh = |hands: &BySeat<CardSet>, rng: &mut Xoshiro256PlusPlus| {
                reading.weight(view, &worlds.deal_of(hands, rng))
            };
            for (hands, weight) in &mut list {
                *weight = weigh(hands, &mut rng);
            }
            if kind == Kind::Pooled {
                let pool = limits.count().saturating_mul(self.pool).min(MOST_POOLED);
                while list.len() < pool && !(list.len() >= FEWEST && limits.is_over(watch, WEIGHING)) {
                    let hands = worlds.hands(&mut rng);
                    list.push((hands, weigh(&hands, &mut rng)));
                }
            }
            if list.iter().all(|(_, weight)| *weight <= 0.0) {
                // Nothing is likely: everything is as likely.
                for (_, weight) in &mut list {
                    *weight = 1.0;
                }
            }
        }
        let mut sum = 0.0;
        let add = |(_, weight): &(BySeat<CardSet>, f64)| {
            sum += weight;
            sum
        };
        let sums = list.iter().map(add).collect();
        Stream { worlds, rng, list, sums, next: 0, kind, met: HashMap::new() }
    }
}

fn shuffle<T>(list: &mut [T], rng: &mut Xoshiro256PlusPlus) {
    for n in (1..list.len()).rev() {
        let (_, at) = rng.next_u64().carrying_mul(n as u64 + 1, 0);
        list.swap(n, usize::try_from(at).unwrap_or(n));
    }
}

/// Where worlds come from.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// All there are, each once with its weight.
    Listed,
    /// Drawn one by one, all alike.
    Drawn,
    /// Out of a pool, by weight.
    Pooled,
}

/// The worlds of one decision.
pub(crate) struct Stream<'a> {
    worlds: Worlds<'a>,
    rng: Xoshiro256PlusPlus,
    list: Vec<(BySeat<CardSet>, f64)>,
    /// Of the weights of the list, up to and with each.
    sums: Vec<f64>,
    next: usize,
    kind: Kind,
    /// By place in the pool: the number of the world that came from there.
    met: HashMap<usize, usize>,
}

/// A world to search.
pub(crate) enum Next {
    /// A world with its weight.
    World(BySeat<CardSet>, f64),
    /// The world of this number once more, with the weight of one.
    Again(usize),
}

impl Stream<'_> {
    /// Returns the next world; `None` where all were seen.
    pub(crate) fn next(&mut self) -> Option<Next> {
        let n = self.next;
        self.next += 1;
        match self.kind {
            Kind::Drawn => Some(Next::World(self.worlds.hands(&mut self.rng), 1.0)),
            Kind::Listed => self.list.get(n).map(|(hands, weight)| Next::World(*hands, *weight)),
            Kind::Pooled => {
                // Numbers that fill the unit interval evenly, from a random start (the golden ratio's).
                let sum = *self.sums.last()?;
                #[expect(clippy::cast_precision_loss, reason = "numbers of worlds are small")]
                let place = (0.5 + n as f64 * 0.618_033_988_749_894_9).fract() * sum;
                let at = self.at(place);
                let number = self.met.len();
                match self.met.entry(at) {
                    Entry::Occupied(before) => Some(Next::Again(*before.get())),
                    Entry::Vacant(place) => {
                        place.insert(number);
                        Some(Next::World(self.list[at].0, 1.0))
                    }
                }
            }
        }
    }

    /// Returns a world by the weights, as often as it is asked, for a search that sees a world many times.
    pub(crate) fn draw(&mut self) -> BySeat<CardSet> {
        match self.sums.last() {
            None => self.worlds.hands(&mut self.rng),
            Some(sum) => {
                #[expect(clippy::cast_precision_loss, reason = "53 bits are enough to choose a world")]
                let share = (self.rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
                self.list[self.at(share * sum)].0
            }
        }
    }

    /// Returns the worlds that they are drawn from.
    pub(crate) const fn worlds(&self) -> &Worlds<'_> {
        &self.worlds
    }

    /// The place in the list where the sum of the weights passes a number.
    fn at(&self, place: f64) -> usize {
        self.sums.partition_point(|upto| *upto <= place).min(self.list.len() - 1)
    }
}
