//! `arena bench`: the speed of engine, bots and arena on this machine.

use std::hint::black_box;
use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::Args;
use coinche_bots::Registry;
use coinche_engine::Strain;
use coinche_selfplay::base::cpu::process_time;
use coinche_selfplay::base::{Exit, ModuleError, ProgressMode, Result, print, rate, thousands};
use coinche_selfplay::document::text::Detail;
use coinche_selfplay::document::{Block, Cell, Document, Table};
use coinche_selfplay::speed;
use serde::Serialize;

use coinche_runs::signature::signature;
use coinche_runs::{Records, RunConfig, RunFile, runner};

/// The flags of `arena bench`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("bench"))]
pub(crate) struct BenchArgs {
    /// Print only the signature
    ///
    /// A number that changes when engine, bots or arena behave differently.
    #[arg(long, conflicts_with_all = ["json", "seconds"])]
    pub signature: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Seconds for each measurement
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    pub seconds: f64,
}

/// The clock of a measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
enum Clock {
    /// Processor time, independent of the machine's other load: for work on one thread.
    #[serde(rename = "CPU")]
    Processor,
    /// Wall time: for the throughput of several threads.
    #[serde(rename = "wall")]
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
#[derive(Serialize)]
struct Figure {
    name: &'static str,
    unit: &'static str,
    threads: usize,
    clock: Clock,
    per_second: u64,
}

/// A time too short or too long for a measurement.
#[derive(Debug, thiserror::Error)]
#[error("seconds: {0} is not in 0.001 to 3600")]
struct SecondsError(f64);

impl ModuleError for SecondsError {}

/// Runs the command.
pub(crate) fn bench(args: &BenchArgs, out: &mut dyn Write) -> Result<Exit> {
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

fn measure(time: Duration) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    let mut push = |name, unit, per_second| {
        figures.push(Figure { name, unit, threads: 1, clock: Clock::Processor, per_second });
    };
    push("random playouts, cards dealt", "deals", speed::playouts(time, true, true));
    push("random playouts from a fixed deal", "deals", speed::playouts(time, false, true));
    push("the same, dealt, one at a time", "deals", speed::playouts(time, true, false));
    push("the same, fixed, one at a time", "deals", speed::playouts(time, false, false));
    push("solver, value in a suit", "deals", speed::solve(time, Strain::Hearts, false));
    push("solver, every lead in a suit", "deals", speed::solve(time, Strain::Hearts, true));
    push("solver, value in no trump", "deals", speed::solve(time, Strain::NoTrump, false));
    push("solver, value in all trump", "deals", speed::solve(time, Strain::AllTrump, false));
    push("pimc, 40 worlds a card", "cards", speed::pimc(time)?);
    push("random bots, auction to score", "legs", speed::legs(time, "random", false)?);
    push("rules bots, auction to score", "legs", speed::legs(time, "rules", false)?);
    push("random bots, JSONL records", "legs", speed::legs(time, "random", true)?);
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

/// Measures the legs of a complete run on some threads, without files.
fn run(time: Duration, threads: usize, clock: Clock, records: Records) -> Result<u64> {
    let bots = Some(vec!["random".to_owned(), "random".to_owned()]);
    let file = RunFile { bots, threads: Some(threads), records: Some(records), ..RunFile::default() };
    let config = RunConfig {
        deals: u64::MAX,
        seed: 1.into(),
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
    let all = serde_json::json!({
        "commit": coinche_runs::COMMIT, "figures": figures, "signature": format!("{signature:016x}"),
    });
    format!("{all:#}\n")
}

fn document(figures: &[Figure], signature: u64) -> Document {
    let table = Table::of("bench", "", figures)
        .text("", |figure| figure.name)
        .count("threads", |figure| figure.threads)
        .text("time", |figure| figure.clock.word())
        .shown("a second", |figure| {
            Cell::Figures(format!("{} {}", thousands(figure.per_second), figure.unit))
        })
        .build();
    let blocks = vec![Block::Table(table), Block::Text(format!("signature {signature:016x}"))];
    Document::of_blocks("How fast it is", blocks)
}
