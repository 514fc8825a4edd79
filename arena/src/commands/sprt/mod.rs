//! `arena sprt`: play until it is clear on which side of two bounds the difference is.
//!
//! Between two looks the pairs are played by all threads and then added up, so that every look is at the
//! same pairs whatever the threads; a request to stop drops the pairs since the last look.

mod files;
mod show;

use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use clap::Args;
use coinche_bots::TeamSpec;
use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::print;
use super::run::STOP;
use crate::config::{ProgressMode, Records, RulesText, RunConfig, RunFile, SeedText, nearest_preset};
use crate::figures::COMMIT;
use crate::protocol::{StderrLog, probe};
use crate::report::cheaters_line;
use crate::stats::{Decision, SequentialTest, SprtPlan, StatsError};
use crate::table::Table;
use crate::tally::Tally;
use crate::{ArenaError, Exit};

use files::Files;
use show::Live;

/// The pairs between two looks.
pub(super) const EVERY: u64 = 256;
/// The fewest pairs before the first look: the mean of so many is near normal for all but freak bots.
pub(super) const FIRST: u64 = 512;

/// The flags of `arena sprt`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  arena sprt rules:caution=5 rules --lower 0 --upper 5     is the first better, by 5 or not at all?
  arena sprt rules:caution=5 rules --lower -5 --upper 0    is it no worse? for simplifications

Where the truth is at one of the bounds, the other is accepted with a chance of alpha or beta;
`arena power` says how many deals that takes. Looks are at fixed deals, so the verdict and the
deal at which it falls depend on the seed alone. The estimate printed after it is biased away
from the middle of the bounds: to publish one, measure with `arena run` under another seed.

The directory holds sprt.csv, a row a look, and sprt.json.

Exit codes: 0 upper bound accepted, 10 lower bound accepted, 11 undecided after --max-deals,
2 wrong arguments, 3 something cannot be written, 130 interrupted.")]
pub struct SprtArgs {
    /// The two bots, A and B; `arena bots` lists them
    #[arg(value_name = "BOT", num_args = 0..=2)]
    pub bots: Vec<String>,
    /// The lower bound of A − B, in points a deal
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true)]
    pub lower: f64,
    /// The upper bound of A − B, in points a deal
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true)]
    pub upper: f64,
    /// The chance to accept the upper bound when the lower one is the truth
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub alpha: f64,
    /// The chance to accept the lower bound when the upper one is the truth
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub beta: f64,
    /// How many deals to play at most, each in two legs
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub max_deals: u64,
    /// How many deals to play between two looks
    #[arg(long, value_name = "N", default_value_t = EVERY)]
    pub every: u64,
    /// How many deals to play before the first look
    #[arg(long, value_name = "N", default_value_t = FIRST)]
    pub first: u64,
    /// The seed: all that chance decides follows from it [default: drawn, and printed]
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// The rules: a preset or a file; `arena rules` lists and prints them [default: bga]
    #[arg(long, value_name = "NAME|FILE.toml")]
    pub rules: Option<String>,
    /// Change a field of the rules; repeatable, as `--set scoring.coinche.contract=3`
    #[arg(long, value_name = "FIELD=VALUE")]
    pub set: Vec<String>,
    /// How many threads play; results do not depend on it [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// The directory of the test [default: a new one under results/runs]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// How to tell the progress on the standard error [default: auto]
    #[arg(long, value_enum)]
    pub progress: Option<ProgressMode>,
}

impl SprtArgs {
    fn plan(&self) -> SprtPlan {
        let Self { lower, upper, alpha, beta, every, first, max_deals: most, .. } = *self;
        SprtPlan { lower, upper, alpha, beta, every, first, most }
    }

    fn config(self) -> Result<RunConfig, ArenaError> {
        if self.bots.len() != 2 {
            let given = self.bots.len();
            return Err(ArenaError::Usage(format!(
                "expected two bots, as in `arena sprt rules random --lower 0 --upper 5`, but {given} given; \
                 `arena bots` lists them"
            )));
        }
        let flags = RunFile {
            bots: Some(self.bots),
            deals: Some(self.max_deals),
            seed: self.seed.map(|seed| SeedText::Text(seed.to_string())),
            set: Some(self.set),
            records: Some(Records::None),
            threads: self.threads,
            out: self.out,
            progress: self.progress,
            rules: self.rules.map(RulesText::Name),
            ..RunFile::default()
        };
        flags.check()
    }
}

