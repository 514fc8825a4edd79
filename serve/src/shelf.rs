//! The shelf: the runs of a directory, as `arena report` shows them.

use std::fs;
use std::path::{Path, PathBuf};

use coinche_analysis::report;
use coinche_bots::Registry;
use serde_json::{Value, json};

use crate::error::{Answer, Refusal};

/// How many runs are listed.
const MOST: usize = 500;
/// How deep runs lie below the directory.
const DEPTH: usize = 3;

fn find(directory: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    if ["run.json", "sprt.json"].iter().any(|file| directory.join(file).is_file()) {
        found.push(directory.to_owned());
        return;
    }
    let Ok(entries) = fs::read_dir(directory) else { return };
    let mut below: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    below.sort_unstable();
    for path in below {
        // A link could lead out of the shelf.
        let is_directory = fs::symlink_metadata(&path).is_ok_and(|it| it.is_dir());
        if is_directory && depth > 0 && found.len() < MOST {
            find(&path, depth - 1, found);
        }
    }
}

/// Returns the runs by their paths below the shelf.
fn runs(shelf: &Path) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    find(shelf, DEPTH, &mut found);
    let name = |path: &PathBuf| path.strip_prefix(shelf).ok().and_then(Path::to_str).map(str::to_owned);
    found
        .iter()
        .filter_map(|path| {
            let name = name(path)?;
            Some((if name.is_empty() { ".".to_owned() } else { name }, path.clone()))
        })
        .collect()
}

/// Lists the runs, with their first figures.
pub(crate) fn list(shelf: Option<&Path>) -> Vec<Value> {
    let Some(shelf) = shelf else { return Vec::new() };
    let read = |path: &Path| -> Option<Value> { serde_json::from_slice(&fs::read(path).ok()?).ok() };
    let row = |(name, path): (String, PathBuf)| {
        let test = path.join("sprt.json").is_file();
        let run = read(&path.join("run.json")).unwrap_or_default();
        let pick = |key: &str| run.get(key).cloned().unwrap_or_default();
        json!({
            "name": name,
            "kind": if test { "test" } else { "run" },
            "bots": pick("bots"),
            "deals": pick("deals"),
            "played": pick("played"),
            "seed": pick("seed"),
            "rules": run.get("rules").and_then(Value::as_str),
            "pairings": pick("pairings"),
        })
    };
    runs(shelf).into_iter().map(row).collect()
}

/// Returns the report of a run as a page.
pub(crate) fn report(shelf: Option<&Path>, name: &str, registry: &Registry) -> Answer<String> {
    let shelf = shelf
        .ok_or_else(|| Refusal::none("there is no shelf: name a directory, `arena serve results/runs`"))?;
    let run = runs(shelf).into_iter().find(|(other, _)| other == name);
    let (_, path) = run.ok_or_else(|| Refusal::none("there is no such run on the shelf"))?;
    let document = report::read(&[path], registry).map_err(Refusal::failed)?;
    Ok(document.to_html())
}
