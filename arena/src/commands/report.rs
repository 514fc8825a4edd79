//! `arena report`: a run as a page to read, to print and to send.

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::print;
use crate::page::{Report, write_file};
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

/// Writes files into a directory, which is made.
fn write_all(directory: &Path, files: &[(String, Vec<u8>)]) -> Result<(), ArenaError> {
    fs::create_dir_all(directory).map_err(|source| ArenaError::write(directory, source))?;
    files.iter().try_for_each(|(name, bytes)| write_file(&directory.join(name), bytes))
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
    let mut written = Vec::new();
    if let Some(path) = args.out.clone().or_else(own) {
        write_file(&path, report.to_html().as_bytes())?;
        written.push(path);
    }
    if let Some(path) = markdown {
        write_file(path, report.to_markdown().as_bytes())?;
        written.push(path.clone());
    }
    if let Some(directory) = svg {
        write_all(directory, &report.pictures())?;
        written.push(directory.clone());
    }
    if let Some(directory) = csv {
        write_all(directory, &report.tables())?;
        written.push(directory.clone());
    }
    let mut text = report.verdicts();
    for path in written {
        let _ = writeln!(text, "written to {}", path.display());
    }
    print(out, &text)?;
    Ok(Exit::Done)
}
