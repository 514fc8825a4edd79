//! Flags that several commands have.

use std::path::{Path, PathBuf};

use clap::Args;
use coinche_engine::RuleSet;
use coinche_selfplay::base::error::{ArenaError, OutOfRange};
use coinche_selfplay::base::progress::ProgressMode;
use coinche_selfplay::base::threads;
use coinche_selfplay::document::Forms;
use coinche_selfplay::document::model::Document;
use coinche_selfplay::play::freeze::FreezeText;

use crate::run::config::{RulesText, RunFile, SeedText, load_rules};

/// Under which rules, and on how many threads.
#[derive(Debug, Args)]
pub struct RulesFlags {
    /// The rules: a preset or a file; `arena rules` lists and prints them [default: bga]
    #[arg(long, value_name = "NAME|FILE.toml")]
    pub rules: Option<String>,
    /// Change a field of the rules; repeatable, as `--set scoring.coinche.contract=3`
    #[arg(long, value_name = "FIELD=VALUE")]
    pub set: Vec<String>,
    /// How many threads are at work; results do not depend on it [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
}

/// In which forms a report is written.
#[derive(Debug, Args)]
pub struct PageFlags {
    /// The page
    #[arg(long, value_name = "FILE.html")]
    pub out: Option<PathBuf>,
    /// The same as Markdown, with tables for pictures
    #[arg(long, value_name = "FILE.md")]
    pub markdown: Option<PathBuf>,
    /// A directory for the pictures
    #[arg(long, value_name = "DIR")]
    pub svg: Option<PathBuf>,
    /// A directory for the numbers behind pictures and tables, as CSV
    #[arg(long, value_name = "DIR")]
    pub csv: Option<PathBuf>,
    /// The same numbers as Parquet, with typed columns
    #[arg(long, value_name = "DIR")]
    pub parquet: Option<PathBuf>,
}

/// How bots play each other.
#[derive(Debug, Args)]
pub struct PlayFlags {
    /// What is the same for all: the auction, by the bidder of BIDDER [default: rules], alike in both legs, so that
    /// only the card play is compared; or the card play, by PLAYER [default: rules] or by the exact
    /// solver, so that only the bidding is [default: none]
    #[arg(long, value_name = "auction[=BIDDER]|play[=PLAYER|solver]")]
    pub freeze: Option<FreezeText>,
    /// The seed: all that chance decides follows from it [default: drawn, and printed]
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// Under which rules, and on how many threads.
    #[command(flatten)]
    pub rules: RulesFlags,
    /// The directory to write to [default: one under results/runs, the same for the same settings]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// How to tell the progress on the standard error [default: auto]
    #[arg(long, value_enum)]
    pub progress: Option<ProgressMode>,
}

impl RulesFlags {
    /// Reads the rules.
    ///
    /// # Errors
    ///
    /// When there are none of this name, or something in them is wrong.
    pub(super) fn load(&self) -> Result<RuleSet, ArenaError> {
        let rules = self.rules.as_deref().map_or_else(|| Ok(RuleSet::default()), load_rules)?;
        Ok(rules.with_settings(self.set.iter().map(String::as_str))?)
    }

    /// Returns how many threads are at work: as many as there are cores unless a number is given.
    ///
    /// # Errors
    ///
    /// When the number is not in 1 to 1024.
    pub(super) fn threads(&self) -> Result<usize, OutOfRange> {
        threads::check(self.threads)
    }
}

impl PageFlags {
    /// Tests if nothing is asked for.
    pub(super) fn is_empty(&self) -> bool {
        let forms = [&self.out, &self.markdown, &self.svg, &self.csv, &self.parquet];
        forms.iter().all(|form| form.is_none())
    }

    /// Writes the forms that are asked for, and returns a line for each; where none is, the page goes to `own`.
    ///
    /// # Errors
    ///
    /// When one cannot be written.
    pub(super) fn write(&self, document: &Document, own: Option<&Path>) -> Result<String, ArenaError> {
        document.write(Forms {
            html: self.out.as_deref().or(own.filter(|_| self.is_empty())),
            markdown: self.markdown.as_deref(),
            svg: self.svg.as_deref(),
            csv: self.csv.as_deref(),
            parquet: self.parquet.as_deref(),
        })
    }
}

impl PlayFlags {
    /// Returns these flags as keys of a configuration; all others are not set.
    pub(super) fn into_file(self) -> RunFile {
        let RulesFlags { rules, set, threads } = self.rules;
        RunFile {
            freeze: self.freeze,
            seed: self.seed.map(|seed| SeedText::Text(seed.to_string())),
            set: (!set.is_empty()).then_some(set),
            threads,
            out: self.out,
            progress: self.progress,
            rules: rules.map(RulesText::Name),
            ..RunFile::default()
        }
    }
}
