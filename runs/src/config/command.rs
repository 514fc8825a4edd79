//! The command line that reproduces a run.

use std::fmt::Write as _;

use coinche_engine::{RuleSet, Seed};
use coinche_selfplay::play::schedule::{Format, Unit};

use super::{Control, Crossplay, RunConfig};

impl RunConfig {
    /// Returns the command line that reproduces the results.
    pub fn command(&self) -> String {
        let mut command = "arena run".to_owned();
        let mut push = |word: &str| {
            command.push(' ');
            command.push_str(word);
        };
        match &self.crossplay {
            Some(Crossplay { bots, against }) => {
                for bot in bots {
                    push(&bot.quoted());
                }
                push("--format crossplay --against");
                push(&against.quoted());
            }
            None => {
                for bot in &self.bots {
                    push(&bot.quoted());
                }
            }
        }
        if self.format == Format::Gauntlet {
            push("--format gauntlet");
        }
        command.push_str(&self.control_flags());
        command.push_str(&self.freeze.flag());
        let _ = write!(command, " --deals {} --seed {}", self.deals, quoted(&self.seed));
        if self.unit == Unit::Match {
            command.push_str(" --match");
        }
        command.push_str(self.forfeit_flag());
        command.push_str(&rules_flags(&self.rules));
        command
    }

    /// Returns the flags of the control, each with a leading space.
    pub fn control_flags(&self) -> String {
        self.control.as_ref().map_or_else(String::new, |Control { bots: [a, b], deals }| {
            format!(" --control {} {} --control-deals {deals}", a.quoted(), b.quoted())
        })
    }

    /// Returns the flag of runs that continue without a failed program, with a leading space.
    pub const fn forfeit_flag(&self) -> &'static str {
        if self.forfeit { " --forfeit" } else { "" }
    }
}

/// Quotes a seed for a command line.
pub fn quoted(seed: &Seed) -> String {
    // A seed has no zero byte, the only one that cannot be quoted.
    shlex::try_quote(seed.as_str()).map_or_else(|_| seed.to_string(), std::borrow::Cow::into_owned)
}

/// Converts a seed to a part of a file name.
pub fn seed_slug(seed: &Seed) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    seed.as_str().chars().map(plain).take(40).collect()
}

/// Returns the flags that select rules, each with a leading space.
pub fn rules_flags(rules: &RuleSet) -> String {
    let (name, settings) = nearest_preset(rules);
    let mut flags = format!(" --rules {name}");
    for setting in settings {
        flags.push_str(" --set '");
        flags.push_str(&setting);
        flags.push('\'');
    }
    flags
}

/// Returns the fields in which rules differ from others, as `field=value`, in the order of the fields.
pub fn differences(rules: &RuleSet, from: &RuleSet) -> Vec<String> {
    differing(&as_table(rules), &as_table(from))
}

fn as_table(rules: &RuleSet) -> toml::Value {
    toml::Value::try_from(rules).expect("a rule set is a table of numbers, words and lists")
}

/// Returns the names of the fields in which rules differ.
pub(super) fn differing_fields(rules: &RuleSet, from: &RuleSet) -> impl Iterator<Item = &'static str> {
    let found = differences(rules, from);
    coinche_engine::rules::FIELDS.iter().map(|field| field.path).filter(move |path| {
        found.iter().any(|text| text.split_once('=').is_some_and(|(field, _)| field == *path))
    })
}

fn differing(ours: &toml::Value, theirs: &toml::Value) -> Vec<String> {
    fn at<'a>(value: &'a toml::Value, path: &str) -> Option<&'a toml::Value> {
        path.split('.').try_fold(value, |value, part| value.get(part))
    }
    coinche_engine::rules::FIELDS
        .iter()
        .filter_map(|field| {
            let value = at(ours, field.path)?;
            let plain = || value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            (Some(value) != at(theirs, field.path)).then(|| format!("{}={}", field.path, plain()))
        })
        .collect()
}

/// Returns the preset that differs in the fewest fields, the first of several, and these fields.
pub fn nearest_preset(rules: &RuleSet) -> (&'static str, Vec<String>) {
    if let Some((name, _)) = RuleSet::PRESETS.iter().find(|(_, preset)| preset == rules) {
        return (name, Vec::new());
    }
    let ours = as_table(rules);
    RuleSet::PRESETS
        .iter()
        .map(|(name, preset)| (*name, differing(&ours, &as_table(preset))))
        .min_by_key(|(_, differences)| differences.len())
        .expect("there are presets")
}
