//! The tables of one thread: one for each encounter, and a second one where decisions are timed.

use std::ops::Range;
use std::time::{Duration, Instant};

use crate::config::{RunConfig, TimesMode};
use crate::protocol::StderrLog;
use crate::schedule::Side;
use crate::table::{LegResult, Scribe, Table};
use crate::times::{BotTimes, Gathered, timed};

/// A deal with clocks is played after so many times what the last one took.
const SPACING: u32 = 256;

/// Tables, set when they are first needed.
pub(super) struct Seats<'a> {
    config: &'a RunConfig,
    log: &'a StderrLog,
    /// By encounter: whether a program plays, which is played without clocks.
    programs: Vec<bool>,
    plain: Vec<Option<Table>>,
    clocked: Vec<Option<Table>>,
    /// By bot.
    times: Vec<Gathered>,
    /// When the last deal with clocks was over, and what it took.
    last: Option<(Instant, Duration)>,
    /// Whether anything was timed since the times were taken.
    any: bool,
}

impl<'a> Seats<'a> {
    pub(super) fn new(config: &'a RunConfig, log: &'a StderrLog) -> Self {
        let encounters = config.encounters().len();
        let has_program = |encounter| config.pair(encounter).iter().any(|bot| bot.has_program());
        let programs = config.encounters().into_iter().map(has_program).collect();
        let none = || (0..encounters).map(|_| None).collect();
        let times = config.bots.iter().map(|_| Gathered::default()).collect();
        Self { config, log, programs, plain: none(), clocked: none(), times, last: None, any: false }
    }

    /// Tests if the next deal is to be played with clocks.
    pub(super) fn is_time_for_clocks(&self) -> bool {
        match self.config.times {
            TimesMode::None => false,
            TimesMode::All => true,
            TimesMode::Some => self.last.is_none_or(|(at, took)| at.elapsed() > SPACING * took),
        }
    }

    /// Plays pairs in advance where programs are asked about many of them at a time.
    pub(super) fn play_ahead(&mut self, pairs: Range<u64>) {
        for (encounter, _) in self.programs.iter().enumerate().filter(|(_, program)| **program) {
            let table =
                self.plain[encounter].get_or_insert_with(|| set(self.config, self.log, encounter, None));
            table.play_ahead(pairs.clone());
        }
    }

    /// Plays a pair of an encounter.
    pub(super) fn play(
        &mut self,
        encounter: usize,
        index: u64,
        clocks: bool,
        scribe: &mut impl Scribe,
    ) -> [LegResult; 2] {
        let clocks = clocks && !self.programs[encounter];
        let tables = if clocks { &mut self.clocked } else { &mut self.plain };
        if let Some(table) = &mut tables[encounter]
            && !clocks
        {
            return table.play_pair(index, scribe);
        }
        let (config, log, times) = (self.config, self.log, &self.times);
        let table =
            tables[encounter].get_or_insert_with(|| set(config, log, encounter, clocks.then_some(times)));
        let began = Instant::now();
        let legs = table.play_pair(index, scribe);
        if clocks {
            self.any = true;
            let now = Instant::now();
            // A deal of many encounters is one: its time is the sum.
            let before =
                if encounter == 0 { Duration::ZERO } else { self.last.map_or(Duration::ZERO, |last| last.1) };
            self.last = Some((now, before + (now - began)));
        }
        legs
    }

    /// Takes the times gathered since the last call, by bot; none where nothing was timed.
    pub(super) fn take_times(&mut self) -> Vec<BotTimes> {
        if !core::mem::take(&mut self.any) {
            return Vec::new();
        }
        self.times.iter().map(Gathered::take).collect()
    }
}

/// Sets the table of an encounter.
fn set(config: &RunConfig, log: &StderrLog, encounter: usize, times: Option<&Vec<Gathered>>) -> Table {
    let encounter = config.encounters()[encounter];
    let specs = config.pair(encounter).map(Clone::clone);
    let Some(times) = times else {
        return Table::logged(&config.rules, config.schedule(), specs, log);
    };
    let gathered = Side::ALL.map(|side| times[encounter.bot(side)].clone());
    Table::with_bots(&config.rules, config.schedule(), move |side| {
        timed(specs[side.index()].build(), &gathered[side.index()])
    })
}
