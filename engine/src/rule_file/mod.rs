//! Rule sets from and to text: TOML files, JSON objects, single fields by path.

mod effect;

use toml::{Table, Value};

use crate::rules::{FIELDS, RuleError, RuleOptions};
use crate::{RuleSet, did_you_mean, nearest_name};
use effect::idle;

/// What is wrong with a rule file or a field.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseRulesError {
    /// The text is not TOML; the message names line and column.
    #[error("not valid TOML: {0}")]
    Syntax(String),
    /// No preset of this name.
    #[error("there is no rule set `{0}`{hint}: expected one of {presets}", hint = did_you_mean(.0, presets()), presets = preset_names())]
    UnknownPreset(String),
    /// No field of this path.
    #[error("there is no rule field `{path}`{line}: {hint}", line = in_line(*line))]
    UnknownField {
        /// The path that was given.
        path: String,
        /// The line in the file, from 1.
        line: Option<usize>,
        /// The fields that may have been meant.
        hint: String,
    },
    /// A field has a value that is not legal.
    #[error("{error}{line}", line = in_line(*line))]
    Illegal {
        /// The field, its value and what is legal.
        error: RuleError,
        /// The line in the file, from 1.
        line: Option<usize>,
    },
    /// A field was changed that decides nothing under these rules.
    #[error("`{path}` = {value} has no effect{line}: {why}; leave it out, or change what it depends on", line = in_line(*line))]
    NoEffect {
        /// The field.
        path: String,
        /// The value that was given.
        value: String,
        /// The line in the file, from 1.
        line: Option<usize>,
        /// What makes it so.
        why: &'static str,
    },
    /// `--set` without an equals sign.
    #[error("`{0}` is not a setting: expected `field=value`, such as `scoring.coinche.contract=3`")]
    Setting(String),
}

fn presets() -> [&'static str; RuleSet::ALL.len()] {
    RuleSet::ALL.map(|(name, _)| name)
}

fn preset_names() -> String {
    presets().join(", ")
}

fn in_line(line: Option<usize>) -> String {
    line.map(|line| format!(" (line {line})")).unwrap_or_default()
}

fn unknown_field(path: &str, line: Option<usize>) -> ParseRulesError {
    let last = path.rsplit('.').next().unwrap_or(path);
    let section = path.split('.').next().unwrap_or(path);
    let pick = |keep: &dyn Fn(&str) -> bool| -> Vec<&str> {
        FIELDS.iter().map(|field| field.path).filter(|path| keep(path)).collect()
    };
    let same = pick(&|known| {
        known.rsplit('.').next() == Some(last)
            || known.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'))
    });
    let siblings = pick(&|known| known.split('.').next() == Some(section));
    let hint = match (&same[..], nearest_field(path)) {
        (&[one], _) | ([], Some(one)) => format!("did you mean `{one}`?"),
        ([], None) if siblings.is_empty() => {
            "expected a section deal, cards, auction, contract, play, belote, melds, scoring or match"
                .to_owned()
        }
        ([], None) => format!("expected one of {}", siblings.join(", ")),
        (several, _) => format!("expected one of {}", several.join(", ")),
    };
    ParseRulesError::UnknownField { path: path.to_owned(), line, hint }
}

/// Returns the field that was probably meant: by its last part, in the section that is named if there is such a section,
/// else by its whole path.
fn nearest_field(path: &str) -> Option<&'static str> {
    let leaf = |path: &'static str| path.rsplit('.').next().unwrap_or(path);
    let paths = || FIELDS.iter().map(|field| field.path);
    let Some((section, rest)) = path.split_once('.') else {
        let meant = nearest_name(path, paths().map(leaf))?;
        return paths().find(|known| leaf(known) == meant);
    };
    let within =
        || paths().filter_map(|known| Some((known, known.strip_prefix(section)?.strip_prefix('.')?)));
    if within().next().is_none() {
        return nearest_name(path, paths());
    }
    // As whole paths any two of a section would be alike, by their common beginning.
    let meant = nearest_name(rest, within().map(|(_, rest)| rest))?;
    within().find_map(|(known, rest)| (rest == meant).then_some(known))
}

