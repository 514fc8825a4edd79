//! Runs that are stopped, killed, continued, divided and merged: the bytes of an undisturbed run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::common::{self, fails, run, size, start, stdout};

/// All files of a directory of data, without times; of the sums all but those of files with times.
pub(super) fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = common::files(directory);
    if let Ok(sums) = fs::read_to_string(directory.join("checksums.txt")) {
        let timed = ["run.json", "sprt.json", "part.json", "checksums.txt"];
        let is_same = |line: &&str| !timed.iter().any(|name| line.ends_with(name));
        let sums = sums.lines().filter(is_same).collect::<String>();
        files.insert("checksums.txt".to_owned(), sums.into_bytes());
    }
    files
}

#[track_caller]
pub(super) fn assert_same(directory: &Path, expected: &BTreeMap<String, Vec<u8>>, what: &str) {
    let found = files(directory);
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{what}");
    for (name, bytes) in expected {
        assert!(found[name] == *bytes, "{name} is another one: {what}");
    }
}

/// Runs with every form of files, and how many deals they have in the quick and in the long form.
const RUNS: [(&str, [u64; 2]); 5] = [
    ("run random random:pass=0.6 --seed 5 --records full", [1500, 9000]),
    (
        "run random rules+random random:pass=0.6 --seed 6 --records sample:0.05 --table csv.zst --lines jsonl.zst",
        [1000, 5000],
    ),
    (
        "run random random:pass=0.6 --seed 7 --records swing:700 --table parquet --lines jsonl.zst",
        [6000, 40000],
    ),
    (
        "run random random:pass=0.9 --seed 8 --match --rules coinche --records full --table parquet",
        [100, 700],
    ),
    ("run rules random random --seed 9 --records none", [500, 3000]),
];

/// How many deals a run has.
fn deals(n: usize) -> u64 {
    let [quick, long] = RUNS[n].1;
    size(quick, long)
}

/// The command of a run with so many deals.
fn words(n: usize, deals: u64) -> String {
    format!("{} --deals {deals}", RUNS[n].0)
}

#[test]
fn a_merged_run_goes_on_like_any_other() {
    let dir = tempfile::tempdir().unwrap();
    for n in 0..RUNS.len() {
        let [words, longer] = [0, 50].map(|more| words(n, deals(n) + more));
        for shard in [1, 2] {
            run(dir.path(), &format!("{words} --shard {shard}/2 --out {n}-{shard}")).success();
        }
        run(dir.path(), &format!("merge {n}-1 {n}-2 --out {n}")).success();
        let printed = stdout(&run(dir.path(), &format!("{longer} --out {n}")).success());
        let undisturbed = stdout(&run(dir.path(), &format!("{longer} --out {n}-longer")).success());
        assert_eq!(printed, undisturbed);
        assert_same(&dir.path().join(n.to_string()), &files(&dir.path().join(format!("{n}-longer"))), &words);
    }
}

#[test]
fn a_run_grows_step_by_step() {
    let dir = tempfile::tempdir().unwrap();
    for n in 0..RUNS.len() {
        let deals = deals(n);
        for part in [1, deals / 3, deals / 2, deals / 2 + 1, deals] {
            run(dir.path(), &format!("{} --out {n}", words(n, part))).success();
        }
        let words = words(n, deals);
        run(dir.path(), &format!("{words} --out {n}-once")).success();
        assert_same(&dir.path().join(n.to_string()), &files(&dir.path().join(format!("{n}-once"))), &words);
    }
}

