//! A test whose deals are divided over machines, in waves.

use coinche_inference::Merge;
use std::path::{Path, PathBuf};

use coinche_bots::Registry;
use coinche_inference::{Decision, PairedSums};
use coinche_selfplay::base::files::foreign_data;
use coinche_selfplay::{ArenaError, OutOfRange, Result, thousands};

use super::asked::Asked;
use super::files::{self, RESULT};
use super::under_way::Test;
use super::{SprtArgs, verdict};
use crate::commands::steps::{Damage, Step, Stepwise, Taken, check_shard};
use coinche_runs::directory::task;
use coinche_runs::steps::each_step;
use coinche_runs::{Job, MOST_DEALS, Parts, RunConfig, STATE, Shard, State};

/// The directory of the waves in that of a test.
pub(in crate::commands) const WAVES: &str = "waves";

/// The default number of looks in a shard of a wave.
const LOOKS: u64 = 16;

/// The requested share of the next wave.
#[derive(Debug, Clone, Copy)]
pub(super) struct Share {
    pub(super) shard: Shard,
    wave: Option<u64>,
}

impl Share {
    /// Parses the flags; `None` if the whole test is requested.
    pub(super) fn of(args: &SprtArgs) -> Result<Option<Self>> {
        let shard = check_shard(args.shard, args.play.seed.seed.as_ref())?;
        args.wave.map(|wave| OutOfRange::check("wave", wave, 1..=MOST_DEALS)).transpose()?;
        Ok(shard.map(|shard| Self { shard, wave: args.wave }))
    }

    /// Returns the maximum number of deals in a wave.
    fn wave(&self, every: u64) -> u64 {
        let looks = self.shard.of().saturating_mul(LOOKS);
        self.wave.unwrap_or_else(|| every.saturating_mul(looks)).min(MOST_DEALS)
    }
}

/// The progress of a test.
pub(super) struct Standing {
    /// The first deal that was not played.
    done: u64,
    decision: Decision,
    has_control: bool,
}

impl Standing {
    /// Reads the progress of the test in a directory, while processes may be running on it.
    pub(super) fn read(whole: &Path, asked: &Asked) -> Result<Self> {
        let Some(state) = State::read(whole)? else {
            if let Some(file) = foreign_data(whole, &[]) {
                return Err(ArenaError::RunExists { path: whole.to_owned(), file });
            }
            return Ok(Self { done: 0, decision: Decision::GoOn, has_control: false });
        };
        if state.job != Job::Run {
            return Err(ArenaError::RunExists { path: whole.to_owned(), file: STATE });
        }
        task(&asked.config)?.check(whole, &state)?;
        let totals = state.restore(whole, &asked.config)?;
        let test = files::test_in(whole, asked, &totals)?;
        let (decision, has_control) = (test.decision(), totals.control.is_some());
        Ok(Self { done: state.done, decision, has_control })
    }
}

impl Stepwise for Asked {
    type Flags = SprtArgs;
    const JOB: Job = Job::Sprt;
    const WHAT: [&'static str; 2] = ["sequential test", "test"];
    const STEPS: &'static str = WAVES;
    const RESULT: &'static str = RESULT;

    fn of(flags: SprtArgs, registry: &Registry) -> Result<Self> {
        flags.check(registry)
    }

    fn config(&mut self) -> &mut RunConfig {
        &mut self.config
    }

    fn command(&self) -> String {
        self.to_command()
    }

    fn first(whole: &Path) -> Result<u64> {
        Ok(State::read(whole)?.map_or(0, |state| state.done))
    }

    fn next(&mut self, whole: &Path) -> Result<(u64, Option<Step>)> {
        let Standing { done, decision, has_control } = Standing::read(whole, self)?;
        let wave = self.share.map_or(MOST_DEALS, |share| share.wave(self.plan.every));
        let step = || Step {
            config: self.config.clone(),
            deals: done..self.plan.most.min(done.saturating_add(wave)),
            every: self.plan.every,
            needs_control: self.config.control.is_some() && !has_control,
            is_run: false,
            names: [String::new(), format!(" of the wave from {} on", thousands(done))],
        };
        Ok((done, (decision == Decision::GoOn).then(step)))
    }

    fn part_flags([from, to]: [u64; 2]) -> String {
        format!(" --wave {}", to - from)
    }

    fn check(&self, step: &Step, parts: &Parts) -> Result<()> {
        let mut at = parts.first;
        each_step(parts, &self.config, |path, part| {
            if step.needs_control && part.control.is_none() {
                return Err(ArenaError::damaged(path.join(STATE), Damage::NoControl));
            }
            for stretch in part.stretches {
                if let Some(next) = self.plan.next_look(at).filter(|next| stretch.end > *next) {
                    return Err(ArenaError::damaged(path.join(STATE), Damage::Stretch(next)));
                }
                at = stretch.end;
            }
            Ok(())
        })
    }

    fn has_news(&self) -> bool {
        false
    }

    fn take(self, whole: &Path, number: u64, of: Option<(&Step, &Parts)>) -> Result<Taken> {
        let mut test = Test::open(self, Vec::new())?;
        if test.dir.done() != number {
            // Another process has merged the wave since.
            return Err(ArenaError::InUse { path: whole.to_owned() });
        }
        // A partial merge before an error is not kept: the next merge repeats it.
        if let Some((_, parts)) = of {
            take(&mut test, parts)?;
        }
        test.close()?;
        if test.state.next_look().is_none() {
            return Ok(Taken::Over(test.verdict(), test.exit()));
        }
        let unit = test.asked.config.unit;
        let done = format!("{} {}", thousands(test.dir.totals().pairs()), unit.plural());
        let estimate = test.estimate();
        let figures = test.state.last().map_or_else(String::new, |look| {
            let state = verdict::state(unit, &test.state, look, estimate.as_ref());
            format!("; at {}: {state}", thousands(look.pairs))
        });
        Ok(Taken::More { done, figures, next: "another wave".to_owned() })
    }

    fn run_of(whole: &Path) -> PathBuf {
        whole.to_owned()
    }
}

/// Merges shards into a test, up to the deciding look.
fn take(this: &mut Test, gathered: &Parts) -> Result<()> {
    let config = this.asked.config.clone();
    if config.control.is_some() && this.dir.totals().control.is_none() {
        let mut control = PairedSums::default();
        each_step(gathered, &config, |_, step| {
            control.merge(&step.control.unwrap_or_default());
            Ok(())
        })?;
        this.dir.set_control(control)?;
    }
    this.look()?;
    each_step(gathered, &config, |_, step| {
        for stretch in &step.stretches {
            if this.state.next_look().is_some() {
                this.take(stretch)?;
            }
        }
        this.dir.add_clock(&step.clock);
        Ok(())
    })
}
