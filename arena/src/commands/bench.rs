//! `arena bench`: the speed of engine, bots and arena on this machine.

use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::Args;
use coinche_bots::Registry;
use coinche_engine::Strain;
use coinche_inference::student_t;
use coinche_selfplay::base::cpu::process_time;
use coinche_selfplay::base::{ArenaError, Exit, ModuleError, ProgressMode, Result, print, rate, thousands};
use coinche_selfplay::document::text::Detail;
use coinche_selfplay::document::{Block, Cell, Document, Table};
use coinche_selfplay::speed;
use serde::{Deserialize, Serialize};
use serde_json::json;

use coinche_runs::signature::signature;
use coinche_runs::{Records, RunConfig, RunFile, runner};

/// The flags of `arena bench`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("bench"))]
pub(crate) struct BenchArgs {
    /// Print only the signature
    ///
    /// A number that changes when engine, bots or arena behave differently.
    #[arg(long, conflicts_with_all = ["json", "seconds", "compare"])]
    pub signature: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Seconds for each measurement
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    pub seconds: f64,
    /// Compare with what `--json` wrote before
    ///
    /// Adds the ratio of each row to that of the file, above 1 where it is faster now, with its 95 % interval.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    pub compare: Option<PathBuf>,
}

/// Runs a command of the program without its output.
type Silently = fn(Vec<String>) -> Result<()>;

/// The clock of a measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Serialize, Deserialize)]
struct Figure {
    name: String,
    unit: String,
    threads: usize,
    clock: Clock,
    /// The median of the samples.
    per_second: u64,
    samples: Vec<u64>,
}

/// All measurements, as `--json` prints them.
#[derive(Serialize, Deserialize)]
struct Measured {
    commit: String,
    figures: Vec<Figure>,
    signature: String,
}

/// A flag of the command with a value that cannot be used.
#[derive(Debug, thiserror::Error)]
enum BenchError {
    #[error("seconds: {0} is not in 0.001 to 3600")]
    Seconds(f64),
    #[error("`{}` is not the output of `arena bench --json` of this version: {why}", path.display())]
    File { path: PathBuf, why: String },
}

impl ModuleError for BenchError {}

/// Runs the command; `silently` runs another one without its output.
pub(crate) fn bench(args: &BenchArgs, silently: Silently, out: &mut dyn Write) -> Result<Exit> {
    if args.signature {
        print(out, &format!("{:016x}\n", signature()?))?;
        return Ok(Exit::Done);
    }
    if !(0.001..=3600.0).contains(&args.seconds) {
        return Err(BenchError::Seconds(args.seconds).into());
    }
    let before = args.compare.as_deref().map(read).transpose()?;
    let figures = Measured {
        commit: coinche_runs::COMMIT.to_owned(),
        figures: measure(Duration::from_secs_f64(args.seconds), silently)?,
        signature: format!("{:016x}", signature()?),
    };
    let text = if args.json {
        format!("{:#}\n", json!(figures))
    } else {
        document(&figures, before.as_ref()).render(Detail::Full)
    };
    print(out, &text)?;
    Ok(Exit::Done)
}

/// Reads what `--json` printed.
fn read(path: &Path) -> Result<Measured> {
    let text = std::fs::read(path).map_err(|source| ArenaError::read(path, source))?;
    let figures = serde_json::from_slice::<Measured>(&text).map_err(|error| error.to_string());
    let is_sampled = |figure: &Figure| figure.samples.len() == SAMPLES && !figure.samples.contains(&0);
    let why = match figures {
        Ok(Measured { figures, .. }) if figures.is_empty() => "it has no figures".to_owned(),
        Ok(before) if before.figures.iter().all(is_sampled) => return Ok(before),
        Ok(_) => "samples are missing".to_owned(),
        Err(why) => why,
    };
    Err(BenchError::File { path: path.to_owned(), why }.into())
}

/// How often each row is measured; the rows take turns, so that all see the same changes of the machine.
const SAMPLES: usize = 5;

type Measure<'a> = Box<dyn FnMut(Duration) -> Result<u64> + 'a>;

/// A row: its name, unit, number of threads and clock.
type Row<'a> = (&'static str, &'static str, usize, Clock, Measure<'a>);

