//! `arena merge` of labels and rows: the bytes of the undivided command, and shards that do not make one.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::{arena, contents, fails, forge_part as change, run, sign, stderr, stdout};

/// Makes the three shards of a few labels in a directory, and the whole; returns the files of the whole.
fn three(root: &Path, words: &str) -> BTreeMap<String, Vec<u8>> {
    for shard in 1..=3 {
        run(root, &format!("{words} --shard {shard}/3 --out {shard}")).success();
    }
    run(root, &format!("{words} --out whole")).success();
    contents(&root.join("whole"))
}

const WORDS: &str = "label --deals 23 --seed 9 --chunk 4 --strains C --progress none";

#[test]
fn an_interrupted_merge_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let expected = three(dir.path(), WORDS);
    let merged = dir.path().join("m");
    let merge = || stdout(&run(dir.path(), "merge 3 1 2 --out m").success());
    assert_eq!(merge(), "23 deals labelled, seed 9, in m\n");
    assert_eq!(merge(), "0 deals labelled (23 were there before), seed 9, in m\n");
    // Without its sums, and with a file that was being copied.
    fs::remove_file(merged.join("checksums.txt")).unwrap();
    fs::remove_file(merged.join("part-000003.csv")).unwrap();
    fs::write(merged.join("part-000003.csv.unfinished"), "ver").unwrap();
    merge();
    fs::remove_file(merged.join("part-000003.csv.unfinished")).unwrap();
    assert!(contents(&merged) == expected);
    // What is lost of it is taken again; and the undivided command takes it for its own.
    fs::remove_file(merged.join("part-000005.parquet")).unwrap();
    assert_eq!(merge(), "3 deals labelled (20 were there before), seed 9, in m\n");
    let told = stdout(&run(dir.path(), &format!("{WORDS} --out m")).success());
    assert_eq!(told, "0 deals labelled (23 were there before), seed 9, in m\n");
    // The shards are as they were.
    for shard in 1..=3 {
        run(dir.path(), &format!("verify {shard}")).success();
    }
}

/// Files are second names of those of the shards, and stay when the shards go.
#[cfg(unix)]
#[test]
fn files_are_linked() {
    use std::os::unix::fs::MetadataExt;

    let dir = tempfile::tempdir().unwrap();
    let expected = three(dir.path(), WORDS);
    run(dir.path(), "merge 1 2 3 --out m").success();
    let number = |path: &str| fs::metadata(dir.path().join(path)).unwrap().ino();
    assert_eq!(number("m/part-000003.csv"), number("2/part-000003.csv"));
    assert_ne!(number("m/part.json"), number("2/part.json"));
    for shard in ["1", "2", "3"] {
        fs::remove_dir_all(dir.path().join(shard)).unwrap();
    }
    assert!(contents(&dir.path().join("m")) == expected);
}

#[test]
fn every_write_of_a_merge_may_fail() {
    let dir = tempfile::tempdir().unwrap();
    let words = "label --deals 3 --chunk 1 --seed 1 --strains C --table csv --progress none";
    let expected = three(dir.path(), words);
    for kind in ["once", "full", "kill"] {
        let (mut n, mut failed, mut copied) = (0, 0, 0);
        loop {
            n += 1;
            let mut command = arena(dir.path());
            command.args("merge 1 2 3 --out m".split(' ')).env("COINCHE_WRITE_FAULT", format!("{kind}:{n}"));
            let assert = command.assert();
            let is_over = !stderr(&assert).contains("COINCHE_WRITE_FAULT");
            assert!(!stderr(&assert).contains("panicked"), "{}", stderr(&assert));
            let is_done = assert.get_output().status.success();
            failed += usize::from(!is_done);
            copied += usize::from(is_done && !is_over);
            if !is_done {
                run(dir.path(), "merge 1 2 3 --out m").success();
            }
            assert!(contents(&dir.path().join("m")) == expected, "{kind}:{n}");
            fs::remove_dir_all(dir.path().join("m")).unwrap();
            if is_over {
                break;
            }
        }
        assert!(n > 8 && failed > 4, "{kind}: {failed} of {n}");
        // A file that cannot be linked is copied.
        assert!(kind != "once" || copied >= 1, "{copied} of {n}");
    }
}

/// Copies a directory, changes the copy, and writes its sums again.
fn copy(root: &Path, from: &str, to: &str, change: impl FnOnce(&Path)) {
    fs::create_dir(root.join(to)).unwrap();
    for (name, bytes) in contents(&root.join(from)) {
        fs::write(root.join(to).join(name), bytes).unwrap();
    }
    change(&root.join(to));
    sign(&root.join(to));
}

