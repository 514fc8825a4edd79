//! `arena label`: deals with their exact points, as a data set.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use coinche_engine::Strain;
use coinche_selfplay::base::error::{ArenaError, ModuleError, OutOfRange};
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::print;
use coinche_selfplay::base::progress::ProgressMode;
use coinche_selfplay::base::style::thousands;
use coinche_selfplay::play::solvers::Solvers;

use super::flags::RulesFlags;
use crate::analysis::label;
use crate::analysis::label::{LabelFormat, Leaders, Settings, Source};
use crate::run::config::MOST_DEALS;

/// The flags of `arena label`.
#[derive(Debug, Args)]
#[command(after_help = "\
The points of seats 0 and 2 with best play of both sides, all cards open, last trick included. The
columns are described in docs/labels.md. The data set is a directory of files of 10,000 deals each
(--chunk); an interrupted command goes on when it is given again.

Examples:
  arena label --deals 1000000 --seed 1 --out labels     random deals, led left of the dealer
  arena label deals.txt --leaders all --out labels      the deals of a file, from every seat

Exit codes: 0 done, 1 some lines of the file were no deals, 2 wrong arguments, or other settings
than the directory has, 3 something cannot be written.")]
pub struct LabelArgs {
    /// A file of deals, four hands joined by ` | ` a line; without it deals are random
    #[arg(value_name = "FILE", conflicts_with_all = ["deals", "seed"])]
    pub file: Option<PathBuf>,
    /// How many random deals
    #[arg(long, value_name = "N", required_unless_present = "file")]
    pub deals: Option<u64>,
    /// The seed of the random deals: the same cards as in `arena run` with this seed
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// Who leads: dealer-left (the seat (deal + 1) mod 4), all (a row each), or one seat
    #[arg(long, value_name = "WHO", default_value = "dealer-left")]
    pub leaders: Leaders,
    /// The strains to solve; the columns of the others stay empty
    #[arg(long, value_name = "STRAIN", value_delimiter = ',', default_value = "C,D,H,S,SA,TA")]
    pub strains: Vec<Strain>,
    /// The directory of the data set
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// In which form
    #[arg(long, value_enum, default_value = "both")]
    pub format: LabelFormat,
    /// How many deals are in one file: at most so many have to be solved again after an interruption
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub chunk: u64,
    /// Under which rules, and on how many threads.
    #[command(flatten)]
    pub rules: RulesFlags,
    /// How to tell the progress on the standard error
    #[arg(long, value_enum, default_value = "auto")]
    pub progress: ProgressMode,
}

/// The points of a deal do not fit into a byte.
#[derive(Debug, thiserror::Error)]
#[error("a last trick of {0} points: labels have room for 103, 255 points a deal")]
struct LastTrick(u16);

impl ModuleError for LastTrick {}

impl LabelArgs {
    fn settings(&self) -> Result<Settings, ArenaError> {
        let rules = self.rules.load()?;
        if let Some(last) = Strain::ALL.map(|strain| rules.scoring.last_trick_in(strain)).into_iter().max()
            && last > 103
        {
            return Err(LastTrick(last).into());
        }
        let source = match &self.file {
            Some(path) => Source::file(path)?,
            None => Source::Random { seed: self.seed, deals: self.deals.unwrap_or_default() },
        };
        OutOfRange::check("deals", source.deals(), 1..=MOST_DEALS)?;
        OutOfRange::check("chunk", self.chunk, 1..=1_000_000)?;
        // Each once, in the order of the columns.
        let strains = Strain::ALL.into_iter().filter(|strain| self.strains.contains(strain)).collect();
        Ok(Settings { rules, strains, leaders: self.leaders, format: self.format, chunk: self.chunk, source })
    }
}

/// Runs the command.
///
/// # Errors
///
/// When the settings are wrong or not those of the directory, or something cannot be read or written.
pub(crate) fn label(args: &LabelArgs, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    let settings = args.settings()?;
    let solvers = Solvers::new(args.rules.threads)?;
    let done = label::make(&settings, &args.out, &solvers, args.progress)?;
    let before = match done.before {
        0 => String::new(),
        before => format!(", {} were there", thousands(before)),
    };
    print(out, &format!("{} deals labelled{before}, in {}\n", thousands(done.deals), args.out.display()))?;
    Ok(if done.bad == 0 { Exit::Done } else { Exit::Disagreements })
}
