//! Flags that several commands have.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use coinche_engine::{RuleSet, Seed};
use coinche_selfplay::base::threads;
use coinche_selfplay::{
    Detail, Document, Forms, FreezeText, ModuleError, OutOfRange, ProgressMode, Result, print,
};

use super::count::count;
use coinche_analysis::typed::Language;
use coinche_runs::{ConfigError, Confine, RulesText, RunFile, Shard, draw_seed, load_rules, rules_of_deals};
use rayon::ThreadPool;

/// The rules, and the number of threads.
#[derive(Debug, Args)]
pub(crate) struct RulesFlags {
    /// Rules: a preset or a rule file [default: bga]
    ///
    /// `arena rules` lists the presets; `arena rules NAME` prints one as a TOML file to edit.
    #[arg(long, value_name = "NAME|FILE")]
    pub rules: Option<String>,
    /// Override a field of the rules; repeatable
    ///
    /// For example `--set scoring.coinche.contract=3`. `arena rules NAME` prints all fields.
    #[arg(long, value_name = "FIELD=VALUE")]
    pub set: Vec<String>,
    /// Number of threads [default: all cores]
    ///
    /// Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = count::<usize>)]
    pub threads: Option<usize>,
}

/// The random seed.
#[derive(Debug, Clone, Args)]
pub(crate) struct SeedFlag {
    /// Random seed [default: drawn, and printed]
    ///
    /// A number or any text. The same command with the same seed gives the same results, and every command deals the same cards from a seed. A short seed can be guessed, and with it the cards: where a program must not know them, let the seed be drawn (128 bits).
    #[arg(long, value_name = "SEED", allow_hyphen_values = true)]
    pub seed: Option<Seed>,
}

/// The sandbox of programs.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct ConfineFlag {
    /// Run programs in a sandbox: full or network
    ///
    /// Each sees the system and what its command names, read-only, but no file of the run, no other process and, unless `--confine=network`, no network. It needs Bubblewrap (`bwrap`) on Linux. Without it a program can read what you can: the files of the run, and so the cards.
    #[arg(long, value_enum, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "full")]
    pub confine: Option<Confine>,
}

/// The forms in which a report is written.
#[derive(Debug, Args)]
pub(crate) struct PageFlags {
    /// Write an HTML page
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write Markdown, with tables in place of charts
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Write the charts as SVG files
    #[arg(long, value_name = "DIR")]
    pub svg: Option<PathBuf>,
    /// Write all tables as CSV files
    #[arg(long, value_name = "DIR")]
    pub csv: Option<PathBuf>,
    /// Write all tables as Parquet files
    #[arg(long, value_name = "DIR")]
    pub parquet: Option<PathBuf>,
}

/// One shard of a command whose result is sums over deals.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct ShardFlag {
    /// Make only the i-th of n shards, from 1
    ///
    /// --out is then the directory of the shard. To resume a shard, repeat the command. `arena merge` on all shards prints
    /// and writes what the whole command does.
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
}

/// How bots play each other.
#[derive(Debug, Args)]
pub(crate) struct PlayFlags {
    /// Give all bots the same auction or card play
    ///
    /// `auction[=BIDDER]`: BIDDER (default: rules) makes all calls, the same in both legs, so that only card play is
    /// compared. `play[=PLAYER]`: PLAYER (default: rules) plays all cards, so that only bidding is compared;
    /// `play=solver` plays them double dummy.
    #[arg(long, value_name = "WHAT")]
    pub freeze: Option<FreezeText>,
    /// Forfeit deals when a program fails for good
    ///
    /// Without it, the run stops when a program cannot be restarted or fails in three deals in a row; repeat the
    /// command to resume.
    #[arg(long)]
    pub forfeit: bool,
    /// The sandbox.
    #[command(flatten)]
    pub confine: ConfineFlag,
    /// The seed.
    #[command(flatten)]
    pub seed: SeedFlag,
    /// The rules, and the number of threads.
    #[command(flatten)]
    pub rules: RulesFlags,
    /// Output directory [default: under results/runs]
    ///
    /// The default directory is named after the settings: the same settings have the same directory.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Progress: auto, plain, json, none [default: auto]
    #[arg(long, value_enum, value_name = "MODE")]
    pub progress: Option<ProgressMode>,
}

impl SeedFlag {
    /// Returns the given seed, or draws one.
    pub(super) fn or_drawn(&self) -> Seed {
        self.seed.clone().unwrap_or_else(draw_seed)
    }

    /// Returns the given seed, or that of the directory to resume, or draws one; never draws for a shard.
    pub(super) fn or_there(&self, there: Option<Seed>, shard: Option<Shard>) -> Result<Seed> {
        match (self.seed.clone().or(there), shard) {
            (Some(seed), _) => Ok(seed),
            (None, None) => Ok(draw_seed()),
            (None, Some(shard)) => Err(ConfigError::ShardWithoutSeed(shard).into()),
        }
    }
}

