//! The flags of `arena label --decisions` and `--games`.

use clap::Args;
use coinche_bots::{BotSpec, Registry};
use coinche_engine::RuleSet;
use coinche_engine::rules::DealMethod;
use coinche_selfplay::{ModuleError, OutOfRange, Result};

use super::LabelArgs;
use coinche_analysis::label::LabelFormat;
use coinche_analysis::label::decisions::{DecisionKinds, Settings, SuitNames};
use coinche_analysis::label::games;
use coinche_runs::MOST_DEALS;

/// What is written instead of points, and who plays.
#[derive(Debug, Args)]
#[command(next_help_heading = "Decisions")]
pub(crate) struct DecisionFlags {
    /// Write decisions of bots instead of points
    ///
    /// One row per decision: what the seat knew, the legal actions, the exact score after each card, what was done, how the deal ended.
    #[arg(long, group = "played", conflicts_with_all = ["file", "leaders", "strains"])]
    pub decisions: bool,
    /// Write whole games of two bots: deals, legs and choices
    ///
    /// Three Parquet tables. Deals have their double-dummy points, legs are those of `arena run` with these bots and this seed, and every legal call and card of the legs has its value.
    #[arg(long, group = "played", conflicts_with_all = ["file", "leaders", "strains", "decisions", "table"])]
    pub games: bool,
    /// A bot that plays; repeatable
    ///
    /// Default: rules and table+rules. With --decisions every seat draws one of these bots in each deal; one that is given twice is drawn twice as often. --games needs two.
    #[arg(long, value_name = "BOT", requires = "played")]
    pub by: Vec<String>,
    /// Share of random decisions
    ///
    /// 0 to 1. This share of the calls and cards of bots is replaced by a random legal one. Only decisions that --which writes are replaced: with cards, all calls are the bots'.
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.15,
        allow_negative_numbers = true,
        requires = "decisions",
        conflicts_with = "games"
    )]
    pub stray: f64,
    /// Which decisions: cards, calls, all
    ///
    /// Default: cards; with --games all.
    #[arg(long, value_enum, value_name = "WHICH", requires = "played")]
    pub which: Option<DecisionKinds>,
    /// Suit names: dealt, canonical
    ///
    /// With canonical, deals that differ in the names of suits only have the same rows.
    #[arg(
        long,
        value_enum,
        value_name = "NAMES",
        default_value = "canonical",
        requires = "decisions",
        conflicts_with = "games"
    )]
    pub suits: SuitNames,
}

/// Why the flags are wrong.
#[derive(Debug, thiserror::Error)]
pub(super) enum FlagsError {
    #[error("a last trick of {0} points: labels have room for 103, which makes 255 points per deal")]
    LastTrick(u16),
    #[error("--table {}: expected csv, parquet or both; npy is for --decisions", .0.name())]
    TableOfPoints(LabelFormat),
    #[error("--table {}: decisions are written as parquet or npy", .0.name())]
    TableOfDecisions(LabelFormat),
    #[error("--by {0}: programs cannot play here; choose a built-in bot (`arena bots` lists them)")]
    Program(Box<BotSpec>),
    #[error("--stray {0}: expected 0 to 1")]
    Stray(f64),
    #[error("--by: expected 1 to {MOST_BOTS} bots, but got {0}")]
    Bots(usize),
    #[error("--games needs two bots, but --by names {0}: those of `arena run A B`")]
    TwoBots(usize),
    #[error("--games needs rules that deal all cards before the auction, such as those of bga")]
    NoGames,
}

impl ModuleError for FlagsError {}

/// Each thread has each bot at four seats.
const MOST_BOTS: usize = 64;

impl LabelArgs {
    /// Returns the settings of a data set of decisions.
    pub(super) fn decisions(&self, registry: &Registry) -> Result<Settings> {
        let flags = &self.decisions;
        let (deals, chunk) = self.deals_and_chunk()?;
        if !(0.0..=1.0).contains(&flags.stray) {
            return Err(FlagsError::Stray(flags.stray).into());
        }
        let rules = self.rules.load()?;
        let bots = self.bots(registry, &rules)?;
        let format = self.table.unwrap_or(LabelFormat::Parquet);
        if !matches!(format, LabelFormat::Parquet | LabelFormat::Npy) {
            return Err(FlagsError::TableOfDecisions(format).into());
        }
        Ok(Settings {
            rules,
            bots,
            stray: flags.stray,
            which: flags.which.unwrap_or(DecisionKinds::Cards),
            suits: flags.suits,
            format,
            seed: self.seed_of_directory()?,
            deals,
            chunk,
            shard: self.shard,
        })
    }

    /// Returns the settings of a data set of games.
    pub(super) fn games(&self, registry: &Registry) -> Result<games::Settings> {
        let (deals, chunk) = self.deals_and_chunk()?;
        let rules = self.rules.load_for_deals()?;
        if rules.deal.method != DealMethod::Full {
            return Err(FlagsError::NoGames.into());
        }
        let bots: Result<[BotSpec; 2], Vec<BotSpec>> = self.bots(registry, &rules)?.try_into();
        let bots = bots.map_err(|bots| FlagsError::TwoBots(bots.len()))?;
        let which = self.decisions.which.unwrap_or(DecisionKinds::All);
        let (seed, shard) = (self.seed_of_directory()?, self.shard);
        Ok(games::Settings { rules, bots, which, seed, deals, chunk, shard })
    }

    fn deals_and_chunk(&self) -> Result<(u64, u64)> {
        let (deals, chunk) = (self.deals.unwrap_or_default(), self.chunk.unwrap_or(self.job().1));
        OutOfRange::check("deals", deals, 1..=MOST_DEALS)?;
        OutOfRange::check("chunk", chunk, 1..=100_000)?;
        Ok((deals, chunk))
    }

    fn bots(&self, registry: &Registry, rules: &RuleSet) -> Result<Vec<BotSpec>> {
        let texts: Vec<&str> = match &self.decisions.by[..] {
            [] => vec!["rules", "table+rules"],
            by => by.iter().map(String::as_str).collect(),
        };
        if texts.len() > MOST_BOTS {
            return Err(FlagsError::Bots(texts.len()).into());
        }
        let mut bots = Vec::with_capacity(texts.len());
        for text in texts {
            let bot = registry.parse(text)?;
            if bot.has_program() {
                return Err(FlagsError::Program(Box::new(bot)).into());
            }
            bot.check_rules(rules)?;
            bots.push(bot);
        }
        Ok(bots)
    }
}
