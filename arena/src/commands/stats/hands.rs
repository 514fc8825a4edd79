//! `arena stats hands`: double-dummy results of classes of hands.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use coinche_engine::{RuleSet, Seed, Strain};
use coinche_selfplay::{Detail, Exit, ModuleError, OutOfRange, ProgressMode, Result, Solvers, print};

use super::hands_parts;
use crate::commands::count::count;
use crate::commands::flags::{PageFlags, RulesFlags, SeedFlag, ShardFlag};
use coinche_analysis::label::{LabelFormat, Leaders, Settings, Source};
use coinche_analysis::stats_hands;
use coinche_analysis::stats_hands::{Labels, Scope, Totals};

/// The flags of `arena stats hands`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("stats-hands"))]
pub(crate) struct HandsArgs {
    /// A directory of `arena label` [default: solve deals]
    #[arg(value_name = "LABELS", conflicts_with_all = ["deals", "seed", "shard"])]
    pub labels: Option<PathBuf>,
    /// Number of random deals to solve
    #[arg(long, value_name = "N", required_unless_present = "labels", value_parser = count::<u64>)]
    pub deals: Option<u64>,
    /// The seed.
    #[command(flatten)]
    pub seed: SeedFlag,
    /// Who leads
    ///
    /// dealer-left, all, or a seat (0 to 3). all solves each deal for every leader.
    #[arg(long, value_name = "WHO", default_value = "dealer-left", conflicts_with = "labels")]
    pub leaders: Leaders,
    /// The rules, and the number of threads.
    #[command(flatten)]
    pub rules: RulesFlags,
    /// In which forms, beside the text.
    #[command(flatten)]
    pub page: PageFlags,
    /// Of which deals.
    #[command(flatten)]
    pub shard: ShardFlag,
    /// Progress: auto, plain, json, none
    #[arg(long, value_enum, value_name = "MODE", default_value = "auto")]
    pub progress: ProgressMode,
}

/// Rules are given for labels, which have their own.
#[derive(Debug, thiserror::Error)]
#[error("labels have their own rules: leave out --rules and --set")]
struct RulesOfLabels;

impl ModuleError for RulesOfLabels {}

impl HandsArgs {
    /// Returns the settings of the deals to solve: all strains of the rules.
    pub(super) fn settings(&self, seed: Seed) -> Result<Settings> {
        let deals = self.deals.unwrap_or_default();
        OutOfRange::check("deals", deals, 1..=MOST)?;
        let source = Source::Random { seed, deals };
        let (rules, leaders) = (self.rules.load_for_deals()?, self.leaders);
        let strains = Strain::ALL.into_iter().filter(|strain| rules.allows_strain(*strain)).collect();
        Ok(Settings { rules, strains, leaders, format: LabelFormat::Csv, chunk: 1, source })
    }
}

/// The maximum number of deals to solve.
const MOST: u64 = 1_000_000_000;

/// Runs the command.
pub(super) fn stats_of_hands(args: &HandsArgs, out: &mut dyn Write) -> Result<Exit> {
    if let Some((shard, path)) = args.shard.part(&args.page)? {
        return hands_parts::make(args, shard, path, out);
    }
    let (totals, rules, deals) = if let Some(directory) = &args.labels {
        if args.rules.rules.is_some() || !args.rules.set.is_empty() {
            return Err(RulesOfLabels.into());
        }
        let labels = Labels::open(directory)?;
        (stats_hands::of_labels(&labels)?, labels.rules, labels.deals)
    } else {
        let seed = args.seed.or_drawn();
        let settings = args.settings(seed.clone())?;
        let solvers = Solvers::new(args.rules.threads)?;
        let totals = stats_hands::of_deals(&settings, &solvers, args.progress)?;
        (totals, settings.rules, of_seed(&seed))
    };
    show(&totals, &rules, deals, &args.page, out)?;
    Ok(Exit::Done)
}

/// Describes the source of random deals.
pub(super) fn of_seed(seed: &Seed) -> String {
    format!("of seed {seed}")
}

/// Prints the totals, and writes the requested files.
pub(super) fn show(
    totals: &Totals,
    rules: &RuleSet,
    deals: String,
    page: &PageFlags,
    out: &mut dyn Write,
) -> Result<()> {
    let scope = Scope { deals, rules: rules.preset_name().unwrap_or("of one's own").to_owned() };
    let written = page.write(&stats_hands::document(&scope, totals), None)?;
    let text = stats_hands::brief(&scope, totals).render(Detail::Full);
    print(out, &format!("{text}{written}"))
}
