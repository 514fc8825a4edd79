//! One table: four bots, a referee, one leg at a time.
//!
//! A table belongs to one thread and is reused for all its legs: the bots are built once, the state of the deal keeps
//! its memory, and a decision allocates nothing.
//!
//! # Faults
//!
//! An illegal answer is recorded as a fault and replaced: by a pass (by the first legal call if a pass is illegal), by
//! the first legal card in the order of [`CardSet`](coinche_engine::CardSet), by the announcement with the most points.
//! A panic is recorded as a crash and **forfeits the deal**: play stops, the bot's team scores nothing, and the other
//! team scores [`forfeit`](crate::play::played::forfeit) (the flat part of a failed contract and the value of a capot);
//! the bots of the seating are rebuilt and the run continues. Programs sit at tables of their own, which follow the
//! same rules.

use core::ops::Range;

use coinche_bots::{Bot, BotSpec};
use coinche_engine::record::FaultKind;
use coinche_engine::{ByTeam, Deal, DealState, Deck, PastDeal, RuleSet, Seat};

use crate::base::guard::{BotPanic, guarded, silence_bots};
use crate::play::lineup::Lineup;
use crate::play::match_run::MatchRun;
use crate::play::played::{Ending, InMatch, LegResult, PlayedDeal, Scribe};
use crate::play::schedule::{Leg, Schedule, Side, Unit};
use crate::play::seating::{KeyStream, Seating};

/// Builds the bot of a side at a seat.
type MakeBot = dyn Fn(Side, Seat) -> Bot + Send;

/// A table with the bots of both seatings.
pub struct Table {
    rules: RuleSet,
    schedule: Schedule,
    make: Box<MakeBot>,
    seatings: [Seating; 2],
    state: DealState,
    past: Vec<PastDeal>,
    /// The lineup, unless the bots were given by a function alone.
    lineup: Option<Lineup>,
}

impl Table {
    /// Creates a table for two bots of the registry.
    pub fn new(rules: &RuleSet, schedule: Schedule, bots: [BotSpec; 2]) -> Self {
        Self::set(rules, schedule, Lineup::of_bots(bots))
    }

    /// Creates a table for a lineup without programs.
    pub fn set(rules: &RuleSet, schedule: Schedule, lineup: Lineup) -> Self {
        let bots = lineup.clone();
        Self::of_lineup(rules, schedule, lineup, move |side, seat| bots.build(side, seat))
    }

    /// Creates a table for a lineup without programs whose bots `make` builds.
    pub fn of_lineup(
        rules: &RuleSet,
        schedule: Schedule,
        lineup: Lineup,
        make: impl Fn(Side, Seat) -> Bot + Send + 'static,
    ) -> Self {
        Self { lineup: Some(lineup), ..Self::built(rules, schedule, make) }
    }

    /// Creates a table for bots that `make` builds: for each seat of both seatings at the start, and again for a
    /// seating in which one has crashed.
    pub fn with_bots(
        rules: &RuleSet,
        schedule: Schedule,
        make: impl Fn(Side) -> Bot + Send + 'static,
    ) -> Self {
        Self::built(rules, schedule, move |side, _| make(side))
    }

    fn built(rules: &RuleSet, schedule: Schedule, make: impl Fn(Side, Seat) -> Bot + Send + 'static) -> Self {
        silence_bots();
        let deal = Deal::new(&rules.deal, Deck::sorted(), Seat::S0);
        Self {
            rules: *rules,
            schedule,
            seatings: [0, 1].map(|leg| Seating::build(&make, leg)),
            make: Box::new(make),
            state: DealState::new(rules, &deal),
            past: Vec::new(),
            lineup: None,
        }
    }

    /// Plays a range of pairs; the scribe receives their deals and results in order.
    pub fn play_pairs(&mut self, pairs: Range<u64>, scribe: &mut dyn Scribe) {
        for index in pairs {
            let legs = self.play_pair(index, scribe);
            scribe.pair(index, &legs);
        }
    }

    /// Plays both legs of a deal or match.
    pub fn play_pair(&mut self, index: u64, scribe: &mut dyn Scribe) -> [LegResult; 2] {
        let legs = self.schedule.pair(index);
        match self.schedule.unit {
            Unit::Deal => {
                let deal = self.schedule.deal(&self.rules.deal, index);
                let keys = self.schedule.keys(index).0.map(KeyStream::new);
                let [first, second] = &legs;
                [self.play_leg(first, &deal, keys, scribe), self.play_leg(second, &deal, keys, scribe)]
            }
            Unit::Match => legs.map(|leg| self.play_match(&leg, scribe)),
        }
    }

    /// Plays the first leg of a deal alone: if all seats have the same bot, both legs have the same result.
    pub fn play_first_leg(&mut self, index: u64, scribe: &mut dyn Scribe) {
        let deal = self.schedule.deal(&self.rules.deal, index);
        let keys = self.schedule.keys(index).0.map(KeyStream::new);
        self.play_leg(&self.schedule.pair(index)[0], &deal, keys, scribe);
    }

    /// Plays a leg of a single deal.
    #[inline]
    fn play_leg(
        &mut self,
        leg: &Leg,
        deal: &Deal,
        keys: [KeyStream; 4],
        scribe: &mut dyn Scribe,
    ) -> LegResult {
        self.state.restart(deal);
        let (_, score) = self.play(leg, leg.index, None, keys, scribe);
        LegResult { score, winner: None }
    }

    /// Plays one deal, with the state already set up, and reports it.
    #[inline]
    fn play(
        &mut self,
        leg: &Leg,
        deal: u64,
        in_match: Option<InMatch>,
        keys: [KeyStream; 4],
        scribe: &mut dyn Scribe,
    ) -> (Ending, ByTeam<i32>) {
        let seating = &mut self.seatings[leg.leg as usize & 1];
        seating.faults.clear();
        seating.thoughts.clear();
        let state = &mut self.state;
        let played = match self.lineup.as_ref().and_then(Lineup::open) {
            None => guarded(|| seating.play(state, keys)),
            Some(open) => guarded(|| seating.bid(state, keys)).map(|()| open.play_out(state)),
        };
        let ending = match played {
            Ok(()) => Ending::Regular(self.state.outcome().expect("the deal is over")),
            Err(BotPanic(detail)) => {
                let seat = seating.asking;
                seating.fault(seat, FaultKind::Crash, detail);
                let Seating { faults, thoughts, .. } =
                    core::mem::replace(seating, Seating::build(&*self.make, leg.leg));
                (seating.faults, seating.thoughts) = (faults, thoughts);
                Ending::Forfeit(seat)
            }
        };
        let score = ending.score(&self.rules);
        let Seating { faults, thoughts, .. } = &self.seatings[leg.leg as usize & 1];
        scribe.deal(&PlayedDeal { leg, deal, in_match, state: &self.state, ending, score, faults, thoughts });
        (ending, score)
    }

    /// Plays one leg of a match.
    fn play_match(&mut self, leg: &Leg, scribe: &mut dyn Scribe) -> LegResult {
        let mut game = MatchRun::new(&self.rules, &self.schedule, *leg, core::mem::take(&mut self.past));
        loop {
            let (id, in_match, keys) = game.next_deal(&mut self.state);
            let (ending, score) = self.play(leg, id, Some(in_match), keys, scribe);
            if game.add(&self.state, &ending, score) {
                let result = game.result();
                self.past = game.into_past();
                return result;
            }
        }
    }
}
