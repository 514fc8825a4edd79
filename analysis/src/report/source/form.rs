//! What a report asks of `run.json`, and the blocks of `part.json`.

use std::path::Path;

use coinche_engine::record::RulesRecord;
use coinche_inference::{Blocks, Estimate};
use coinche_selfplay::base::Result;
use serde::Deserialize;

use super::error::{FormError, unreadable};
use super::read_json;
use coinche_runs::figures::{Met, Opponents, RunJson, blocks_of, points_of, wins_of};
use coinche_runs::{STATE, SavedTotals, rules_in_words};

/// Checks what the rest relies on.
pub(super) fn check(form: &RunJson) -> Result<(), FormError> {
    if form.v != 1 {
        return Err(FormError::Version(form.v));
    }
    let pairings = form.met();
    let legal =
        |met: &Met<'_>| met.ends.iter().all(|bot| *bot < form.bots.len()) && met.ends[0] != met.ends[1];
    if form.bots.len() < 2 || pairings.is_empty() || !pairings.iter().all(legal) {
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

#[derive(Deserialize)]
struct StateForm {
    sums: SavedTotals,
}

/// The sums by blocks of deals.
#[derive(Debug)]
pub(crate) struct RunBlocks {
    pub points: Blocks,
    /// The matches won, where matches were played.
    pub wins: Option<Blocks>,
}

/// Reads the sums by blocks of deals; `None` where there is no such file.
pub(super) fn read_blocks(directory: &Path, form: &RunJson) -> Result<Option<RunBlocks>> {
    let path = directory.join(STATE);
    if !path.is_file() {
        return Ok(None);
    }
    let state: StateForm = read_json(&path)?;
    let met = form.met();
    let ends: Vec<_> = met.iter().map(|met| met.ends).collect();
    let gathered = |estimate: fn(&Met<'_>) -> Option<Estimate>, sums| {
        let added = met.iter().map(|met| estimate(met).map_or(0.0, |estimate| estimate.added_variance()));
        blocks_of(form.bots.len(), &ends, &added.collect::<Vec<_>>(), state.sums.blocks(), sums)
    };
    let points = gathered(|met| met.points, points_of)?;
    let wins = form.of_matches().then(|| gathered(|met| met.wins, wins_of)).transpose()?;
    let deals: u64 = state.sums.blocks().map(|block| block.deals).sum();
    if deals != form.done {
        return Err(unreadable(&path, FormError::Deals { found: deals, told: form.done }));
    }
    Ok(Some(RunBlocks { points, wins }))
}