impl RuleSet {
    /// Reads a rule file: a `base` preset (`bga` when there is none) and the fields that differ.
    ///
    /// A field that differs from the base and has no effect is refused, but in a file without `base` that has every
    /// field: that is a whole rule set, as [`RuleSet::to_toml`] writes it.
    ///
    /// ```
    /// use coinche_engine::RuleSet;
    ///
    /// let rules = RuleSet::from_toml("base = \"coinche\"\n[match]\ntarget = 2000\n")?;
    /// assert_eq!(rules.game.target, 2000);
    /// assert_eq!(RuleSet::from_toml(&rules.to_toml())?, rules);
    /// # Ok::<(), coinche_engine::ParseRulesError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Names the line and the field, and what is legal there.
    pub fn from_toml(text: &str) -> Result<Self, ParseRulesError> {
        let table: Table =
            text.parse().map_err(|error: toml::de::Error| ParseRulesError::Syntax(error.to_string()))?;
        Self::from_table(&table, &|path| line_of(text, path))
    }

    /// Reads a rule set from a table as of [`RuleSet::from_toml`], which may be part of another file.
    ///
    /// # Errors
    ///
    /// Names the field and what is legal there.
    pub fn from_toml_table(table: &Table) -> Result<Self, ParseRulesError> {
        Self::from_table(table, &|_| None)
    }

    fn from_table(table: &Table, line: &dyn Fn(&str) -> Option<usize>) -> Result<Self, ParseRulesError> {
        let base = match table.get("base") {
            None => Self::default(),
            Some(Value::String(name)) => {
                Self::preset(name).ok_or_else(|| ParseRulesError::UnknownPreset(name.clone()))?
            }
            Some(other) => return Err(ParseRulesError::UnknownPreset(other.to_string())),
        };
        let mut leaves = Vec::new();
        for (key, value) in table.iter().filter(|(key, _)| *key != "base") {
            collect_leaves(key, value, &mut leaves);
        }
        let is_whole = !table.contains_key("base") && names_every_field(&leaves);
        base.with_leaves(&leaves, is_whole, line)
    }

    /// Returns the rules with several fields set, which are checked together; of a `whole` rule set fields may have
    /// no effect.
    fn with_leaves(
        &self,
        leaves: &[(String, Value)],
        is_whole: bool,
        line: &dyn Fn(&str) -> Option<usize>,
    ) -> Result<Self, ParseRulesError> {
        let mut options = **self;
        for (path, value) in leaves {
            options = options.with_field(path, value, line(path))?;
        }
        if !is_whole {
            self.refuse_idle(leaves, &options, line)?;
        }
        options.validate().map_err(|error| {
            let line = line(&error.field);
            ParseRulesError::Illegal { error, line }
        })
    }

    /// Refuses a field that was changed and decides nothing.
    fn refuse_idle(
        &self,
        leaves: &[(String, Value)],
        options: &RuleOptions,
        line: &dyn Fn(&str) -> Option<usize>,
    ) -> Result<(), ParseRulesError> {
        let old = self.to_table();
        for (path, value) in leaves {
            let before = value_at(&old, path);
            let unset = options.with_field(path, before, None)?;
            if unset != *options
                && let Some(why) = idle(path, options, &unset)
            {
                let (path, value, line) = (path.clone(), value.to_string(), line(path));
                return Err(ParseRulesError::NoEffect { path, value, line, why });
            }
        }
        Ok(())
    }

    /// Returns all fields as a table.
    ///
    /// # Panics
    ///
    /// Never: a rule set is a table of numbers, words and lists.
    pub fn to_table(&self) -> Table {
        let mut table = Table::try_from(**self).expect("a rule set is a table of numbers, words and lists");
        for (path, value) in ADDED {
            let (section, leaf) = path.split_once('.').expect("an added field lies in a section");
            if let Some(Value::Table(section)) = table.get_mut(section)
                && !section.contains_key(leaf)
            {
                section.insert(leaf.to_owned(), typed(value));
            }
        }
        table
    }

    /// Writes the fields as TOML; of those that rule sets did not have at first, the ones that differ from what held then.
    ///
    /// # Panics
    ///
    /// Never: a rule set is a table of numbers, words and lists.
    pub fn to_toml(&self) -> String {
        use core::fmt::Write;
        // Not `toml::to_string`, which would compile a serializer of its own for each section.
        let table = Table::try_from(**self).expect("a rule set is a table of numbers, words and lists");
        let (mut text, mut open) = (String::new(), "");
        for field in FIELDS {
            let (section, leaf) = field.path.rsplit_once('.').expect("every field lies in a section");
            let Some(value) = find(&table, field.path) else { continue };
            if open != section {
                let gap = if open.is_empty() { "" } else { "\n" };
                let _ = writeln!(text, "{gap}[{section}]");
                open = section;
            }
            let _ = writeln!(text, "{leaf} = {value}");
        }
        text
    }

