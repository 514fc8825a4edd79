//! Rows in a directory: written once, learnt from often.
//!
//! A directory is one of labels: files, sums, and it goes on where it was interrupted (`analysis/label/parts.rs`).

use std::fs;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use coinche_bots::BotSpec;
use coinche_bots::net::cards::FINGERPRINT;
use coinche_engine::RuleSet;
use coinche_selfplay::base::files::checksums::Checksums;
use coinche_selfplay::base::{ArenaError, Meter, ModuleError, ProgressMode, Result};
use rayon::ThreadPool;

use super::parquet::ReadError;
use super::rows::CardRows;
use super::{Settings, parquet, play};
use crate::label::{self, Chunk, Chunks, Contents, DataSet, LabelFormat, Labelled};
use coinche_runs::{COMMIT, Job, Shard};

/// What the settings say that the rows are.
const KIND: &str = "choices";
/// The version of the columns.
const SCHEMA: u8 = 2;

/// What rows are made of.
#[derive(Debug)]
pub struct Data {
    /// Who plays which deals: those of one round.
    pub settings: Settings,
    /// The share of the deals that are held out, 0 to 1.
    pub held_out: f64,
    /// How many deals are in one part.
    pub chunk: u64,
    /// The parts that are made, where not all are.
    pub shard: Option<Shard>,
}

/// What is wrong with a directory of rows.
#[derive(Debug, thiserror::Error)]
enum DatasetError {
    #[error("{} has no rows: `arena train cards --rows --out DIR` writes them", .0.display())]
    NoRows(PathBuf),
    #[error(
        "{}: its rows have {what} ({theirs}, not {ours}); write them again, or learn from them with a program of the commit {commit}",
        directory.display()
    )]
    Other { directory: PathBuf, what: &'static str, theirs: String, ours: String, commit: String },
    #[error(
        "{} is not finished: {there} of {all} parts are there; repeat the command that makes it", directory.display()
    )]
    Unfinished { directory: PathBuf, there: u64, all: u64 },
    #[error("{} has the same deals as {}: give it once", .0.display(), .1.display())]
    Twice(PathBuf, PathBuf),
    #[error(
        "{} and {} are of one seed, and hold out other shares of its deals: make one of them again with another --seed or the same --held-out",
        .0.display(), .1.display()
    )]
    Shares(PathBuf, PathBuf),
    #[error("there is no row to learn from in {}: make more deals, or hold out fewer", .0.display())]
    Nothing(PathBuf),
}

impl ModuleError for DatasetError {}

impl Data {
    /// The settings that are written.
    fn table(&self) -> toml::Table {
        let settings = &self.settings;
        let names = |names: Vec<&str>| toml::Value::from(names);
        let mut table = toml::Table::new();
        let mut set = |key: &str, value: toml::Value| table.insert(key.to_owned(), value);
        set("kind", KIND.into());
        set("schema", i64::from(SCHEMA).into());
        set("inputs", FINGERPRINT.into());
        set("presets", names(settings.rules.iter().filter_map(RuleSet::preset_name).collect()));
        set("bidders", names(settings.population.iter().map(BotSpec::as_str).collect()));
        let network = settings.from.as_ref().map(|network| network.layers().sum());
        set("network", network.unwrap_or_else(|| "none".to_owned()).into());
        set("policy", settings.trials.policy.name().into());
        set("solved_from", i64::from(settings.trials.solved_from).into());
        set("held_out", self.held_out.into());
        // Always as text: one type for whoever reads it.
        set("seed", settings.seed.as_str().into());
        set("deals", settings.deals.to_string().into());
        set("chunk", self.chunk.to_string().into());
        set("format", LabelFormat::Parquet.name().into());
        set("commit", COMMIT.into());
        let files = settings.population.iter().flat_map(BotSpec::files);
        let files: toml::Table = files.map(|(path, sum)| (path, sum.into())).collect();
        if !files.is_empty() {
            set("files", files.into());
        }
        table
    }
}

/// Tests if some deals are in both of two directories, played by the same players: all but different shards of one data set.
fn are_same_deals(one: &toml::Table, other: &toml::Table) -> bool {
    let alike = |keys: &[&str]| keys.iter().all(|key| one.get(*key) == other.get(*key));
    let shard = |table: &toml::Table| {
        table.get("shard")?.as_str()?.split_once('/').map(|(n, of)| [n, of].map(str::to_owned))
    };
    let are_apart = match (shard(one), shard(other)) {
        (Some([n, of]), Some([m, all])) => n != m && of == all && alike(&["deals", "chunk"]),
        _ => false,
    };
    alike(&["seed", "network", "bidders", "presets"]) && !are_apart
}

