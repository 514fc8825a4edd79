//! `arena merge`: shards become the whole.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use coinche_bots::Registry;
use coinche_selfplay::base::error::{ArenaError, ModuleError};
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::{print, tell};
use coinche_selfplay::base::style::thousands;

use super::flags::PageFlags;
use super::{bidding, fit, judge, label, sprt, stats, tune};
use crate::analysis::fit::file_of;
use crate::run::directory::State as RunState;
use crate::run::merge::merge as merge_runs;
use crate::run::part::{PartError, Parts, State};
use crate::run::verdict::verdict;

/// The flags of `arena merge`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The shards must have the same settings and commit, and together contain each deal exactly once; shards that are missing, duplicated or of another command are named. If a merge is interrupted, run it again.

Shards of `arena run`, `arena label` and `arena train cards --rows` become one directory, that of --out; files of labels are linked, not copied, where both directories are on one file system. Shards of `arena stats --deals`, `arena stats hands --deals`, `arena bidding` and `arena judge` are sums: merge prints what the whole command prints, and writes the pages and tables of its flags.

The shards of `arena sprt` and `arena tune` are in the directory of the test or tuning. `arena merge DIR` takes those of the next wave or iteration into it, removes them, and exits as the command does: the test or tuning is then what one machine would have played. `arena merge FILE` does the same with the stages of `arena fit --out FILE`.

Examples:
  arena run rules random --deals 1M --seed 1 --shard 1/2 --out part1
  arena run rules random --deals 1M --seed 1 --shard 2/2 --out part2
  arena merge part1 part2 --out whole
  arena stats --deals 1M --seed 1 --shard 1/2 --out sums1
  arena stats --deals 1M --seed 1 --shard 2/2 --out sums2
  arena merge sums1 sums2 --out stats.html --csv tables
  arena label --deals 1M --seed 1 --shard 1/2 --out labels1
  arena label --deals 1M --seed 1 --shard 2/2 --out labels2
  arena merge labels1 labels2 --out labels
  arena sprt rules random --lower 0 --upper 5 --seed 1 --shard 1/1 --out test
  arena merge test

Exit codes: 0 done, 10 or 11 the verdict of a sequential test, 12 another wave, iteration or stage is needed, 1 a shard is missing, duplicated, damaged, unfinished or of another command, 2 wrong arguments, 3 output cannot be written.")]
pub struct MergeArgs {
    /// Directories of the shards, in any order
    ///
    /// Or the one directory of a sequential test or a tuning, or the table of `arena fit`, of which several machines make the next step.
    #[arg(value_name = "DIR", required = true)]
    pub shards: Vec<PathBuf>,
    /// Output directory; of sums, an HTML page
    ///
    /// Required for shards of runs and of labels. None for a test, a tuning or a fit, whose shards are merged where they are.
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
    /// Write Markdown; this and the following: of sums
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Write the charts as SVG files
    #[arg(long, value_name = "DIR")]
    pub svg: Option<PathBuf>,
    /// Write all tables as CSV files
    #[arg(long, value_name = "DIR")]
    pub csv: Option<PathBuf>,
    /// Write all tables as Parquet files
    #[arg(long, value_name = "DIR")]
    pub parquet: Option<PathBuf>,
    /// Print all figures as JSON; only of `arena judge`
    #[arg(long)]
    pub json: bool,
}

/// What a directory is a shard of; of what goes on step by step, it holds the shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Run,
    Labels,
    Sums,
    Test,
    Tuning,
    Fit,
}

impl Kind {
    /// Looks what is in a directory; `None` where it is nothing that can be merged.
    fn of(directory: &Path) -> Option<Self> {
        let holds = |name: &str| directory.join(name).exists();
        let kinds = [
            (Self::Sums, State::is_in(directory)),
            (Self::Labels, label::is_labels(directory)),
            (Self::Test, holds(sprt::WAVES) || holds(sprt::RESULT)),
            (Self::Tuning, holds(tune::STEPS) || holds(tune::SETTINGS)),
            (Self::Fit, file_of(directory).is_some()),
            // Last, since the directory of a test is that of a run, too.
            (Self::Run, RunState::is_in(directory)),
        ];
        kinds.into_iter().find_map(|(kind, is_one)| is_one.then_some(kind))
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Run => "a run",
            Self::Labels => "labels",
            Self::Sums => "sums",
            Self::Test => "a test",
            Self::Tuning => "a tuning",
            Self::Fit => "a fit",
        }
    }

    /// Returns what makes pages and tables of the whole.
    const fn page(self) -> &'static str {
        match self {
            Self::Labels => "arena stats hands",
            _ => "arena report",
        }
    }
}

