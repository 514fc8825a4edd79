//! `arena tune`: tunes a bot's parameters by self-play (SPSA).
//!
//! Iteration `k` plays deals `k · batch` to `(k + 1) · batch` of the seed, and the perturbations of both sides
//! depend only on seed and iteration. The same command therefore has the same trajectory on any number of
//! threads, and retraces it up to where it was stopped.

mod files;
mod params;
mod result;
mod step;
mod tuning;

use std::io::Write;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;
use coinche_bots::Registry;
use coinche_inference::Spsa;
use coinche_selfplay::{
    Detail, Display, Exit, Format, ModuleError, OutOfRange, ProgressMode, Result, print, print_early, tell,
};

use super::count::count;
use super::flags::PlayFlags;
use super::steps::{check_shard, make, preamble};
use coinche_protocol::STOP;
use coinche_runs::{Records, RunConfig, RunFile, Shard, TimesMode, rules_of_deals};

use files::Files;

pub(super) use files::SETTINGS;
pub(super) use step::STEPS;
pub(super) use tuning::{Tuning, VERIFY};

/// The flags of `arena tune`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("tune"))]
pub(crate) struct TuneArgs {
    /// The bot; `arena bots NAME` lists its parameters
    #[arg(value_name = "BOT")]
    pub bot: String,
    /// A parameter and its range; repeatable
    ///
    /// NAME=LOW..HIGH, NAME=LOW..HIGH:START or NAME=LOW..HIGH:START:STEP. START defaults to the bot's value, STEP (the
    /// perturbation at the end) to a twentieth of the range. Where both halves of `bidder+player` have the parameter,
    /// write `bidder.NAME` or `player.NAME`.
    #[arg(long, value_name = "RANGE", required = true)]
    pub param: Vec<String>,
    /// Play both variants against this bot instead
    ///
    /// The variants then do not play each other, which takes twice the deals for the same precision.
    #[arg(long, value_name = "BOT")]
    pub against: Option<String>,
    /// Number of deals, each in two legs [default: 100k]
    #[arg(long, value_name = "N", default_value = "100k", hide_default_value = true, value_parser = count::<u64>)]
    pub deals: u64,
    /// Number of deals per iteration
    ///
    /// After an interruption, at most this many deals are played again.
    #[arg(long, value_name = "N", default_value_t = 250, value_parser = count::<u64>)]
    pub batch: u64,
    /// Step size of the optimiser
    ///
    /// How many steps a parameter moves for a difference of one standard error, at the end of the tuning.
    #[arg(long, value_name = "STEPS", default_value_t = 0.15)]
    pub gain: f64,
    /// Deals to verify the result [default: deals / 4]
    ///
    /// 0 skips the match against the starting values.
    #[arg(long, value_name = "N", value_parser = count::<u64>)]
    pub verify: Option<u64>,
    /// Play only the i-th of n shards of the next iteration
    ///
    /// Counted from 1; after the last iteration, of the match that verifies the result. It needs --seed. `arena merge`
    /// takes the shards into the tuning.
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// How they play.
    #[command(flatten)]
    pub play: PlayFlags,
}

/// The deals are not a multiple of the batch size.
#[derive(Debug, thiserror::Error)]
#[error("deals: {deals} is not a multiple of the batch of {batch}: choose {below} or {}", below + batch)]
struct NoMultiple {
    deals: u64,
    batch: u64,
    below: u64,
}

impl ModuleError for NoMultiple {}

/// Returns the number of iterations.
fn iterations(deals: u64, batch: u64) -> Result<u64> {
    OutOfRange::check("batch", batch, 1..=1_000_000_000)?;
    if deals == 0 || !deals.is_multiple_of(batch) {
        let below = (deals / batch).max(1) * batch;
        return Err(NoMultiple { deals, batch, below }.into());
    }
    Ok(deals / batch)
}

impl TuneArgs {
    fn check(self, registry: &Registry) -> Result<Tuning> {
        let shard = check_shard(self.shard, self.play.seed.seed.as_ref())?;
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
        let set = flags.set.clone().unwrap_or_default();
        let bots = vec![bot.clone().into(), against.clone().unwrap_or_else(|| bot.clone().into())];
        // Options without effect for both bots are rejected.
        flags.clone().complete(bots, Format::Match, None, registry)?.of_flags(&set)?;
        let config =
            flags.complete(vec![bot.clone().into(), bot.clone().into()], Format::Match, None, registry)?;
        params::check_frozen(&params, &bot, &config.freeze)?;
        let config = RunConfig { rules: rules_of_deals(&config.rules, &set)?, ..config };
        let spsa = Spsa::new(params.iter().map(|param| param.spsa).collect(), iterations, self.gain)?;
        let start = params::with_values(&bot, &params, spsa.theta())?;
        let verify = self.verify.unwrap_or((self.deals / 4).max(1));
        Ok(Tuning {
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
            shard,
            there: 0,
            lines: Vec::new(),
        })
    }
}

/// Runs the command.
pub(crate) fn tune(args: TuneArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let mut tuning = args.check(registry)?;
    tuning.meet(registry)?;
    print_early(out, &preamble(&tuning.to_command()))?;
    let identity = tuning.identity()?;
    let whole = tuning.directory(&identity);
    if let Some(shard) = tuning.shard {
        return make(tuning, shard, whole, Vec::new());
    }
    let (mut files, rows) = Files::open(&whole, &identity, &files::header(&tuning.params))?;
    tuning.resume(files.path(), rows)?;
    let tells = tuning.config.progress != ProgressMode::None;
    if tells && tuning.spsa.done() > 0 {
        tell(&format!("{} iterations are already in {}", tuning.spsa.done(), files.path().display()));
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
    files.write(files::PICTURE, &result::picture(&tuning))?;
    files.write(files::RESULT, &result::to_json(&tuning, None, display.elapsed().as_secs_f64()))?;
    print_early(out, &result::parameters(&tuning).render(Detail::Full))?;
    let mut verified = None;
    if is_tuned && tuning.verify > 0 && tuning.tuned != tuning.start && !STOP.load(Ordering::Relaxed) {
        verified = tuning.verify(files.path())?;
        files.write(
            files::RESULT,
            &result::to_json(&tuning, verified.as_ref(), display.elapsed().as_secs_f64()),
        )?;
    }
    files.seal()?;
    let interrupted = STOP.load(Ordering::Relaxed) && (!is_tuned || verified.is_none());
    let path = files.path().display();
    if interrupted {
        print(out, &format!("so far: {}\n", tuning.tuned.as_str()))?;
        if tells {
            tell(&format!("resume with: {} --out {path}", tuning.to_command()));
        }
        return Ok(Exit::Interrupted);
    }
    print(out, &result::verdict(&tuning, verified.as_ref()).render(Detail::Full))?;
    if tells {
        tell(&format!("written to {path}"));
    }
    Ok(result::exit_of(verified.as_ref()))
}