/// Makes what is missing of the rows.
pub fn make(data: &Data, directory: &Path, pool: &ThreadPool, progress: ProgressMode) -> Result<Labelled> {
    let chunks = Chunks::new(data.settings.deals, data.chunk, data.shard, LabelFormat::Parquet);
    let mut table = data.table();
    let json = serde_json::to_string(&table).expect("texts and numbers");
    // What the identity of the data set has itself.
    table.remove("commit");
    table.remove("files");
    let files = data.settings.population.iter().flat_map(BotSpec::files).collect();
    let task = label::task(Job::Rows, table, files, &chunks);
    let Data { settings, held_out, .. } = data;
    label::make_chunks(&chunks, &task, directory, progress, |deals, meter| {
        let rows = play(settings, settings.trials, *held_out, &deals, settings.from.as_ref(), pool, meter);
        let file = parquet::write(&rows, &json).expect("a file in memory is written");
        Ok(Chunk { files: vec![Contents::Bytes(file)], good: deals.end - deals.start, bad: 0 })
    })
}

/// Rows that were read.
#[derive(Debug, Default)]
pub struct Loaded {
    /// Those that are learnt from, by file.
    pub(super) learnt: Vec<CardRows>,
    /// Those of deals that are held out.
    pub(super) held_out: Vec<CardRows>,
    /// The settings of each directory.
    settings: Vec<(PathBuf, toml::Table)>,
}

impl Loaded {
    /// Reads all rows of some directories.
    pub fn read(directories: &[PathBuf], progress: ProgressMode) -> Result<Self> {
        let mut all = Self::default();
        let mut files = Vec::new();
        for directory in directories {
            files.extend(all.open(directory)?);
        }
        let meter = Meter::new(progress, files.len() as u64);
        for path in files {
            let bytes = fs::read(&path).map_err(|source| ArenaError::read(&path, source))?;
            let rows = Self::of_file(Bytes::from(bytes)).map_err(|why| label::damaged(&path, &why))?;
            all.learnt.extend(rows.learnt);
            all.held_out.extend(rows.held_out);
            meter.add(1);
        }
        meter.finish();
        match directories.first() {
            Some(first) if all.rows()[0] == 0 => Err(DatasetError::Nothing(first.clone()).into()),
            _ => Ok(all),
        }
    }

    /// Reads the rows of a file.
    pub fn of_file(file: Bytes) -> Result<Self, ReadError> {
        let [learnt, held_out] = parquet::read(file)?.split();
        Ok(Self { learnt: vec![learnt], held_out: vec![held_out], settings: Vec::new() })
    }

    /// Checks a directory, and returns its files.
    fn open(&mut self, directory: &Path) -> Result<Vec<PathBuf>> {
        let set = DataSet::read(directory)?.filter(|set| set.state.job == Job::Rows);
        let Some(DataSet { state, chunks, files }) = set else {
            return Err(DatasetError::NoRows(directory.to_owned()).into());
        };
        let mut table = state.identity.settings;
        table.insert("commit".to_owned(), state.identity.commit.into());
        if let Some(shard) = state.shard {
            table.insert("shard".to_owned(), shard.to_string().into());
        }
        let word = |key: &str| table.get(key).and_then(toml::Value::as_str).unwrap_or_default();
        let schema = table.get("schema").and_then(toml::Value::as_integer);
        let schema = schema.map_or_else(|| "none".to_owned(), |schema| schema.to_string());
        for (what, theirs, ours) in [
            ("the columns of another version", schema, SCHEMA.to_string()),
            ("other inputs than this program", word("inputs").to_owned(), FINGERPRINT.to_owned()),
        ] {
            if theirs != ours {
                let (directory, commit) = (directory.to_owned(), word("commit").to_owned());
                return Err(DatasetError::Other { directory, what, theirs, ours, commit }.into());
            }
        }
        for (other, before) in &self.settings {
            if are_same_deals(before, &table) {
                return Err(DatasetError::Twice(directory.to_owned(), other.clone()).into());
            }
            if before.get("seed") == table.get("seed") && before.get("held_out") != table.get("held_out") {
                return Err(DatasetError::Shares(directory.to_owned(), other.clone()).into());
            }
        }
        if files.count() < chunks.number() || !Checksums::are_in(directory) {
            let (there, all) = (files.count(), chunks.number());
            return Err(DatasetError::Unfinished { directory: directory.to_owned(), there, all }.into());
        }
        for (name, sum) in files.iter() {
            label::check(directory, name, sum)?;
        }
        let files = files.iter().map(|(name, _)| directory.join(name)).collect();
        self.settings.push((directory.to_owned(), table));
        Ok(files)
    }

    /// Returns how many rows are learnt from, and how many are held out.
    pub fn rows(&self) -> [usize; 2] {
        [&self.learnt, &self.held_out].map(|rows| rows.iter().map(|rows| rows.choices.len()).sum())
    }

    /// What the directories say under a key, each once.
    pub fn said(&self, key: &str) -> String {
        let mut said: Vec<String> = Vec::new();
        for (_, table) in &self.settings {
            let text = match table.get(key) {
                Some(toml::Value::String(text)) => text.clone(),
                Some(toml::Value::Array(names)) => {
                    names.iter().filter_map(toml::Value::as_str).collect::<Vec<_>>().join(" ")
                }
                _ => continue,
            };
            if !said.contains(&text) {
                said.push(text);
            }
        }
        said.join("; ")
    }
}
