//! The tables of one thread: one per encounter, and a second one for timed decisions.

use std::ops::Range;
use std::time::{Duration, Instant};

use coinche_selfplay::play::table::Table;
use coinche_selfplay::play::times::timed;
use coinche_selfplay::{BotTimes, Gathered, LegResult, Lineup, Scribe, Side};

use super::again::{self, Kept};
use crate::config::{RunConfig, TimesMode};
use coinche_protocol::{Halted, MixedTable, ProgramLost, StderrLog};

/// The pause between timed deals, as a multiple of the time of the last one.
const SPACING: u32 = 256;

/// Tables, created when they are first needed.
pub(super) struct Seats<'a> {
    config: &'a RunConfig,
    log: &'a StderrLog,
    /// The lineups, by encounter.
    lineups: Vec<Lineup>,
    plain: Vec<Option<MixedTable>>,
    clocked: Vec<Option<MixedTable>>,
    /// By encounter: where a sample is played again.
    again: Vec<Option<MixedTable>>,
    /// The collected times, by bot.
    times: Vec<Gathered>,
    /// The end of the last timed deal, and its duration.
    last: Option<(Instant, Duration)>,
    /// Whether anything was timed since the times were last taken.
    any: bool,
}

impl<'a> Seats<'a> {
    pub(super) fn new(config: &'a RunConfig, log: &'a StderrLog) -> Self {
        let mut lineups: Vec<Lineup> = Vec::new();
        for encounter in config.encounters() {
            let open = lineups.first().and_then(Lineup::open);
            lineups.push(config.lineup(encounter).sharing(open));
        }
        let none = || lineups.iter().map(|_| None).collect();
        let times = config.all_players().map(|_| Gathered::default()).collect();
        let (plain, clocked, again) = (none(), none(), none());
        Self { config, log, lineups, plain, clocked, again, times, last: None, any: false }
    }

    /// Tests if the next deal is to be timed.
    pub(super) fn is_time_for_clocks(&self) -> bool {
        match self.config.times {
            TimesMode::None => false,
            TimesMode::All => true,
            TimesMode::Some => self.last.is_none_or(|(at, took)| at.elapsed() > SPACING * took),
        }
    }

    /// Returns how many pairs to play together for a batch bot. It depends on the settings alone, so that the bot gets
    /// the same batches for any number of threads.
    pub(super) fn batch(&self) -> Option<u64> {
        let legs = self.lineups.iter().filter_map(Lineup::batch).min()?;
        Some((legs as u64 / 2).max(1))
    }

    /// Plays pairs in advance for programs and batch bots, which answer for many of them at a time.
    pub(super) fn play_ahead(&mut self, pairs: Range<u64>, is_over: &dyn Fn() -> bool) -> Result<(), Halted> {
        for (n, lineup) in self.lineups.iter().enumerate().filter(|(_, lineup)| is_in_flight(lineup)) {
            self.any |= self.config.times != TimesMode::None;
            let set = || set(self.config, self.log, n, lineup, &self.times);
            self.plain[n].get_or_insert_with(set).play_ahead_until(pairs.clone(), is_over)?;
        }
        Ok(())
    }

    /// Tests if a program might fail for good, so that its last faults are not yet final.
    pub(super) fn has_recent_failures(&self) -> bool {
        self.plain.iter().flatten().any(MixedTable::has_recent_failures)
    }

    /// Plays a pair of an encounter; of bots that might remember other hands a sample once more.
    pub(super) fn play(
        &mut self,
        encounter: usize,
        index: u64,
        clocks: bool,
        scribe: &mut impl Scribe,
    ) -> Result<[LegResult; 2], Box<ProgramLost>> {
        if !again::is_doubted(&self.lineups[encounter]) || !again::is_sampled(self.config, index) {
            return self.play_once(encounter, index, clocks, scribe);
        }
        let mut kept = Kept::default();
        let legs = self.play_once(encounter, index, clocks, &mut kept)?;
        let (config, lineup) = (self.config, &self.lineups[encounter]);
        let table = self.again[encounter].get_or_insert_with(|| again::table(config, lineup));
        again::compare(table, lineup, index, &mut kept)?;
        for (leg, deal) in &kept.0 {
            scribe.deal(&deal.played(leg));
        }
        Ok(legs)
    }

    fn play_once(
        &mut self,
        encounter: usize,
        index: u64,
        clocks: bool,
        scribe: &mut impl Scribe,
    ) -> Result<[LegResult; 2], Box<ProgramLost>> {
        let lineup = &self.lineups[encounter];
        // With a program or batch bot, the clocks are at the same table.
        let clocks = clocks && !is_in_flight(lineup);
        let tables = if clocks { &mut self.clocked } else { &mut self.plain };
        if let Some(table) = &mut tables[encounter]
            && !clocks
        {
            return table.play_pair(index, scribe);
        }
        let (config, log, times) = (self.config, self.log, &self.times);
        let table = tables[encounter].get_or_insert_with(|| {
            if clocks {
                set_clocks(config, encounter, lineup, times)
            } else {
                set(config, log, encounter, lineup, times)
            }
        });
        let began = Instant::now();
        let legs = table.play_pair(index, scribe)?;
        if clocks {
            self.any = true;
            let now = Instant::now();
            // A deal of many encounters counts as one: its time is the sum.
            let before =
                if encounter == 0 { Duration::ZERO } else { self.last.map_or(Duration::ZERO, |last| last.1) };
            self.last = Some((now, before + (now - began)));
        }
        Ok(legs)
    }

    /// Takes the times collected since the last call, by bot; empty if nothing was timed.
    pub(super) fn take_times(&mut self) -> Vec<BotTimes> {
        if !core::mem::take(&mut self.any) {
            return Vec::new();
        }
        self.times.iter().map(Gathered::take).collect()
    }
}

/// Tests if the table keeps many legs in flight.
fn is_in_flight(lineup: &Lineup) -> bool {
    lineup.has_program() || lineup.batch().is_some()
}

/// Creates the table of an encounter; with a program, the other bots are timed at the same table.
fn set(
    config: &RunConfig,
    log: &StderrLog,
    encounter: usize,
    lineup: &Lineup,
    times: &[Gathered],
) -> MixedTable {
    let mut table = MixedTable::set(&config.rules, config.schedule(), lineup.clone(), log);
    if config.forfeit {
        table = table.forfeit();
    }
    if config.times != TimesMode::None {
        table.time(clocks(config, encounter, times), config.times == TimesMode::All);
    }
    table
}

/// Returns the clocks of an encounter, by side.
fn clocks(config: &RunConfig, encounter: usize, times: &[Gathered]) -> [Gathered; 2] {
    let encounter = config.encounters()[encounter];
    Side::ALL.map(|side| times[encounter.bot(side)].clone())
}

/// Creates the table of an encounter at which the bots' own decisions are timed.
fn set_clocks(config: &RunConfig, encounter: usize, lineup: &Lineup, times: &[Gathered]) -> MixedTable {
    let gathered = clocks(config, encounter, times);
    let bots = lineup.clone();
    let table = Table::of_lineup(&config.rules, config.schedule(), lineup.clone(), move |side, seat| {
        timed(bots.build(side, seat), &gathered[side.index()], bots.own())
    });
    table.into()
}