fn measure(time: Duration, silently: Silently) -> Result<Vec<Figure>> {
    let dir = tempfile::tempdir().map_err(|source| ArenaError::write(std::env::temp_dir(), source))?;
    let mut rows = loops();
    rows.extend(commands(dir.path(), silently)?);
    let mut samples = vec![Vec::new(); rows.len()];
    for _ in 0..SAMPLES {
        for ((.., measure), samples) in rows.iter_mut().zip(&mut samples) {
            samples.push(measure(time.div_f64(SAMPLES as f64))?);
        }
    }
    let figure = |((name, unit, threads, clock, _), samples): (Row<'_>, Vec<u64>)| {
        let mut sorted = samples.clone();
        sorted.sort_unstable();
        let per_second = sorted[SAMPLES / 2];
        Figure { name: name.to_owned(), unit: unit.to_owned(), threads, clock, per_second, samples }
    };
    Ok(rows.into_iter().zip(samples).map(figure).collect())
}

fn loops() -> Vec<Row<'static>> {
    let mut rows: Vec<Row<'static>> = Vec::new();
    let mut push = |name, unit, measure| rows.push((name, unit, 1, Clock::Processor, measure));
    for (name, dealt, lanes) in [
        ("random playouts, cards dealt", true, true),
        ("random playouts from a fixed deal", false, true),
        ("the same, dealt, one at a time", true, false),
        ("the same, fixed, one at a time", false, false),
    ] {
        push(name, "deals", Box::new(move |time| Ok(speed::playouts(time, dealt, lanes))));
    }
    for (name, strain, every_lead) in [
        ("solver, value in a suit", Strain::Hearts, false),
        ("solver, every lead in a suit", Strain::Hearts, true),
        ("solver, value in no trump", Strain::NoTrump, false),
        ("solver, value in all trump", Strain::AllTrump, false),
    ] {
        push(name, "deals", Box::new(move |time| Ok(speed::solve(time, strain, every_lead))));
    }
    for (name, bot) in [
        ("net", "rules+net"),
        ("pimc, 40 worlds a card", "rules+pimc:worlds=40"),
        ("alphamu, 40 worlds a card", "rules+alphamu:worlds=40"),
        ("mc, 40 worlds a card", "rules+mc:worlds=40"),
        ("ismcts, 500 iterations a card", "rules+ismcts:iterations=500"),
    ] {
        push(name, "cards", Box::new(move |time| Ok(speed::decisions(time, bot, false)?)));
    }
    for (name, bot) in [("net, auctions", "net+rules"), ("dd, 20 worlds a call", "dd:worlds=20+rules")] {
        push(name, "calls", Box::new(move |time| Ok(speed::decisions(time, bot, true)?)));
    }
    for (name, bot, records) in [
        ("random bots, auction to score", "random", false),
        ("rules bots, auction to score", "rules", false),
        ("random bots, JSONL records", "random", true),
    ] {
        push(name, "legs", Box::new(move |time| Ok(speed::legs(time, bot, records)?)));
    }
    for (name, records) in
        [("arena run, random bots", Records::None), ("arena run, full records", Records::Full)]
    {
        for (threads, clock) in [(1, Clock::Processor), (2, Clock::Wall)] {
            rows.push((
                name,
                "legs",
                threads,
                clock,
                Box::new(move |time| run(time, threads, clock, records)),
            ));
        }
    }
    rows
}

/// Rows of commands that are run whole, on files in a directory.
fn commands(dir: &Path, silently: Silently) -> Result<Vec<Row<'_>>> {
    const DEALS: u64 = 2000;
    const LABELLED: u64 = 50;
    let run = dir.join("run").display().to_string();
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let with = |text: &str, path: &str| [words(text), vec![path.to_owned()]].concat();
    let played = format!("run random random --deals {DEALS} --seed 1 --records full --progress none --out");
    silently(with(&played, &run))?;
    let labels = dir.join("labels");
    let repeated = |words: Vec<String>, count: u64| -> Measure<'_> {
        let labels = labels.clone();
        Box::new(move |time| {
            let (mut taken, mut done) = (Duration::ZERO, 0);
            while taken < time {
                // What is labelled is not labelled again.
                let _ = std::fs::remove_dir_all(&labels);
                let began = process_time();
                silently(words.clone())?;
                done += count;
                taken += process_time().saturating_sub(began);
            }
            Ok(rate(done, taken))
        })
    };
    let label = format!("label --deals {LABELLED} --seed 1 --threads 1 --progress none --out");
    let label = repeated(with(&label, &labels.display().to_string()), LABELLED);
    Ok(vec![
        ("arena label, six strains", "deals", 1, Clock::Processor, label),
        ("arena stats", "records", 1, Clock::Processor, repeated(with("stats --threads 1", &run), 2 * DEALS)),
        ("arena verify", "records", 1, Clock::Processor, repeated(with("verify", &run), 2 * DEALS)),
    ])
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