/// Returns the command line that gives the same results.
fn command(config: &RunConfig, plan: &SprtPlan) -> String {
    let SprtPlan { lower, upper, alpha, beta, every, first, most } = plan;
    let [a, b] = config.first_two().each_ref().map(TeamSpec::quoted);
    let (rules, settings) = nearest_preset(&config.rules);
    let mut command = format!(
        "arena sprt {a} {b} --lower {lower} --upper {upper} --alpha {alpha} --beta {beta} --every {every} \
         --first {first} --max-deals {most} --seed {} --rules {rules}",
        config.seed
    );
    for setting in settings {
        command.push_str(" --set '");
        command.push_str(&setting);
        command.push('\'');
    }
    command
}

/// Plays pairs on all threads.
struct Players<'a> {
    config: &'a RunConfig,
    pool: ThreadPool,
    /// Tables that nobody plays at.
    tables: Mutex<Vec<Table>>,
    stop: &'a AtomicBool,
}

/// The pairs that a thread plays in a row.
const ROW: u64 = 16;

impl<'a> Players<'a> {
    fn new(config: &'a RunConfig, stop: &'a AtomicBool) -> Result<Self, ArenaError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(config.threads).build();
        let pool = pool.map_err(|_| ArenaError::Threads(config.threads))?;
        Ok(Self { config, pool, tables: Mutex::default(), stop })
    }

    fn tables(&self) -> std::sync::MutexGuard<'_, Vec<Table>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn row(&self, pairs: Range<u64>) -> Option<Tally> {
        let Self { config, .. } = self;
        let idle = self.tables().pop();
        let mut table = idle.unwrap_or_else(|| {
            let lineup = config.lineup(config.encounters()[0]);
            Table::set(&config.rules, config.schedule(), lineup, &StderrLog::none())
        });
        let mut tally = Tally::new(&config.rules, config.unit);
        table.play_ahead(pairs.clone());
        for pair in pairs {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let legs = table.play_pair(pair, &mut TallyScribe(&mut tally));
            tally.add_pair(&legs);
        }
        self.tables().push(table);
        Some(tally)
    }

    /// Returns the totals of some pairs, or `None` when asked to stop before all were played.
    fn play(&self, pairs: Range<u64>) -> Option<Tally> {
        let rows = (pairs.end - pairs.start).div_ceil(ROW);
        let row = |row: u64| {
            let start = pairs.start + row * ROW;
            self.row(start..pairs.end.min(start + ROW))
        };
        let whole = || Some(Tally::new(&self.config.rules, self.config.unit));
        let add = |sum: Option<Tally>, part: Option<Tally>| {
            let mut sum = sum?;
            sum.merge(&part?);
            Some(sum)
        };
        // Totals are integers: the order in which they are added does not matter.
        self.pool.install(|| (0..rows).into_par_iter().map(row).reduce(whole, add))
    }
}

/// Counts the deals, for their faults.
struct TallyScribe<'a>(&'a mut Tally);

impl crate::table::Scribe for TallyScribe<'_> {
    fn deal(&mut self, deal: &crate::table::PlayedDeal<'_>) {
        self.0.add_deal(deal);
    }
}

/// Names a number of the plan by its flag.
fn flag(error: StatsError) -> ArenaError {
    match error {
        StatsError::Range { name: "most", value, range } => {
            StatsError::Range { name: "max-deals", value, range }.into()
        }
        other => other.into(),
    }
}

/// Runs the command.
///
/// # Errors
///
/// When the configuration is wrong or something cannot be written.
pub(crate) fn sprt(args: SprtArgs, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    let mut test = SequentialTest::new(args.plan()).map_err(flag)?;
    let config = args.config()?;
    probe(&config)?;
    let command = command(&config, test.plan());
    match print(out, &format!("{command}\ncommit {COMMIT}\n\n")) {
        // The files are wanted all the same.
        Ok(()) | Err(ArenaError::BrokenPipe) => {}
        Err(error) => return Err(error),
    }
    let players = Players::new(&config, &STOP)?;
    let mut files = Files::create(&config)?;
    let mut live = Live::new(&config, test.plan());
    let mut tally = Tally::new(&config.rules, config.unit);
    let began = Instant::now();
    while let Some(look) = test.next_look() {
        let Some(part) = players.play(test.sums().pairs..look) else { break };
        let seen = test.feed(&part.points)?;
        tally.merge(&part);
        files.look(&seen)?;
        live.look(&test, &seen);
    }
    live.finish();
    files.finish(&files::to_json(&config, &command, &test, &tally, began.elapsed()))?;
    let mut words = show::verdict(&config, &test, &tally);
    if let Some(line) = cheaters_line(&config.cheaters()) {
        words = format!("{}\n{line}\n", words.trim_end());
    }
    print(out, &words)?;
    if config.progress != ProgressMode::None {
        eprintln!("written to {}", files.path().display());
    }
    Ok(match test.decision() {
        Decision::Upper => Exit::Done,
        Decision::Lower => Exit::Lower,
        Decision::Undecided => Exit::Undecided,
        Decision::GoOn => Exit::Interrupted,
    })
}
