//! Runs that are stopped, killed, continued, divided and merged: the bytes of an undisturbed run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{arena, fails, long, run, run_json, size, stdout};

/// All files of a directory of data; of `run.json` and `sprt.json` all but the timing, and of the sums all but theirs.
pub(super) fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = || fs::read_to_string(&path).unwrap();
        let bytes = match name.as_str() {
            "run.json" => run_json(directory).to_string().into_bytes(),
            "sprt.json" => {
                let mut value: serde_json::Value = serde_json::from_str(&text()).unwrap();
                value.as_object_mut().unwrap().remove("timing").unwrap();
                value.to_string().into_bytes()
            }
            "checksums.txt" => {
                let is_same = |line: &&str| {
                    !["run.json", "sprt.json", "checksums.txt"].iter().any(|name| line.ends_with(name))
                };
                text().lines().filter(is_same).collect::<String>().into_bytes()
            }
            _ => fs::read(&path).unwrap(),
        };
        files.insert(name, bytes);
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
fn shards_of_any_number_merge_to_the_bytes_of_one_run() {
    let dir = tempfile::tempdir().unwrap();
    for n in 0..RUNS.len() {
        let words = words(n, deals(n));
        let whole = dir.path().join(format!("{n}"));
        let printed = stdout(&run(dir.path(), &format!("{words} --out {n} --threads 2")).success());
        let expected = files(&whole);
        // Many processes: in the quick form only one run is divided into many shards.
        let divisions: &[u32] = if long() || n == 0 { &[1, 2, 7, 64] } else { &[2, 7] };
        for &shards in divisions {
            let mut names = Vec::new();
            for shard in 1..=shards {
                let name = format!("{n}-{shard}-{shards}");
                // One of the first four on another number of threads.
                let threads = if shard == 3 { 8 } else { 1 };
                let flags = format!("--shard {shard}/{shards} --threads {threads} --out {name}");
                run(dir.path(), &format!("{words} {flags}")).success();
                names.push(name);
            }
            // In any order.
            names.reverse();
            let out = format!("{n}-of-{shards}");
            let merge = format!("merge {} --out {out}", names.join(" "));
            let merged = stdout(&run(dir.path(), &merge).success());
            assert!(printed.ends_with(&merged), "{merged}");
            assert_same(&dir.path().join(&out), &expected, &format!("{words} in {shards} shards"));
            // Once more it changes nothing.
            assert_eq!(stdout(&run(dir.path(), &merge).success()), merged);
            assert_same(&dir.path().join(&out), &expected, "merged again");
        }
    }
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
                let mut child = Command::new(assert_cmd::cargo::cargo_bin("arena"))
                    .args(words.split(' '))
                    .args(["--progress", "none", "--out", &out])
                    .current_dir(dir.path())
                    .stdout(Stdio::null())
                    .stderr(Stdio::null())
                    .spawn()
                    .unwrap();
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
fn shards_that_make_no_run_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let words = "run random random --deals 90 --seed 1";
    for shard in 1..=3 {
        run(dir.path(), &format!("{words} --shard {shard}/3 --out p{shard}")).success();
    }
    run(dir.path(), &format!("{words} --shard 1/2 --out half")).success();
    run(dir.path(), "run random random --deals 90 --seed 2 --shard 2/3 --out foreign").success();
    run(dir.path(), "run random rules --deals 90 --seed 1 --shard 2/3 --out other").success();
    let longer = "run random random --deals 180 --seed 1 --shard 1/3 --out longer";
    run(dir.path(), longer).success();
    fs::create_dir(dir.path().join("empty")).unwrap();
    for (shards, parts) in [
        ("p1 p3", &["deals 30 to 59 are missing", "p1 ends there", "p3 begins with deals 60"] as &[&str]),
        ("p2 p3", &["deals 0 to 29 are missing", "p2 begins"]),
        ("p1 p2", &["deals 60 to 89 are missing", "p2 is the last shard"]),
        ("p1 p2 p2 p3", &["deals 30 to 59 are duplicated", "p2"]),
        ("p1 half p2 p3", &["deals 0 to 29 are duplicated", "p1", "half"]),
        ("half p2 p3", &["deals 30 to 44 are duplicated", "half", "p2"]),
        ("p1 foreign p3", &["foreign is a shard of a different run than p1", "seed: 1 there, 2 now"]),
        ("p1 other p3", &["other is a shard of a different run", "bots"]),
        ("p1 empty p3", &["empty is not a run", "totals.json"]),
        ("p1 p2 longer", &["deals 0 to 29 are duplicated", "p1", "longer"]),
        ("longer", &["deals 60 to 179 are missing", "longer is the last shard"]),
    ] {
        fails(run(dir.path(), &format!("merge {shards} --out x")), 1, parts);
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

#[test]
fn damage_is_named() {
    let dir = tempfile::tempdir().unwrap();
    for n in 0..4 {
        let words = words(n, deals(n));
        for shard in [1, 2] {
            run(dir.path(), &format!("{words} --shard {shard}/2 --out {n}-{shard}")).success();
        }
        let path = dir.path().join(format!("{n}-2"));
        for file in fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()) {
            let name = file.file_name().unwrap().to_str().unwrap().to_owned();
            if !name.starts_with("summary") && !name.starts_with("records") && name != "totals.json" {
                continue;
            }
            let whole = fs::read(&file).unwrap();
            let mut flipped = whole.clone();
            flipped[whole.len() / 2] ^= 4;
            for bytes in [&flipped[..], &whole[..whole.len() - 7], b""] {
                fs::write(&file, bytes).unwrap();
                let merged = arena(dir.path())
                    .args(["merge", &format!("{n}-1"), &format!("{n}-2"), "--out", &format!("{n}-out")])
                    .assert();
                // A number in the totals may be another one without any trace but the sums.
                if name != "totals.json" || bytes.len() != whole.len() {
                    fails(merged, 1, &[&name, "damaged"]);
                }
                let _ = fs::remove_dir_all(dir.path().join(format!("{n}-out")));
            }
            fs::write(&file, &whole).unwrap();
        }
        // A table that is shorter than the state says cannot be gone on with.
        if n == 0 {
            let longer = self::words(n, 2 * deals(n));
            run(dir.path(), &format!("{words} --out all")).success();
            let table = dir.path().join("all/records.jsonl");
            fs::write(&table, b"{}\n").unwrap();
            fails(
                run(dir.path(), &format!("{longer} --out all")),
                1,
                &["records.jsonl", "damaged", "bytes are left"],
            );
        }
    }
}

#[test]
fn two_processes_do_not_write_to_one_directory() {
    let dir = tempfile::tempdir().unwrap();
    let words = "run random random --deals 1000000000 --seed 1 --records none --out one";
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("arena"))
        .args(words.split(' '))
        .args(["--progress", "none"])
        .current_dir(dir.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let done = || {
        let text = fs::read(dir.path().join("one/totals.json")).ok()?;
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
