//! A running tuning: its matches and their effects.

use std::path::{Path, PathBuf};

use coinche_bots::{BotSpec, Program, Registry, TeamSpec};
use coinche_engine::{Purpose, Secrets};
use coinche_inference::{Measured, Spsa, Trial};
use coinche_selfplay::{Display, Format, Result, SideTally};
use serde_json::json;

use super::files::{self, Files, Row};
use super::params::{self, Param};
use super::result::{self, Verified};
use crate::commands::run::go_on;
use coinche_protocol::STOP;
use coinche_runs::directory::named;
use coinche_runs::{CommandLine, Identity, RunConfig, RunDir, Shard, Totals, runner};

/// The directory of the run of the result against the start.
pub(in crate::commands) const VERIFY: &str = "verify";

/// The measurement of an iteration of equal bots.
const NOTHING: Row = Row { measured: Measured { pairs: 0, doubled: 0, squares: 0 }, faults: 0 };

/// The next iteration.
pub(super) enum Iteration {
    /// All iterations are done.
    Over,
    /// Nothing: both sides round to the same bot, and there is nothing to learn.
    Equal,
    /// A match, whose last deals are those of the iteration.
    Match(Box<RunConfig>),
}

/// A tuning: its settings, and its progress.
pub(in crate::commands) struct Tuning {
    pub(super) bot: BotSpec,
    pub(super) against: Option<TeamSpec>,
    pub(super) params: Vec<Param>,
    pub(super) iterations: u64,
    pub(super) batch: u64,
    pub(super) verify: u64,
    /// Common to all matches: rules, seed, threads.
    pub(super) config: RunConfig,
    pub(super) spsa: Spsa,
    /// The parameters at the start and after every iteration.
    pub(super) way: Vec<Vec<f64>>,
    pub(super) faults: u64,
    pub(super) start: BotSpec,
    pub(super) tuned: BotSpec,
    /// The share of one of several machines.
    pub(super) shard: Option<Shard>,
    /// The number of iterations in the history, and the lines to add: of iterations that need no deals.
    pub(super) there: usize,
    pub(super) lines: Vec<String>,
}

impl Tuning {
    /// Starts every program once, so that errors show up before the tuning, and gives those without a name the
    /// one they report.
    pub(super) fn meet(&mut self, registry: &Registry) -> Result<()> {
        let (met, _) = self.match_of([&self.start, &self.start]).meet(registry)?;
        // Programs of the bot are identified by their commands: their options change with its parameters.
        let of_bot = met.bots.last().map(|team| team.partner(0).clone());
        let programs: Vec<_> =
            of_bot.iter().flat_map(|bot| [bot.bidder_program(), bot.player_program()]).flatten().collect();
        let name = |asked: &Program| {
            programs
                .iter()
                .find(|program| program.words == asked.words)
                .and_then(|program| program.name.clone())
        };
        for bot in [&mut self.bot, &mut self.start, &mut self.tuned] {
            *bot = bot.with_program_names(&name);
        }
        self.against = self.against.as_ref().and_then(|_| met.bots.first().cloned());
        self.config.freeze = met.freeze;
        Ok(())
    }

    /// Returns the display name of the start or the tuned bot: for a program its name and its parameter values.
    pub(super) fn shown(&self, bot: &BotSpec) -> String {
        if !bot.has_program() {
            return bot.to_string();
        }
        let value = |param: &Param| Some(format!("{}={}", param.name, bot.param(&param.name).ok()??));
        let values = self.params.iter().filter_map(value).filter(|value| !bot.name().contains(value));
        match &values.collect::<Vec<_>>()[..] {
            [] => bot.to_string(),
            values => format!("{bot} ({})", values.join(", ")),
        }
    }

