//! `arena report`: a run as a page to read, to print and to send.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use coinche_bots::Registry;
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::print;

use super::flags::PageFlags;
use crate::analysis::report;

/// The flags of `arena report`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  arena report results/runs/…                          writes report.html into the directory
  arena report mine --out mine.html --markdown mine.md --svg pictures --csv numbers
  arena report first second test                       several runs and tests on one page

Without --out or another form the page is report.html in the first directory. It needs no network and
opens from the disk. The same files of a run give the same bytes. With --records full, or
swing:POINTS for fewer, a run keeps the deals that the page replays; without them they are played
again from the seed, where the bots are quick enough and no programs.

Exit codes: 0 done, 2 no run or a damaged one, 3 something cannot be written.")]
pub struct ReportArgs {
    /// Directories of runs and of sequential tests
    #[arg(value_name = "RUN", required = true)]
    pub runs: Vec<PathBuf>,
    /// In which forms; with none, report.html in the first directory.
    #[command(flatten)]
    pub page: PageFlags,
}

/// Runs the command.
///
/// # Errors
///
/// When a run cannot be read or a file cannot be written.
pub(crate) fn report(
    args: &ReportArgs,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<Exit, ArenaError> {
    let document = report::read(&args.runs, registry)?;
    let first = &args.runs[0];
    let directory = if first.is_file() { first.parent().unwrap_or(Path::new(".")) } else { first };
    let written = args.page.write(&document, Some(&directory.join("report.html")))?;
    print(out, &format!("{}{written}", document.render_verdicts()))?;
    Ok(Exit::Done)
}