    /// Sets one field from the text after the equals sign of `--set path=value`.
    ///
    /// ```
    /// use coinche_engine::RuleSet;
    ///
    /// let mut rules = RuleSet::COINCHE;
    /// rules.set("scoring.coinche.contract=3")?;
    /// assert_eq!(rules.scoring.coinche.contract, 3);
    /// assert!(rules.set("scoring.rounding=sometimes").is_err());
    /// # Ok::<(), coinche_engine::ParseRulesError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Names the field and what is legal there; the rules are then unchanged.
    pub fn set(&mut self, setting: &str) -> Result<(), ParseRulesError> {
        let rules = self.with_settings([setting])?;
        *self = rules;
        Ok(())
    }

    /// Returns the rules with several fields set, which are checked together.
    ///
    /// A field that is changed and has no effect is refused, unless every field is set.
    ///
    /// # Errors
    ///
    /// Names the field and what is legal there.
    pub fn with_settings<'a>(
        &self,
        settings: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, ParseRulesError> {
        let mut leaves = Vec::new();
        for setting in settings {
            let (path, text) =
                setting.split_once('=').ok_or_else(|| ParseRulesError::Setting(setting.to_owned()))?;
            let (path, text) = (path.trim(), text.trim());
            leaves.push((path.to_owned(), typed(text)));
        }
        let is_whole = names_every_field(&leaves);
        self.with_leaves(&leaves, is_whole, &|_| None)
    }
}

/// The fields that rule sets did not have at first, and what held then.
const ADDED: [(&str, &str); 21] = [
    ("melds.announce", "automatic"),
    ("cards.no_trump", "[19, 10, 4, 3, 2, 0, 0, 0]"),
    ("auction.bids", "values"),
    ("melds.no_trump", "true"),
    ("melds.coinched", "holder"),
    ("melds.equal", "trumps"),
    ("melds.tie", "neither"),
    ("deal.misdeal_credit", "0"),
    ("deal.passed_out", "next"),
    ("deal.reshuffle", "0"),
    ("deal.least_cut", "2"),
    ("scoring.slam", "instead"),
    ("scoring.factor_no_trump", "1"),
    ("scoring.factor_all_trump", "1"),
    ("match.deals", "0"),
    ("match.slam_wins", "true"),
    ("match.finish", "any"),
    ("auction.closed_by", "none"),
    ("contract.floor_of", "all"),
    ("contract.margin", "0"),
    ("belote.scored", "true"),
];

/// Tests if a list has all fields, but those that rule sets did not have at first.
fn names_every_field(leaves: &[(String, Value)]) -> bool {
    let is_added = |path: &str| ADDED.iter().any(|(added, _)| *added == path);
    FIELDS.iter().all(|field| is_added(field.path) || leaves.iter().any(|(path, _)| path == field.path))
}

/// Reads a value in TOML; a bare word is a string.
fn typed(text: &str) -> Value {
    let table = format!("value = {text}").parse::<Table>();
    table.ok().and_then(|mut table| table.remove("value")).unwrap_or_else(|| Value::String(text.to_owned()))
}

/// Returns the value of a field; `None` where it is not written.
fn find<'a>(table: &'a Table, path: &str) -> Option<&'a Value> {
    let (sections, leaf) = path.rsplit_once('.')?;
    let section = sections.split('.').try_fold(table, |table, part| table.get(part)?.as_table())?;
    section.get(leaf)
}

/// Returns the value of a field of a whole rule set.
fn value_at<'a>(table: &'a Table, path: &str) -> &'a Value {
    find(table, path).expect("FIELDS lists paths of the rule set")
}

impl RuleOptions {
    /// Returns the options with one field replaced; ranges are not yet checked.
    fn with_field(&self, path: &str, value: &Value, line: Option<usize>) -> Result<Self, ParseRulesError> {
        let field =
            FIELDS.iter().find(|field| field.path == path).ok_or_else(|| unknown_field(path, line))?;
        let mut table = Table::try_from(self).expect("a rule set is a table");
        let mut at = &mut table;
        let (sections, leaf) = path.rsplit_once('.').expect("every field lies in a section");
        for section in sections.split('.') {
            at = at
                .get_mut(section)
                .and_then(Value::as_table_mut)
                .expect("FIELDS lists paths of the rule set");
        }
        at.insert(leaf.to_owned(), value.clone());
        Self::of_table(table).map_err(|_| {
            let error =
                RuleError { field: path.to_owned(), value: value.to_string(), legal: field.legal.to_owned() };
            ParseRulesError::Illegal { error, line }
        })
    }
}

