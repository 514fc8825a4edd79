//! The rules of records, common to an input.

use coinche_engine::ParseRulesError;
use coinche_engine::RuleSet;
use coinche_engine::record::RulesRecord;
use serde::Deserialize;
use serde_json::value::RawValue;

use coinche_runs::nearest_preset;

/// The common rules of an input, with their text as in the first record.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    pub set: RuleSet,
    /// As written.
    pub(super) text: String,
    /// Where they were found.
    place: String,
}

/// Why the rules of a record differ from the common ones.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    #[error("not a deal record: {0}")]
    Record(serde_json::Error),
    #[error("rules: {0}")]
    Text(serde_json::Error),
    #[error("rules: {0}")]
    Unknown(ParseRulesError),
    #[error("its rules are {own}, but those of {place} are {first}: give records with the same rules")]
    Different { own: String, first: String, place: String },
}

#[derive(Deserialize)]
struct RulesLine<'a> {
    #[serde(borrow)]
    rules: &'a RawValue,
}

/// Names rules in a few words.
pub(crate) fn rules_name(rules: &RuleSet) -> String {
    let (name, settings) = nearest_preset(rules);
    if settings.is_empty() { name.to_owned() } else { format!("{name} with {}", settings.join(", ")) }
}

impl Rules {
    /// Reads the rules of a record.
    pub(super) fn read(line: &[u8], place: String) -> Result<Self, RulesError> {
        let line: RulesLine<'_> = serde_json::from_slice(line).map_err(RulesError::Record)?;
        let text = line.rules.get().to_owned();
        Ok(Self { set: rules_of(&text)?, text, place })
    }

    /// Checks that a record has the same rules.
    pub(super) fn check(&self, text: &str) -> Result<(), RulesError> {
        if text == self.text {
            return Ok(());
        }
        let other = rules_of(text)?;
        if other == self.set {
            return Ok(());
        }
        Err(RulesError::Different {
            own: rules_name(&other),
            first: rules_name(&self.set),
            place: self.place.clone(),
        })
    }
}

fn rules_of(text: &str) -> Result<RuleSet, RulesError> {
    let record: RulesRecord = serde_json::from_str(text).map_err(RulesError::Text)?;
    record.rules().map_err(RulesError::Unknown)
}

/// Returns the rules of live records.
pub(super) fn live_rules(rules: &RuleSet) -> Rules {
    let text = serde_json::to_string(&RulesRecord::new(rules)).unwrap_or_default();
    Rules { set: *rules, text, place: "the run".to_owned() }
}
