//! The loops that `arena bench` times, each on one thread, by processor time.
//!
//! They are here, and not next to the command, so that they compile in the same unit as the code they measure.

use std::hint::black_box;
use std::time::Duration;

use coinche_bots::{ParseBotError, Registry};
use coinche_engine::playout::{LANES, LaneRng, playout, playout_lanes};
use coinche_engine::solver::Solver;
use coinche_engine::{Deal, Deck, Key, PlayState, RuleSet, Seat, Strain};

use crate::base::cpu::thread_time;
use crate::base::progress::rate;
use crate::play::played::{PlayedDeal, Scribe};
use crate::play::schedule::{Schedule, Unit};
use crate::play::table::Table;
use crate::play::tally::Tally;
use crate::records::write::JsonLines;

/// Repeats work in rounds until the thread has used the time; returns the rate per second.
fn repeat(time: Duration, mut round: impl FnMut(u64) -> u64) -> u64 {
    let began = thread_time();
    let (mut done, mut rounds) = (0, 0);
    while thread_time().saturating_sub(began) < time {
        done += round(rounds);
        rounds += 1;
    }
    rate(done, thread_time().saturating_sub(began))
}

/// Solves the same deals repeatedly, each with an empty table.
pub fn solve(time: Duration, strain: Strain, every_lead: bool) -> u64 {
    const DEALS: u64 = 32;
    let rules = RuleSet::BGA;
    let deals = (0..DEALS).map(|index| {
        let deal = Deal::new(&rules.deal, Deck::shuffled(1, index), Seat::S3);
        PlayState::new(&rules.play, strain, *deal.hands(), Seat::S0)
    });
    let deals: Vec<_> = deals.collect();
    let mut solver = Solver::new();
    repeat(time, |_| {
        for deal in &deals {
            solver.forget();
            if every_lead {
                solver.values(&rules, black_box(deal), |card, value| {
                    black_box((card, value));
                });
            } else {
                black_box(solver.value(&rules, black_box(deal)));
            }
        }
        DEALS
    })
}

/// Plays deals at random in a suit contract, one at a time or in lanes.
pub fn playouts(time: Duration, dealt: bool, lanes: bool) -> u64 {
    const ROUND: u64 = 64;
    let rules = RuleSet::BGA;
    let key = Key::decisions(1, 0, Seat::S0);
    let (mut rng, mut lane_rng, mut deck_rng) = (key.rng(), LaneRng::new(key), key.and(1).rng());
    let mut start = || {
        let deal = Deal::new(&rules.deal, Deck::shuffled_by(&mut deck_rng), Seat::S3);
        PlayState::new(&rules.play, Strain::Hearts, *deal.hands(), Seat::S0)
    };
    let fixed = start();
    let mut start = || if dealt { start() } else { fixed };
    if lanes {
        repeat(time, |_| {
            for _ in 0..ROUND {
                let mut states = [fixed; LANES];
                for state in &mut states {
                    *state = start();
                }
                black_box(playout_lanes(&rules, black_box(&states), &mut lane_rng));
            }
            ROUND * LANES as u64
        })
    } else {
        repeat(time, |_| {
            for _ in 0..ROUND {
                black_box(playout(&rules, black_box(&start()), &mut rng));
            }
            ROUND
        })
    }
}

/// Writes each record over the last one.
struct Lines {
    tally: Tally,
    form: Option<JsonLines>,
    buffer: Vec<u8>,
}

impl Scribe for Lines {
    fn deal(&mut self, deal: &PlayedDeal<'_>) {
        self.tally.add_deal(deal);
        if let Some(form) = &self.form {
            self.buffer.clear();
            form.push(&mut self.buffer, deal);
            black_box(&self.buffer);
        }
    }
}

/// Plays legs of a bot against itself at one table, counted as in a run.
///
/// # Errors
///
/// When there is no such bot, or it has no such parameter.
pub fn legs(time: Duration, bot: &str, records: bool) -> Result<u64, ParseBotError> {
    const ROUND: u64 = 100;
    let rules = RuleSet::BGA;
    let schedule = Schedule { secrets: 1.into(), unit: Unit::Deal, pairs: u64::MAX };
    let spec = Registry::builtin().parse(bot)?;
    let mut table = Table::new(&rules, schedule, [spec.clone(), spec]);
    let form = records.then(|| JsonLines::new(&rules, [bot, bot], None));
    let mut lines = Lines { tally: Tally::new(&rules, Unit::Deal), form, buffer: Vec::new() };
    Ok(repeat(time, |round| {
        for index in ROUND * round..ROUND * (round + 1) {
            let legs = table.play_pair(index, &mut lines);
            lines.tally.add_pair(&legs);
        }
        2 * ROUND
    }))
}

/// Counts the decisions of a kind.
struct Decisions {
    calls: bool,
    count: u64,
}

impl Scribe for Decisions {
    fn deal(&mut self, deal: &PlayedDeal<'_>) {
        self.count += if self.calls {
            deal.state.auction().calls().len() as u64
        } else {
            4 * deal.state.tricks().len() as u64
        };
    }
}

/// Plays the same deals repeatedly with a bot, and counts its calls or cards.
///
/// # Errors
///
/// When there is no such bot, or it has no such parameter.
pub fn decisions(time: Duration, bot: &str, calls: bool) -> Result<u64, ParseBotError> {
    const PAIRS: u64 = 2;
    let bot = Registry::builtin().parse(bot)?;
    let schedule = Schedule { secrets: 1.into(), unit: Unit::Deal, pairs: PAIRS };
    let mut table = Table::new(&RuleSet::BGA, schedule, [bot.clone(), bot]);
    Ok(repeat(time, |_| {
        let mut decisions = Decisions { calls, count: 0 };
        for index in 0..PAIRS {
            black_box(table.play_pair(index, &mut decisions));
        }
        decisions.count
    }))
}