#[test]
fn shards_of_other_data_sets_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    let expected = three(root, WORDS);
    let merge = |shards: &str, code: i32, parts: &[&str]| {
        fails(run(root, &format!("merge {shards} --out m")), code, parts);
        assert!(!root.join("m").exists(), "{shards}");
    };
    merge("1 whole", 1, &["deals 0 to 7 are duplicated: in 1 and in whole; give one of them"]);
    // Of other labels.
    for (flags, differences) in [
        ("--deals 23 --seed 8 --chunk 4 --strains C", "seed: 9 there, 8 now"),
        ("--deals 23 --seed 9 --chunk 4 --strains C,D", "strains: "),
        ("--deals 23 --seed 9 --chunk 4 --strains C --rules contree", "rules.play.undertrump: "),
        ("--deals 24 --seed 9 --chunk 4 --strains C", "deals: 23 there, 24 now"),
        ("--deals 23 --seed 9 --chunk 5 --strains C", "chunk: 4 there, 5 now"),
        ("--deals 23 --seed 9 --chunk 4 --strains C --table csv", "format: both there, csv now"),
    ] {
        run(root, &format!("label {flags} --shard 2/3 --out other --progress none")).success();
        merge("1 other 3", 1, &["other is a shard of a different run than 1: ", differences]);
        fs::remove_dir_all(root.join("other")).unwrap();
    }
    copy(root, "2", "built", |path| {
        change(path, |state| state["identity"]["commit"] = "0123456789ab".into());
    });
    merge("1 built 3", 1, &["built/part.json is damaged: its fingerprint is not that of its settings"]);
    // Killed behind its first file.
    copy(root, "2", "begun", |path| change(path, |state| state["done"] = 12.into()));
    merge("1 begun 3", 1, &["deals 12 to 15 are missing: begun is not complete, repeat its command"]);
    run(root, "run random random --deals 5 --seed 1 --out run").success();
    merge("1 run 3", 1, &["one of `arena run`: give the parts of one command"]);
    // The directory that is to be made.
    for (words, code, parts) in [
        ("merge 1 2 3 --out 2", 2, &["--out 2 is one of the shards"][..]),
        ("merge 1 2 3 --out ./built/../2", 2, &["is one of the shards"]),
        ("merge 1 2 3 --out run", 3, &["run already holds"]),
        (
            "merge 1 2 3 --out built",
            2,
            &["built holds a part with other settings", "shard: 2/3 there, none now"],
        ),
    ] {
        fails(run(root, words), code, parts);
    }
    copy(root, "whole", "forged", |path| {
        fs::write(path.join("part-000001.csv"), "mine").unwrap();
        let sum = serde_json::json!({ "bytes": 4, "crc": crc32fast::hash(b"mine") });
        change(path, |state| state["sums"]["files"]["part-000001.csv"] = sum);
    });
    fails(run(root, "merge 1 2 3 --out forged"), 2, &["part-000001.csv has other contents than"]);
    // All of it that is there already is one as well.
    run(root, "merge whole --out m").success();
    assert!(contents(&root.join("m")) == expected);
}

/// What is lost of a shard is made again by its command.
#[test]
fn a_file_that_is_lost_is_named_and_made_again() {
    let dir = tempfile::tempdir().unwrap();
    let expected = three(dir.path(), WORDS);
    fs::remove_file(dir.path().join("2/part-000003.csv")).unwrap();
    fails(
        run(dir.path(), "merge 1 2 3 --out m"),
        1,
        &["2/part-000003.csv is damaged: it is missing", "repeat"],
    );
    run(dir.path(), &format!("{WORDS} --shard 2/3 --out 2")).success();
    run(dir.path(), "merge 1 2 3 --out m").success();
    assert!(contents(&dir.path().join("m")) == expected);
}

#[test]
fn a_shard_has_a_part_and_a_seed() {
    let dir = tempfile::tempdir().unwrap();
    for words in [
        "label --deals 23 --chunk 4",
        "label --decisions --deals 23 --chunk 4",
        "label --games --deals 23 --chunk 4",
        "train cards --rows --deals 23 --chunk 4",
    ] {
        let shard = |more: &str| run(dir.path(), &format!("{words} --progress none --out d {more}"));
        fails(shard("--shard 1/3"), 2, &["--shard 1/3 without --seed", "give all of them the same --seed"]);
        fails(shard("--shard 1/7 --seed 1"), 2, &["shard 1/7 of 23 deals is empty", "--chunk"]);
        assert!(!dir.path().join("d").exists());
        // A shard that was begun has one.
        shard("--shard 1/6 --seed 1").success();
        assert!(stdout(&shard("--shard 1/6").success()).contains("(4 were there before), seed 1"));
        fs::remove_dir_all(dir.path().join("d")).unwrap();
    }
}
