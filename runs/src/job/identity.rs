//! The identity of parts: deals with equal identities can be merged.

use std::collections::BTreeMap;

use coinche_selfplay::base::hash::Fnv;
use coinche_selfplay::{Result, Unit};
use serde::{Deserialize, Serialize};

use crate::commit::COMMIT;
use crate::config::{ConfigError, RunConfig};

/// The commit, settings and files of a run: deals with equal identities can be merged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// The commit that the program was built from.
    pub commit: String,
    /// A hash of commit, settings and files.
    pub fingerprint: String,
    /// All settings that affect the result of a deal, by name.
    pub settings: toml::Table,
    /// The files that the bots are made of (weights, tables, systems), with a checksum of their bytes: the settings
    /// contain only their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
}

impl Identity {
    /// Returns the identity of a run.
    pub fn new(config: &RunConfig) -> Result<Self> {
        Ok(Self::of(config.settings()?).with_files(config.files()))
    }

    /// Returns the identity of these settings.
    pub fn of(settings: toml::Table) -> Self {
        Self { commit: COMMIT.to_owned(), fingerprint: String::new(), settings, files: BTreeMap::new() }
            .with_files(BTreeMap::new())
    }

    /// Returns the identity of settings of another type.
    pub fn try_of(settings: &impl Serialize) -> Result<Self> {
        let table = toml::Table::try_from(settings).map_err(ConfigError::from)?;
        Ok(Self::of(table))
    }

    /// Sets the files that the bots are made of.
    #[must_use]
    pub fn with_files(mut self, files: BTreeMap<String, String>) -> Self {
        self.files = files;
        self.fingerprint = self.expected_fingerprint();
        self
    }

    /// Returns the fingerprint of the other fields.
    fn expected_fingerprint(&self) -> String {
        let Self { commit, settings, files, .. } = self;
        let mut text = format!("{commit}\n{settings}");
        for (path, sum) in files {
            text.extend(["\n", sum, " ", path]);
        }
        format!("{:016x}", Fnv::of(&text))
    }

    /// Tests if the fingerprint matches commit, settings and files.
    pub fn is_sound(&self) -> bool {
        self.fingerprint == self.expected_fingerprint()
    }

    /// Returns the plural name of the unit: deals or matches.
    pub fn unit(&self) -> &'static str {
        let of_matches = self.settings.get("match") == Some(&toml::Value::Boolean(true));
        if of_matches { Unit::Match } else { Unit::Deal }.plural()
    }

    /// Returns the settings that differ, with both values.
    pub fn settings_other_than(&self, others: &toml::Table) -> Vec<String> {
        let mut found = Vec::new();
        compare("", &self.settings, others, &mut found);
        found
    }

    /// Returns the differences from another identity, as `name: this here, that there`.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let mut found = Vec::new();
        if self.commit != other.commit {
            found.push(format!("commit: {} there, {} now", self.commit, other.commit));
        }
        compare("", &self.settings, &other.settings, &mut found);
        found.extend(self.differing_files(other));
        found
    }

    /// Returns the files that differ from those of another identity.
    pub fn differing_files(&self, other: &Self) -> Vec<String> {
        let mut paths: Vec<_> = self.files.keys().chain(other.files.keys()).collect();
        paths.sort();
        paths.dedup();
        let sum = |files: &BTreeMap<String, String>, path: &String| {
            files.get(path).map_or_else(|| "none".to_owned(), |sum| format!("sum {sum}"))
        };
        let differing = paths.into_iter().filter(|path| self.files.get(*path) != other.files.get(*path));
        differing
            .map(|path| {
                format!("file {path}: {} there, {} now", sum(&self.files, path), sum(&other.files, path))
            })
            .collect()
    }
}

fn compare(prefix: &str, there: &toml::Table, now: &toml::Table, found: &mut Vec<String>) {
    let mut keys: Vec<_> = there.keys().chain(now.keys()).collect();
    keys.sort();
    keys.dedup();
    for key in keys {
        match (there.get(key), now.get(key)) {
            (there, now) if there == now => {}
            (Some(toml::Value::Table(there)), Some(toml::Value::Table(now))) => {
                compare(&format!("{prefix}{key}."), there, now, found);
            }
            (there, now) => {
                let text = |value: Option<&toml::Value>| match value {
                    None => "not set".to_owned(),
                    Some(toml::Value::String(text)) => text.clone(),
                    Some(toml::Value::Table(_)) => "rules of its own".to_owned(),
                    Some(value) => value.to_string(),
                };
                found.push(format!("{prefix}{key}: {} there, {} now", text(there), text(now)));
            }
        }
    }
}