/// Lists the fields of a table; a section without fields that is none of a rule set is listed as one,
/// so that it is reported.
fn collect_leaves(path: &str, value: &Value, leaves: &mut Vec<(String, Value)>) {
    let is_section =
        || FIELDS.iter().any(|field| field.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('.')));
    match value {
        Value::Table(table) if !table.is_empty() || is_section() => {
            for (key, value) in table {
                collect_leaves(&format!("{path}.{key}"), value, leaves);
            }
        }
        leaf => leaves.push((path.to_owned(), leaf.clone())),
    }
}

/// Finds the line, from 1, in which a field of this path is written.
fn line_of(text: &str, path: &str) -> Option<usize> {
    use toml::de::DeTable;
    let table = DeTable::parse(text).ok()?;
    let mut at = table.get_ref();
    let mut offset = None;
    for part in path.split('.') {
        let (key, value) = at.iter().find(|(key, _)| key.get_ref() == part)?;
        offset = Some(key.span().start);
        match value.get_ref() {
            toml::de::DeValue::Table(inner) => at = inner,
            _ => break,
        }
    }
    Some(text[..offset?].matches('\n').count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_the_leaves_of_a_rule_set() {
        let table = RuleSet::BGA.to_table();
        let mut leaves = Vec::new();
        for (key, value) in &table {
            collect_leaves(key, value, &mut leaves);
        }
        let mut written: Vec<_> = leaves.iter().map(|(path, _)| path.as_str()).collect();
        let mut listed: Vec<_> = FIELDS.iter().map(|field| field.path).collect();
        written.sort_unstable();
        listed.sort_unstable();
        assert_eq!(written, listed);
    }

    #[test]
    fn presets_survive_toml_and_json() {
        for (name, rules) in RuleSet::ALL {
            assert_eq!(RuleSet::from_toml(&rules.to_toml()).unwrap(), rules, "{name}");
            let json = serde_json::to_string(&rules).unwrap();
            assert_eq!(serde_json::from_str::<RuleSet>(&json).unwrap(), rules, "{name}");
            assert_eq!(rules.preset_name(), Some(name));
            assert_eq!(rules.to_table().try_into::<RuleSet>().unwrap(), rules, "{name}");
        }
        // What a rule set had before a field was added is read as if the field said so.
        for (path, value) in ADDED {
            assert_eq!(value_at(&RuleSet::BGA.to_table(), path), &typed(value), "{path}");
            assert!(RuleSet::BGA.with_settings([format!("{path}={value}").as_str()]).is_ok());
        }
    }

    #[test]
    fn errors_name_field_line_and_legal_values() {
        let error = |text: &str| RuleSet::from_toml(text).unwrap_err().to_string();
        let message = error("base = \"bga\"\n[auction]\nlowest = 80\ncoinche = \"maybe\"\n");
        assert!(message.contains("auction.coinche") && message.contains("line 4"), "{message}");
        assert!(message.contains("any-time"), "{message}");
        let message = error("[scoring]\nrouding = \"none\"\n");
        assert!(message.contains("scoring.rouding") && message.contains("scoring.rounding"), "{message}");
        let message = error("[auction]\nlowest = 1000\n");
        assert!(message.contains("1 to 990") && message.contains("line 2"), "{message}");
        assert!(error("[match]\n[scorings]\n").contains("`scorings` (line 2)"));
        assert!(RuleSet::from_toml("[match]\n[scoring]\n").is_ok());
        assert!(error("[auction\n").contains("line 1"));
        let message = error("base = \"bgaa\"");
        assert!(message.contains("did you mean `bga`?") && message.contains("coinche-melds"), "{message}");
        assert!(!error("base = \"poker\"").contains("did you mean"));
        let set = |setting: &str| RuleSet::BGA.clone().set(setting).unwrap_err().to_string();
        assert!(set("auction.highest=70").contains("auction.lowest"));
        assert!(set("deal.packets=[3,3,3]").contains("deal.packets"));
        assert!(set("contract=3").contains("contract.capot"));
        assert!(set("nonsense").contains("field=value"));
        for (given, meant) in [
            ("scoring.rouding=none", "`scoring.rounding`"),
            ("taget=700", "`match.target`"),
            ("match.targets=700", "`match.target`"),
            ("Scoring.Rounding=none", "`scoring.rounding`"),
        ] {
            assert!(set(given).ends_with(&format!("did you mean {meant}?")), "{}", set(given));
        }
        let message = set("scoring.nosuch=1");
        assert!(
            message.contains("expected one of scoring.made, ") && !message.contains("did you"),
            "{message}"
        );
    }
}