/// Why a part cannot be made with these flags.
#[derive(Debug, thiserror::Error)]
enum ShardFlagError {
    #[error("--shard {0}: expected a directory for this part, as in `--shard {0} --out part`")]
    Out(Shard),
    #[error("{0}: a part has no pages and tables: give it to `arena merge`, which has all parts")]
    Form(&'static str),
}

impl ModuleError for ShardFlagError {}

impl ShardFlag {
    /// Tests if a part is requested, for which Ctrl-C is a clean stop.
    pub(crate) const fn is_part(&self) -> bool {
        self.shard.is_some()
    }

    /// Returns the shard and the directory of its part, if one is requested.
    pub(super) fn part<'a>(&self, page: &'a PageFlags) -> Result<Option<(Shard, &'a Path)>> {
        let Some(shard) = self.shard else { return Ok(None) };
        if let Some((form, _)) = page.beside_html().into_iter().find(|(_, is_given)| *is_given) {
            return Err(ShardFlagError::Form(form).into());
        }
        let out = page.out.as_deref().ok_or(ShardFlagError::Out(shard))?;
        Ok(Some((shard, out)))
    }
}

impl RulesFlags {
    /// Reads the rules.
    pub(super) fn load(&self) -> Result<RuleSet> {
        let rules = self.rules.as_deref().map_or_else(|| Ok(RuleSet::default()), load_rules)?;
        Ok(rules.with_settings(self.set.iter().map(String::as_str))?)
    }

    /// Reads the rules of single deals.
    pub(super) fn load_for_deals(&self) -> Result<RuleSet> {
        Ok(rules_of_deals(&self.load()?, &self.set)?)
    }

    /// Returns the number of threads: by default the number of cores.
    pub(super) fn threads(&self) -> Result<usize, OutOfRange> {
        threads::check(self.threads)
    }

    /// Starts the threads.
    pub(super) fn pool(&self) -> Result<ThreadPool> {
        threads::pool(self.threads()?)
    }
}

impl PageFlags {
    /// Tests if no output is requested.
    pub(super) fn is_empty(&self) -> bool {
        self.out.is_none() && self.beside_html().iter().all(|(_, is_given)| !is_given)
    }

    /// Returns the formats other than the page, and whether they are requested.
    pub(super) fn beside_html(&self) -> [(&'static str, bool); 4] {
        [
            ("--markdown", self.markdown.is_some()),
            ("--svg", self.svg.is_some()),
            ("--csv", self.csv.is_some()),
            ("--parquet", self.parquet.is_some()),
        ]
    }

    /// Writes the requested formats, and returns a line for each; with none, the page is written to `own`.
    pub(super) fn write(&self, document: &Document, own: Option<&Path>) -> Result<String> {
        document.write(Forms {
            html: self.out.as_deref().or(own.filter(|_| self.is_empty())),
            markdown: self.markdown.as_deref(),
            svg: self.svg.as_deref(),
            csv: self.csv.as_deref(),
            parquet: self.parquet.as_deref(),
        })
    }

    /// Writes the requested formats of a document that there is in several languages: tables for programs are in English.
    pub(super) fn write_in(
        &self,
        language: Language,
        own: Option<&Path>,
        document: impl Fn(Language) -> Result<Document>,
    ) -> Result<(Document, String)> {
        let page = document(language)?;
        if language == Language::default() || (self.csv.is_none() && self.parquet.is_none()) {
            let written = self.write(&page, own)?;
            return Ok((page, written));
        }
        let (csv, parquet) = (self.csv.as_deref(), self.parquet.as_deref());
        let pages = page.write(Forms {
            html: self.out.as_deref(),
            markdown: self.markdown.as_deref(),
            svg: self.svg.as_deref(),
            ..Forms::default()
        })?;
        let tables = Document { language, ..document(Language::default())? };
        let tables = tables.write(Forms { csv, parquet, ..Forms::default() })?;
        Ok((page, pages + &tables))
    }

    /// Writes the pages and tables of a document, and prints it and what was written; or the JSON alone.
    pub(super) fn show(&self, document: &Document, json: Option<String>, out: &mut dyn Write) -> Result<()> {
        let written = self.write(document, None)?;
        print(out, &json.unwrap_or_else(|| document.render(Detail::Full) + &written))
    }
}

impl PlayFlags {
    /// Returns these flags as keys of a configuration; all others are unset.
    pub(super) fn into_file(self) -> RunFile {
        let RulesFlags { rules, set, threads } = self.rules;
        RunFile {
            freeze: self.freeze,
            forfeit: self.forfeit.then_some(true),
            confine: self.confine.confine,
            seed: self.seed.seed.clone(),
            set: (!set.is_empty()).then_some(set),
            threads,
            out: self.out,
            progress: self.progress,
            rules: rules.map(RulesText::Name),
            ..RunFile::default()
        }
    }
}
