//! `arena bench`: how fast it all is on this machine.

use std::hint::black_box;
use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::Args;
use coinche_bots::Registry;
use coinche_engine::playout::{LANES, LaneRng, playout, playout_lanes};
use coinche_engine::solver::Solver;
use coinche_engine::{Deal, Deck, Key, PlayState, RuleSet, Seat, Strain};

use crate::base::cpu::{process_time, thread_time};
use crate::base::error::{ArenaError, ModuleError};
use crate::base::exit::Exit;
use crate::base::output::print;
use crate::base::progress::{ProgressMode, rate};
use crate::base::style::thousands;
use crate::document::model::{Block, Cell, Document, Table};
use crate::document::text::Detail;
use crate::play::played::{PlayedDeal, Scribe};
use crate::play::schedule::{Schedule, Unit};
use crate::play::table::Table as PlayTable;
use crate::play::tally::Tally;
use crate::records::write::JsonLines;
use crate::run::config::{Records, RunConfig, RunFile};
use crate::run::runner;
use crate::run::signature::signature;

/// The flags of `arena bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Print only the signature: a number that changes when the behaviour of engine, bots or arena does
    #[arg(long, conflicts_with_all = ["json", "seconds"])]
    pub signature: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// How long each measurement takes
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    pub seconds: f64,
}

/// By which clock the seconds are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Clock {
    /// Processor time, which does not depend on what else the machine does: work on one thread.
    Processor,
    /// Wall time: how much work several threads get done.
    Wall,
}

impl Clock {
    const fn word(self) -> &'static str {
        match self {
            Self::Processor => "CPU",
            Self::Wall => "wall",
        }
    }
}

/// One measurement.
struct Figure {
    name: &'static str,
    unit: &'static str,
    threads: usize,
    clock: Clock,
    per_second: u64,
}

/// A time that is no time for a measurement.
#[derive(Debug, thiserror::Error)]
#[error("seconds: {0} is not in 0.001 to 3600")]
struct SecondsError(f64);

impl ModuleError for SecondsError {}

/// Runs the command.
///
/// # Errors
///
/// When the standard output cannot be written.
pub(crate) fn bench(args: &BenchArgs, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    if args.signature {
        print(out, &format!("{:016x}\n", signature()?))?;
        return Ok(Exit::Done);
    }
    if !(0.001..=3600.0).contains(&args.seconds) {
        return Err(SecondsError(args.seconds).into());
    }
    let time = Duration::from_secs_f64(args.seconds);
    let figures = measure(time)?;
    let signature = signature()?;
    let text = if args.json {
        as_json(&figures, signature)
    } else {
        document(&figures, signature).render(Detail::Full)
    };
    print(out, &text)?;
    Ok(Exit::Done)
}

fn measure(time: Duration) -> Result<Vec<Figure>, ArenaError> {
    let mut figures = Vec::new();
    let mut push = |name, unit, per_second| {
        figures.push(Figure { name, unit, threads: 1, clock: Clock::Processor, per_second });
    };
    push("random playouts, cards dealt", "deals", playouts(time, true, true));
    push("random playouts from a fixed deal", "deals", playouts(time, false, true));
    push("the same, dealt, one at a time", "deals", playouts(time, true, false));
    push("the same, fixed, one at a time", "deals", playouts(time, false, false));
    push("solver, value in a suit", "deals", solve(time, Strain::Hearts, false));
    push("solver, every lead in a suit", "deals", solve(time, Strain::Hearts, true));
    push("solver, value in no trump", "deals", solve(time, Strain::NoTrump, false));
    push("solver, value in all trump", "deals", solve(time, Strain::AllTrump, false));
    push("pimc, 40 worlds a card", "cards", pimc(time)?);
    push("random bots, auction to score", "legs", legs(time, "random", false)?);
    push("rules bots, auction to score", "legs", legs(time, "rules", false)?);
    push("random bots, JSONL records", "legs", legs(time, "random", true)?);
    for (name, records) in
        [("arena run, random bots", Records::None), ("arena run, full records", Records::Full)]
    {
        for (threads, clock) in [(1, Clock::Processor), (2, Clock::Wall)] {
            let per_second = run(time, threads, clock, records)?;
            figures.push(Figure { name, unit: "legs", threads, clock, per_second });
        }
    }
    Ok(figures)
}

