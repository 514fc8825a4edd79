//! What a report asks of `run.json`, and the blocks of `part.json`.

use std::collections::BTreeMap;
use std::path::Path;

use coinche_engine::record::RulesRecord;
use coinche_inference::{Blocks, Estimate, StatsError};
use coinche_selfplay::base::error::ArenaError;
use serde::Deserialize;

use super::error::{FormError, unreadable};
use super::read_json;
use coinche_runs::config::nearest_preset;
use coinche_runs::figures::{Met, Opponents, RunJson};
use coinche_runs::job::STATE;

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
    let (name, settings) = nearest_preset(&rules);
    let changed = match settings.len() {
        0 => String::new(),
        1 => " with 1 field changed".to_owned(),
        n => format!(" with {n} fields changed"),
    };
    (format!("{name}{changed}"), settings)
}

#[derive(Deserialize)]
struct StateForm {
    sums: TotalsForm,
}

#[derive(Deserialize)]
struct TotalsForm {
    joint: JointForm,
}

#[derive(Deserialize)]
struct JointForm {
    blocks: BTreeMap<u64, BlockForm>,
}

#[derive(Deserialize)]
struct BlockForm {
    deals: u64,
    doubled: Vec<i64>,
    #[serde(default)]
    won: Vec<[u64; 2]>,
}

/// The sums by blocks of deals.
#[derive(Debug)]
pub(crate) struct RunBlocks {
    pub points: Blocks,
    /// The matches won, where matches were played.
    pub wins: Option<Blocks>,
}

/// Reads the sums by blocks of deals; `None` where there is no such file.
pub(super) fn read_blocks(directory: &Path, form: &RunJson) -> Result<Option<RunBlocks>, ArenaError> {
    let path = directory.join(STATE);
    if !path.is_file() {
        return Ok(None);
    }
    let state: StateForm = read_json(&path)?;
    let met = form.met();
    let ends: Vec<_> = met.iter().map(|met| met.ends).collect();
    let empty = |estimate: fn(&Met<'_>) -> Option<Estimate>| {
        let mut blocks = Blocks::new(form.bots.len(), &ends)?;
        let squares = met.iter().map(|met| estimate(met).and_then(|estimate| estimate.leg_square()));
        blocks.set_leg_squares(&squares.map(|square| square.unwrap_or(0.0)).collect::<Vec<_>>())?;
        Ok::<_, StatsError>(blocks)
    };
    let mut points = empty(|met| met.points)?;
    let mut wins = if form.of_matches() { Some(empty(|met| met.wins)?) } else { None };
    let mut deals = 0;
    for block in state.sums.joint.blocks.values() {
        // Behind the pairings is the control.
        let sums: Vec<i128> = block.doubled.iter().take(met.len()).map(|sum| i128::from(*sum)).collect();
        points.push(block.deals, &sums)?;
        if let Some(wins) = &mut wins {
            let won: Vec<_> = block.won.iter().map(|[a, b]| i128::from(*a) - i128::from(*b)).collect();
            wins.push(block.deals, &won)?;
        }
        deals += block.deals;
    }
    if deals != form.done {
        return Err(unreadable(&path, FormError::Deals { found: deals, told: form.done }));
    }
    Ok(Some(RunBlocks { points, wins }))
}
