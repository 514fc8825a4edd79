//! `arena label`: writes a data set of deals with exact points, or of their decisions with exact values.

mod decisions;

use core::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use coinche_bots::Registry;
use coinche_engine::{Seed, Strain};
use coinche_selfplay::{Exit, OutOfRange, ProgressMode, Result, Solvers, print, tell, thousands};

use super::count::count;
use super::flags::{RulesFlags, SeedFlag};
use coinche_analysis::label;
use coinche_analysis::label::merge::{Merged, merge};
use coinche_analysis::label::{LabelFormat, Labelled, Leaders, Settings, Source};
use coinche_runs::{Job, MOST_DEALS, Parts, Shard};
use decisions::FlagsError;

pub(crate) use decisions::DecisionFlags;

/// The flags of `arena label`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("label"))]
pub(crate) struct LabelArgs {
    /// A file of deals [default: random deals]
    ///
    /// One deal per line: four hands joined by ` | `.
    #[arg(value_name = "FILE", conflicts_with_all = ["deals", "seed"])]
    pub file: Option<PathBuf>,
    /// Number of random deals
    #[arg(long, value_name = "N", required_unless_present = "file", value_parser = count::<u64>)]
    pub deals: Option<u64>,
    /// The seed.
    #[command(flatten)]
    pub seed: SeedFlag,
    /// Who leads
    ///
    /// dealer-left, all, or a seat (0 to 3). dealer-left is seat (deal + 1) mod 4; all gives a row for each leader.
    #[arg(long, value_name = "WHO", default_value = "dealer-left")]
    pub leaders: Leaders,
    /// Strains to solve
    ///
    /// The columns of the other strains stay empty.
    #[arg(long, value_name = "STRAIN", value_delimiter = ',', default_value = "C,D,H,S,SA,TA")]
    pub strains: Vec<Strain>,
    /// Output directory
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Tables: csv, parquet, both or npy
    ///
    /// Default: both; with --decisions parquet, or npy: arrays that NumPy maps into memory.
    #[arg(long, value_enum, value_name = "FORM", alias = "format")]
    pub table: Option<LabelFormat>,
    /// Number of deals per file
    ///
    /// Default: 10000; with --decisions and --games 1000. After an interruption, at most this many deals are solved again.
    #[arg(long, value_name = "N", value_parser = count::<u64>)]
    pub chunk: Option<u64>,
    /// Make only the i-th of n shards of the files, from 1
    ///
    /// Files keep their numbers. `arena merge` joins all shards into the whole data set.
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// The rules, and the number of threads.
    #[command(flatten)]
    pub rules: RulesFlags,
    /// Progress: auto, plain, json, none
    #[arg(long, value_enum, value_name = "MODE", default_value = "auto")]
    pub progress: ProgressMode,
    /// Decisions instead of points.
    #[command(flatten)]
    pub decisions: DecisionFlags,
}

impl LabelArgs {
    fn settings(&self) -> Result<Settings> {
        let rules = self.rules.load_for_deals()?;
        if let Some(last) = Strain::ALL.map(|strain| rules.scoring.last_trick_in(strain)).into_iter().max()
            && last > 103
        {
            return Err(FlagsError::LastTrick(last).into());
        }
        let source = match &self.file {
            Some(path) => Source::file(path)?,
            None => Source::Random { seed: self.seed_of_directory()?, deals: self.deals.unwrap_or_default() },
        };
        let chunk = self.chunk.unwrap_or(self.job().1);
        OutOfRange::check("deals", source.deals(), 1..=MOST_DEALS)?;
        OutOfRange::check("chunk", chunk, 1..=1_000_000)?;
        let format = self.table.unwrap_or(LabelFormat::Both);
        if format == LabelFormat::Npy {
            return Err(FlagsError::TableOfPoints(format).into());
        }
        // Each once, in the order of the columns.
        let strains = Strain::ALL.into_iter().filter(|strain| self.strains.contains(strain)).collect();
        Ok(Settings { rules, strains, leaders: self.leaders, format, chunk, source })
    }

    /// Returns what is written, and the default number of deals in a file: some ten thousands of rows.
    pub(crate) const fn job(&self) -> (Job, u64) {
        match (self.decisions.decisions, self.decisions.games) {
            (true, _) => (Job::Decisions, 1_000),
            (_, true) => (Job::Games, 1_000),
            _ => (Job::Label, 10_000),
        }
    }

    /// Returns the given seed, or that of the directory, or a drawn one.
    fn seed_of_directory(&self) -> Result<Seed> {
        // An interrupted command had drawn a seed: when repeated, it must resume with that seed.
        self.seed.or_there(label::seed_of(&self.out), self.shard)
    }
}

/// Runs the command.
pub(crate) fn label(args: &LabelArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let (job, threads) = (args.job().0, args.rules.threads);
    let (done, source) = match job {
        Job::Decisions => {
            let settings = args.decisions(registry)?;
            let done = label::decisions::make(&settings, &args.out, threads, args.progress)?;
            (done, format!("seed {}", settings.seed))
        }
        Job::Games => {
            let settings = args.games(registry)?;
            let done = label::games::make(&settings, &args.out, threads, args.progress)?;
            (done, format!("seed {}", settings.seed))
        }
        _ => {
            let settings = args.settings()?;
            let solvers = Solvers::new(threads)?;
            let done = label::make(&settings, args.shard, &args.out, &solvers, args.progress)?;
            (done, settings.source.to_string())
        }
    };
    print(out, &told(job, &done, "deals", &source, &args.out))?;
    Ok(if done.bad == 0 { Exit::Done } else { Exit::Disagreements })
}

/// Merges shards of labels into a directory.
pub(in crate::commands) fn merge_labels(
    shards: &Parts,
    directory: &Path,
    out: &mut dyn Write,
) -> Result<Exit> {
    let Merged { labelled, seed } = merge(shards, directory)?;
    let unit = if seed.is_some() { "deals" } else { "lines" };
    let source = seed.map_or_else(|| "a file".to_owned(), |seed| format!("seed {seed}"));
    print(out, &told(shards.job, &labelled, unit, &source, directory))?;
    let (shards, deals) = (thousands(shards.count() as u64), thousands(shards.deals()));
    tell(&format!("{shards} shards with {deals} {unit} merged in {}", directory.display()));
    Ok(Exit::Done)
}

/// Reports what was added to a data set of deals, or of lines of a file.
pub(in crate::commands) fn told(
    job: Job,
    done: &Labelled,
    unit: &str,
    source: &dyn Display,
    directory: &Path,
) -> String {
    let deals = thousands(done.deals);
    let made = match job {
        Job::Rows => format!("rows of {deals} deals written"),
        Job::Decisions => format!("{deals} deals with their decisions labelled"),
        Job::Games => format!("games of {deals} deals written"),
        _ => format!("{deals} {unit} labelled"),
    };
    let before = match done.before {
        0 => String::new(),
        before => format!(" ({} were there before)", thousands(before)),
    };
    format!("{made}{before}, {source}, in {}\n", directory.display())
}
