//! `fit.json` and `part.json`: where a fit stands, and what a shard of a stage is of.

use std::path::Path;

use coinche_bots::table::BiddingTable;
use coinche_engine::RuleSet;
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::files::{if_there, read_bounded, write_whole};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::error::FitPartsError;
use super::nothing;
use crate::analysis::fit::Settings;
use crate::run::checksums::{Checksums, Sum};
use crate::run::config::{Shard, quoted};
use crate::run::damage::Damage;
use crate::run::directory::Identity;

/// Where the whole stands.
pub(super) const WHOLE: &str = "fit.json";
/// What a shard is of.
pub(super) const PART: &str = "part.json";
/// Its rows.
pub(super) const ROWS: &str = "rows.zst";
/// The file that is locked while a shard is made.
pub(super) const LOCK: &str = "part.lock";

/// The version of both forms.
const VERSION: u32 = 1;
/// The most bytes of them that are read.
const MOST: u64 = 1 << 26;

impl Settings {
    /// All that decides about the table, and the commit.
    pub(super) fn identity(&self) -> Identity {
        let mut settings = toml::Table::new();
        let mut set = |key: &str, value: toml::Value| settings.insert(key.to_owned(), value);
        set("command", "fit".into());
        // As text: one type, and any number.
        set("seed", self.seed.as_str().into());
        set("deals", self.deals.to_string().into());
        set("rounds", self.rounds.to_string().into());
        set("rules", self.rules.as_ref().and_then(RuleSet::preset_name).unwrap_or("in turn").into());
        Identity::of(settings)
    }

    /// Reads what decides about a table.
    pub(super) fn of(identity: &Identity) -> Option<Self> {
        let word = |key: &str| identity.settings.get(key).and_then(toml::Value::as_str);
        let rules = match word("rules")? {
            "in turn" => None,
            name => Some(RuleSet::preset(name)?),
        };
        let rounds = word("rounds")?.parse().ok().filter(|rounds| (1..=100).contains(rounds))?;
        Some(Self { seed: word("seed")?.parse().ok()?, deals: word("deals")?.parse().ok()?, rounds, rules })
    }

    /// The command of the whole.
    pub(super) fn command(&self, file: &Path) -> String {
        let Self { seed, deals, rounds, rules } = self;
        let rules = rules.as_ref().and_then(RuleSet::preset_name);
        let rules = rules.map_or_else(String::new, |name| format!(" --rules {name}"));
        let (seed, file) = (quoted(seed), file.display());
        format!("arena fit{rules} --deals {deals} --seed {seed} --rounds {rounds} --out {file}")
    }
}

/// Reads a file of JSON; `None` where there is none.
fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<(T, Sum)>, ArenaError> {
    let Some(bytes) = if_there(read_bounded(path, MOST))? else { return Ok(None) };
    let value = serde_json::from_slice(&bytes).map_err(|why| ArenaError::damaged(path, Damage::from(why)))?;
    Ok(Some((value, Sum::of(&bytes))))
}

fn to_json(value: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec(value).expect("numbers, texts and lists");
    text.push(b'\n');
    text
}

/// Where the whole stands.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Whole {
    v: u32,
    pub(super) identity: Identity,
    /// How many stages are fitted.
    pub(super) stages: usize,
    /// The table that came of them, as a text that has its own sum.
    pub(super) table: String,
}

impl Whole {
    /// A fit that is to begin.
    pub(super) fn new(identity: Identity) -> Self {
        Self { v: VERSION, identity, stages: 0, table: nothing().to_text() }
    }

    /// Reads where a fit stands; `None` where no stage is fitted.
    pub(super) fn read(directory: &Path) -> Result<Option<Self>, ArenaError> {
        let path = directory.join(WHOLE);
        let Some((whole, _)) = read::<Self>(&path)? else { return Ok(None) };
        if whole.v != VERSION {
            return Err(ArenaError::damaged(path, Damage::Version { found: whole.v, read: VERSION }));
        }
        Ok(Some(whole))
    }

    pub(super) fn write(&self, directory: &Path) -> Result<(), ArenaError> {
        write_whole(&directory.join(WHOLE), &to_json(self))
    }

    pub(super) fn set(&mut self, stages: usize, table: &BiddingTable) {
        (self.stages, self.table) = (stages, table.to_text());
    }

