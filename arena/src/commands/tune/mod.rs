//! `arena tune`: better numbers for a bot, by matches between neighbours of it.
//!
//! Iteration `k` plays deals `k · batch` to `(k + 1) · batch` of the seed, the perturbations of both sides
//! follow from seed and iteration: the same command takes the same way on any number of threads, and takes it
//! again up to where it was stopped.

mod files;
mod params;
mod result;
mod tuning;

use std::io::Write;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;
use coinche_bots::Registry;
use coinche_inference::Spsa;
use coinche_selfplay::base::error::{ArenaError, ModuleError, OutOfRange};
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::{print, print_early};
use coinche_selfplay::base::progress::{Display, ProgressMode};
use coinche_selfplay::document::text::Detail;
use coinche_selfplay::play::schedule::Format;

use super::flags::PlayFlags;
use super::run::STOP;
use crate::run::commit::COMMIT;
use crate::run::config::{Records, RunFile, TimesMode};

use files::Files;
use tuning::Tuning;

/// The flags of `arena tune`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  arena tune rules --param caution=-20..20 --param coinche=-50..50 --seed 1 --out tuned
  arena tune rules --param caution=-20..20:10:2 --deals 50000 --batch 500
  arena tune rules --param caution=-20..20 --against random
  arena tune 'cmd:depth=4,run=./bot' --param depth=1..12 --deals 2000 --batch 50

Every iteration plays a batch of fresh deals, both seatings each, between two bots whose parameters
are moved a little in random opposite directions, and moves all of them towards the winner (SPSA,
Spall 1992). At the end every parameter is moved by its step to be told apart. The tuned values are
the means over the second half of the iterations; a match against the start on fresh deals, which is
a run in DIR/verify, says whether they are better.

The same command goes on with a tuning that was stopped, in whatever way. The directory holds
history.csv (a row an iteration), trajectories.svg, tune.json and the match.

Exit codes: 0 done, 2 wrong arguments or another tuning in the directory, 3 something cannot be
written or the directory is in use, 130 interrupted.")]
pub struct TuneArgs {
    /// The bot to tune; `arena bots` lists them with their parameters
    #[arg(value_name = "BOT")]
    pub bot: String,
    /// A parameter, its range, and if you like its start [default: what the bot has] and its step
    /// [default: a twentieth of the range]; repeatable. Of `bidder+player` they are tuned where they
    /// are known, or say `bidder.NAME`, `player.NAME`
    #[arg(long, value_name = "NAME=LO..HI[:START[:STEP]]", required = true)]
    pub param: Vec<String>,
    /// Let both neighbours play against this bot, in place of each other: twice the work for less
    #[arg(long, value_name = "BOT")]
    pub against: Option<String>,
    /// How many deals to tune on, each in two legs
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub deals: u64,
    /// How many deals to play before the parameters are moved; at most so many are played again after a stop
    #[arg(long, value_name = "N", default_value_t = 250)]
    pub batch: u64,
    /// How many steps a parameter follows a difference of one standard error, at the end
    #[arg(long, value_name = "STEPS", default_value_t = 0.15)]
    pub gain: f64,
    /// How many fresh deals to verify the result on; 0: none [default: a quarter of --deals]
    #[arg(long, value_name = "N")]
    pub verify: Option<u64>,
    /// How they play.
    #[command(flatten)]
    pub play: PlayFlags,
}

/// The deals are not a whole number of batches.
#[derive(Debug, thiserror::Error)]
#[error("deals: {deals} is not a multiple of the batch of {batch}: choose {below} or {}", below + batch)]
struct NoMultiple {
    deals: u64,
    batch: u64,
    below: u64,
}

impl ModuleError for NoMultiple {}

/// Returns the number of iterations.
fn iterations(deals: u64, batch: u64) -> Result<u64, ArenaError> {
    OutOfRange::check("batch", batch, 1..=1_000_000_000)?;
    if deals == 0 || !deals.is_multiple_of(batch) {
        let below = (deals / batch).max(1) * batch;
        return Err(NoMultiple { deals, batch, below }.into());
    }
    Ok(deals / batch)
}

