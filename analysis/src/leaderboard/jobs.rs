//! The runs to play: one for every two entries of a class, and for every two partners of the cross-play.
//!
//! Each is an ordinary run in its own directory, named by a hash of everything that affects its deals. A new or
//! changed entry needs new runs; all others stay as they are.

use std::path::Path;

use coinche_bots::Registry;
use coinche_selfplay::base::hash::Fnv;
use coinche_selfplay::{Format, ProgressMode, Result, TableForm};

use super::plan::Plan;
use coinche_runs::{Confine, Records, RulesText, RunConfig, RunFile, TimesMode};

/// The directory of the runs, relative to the leaderboard's.
const RUNS: &str = "runs";
/// From this limit on, in microseconds, every decision is timed: reading the clock is cheap in comparison.
const ALL_TIMED: u128 = 1_000;

/// One run.
#[derive(Debug, Clone)]
pub struct Job {
    /// Its directory, relative to the leaderboard's.
    pub run: String,
    /// What it would be called with its programs confined: the pairings of others may have been.
    pub confined: Vec<String>,
    /// The two entries, A and B.
    pub ends: [usize; 2],
    /// The configuration to play.
    pub config: RunConfig,
}

/// The runs reported together.
#[derive(Debug, Clone)]
pub struct Board {
    /// The number of the rules.
    pub rules: usize,
    /// The number of the class; `None`: cross-play.
    pub class: Option<usize>,
    /// Its runs.
    pub jobs: Vec<Job>,
}

/// Common settings of all runs.
#[derive(Debug, Clone, Copy)]
pub struct Table<'a> {
    /// The directory of the leaderboard.
    pub out: &'a Path,
    /// How many threads play.
    pub threads: Option<usize>,
    /// The sandbox of programs.
    pub confine: Option<Confine>,
    /// The bots.
    pub registry: &'a Registry,
}

impl Plan {
    /// Returns all runs, by class, then by rules; the cross-play comes last.
    pub fn boards(&self, table: Table<'_>) -> Result<Vec<Board>> {
        let mut boards = Vec::new();
        for class in 0..self.classes.len() {
            for rules in 0..self.rules.len() {
                boards.push(self.board(rules, Some(class), table)?);
            }
        }
        for rules in (0..self.rules.len()).filter(|_| self.crossplay.is_some()) {
            boards.push(self.board(rules, None, table)?);
        }
        Ok(boards)
    }

    /// Returns the runs of a class, or of the cross-play.
    pub fn board(&self, rules: usize, class: Option<usize>, table: Table<'_>) -> Result<Board> {
        let mut common = RunFile {
            records: Some(Records::Summary),
            table: Some(TableForm::CsvZst),
            threads: table.threads,
            progress: Some(ProgressMode::None),
            rules: Some(RulesText::Name(self.rules[rules].0.clone())),
            ..RunFile::default()
        };
        let (folder, entries, deals, seed, times) =
            match (class.map(|class| &self.classes[class]), &self.crossplay) {
                (Some(of), _) => {
                    let all = of.limit.as_micros() >= ALL_TIMED;
                    let times = if all { TimesMode::All } else { TimesMode::Some };
                    (of.name.as_str(), &of.entries[..], of.deals, &of.seed, times)
                }
                (None, Some(of)) => {
                    common.format = Some(Format::Crossplay);
                    common.against = Some(self.entries[of.against].bot.as_str().to_owned());
                    ("crossplay", &of.entries[..], of.deals, &of.seed, TimesMode::None)
                }
                (None, None) => return Ok(Board { rules, class, jobs: Vec::new() }),
            };
        let common = RunFile { deals: Some(deals), seed: Some(seed.clone()), times: Some(times), ..common };
        let folder = format!("{RUNS}/{}/{folder}", self.rules[rules].0);
        let pairs = entries.iter().enumerate().flat_map(|(n, a)| entries[..n].iter().map(move |b| [*b, *a]));
        let jobs = pairs.map(|ends| self.job(ends, &folder, &common, table));
        Ok(Board { rules, class, jobs: jobs.collect::<Result<_, _>>()? })
    }

    fn job(&self, mut ends: [usize; 2], folder: &str, common: &RunFile, table: Table<'_>) -> Result<Job> {
        // Sorted by name: the order in the file does not matter.
        ends.sort_by_key(|entry| &self.entries[*entry].name);
        let [a, b] = ends.map(|entry| &self.entries[entry]);
        let bots = [a, b].map(|entry| entry.bot.as_str().to_owned()).to_vec();
        let file = RunFile { bots: Some(bots), confine: table.confine, ..common.clone() };
        let mut config = file.check(table.registry)?;
        // Of a run without programs it is no setting.
        config.confine = config.confine.filter(|_| !config.programs().is_empty());
        let name = |confine: Option<Confine>| -> Result<String> {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "half of the hash is enough to tell settings apart"
            )]
            let hash = Fnv::of(&RunConfig { confine, ..config.clone() }.settings()?.to_string()) as u32;
            Ok(format!("{folder}/{}.vs.{}-{hash:08x}", a.name, b.name))
        };
        let run = name(config.confine)?;
        let has_free = config.confine.is_none() && !config.programs().is_empty();
        let ways = [Confine::Full, Confine::Network].into_iter().filter(|_| has_free);
        let confined = ways.map(|way| name(Some(way))).collect::<Result<_>>()?;
        config.out = Some(table.out.join(&run));
        Ok(Job { run, confined, ends, config })
    }
}
