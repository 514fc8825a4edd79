//! `arena sprt`: a sequential test of two bots.
//!
//! A test is a run (`arena run`) with looks on its way: it is played, saved and resumed by the same means. No batch goes over the place of a look, so every look is at the same pairs whatever the threads.

mod asked;
mod files;
mod looks;
mod verdict;
mod verify;

use std::io::Write;
use std::time::Duration;

use clap::Args;
use coinche_bots::Registry;
use coinche_inference::{Decision, PairedSums, SequentialTest, SprtPlan, StatsError};
use coinche_selfplay::base::error::{ArenaError, ModuleError};
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::{print, print_early, tell};
use coinche_selfplay::base::progress::{Display, ProgressMode};
use coinche_selfplay::base::style::thousands;
use coinche_selfplay::document::text::Detail;
use coinche_selfplay::play::tally::Tally;

use super::count::count;
use super::flags::PlayFlags;
use crate::protocol::STOP;
use crate::run::commit::COMMIT;
use crate::run::config::{Records, RunFile};
use crate::run::control::{Controlled, InCommon};
use crate::run::directory::RunDir;
use crate::run::runner::{self, Next};
use crate::run::session::measure_control;
use crate::run::verdict::is_of_faults;

use asked::{Asked, LEAST_FIRST, command};
use files::Files;

pub(super) use files::{RESULT, TABLE};
pub(super) use verify::verify;

/// The pairs between two looks.
pub(super) const EVERY: u64 = 256;
/// The fewest pairs before the first look: the mean of so many is near normal for all but freak bots.
pub(super) const FIRST: u64 = 512;

/// The flags of `arena sprt`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The test stops as soon as the data decide between two bounds on the difference A − B. If the difference is at one bound, the other is accepted with probability alpha or beta at most; `arena power` computes how many deals that takes.

The test looks at multiples of --every from --first on, so the verdict depends on the seed alone. If --max-deals lies between two looks, the test ends there undecided. Deals in which both bots score the same are no proof that they are equal: the test continues until enough deals differ or were played. The estimate printed with it is biased away from the middle of the bounds: to publish a difference, measure it with `arena run` and another seed.

With --match the bounds are percentage points of matches won above 50 %: `--lower 0 --upper 2` tests 50 % against 52 %.

Repeat the command to resume a test that was stopped, or give a larger --max-deals to one that ended undecided. The directory only accepts the same settings. It holds sprt.csv (one row per look), sprt.json and the files of a run without records.

Examples:
  arena sprt rules:caution=5 rules --lower 0 --upper 5     is A better by 5?
  arena sprt rules:caution=5 rules --lower -5 --upper 0    is A not worse?
  arena sprt rules:caution=5 rules --match --lower 0 --upper 2
  arena sprt rules:caution=5 rules --freeze play=solver --lower 0 --upper 2
  arena sprt dd+rules rules --lower 0 --upper 10 --control table+rules rules

Exit codes: 0 upper bound accepted, 10 lower bound accepted, 11 undecided after --max-deals, or more than 1 % of the legs forfeited by faults, 2 wrong arguments or a directory of another test, 3 output cannot be written or the directory is in use, 4 a program failed for good, 130 interrupted.")]
pub struct SprtArgs {
    /// The two bots, A and B; `arena bots` lists them
    #[arg(value_name = "BOT", num_args = 0..=2)]
    pub bots: Vec<String>,
    /// Lower bound of A − B, in points per deal
    ///
    /// With --match in percentage points of matches won above 50 %.
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true)]
    pub lower: f64,
    /// Upper bound of A − B, in the same unit
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true)]
    pub upper: f64,
    /// False positive rate
    ///
    /// The probability that the upper bound is accepted when the lower one is true.
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub alpha: f64,
    /// False negative rate
    ///
    /// The probability that the lower bound is accepted when the upper one is true.
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub beta: f64,
    /// Play matches, not single deals; test who wins them
    ///
    /// --max-deals, --every and --first then count matches.
    #[arg(long = "match")]
    pub matches: bool,
    /// A cheap pair on the same deals, to remove luck
    ///
    /// As for `arena run`: C and D are two fast bots whose difference correlates with that of A and B. The test is of the
    /// adjusted difference and stops earlier where the control explains much.
    #[arg(long, value_names = ["C", "D"], num_args = 2)]
    pub control: Option<Vec<String>>,
    /// Number of other deals for the control [default: 1M]
    ///
    /// They give the mean of the control; its uncertainty is part of the test.
    #[arg(long, value_name = "N", value_parser = count::<u64>)]
    pub control_deals: Option<u64>,
    /// Maximum number of deals [default: 1M]
    ///
    /// Each is played in two legs.
    #[arg(long, value_name = "N", default_value = "1M", hide_default_value = true, value_parser = count::<u64>)]
    pub max_deals: u64,
    /// Number of deals between two looks
    #[arg(long, value_name = "N", default_value_t = EVERY, value_parser = count::<u64>)]
    pub every: u64,
    /// Number of deals before the first look
    #[arg(long, value_name = "N", default_value_t = FIRST, value_parser = count::<u64>)]
    pub first: u64,
    /// How they play.
    #[command(flatten)]
    pub play: PlayFlags,
}

