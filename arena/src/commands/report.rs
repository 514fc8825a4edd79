//! `arena report`: a run as a page to read, to print and to send.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::print;
use crate::page::Report;
use crate::{ArenaError, Exit};

/// The flags of `arena report`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  arena report results/runs/…                          writes report.html into the directory of the run
  arena report mine --out mine.html --markdown mine.md --svg pictures --csv numbers
  arena report first second test                       several runs and tests on one page

The page needs no network and opens from the disk. The same files of a run give the same bytes.
With --records full, or swing:POINTS for fewer, a run keeps the deals that the page replays; without
them they are played again from the seed, where the bots are quick enough and no programs.

Exit codes: 0 done, 2 no run or a damaged one, 3 something cannot be written.")]
pub struct ReportArgs {
    /// Directories of runs and of sequential tests
    #[arg(value_name = "RUN", required = true)]
    pub runs: Vec<PathBuf>,
    /// The page [default: report.html in the first directory, where no other form is asked for]
    #[arg(long, value_name = "FILE.html")]
    pub out: Option<PathBuf>,
    /// The same as Markdown, with tables for pictures
    #[arg(long, value_name = "FILE.md")]
    pub markdown: Option<PathBuf>,
    /// A directory for the pictures
    #[arg(long, value_name = "DIR")]
    pub svg: Option<PathBuf>,
    /// A directory for the numbers behind pictures and tables
    #[arg(long, value_name = "DIR")]
    pub csv: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
///
/// When a run cannot be read or a file cannot be written.
pub(crate) fn report(args: &ReportArgs, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    let report = Report::read(&args.runs)?;
    let ReportArgs { runs, markdown, svg, csv, .. } = args;
    let nothing_else = markdown.is_none() && svg.is_none() && csv.is_none();
    let own = || {
        let first = &runs[0];
        let directory = if first.is_file() { first.parent().unwrap_or(Path::new(".")) } else { first };
        nothing_else.then(|| directory.join("report.html"))
    };
    let page = args.out.clone().or_else(own);
    let written = report.write(page.as_deref(), markdown.as_deref(), svg.as_deref(), csv.as_deref())?;
    print(out, &format!("{}{written}", report.verdicts()))?;
    Ok(Exit::Done)
}
