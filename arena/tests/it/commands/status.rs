//! `arena status`: what it says of parts that others make, lose and damage.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

use crate::common::{self, arena, copy, fails, printed_json, run, sign, stdout};

fn json(directory: &Path, words: &[&str]) -> Value {
    let assert = arena(directory).args(["status", "--json"]).args(words).assert().success();
    printed_json(&assert)
}

fn text(directory: &Path, words: &[&str]) -> String {
    stdout(&arena(directory).arg("status").args(words).assert().success())
}

/// All files below a directory, with what is in them and when they were changed.
fn contents(directory: &Path) -> Vec<(std::path::PathBuf, Vec<u8>, std::time::SystemTime)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let changed = fs::metadata(&path).unwrap().modified().unwrap();
        if path.is_dir() {
            found.extend(contents(&path));
        }
        found.push((path.clone(), fs::read(&path).unwrap_or_default(), changed));
    }
    found.sort();
    found
}

#[test]
fn parts_without_a_plan_are_told_with_what_is_missing() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    let part = |seed: u32, part: &str, out: &str| {
        run(at, &format!("run rules random --deals 300 --seed {seed} --shard {part}/4 --out {out}"))
            .success();
    };
    part(1, "1", "parts/a");
    part(1, "4", "parts/b");
    let before = contents(at);
    let status = json(at, &["parts"]);
    assert_eq!(contents(at), before, "nothing was written");
    let job = &status["jobs"][0];
    assert_eq!((&status["v"], status["jobs"].as_array().unwrap().len()), (&1.into(), 1));
    assert_eq!(
        (job["state"].as_str(), job["kind"].as_str(), job["unit"].as_str()),
        (Some("waiting"), Some("run"), Some("deals"))
    );
    assert_eq!(
        (job["asked"].as_u64(), job["done"].as_u64(), &job["missing"]),
        (Some(300), Some(150), &serde_json::json!([2, 3]))
    );
    assert_eq!((job["parts"][3]["start"].as_u64(), job["parts"][3]["end"].as_u64()), (Some(225), Some(300)));
    assert!(job["parts"][0]["per_second"].as_f64().unwrap() > 0.0);
    // The verdict is that of the deals that are there.
    run(at, "run rules random --deals 75 --seed 1 --out first").success();
    let alone = &json(at, &["parts/a"])["jobs"][0]["verdict"];
    let run_json = common::json(&at.join("first/run.json"));
    let points = &run_json["figures"]["points"];
    let pairing = &alone["pairings"][0];
    assert_eq!(
        (&pairing["pairs"], &pairing["mean"], &pairing["half_width"]),
        (&points["pairs"], &points["mean"], &points["half_width"])
    );
    assert!(alone["text"].as_str().unwrap().starts_with("rules beats random by"), "{alone}");
    assert_eq!(job["verdict"]["pairings"][0]["pairs"].as_u64(), Some(150));

    // Of another command, given twice, damaged: each is named, and none counts.
    part(2, "2", "other");
    copy(&at.join("parts/a"), &at.join("twice"));
    let status = json(at, &["parts", "other", "twice"]);
    let jobs = status["jobs"].as_array().unwrap();
    assert_eq!((jobs.len(), jobs[0]["done"].as_u64()), (2, Some(150)));
    let problem = jobs[0]["problems"][0].as_str().unwrap();
    assert!(problem.starts_with("deals 0 to 74 are in ") && problem.contains("twice"), "{problem}");
    assert_eq!(jobs[0]["verdict"]["pairings"][0]["pairs"].as_u64(), Some(150));
    fs::write(at.join("twice/part.json"), "{").unwrap();
    let said = text(at, &["twice", "parts/a"]);
    assert!(said.contains("1 damaged") && said.contains("twice/part.json is damaged"), "{said}");
    fails(arena(at).args(["status", "nothing"]).assert(), 2, &["nothing: neither a plan"]);
}

