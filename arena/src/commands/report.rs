//! `arena report`: writes a run as a page.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use coinche_bots::Registry;
use coinche_selfplay::{Exit, Result, finish};

use super::flags::PageFlags;
use coinche_analysis::play::PERSON;
use coinche_analysis::report::{self, Asked};
use coinche_analysis::typed::Language;

/// The flags of `arena report`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("report"))]
pub(crate) struct ReportArgs {
    /// Directories of runs, sequential tests and games of `arena play`
    #[arg(value_name = "RUN", required = true)]
    pub runs: Vec<PathBuf>,
    /// Person whose games they are
    ///
    /// At a table of `arena serve` it may be another.
    #[arg(long, value_name = "NAME", default_value = PERSON)]
    pub of: String,
    /// Language: english or french
    ///
    /// Of the page of games: runs and tests have it in English.
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value = "english")]
    pub language: Language,
    /// In which forms; with none, report.html in the first directory.
    #[command(flatten)]
    pub page: PageFlags,
}

/// Runs the command.
pub(crate) fn report(args: &ReportArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let first = &args.runs[0];
    let directory = if first.is_file() { first.parent().unwrap_or(Path::new(".")) } else { first };
    let (document, written) =
        args.page.write_in(args.language, Some(&directory.join("report.html")), |language| {
            report::read(&args.runs, registry, Asked { person: &args.of, language })
        })?;
    finish(out, &format!("{}{written}", document.render_verdicts()))
}
