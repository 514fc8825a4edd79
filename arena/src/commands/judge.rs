//! `arena judge`: what each decision cost.

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

use super::count::count;
use super::flags::{PageFlags, SeedFlag};
use crate::analysis::judge;
use crate::analysis::judge::{DecisionFiles, Settings};

/// The flags of `arena judge`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Every auction, and every card that was chosen among several, is compared with double-dummy play: what it cost in card points and in the score of the deal, by bot, trick, role, place in the trick, kind of card and strain; and bot against bot, paired on the same deals. docs/judge.md defines every figure and says how far to trust it.

Examples:
  arena judge results/runs/…                    a run with --records full
  arena judge records.jsonl --sample 0.1        a tenth of the deals
  arena judge records.jsonl --out judge.html --csv numbers
                                                a page, and tables; decisions.csv
                                                has every decision
  arena judge mine --by rules+pimc:worlds=200,prune=no
                                                by what the seats could know

Exit codes: 0 done, 1 some lines are not records or disagree with their rules, 2 wrong arguments or an input that cannot be read, 3 output cannot be written.")]
pub struct JudgeArgs {
    /// A run, or a file of records; `-` is stdin
    ///
    /// The directory of a run with records, or a file of deal records (JSON Lines, also compressed with zstd).
    #[arg(value_name = "RUN|FILE|-")]
    pub file: PathBuf,
    /// Also judge by what the seats could know
    ///
    /// Asks this bot, which must search, to rate every choice by what the seat knew, for example
    /// `rules+pimc:worlds=200,prune=no`.
    #[arg(long, value_name = "BOT")]
    pub by: Option<String>,
    /// Share of the deals to judge
    ///
    /// Chosen by the numbers of the deals and the seed; a larger share contains the smaller one.
    #[arg(long, value_name = "P", default_value_t = 1.0)]
    pub sample: f64,
    /// The seed.
    #[command(flatten)]
    pub seed: SeedFlag,
    /// Print all figures as JSON
    #[arg(long)]
    pub json: bool,
    /// In which forms, beside the text.
    #[command(flatten)]
    pub page: PageFlags,
    /// Number of threads [default: all cores]
    ///
    /// Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = count::<usize>)]
    pub threads: Option<usize>,
    /// Progress: auto, plain, json, none
    ///
    /// There is none while stdin is read.
    #[arg(long, value_enum, value_name = "MODE", default_value = "auto")]
    pub progress: ProgressMode,
}

/// Why the arguments are wrong.
#[derive(Debug, thiserror::Error)]
enum JudgeArgsError {
    #[error("sample: {0} is not above 0 and at most 1")]
    Sample(f64),
    #[error("--seed: it has no effect without --sample, since every deal is judged; leave it out")]
    Seed,
    #[error("--by: `{0}` does not rate each card: name a bot that searches, such as `rules+pimc`")]
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
    if args.sample >= 1.0 && args.seed.seed.is_some() {
        return Err(JudgeArgsError::Seed.into());
    }
    // Without a sample nothing is drawn.
    let seed = if args.sample < 1.0 { args.seed.or_drawn() } else { 0.into() };
    let settings = Settings { file: args.file.clone(), sample: args.sample, seed, by };
    let solvers = Solvers::new(args.threads)?;
    let mut files = DecisionFiles::create(args.page.csv.as_deref(), args.page.parquet.as_deref())?;
    let totals = judge::judge(&settings, &solvers, &mut files, args.progress)?;
    files.finish()?;
    let document = judge::document(&settings, &totals);
    let written = args.page.write(&document, None)?;
    let text = if args.json {
        format!("{:#}\n", judge::json(&settings, &totals))
    } else {
        format!("{}{written}", document.render(Detail::Full))
    };
    print(out, &text)?;
    Ok(if totals.wrong_lines == 0 { Exit::Done } else { Exit::Disagreements })
}
