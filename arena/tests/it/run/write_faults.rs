//! A disk that fails at every single write of a run: a clear error, and the next process goes on to the same bytes.

use std::fs;
use std::path::Path;

use super::durable::{assert_same, files};
use crate::common::{arena, long, run, stderr, stdout};

/// Ends a process that is killed at an operation on the disk (`base::write_fault`).
const KILLED: i32 = 86;

/// Runs a command with a fault at its `n`-th operation on the disk; tests if there was one.
fn fails_at(root: &Path, words: &str, kind: &str, n: u64) -> bool {
    let assert = arena(root)
        .args(words.split(' '))
        .args(["--progress", "none"])
        .env("COINCHE_WRITE_FAULT", format!("{kind}:{n}"))
        .assert();
    let (code, message) = (assert.get_output().status.code(), stderr(&assert));
    let what = format!("{words}, {kind}:{n}: {code:?} {message}");
    assert!(!message.contains("panicked"), "{what}");
    if !message.contains("COINCHE_WRITE_FAULT") {
        assert_eq!(code, Some(0), "{what}");
        return false;
    }
    match code {
        // Such as a file that cannot be removed, and is in nobody's way.
        Some(0) => {}
        Some(3) => {
            assert!(message.contains("cannot write ") && message.contains("free some space"), "{what}");
        }
        Some(KILLED) if kind == "kill" => {}
        _ => panic!("{what}"),
    }
    true
}

#[test]
fn every_write_of_a_run_may_fail() {
    let dir = tempfile::tempdir().unwrap();
    for (number, words) in [
        "run random random:pass=0.6 --deals 40 --seed 5 --records full --threads 1",
        "run random random:pass=0.6 --deals 40 --seed 5 --records full --table csv.zst --lines jsonl.zst --threads 1",
        "run random random:pass=0.6 --deals 40 --seed 5 --table parquet --threads 1",
        "sprt rules random --lower 0 --upper 50 --first 32 --every 32 --seed 1 --threads 1",
        "label --deals 3 --chunk 2 --seed 1 --strains C --threads 1",
        "label --decisions --deals 3 --chunk 2 --seed 1 --threads 1",
        "label --games --by rules --by random --deals 3 --chunk 2 --seed 1 --threads 1",
        "stats --deals 9 --seed 1 --shard 1/2 --threads 1",
        "bidding rules random --play rules --deals 9 --seed 1 --shard 1/2 --threads 1",
    ]
    .into_iter()
    .enumerate()
    {
        let once = format!("{number}-undisturbed");
        let printed = stdout(&run(dir.path(), &format!("{words} --out {once}")).success());
        let expected = files(&dir.path().join(&once));
        for kind in ["once", "full", "kill"] {
            // In the quick form one kind of fault for each kind of run, all for the first.
            if !long() && number > 0 && ["once", "full", "kill"][number % 3] != kind {
                continue;
            }
            let mut n = 1;
            let out = format!("{number}-{kind}");
            let words = format!("{words} --out {out}");
            while fails_at(dir.path(), &words, kind, n) {
                let again = stdout(&run(dir.path(), &words).success());
                if words.starts_with("run") || words.starts_with("sprt") {
                    assert_eq!(again.replace(&out, &once), printed, "{kind}:{n}");
                }
                assert_same(&dir.path().join(&out), &expected, &format!("{words} after {kind}:{n}"));
                run(dir.path(), &format!("verify {out}")).success();
                fs::remove_dir_all(dir.path().join(&out)).unwrap();
                n += 1;
            }
            assert!(n > 10, "{words} has {n} operations on the disk");
            fs::remove_dir_all(dir.path().join(&out)).unwrap();
        }
    }
}
