//! Reads and checks `leaderboard.toml`; errors name the line.

use std::path::Path;
use std::time::Duration;

use coinche_bots::{Registry, says_clock};
use coinche_engine::{RuleSet, Seed};
use coinche_selfplay::base::files::read_text;
use coinche_selfplay::{ArenaError, Result};
use serde::Deserialize;
use toml::Spanned;

use super::error::PlanError;
use super::plan::{Class, Crossplay, Entry, Plan};

/// The maximum number of entries in a class: rating time grows with the sixth power.
const MOST_ENTRIES: usize = 32;
/// The maximum number of deals in a class.
const MOST_DEALS: u64 = 10_000_000;

/// The file as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    anchor: Spanned<String>,
    rules: Vec<Spanned<String>>,
    #[serde(default, rename = "class")]
    classes: Vec<ClassText>,
    #[serde(default, rename = "entry")]
    entries: Vec<EntryText>,
    crossplay: Option<CrossplayText>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClassText {
    name: Spanned<String>,
    limit: Spanned<String>,
    deals: Spanned<u64>,
    seed: Seed,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryText {
    name: Spanned<String>,
    bot: Spanned<String>,
    about: String,
    classes: Vec<Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CrossplayText {
    against: Spanned<String>,
    entries: Spanned<Vec<Spanned<String>>>,
    deals: Spanned<u64>,
    seed: Seed,
}

/// The file is not valid TOML, or has a key that is unknown, missing or of the wrong type.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.to_string().trim_end())]
struct TomlError(toml::de::Error);

/// Tests if a name can be a file name.
fn is_name(text: &str) -> bool {
    let is_plain = |letter: u8| letter.is_ascii_alphanumeric() || b"-.+_".contains(&letter);
    (1..=40).contains(&text.len()) && text.as_bytes()[0].is_ascii_alphanumeric() && text.bytes().all(is_plain)
}

/// Parses `20us`, `1ms` or `2s`.
fn time(text: &str) -> Option<Duration> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let unit = match unit {
        "us" | "µs" => 1,
        "ms" => 1_000,
        "s" => 1_000_000,
        _ => return None,
    };
    let micros = number.parse::<u64>().ok()?.checked_mul(unit)?;
    (1..=3_600_000_000).contains(&micros).then(|| Duration::from_micros(micros))
}

/// Parses an entry.
pub(super) fn entry(
    name: &str,
    bot: &str,
    about: &str,
    rules: &[(String, RuleSet)],
    registry: &Registry,
) -> Result<Entry, PlanError> {
    if !is_name(name) {
        return Err(PlanError::NoName(name.to_owned()));
    }
    let name = name.to_owned();
    let spec =
        registry.parse(bot).map_err(|error| PlanError::Bot { name: name.clone(), error: Box::new(error) })?;
    // A program may get any budget; it may or may not respect it.
    if says_clock(bot) {
        return Err(PlanError::Timed { name });
    }
    for (preset, rules) in rules {
        spec.check_rules(rules).map_err(|error| PlanError::Rules {
            name: name.clone(),
            rules: preset.clone(),
            error: Box::new(error),
        })?;
    }
    Ok(Entry { name, bot: spec, about: about.to_owned() })
}

/// Reads the file, and locates errors by line.
struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
}

