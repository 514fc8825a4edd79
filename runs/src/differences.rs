//! Compares the figures in a file with recomputed ones, and the settings in a directory with those asked for.

use std::path::Path;

use coinche_selfplay::{ArenaError, Result};
use serde_json::Value;

use crate::commit::COMMIT;

/// The most differences reported per file.
const TOLD: usize = 10;

/// Returns where the figures in a file differ from recomputed ones. Another version of the program may use other fields
/// and round differently: of its figures only whole numbers are compared.
pub fn differences(file: &Value, again: &Value) -> Vec<String> {
    let is_same_version = file["commit"] == COMMIT;
    let mut found = Vec::new();
    compare("", file, again, is_same_version, &mut found);
    if found.len() > TOLD {
        let more = found.len() - TOLD;
        found.truncate(TOLD);
        found.push(format!("{more} more figures differ"));
    }
    found
}

fn compare(path: &str, file: &Value, again: &Value, exactly: bool, found: &mut Vec<String>) {
    match (file, again) {
        (Value::Object(file), Value::Object(again)) => {
            let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            for (name, value) in file.iter().filter(|(name, _)| !is_of_its_time(path, name)) {
                match again.get(name) {
                    Some(other) => compare(&below(name), value, other, exactly, found),
                    None if exactly => found.push(format!("{} does not belong there", below(name))),
                    None => {}
                }
            }
            let missing = again.keys().filter(|name| exactly && !file.contains_key(*name));
            found.extend(missing.map(|name| format!("{} is missing", below(name))));
        }
        (Value::Array(file), Value::Array(again)) if file.len() == again.len() => {
            for (at, (value, other)) in file.iter().zip(again).enumerate() {
                compare(&format!("{path}[{at}]"), value, other, exactly, found);
            }
        }
        (file, again) if file == again || !(exactly || (file.is_u64() && again.is_u64())) => {}
        (file, again) => found.push(format!("{path} is {file}, counted is {again}")),
    }
}

/// Returns the fields of an object that differ from those in a file, in words.
pub fn changed(there: &Value, now: &Value) -> Vec<String> {
    let fields = now.as_object().into_iter().flatten();
    let differing = fields.filter(|(name, now)| there[name.as_str()] != **now);
    differing.map(|(name, now)| format!("{name}: {} there, {now} now", there[name.as_str()])).collect()
}

/// Refuses a directory or a file with other settings.
pub fn check_same(path: &Path, differences: Vec<String>) -> Result<()> {
    if differences.is_empty() {
        return Ok(());
    }
    Err(ArenaError::OtherRun { path: path.to_owned(), differences })
}

/// Tests if a field is timing data, which cannot be recomputed: only the checksum of the file covers it.
fn is_of_its_time(path: &str, name: &str) -> bool {
    path.is_empty() && name == "timing"
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_figure_is_compared_but_the_time() {
        let file = json!({ "commit": COMMIT, "a": 1, "b": [1, { "c": 2.5 }], "timing": { "seconds": 1 } });
        let mut other = file.clone();
        other["timing"] = json!(null);
        assert_eq!(differences(&file, &other), [""; 0]);
        other["b"][1]["c"] = json!(2.25);
        other["d"] = json!(true);
        assert_eq!(differences(&file, &other), ["b[1].c is 2.5, counted is 2.25", "d is missing"]);
        other["b"] = json!([]);
        assert_eq!(differences(&file, &other).len(), 2);
    }

    #[test]
    fn another_version_may_round_otherwise_but_not_count() {
        let file = json!({ "commit": "older", "a": 1, "b": 0.5, "old": 3 });
        assert_eq!(differences(&file, &json!({ "commit": COMMIT, "a": 1, "b": 0.25, "new": 3 })), [""; 0]);
        assert_eq!(differences(&file, &json!({ "a": 2 })), ["a is 1, counted is 2"]);
    }
}