impl TuneArgs {
    fn check(self, registry: &Registry) -> Result<Tuning, ArenaError> {
        let bot = registry.parse(&self.bot)?;
        let against = self.against.as_deref().map(|text| registry.parse_team(text)).transpose()?;
        let params = params::parse(&self.param, &bot)?;
        let iterations = iterations(self.deals, self.batch)?;
        let flags = RunFile {
            deals: Some(self.deals),
            records: Some(Records::None),
            times: Some(TimesMode::None),
            ..self.play.into_file()
        };
        let config =
            flags.complete(vec![bot.clone().into(), bot.clone().into()], Format::Match, None, registry)?;
        let spsa = Spsa::new(params.iter().map(|param| param.spsa).collect(), iterations, self.gain)?;
        let start = params::with_values(&bot, &params, spsa.theta())?;
        let verify = self.verify.unwrap_or((self.deals / 4).max(1));
        let mut this = Tuning {
            command: String::new(),
            way: vec![spsa.theta().to_vec()],
            tuned: start.clone(),
            batch: self.batch,
            faults: 0,
            bot,
            against,
            params,
            iterations,
            verify,
            config,
            spsa,
            start,
        };
        this.command = this.to_command(self.gain);
        Ok(this)
    }
}

/// Runs the command.
///
/// # Errors
///
/// When the settings are wrong or not those of the directory, or something cannot be read or written.
pub(crate) fn tune(args: TuneArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    let mut tuning = args.check(registry)?;
    tuning.match_of([&tuning.start, &tuning.start]).probe()?;
    print_early(out, &format!("{}\ncommit {COMMIT}\n\n", tuning.command))?;
    let identity = tuning.identity()?;
    let (mut files, rows) =
        Files::open(&tuning.directory(&identity), &identity, &files::header(&tuning.params))?;
    tuning.resume(&files, rows)?;
    let tells = tuning.config.progress != ProgressMode::None;
    if tells && tuning.spsa.done() > 0 {
        eprintln!("{} iterations are in {} already", tuning.spsa.done(), files.path().display());
    }
    let deals = tuning.iterations * tuning.batch;
    let mut display = Display::new(tuning.config.progress, deals, "deals", Duration::from_millis(200));
    display.skip(tuning.spsa.done() * tuning.batch);
    let played = tuning.go_on(&mut files, &mut display);
    display.end();
    files.sync()?;
    played?;
    tuning.tuned = params::with_values(&tuning.bot, &tuning.params, &tuning.spsa.result())?;
    let is_tuned = tuning.spsa.done() == tuning.iterations;
    files.write("trajectories.svg", &result::picture(&tuning))?;
    files.write("tune.json", &result::to_json(&tuning, None, display.elapsed().as_secs_f64()))?;
    print_early(out, &result::parameters(&tuning).render(Detail::Full))?;
    let mut verified = None;
    if is_tuned && tuning.verify > 0 && tuning.tuned != tuning.start && !STOP.load(Ordering::Relaxed) {
        verified = tuning.verify(files.path())?;
        files.write(
            "tune.json",
            &result::to_json(&tuning, verified.as_ref(), display.elapsed().as_secs_f64()),
        )?;
    }
    let interrupted = STOP.load(Ordering::Relaxed) && (!is_tuned || verified.is_none());
    let path = files.path().display();
    if interrupted {
        print(out, &format!("so far: {}\n", tuning.tuned))?;
        if tells {
            eprintln!("go on with: {} --out {path}", tuning.command);
        }
        return Ok(Exit::Interrupted);
    }
    print(out, &result::verdict(&tuning, verified.as_ref()).render(Detail::Full))?;
    if tells {
        eprintln!("written to {path}");
    }
    Ok(Exit::Done)
}