impl SprtArgs {
    fn plan(&self) -> SprtPlan {
        let Self { lower, upper, alpha, beta, every, first, max_deals: most, .. } = *self;
        SprtPlan { lower, upper, alpha, beta, every, first, most }
    }

    fn check(self, registry: &Registry) -> Result<Asked, ArenaError> {
        let plan = self.plan();
        plan.check().map_err(flag)?;
        if self.bots.len() != 2 {
            return Err(SprtArgsError::NotTwoBots(self.bots.len()).into());
        }
        if self.matches && [plan.lower, plan.upper].iter().any(|bound| bound.abs() > 50.0) {
            return Err(SprtArgsError::BoundsOfMatches { lower: plan.lower, upper: plan.upper }.into());
        }
        let flags = RunFile {
            bots: Some(self.bots),
            deals: Some(self.max_deals),
            matches: self.matches.then_some(true),
            control: self.control,
            control_deals: self.control_deals,
            records: Some(Records::None),
            ..self.play.into_file()
        };
        let set = flags.set.clone().unwrap_or_default();
        let config = flags.check(registry)?.of_flags(&set)?;
        let first = plan.next_look(0).unwrap_or(0);
        if config.control.is_some() && first < LEAST_FIRST {
            return Err(SprtArgsError::FewForControl(first).into());
        }
        let command = command(&config, &plan);
        Ok(Asked { config, plan, command })
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

/// Why the arguments are no test.
#[derive(Debug, thiserror::Error)]
enum SprtArgsError {
    #[error(
        "expected two bots, as in `arena sprt rules random --lower 0 --upper 5`, but got {0}; `arena bots` lists \
             them"
    )]
    NotTwoBots(usize),
    #[error(
        "bounds of {lower} and {upper}: with --match they are percentage points of matches won above 50 %, from \
             -50 to 50"
    )]
    BoundsOfMatches { lower: f64, upper: f64 },
    #[error(
        "the first look is after {0} deals: with --control it needs {LEAST_FIRST} or more, which --first, --every and \
             --max-deals decide"
    )]
    FewForControl(u64),
}

impl ModuleError for SprtArgsError {}

/// A test under way.
struct Test {
    asked: Asked,
    dir: RunDir,
    files: Files,
    state: SequentialTest,
    /// The pairs since the last look that are not in the test yet.
    part: PairedSums,
    /// Those of all pairs with the control, where there is one.
    in_common: Option<InCommon>,
    display: Display,
}

impl Test {
    /// Looks, if that is due.
    fn look(&mut self) -> Result<(), ArenaError> {
        if self.state.next_look() == Some(self.state.sums().pairs + self.part.pairs) {
            let part = core::mem::take(&mut self.part);
            let (look, estimate) = match (&self.in_common, &self.dir.totals().control) {
                (Some(in_common), Some(known)) => {
                    let look = self.state.feed_with(&part, &in_common.adjust(known)?)?;
                    (look, Controlled::of(known, in_common).map(|it| it.estimate()))
                }
                _ => (self.state.feed(&part)?, self.state.estimate()),
            };
            self.files.look(&look)?;
            verdict::tell(&mut self.display, self.asked.config.unit, &self.state, &look, estimate.as_ref());
        }
        Ok(())
    }

