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
    use coinche_engine::{Card, Deck, Rank, RuleSet, Suit};

    use super::*;
    use crate::DdBidder;

    /// In which share of the worlds drawn with these parameters the seat that opened with 100 has jack, nine and ace of its suit.
    fn promised(params: &str, opener: Seat) -> f64 {
        let rules = RuleSet::CONTREE;
        // The seat that reads is the opener's partner, or the opponent behind it.
        let deal = Deal::new(&rules.deal, Deck::shuffled(5, 3), Seat::S3);
        let mut state = DealState::new(&rules, &deal);
        for _ in 0..opener as usize {
            state.call(Call::Pass).unwrap();
        }
        state.call("100H".parse().unwrap()).unwrap();
        if opener == Seat::S0 {
            state.call(Call::Pass).unwrap();
        }
        state.suppose(Seat::S2, "7S 8S KS QC 8C 7C QD 7H".parse().unwrap());
        let view = state.view(Seat::S2);
        assert_eq!(state.turn(), coinche_engine::Turn::Call(Seat::S2));
        let worlds = Worlds::of(&view);
        let params = Params::parse("dd", DdBidder::PARAMS, params).unwrap();
        let mut sampler = Sampling::from_params(&params).unwrap().sampler();
        let (mut guide, mut rng) = (Guide::Table(Box::default()), Key::from_bits(4).rng());
        let tops: coinche_engine::CardSet = [Rank::Jack, Rank::Nine, Rank::Ace]
            .into_iter()
            .map(|rank| Card::new(Suit::Hearts, rank))
            .collect();
        let drawn = (0..200).map(|_| {
            let world = sampler.draw(&view, &worlds, &mut guide, &mut rng).unwrap();
            f64::from(u8::from(tops.is_subset(world.hands()[opener])))
        });
        drawn.sum::<f64>() / 200.0
    }

    #[test]
    fn worlds_that_contradict_the_partners_system_are_hardly_drawn() {
        let text = "name = \"x\"\nfloor = \"pass\"\n[[rule]]\nwhen = \"opening and J9A\"\ncall = 100\n";
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.toml");
        std::fs::write(&path, text).unwrap();
        let system = format!("system:file={}", path.display());
        let of_partner = |params: &str| promised(&format!("pool=300{params}"), Seat::S0);
        let of_opponent = |params: &str| promised(&format!("pool=300{params}"), Seat::S1);
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
        let text =
            "name = \"x\"\nfloor = \"pass\"\n[[rule]]\nwhen = \"opening and aces >= 2\"\ncall = \"wait\"\n";
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.toml");
        std::fs::write(&path, text).unwrap();
        let params = format!("pool=60,partner=system:file={}", path.display());
        let params = Params::parse("dd", DdBidder::PARAMS, &params).unwrap();
        let aces: coinche_engine::CardSet =
            Suit::ALL.into_iter().map(|suit| Card::new(suit, Rank::Ace)).collect();
        let share = |made: Call| {
            let rules = RuleSet::COINCHEE;
            let mut state = DealState::new(&rules, &Deal::new(&rules.deal, Deck::shuffled(5, 3), Seat::S3));
            for call in [made, Call::Pass] {
                state.call(call).unwrap();
            }
            state.suppose(Seat::S2, "7S 8S KS QC 8C 7C QD 7H".parse().unwrap());
            let view = state.view(Seat::S2);
            let worlds = Worlds::of(&view);
            let mut sampler = Sampling::from_params(&params).unwrap().sampler();
            let (mut guide, mut rng) = (Guide::Table(Box::default()), Key::from_bits(4).rng());
            let mut two = |_: usize| {
                let world = sampler.draw(&view, &worlds, &mut guide, &mut rng).unwrap();
                (world.hands()[Seat::S0] & aces).len() >= 2
            };
            (0..100_usize).filter(|n| two(*n)).count()
        };
        let [waits, passes] = [Call::Wait, Call::Pass].map(share);
        assert!(waits > 95 && passes < 5, "{waits} {passes}");
    }
}
