//! Decisions of deals that bots play: what a seat knew, what it did, and what every card was worth.
//!
//! `table` plays a deal and solves its decisions, `columns` has what is written of one.

mod columns;
mod table;
#[cfg(test)]
mod tests;

use std::path::Path;

use clap::ValueEnum;
use coinche_bots::BotSpec;
use coinche_engine::encoding::{ActionSpace, Encoder, Suits};
use coinche_engine::{RuleSet, Secrets, Seed};
use coinche_selfplay::base::columns::parquet::encode;
use coinche_selfplay::base::columns::{Batch, npy};
use coinche_selfplay::base::{ProgressMode, Result, complain};
use coinche_selfplay::play::solvers::Workers;
use serde::{Deserialize, Serialize};

use super::LabelFormat;
use super::error::LabelError;
use super::parts::{self, Chunk, Chunks, Contents, Labelled, task};
use coinche_runs::{Job, Shard};
use columns::Decision;
use table::{DealError, Table};

/// The version of the columns of `docs/labels.md`.
const SCHEMA: u8 = 1;

/// A bot panicked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Crash {
    pub(super) bot: String,
    pub(super) why: String,
}

impl Crash {
    /// Says that its deal is left out.
    pub(super) fn tell(&self, deal: u64) {
        let Self { bot, why } = self;
        complain(format_args!("deal {deal} is left out: {bot} crashed: {why}"));
    }
}

/// Which decisions are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DecisionKinds {
    /// Cards.
    Cards,
    /// Calls.
    Calls,
    /// Both.
    All,
}

impl DecisionKinds {
    /// Tests if cards or calls are written.
    pub(super) fn has(self, cards: bool) -> bool {
        self == Self::All || (self == Self::Cards) == cards
    }
}

/// How suits are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SuitNames {
    /// As they were dealt.
    Dealt,
    /// The trump suit first, in an order that does not depend on their names.
    Canonical,
}

/// What a data set of decisions is made of.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The rules.
    pub rules: RuleSet,
    /// The bots, of which each seat has one in each deal; at least one, none of them a program.
    pub bots: Vec<BotSpec>,
    /// The share of the decisions that chance makes, 0 to 1.
    pub stray: f64,
    /// Which decisions.
    pub which: DecisionKinds,
    /// How suits are named in the rows.
    pub suits: SuitNames,
    /// The format of the files.
    pub format: LabelFormat,
    /// The seed.
    pub seed: Seed,
    /// How many deals.
    pub deals: u64,
    /// How many deals are in one part.
    pub chunk: u64,
    /// The parts that are made, where not all are.
    pub shard: Option<Shard>,
}

impl Settings {
    /// What decides about the rows.
    fn table(&self) -> Result<toml::Table, LabelError> {
        let space = ActionSpace::new(&self.rules);
        let mut table = toml::Table::new();
        let mut set = |key: &str, value: toml::Value| table.insert(key.to_owned(), value);
        set("kind", "decisions".into());
        set("schema", i64::from(SCHEMA).into());
        set("encoder", i64::from(Encoder::VERSION).into());
        set("action_space", i64::from(ActionSpace::VERSION).into());
        set("actions", i64::try_from(space.len()).unwrap_or(i64::MAX).into());
        set("actions_fingerprint", format!("{:016x}", space.fingerprint()).into());
        set("bots", self.bots.iter().map(BotSpec::as_str).collect::<Vec<_>>().into());
        set("stray", self.stray.into());
        set("which", toml::Value::try_from(self.which)?);
        set("suits", toml::Value::try_from(self.suits)?);
        // Always as text: one type for whoever reads it.
        set("seed", self.seed.as_str().into());
        set("deals", self.deals.to_string().into());
        set("rules", toml::Value::try_from(self.rules)?);
        Ok(table)
    }

    fn encoder(&self) -> Encoder {
        let suits = match self.suits {
            SuitNames::Dealt => Suits::AsDealt,
            SuitNames::Canonical => Suits::Canonical,
        };
        Encoder::new(&self.rules, suits)
    }

    fn chunks(&self) -> Chunks {
        Chunks::new(self.deals, self.chunk, self.shard, self.format)
    }
}

/// Makes what is missing of a data set.
pub fn make(
    settings: &Settings,
    directory: &Path,
    threads: Option<usize>,
    progress: ProgressMode,
) -> Result<Labelled> {
    let chunks = settings.chunks();
    let files = settings.bots.iter().flat_map(BotSpec::files).collect();
    let task = task(Job::Decisions, settings.table()?, files, &chunks);
    let tables = Workers::of(threads, || Table::new(settings))?;
    let secrets = Secrets::from(&settings.seed);
    parts::make(&chunks, &task, directory, progress, |deals, meter| {
        let played = tables.map(deals.clone().collect(), |table, deal| {
            let rows = table.play(secrets, deal);
            meter.add(1);
            rows
        });
        let (mut rows, mut bad): (Vec<Decision>, u64) = (Vec::new(), 0);
        for (deal, played) in deals.clone().zip(played) {
            match played {
                Ok(decisions) => rows.extend(decisions),
                Err(DealError::Crash(crash)) => {
                    crash.tell(deal);
                    bad += 1;
                }
                Err(DealError::Score(score)) => return Err(LabelError::Score { deal, score }.into()),
            }
        }
        let schema = columns::schema(ActionSpace::new(&settings.rules).len());
        let rows = Batch::of(schema, rows);
        let file = match settings.format {
            LabelFormat::Npy => npy(&rows),
            _ => encode(&rows).map_err(LabelError::from)?,
        };
        Ok(Chunk { files: vec![Contents::Bytes(file)], good: deals.end - deals.start - bad, bad })
    })
}