    /// Plays until the test is over or the user asks to stop.
    fn play(&mut self) -> Result<(), ArenaError> {
        if !measure_control(&self.asked.config, &mut self.dir, &STOP)? {
            return Ok(());
        }
        self.look()?;
        if self.state.next_look().is_none() {
            return Ok(());
        }
        let (config, every) = (self.asked.config.clone(), self.asked.plan.every);
        let log = runner::stderr_log(&config);
        let played = runner::play_in_steps(&config, self.dir.done(), every, &STOP, &log, |batch| {
            // What other threads have played behind the look that decided does not count.
            if self.state.next_look().is_some() {
                self.part.merge(&self.asked.sums(&batch.tallies[0]));
                self.in_common.iter_mut().for_each(|in_common| in_common.add(batch));
                self.look()?;
                self.dir.append(batch)?;
            }
            Ok(if self.state.next_look().is_none() { Next::Stop } else { Next::GoOn })
        });
        self.display.end();
        log.tell_failures();
        played.map(drop)
    }

    /// Writes `sprt.json`.
    fn save(&self) -> Result<(), ArenaError> {
        let elapsed = self.display.elapsed();
        self.files.finish(&files::to_json(&self.asked, &self.state, self.dir.totals(), elapsed))
    }
}

/// Returns what a test has decided: nothing, where it is faults that are tested.
pub(super) fn decision(test: &SequentialTest, tally: &Tally) -> Decision {
    match test.decision() {
        Decision::Upper | Decision::Lower if is_of_faults(tally) => Decision::Undecided,
        other => other,
    }
}

/// Runs the command.
///
/// # Errors
///
/// When the configuration is wrong or not that of the directory, or something cannot be written.
pub(crate) fn sprt(args: SprtArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    let mut asked = args.check(registry)?;
    let (config, programs) = asked.config.meet(registry)?;
    (asked.command, asked.config) = (command(&config, &asked.plan), config);
    print_early(out, &format!("{}\ncommit {COMMIT}\n\n", asked.command))?;
    asked.config.out = Some(files::directory(&asked)?);
    let (unit, tells) = (asked.config.unit, asked.config.progress != ProgressMode::None);
    let mut dir = RunDir::open(&asked.config)?;
    dir.name_programs(programs);
    let (files, state) = Files::open(&mut dir, &asked)?;
    let before = dir.totals().pairs();
    if tells && before > 0 {
        tell(&format!("{} {} are already in {}", thousands(before), unit.plural(), files.path().display()));
    }
    let first = Duration::from_millis(200);
    let mut display = Display::new(asked.config.progress, asked.plan.most, unit.plural(), first).at_most();
    display.skip(before);
    let in_common = InCommon::of(&asked.config, dir.totals(), 0);
    let mut this = Test { asked, dir, files, state, part: PairedSums::default(), in_common, display };
    // From now on the directory is that of a test.
    this.save()?;
    let played = this.play();
    this.display.end();
    let closed = this.dir.close();
    this.save()?;
    let sealed = closed.and_then(|()| this.dir.seal(&[files::TABLE, files::RESULT]));
    if played.is_err() && tells {
        tell(&format!("resume with: {} --out {}", this.asked.command, this.files.path().display()));
    }
    played?;
    sealed?;
    let Test { asked, dir, files, state: test, .. } = this;
    print(out, &verdict::document(&asked, &test, dir.totals()).render(Detail::Full))?;
    let path = files.path().display();
    if tells {
        tell(&format!("written to {path}"));
        if test.decision() == Decision::GoOn {
            tell(&format!("resume with: {} --out {path}", asked.command));
        }
    }
    Ok(match decision(&test, dir.totals().first()) {
        Decision::Upper => Exit::Done,
        Decision::Lower => Exit::Lower,
        Decision::Undecided => Exit::Undecided,
        Decision::GoOn => Exit::Interrupted,
    })
}
