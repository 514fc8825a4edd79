//! The runs to play: one for every two entries of a class, and for every two partners of the cross-play.
//!
//! Each is an ordinary run in its own directory, named by a hash of everything that affects its deals. A new or
//! changed entry needs new runs; all others stay as they are.

use std::path::Path;

use coinche_bots::Registry;
use coinche_engine::Seed;
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::hash::Fnv;
use coinche_selfplay::base::progress::ProgressMode;
use coinche_selfplay::play::schedule::Format;
use coinche_selfplay::records::forms::TableForm;

use super::plan::Plan;
use coinche_runs::config::{Records, RulesText, RunConfig, RunFile, TimesMode};

/// The directory of the runs, relative to the leaderboard's.
const RUNS: &str = "runs";
/// From this limit on, in microseconds, every decision is timed: reading the clock is cheap in comparison.
const ALL_TIMED: u128 = 1_000;

/// One run.
#[derive(Debug, Clone)]
pub struct Job {
    /// Its directory, relative to the leaderboard's.
    pub run: String,
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
    /// The bots.
    pub registry: &'a Registry,
}

/// Common properties of the runs of a board.
struct Kind<'a> {
    rules: &'a str,
    folder: &'a str,
    deals: u64,
    seed: &'a Seed,
    times: TimesMode,
    /// For cross-play, the opposing entry.
    against: Option<usize>,
}

impl Plan {
    /// Returns all runs, by class, then by rules; the cross-play comes last.
    pub fn boards(&self, table: Table<'_>) -> Result<Vec<Board>, ArenaError> {
        let mut boards = Vec::new();
        for class in 0..self.classes.len() {
            for rules in 0..self.rules.len() {
                boards.push(self.board(rules, class, table)?);
            }
        }
        for rules in (0..self.rules.len()).filter(|_| self.crossplay.is_some()) {
            boards.extend(self.partners(rules, table)?);
        }
        Ok(boards)
    }

    /// Returns the runs of a class.
    pub fn board(&self, rules: usize, class: usize, table: Table<'_>) -> Result<Board, ArenaError> {
        let of = &self.classes[class];
        let all = of.limit.as_micros() >= ALL_TIMED;
        let kind = Kind {
            rules: &self.rules[rules].0,
            folder: &of.name,
            deals: of.deals,
            seed: &of.seed,
            times: if all { TimesMode::All } else { TimesMode::Some },
            against: None,
        };
        Ok(Board { rules, class: Some(class), jobs: self.jobs(&of.entries, &kind, table)? })
    }

    fn partners(&self, rules: usize, table: Table<'_>) -> Result<Option<Board>, ArenaError> {
        let Some(crossplay) = &self.crossplay else { return Ok(None) };
        let kind = Kind {
            rules: &self.rules[rules].0,
            folder: "crossplay",
            deals: crossplay.deals,
            seed: &crossplay.seed,
            times: TimesMode::None,
            against: Some(crossplay.against),
        };
        Ok(Some(Board { rules, class: None, jobs: self.jobs(&crossplay.entries, &kind, table)? }))
    }

    fn jobs(&self, entries: &[usize], kind: &Kind<'_>, table: Table<'_>) -> Result<Vec<Job>, ArenaError> {
        let pairs = entries.iter().enumerate().flat_map(|(n, a)| entries[..n].iter().map(move |b| [*b, *a]));
        pairs.map(|ends| self.job(ends, kind, table)).collect()
    }

    fn job(&self, mut ends: [usize; 2], kind: &Kind<'_>, table: Table<'_>) -> Result<Job, ArenaError> {
        // Sorted by name: the order in the file does not matter.
        ends.sort_by_key(|entry| &self.entries[*entry].name);
        let [a, b] = ends.map(|entry| &self.entries[entry]);
        let text = |entry: usize| self.entries[entry].bot.as_str().to_owned();
        let file = RunFile {
            bots: Some(ends.map(text).to_vec()),
            format: kind.against.map(|_| Format::Crossplay),
            against: kind.against.map(text),
            deals: Some(kind.deals),
            seed: Some(kind.seed.clone()),
            records: Some(Records::Summary),
            table: Some(TableForm::CsvZst),
            times: Some(kind.times),
            threads: table.threads,
            progress: Some(ProgressMode::None),
            rules: Some(RulesText::Name(kind.rules.to_owned())),
            ..RunFile::default()
        };
        let mut config = file.check(table.registry)?;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "half of the hash is enough to tell settings apart"
        )]
        let hash = Fnv::of(&config.settings()?.to_string()) as u32;
        let run = format!("{RUNS}/{}/{}/{}.vs.{}-{hash:08x}", kind.rules, kind.folder, a.name, b.name);
        config.out = Some(table.out.join(&run));
        Ok(Job { run, ends, config })
    }
}