    /// Returns the command line that gives the same results.
    pub(super) fn to_command(&self) -> String {
        let line = CommandLine::new("tune").words(self.bot.quoted());
        let line = self
            .params
            .iter()
            .fold(line, |line, param| line.flag("param", format_args!("{}={}", param.name, param.range())));
        line.flag_of("against", self.against.as_ref().map(TeamSpec::as_str))
            .flag("deals", self.iterations * self.batch)
            .flag("batch", self.batch)
            .flag("gain", self.spsa.gain())
            .flag("verify", self.verify)
            .seed(&self.config)
            .unit(&self.config)
            .freeze(&self.config)
            .rules(&self.config)
    }

    /// Returns what must match to resume: the whole command except the verification, and the rules.
    pub(super) fn identity(&self) -> Result<Identity> {
        let mut settings = self.config.settings()?;
        for key in ["bots", "match", "records"] {
            settings.remove(key);
        }
        let mut set = |key: &str, value: toml::Value| settings.insert(key.to_owned(), value);
        set("bot", self.bot.as_str().into());
        set("against", self.against.as_ref().map_or("itself", TeamSpec::as_str).into());
        set("deals", (self.iterations * self.batch).to_string().into());
        set("batch", self.batch.to_string().into());
        set("gain", self.spsa.gain().into());
        for param in &self.params {
            set(&format!("param {}", param.name), param.range().into());
        }
        let names: Vec<_> = self.params.iter().map(|param| param.name.as_str()).collect();
        set("params", names.join(", ").into());
        let third = self.against.iter().flat_map(TeamSpec::partners).flat_map(BotSpec::files);
        let files = self.config.files().into_iter().chain(self.bot.files()).chain(third);
        Ok(Identity::of(settings).with_files(files.collect()))
    }

    /// Returns the directory: the given one, or one named by all settings.
    pub(super) fn directory(&self, identity: &Identity) -> PathBuf {
        let name = || named(["tune-", ""], self.bot.name(), &self.config.seed, &identity.fingerprint);
        self.config.out.clone().unwrap_or_else(name)
    }

    /// Returns the configuration of a match between two bots of the parameters: direct, or each against the
    /// same third one.
    pub(super) fn match_of(&self, bots: [&BotSpec; 2]) -> RunConfig {
        let bots: Vec<TeamSpec> =
            self.against.iter().cloned().chain(bots.map(|bot| bot.clone().into())).collect();
        let format = if bots.len() == 2 { Format::Match } else { Format::Gauntlet };
        RunConfig { bots, format, out: None, ..self.config.clone() }
    }

    /// Returns the two sides of the next iteration.
    fn trial(&self) -> Option<Trial> {
        let secrets = Secrets::from(&self.config.seed);
        let key = |iteration| secrets.key(Purpose::Experiment, iteration, 0);
        self.spsa.trial(|iteration, param| key(iteration).and(param).bits())
    }

    /// Adds the measurement of an iteration, and returns its line of the history.
    pub(super) fn take_row(&mut self, row: Row) -> Option<String> {
        let trial = self.trial()?;
        self.spsa.feed(&trial, row.measured);
        self.way.push(self.spsa.theta().to_vec());
        self.faults += row.faults;
        Some(files::line(&self.params, self.batch, &self.spsa, &trial, &row))
    }

    /// Replays the rows of a history.
    pub(super) fn resume(&mut self, directory: &Path, rows: Vec<(Row, String)>) -> Result<()> {
        for (row, text) in rows {
            if self.take_row(row).as_ref() != Some(&text) {
                return Err(files::damaged(directory, self.spsa.done()));
            }
        }
        Ok(())
    }

    /// Plays the remaining iterations, until done or stopped.
    pub(super) fn go_on(&mut self, files: &mut Files, display: &mut Display) -> Result<()> {
        while let Some(row) = self.play()? {
            let Some(line) = self.take_row(row) else { break };
            files.append(&line)?;
            let (done, of, theta) = (self.spsa.done(), self.iterations, self.spsa.theta());
            let deals = done * self.batch;
            let json = || json!({ "done": done, "of": of, "deals": deals, "theta": theta });
            if display.is_due() || done == of {
                let state = || result::state(&self.params, theta);
                display.show(deals, state, json);
            }
        }
        Ok(())
    }

