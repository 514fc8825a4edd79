//! `arena report`: writes a run as a page.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use coinche_bots::Registry;
use coinche_selfplay::{Exit, Result};

use super::finish;
use super::flags::PageFlags;
use coinche_analysis::report;

/// The flags of `arena report`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
By default the page is report.html in the first directory. It is one file that needs no network, and the same run gives the same bytes. The page replays the deals with the largest differences: from the records, if the run has any (--records full or swing:POINTS), otherwise played again from the seed, where the bots are fast enough and no external programs.

Examples:
  arena report results/runs/…                  write report.html there
  arena report mine --out mine.html --markdown mine.md --svg charts --csv tables
  arena report first second test               several runs and tests on one page

Exit codes: 0 done, 2 not a run, or a damaged one, 3 output cannot be written.")]
pub(crate) struct ReportArgs {
    /// Directories of runs and of sequential tests
    #[arg(value_name = "RUN", required = true)]
    pub runs: Vec<PathBuf>,
    /// In which forms; with none, report.html in the first directory.
    #[command(flatten)]
    pub page: PageFlags,
}

/// Runs the command.
pub(crate) fn report(args: &ReportArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let document = report::read(&args.runs, registry)?;
    let first = &args.runs[0];
    let directory = if first.is_file() { first.parent().unwrap_or(Path::new(".")) } else { first };
    let written = args.page.write(&document, Some(&directory.join("report.html")))?;
    finish(out, &format!("{}{written}", document.render_verdicts()))
}
