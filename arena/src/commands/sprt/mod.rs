//! `arena sprt`: a sequential test of two bots.
//!
//! A test is a run (`arena run`) with interim looks: it is played, saved and resumed in the same way. No batch
//! crosses a look, so every look is at the same pairs whatever the number of threads.

mod asked;
mod files;
mod looks;
mod part;
mod under_way;
mod verdict;
mod verify;

use std::io::Write;

use clap::Args;
use coinche_bots::Registry;
use coinche_inference::{Decision, SprtPlan, StatsError};
use coinche_selfplay::{
    ArenaError, Exit, ModuleError, ProgressMode, Result, print, print_early, tell, thousands,
};

use super::count::count;
use super::flags::PlayFlags;
use super::steps::{make, preamble};
use coinche_protocol::ProgramInfo;
use coinche_runs::{Records, RunFile, Shard};

use asked::LEAST_FIRST;
use part::Share;
use under_way::Test;

pub(super) use asked::Asked;
pub(super) use files::{RESULT, TABLE};
pub(super) use part::WAVES;
pub(super) use verify::verify;

/// The number of pairs between two looks.
pub(super) const EVERY: u64 = 256;
/// The minimum number of pairs before the first look: their mean is nearly normal for all but freak bots.
pub(super) const FIRST: u64 = 512;

/// The flags of `arena sprt`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("sprt"))]
pub(crate) struct SprtArgs {
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
    /// Play only the i-th of n shards of the next wave
    ///
    /// Counted from 1. It needs --seed. `arena merge` takes the shards of a wave into the test.
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Number of deals in a wave [default: 16 looks a shard]
    ///
    /// All shards of a wave need the same. It only decides how many deals are played beyond the look that decides: the
    /// verdict, and where it falls, do not depend on it.
    #[arg(long, value_name = "N", requires = "shard", value_parser = count::<u64>)]
    pub wave: Option<u64>,
    /// How they play.
    #[command(flatten)]
    pub play: PlayFlags,
}

impl SprtArgs {
    fn plan(&self) -> SprtPlan {
        let Self { lower, upper, alpha, beta, every, first, max_deals: most, .. } = *self;
        SprtPlan { lower, upper, alpha, beta, every, first, most }
    }

    fn check(self, registry: &Registry) -> Result<Asked> {
        let (share, plan) = (Share::of(&self)?, self.plan());
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
        Ok(Asked { config, plan, share })
    }
}

/// Starts the programs, and returns the settings in the form that identifies the test everywhere.
fn meet(asked: Asked, registry: &Registry) -> Result<(Asked, Vec<ProgramInfo>)> {
    let (config, programs) = asked.config.meet(registry)?;
    let mut asked = Asked { config, ..asked };
    asked.config.out = Some(files::directory(&asked)?);
    Ok((asked, programs))
}

/// Replaces a number of the plan by its flag in an error.
fn flag(error: StatsError) -> ArenaError {
    match error {
        StatsError::Range { name: "most", value, range } => {
            StatsError::Range { name: "max-deals", value, range }.into()
        }
        other => other.into(),
    }
}

/// Why the arguments do not define a test.
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

/// Runs the command.
pub(crate) fn sprt(args: SprtArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let (asked, programs) = meet(args.check(registry)?, registry)?;
    print_early(out, &preamble(&asked.to_command()))?;
    if let Some(Share { shard, .. }) = asked.share {
        let whole = files::directory(&asked)?;
        return make(asked, shard, whole, programs);
    }
    let tells = asked.config.progress != ProgressMode::None;
    let mut this = Test::open(asked, programs)?;
    let (before, unit) = (this.dir.totals().pairs(), this.asked.config.unit);
    if tells && before > 0 {
        tell(&format!(
            "{} {} are already in {}",
            thousands(before),
            unit.plural(),
            this.files.path().display()
        ));
    }
    let played = this.play();
    this.display.end();
    let closed = this.close();
    let resume = format!("resume with: {} --out {}", this.asked.to_command(), this.files.path().display());
    if played.is_err() && tells {
        tell(&resume);
    }
    played?;
    closed?;
    print(out, &this.verdict())?;
    if tells {
        tell(&format!("written to {}", this.files.path().display()));
        if this.state.decision() == Decision::GoOn {
            tell(&resume);
        }
    }
    Ok(this.exit())
}
