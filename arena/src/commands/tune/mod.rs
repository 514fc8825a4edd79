//! `arena tune`: better numbers for a bot, by matches between neighbours of it.
//!
//! Iteration `k` plays deals `k · batch` to `(k + 1) · batch` of the seed, the perturbations of both sides
//! follow from seed and iteration: the same command takes the same way on any number of threads, and takes it
//! again up to where it was stopped.

mod files;
mod params;
mod show;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::Args;
use coinche_bots::{BotSpec, TeamSpec};
use serde_json::json;

use super::flags::PlayFlags;
use super::print;
use super::run::{STOP, go_on};
use crate::config::{ProgressMode, Records, RunConfig, RunFile, TimesMode, rules_flags};
use crate::figures::COMMIT;
use crate::fnv::Fnv;
use crate::progress::Teller;
use crate::protocol::probe;
use crate::run_dir::{Identity, RunDir};
use crate::schedule::{Format, Unit};
use crate::stats::{Measured, Spsa};
use crate::tally::SideTally;
use crate::totals::Totals;
use crate::{ArenaError, Exit, runner};

use files::{Files, Row};
use params::Param;
use show::Verified;

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

/// A tuning: what was asked, and how far it has come.
struct Tuning {
    bot: BotSpec,
    against: Option<TeamSpec>,
    params: Vec<Param>,
    iterations: u64,
    batch: u64,
    verify: u64,
    /// Of every match: rules, seed, threads.
    config: RunConfig,
    command: String,
    spsa: Spsa,
    /// The parameters at the start and after every iteration.
    way: Vec<Vec<f64>>,
    faults: u64,
    start: BotSpec,
    tuned: BotSpec,
}

/// Returns the number of iterations.
fn iterations(deals: u64, batch: u64) -> Result<u64, ArenaError> {
    if !(1..=1_000_000_000).contains(&batch) {
        return Err(ArenaError::Usage(format!("batch: {batch} is not in 1 to 1000000000")));
    }
    if deals == 0 || !deals.is_multiple_of(batch) {
        let below = (deals / batch).max(1) * batch;
        return Err(ArenaError::Usage(format!(
            "deals: {deals} is not a multiple of the batch of {batch}: choose {below} or {}",
            below + batch
        )));
    }
    Ok(deals / batch)
}

