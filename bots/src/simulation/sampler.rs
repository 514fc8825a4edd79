//! Deals that fit what a seat knows, the likelier the calls of the others are in them the more often.

use coinche_engine::{Call, Deal, DealState, Key, Seat, View};
use rand_xoshiro::rand_core::Rng;

use super::guide::Guide;
use super::reader::{SideReader, SideReading};
use crate::families::untrained;
use crate::search::POPULATION_PARAM;
use crate::worlds::{Worlds, retell, unit};
use crate::{Bidder, Choice, ParamError, ParamInfo, Params, RulesBidder};

/// How many deals are drawn for one that is looked at, where nothing else is said.
const POOL: u32 = 12;

/// What is evidence, by whose calls the others and the partner are read, and how many deals are drawn for one.
pub(crate) const READING_PARAMS: [ParamInfo; 5] = *params! {
    "read" = "calls", "none or calls", "evidence about the hidden cards: none, or the calls";
    "model" = "own", "population, rules, table, net, or a system: system:name=NAME or system:file=FILE; or own",
        "the bidder that models how the others call, for reading; own: the one that finds the calls to look at";
    "partner" = "model", "as model, or model: the same as for the others",
        "the bidder that models how the partner calls, for reading";
    POPULATION_PARAM;
    "pool" = "12", "1 to 1000", "worlds sampled for each one searched; likely ones are taken more often";
};

/// How many deals are drawn for one that is looked at, where the others have called.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pool(pub u32);

impl Pool {
    /// Draws deals that fit, and returns what `weigh` makes of one of them: the likelier, the more often. `weigh` returns `None` of
    /// a deal in which somebody could not have acted as it did.
    pub fn draw<T>(
        self,
        view: &View<'_>,
        worlds: &Worlds<'_>,
        rng: &mut impl Rng,
        mut weigh: impl FnMut(Deal) -> Option<(T, f64)>,
    ) -> Option<T> {
        let (mut chosen, mut sum) = (None, 0.0);
        let silent = view.auction().calls().iter().all(|(seat, _)| *seat == view.seat());
        for _ in 0..if silent { 1 } else { self.0 } {
            if let Some((world, weight)) = weigh(worlds.deal(rng)) {
                sum += weight;
                if unit(rng) * sum < weight || chosen.is_none() {
                    chosen = Some(world);
                }
            }
        }
        chosen
    }
}

/// How worlds are drawn.
#[derive(Debug, Clone)]
pub(crate) struct Sampling {
    pool: Pool,
    /// Who is taken to make the calls of the partner, and of the opponents.
    reading: [SideReading; 2],
}

impl Default for Sampling {
    fn default() -> Self {
        Self { pool: Pool(POOL), reading: [SideReading::Own, SideReading::Own] }
    }
}

impl Sampling {
    /// Reads the parameters.
    pub(crate) fn from_params(params: &Params) -> Result<Self, ParamError> {
        let pool = params.number("pool", 1..=1000)?;
        let pool = if params.either("read", ["calls", "none"])? { pool } else { 1 };
        Ok(Self { pool: Pool(pool), reading: SideReading::from_params(params)? })
    }

    /// Makes what draws them.
    pub(crate) fn sampler(&self) -> Sampler {
        let [partner, others] = &self.reading;
        Sampler { pool: self.pool, partner: partner.reader(), others: others.reader() }
    }
}

/// Draws worlds.
#[derive(Debug)]
pub(crate) struct Sampler {
    pool: Pool,
    partner: SideReader,
    others: SideReader,
}

impl Sampler {
    /// Draws a few deals that fit, and returns the state of one of them: the likelier the calls of the others are in it, the
    /// more often.
    pub(super) fn draw(
        &mut self,
        view: &View<'_>,
        worlds: &Worlds<'_>,
        guide: &mut Guide,
        rng: &mut impl Rng,
    ) -> Option<DealState> {
        let (own, is_read) = (view.seat(), untrained(view.rules()).is_none());
        self.pool.draw(view, worlds, rng, |deal| {
            let mut weight = 1.0;
            let state = retell(view, &deal, |state, seat, decision| {
                if let (true, Choice::Call(call)) = (seat != own, decision) {
                    let reader = if seat == own.partner() { &mut self.partner } else { &mut self.others };
                    weight *= if is_read {
                        reader.likelihood(guide, state, seat, call)
                    } else {
                        likelihood_by_rules(state, seat, call)
                    };
                }
            });
            Some((state?, weight))
        })
    }
}

