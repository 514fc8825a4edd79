//! What a report asks of `run.json`.

use coinche_engine::record::RulesRecord;

use super::error::FormError;
use coinche_runs::figures::{Met, Opponents, RunJson};
use coinche_runs::rules_in_words;

/// Checks what the rest relies on.
pub(super) fn check(form: &RunJson) -> Result<(), FormError> {
    if form.v != 1 {
        return Err(FormError::Version(form.v));
    }
    let pairings = form.met();
    let legal =
        |met: &Met<'_>| met.ends.iter().all(|bot| *bot < form.bots.len()) && met.ends[0] != met.ends[1];
    let has_specs = form.specs.is_empty() || form.specs.len() == form.bots.len();
    if form.bots.len() < 2 || !has_specs || pairings.is_empty() || !pairings.iter().all(legal) {
        return Err(FormError::Pairings);
    }
    let of_opponents = |found: &Opponents| found.a.max(found.b) < form.bots.len();
    if !form.opponents.iter().all(of_opponents) {
        return Err(FormError::Pairings);
    }
    if form.crossplay.as_ref().is_some_and(|figures| !figures.is_sound()) {
        return Err(FormError::Partnerships);
    }
    Ok(form.rules.rules().map(drop)?)
}

/// Names rules: the nearest preset, and in how many fields they differ from it; then these fields.
pub(crate) fn rules_text(rules: &RulesRecord) -> (String, Vec<String>) {
    let Ok(rules) = rules.rules() else { return ("unknown".to_owned(), Vec::new()) };
    rules_in_words(&rules)
}
