//! `arena merge`: merges shards.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use coinche_bots::Registry;
use coinche_selfplay::{Exit, ModuleError, Result, print, tell, thousands};

use super::flags::PageFlags;
use super::run::exit_of;
use super::steps::merge as merge_steps;
use super::{bidding, judge, label, sprt, stats, tune};
use coinche_runs::merge::merge as merge_runs;
use coinche_runs::verdict::verdict;
use coinche_runs::{Job, Parts};

/// The flags of `arena merge`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("merge"))]
#[command(mut_arg("out", |arg| arg.value_name("PATH").help(OUT[0]).long_help(OUT.concat())))]
#[command(mut_arg("markdown", |arg| arg.help("Write Markdown; like the following, for these three")))]
pub(crate) struct MergeArgs {
    /// Directories of the shards, in any order
    ///
    /// Or the one directory of a sequential test or a tuning, of which several machines make the next step.
    #[arg(value_name = "DIR", required = true)]
    pub shards: Vec<PathBuf>,
    /// In which forms, beside the text.
    #[command(flatten)]
    pub page: PageFlags,
    /// Print all figures as JSON; only of `arena judge`
    #[arg(long)]
    pub json: bool,
}

/// The help of --out, which here may be a directory.
const OUT: [&str; 2] = [
    "Output directory (stats, bidding, judge: an HTML page)",
    "\n\nRequired for shards of runs and of labels. None for a test or a tuning, whose shards are merged where they are.",
];

/// Why the arguments do not suit what is to be merged.
#[derive(Debug, thiserror::Error)]
enum MergeArgsError {
    #[error("expected the directory of the whole with --out, as in `arena merge part1 part2 --out whole`")]
    NoOut,
    #[error("{flag}: parts of `arena {}` become a directory, and no page: leave it out, and give it to `{}`", job.command(), page(*job))]
    NoPage { flag: &'static str, job: Job },
    #[error("--json: only parts of `arena judge` are printed as JSON, these are of `arena {}`: leave it out", .0.command())]
    Json(Job),
    #[error("{}: its parts are merged where they are: leave out {flag}", directory.display())]
    InPlace { flag: &'static str, directory: PathBuf },
    #[error("expected one directory, that of a test or a tuning, in which its parts are")]
    NotOne,
}

/// Returns the command that makes pages and tables of the merged result.
const fn page(job: Job) -> &'static str {
    match job {
        Job::Label => "arena stats hands",
        _ => "arena report",
    }
}

impl ModuleError for MergeArgsError {}

impl MergeArgs {
    /// Returns a given flag of pages and tables.
    fn page_flag(&self) -> Option<&'static str> {
        let forms = self.page.beside_html().into_iter().chain([("--json", self.json)]);
        forms.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
    }

    /// Returns the directory of the merged result, which the parts become.
    fn directory(&self, job: Job) -> Result<&Path, MergeArgsError> {
        match self.page_flag() {
            Some(flag) => Err(MergeArgsError::NoPage { flag, job }),
            None => self.page.out.as_deref().ok_or(MergeArgsError::NoOut),
        }
    }

    /// Returns the directory of a test or a tuning, into which its parts are merged.
    fn whole(&self) -> Result<&Path, MergeArgsError> {
        let [directory] = &self.shards[..] else { return Err(MergeArgsError::NotOne) };
        match self.page.out.as_ref().map(|_| "--out").or_else(|| self.page_flag()) {
            Some(flag) => Err(MergeArgsError::InPlace { flag, directory: directory.clone() }),
            None => Ok(directory),
        }
    }
}

/// Returns the stepwise job in a directory, if there is one.
fn stepwise(directory: &Path) -> Option<Job> {
    let holds = |name: &str| directory.join(name).exists();
    match () {
        () if holds(sprt::WAVES) || holds(sprt::RESULT) => Some(Job::Sprt),
        () if holds(tune::STEPS) || holds(tune::SETTINGS) => Some(Job::Tune),
        () => None,
    }
}

/// Runs the command.
pub(crate) fn merge(args: &MergeArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    match args.shards.iter().find_map(|directory| stepwise(directory)) {
        Some(Job::Tune) => return merge_steps::<tune::Tuning>(args.whole()?, registry, out),
        Some(_) => return merge_steps::<sprt::Asked>(args.whole()?, registry, out),
        None => {}
    }
    let parts = Parts::read(&args.shards, &|_| String::new())?;
    let (job, page) = (parts.job, &args.page);
    if args.json && job.is_of_sums() && job != Job::Judge {
        return Err(MergeArgsError::Json(job).into());
    }
    let exit = match job {
        Job::Run => return run(&parts, args.directory(job)?, registry, out),
        Job::Label | Job::Decisions | Job::Games | Job::Rows => {
            return label::merge_labels(&parts, args.directory(job)?, out);
        }
        Job::Stats => stats::merge_stats(&parts, page, registry, out).map(|()| Exit::Done)?,
        Job::Hands => stats::merge_hands(&parts, page, out).map(|()| Exit::Done)?,
        Job::Bidding => bidding::merge(&parts, page, registry, out)?,
        Job::Judge => judge::merge(&parts, page, args.json, registry, out)?,
        // Their parts are identified by their directory.
        Job::Sprt | Job::Tune => return Err(MergeArgsError::NotOne.into()),
    };
    let [shards, deals] = [parts.count() as u64, parts.deals()].map(thousands);
    tell(&format!("{shards} shards with {deals} {} merged", parts.identity.unit()));
    Ok(exit)
}

/// Merges shards of a run.
fn run(parts: &Parts, directory: &Path, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let merged = merge_runs(parts, directory, registry)?;
    let (config, totals) = (&merged.config, &merged.totals);
    print(out, &verdict(config, totals))?;
    let (shards, deals) = (thousands(parts.count() as u64), thousands(totals.pairs()));
    tell(&format!("{shards} shards with {deals} {} merged in {}", config.unit.plural(), directory.display()));
    Ok(exit_of(config, totals))
}