    /// Reads the table.
    pub(super) fn table(&self, directory: &Path) -> Result<BiddingTable, ArenaError> {
        BiddingTable::from_text(&self.table).map_err(|why| {
            let path = directory.join(WHOLE);
            FitPartsError::Damaged { path, why: why.to_string() }.into()
        })
    }

    /// Checks that this is the fit that is asked for.
    pub(super) fn check(&self, identity: &Identity, directory: &Path) -> Result<(), ArenaError> {
        let differences = self.identity.differences(identity);
        if differences.is_empty() {
            return Ok(());
        }
        Err(ArenaError::OtherRun { path: directory.to_owned(), differences })
    }

    /// Checks that this program is the one that began.
    pub(super) fn check_program(&self, identity: &Identity) -> Result<(), ArenaError> {
        let differences = self.identity.differences(identity);
        if differences.is_empty() { Ok(()) } else { Err(FitPartsError::OtherProgram(differences).into()) }
    }

    /// The sum of the table, by which shards know it again.
    pub(super) fn sum(&self) -> String {
        format!("{:08x}", Sum::of(self.table.as_bytes()).crc)
    }
}

/// When and how fast a shard was made: nothing that has to be the same.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Timing {
    pub(super) seconds: f64,
    pub(super) threads: usize,
}

/// What a shard of a stage is of.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    v: u32,
    command: String,
    pub(super) identity: Identity,
    pub(super) shard: Shard,
    /// The deals: first, first not done, first behind the shard, and of all shards of the stage.
    pub(super) start: u64,
    pub(super) done: u64,
    pub(super) end: u64,
    pub(super) asked: u64,
    /// The stage, from 1.
    pub(super) stage: usize,
    /// The sum of the table that the stage began with.
    pub(super) table: String,
    pub(super) rows: u64,
    pub(super) timing: Timing,
}

impl Part {
    /// The shard of a stage with so many deals; its rows are not collected yet.
    pub(super) fn new(whole: &Whole, settings: &Settings, shard: Shard, deals: u64) -> Self {
        let range = shard.range(deals);
        Self {
            v: VERSION,
            command: "fit".to_owned(),
            identity: settings.identity(),
            shard,
            start: range.start,
            done: range.end,
            end: range.end,
            asked: deals,
            stage: whole.stages + 1,
            table: whole.sum(),
            rows: 0,
            timing: Timing::default(),
        }
    }

    pub(super) fn to_json(&self) -> Vec<u8> {
        to_json(self)
    }

    /// Reads a shard that is finished; `None` where it is not.
    ///
    /// # Errors
    ///
    /// When it is damaged or cannot be read.
    pub(super) fn finished(directory: &Path) -> Result<Option<Self>, ArenaError> {
        let Some(sums) = Checksums::read(directory)? else { return Ok(None) };
        let path = directory.join(PART);
        let damaged = |path: &Path, why| FitPartsError::Damaged { path: path.to_owned(), why };
        for name in [PART, ROWS] {
            let sum =
                sums.get(name).ok_or_else(|| damaged(&path, format!("checksums.txt lists no {name}")))?;
            if let Some(why) = Checksums::difference(directory, name, sum)? {
                return Err(damaged(&directory.join(name), why).into());
            }
        }
        let Some((part, _)) = read::<Self>(&path)? else { return Ok(None) };
        if part.v != VERSION {
            return Err(ArenaError::damaged(path, Damage::Version { found: part.v, read: VERSION }));
        }
        Ok(Some(part))
    }

    /// Checks that a shard is what is expected in its place.
    pub(super) fn check_same(&self, expected: &Self, directory: &Path) -> Result<(), ArenaError> {
        let mut differences = self.identity.differences(&expected.identity);
        let mut compare = |name: &str, value: &dyn Fn(&Self) -> String| {
            let [there, now] = [self, expected].map(value);
            if there != now {
                differences.push(format!("{name}: {there} there, {now} now"));
            }
        };
        compare("shard", &|part| part.shard.to_string());
        compare("stage", &|part| part.stage.to_string());
        compare("table", &|part| part.table.clone());
        compare("deals", &|part| format!("{} to {} of {}", part.start, part.end, part.asked));
        if differences.is_empty() {
            return Ok(());
        }
        Err(FitPartsError::Other { path: directory.to_owned(), differences }.into())
    }
}
