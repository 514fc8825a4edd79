//! `arena stats`: statistics of recorded deals, or of deals played for them.

use coinche_engine::Seed;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use coinche_bots::Registry;
use coinche_selfplay::{Detail, Exit, ModuleError, ProgressMode, Result, print};

use super::parts;
use crate::commands::count::count;
use crate::commands::flags::{PageFlags, RulesFlags, SeedFlag, ShardFlag};
use coinche_analysis::stats;
use coinche_analysis::stats::{Counted, StatsError, Totals};
use coinche_runs::{Records, RulesText, RunConfig, RunFile, TimesMode};

/// The flags of `arena stats` without a subcommand.
#[derive(Debug, Args)]
pub(crate) struct RecordsArgs {
    /// Runs or files of deal records; `-` is stdin
    #[arg(value_name = "RECORDS", conflicts_with_all = ["deals", "matches", "bot", "seed", "rules", "set", "shard"])]
    pub records: Vec<PathBuf>,
    /// Play this number of deals instead
    ///
    /// Each is played in two legs, or in one where one bot has all seats. With --match, the number of matches.
    #[arg(long, value_name = "N", value_parser = count::<u64>)]
    pub deals: Option<u64>,
    /// Play matches; --deals counts them
    #[arg(long = "match", requires = "deals")]
    pub matches: bool,
    /// Who plays; repeatable [default: rules]
    ///
    /// One bot at all seats, or two or more against each other.
    #[arg(long, value_name = "BOT", requires = "deals")]
    pub bot: Vec<String>,
    /// The seed.
    #[command(flatten)]
    pub seed: SeedFlag,
    /// Show only this bot
    #[arg(long, value_name = "BOT")]
    pub of: Option<String>,
    /// Compare with other records
    ///
    /// Differences are given with intervals.
    #[arg(long, alias = "against", value_name = "RECORDS", conflicts_with = "shard")]
    pub compare: Option<PathBuf>,
    /// Compare with other rules; repeatable
    ///
    /// Plays deals of the same seed under rules with one field changed, such as `--compare-set auction.lowest=90`.
    #[arg(
        long,
        alias = "against-set",
        value_name = "SETTING",
        requires = "deals",
        conflicts_with = "compare"
    )]
    pub compare_set: Vec<String>,
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
    ///
    /// There is none while stdin is read.
    #[arg(long, value_enum, value_name = "MODE", default_value = "auto")]
    pub progress: ProgressMode,
}

impl RecordsArgs {
    /// Reads some records.
    fn read(&self, paths: &[PathBuf]) -> Result<Counted> {
        let (totals, rules) = stats::read(paths, self.rules.threads, self.progress)?;
        let names: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
        let unit = totals.unit();
        Ok(Counted { totals, rules, from: format!("from {}", names.join(", ")), unit })
    }

    /// Checks the configuration to play, with additional rule settings.
    pub(super) fn config(
        &self,
        deals: u64,
        seed: &Seed,
        more: &[String],
        registry: &Registry,
    ) -> Result<RunConfig> {
        let mut bots = if self.bot.is_empty() { vec!["rules".to_owned()] } else { self.bot.clone() };
        if let [alone] = &bots[..] {
            bots.push(alone.clone());
        }
        let set: Vec<_> = self.rules.set.iter().chain(more).cloned().collect();
        let file = RunFile {
            bots: Some(bots),
            deals: Some(deals),
            matches: self.matches.then_some(true),
            seed: Some(seed.clone()),
            set: (!set.is_empty()).then(|| set.clone()),
            records: Some(Records::Full),
            times: Some(TimesMode::None),
            threads: self.rules.threads,
            progress: Some(self.progress),
            rules: self.rules.rules.clone().map(RulesText::Name),
            ..RunFile::default()
        };
        Ok(file.check(registry)?.of_flags(&set)?.meet(registry)?.0)
    }

    /// Plays a run.
    fn play(config: &RunConfig) -> Result<Counted> {
        Ok(counted(config, stats::play(config)?))
    }

    /// Returns how many deals are to be played.
    pub(super) fn deals_to_play(&self) -> Result<u64> {
        self.deals.ok_or_else(|| RecordsArgsError::Nothing.into())
    }

    /// Counts the requested deals, and those to compare them with.
    fn count(&self, registry: &Registry) -> Result<(Counted, Option<Counted>)> {
        let seed = self.seed.or_drawn();
        let counted = match self.deals {
            None if self.records.is_empty() => {
                return Err(RecordsArgsError::Nothing.into());
            }
            None => self.read(&self.records)?,
            Some(deals) => Self::play(&self.config(deals, &seed, &[], registry)?)?,
        };
        let other = match (&self.compare, self.deals) {
            (Some(path), _) => Some(self.read(std::slice::from_ref(path))?),
            (None, Some(deals)) if !self.compare_set.is_empty() => {
                Some(Self::play(&self.config(deals, &seed, &self.compare_set, registry)?)?)
            }
            _ => None,
        };
        Ok((counted, other))
    }
}

/// Returns totals of played deals with their source.
pub(super) fn counted(config: &RunConfig, totals: Totals) -> Counted {
    let mut names: Vec<_> = config.bots.iter().map(ToString::to_string).collect();
    names.dedup();
    let from = format!("played by {} with seed {}", names.join(", "), config.seed);
    Counted { totals, rules: config.rules, from, unit: config.unit }
}

/// What is wrong with the arguments.
#[derive(Debug, thiserror::Error)]
enum RecordsArgsError {
    #[error(
        "expected records, as in `arena stats results/runs/…`, or deals to play, as in `arena stats --deals \
             10000 --bot rules`"
    )]
    Nothing,
    #[error("--of: {0}")]
    Of(StatsError),
}

impl ModuleError for RecordsArgsError {}

/// Runs the command.
pub(super) fn stats_of_records(args: &RecordsArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    if let Some((shard, path)) = args.shard.part(&args.page)? {
        return parts::make(args, shard, path, registry, out);
    }
    let (counted, other) = args.count(registry)?;
    show(counted, other, args.of.as_deref(), &args.page, out)?;
    Ok(Exit::Done)
}

/// Prints the totals, or those of one bot alone, and writes the requested files.
pub(super) fn show(
    mut counted: Counted,
    mut other: Option<Counted>,
    of: Option<&str>,
    page: &PageFlags,
    out: &mut dyn Write,
) -> Result<()> {
    if let Some(bot) = of {
        for counted in [Some(&mut counted), other.as_mut()].into_iter().flatten() {
            counted.keep(bot).map_err(RecordsArgsError::Of)?;
        }
    }
    let document = stats::document(&counted, other.as_ref());
    let text = document.render(Detail::Short);
    let written = page.write(&document, None)?;
    print(out, &format!("{text}{written}"))
}