impl TuneArgs {
    fn check(self) -> Result<Tuning, ArenaError> {
        let bot: BotSpec = self.bot.parse()?;
        let against = self.against.as_deref().map(str::parse::<TeamSpec>).transpose()?;
        let params = params::parse(&self.param, &bot)?;
        let iterations = iterations(self.deals, self.batch)?;
        let flags = RunFile {
            bots: Some(vec![self.bot.clone(), self.bot]),
            deals: Some(self.deals),
            records: Some(Records::None),
            times: Some(TimesMode::None),
            ..self.play.into_file()
        };
        let config = flags.check()?;
        let spsa =
            Spsa::new(params.iter().map(|param| param.spsa).collect(), iterations, self.gain, config.seed)?;
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

impl Tuning {
    /// Returns the command line that gives the same results.
    fn to_command(&self, gain: f64) -> String {
        let mut words = vec!["arena tune".to_owned(), self.bot.quoted()];
        for param in &self.params {
            let spsa = &param.spsa;
            let [low, high, start] = [spsa.low, spsa.high, spsa.start].map(|value| param.text(value));
            words.push(format!("--param {}={low}..{high}:{start}:{}", param.name, spsa.step));
        }
        words.extend(self.against.as_ref().map(|bot| format!("--against {}", bot.quoted())));
        let (deals, batch, verify, seed) =
            (self.iterations * self.batch, self.batch, self.verify, self.config.seed);
        words.push(format!(
            "--deals {deals} --batch {batch} --gain {gain} --verify {verify} --seed {seed}{}{}",
            self.config.freeze.flag(),
            rules_flags(&self.config.rules)
        ));
        words.join(" ")
    }

    /// Returns what must be equal to go on: all of the command but for the verification, and the rules.
    fn identity(&self) -> Result<Identity, ArenaError> {
        let mut settings = self.config.settings()?;
        for key in ["bots", "match", "records"] {
            settings.remove(key);
        }
        let mut set = |key: &str, value: toml::Value| settings.insert(key.to_owned(), value);
        set("bot", self.bot.to_string().into());
        set("against", self.against.as_ref().map_or_else(|| "itself".to_owned(), ToString::to_string).into());
        set("deals", (self.iterations * self.batch).to_string().into());
        set("batch", self.batch.to_string().into());
        set("gain", self.spsa.gain().into());
        for param in &self.params {
            let spsa = &param.spsa;
            let [low, high, start] = [spsa.low, spsa.high, spsa.start].map(|value| param.text(value));
            set(&format!("param {}", param.name), format!("{low}..{high}:{start}:{}", spsa.step).into());
        }
        let names: Vec<_> = self.params.iter().map(|param| param.name.as_str()).collect();
        set("params", names.join(", ").into());
        Ok(Identity::of(settings))
    }

    /// Returns the directory: the one that was asked for, or one whose name follows from all settings.
    fn directory(&self, identity: &Identity) -> PathBuf {
        let plain = |letter: char| if letter.is_ascii_alphanumeric() || letter == '.' { letter } else { '-' };
        let slug: String = self.bot.as_str().chars().map(plain).take(60).collect();
        let name = format!("tune-{slug}-seed-{}-{}", self.config.seed, &identity.fingerprint[..8]);
        self.config.out.clone().unwrap_or_else(|| Path::new("results").join("runs").join(name))
    }

    /// Returns the configuration of a match between two bots of the parameters: straight, or of each against
    /// the same third one.
    fn match_of(&self, bots: [&BotSpec; 2]) -> RunConfig {
        let bots: Vec<TeamSpec> =
            self.against.iter().cloned().chain(bots.map(|bot| bot.clone().into())).collect();
        let format = if bots.len() == 2 { Format::Match } else { Format::Gauntlet };
        RunConfig { bots, format, out: None, ..self.config.clone() }
    }

    /// Takes what an iteration measured, and returns its line of the history.
    fn take(&mut self, row: Row) -> Option<String> {
        let trial = self.spsa.trial()?;
        self.spsa.feed(&trial, row.measured);
        self.way.push(self.spsa.theta().to_vec());
        self.faults += row.faults;
        Some(files::line(&self.params, self.batch, &self.spsa, &trial, &row))
    }

    /// Plays the next iteration; `None` when all are over or asked to stop.
    fn play(&self) -> Result<Option<Row>, ArenaError> {
        let Some(trial) = self.spsa.trial() else { return Ok(None) };
        let side = |values: &[f64]| params::with_values(&self.bot, &self.params, values);
        let bots = [side(&trial.plus)?, side(&trial.minus)?];
        if bots[0] == bots[1] {
            // Rounded to the same bot: there is nothing to learn.
            return Ok(Some(Row { measured: Measured::default(), faults: 0 }));
        }
        let start = self.spsa.done() * self.batch;
        let config = RunConfig { deals: start + self.batch, ..self.match_of(bots.each_ref()) };
        let mut totals = Totals::new(&config);
        let done = runner::play(&config, start, &STOP, |batch| {
            batch.add_to(&mut totals);
            Ok(())
        })?;
        Ok((done == config.deals).then(|| Row { measured: measured(&totals), faults: faults(&totals) }))
    }

    /// Plays the result against the start on fresh deals; `None` when asked to stop before the end.
    fn verify(&self, directory: &Path) -> Result<Option<Verified>, ArenaError> {
        // Deals of another seed are others, and a run of them can be played again by itself.
        let seed = Fnv::of(&format!("verify {}", self.config.seed)) >> 32;
        let config = RunConfig {
            deals: self.verify,
            seed,
            out: Some(directory.join("verify")),
            ..self.match_of([&self.tuned, &self.start])
        };
        let mut dir = RunDir::open(&config)?;
        let played = go_on(&config, &mut dir);
        let closed = dir.close();
        let done = played?;
        closed?;
        let verified = Verified::new(seed, &measured(dir.totals()));
        Ok((done == config.range().end).then_some(verified))
    }
}

/// The difference between the two bots of a match: of both against a third one, the first of the three, that of
/// their differences.
fn measured(totals: &Totals) -> Measured {
    let joint = &totals.joint;
    let pairs = totals.pairs();
    if joint.encounters() == 1 {
        return Measured { pairs, doubled: joint.sum(0), squares: joint.product(0, 0) };
    }
    let squares = joint.product(0, 0) - 2 * joint.product(0, 1) + joint.product(1, 1);
    Measured { pairs, doubled: joint.sum(1) - joint.sum(0), squares }
}

/// The faults of the tuned bots.
fn faults(totals: &Totals) -> u64 {
    let straight = totals.encounters.len() == 1;
    let sides = if straight { 0..2 } else { 1..2 };
    totals.tallies.iter().flat_map(|tally| &tally.sides[sides.clone()]).map(SideTally::all_faults).sum()
}

/// Runs the command.
///
/// # Errors
///
/// When the settings are wrong or not those of the directory, or something cannot be read or written.
pub(crate) fn tune(args: TuneArgs, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    let mut tuning = args.check()?;
    probe(&tuning.match_of([&tuning.start, &tuning.start]))?;
    match print(out, &format!("{}\ncommit {COMMIT}\n\n", tuning.command)) {
        // The files are wanted all the same.
        Ok(()) | Err(ArenaError::BrokenPipe) => {}
        Err(error) => return Err(error),
    }
    let identity = tuning.identity()?;
    let (mut files, rows) =
        Files::open(&tuning.directory(&identity), &identity, &files::header(&tuning.params))?;
    for (row, text) in rows {
        if tuning.take(row).as_ref() != Some(&text) {
            return Err(files.damaged(tuning.spsa.done()));
        }
    }
    let tells = tuning.config.progress != ProgressMode::None;
    if tells && tuning.spsa.done() > 0 {
        eprintln!("{} iterations are in {} already", tuning.spsa.done(), files.path().display());
    }
    let mut teller = Teller::new(tuning.config.progress, tuning.iterations * tuning.batch, Unit::Deal);
    let mut played = Ok(());
    loop {
        match tuning.play() {
            Ok(Some(row)) => {
                let Some(line) = tuning.take(row) else { break };
                files.append(&line)?;
            }
            Ok(None) => break,
            Err(error) => {
                played = Err(error);
                break;
            }
        }
        let done = tuning.spsa.done();
        let (deals, theta) = (done * tuning.batch, tuning.spsa.theta());
        let json = || json!({ "done": done, "of": tuning.iterations, "deals": deals, "theta": theta });
        teller.tell(done == tuning.iterations, deals, || show::state(&tuning.params, theta), json);
    }
    teller.finish();
    files.sync()?;
    played?;
    tuning.tuned = params::with_values(&tuning.bot, &tuning.params, &tuning.spsa.result())?;
    let is_tuned = tuning.spsa.done() == tuning.iterations;
    files.write("trajectories.svg", &show::picture(&tuning))?;
    files.write("tune.json", &show::to_json(&tuning, None, teller.elapsed().as_secs_f64()))?;
    print(out, &format!("{}{}", show::parameters(&tuning), show::faults(&tuning)))?;
    let mut verified = None;
    if is_tuned && tuning.verify > 0 && tuning.tuned != tuning.start && !STOP.load(Ordering::Relaxed) {
        verified = tuning.verify(files.path())?;
        files
            .write("tune.json", &show::to_json(&tuning, verified.as_ref(), teller.elapsed().as_secs_f64()))?;
    }
    let interrupted = STOP.load(Ordering::Relaxed) && (!is_tuned || verified.is_none());
    let path = files.path().display();
    if interrupted {
        print(out, &format!("\nso far: {}\n", tuning.tuned))?;
        if tells {
            eprintln!("go on with: {} --out {path}", tuning.command);
        }
        return Ok(Exit::Interrupted);
    }
    print(out, &format!("\ntuned: {}\n{}", tuning.tuned, show::verdict(&tuning, verified.as_ref())))?;
    if tells {
        eprintln!("written to {path}");
    }
    Ok(Exit::Done)
}
