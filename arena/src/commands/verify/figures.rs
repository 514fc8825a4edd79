//! Recomputes `run.json` and `config.toml` from the totals.

use std::path::Path;

use coinche_bots::Registry;
use coinche_selfplay::base::files::{read_config, read_json};
use coinche_selfplay::base::{ArenaError, Result};
use serde_json::Value;

use coinche_runs::differences::differences;
use coinche_runs::figures::{RunJson, Timing};
use coinche_runs::{RunConfig, RunFile, State, Totals};

/// Returns what is wrong with `run.json`.
pub(super) fn of_run(directory: &Path, config: &RunConfig, totals: &Totals) -> Result<Vec<String>> {
    let path = directory.join("run.json");
    let damaged = |error: serde_json::Error| ArenaError::damaged(&path, error);
    let file: Value = serde_json::from_slice(&read_json(&path)?).map_err(damaged)?;
    let timing: Timing = serde_json::from_value(file["timing"].clone()).map_err(damaged)?;
    let mut again = RunJson::new(config, totals, timing);
    // Known where it was played.
    again.unseparated = serde_json::from_value(file["unseparated"].clone()).unwrap_or_default();
    // Parsed like the file: its numbers are rounded in the same way.
    let again = serde_json::to_string(&again);
    let again = again.and_then(|again| serde_json::from_str(&again)).map_err(damaged)?;
    Ok(differences(&file, &again))
}

/// Returns the configuration of a run from `config.toml`, with its differences from `part.json`.
pub(super) fn config(
    directory: &Path,
    state: &State,
    registry: &Registry,
) -> Result<(RunConfig, Vec<String>)> {
    let path = directory.join("config.toml");
    let file: RunFile =
        toml::from_str(&read_config(&path)?).map_err(|error| ArenaError::damaged(&path, error))?;
    let config = RunFile { out: Some(directory.to_owned()), ..file }.check(registry)?;
    let mut found: Vec<String> = state.identity.settings_other_than(&config.settings()?);
    let range = config.range();
    let numbers = [
        ("deals", config.deals, state.asked),
        ("first deal", range.start, state.start),
        ("end", range.end, state.end),
    ];
    for (name, here, there) in numbers.into_iter().filter(|(_, here, there)| here != there) {
        found.push(format!("{name}: {there} in part.json, {here} here"));
    }
    Ok((config, found))
}
