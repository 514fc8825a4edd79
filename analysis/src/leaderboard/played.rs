//! Results of a leaderboard: from its runs, or from `leaderboard.json`, which has the sums of all of them.
//!
//! With that file, rating one more entry needs none of the old runs: correlations within a class are in the
//! sums by block of deals, and all runs of a class have the same blocks.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use coinche_bots::Registry;
use coinche_engine::Seed;
use coinche_inference::PairedSums;
use coinche_selfplay::base::files::read_json;
use coinche_selfplay::{ArenaError, Meter, ProgressMode, Result, thousands};
use serde::{Deserialize, Serialize};

use super::error::BoardError;
use super::jobs::{Board, Job};
use super::partners::cost_squares;
use coinche_runs::figures::Timing;
use coinche_runs::verdict::Forfeits;
use coinche_runs::{State, TimesMode, Totals, play_run};

/// The maximum number of blocks kept of a run: enough for intervals, few enough for a small file.
const MOST_BLOCKS: usize = 128;
/// The version of the format.
pub(super) const VERSION: u32 = 1;

/// The sums of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    /// The directory of the run, below that of the leaderboard.
    pub run: String,
    /// The commit that played it.
    pub commit: String,
    /// The number of deals.
    pub deals: u64,
    /// Faults of A and B.
    pub faults: [u64; 2],
    /// Legs that were forfeited, where there are any.
    #[serde(default, skip_serializing_if = "is_none")]
    pub forfeited: u64,
    /// By encounter, the differences of both legs.
    pub points: Vec<PairedSums>,
    /// By block, the number of deals.
    pub blocks: Vec<u64>,
    /// By encounter, then by block, the sum of twice the paired differences.
    pub doubled: Vec<Vec<i64>>,
    /// For cross-play, the sum over deals of the square of four times the loss as partners.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_squares: Option<i128>,
}

/// For A and B, the number of timed decisions and their total time in nanoseconds.
pub(crate) type Times = [[u64; 2]; 2];

/// The part of `leaderboard.json` that is read back.
#[derive(Debug, Default, Deserialize)]
pub struct Stored {
    v: u32,
    runs: Vec<Played>,
    times: BTreeMap<String, Times>,
    /// By class.
    #[serde(default)]
    pub(super) seeds: BTreeMap<String, Seed>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "asked for by serde")]
const fn is_none(count: &u64) -> bool {
    *count == 0
}

/// All results, by run.
#[derive(Debug, Default)]
pub struct Results(BTreeMap<String, (Played, Times)>);

impl Stored {
    /// Reads the file; empty if it does not exist.
    pub fn read(path: &Path) -> Result<Self> {
        if !path.exists() {
            return Ok(Self::default());
        }
        let stored: Self =
            serde_json::from_slice(&read_json(path)?).map_err(|error| ArenaError::damaged(path, error))?;
        if stored.v != VERSION {
            return Err(ArenaError::input(path, BoardError::Version(stored.v)));
        }
        if let Some(run) = stored.runs.iter().find(|run| !run.is_sound()) {
            return Err(ArenaError::input(path, BoardError::Sums(run.run.clone())));
        }
        Ok(stored)
    }

    fn find(&self, job: &Job, confined_too: bool) -> Option<(Played, Times)> {
        let named = |name: &String| {
            let mut played =
                self.runs.iter().find(|run| run.run == *name && run.deals == job.config.deals)?.clone();
            played.run.clone_from(&job.run);
            Some((played, self.times.get(name).copied().unwrap_or_default()))
        };
        let confined = job.confined.iter().filter(|_| confined_too);
        std::iter::once(&job.run).chain(confined).find_map(named)
    }
}

impl Played {
    fn new(job: &Job, commit: &str, totals: &Totals) -> Self {
        let faults = [0, 1].map(|side: usize| totals.first().sides[side].faults.iter().sum());
        let blocks: Vec<_> = totals.covariance.blocks().collect();
        let wide = blocks.len().div_ceil(MOST_BLOCKS).next_power_of_two();
        let sum = |encounter: usize| -> Vec<i64> {
            blocks.chunks(wide).map(|some| some.iter().map(|block| block.doubled[encounter]).sum()).collect()
        };
        Self {
            run: job.run.clone(),
            commit: commit.to_owned(),
            deals: totals.pairs(),
            faults,
            forfeited: totals.tallies.iter().map(|tally| tally.forfeited).sum(),
            points: totals.tallies.iter().map(|tally| tally.points).collect(),
            blocks: blocks.chunks(wide).map(|some| some.iter().map(|block| block.deals).sum()).collect(),
            doubled: (0..totals.encounters.len()).map(sum).collect(),
            cost_squares: job.config.crossplay.as_ref().map(|crossplay| cost_squares(crossplay, totals)),
        }
    }

    /// Returns how many legs were forfeited, if so many that it is to be said.
    pub(super) fn forfeits(&self) -> Option<Forfeits> {
        Forfeits::of(&[[self.forfeited, 2 * self.deals * self.points.len() as u64]], &[])
    }