    /// Returns the next iteration.
    pub(super) fn next(&self) -> Result<Iteration> {
        let Some(trial) = self.trial() else { return Ok(Iteration::Over) };
        let side = |values: &[f64]| params::with_values(&self.bot, &self.params, values);
        let bots = [side(&trial.plus)?, side(&trial.minus)?];
        if bots[0] == bots[1] {
            return Ok(Iteration::Equal);
        }
        let deals = (self.spsa.done() + 1) * self.batch;
        Ok(Iteration::Match(Box::new(RunConfig { deals, ..self.match_of(bots.each_ref()) })))
    }

    /// Skips the next iterations of equal bots, and returns their lines of the history.
    pub(super) fn pass_equal(&mut self) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        while let Iteration::Equal = self.next()? {
            lines.extend(self.take_row(NOTHING));
        }
        Ok(lines)
    }

    /// Plays the next iteration; `None` if all are done or a stop is requested.
    fn play(&self) -> Result<Option<Row>> {
        let config = match self.next()? {
            Iteration::Over => return Ok(None),
            Iteration::Equal => return Ok(Some(NOTHING)),
            Iteration::Match(config) => config,
        };
        let start = config.deals - self.batch;
        let mut totals = Totals::new(&config);
        let done = runner::play(&config, start, &STOP, |batch| {
            batch.add_to(&mut totals);
            Ok(())
        })?;
        Ok((done == config.deals).then(|| Row { measured: measured(&totals), faults: faults(&totals) }))
    }

    /// Returns the run of the result against the start on fresh deals.
    pub(super) fn verification(&self, directory: &Path, tuned: &BotSpec) -> RunConfig {
        RunConfig {
            deals: self.verify,
            // Deals of another seed are different, and their run can be reproduced by itself.
            seed: self.config.seed.derived("verification"),
            out: Some(directory.join(VERIFY)),
            ..self.match_of([&called(tuned, "tuned"), &called(&self.start, "start")])
        }
    }

    /// Plays the result against the start; `None` if stopped before the end.
    pub(super) fn verify(&self, directory: &Path) -> Result<Option<Verified>> {
        let config = self.verification(directory, &self.tuned);
        let programs = config.probe()?;
        let mut dir = RunDir::open(&config)?;
        dir.name_programs(programs);
        let played = go_on(&config, &mut dir);
        let closed = dir.close();
        let done = played?;
        closed?;
        let verified = Verified::new(&config, dir.totals());
        Ok((done == config.range().end).then_some(verified))
    }
}

/// Returns a bot whose programs have distinct names in the verification run.
fn called(bot: &BotSpec, what: &str) -> BotSpec {
    bot.with_program_names(&|program| Some(format!("{}-{what}", program.name.as_ref()?)))
}

/// Returns the difference between the two bots of a match, or, if both play a third one, the first of three,
/// the difference of their differences.
pub(super) fn measured(totals: &Totals) -> Measured {
    let joint = &totals.covariance;
    let pairs = totals.pairs();
    if joint.encounters() == 1 {
        return Measured { pairs, doubled: joint.sum(0), squares: joint.product(0, 0) };
    }
    let squares = joint.product(0, 0) - 2 * joint.product(0, 1) + joint.product(1, 1);
    Measured { pairs, doubled: joint.sum(1) - joint.sum(0), squares }
}

/// Returns the faults of the tuned bots.
pub(super) fn faults(totals: &Totals) -> u64 {
    let straight = totals.encounters.len() == 1;
    let sides = if straight { 0..2 } else { 1..2 };
    totals.tallies.iter().flat_map(|tally| &tally.sides[sides.clone()]).map(SideTally::all_faults).sum()
}
