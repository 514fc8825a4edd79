//! The command line that reproduces a result.

use core::fmt::Display;

use coinche_bots::{BotSpec, TeamSpec, shell_quoted};
use coinche_engine::{RuleSet, Seed};
use coinche_selfplay::{Format, Freeze, Unit};

use super::{Confine, Control, RunConfig};

/// The command line that reproduces a result, word by word.
#[derive(Debug)]
pub struct CommandLine(String);

impl CommandLine {
    /// Starts with the name of the command.
    pub fn new(command: &str) -> Self {
        Self(format!("arena {command}"))
    }

    /// Adds words as they are.
    #[must_use]
    pub fn words(self, words: impl Display) -> Self {
        Self(format!("{} {words}", self.0))
    }

    /// Adds words if a condition holds.
    #[must_use]
    pub fn words_if(self, condition: bool, words: &str) -> Self {
        if condition { self.words(words) } else { self }
    }

    /// Adds bots, quoted for a shell.
    #[must_use]
    pub fn bots(self, quoted: impl IntoIterator<Item = String>) -> Self {
        quoted.into_iter().fold(self, Self::words)
    }

    /// Adds a flag with its value.
    #[must_use]
    pub fn flag(self, flag: &str, value: impl Display) -> Self {
        self.words(format_args!("--{flag} {value}"))
    }

    /// Adds a flag with its value, quoted for a shell, if there is one.
    #[must_use]
    pub fn flag_of(self, flag: &str, value: Option<impl Display>) -> Self {
        let value = value.map(|value| shell_quoted(&value.to_string()));
        value.into_iter().fold(self, |line, value| line.flag(flag, value))
    }

    /// Adds the control of a run.
    #[must_use]
    pub fn control(self, config: &RunConfig) -> Self {
        let Some(Control { bots: [a, b], deals }) = &config.control else { return self };
        self.words(format_args!("--control {} {}", a.quoted(), b.quoted())).flag("control-deals", deals)
    }

    /// Adds what is frozen in a run.
    #[must_use]
    pub fn freeze(self, config: &RunConfig) -> Self {
        self.flag_of("freeze", Some(&config.freeze).filter(|freeze| **freeze != Freeze::None))
    }

    /// Adds the seed of a run.
    #[must_use]
    pub fn seed(self, config: &RunConfig) -> Self {
        // A seed has no zero byte, the only one that cannot be quoted.
        let seed = config.seed.as_str();
        self.flag("seed", shlex::try_quote(seed).unwrap_or(seed.into()))
    }

    /// Adds what is played in a run, and whether it goes on without a program that failed.
    #[must_use]
    pub fn unit(self, config: &RunConfig) -> Self {
        let line = self.words_if(config.unit == Unit::Match, "--match").words_if(config.forfeit, "--forfeit");
        line.confine(config.confine)
    }

    /// Adds the sandbox of programs.
    #[must_use]
    pub fn confine(self, confine: Option<Confine>) -> Self {
        self.words_if(confine == Some(Confine::Full), "--confine")
            .words_if(confine == Some(Confine::Network), "--confine=network")
    }

    /// Returns the line.
    pub fn finish(self) -> String {
        self.0
    }

    /// Adds the rules of a run, and returns the line.
    pub fn rules(self, config: &RunConfig) -> String {
        let (name, mut settings) = nearest_preset(&config.rules);
        let given =
            RuleSet::preset(name).unwrap_or_default().with_settings(settings.iter().map(String::as_str));
        if given != Ok(config.rules) {
            // A field that has no effect is refused, except in a whole rule set.
            let all = as_table(&config.rules);
            settings = differing(&all, &toml::Value::Integer(0)).map(|(_, setting)| setting).collect();
        }
        settings
            .iter()
            .fold(self.flag("rules", name), |line, it| line.flag("set", format_args!("'{it}'")))
            .finish()
    }
}

impl RunConfig {
    /// Returns the command line that reproduces the results.
    pub fn command(&self) -> String {
        let line = CommandLine::new("run");
        let line = match &self.crossplay {
            Some(it) => line
                .bots(it.bots.iter().map(BotSpec::quoted))
                .words("--format crossplay")
                .flag("against", it.against.quoted()),
            None => line
                .bots(self.bots.iter().map(TeamSpec::quoted))
                .words_if(self.format == Format::Gauntlet, "--format gauntlet"),
        };
        line.control(self).freeze(self).flag("deals", self.deals).seed(self).unit(self).rules(self)
    }
}

/// Converts a seed to a part of a file name.
pub fn seed_slug(seed: &Seed) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    seed.as_str().chars().map(plain).take(40).collect()
}

/// Returns the fields in which rules differ from others, as `field=value`, in the order of the fields.
pub fn differences(rules: &RuleSet, from: &RuleSet) -> Vec<String> {
    differing(&as_table(rules), &as_table(from)).map(|(_, setting)| setting).collect()
}

fn as_table(rules: &RuleSet) -> toml::Value {
    toml::Value::Table(rules.to_table())
}

/// Returns the names of the fields in which rules differ.
pub(super) fn differing_fields(rules: &RuleSet, from: &RuleSet) -> impl Iterator<Item = &'static str> {
    let found: Vec<_> = differing(&as_table(rules), &as_table(from)).map(|(path, _)| path).collect();
    found.into_iter()
}

/// Returns the fields in which rules differ from others, with their settings.
fn differing(ours: &toml::Value, theirs: &toml::Value) -> impl Iterator<Item = (&'static str, String)> {
    fn at<'a>(value: &'a toml::Value, path: &str) -> Option<&'a toml::Value> {
        path.split('.').try_fold(value, |value, part| value.get(part))
    }
    coinche_engine::rules::FIELDS.iter().filter_map(|field| {
        let value = at(ours, field.path)?;
        let plain = || value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        (Some(value) != at(theirs, field.path)).then(|| (field.path, format!("{}={}", field.path, plain())))
    })
}

/// Returns the preset that differs in the fewest fields, the first of several, and these fields.
pub fn nearest_preset(rules: &RuleSet) -> (&'static str, Vec<String>) {
    if let Some((name, _)) = RuleSet::ALL.iter().find(|(_, preset)| preset == rules) {
        return (name, Vec::new());
    }
    RuleSet::ALL
        .iter()
        .map(|(name, preset)| (*name, differences(rules, preset)))
        .min_by_key(|(_, differences)| differences.len())
        .expect("there are presets")
}

/// Names rules: the nearest preset, and in how many fields they differ from it; then these fields.
pub fn rules_in_words(rules: &RuleSet) -> (String, Vec<String>) {
    let (name, settings) = nearest_preset(rules);
    let changed = match settings.len() {
        0 => String::new(),
        1 => " with 1 field changed".to_owned(),
        n => format!(" with {n} fields changed"),
    };
    (format!("{name}{changed}"), settings)
}