impl Reader<'_> {
    fn at<T>(&self, place: &Spanned<T>, why: PlanError) -> ArenaError {
        let before = self.text.as_bytes().iter().take(place.span().start);
        let line = 1 + before.filter(|byte| **byte == b'\n').count();
        ArenaError::input_line(self.path, line as u64, why)
    }

    /// Checks a condition on what is written at a place.
    fn check<T>(&self, place: &Spanned<T>, holds: bool, why: impl FnOnce() -> PlanError) -> Result<()> {
        if holds { Ok(()) } else { Err(self.at(place, why())) }
    }

    fn deals(&self, deals: &Spanned<u64>) -> Result<u64> {
        let number = *deals.get_ref();
        self.check(deals, (2..=MOST_DEALS).contains(&number), || PlanError::Deals(number))?;
        Ok(number)
    }

    fn rules(&self, names: &[Spanned<String>]) -> Result<Vec<(String, RuleSet)>> {
        let mut rules: Vec<(String, RuleSet)> = Vec::new();
        for name in names {
            let text = name.get_ref().clone();
            let is_new = rules.iter().all(|(other, _)| *other != text);
            self.check(name, is_new, || PlanError::Twice(text.clone()))?;
            let presets = || RuleSet::ALL.map(|(name, _)| name).to_vec();
            let preset = RuleSet::preset(&text).ok_or_else(|| {
                self.at(name, PlanError::NoPreset { name: text.clone(), presets: presets() })
            })?;
            rules.push((text, preset));
        }
        Ok(rules)
    }

    fn classes(&self, texts: &[ClassText]) -> Result<Vec<Class>> {
        let mut classes: Vec<Class> = Vec::new();
        for text in texts {
            let name = text.name.get_ref().clone();
            let is_new = classes.iter().all(|other| other.name != name);
            self.check(&text.name, is_name(&name), || PlanError::NoName(name.clone()))?;
            self.check(&text.name, is_new, || PlanError::Twice(name.clone()))?;
            let limit = time(text.limit.get_ref());
            let limit =
                limit.ok_or_else(|| self.at(&text.limit, PlanError::NoTime(text.limit.get_ref().clone())))?;
            if let Some(before) = classes.last().map(|class| class.limit).filter(|before| limit <= *before) {
                return Err(self.at(&text.limit, PlanError::Falling { class: name, limit, before }));
            }
            let (deals, seed) = (self.deals(&text.deals)?, text.seed.clone());
            classes.push(Class { name, limit, deals, seed, entries: Vec::new() });
        }
        Ok(classes)
    }

    fn entries(
        &self,
        texts: &[EntryText],
        classes: &mut [Class],
        rules: &[(String, RuleSet)],
        registry: &Registry,
    ) -> Result<Vec<Entry>> {
        let mut entries: Vec<Entry> = Vec::new();
        for text in texts {
            let name = text.name.get_ref();
            let is_new = entries.iter().all(|other| other.name != *name);
            self.check(&text.name, is_new, || PlanError::TwoOfName(name.clone()))?;
            let place = if is_name(name) { &text.bot } else { &text.name };
            let entry = entry(name, text.bot.get_ref(), &text.about, rules, registry);
            entries.push(entry.map_err(|why| self.at(place, why))?);
            self.check(&text.name, !text.classes.is_empty(), || PlanError::NoClasses(name.clone()))?;
            for class in &text.classes {
                let wanted = class_of(classes, class.get_ref()).map_err(|why| self.at(class, why))?;
                let members = &mut classes[wanted].entries;
                let number = entries.len() - 1;
                let is_new = members.last() != Some(&number);
                self.check(class, is_new, || PlanError::Twice(class.get_ref().clone()))?;
                members.push(number);
            }
        }
        Ok(entries)
    }

    fn named(&self, entries: &[Entry], name: &Spanned<String>) -> Result<usize> {
        let found = entries.iter().position(|entry| entry.name == *name.get_ref());
        found.ok_or_else(|| self.at(name, PlanError::NoEntry { name: name.get_ref().clone() }))
    }

    fn crossplay(&self, text: &CrossplayText, entries: &[Entry]) -> Result<Crossplay> {
        let names = text.entries.get_ref();
        let numbers = names.iter().map(|name| self.named(entries, name)).collect::<Result<Vec<_>, _>>()?;
        for (at, name) in names.iter().enumerate() {
            let is_new = !numbers[..at].contains(&numbers[at]);
            self.check(name, is_new, || PlanError::Twice(name.get_ref().clone()))?;
        }
        self.check(&text.entries, numbers.len() >= 2, || PlanError::Alone(numbers.len()))?;
        let against = self.named(entries, &text.against)?;
        Ok(Crossplay { entries: numbers, against, deals: self.deals(&text.deals)?, seed: text.seed.clone() })
    }

    fn plan(&self, file: &File, registry: &Registry) -> Result<Plan> {
        let rules = self.rules(&file.rules)?;
        let mut classes = self.classes(&file.classes)?;
        let entries = self.entries(&file.entries, &mut classes, &rules, registry)?;
        let anchor = self.named(&entries, &file.anchor)?;
        for (class, text) in classes.iter().zip(&file.classes) {
            let has_anchor = class.entries.contains(&anchor);
            let (class, found, most) = (class.name.clone(), class.entries.len(), MOST_ENTRIES);
            let why = || PlanError::TooFew { class: class.clone(), found };
            self.check(&text.name, found >= 2, why)?;
            let why = || PlanError::TooMany { class: class.clone(), found, most };
            self.check(&text.name, found <= most, why)?;
            let anchor = entries[anchor].name.clone();
            self.check(&text.name, has_anchor, || PlanError::NoAnchor { anchor, class: class.clone() })?;
        }
        let crossplay = file.crossplay.as_ref().map(|text| self.crossplay(text, &entries)).transpose()?;
        Ok(Plan { rules, classes, entries, anchor, crossplay })
    }
}

/// Returns the number of the class with this name.
pub(super) fn class_of(classes: &[Class], name: &str) -> Result<usize, PlanError> {
    classes.iter().position(|class| class.name == name).ok_or_else(|| PlanError::NoClass {
        name: name.to_owned(),
        classes: classes.iter().map(|class| class.name.clone()).collect(),
    })
}

/// Reads and checks the file.
pub fn read(path: &Path, registry: &Registry) -> Result<Plan> {
    let text = read_text(path)?;
    let file: File = toml::from_str(&text).map_err(|error| ArenaError::input(path, TomlError(error)))?;
    Reader { path, text: &text }.plan(&file, registry)
}
