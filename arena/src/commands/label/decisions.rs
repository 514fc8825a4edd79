//! The flags of `arena label --decisions`.

use clap::Args;
use coinche_bots::{BotSpec, Registry};
use coinche_selfplay::{ModuleError, OutOfRange, Result};

use super::LabelArgs;
use coinche_analysis::label::LabelFormat;
use coinche_analysis::label::decisions::{DecisionKinds, Settings, SuitNames};
use coinche_runs::MOST_DEALS;

/// What is written instead of points, and who plays.
#[derive(Debug, Args)]
#[command(next_help_heading = "Decisions")]
pub(crate) struct DecisionFlags {
    /// Write decisions of bots instead of points
    ///
    /// One row per decision: what the seat knew, the legal actions, the exact score after each card, what was done, how the deal ended.
    #[arg(long, conflicts_with_all = ["file", "leaders", "strains"])]
    pub decisions: bool,
    /// A bot that plays; repeatable
    ///
    /// Default: rules and table+rules. In each deal every seat draws one of these bots; one that is given twice is drawn twice as often.
    #[arg(long, value_name = "BOT", requires = "decisions")]
    pub by: Vec<String>,
    /// Share of random decisions
    ///
    /// 0 to 1. This share of the calls and cards of bots is replaced by a random legal one. Only decisions that --which writes are replaced: with cards, all calls are the bots'.
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.15,
        allow_negative_numbers = true,
        requires = "decisions"
    )]
    pub stray: f64,
    /// Which decisions: cards, calls, all
    #[arg(long, value_enum, value_name = "WHICH", default_value = "cards", requires = "decisions")]
    pub which: DecisionKinds,
    /// Suit names: dealt, canonical
    ///
    /// With canonical, deals that differ in the names of suits only have the same rows.
    #[arg(long, value_enum, value_name = "NAMES", default_value = "canonical", requires = "decisions")]
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
}

impl ModuleError for FlagsError {}

/// Each thread has each bot at four seats.
const MOST_BOTS: usize = 64;
/// Default deals per part: some ten thousands of rows.
const CHUNK: u64 = 1_000;

impl LabelArgs {
    /// Returns the settings of a data set of decisions.
    pub(super) fn decisions(&self, registry: &Registry) -> Result<Settings> {
        let flags = &self.decisions;
        let (deals, chunk) = (self.deals.unwrap_or_default(), self.chunk.unwrap_or(CHUNK));
        OutOfRange::check("deals", deals, 1..=MOST_DEALS)?;
        OutOfRange::check("chunk", chunk, 1..=100_000)?;
        if !(0.0..=1.0).contains(&flags.stray) {
            return Err(FlagsError::Stray(flags.stray).into());
        }
        let (rules, bots) = (self.rules.load()?, self.bots(registry)?);
        for bot in &bots {
            bot.check_rules(&rules)?;
        }
        let format = self.table.unwrap_or(LabelFormat::Parquet);
        if !matches!(format, LabelFormat::Parquet | LabelFormat::Npy) {
            return Err(FlagsError::TableOfDecisions(format).into());
        }
        Ok(Settings {
            rules,
            bots,
            stray: flags.stray,
            which: flags.which,
            suits: flags.suits,
            format,
            seed: self.seed_of_directory()?,
            deals,
            chunk,
            shard: self.shard,
        })
    }

    fn bots(&self, registry: &Registry) -> Result<Vec<BotSpec>> {
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
            bots.push(bot);
        }
        Ok(bots)
    }
}
