//! Runs of bots that are made of files: what is in the files belongs to what a run is.

use std::fs;
use std::path::Path;

use tempfile::tempdir;

use crate::common::{arena, fails, json, run, run_json, stdout};

/// A system that opens with so many trumps.
fn write_system(directory: &Path, trumps: u8) {
    let text = format!("name = \"mine\"\n[[rule]]\nwhen = \"J and trumps >= {trumps}\"\ncall = 80\n");
    fs::write(directory.join("mine.toml"), text).unwrap();
}

const BOTS: &str = "run system:file=mine.toml+rules rules --deals 40 --seed 1 --records full";

#[test]
fn shards_of_other_files_are_not_merged() {
    let dir = tempdir().unwrap();
    let [here, go] = [dir.path(), dir.path()];
    write_system(here, 3);
    run(go, &format!("{BOTS} --out whole")).success();
    run(go, &format!("{BOTS} --shard 1/2 --out one")).success();
    write_system(here, 5);
    run(go, &format!("{BOTS} --shard 2/2 --out other")).success();
    let named = ["other is a shard of a different run than one", "file mine.toml: sum "];
    fails(run(go, "merge one other --out all"), 1, &named);
    // A run does not go on with another file either.
    fails(run(go, &format!("{BOTS} --shard 1/2 --out one")), 2, &["file mine.toml: sum "]);

    write_system(here, 3);
    run(go, &format!("{BOTS} --shard 2/2 --out two")).success();
    write_system(here, 5);
    let now =
        ["with other files than are there now: file mine.toml", "merge where the files are as they were"];
    fails(run(go, "merge one two --out all"), 1, &now);
    write_system(here, 3);
    run(go, "merge one two --out all").success();
    for file in ["part.json", "config.toml", "summary.csv", "records.jsonl"] {
        assert!(
            fs::read(here.join("whole").join(file)).unwrap()
                == fs::read(here.join("all").join(file)).unwrap(),
            "{file}"
        );
    }
    assert_eq!(run_json(&here.join("whole")), run_json(&here.join("all")));
}

#[test]
fn files_are_named_where_there_are_some() {
    let dir = tempdir().unwrap();
    let here = dir.path();
    write_system(here, 3);
    let totals = |bots: &str, out: &str| {
        run(here, &format!("run {bots} --deals 2 --seed 1 --out {out}")).success();
        json(&here.join(out).join("part.json"))
    };
    let plain = totals("rules random", "plain");
    assert!(plain["identity"].get("files").is_none());
    // Also those of a bot that makes all calls, and of one that others are read by.
    for (n, bots) in [
        "system:file=mine.toml+rules rules",
        "random rules&system:file=mine.toml+rules",
        "rules random --freeze auction=system:file=mine.toml+rules",
        "rules+pimc:worlds=2,model=system:file=mine.toml rules",
    ]
    .into_iter()
    .enumerate()
    {
        let files = totals(bots, &format!("run-{n}"))["identity"]["files"].clone();
        let sum = files["mine.toml"].as_str().unwrap();
        assert!(sum.len() == 16 && files.as_object().unwrap().len() == 1, "{bots}: {files}");
    }
}

#[test]
fn decisions_of_other_files_are_other_labels() {
    let dir = tempdir().unwrap();
    let here = dir.path();
    let label =
        "label --decisions --which calls --by system:file=mine.toml+rules --deals 4 --seed 1 --out labels";
    write_system(here, 3);
    run(here, label).success();
    let settings = fs::read_to_string(here.join("labels/part.json")).unwrap();
    assert!(settings.contains("\"files\":{\"mine.toml\":\""), "{settings}");
    write_system(here, 5);
    fails(run(here, label), 2, &["file mine.toml: sum "]);
}

#[test]
fn the_program_says_what_it_was_built_for() {
    let dir = tempdir().unwrap();
    let short = stdout(&arena(dir.path()).arg("-V").assert().success());
    assert_eq!(short.lines().count(), 1);
    let long = stdout(&arena(dir.path()).arg("--version").assert().success());
    assert!(long.starts_with(short.trim_end()));
    let words: Vec<_> = long.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(words, ["commit", "target", "cpu", "features"]);
    // A run names it, too, where it does not count.
    run(dir.path(), "run rules random --deals 2 --seed 1 --out played").success();
    let played = json(&dir.path().join("played/run.json"));
    let build = played["timing"]["builds"][0].as_str().unwrap();
    let (target, cpu) = build.split_once(", ").unwrap();
    assert!(long.contains(&format!("target   {target}\n")) && long.contains(&format!("cpu      {cpu}\n")));
}
