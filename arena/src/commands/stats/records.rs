//! `arena stats`: what recorded deals tell of the game and of its players, or deals that are played for it.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use coinche_bots::Registry;
use coinche_selfplay::base::error::{ArenaError, ModuleError};
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::print;
use coinche_selfplay::base::progress::ProgressMode;
use coinche_selfplay::document::text::Detail;

use crate::analysis::stats;
use crate::analysis::stats::{Counted, StatsError};
use crate::commands::flags::{PageFlags, RulesFlags};
use crate::run::config::{Records, RulesText, RunConfig, RunFile, SeedText, TimesMode};

pub(super) const EXAMPLES: &str = "\
Of each bot: which contracts it bids, makes and sees coinched, by level, strain, seat and hand;
what it opens with which trumps and aces; what its answers to partner promise; its first cards and
what comes of them; points by trick; belotes, slams and melds; and how the cards fell. Shares and
means have intervals of 95 % with the deal as the unit. docs/strategy.md explains each table.

Examples:
  arena stats results/runs/… --out stats.html             of a run (--records full)
  arena stats one.jsonl two.jsonl.zst --csv numbers       of files of records; `-`: what is piped in
  arena stats --deals 100000 --bot rules --seed 1         plays the deals, writes no records
  arena stats --deals 500 --match --bot rules --rules coinchee --against-set deal.shuffle=uniform
                                                          what it does that a deck is only cut
  arena stats mine.jsonl --against other.jsonl --of rules two inputs side by side

Exit codes: 0 done, 1 a line is no record, 2 wrong arguments or no records, 3 something cannot be
written.";

/// The flags of `arena stats` without a subcommand.
#[derive(Debug, Args)]
pub struct RecordsArgs {
    /// Directories of runs or files of deal records; `-` is the standard input
    #[arg(value_name = "RECORDS", conflicts_with_all = ["deals", "matches", "bot", "seed", "rules", "set"])]
    pub records: Vec<PathBuf>,
    /// Play so many deals for it, each in two legs, or in one where one bot has all seats; with --match,
    /// so many matches
    #[arg(long, value_name = "N")]
    pub deals: Option<u64>,
    /// Play whole matches instead of single deals
    #[arg(long = "match", requires = "deals")]
    pub matches: bool,
    /// Who plays: one bot at all seats, or two or more against each other [default: rules]
    #[arg(long, value_name = "BOT", requires = "deals")]
    pub bot: Vec<String>,
    /// The seed of the deals: the same as in `arena run` with this seed [default: 0]
    #[arg(long, value_name = "SEED", requires = "deals")]
    pub seed: Option<u64>,
    /// Tell of this bot alone
    #[arg(long, value_name = "BOT")]
    pub of: Option<String>,
    /// Put other records beside: of what differs the intervals are told
    #[arg(long, value_name = "RECORDS")]
    pub against: Option<PathBuf>,
    /// The same with deals of the same seed under rules with this change; repeatable
    #[arg(long, value_name = "FIELD=VALUE", requires = "deals", conflicts_with = "against")]
    pub against_set: Vec<String>,
    /// Under which rules, and on how many threads.
    #[command(flatten)]
    pub rules: RulesFlags,
    /// In which forms, beside the text.
    #[command(flatten)]
    pub page: PageFlags,
    /// How to tell the progress on the standard error (of what is piped in none is told)
    #[arg(long, value_enum, default_value = "auto")]
    pub progress: ProgressMode,
}

impl RecordsArgs {
    /// Reads some records.
    fn read(&self, paths: &[PathBuf]) -> Result<Counted, ArenaError> {
        let (totals, rules) = stats::read(paths, self.rules.threads, self.progress)?;
        let names: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
        let unit = totals.unit();
        Ok(Counted { totals, rules, from: format!("from {}", names.join(", ")), unit })
    }

    /// Checks what is to be played, with more settings over the rules.
    fn config(&self, deals: u64, more: &[String], registry: &Registry) -> Result<RunConfig, ArenaError> {
        let mut bots = if self.bot.is_empty() { vec!["rules".to_owned()] } else { self.bot.clone() };
        if let [alone] = &bots[..] {
            bots.push(alone.clone());
        }
        let set: Vec<_> = self.rules.set.iter().chain(more).cloned().collect();
        let file = RunFile {
            bots: Some(bots),
            deals: Some(deals),
            matches: self.matches.then_some(true),
            seed: Some(SeedText::Text(self.seed.unwrap_or_default().to_string())),
            set: (!set.is_empty()).then_some(set),
            records: Some(Records::Full),
            times: Some(TimesMode::None),
            threads: self.rules.threads,
            progress: Some(self.progress),
            rules: self.rules.rules.clone().map(RulesText::Name),
            ..RunFile::default()
        };
        Ok(file.check(registry)?.meet(registry)?.0)
    }

    /// Plays.
    fn play(config: &RunConfig) -> Result<Counted, ArenaError> {
        let mut names: Vec<_> = config.bots.iter().map(ToString::to_string).collect();
        names.dedup();
        let from = format!("played by {} with seed {}", names.join(", "), config.seed);
        Ok(Counted { totals: stats::play(config)?, rules: config.rules, from, unit: config.unit })
    }

    /// Counts what is asked for, and what it is put beside.
    fn count(&self, registry: &Registry) -> Result<(Counted, Option<Counted>), ArenaError> {
        let counted = match self.deals {
            None if self.records.is_empty() => {
                return Err(RecordsArgsError::Nothing.into());
            }
            None => self.read(&self.records)?,
            Some(deals) => Self::play(&self.config(deals, &[], registry)?)?,
        };
        let other = match (&self.against, self.deals) {
            (Some(path), _) => Some(self.read(std::slice::from_ref(path))?),
            (None, Some(deals)) if !self.against_set.is_empty() => {
                Some(Self::play(&self.config(deals, &self.against_set, registry)?)?)
            }
            _ => None,
        };
        Ok((counted, other))
    }
}

/// Why the arguments are no question.
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
///
/// # Errors
///
/// When the arguments are wrong or something cannot be read or written.
pub(super) fn stats_of_records(
    args: &RecordsArgs,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<Exit, ArenaError> {
    let (mut counted, mut other) = args.count(registry)?;
    if let Some(bot) = &args.of {
        for counted in [Some(&mut counted), other.as_mut()].into_iter().flatten() {
            counted.keep(bot).map_err(RecordsArgsError::Of)?;
        }
    }
    let document = stats::document(&counted, other.as_ref());
    let text = document.render(Detail::Short);
    let written = args.page.write(&document, None)?;
    print(out, &format!("{text}{written}"))?;
    Ok(Exit::Done)
}