/// Kills runs at random moments, goes on, and compares.
#[cfg(unix)]
#[test]
fn a_killed_run_goes_on_as_if_nothing_had_happened() {
    let (times, least_kills) = size((1, 3), (10, 4));
    let dir = tempfile::tempdir().unwrap();
    // A number that looks random, and is another one every time.
    let mut state: u64 = 42;
    let mut random = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    for n in 0..RUNS.len() {
        // Long enough to be killed several times.
        let words = words(n, size(8, 12) * deals(n));
        let began = std::time::Instant::now();
        run(dir.path(), &format!("{words} --out {n}-once")).success();
        let mut longest = u64::try_from(began.elapsed().as_micros()).unwrap();
        let expected = files(&dir.path().join(format!("{n}-once")));
        for attempt in 0..times {
            let out = format!("{n}-{attempt}");
            let (mut kills, mut tries) = (0, 0);
            while kills < least_kills {
                tries += 1;
                assert!(tries < 100, "{words}: always done before it is killed");
                let mut child = start(dir.path(), &format!("{words} --progress none --out {out}"));
                std::thread::sleep(Duration::from_micros(random(longest)));
                // `kill -9` on Unix.
                child.kill().unwrap();
                if child.wait().unwrap().success() {
                    // It was done before: from the start again, with less patience.
                    fs::remove_dir_all(dir.path().join(&out)).unwrap();
                    longest = (longest * 3 / 4).max(1000);
                    kills = 0;
                } else {
                    kills += 1;
                }
            }
            run(dir.path(), &format!("{words} --out {out}")).success();
            assert_same(&dir.path().join(&out), &expected, &format!("{words}, killed"));
            fs::remove_dir_all(dir.path().join(&out)).unwrap();
        }
    }
}

#[test]
fn shards_of_other_divisions_make_a_run_or_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let words = "run random random --deals 90 --seed 1";
    for shard in 1..=3 {
        run(dir.path(), &format!("{words} --shard {shard}/3 --out p{shard}")).success();
    }
    run(dir.path(), &format!("{words} --shard 1/2 --out half")).success();
    let longer = "run random random --deals 180 --seed 1 --shard 1/3 --out longer";
    run(dir.path(), longer).success();
    for (shards, parts) in [
        ("p1 p2 longer", ["deals 0 to 29 are duplicated", "p1", "longer"]),
        ("p1 half p2 p3", ["deals 0 to 29 are duplicated", "p1", "half"]),
        ("longer", ["deals 60 to 179 are missing", "longer is the last part given", ""]),
    ] {
        fails(run(dir.path(), &format!("merge {shards} --out x")), 1, &parts);
    }
    assert!(!dir.path().join("x").exists());
    // Shards of divisions that fit: the deals are the same.
    run(dir.path(), "merge p3 longer --out fits").success();
    run(dir.path(), &format!("{words} --out whole")).success();
    assert_same(&dir.path().join("fits"), &files(&dir.path().join("whole")), "60 and 30 deals");
    fails(run(dir.path(), "merge p1 p2 p3 --out p1"), 2, &["p1 is one of the shards"]);
    run(dir.path(), "run random random --deals 90 --seed 3 --out taken").success();
    fails(
        run(dir.path(), "merge p1 p2 p3 --out taken"),
        2,
        &["taken", "other settings", "seed: 3 there, 1 now"],
    );
}

/// A table that is shorter than the state says cannot be gone on with.
#[test]
fn a_table_that_was_cut_is_named() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), &format!("{} --out all", words(0, 100))).success();
    let table = dir.path().join("all/records.jsonl");
    fs::write(&table, b"{}\n").unwrap();
    let longer = || run(dir.path(), &format!("{} --out all", words(0, 200)));
    fails(longer(), 1, &["records.jsonl", "damaged", "it has 3 bytes"]);
    // As a process that was killed leaves it.
    fs::remove_file(dir.path().join("all/checksums.txt")).unwrap();
    fails(longer(), 1, &["records.jsonl", "damaged", "bytes are left"]);
}

#[test]
fn two_processes_do_not_write_to_one_directory() {
    let dir = tempfile::tempdir().unwrap();
    let words = "run random random --deals 1000000000 --seed 1 --records none --out one";
    let mut child = start(dir.path(), &format!("{words} --progress none"));
    let done = || {
        let text = fs::read(dir.path().join("one/part.json")).ok()?;
        serde_json::from_slice::<serde_json::Value>(&text).ok()?["done"].as_u64()
    };
    while done().is_none_or(|done| done < 2) {
        std::thread::sleep(Duration::from_millis(5));
    }
    fails(run(dir.path(), words), 3, &["one is in use by another process"]);
    child.kill().unwrap();
    child.wait().unwrap();
    // Nobody has to remove a lock by hand.
    fails(run(dir.path(), &words.replace("1000000000", "1")), 2, &["one already has", "deals"]);
}