/// Repeats work in rounds until the thread has used the time and returns how often a second it was done.
fn repeat(time: Duration, mut round: impl FnMut(u64) -> u64) -> u64 {
    let began = thread_time();
    let (mut done, mut rounds) = (0, 0);
    while thread_time().saturating_sub(began) < time {
        done += round(rounds);
        rounds += 1;
    }
    rate(done, thread_time().saturating_sub(began))
}

/// The exact points of the same deals again and again, each with an empty table.
fn solve(time: Duration, strain: Strain, every_lead: bool) -> u64 {
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

/// Deals played at random in a suit contract, one at a time or in lanes.
fn playouts(time: Duration, dealt: bool, lanes: bool) -> u64 {
    const ROUND: u64 = 64;
    let rules = RuleSet::BGA;
    let key = Key::decisions(1, 0, 0, Seat::S0);
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

/// Writes each record over the last.
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

/// Legs of a bot against itself at one table, counted as in a run.
fn legs(time: Duration, bot: &str, records: bool) -> Result<u64, ArenaError> {
    const ROUND: u64 = 100;
    let rules = RuleSet::BGA;
    let schedule = Schedule { seed: 1, unit: Unit::Deal, pairs: u64::MAX };
    let spec = Registry::builtin().parse(bot)?;
    let mut table = PlayTable::new(&rules, schedule, [spec.clone(), spec]);
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

/// Counts the cards that are played.
struct Cards(u64);

impl Scribe for Cards {
    fn deal(&mut self, deal: &PlayedDeal<'_>) {
        self.0 += 4 * deal.state.tricks().len() as u64;
    }
}

/// Cards played by `pimc` in the same deals again and again.
fn pimc(time: Duration) -> Result<u64, ArenaError> {
    const PAIRS: u64 = 2;
    let bot = Registry::builtin().parse("rules+pimc:worlds=40")?;
    let schedule = Schedule { seed: 1, unit: Unit::Deal, pairs: PAIRS };
    let mut table = PlayTable::new(&RuleSet::BGA, schedule, [bot.clone(), bot]);
    Ok(repeat(time, |_| {
        let mut cards = Cards(0);
        for index in 0..PAIRS {
            black_box(table.play_pair(index, &mut cards));
        }
        cards.0
    }))
}

/// Legs of a whole run on some threads, all but the files.
fn run(time: Duration, threads: usize, clock: Clock, records: Records) -> Result<u64, ArenaError> {
    let bots = Some(vec!["random".to_owned(), "random".to_owned()]);
    let file = RunFile { bots, threads: Some(threads), records: Some(records), ..RunFile::default() };
    let config = RunConfig {
        deals: u64::MAX,
        seed: 1,
        progress: ProgressMode::None,
        ..file.check(&Registry::builtin())?
    };
    let stop = AtomicBool::new(false);
    let (began, used) = (Instant::now(), process_time());
    let mut legs = 0;
    runner::play(&config, 0, &stop, |batch| {
        legs += batch.tallies.iter().map(|tally| tally.deals).sum::<u64>();
        black_box(&batch.lines);
        if began.elapsed() >= time {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
        Ok(())
    })?;
    let taken = match clock {
        Clock::Processor => process_time().saturating_sub(used),
        Clock::Wall => began.elapsed(),
    };
    Ok(rate(legs, taken))
}

fn as_json(figures: &[Figure], signature: u64) -> String {
    let figures: Vec<_> = figures
        .iter()
        .map(|figure| {
            serde_json::json!({
                "name": figure.name, "unit": figure.unit, "threads": figure.threads,
                "clock": figure.clock.word(), "per_second": figure.per_second,
            })
        })
        .collect();
    let all = serde_json::json!({
        "commit": crate::base::COMMIT, "figures": figures, "signature": format!("{signature:016x}"),
    });
    format!("{all:#}\n")
}

fn document(figures: &[Figure], signature: u64) -> Document {
    let mut table = Table::new("bench", "", &["", "threads", "time", "a second"]);
    for figure in figures {
        let speed = format!("{} {}", thousands(figure.per_second), figure.unit);
        table.rows.push(vec![
            Cell::text(figure.name),
            Cell::Count(figure.threads as u64),
            Cell::text(figure.clock.word()),
            Cell::Figures(speed),
        ]);
    }
    let blocks = vec![Block::Table(table), Block::Text(format!("signature {signature:016x}"))];
    Document::of_blocks("How fast it is", blocks)
}