/// How likely a call is that `rules` would not make, as to one that it would, where the guide has not met the rules.
const UNEXPECTED: f64 = 0.05;

/// The likelihood of a call by `rules`, up to a factor.
fn likelihood_by_rules(state: &DealState, seat: Seat, call: Call) -> f64 {
    let expected = RulesBidder::default().call(&state.view(seat), &state.legal_calls(), Key::from_bits(0));
    if expected == call { 1.0 } else { UNEXPECTED }
}

#[cfg(test)]
mod tests {
    use coinche_engine::{CardSet, Deck, Rank, RuleSet};

    use super::*;
    use crate::DdBidder;

    /// In which share of so many worlds that seat 2 draws after these calls a seat has cards of which this holds.
    fn share(
        rules: &RuleSet,
        calls: &[&str],
        params: &str,
        n: u32,
        holds: impl Fn(&DealState) -> bool,
    ) -> f64 {
        let deal = Deal::new(&rules.deal, Deck::shuffled(5, 3), Seat::S3);
        let mut state = DealState::new(rules, &deal);
        for call in calls {
            state.call(call.parse().unwrap()).unwrap();
        }
        state.suppose(Seat::S2, "7S 8S KS QC 8C 7C QD 7H".parse().unwrap());
        let view = state.view(Seat::S2);
        assert_eq!(state.turn(), coinche_engine::Turn::Call(Seat::S2));
        let worlds = Worlds::of(&view);
        let params = Params::parse("dd", DdBidder::PARAMS, params).unwrap();
        let mut sampler = Sampling::from_params(&params).unwrap().sampler();
        let (mut guide, mut rng) = (Guide::Table(Box::default()), Key::from_bits(4).rng());
        let mut draw = || holds(&sampler.draw(&view, &worlds, &mut guide, &mut rng).unwrap());
        (0..n).map(|_| f64::from(u8::from(draw()))).sum::<f64>() / f64::from(n)
    }

    /// The name of a system that has one rule, in a directory.
    fn system(dir: &tempfile::TempDir, rule: &str) -> String {
        let path = dir.path().join("x.toml");
        std::fs::write(&path, format!("name = \"x\"\nfloor = \"pass\"\n[[rule]]\n{rule}\n")).unwrap();
        format!("system:file={}", path.display())
    }

    #[test]
    fn worlds_that_contradict_the_partners_system_are_hardly_drawn() {
        let dir = tempfile::tempdir().unwrap();
        let system = system(&dir, "when = \"opening and J9A\"\ncall = 100");
        let tops: CardSet = "JH 9H AH".parse().unwrap();
        let promised = |calls: &[&str], opener: Seat, params: &str| {
            let has_tops = |world: &DealState| tops.is_subset(world.hands()[opener]);
            share(&RuleSet::CONTREE, calls, &format!("pool=300{params}"), 200, has_tops)
        };
        // The seat that reads is the opener's partner, or the opponent behind it.
        let of_partner = |params: &str| promised(&["100H", "P"], Seat::S0, params);
        let of_opponent = |params: &str| promised(&["P", "100H"], Seat::S1, params);
        let (default, opponents) = (of_partner(""), of_opponent(""));
        assert!(default < 0.7 && opponents < 0.7, "{default} {opponents}");
        for (share, is_read) in [
            (of_partner(&format!(",partner={system}")), true),
            (of_partner(&format!(",model={system}")), true),
            (of_partner(&format!(",model={system},partner=table")), false),
            (of_opponent(&format!(",model={system}")), true),
            (of_opponent(&format!(",partner={system}")), false),
        ] {
            assert_eq!(share > 0.9, is_read, "{share}, by default {default} and {opponents}");
        }
    }

    #[test]
    fn a_signal_pass_of_the_partners_system_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let system = system(&dir, "when = \"opening and aces >= 2\"\ncall = \"wait\"");
        let two_aces = |world: &DealState| (world.hands()[Seat::S0] & CardSet::rank(Rank::Ace)).len() >= 2;
        let params = format!("pool=60,partner={system}");
        let [waits, passes] =
            ["W", "P"].map(|call| share(&RuleSet::COINCHEE, &[call, "P"], &params, 100, two_aces));
        assert!(waits > 0.95 && passes < 0.05, "{waits} {passes}");
    }
}