    /// Tests if sums from a file are consistent.
    fn is_sound(&self) -> bool {
        let whole = |(points, doubled): (&PairedSums, &Vec<i64>)| {
            points.pairs == self.deals
                && doubled.len() == self.blocks.len()
                && doubled.iter().map(|sum| i128::from(*sum)).sum::<i128>() == points.total()
        };
        self.deals >= 2
            && !self.points.is_empty()
            && self.points.len() == self.doubled.len()
            && self.blocks.iter().try_fold(0u64, |sum, deals| sum.checked_add(*deals)) == Some(self.deals)
            && self.points.iter().zip(&self.doubled).all(whole)
    }
}

/// Reads a complete run; `None` if it is incomplete.
fn read_run(job: &Job) -> Result<Option<(Played, Times)>> {
    let Some(path) = &job.config.out else { return Ok(None) };
    let Some(state) = State::read(path)? else { return Ok(None) };
    if !state.is_closed() || state.start != 0 || state.done != job.config.deals {
        return Ok(None);
    }
    // A directory that was copied or renamed is of another run; programs add to their names what they say of themselves.
    let mut differences = state.identity.settings_other_than(&job.config.settings()?);
    differences.retain(|difference| job.config.programs().is_empty() || !difference.starts_with("bots"));
    if !differences.is_empty() {
        return Err(ArenaError::OtherRun { path: path.clone(), differences });
    }
    let totals = state.restore(path, &job.config)?;
    let mut times = Times::default();
    if job.config.times != TimesMode::None {
        let clock = Timing::read_clock(path, &job.config)?;
        for (times, of_bot) in times.iter_mut().zip(&clock.times) {
            let number = of_bot.number();
            let mean = u64::try_from(of_bot.mean().as_nanos()).unwrap_or(u64::MAX);
            *times = [number, mean.saturating_mul(number)];
        }
    }
    Ok(Some((Played::new(job, &state.identity.commit, &totals), times)))
}

impl Results {
    fn add(&mut self, found: (Played, Times)) {
        self.0.insert(found.0.run.clone(), found);
    }

    /// Returns the results of a run.
    pub fn of(&self, job: &Job) -> Option<&Played> {
        self.0.get(&job.run).map(|(played, _)| played)
    }

    /// Returns runs with their results, if all are complete.
    pub(super) fn of_all<'a>(&'a self, jobs: &'a [Job]) -> Option<Vec<(&'a Job, &'a Played)>> {
        jobs.iter().map(|job| Some((job, self.of(job)?))).collect()
    }

    /// Says how many pairings other programs than that of a commit have played, and which: their bots may have been others.
    pub fn of_other_commits(&self, commit: &str) -> Option<String> {
        let others: Vec<&str> =
            self.0.values().map(|(played, _)| &*played.commit).filter(|of| *of != commit).collect();
        let names: BTreeSet<&str> = others.iter().copied().collect();
        let names = names.into_iter().collect::<Vec<_>>().join(", ");
        let [number, of] = [others.len(), self.0.len()].map(|n| thousands(n as u64));
        (!others.is_empty()).then(|| {
            format!(
                "note: {number} of {of} pairings were played by commit {names}, this program is of {commit}"
            )
        })
    }

    /// Returns the times of a run.
    pub fn times_of(&self, job: &Job) -> Times {
        self.0.get(&job.run).map(|(_, times)| *times).unwrap_or_default()
    }

    /// Loads existing results: complete runs themselves, else the sums of the file. Returns the missing runs.
    ///
    /// `confined_too`: sums of programs that were confined serve for those that are not.
    pub fn take<'a>(
        &mut self,
        board: &'a Board,
        stored: &Stored,
        confined_too: bool,
    ) -> Result<Vec<&'a Job>> {
        let mut missing = Vec::new();
        for job in &board.jobs {
            let there = read_run(job)?;
            match there.or_else(|| stored.find(job, confined_too)) {
                Some(found) => self.add(found),
                None => missing.push(job),
            }
        }
        Ok(missing)
    }

    /// Plays missing runs; tests if all completed without a stop.
    pub fn play(
        &mut self,
        missing: &[&Job],
        mode: ProgressMode,
        registry: &Registry,
        stop: &AtomicBool,
    ) -> Result<bool> {
        let meter = Meter::new(mode, missing.iter().map(|job| job.config.deals).sum());
        for job in missing {
            let mut before = 0;
            let played = play_run(job.config.clone(), registry, true, stop, &mut |totals, batch| {
                let now = totals.pairs();
                if batch.is_none() {
                    // Deals of an earlier command.
                    meter.skip(now);
                } else {
                    meter.add(now - before);
                }
                before = now;
            });
            if stop.load(Ordering::Relaxed) || played.is_err() {
                meter.finish();
            }
            let is_whole = played?.totals.pairs() == job.config.deals;
            match read_run(job)?.filter(|_| is_whole) {
                Some(found) => self.add(found),
                None => return Ok(false),
            }
        }
        meter.finish();
        Ok(true)
    }
}
