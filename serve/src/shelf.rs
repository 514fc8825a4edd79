//! The shelf: the runs of a directory, as `arena report` shows them.

use std::fs;
use std::path::{Path, PathBuf};

use coinche_analysis::report::{self, Criterion, ListedDeal};
use coinche_analysis::status;
use coinche_bots::Registry;
use coinche_engine::record::Record;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::board;
use crate::error::{Answer, Refusal};

/// How many runs are listed.
const MOST: usize = 500;
/// How deep runs lie below the directory.
const DEPTH: usize = 3;

/// Which deals of which run.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    run: String,
    #[serde(default)]
    by: Criterion,
}

fn find(directory: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    if ["run.json", "sprt.json", "part.json", "plan.toml"].iter().any(|file| directory.join(file).is_file()) {
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

/// Lists the runs: who played, the result so far, and how those at work get on.
pub(crate) fn list(shelf: Option<&Path>, registry: &Registry) -> Vec<Value> {
    let Some(shelf) = shelf else { return Vec::new() };
    runs(shelf).into_iter().map(|(name, path)| row(&name, path, registry)).collect()
}

fn row(name: &str, path: PathBuf, registry: &Registry) -> Value {
    let read = |file: &str| -> Value {
        let text = fs::read(path.join(file)).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    };
    let (run, test) = (read("run.json"), read("sprt.json"));
    let is_test = test.is_object();
    let form = if is_test { &test } else { &run };
    let bots = &run["bots"];
    let of_pairing = |it: &Value| {
        let bot = |side: &str| it[side].as_u64().and_then(|n| bots.get(usize::try_from(n).ok()?)).cloned();
        let points = &it["figures"]["points"];
        json!({ "a": bot("a"), "b": bot("b"), "pairs": points["pairs"], "mean": points["mean"], "half_width": points["half_width"] })
    };
    // A run of two bots is one pairing.
    let alone = [json!({ "a": 0, "b": 1, "figures": run["figures"] })];
    let is_alone = run["figures"].is_object();
    let pairings = run["pairings"].as_array().map_or(&alone[..usize::from(is_alone)], Vec::as_slice);
    let pairings = pairings.iter().map(of_pairing).collect::<Vec<_>>();
    let speed = run["done"].as_f64().zip(run["timing"]["seconds"].as_f64());
    let mut json = json!({
        "name": name,
        "kind": if is_test { "test" } else { "run" },
        "bots": form["bots"],
        "rules": form["rules"].as_str(),
        "seed": form["seed"],
        "unit": form["unit"],
        "asked": run["asked"],
        "done": run["done"],
        "pairings": pairings,
        "state": if run["interrupted"] == json!(true) { "waiting" } else { "done" },
        "per_second": speed.filter(|(_, seconds)| *seconds > 0.0).map(|(done, seconds)| done / seconds),
        "test": is_test.then(|| json!({
            "decision": test["decision"], "bounds": test["bounds"], "estimate": test["estimate"],
            "walk": report::walk(&path).ok(),
        })),
    });
    // What is under way, and runs in parts, are known by their state.
    let jobs = status::read(&[path], registry).map(|jobs| status::json(&jobs)).unwrap_or_default();
    if let Some(job) = jobs["jobs"].get(0).filter(|job| job["state"] != "done" || run.is_null()) {
        for key in ["state", "asked", "done", "per_second", "seconds_left", "command", "kind"] {
            json[key] = job[key].clone();
        }
        if let Some(pairings) = job["verdict"]["pairings"].as_array() {
            json["bots"] = pairings.first().map_or(Value::Null, |it| json!([it["a"], it["b"]]));
            json["pairings"] = json!(pairings);
        }
    }
    json
}

fn find_run(shelf: Option<&Path>, name: &str) -> Answer<PathBuf> {
    let shelf = shelf
        .ok_or_else(|| Refusal::none("there is no shelf: name a directory, `arena serve results/runs`"))?;
    let run = runs(shelf).into_iter().find(|(other, _)| other == name);
    run.map(|(_, path)| path).ok_or_else(|| Refusal::none("there is no such run on the shelf"))
}

/// Lists deals of a run with the records of both legs, and where they are in the board.
pub(crate) fn deals(shelf: Option<&Path>, wanted: &Wanted, registry: &Registry) -> Answer<Vec<Value>> {
    let path = find_run(shelf, &wanted.run)?;
    let deals = report::deals(&path, registry, wanted.by).map_err(Refusal::conflict)?;
    let leg = |record: &Record| {
        let json: Value = serde_json::from_str(&record.to_json()).unwrap_or_default();
        json!({ "record": json, "position": board::of_record(record).ok() })
    };
    let row = |it: ListedDeal| {
        json!({
            "deal": it.deal, "bots": it.bots, "difference": it.difference, "differences": it.legs,
            "legs": it.records.iter().map(leg).collect::<Vec<_>>(),
        })
    };
    Ok(deals.into_iter().map(row).collect())
}

/// Returns the report of a run as a page.
pub(crate) fn report(shelf: Option<&Path>, name: &str, registry: &Registry) -> Answer<String> {
    let path = find_run(shelf, name)?;
    let document = report::read(&[path], registry, report::Asked::default()).map_err(Refusal::failed)?;
    Ok(document.to_html())
}
