//! When and how fast a run was: the part of `run.json` that differs from time to time.

use std::path::Path;
use std::time::{Duration, SystemTime};

use coinche_selfplay::base::files::if_there;
use coinche_selfplay::{BotTimes, Result, rate};
use serde::{Deserialize, Serialize};

use super::RunJson;
use crate::clock::{Clock, time_stamp};
use crate::config::RunConfig;
use crate::totals::Totals;
use coinche_protocol::ProgramInfo;

/// When and how fast a run was.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Timing {
    /// When it ended, in UTC.
    pub ended: String,
    /// How long it took, all its processes together.
    pub seconds: f64,
    /// Legs of deals a second.
    pub legs_per_second: u64,
    /// Threads that played.
    pub threads: usize,
    /// Processor time per decision, by bot.
    pub decisions: Vec<DecisionTimes>,
    /// The programs from outside, as they named themselves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<ProgramInfo>,
    /// For which targets and processors the programs were built that played. Results do not depend on it.
    pub builds: Vec<String>,
}

/// The processor time of a bot's decisions, in microseconds.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DecisionTimes {
    /// The bot.
    pub bot: String,
    /// How many decisions were timed.
    pub timed: u64,
    /// Their mean.
    pub mean: f64,
    /// The time that half of them did not exceed.
    pub p50: f64,
    /// The time that 95 % of them did not exceed.
    pub p95: f64,
    /// The longest.
    pub max: f64,
    /// Sum and longest in nanoseconds and the counts by class, to go on with.
    pub spread: String,
}

fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

impl DecisionTimes {
    fn new(bot: String, times: &BotTimes) -> Self {
        Self {
            bot,
            timed: times.number(),
            mean: microseconds(times.mean()),
            p50: microseconds(times.quantile(50)),
            p95: microseconds(times.quantile(95)),
            max: microseconds(times.longest()),
            spread: times.to_text(),
        }
    }
}

impl Timing {
    /// Computes the timing of a run that ends now.
    pub fn new(config: &RunConfig, totals: &Totals, clock: &Clock, elapsed: Duration) -> Self {
        let all = clock.before + elapsed;
        let timed = config.bots.iter().zip(&clock.times).filter(|(_, times)| times.number() > 0);
        Self {
            ended: time_stamp(SystemTime::now()),
            seconds: all.as_secs_f64(),
            legs_per_second: rate(totals.legs(), all),
            threads: config.threads,
            decisions: timed.map(|(bot, times)| DecisionTimes::new(bot.to_string(), times)).collect(),
            programs: clock.programs.clone(),
            builds: clock.builds.clone(),
        }
    }

    /// Reads the clock of the run in a directory; an empty one where there is none.
    pub fn read_clock(directory: &Path, config: &RunConfig) -> Result<Clock> {
        let run = if_there(RunJson::read(&directory.join("run.json")))?;
        Ok(run.and_then(|run| run.timing.into_clock(config)).unwrap_or_default())
    }

    /// Returns the clock again; `None` where the times are none.
    pub fn into_clock(self, config: &RunConfig) -> Option<Clock> {
        let Self { seconds, decisions, programs, builds, .. } = self;
        let before = Duration::try_from_secs_f64(seconds).ok()?;
        // Two bots of one name stand in the order of the list.
        let mut left = decisions.into_iter().peekable();
        let times = config.bots.iter().map(|bot| {
            left.next_if(|times| times.bot == bot.name())
                .and_then(|times| BotTimes::from_text(&times.spread))
                .unwrap_or_default()
        });
        Some(Clock { before, times: times.collect(), programs, builds })
    }
}