/// How much quicker a row is than before: the ratio, and its bounds at 95 %, by the samples of both.
fn ratio(now: &Figure, before: &Measured) -> Option<[f64; 3]> {
    let before = before.figures.iter().find(|row| (&row.name, row.threads) == (&now.name, now.threads))?;
    // Means of logarithms: a ratio of rates is one of times.
    let logs = |figure: &Figure| {
        let logs: Vec<f64> = figure.samples.iter().map(|rate| libm::log(*rate as f64)).collect();
        let mean = logs.iter().sum::<f64>() / SAMPLES as f64;
        let squares: f64 = logs.iter().map(|log| (log - mean).powi(2)).sum();
        (mean, squares / ((SAMPLES - 1) * SAMPLES) as f64)
    };
    let ((now, error), (then, other)) = (logs(now), logs(before));
    let half = student_t(0.95, (SAMPLES - 1) as f64) * (error + other).sqrt();
    Some([0.0, -half, half].map(|off| libm::exp(now - then + off)))
}

fn document(figures: &Measured, before: Option<&Measured>) -> Document {
    let mut table = Table::of("bench", "", &figures.figures)
        .text("", |figure| figure.name.clone())
        .count("threads", |figure| figure.threads)
        .text("time", |figure| figure.clock.word())
        .shown("a second", |figure| {
            Cell::Figures(format!("{} {}", thousands(figure.per_second), figure.unit))
        });
    let mut below = vec![format!("signature {}", figures.signature)];
    if let Some(before) = before {
        let mut ratios: Vec<f64> =
            figures.figures.iter().filter_map(|row| Some(ratio(row, before)?[0])).collect();
        ratios.sort_by(f64::total_cmp);
        let middle = ratios
            .get(ratios.len() / 2)
            .map_or_else(String::new, |middle| format!("; median of the rows: {middle:.2}"));
        // The machine changes from one minute to the next, which samples of one minute do not show.
        below.insert(
            0,
            format!(
                "ratio: to commit {}, above 1 where it is faster now, with the 95 % interval of {SAMPLES} samples each{middle}. \
                 What moves all rows alike is the machine.",
                before.commit
            ),
        );
        table = table.shown("ratio", |figure| {
            let text = |[ratio, low, high]: [f64; 3]| format!("{ratio:.2} ({low:.2}–{high:.2})");
            Cell::Figures(ratio(figure, before).map_or_else(String::new, text))
        });
    }
    let blocks = [vec![Block::Table(table.build())], below.into_iter().map(Block::Text).collect()];
    Document::of_blocks("How fast it is", blocks.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_compared_with_the_same_row_of_before() {
        let figure = |name: &str, rate: u64| {
            let samples = (0..SAMPLES as u64).map(|n| rate * (1000 + n)).collect();
            let (name, unit) = (name.to_owned(), "deals".to_owned());
            Figure { name, unit, threads: 1, clock: Clock::Processor, per_second: 1002 * rate, samples }
        };
        let measured = |figures| Measured { commit: "c".to_owned(), figures, signature: "s".to_owned() };
        let (now, before) =
            (measured(vec![figure("a", 10), figure("b", 10)]), measured(vec![figure("a", 1)]));
        let text = document(&now, Some(&before)).render(Detail::Full);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        // The logarithm of a sample has a deviation of 0.0016, and there are twice five of them.
        assert!(text.contains("10.00 (9.97–10.03)") && text.matches('–').count() == 1, "{text}");
        assert!(text.contains("median of the rows: 10.00"), "{text}");
    }
}
