//! The tables of one thread: each two bidders against each other, and each bidder with itself.

use coinche_selfplay::{Ending, Lineup, PlayedDeal, Scribe, Tally};
use core::ops::Range;

use coinche_bots::TeamSpec;
use coinche_engine::{Call, Contract, Outcome, Seat};

use super::loss::{LossJudge, Losses};
use coinche_protocol::{MixedTable, ProgramLost, StderrLog};
use coinche_runs::RunConfig;

/// Consecutive deals at all tables.
pub(super) struct Chunk {
    /// The first deal.
    pub(super) start: u64,
    /// By encounter.
    pub(super) tallies: Vec<Tally>,
    pub(super) deals: Vec<Deal>,
}

/// One deal at all tables.
pub(super) struct Deal {
    /// By encounter, twice the paired difference.
    pub(super) doubled: Vec<i64>,
    /// By bidder, with itself at all seats.
    pub(super) own: Vec<Own>,
    /// By team, whether it can take all tricks, if capot can be bid.
    pub(super) slams: Option<[bool; 2]>,
}

/// A deal with the same bidder at all seats.
#[derive(Debug, Clone, Copy)]
pub(super) struct Own {
    pub(super) end: End,
    /// What each team lost in the auction, if it can be judged.
    pub(super) losses: Option<Losses>,
}

/// The outcome of a deal.
#[derive(Debug, Clone, Copy)]
pub(super) enum End {
    ThrownIn,
    Forfeited,
    Played {
        contract: Contract,
        made: bool,
        /// The declarers' score less the defenders'.
        difference: i32,
        /// The chance that the declarer predicted with the bid that became the contract.
        told: Option<f64>,
    },
}

/// All tables of a thread.
pub(super) struct Tables<'a> {
    config: &'a RunConfig,
    /// By encounter.
    duels: Vec<MixedTable>,
    /// By bidder.
    own: Vec<MixedTable>,
    judge: LossJudge,
}

impl<'a> Tables<'a> {
    pub(super) fn new(config: &'a RunConfig) -> Self {
        let mut first: Option<Lineup> = None;
        let mut table = |teams: [&TeamSpec; 2]| {
            let lineup = Lineup::new(teams, &config.freeze);
            // All tables share the solver and its cache.
            let lineup = lineup.sharing(first.as_ref().and_then(Lineup::open));
            first.get_or_insert_with(|| lineup.clone());
            MixedTable::set(&config.rules, config.schedule(), lineup, &StderrLog::none())
        };
        let encounters = config.encounters();
        let duels = encounters.into_iter().map(|encounter| table(config.pair(encounter))).collect();
        let own = config.bots.iter().map(|bot| table([bot, bot])).collect();
        Self { config, duels, own, judge: LossJudge::default() }
    }

    /// Plays some deals.
    pub(super) fn play(&mut self, deals: Range<u64>) -> Result<Chunk, Box<ProgramLost>> {
        let start = deals.start;
        for table in self.duels.iter_mut().chain(&mut self.own) {
            table.play_ahead(deals.clone())?;
        }
        let mut tallies = vec![Tally::new(&self.config.rules, self.config.unit); self.duels.len()];
        let deals = deals.map(|index| self.play_deal(index, &mut tallies)).collect::<Result<_, _>>()?;
        Ok(Chunk { start, tallies, deals })
    }

    fn play_deal(&mut self, index: u64, tallies: &mut [Tally]) -> Result<Deal, Box<ProgramLost>> {
        let mut doubled = Vec::with_capacity(self.duels.len());
        for (table, tally) in self.duels.iter_mut().zip(tallies) {
            let legs = table.play_pair(index, &mut Counter(tally))?;
            tally.add_pair(&legs);
            let [first, second] = legs.map(|leg| i64::from(leg.score.0[0]) - i64::from(leg.score.0[1]));
            doubled.push(first - second);
        }
        let mut own = Vec::with_capacity(self.own.len());
        for table in &mut self.own {
            let mut watcher = Watcher { judge: &mut self.judge, own: None };
            table.play_first_leg(index, &mut watcher)?;
            own.extend(watcher.own);
        }
        let deal = self.config.schedule().deal(&self.config.rules.deal, index);
        Ok(Deal { doubled, own, slams: self.judge.slams(&self.config.rules, &deal) })
    }
}

/// Counts what two bidders play.
struct Counter<'a>(&'a mut Tally);

impl Scribe for Counter<'_> {
    fn deal(&mut self, deal: &PlayedDeal<'_>) {
        self.0.add_deal(deal);
    }
}

/// Judges the first leg of a deal.
struct Watcher<'a> {
    judge: &'a mut LossJudge,
    own: Option<Own>,
}

impl Scribe for Watcher<'_> {
    fn deal(&mut self, deal: &PlayedDeal<'_>) {
        if self.own.is_some() {
            return;
        }
        let end = match deal.ending {
            Ending::Forfeit(_) => End::Forfeited,
            Ending::Regular(Outcome::ThrownIn) => End::ThrownIn,
            Ending::Regular(Outcome::Played { result, score }) => {
                let declarers = result.contract.declarer.team();
                End::Played {
                    contract: result.contract,
                    made: score.made,
                    difference: score.points[declarers] - score.points[declarers.other()],
                    told: predicted_chance(result.contract, deal),
                }
            }
        };
        let losses = match end {
            End::Forfeited => None,
            End::ThrownIn | End::Played { .. } => self.judge.losses(deal.state),
        };
        self.own = Some(Own { end, losses });
    }
}

/// Returns the chance that the declarer predicted with the bid that became the contract.
pub(crate) fn predicted_chance(contract: Contract, deal: &PlayedDeal<'_>) -> Option<f64> {
    let is_bid = |(_, call): &(Seat, Call)| matches!(call, Call::Bid(_) | Call::Take | Call::TakeIn(_));
    let bid = deal.state.auction().calls().iter().rposition(is_bid);
    let seat = contract.declarer as u8;
    // A declined offer may precede it at the same place.
    let thought =
        deal.thoughts.iter().rfind(|thought| thought.seat == seat && thought.calls == bid && bid.is_some());
    thought?.chance.filter(|chance| chance.is_finite())
}