/// Why the arguments do not fit what is to be merged.
#[derive(Debug, thiserror::Error)]
enum MergeArgsError {
    #[error("{} is a shard of {}, but {} is a shard of {}: give the shards of one command", first.display(), kinds[0], second.display(), kinds[1])]
    Mixed { first: PathBuf, second: PathBuf, kinds: [&'static str; 2] },
    #[error("expected the directory of the whole with --out, as in `arena merge part1 part2 --out whole`")]
    NoOut,
    #[error("{flag}: shards of {} become a directory, and no page: leave it out, and give it to `{}`", kind.name(), kind.page())]
    NoPage { flag: &'static str, kind: Kind },
    #[error("--json: only shards of `arena judge` are told as JSON, these are of `arena {0}`: leave it out")]
    Json(String),
    #[error("{}: its shards are merged where they are: leave out {flag}", directory.display())]
    InPlace { flag: &'static str, directory: PathBuf },
    #[error("expected one path, that of {}, beside or in which its shards are", .0.name())]
    NotOne(Kind),
}

impl ModuleError for MergeArgsError {}

impl MergeArgs {
    /// Returns what all shards are of.
    fn kind(&self) -> Result<Kind, MergeArgsError> {
        let mut kinds = self.shards.iter().filter_map(|shard| Some((shard, Kind::of(shard)?)));
        // What is nothing is told by the merge of what the others are; where all are nothing, as runs that are missing.
        let Some((first, kind)) = kinds.next() else { return Ok(Kind::Run) };
        match kinds.find(|(_, other)| *other != kind) {
            None => Ok(kind),
            Some((second, other)) => {
                let kinds = [kind, other].map(Kind::name);
                Err(MergeArgsError::Mixed { first: first.clone(), second: second.clone(), kinds })
            }
        }
    }

    /// Returns where pages and tables go.
    fn page(&self) -> PageFlags {
        let Self { out, markdown, svg, csv, parquet, .. } = self;
        PageFlags {
            out: out.clone(),
            markdown: markdown.clone(),
            svg: svg.clone(),
            csv: csv.clone(),
            parquet: parquet.clone(),
        }
    }

    /// Returns a flag of pages and tables that is given.
    fn page_flag(&self) -> Option<&'static str> {
        let forms = self.page().beside_html().into_iter().chain([("--json", self.json)]);
        forms.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
    }

    /// Returns the directory of the whole, where the shards become one.
    fn directory(&self, kind: Kind) -> Result<&Path, MergeArgsError> {
        match self.page_flag() {
            Some(flag) => Err(MergeArgsError::NoPage { flag, kind }),
            None => self.out.as_deref().ok_or(MergeArgsError::NoOut),
        }
    }

    /// Returns the directory that holds the shards of a step.
    fn whole(&self, kind: Kind) -> Result<&Path, MergeArgsError> {
        let [directory] = &self.shards[..] else { return Err(MergeArgsError::NotOne(kind)) };
        match self.out.as_ref().map(|_| "--out").or_else(|| self.page_flag()) {
            Some(flag) => Err(MergeArgsError::InPlace { flag, directory: directory.clone() }),
            None => Ok(directory),
        }
    }
}

/// Runs the command.
///
/// # Errors
///
/// When the shards do not make a whole, or something cannot be read or written.
pub(crate) fn merge(args: &MergeArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    match args.kind()? {
        kind @ Kind::Run => run(args, args.directory(kind)?, registry, out),
        kind @ Kind::Labels => label::merge_labels(&args.shards, args.directory(kind)?, out),
        Kind::Sums => sums(args, registry, out),
        kind @ Kind::Test => sprt::merge(args.whole(kind)?, registry, out),
        kind @ Kind::Tuning => tune::merge(args.whole(kind)?, registry, out),
        kind @ Kind::Fit => {
            let given = args.whole(kind)?;
            fit::merge(&file_of(given).unwrap_or_else(|| given.to_owned()), out)
        }
    }
}

/// Merges shards of a run.
fn run(
    args: &MergeArgs,
    directory: &Path,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<Exit, ArenaError> {
    let merged = merge_runs(&args.shards, directory, registry)?;
    let (config, totals) = (&merged.config, &merged.totals);
    print(out, &verdict(config, totals))?;
    let (shards, deals) = (thousands(args.shards.len() as u64), thousands(totals.pairs()));
    tell(&format!("{shards} shards with {deals} {} merged in {}", config.unit.plural(), directory.display()));
    Ok(Exit::Done)
}

/// Merges parts of sums, each command by itself.
fn sums(args: &MergeArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    let (parts, page) = (Parts::read(&args.shards)?, args.page());
    if args.json && parts.command != judge::JUDGE {
        return Err(MergeArgsError::Json(parts.command).into());
    }
    let mut exit = Exit::Done;
    match parts.command.as_str() {
        stats::STATS => stats::merge_stats(&parts, &page, registry, out)?,
        bidding::BIDDING => bidding::merge(&parts, &page, registry, out)?,
        judge::JUDGE => exit = judge::merge(&parts, &page, args.json, registry, out)?,
        stats::HANDS => stats::merge_hands(&parts, &page, out)?,
        _ => return Err(PartError::Unknown { path: args.shards[0].clone(), command: parts.command }.into()),
    }
    let [shards, deals] = [args.shards.len() as u64, parts.deals()].map(thousands);
    tell(&format!("{shards} shards with {deals} {} merged", parts.identity.unit()));
    Ok(exit)
}
