//! `arena stats hands`: what classes of hands take, from solved deals.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use coinche_engine::Strain;
use coinche_selfplay::base::error::{ArenaError, ModuleError, OutOfRange};
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::print;
use coinche_selfplay::base::progress::ProgressMode;
use coinche_selfplay::document::text::Detail;
use coinche_selfplay::play::solvers::Solvers;

use crate::analysis::label::{LabelFormat, Leaders, Settings, Source};
use crate::analysis::stats_hands;
use crate::analysis::stats_hands::{Labels, Scope};
use crate::commands::flags::{PageFlags, RulesFlags};

/// The flags of `arena stats hands`.
#[derive(Debug, Args)]
#[command(after_help = "\
Hands are put into classes that a person can tell apart: in a suit the trumps (which of jack, nine and
ace, and how many), the aces aside and the suits without a card. For each class, with the first lead
and without it: mean and quantiles of the points of the side, the chances of 80, 90, … and all tricks,
with intervals; and by least squares what each card adds. docs/strategy.md says how.

Examples:
  arena stats hands --deals 20000 --seed 1              solves the deals first
  arena stats hands labels --out hands.html --csv csv   of the labels that `arena label` made

Exit codes: 0 done, 1 damaged labels, 2 wrong arguments or no labels, 3 something cannot be written.")]
pub struct HandsArgs {
    /// A directory of `arena label`; without it deals are solved
    #[arg(value_name = "LABELS", conflicts_with_all = ["deals", "seed"])]
    pub labels: Option<PathBuf>,
    /// How many random deals to solve
    #[arg(long, value_name = "N", required_unless_present = "labels")]
    pub deals: Option<u64>,
    /// The seed of the deals: the same cards as in `arena run` with this seed
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// Who leads: dealer-left, all (each deal is solved for every leader), or one seat
    #[arg(long, value_name = "WHO", default_value = "dealer-left", conflicts_with = "labels")]
    pub leaders: Leaders,
    /// Under which rules, and on how many threads.
    #[command(flatten)]
    pub rules: RulesFlags,
    /// In which forms, beside the text.
    #[command(flatten)]
    pub page: PageFlags,
    /// How to tell the progress on the standard error
    #[arg(long, value_enum, default_value = "auto")]
    pub progress: ProgressMode,
}

/// Rules are given for labels, which have their own.
#[derive(Debug, thiserror::Error)]
#[error("labels have their own rules: leave out --rules and --set")]
struct RulesOfLabels;

impl ModuleError for RulesOfLabels {}

/// Runs the command.
///
/// # Errors
///
/// When the arguments are wrong or something cannot be read or written.
pub(super) fn stats_of_hands(args: &HandsArgs, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    let (totals, rules, deals) = if let Some(directory) = &args.labels {
        if args.rules.rules.is_some() || !args.rules.set.is_empty() {
            return Err(RulesOfLabels.into());
        }
        let labels = Labels::open(directory)?;
        (stats_hands::of_labels(&labels)?, labels.rules, labels.deals)
    } else {
        let rules = args.rules.load()?;
        let number = args.deals.unwrap_or_default();
        OutOfRange::check("deals", number, 1..=1_000_000_000)?;
        let settings = Settings {
            rules,
            strains: Strain::ALL.into_iter().filter(|strain| rules.allows_strain(*strain)).collect(),
            leaders: args.leaders,
            format: LabelFormat::Csv,
            chunk: 1,
            source: Source::Random { seed: args.seed, deals: number },
        };
        let solvers = Solvers::new(args.rules.threads)?;
        let totals = stats_hands::of_deals(&settings, &solvers, args.progress)?;
        (totals, rules, format!("of seed {}", args.seed))
    };
    let name = rules.preset_name().unwrap_or("of one's own").to_owned();
    let scope = Scope { deals, rules: name };
    let document = stats_hands::document(&scope, &totals);
    let written = args.page.write(&document, None)?;
    let text = stats_hands::brief(&scope, &totals).render(Detail::Full);
    print(out, &format!("{text}{written}"))?;
    Ok(Exit::Done)
}