#[cfg(unix)]
#[test]
fn a_plan_tells_parts_that_wait_fail_stop_and_are_foreign() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    let plan = "plan --no-estimate --shards 5 --for shell --out p -- run rules random --deals 50 --seed 1";
    arena(at).args(plan.split(' ')).assert().success();
    let said = text(at, &["p"]);
    assert!(
        said.contains("5 parts: 5 waiting (1-5); 0 of 50 deals")
            && said.contains("no process is working on it"),
        "{said}"
    );
    let make = |part: &str, arena: Option<&Path>| {
        let mut command = Command::new("sh");
        command.arg(at.join("p/part.sh")).arg(part).stderr(Stdio::null());
        if let Some(arena) = arena {
            command.env("ARENA", arena);
        }
        command.status().unwrap().code()
    };
    assert_eq!(make("1", None), Some(0));
    // A program that cannot be started, and one that complains.
    assert_eq!(make("2", Some(Path::new("/no/such/arena"))), Some(127));
    run(at, "run rules random --deals 50 --seed 2 --shard 3/5 --out p/parts/0003").success();
    assert_eq!(make("3", None), Some(2));
    // What is cut off is resumed: the state of its beginning.
    run(at, "run rules random --deals 50 --seed 1 --shard 4/5 --out p/parts/0004").success();
    let totals = at.join("p/parts/0004/part.json");
    fs::write(&totals, fs::read_to_string(&totals).unwrap().replace("\"end\":40", "\"end\":41")).unwrap();
    sign(&at.join("p/parts/0004"));
    fs::remove_file(at.join("p/parts/0004/checksums.txt")).unwrap();
    let old = std::time::SystemTime::now() - std::time::Duration::from_hours(1);
    for entry in fs::read_dir(at.join("p/parts/0004")).unwrap() {
        fs::File::options().append(true).open(entry.unwrap().path()).unwrap().set_modified(old).unwrap();
    }
    let status = json(at, &["p"]);
    let job = &status["jobs"][0];
    let parts: Vec<_> =
        job["parts"].as_array().unwrap().iter().map(|part| part["state"].as_str().unwrap()).collect();
    assert_eq!(parts, ["done", "failed", "foreign", "stopped", "waiting"]);
    assert_eq!((&job["parts"][1]["exit"], &job["state"]), (&127.into(), &"failed".into()));
    assert!(job["parts"][1]["stderr"][0].as_str().unwrap().contains("/no/such/arena"));
    let problem = job["parts"][2]["problem"].as_str().unwrap();
    assert!(problem.contains("not of this plan") && problem.contains("seed: 2"), "{problem}");
    assert_eq!(job["missing"], serde_json::json!([2, 3, 4, 5]));
    assert_eq!(job["plan"], "p");
    let said = text(at, &["p"]);
    assert!(said.contains("part 2 failed with exit code 127:"), "{said}");
}

#[test]
fn a_part_under_way_is_told_by_its_lock() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = Command::new(cargo_bin("arena"))
        .args(
            "run rules random --deals 1G --seed 1 --shard 1/2 --records none --progress json --out p"
                .split(' '),
        )
        .current_dir(dir.path())
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // A line of progress: it plays.
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let at_work = json(dir.path(), &["p"]);
    child.kill().unwrap();
    child.wait().unwrap();
    let job = &at_work["jobs"][0];
    assert_eq!((&job["state"], &job["parts"][0]["state"]), (&"working".into(), &"working".into()), "{job}");
    assert!(
        job["per_second"].as_f64().unwrap() > 0.0 && job["seconds_left"].as_f64().unwrap() > 1.0,
        "{job}"
    );
    // Long after it was killed nobody is at work.
    let old = std::time::SystemTime::now() - std::time::Duration::from_hours(1);
    for entry in fs::read_dir(dir.path().join("p")).unwrap() {
        fs::File::options().append(true).open(entry.unwrap().path()).unwrap().set_modified(old).unwrap();
    }
    assert_eq!(json(dir.path(), &["p"])["jobs"][0]["parts"][0]["state"], "stopped");
}

#[test]
fn labels_are_counted_by_their_files() {
    let dir = tempfile::tempdir().unwrap();
    let words = "label --decisions --by random --deals 40 --chunk 10 --seed 1 --shard 1/2 --table npy --progress none --out l";
    run(dir.path(), words).success();
    let part = &json(dir.path(), &["l"])["jobs"][0]["parts"][0];
    assert_eq!(
        (&part["state"], &part["done"], &part["end"], &part["of"]),
        (&"done".into(), &20.into(), &20.into(), &2.into())
    );
    fs::remove_file(dir.path().join("l/checksums.txt")).unwrap();
    let job = &json(dir.path(), &["l"])["jobs"][0];
    assert_eq!((&job["parts"][0]["done"], &job["kind"]), (&20.into(), &"decisions".into()));
    assert_eq!(job["missing"], serde_json::json!([1, 2]));
}
