//! `arena judge`: what did every decision lose?

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use coinche_bots::{Agent as _, Registry};
use coinche_selfplay::base::error::{ArenaError, ModuleError};
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::print;
use coinche_selfplay::base::progress::ProgressMode;
use coinche_selfplay::document::text::Detail;
use coinche_selfplay::play::solvers::Solvers;

use crate::analysis::judge;
use crate::analysis::judge::{CsvFile, Settings};

/// The flags of `arena judge`.
#[derive(Debug, Args)]
#[command(after_help = "\
Every card that was chosen among several, and every auction, is compared with best play with all
cards open: what it lost in card points and in the score of the deal, by bot, trick, role, place in
the trick, kind of card and of strain; and bot against bot, paired on the same deals. What is
counted, and what such numbers mean and do not, is in docs/judge.md.

Examples:
  arena judge results/runs/…                         the records of a run (--records full)
  arena judge records.jsonl --sample 0.1             a tenth of the deals
  arena judge records.jsonl --csv cards.csv          every decision in a table as well
  arena judge records.jsonl --sample 0.1 --by rules+pimc:worlds=200,prune=no
                                                     also by what the seats could know

Exit codes: 0 done, 1 some lines are no records or disagree with their rules, 2 wrong arguments or
an input that cannot be read, 3 something cannot be written.")]
pub struct JudgeArgs {
    /// A file of deal records, one JSON object a line, or the directory of a run; `-` is the standard input
    #[arg(value_name = "FILE|RUN|-")]
    pub file: PathBuf,
    /// Ask a bot that thinks as well, what it would have done by what the seat could know, as
    /// `rules+pimc:worlds=200,prune=no`
    #[arg(long, value_name = "BOT")]
    pub by: Option<String>,
    /// The share of the deals to judge, chosen by their numbers and the seed
    #[arg(long, value_name = "P", default_value_t = 1.0)]
    pub sample: f64,
    /// The seed of the sample
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// Print all figures as JSON
    #[arg(long)]
    pub json: bool,
    /// Write every card that was a choice, a row each
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// How many threads solve; nothing depends on it [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// How to tell the progress on the standard error (of the standard input none is told)
    #[arg(long, value_enum, default_value = "auto")]
    pub progress: ProgressMode,
}

/// Why the arguments are wrong.
#[derive(Debug, thiserror::Error)]
enum JudgeArgsError {
    #[error("sample: {0} is not above 0 and at most 1")]
    Sample(f64),
    #[error("--by: `{0}` does not tell what it thinks of each card: name a bot that does, as `rules+pimc`")]
    TellsNothing(String),
}

impl ModuleError for JudgeArgsError {}

/// Runs the command.
///
/// # Errors
///
/// When the arguments are wrong or something cannot be read or written.
pub(crate) fn judge(args: &JudgeArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    if !(args.sample > 0.0 && args.sample <= 1.0) {
        return Err(JudgeArgsError::Sample(args.sample).into());
    }
    let by = args.by.as_deref().map(|text| registry.parse(text)).transpose()?;
    if let Some(spec) = by.as_ref().filter(|spec| spec.has_program() || !spec.build().player.thinks()) {
        return Err(JudgeArgsError::TellsNothing(spec.to_string()).into());
    }
    let settings = Settings { file: args.file.clone(), sample: args.sample, seed: args.seed, by };
    let solvers = Solvers::new(args.threads)?;
    let mut csv = args.csv.as_deref().map(CsvFile::create).transpose()?;
    let totals = judge::judge(&settings, &solvers, csv.as_mut(), args.progress)?;
    if let Some(csv) = csv {
        csv.finish()?;
    }
    let text = if args.json {
        format!("{:#}\n", judge::json(&settings, &totals))
    } else {
        judge::document(&settings, &totals).render(Detail::Full)
    };
    print(out, &text)?;
    Ok(if totals.wrong_lines == 0 { Exit::Done } else { Exit::Disagreements })
}
