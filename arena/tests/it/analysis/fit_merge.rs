//! `arena fit --shard` and `arena merge`: stages whose rows several processes collect, and the table of one.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::common::{Random, fails, run, size, stderr, stdout};
use assert_cmd::assert::Assert;

/// With `--rules belote` this takes seconds; the rows of other presets are tested beside the code.
const WORDS: &str = "fit --deals 1000 --rounds 1 --seed 1 --progress none";
/// How many stages that are.
const STAGES: usize = 6;

/// Collects the rows of a shard, with other threads each time, and perhaps not at the first attempt.
fn shard(root: &Path, words: &str, [number, of]: [usize; 2], random: &mut Random) {
    let words = format!("{words} --out t --shard {number}/{of} --threads {}", random.below(3) + 1);
    if random.below(4) == 0 {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("arena"))
            .args(words.split(' '))
            .current_dir(root)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        sleep(Duration::from_millis(random.below(200) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    run(root, &words).success();
    if random.below(6) == 0 {
        assert!(stdout(&run(root, &words).success()).contains("were there before"));
    }
}

/// Makes a table in stages, and returns what the last merge says.
fn in_shards(root: &Path, words: &str, of: usize, random: &mut Random) -> Assert {
    for stage in 1..=STAGES {
        let mut numbers: Vec<usize> = (1..=of).collect();
        for at in (1..of).rev() {
            numbers.swap(at, random.below(at + 1));
        }
        for number in numbers {
            shard(root, words, [number, of], random);
        }
        assert!(!root.join("t").exists());
        let assert = run(root, if random.below(2) == 0 { "merge t" } else { "merge t.stages" });
        if stage == STAGES {
            return assert;
        }
        let assert = assert.code(12);
        assert_eq!(stdout(&assert), "");
        let (told, next) = (stderr(&assert), stage + 1);
        assert!(told.contains(&format!("stage {stage} of {STAGES} (")), "{told}");
        assert!(told.contains(&format!("next: stage {next} of {STAGES} (")), "{told}");
        // Again, before there is anything new.
        assert!(stderr(&run(root, "merge t").code(12)).contains("next: "));
    }
    unreachable!("there are stages")
}

#[test]
fn shards_of_stages_merge_to_the_table_of_one_command() {
    let mut random = Random::fresh();
    let cases: &[(&str, usize)] = size(
        &[(" --rules belote", 7)],
        &[("", 2), ("", 7), (" --rules contree", 64), (" --rules belote", 7)],
    );
    for (rules, of) in cases {
        let dir = tempfile::tempdir().unwrap();
        let words = format!("{WORDS}{rules}");
        let told = stdout(&run(dir.path(), &format!("{words} --out whole")).success());
        let last = in_shards(dir.path(), &words, *of, &mut random).success();
        assert_eq!(stdout(&last), told.replace("whole", "t"));
        let read = |name: &str| fs::read(dir.path().join(name)).unwrap();
        assert!(read("t") == read("whole"), "{words} in {of} shards");
        // It is over: nothing is left to collect, and what is lost is written again.
        let over = stdout(&run(dir.path(), &format!("{words} --out t --shard 1/{of}")).success());
        assert!(over.contains("is not needed"), "{over}");
        fs::remove_file(dir.path().join("t")).unwrap();
        run(dir.path(), "merge t").success();
        assert!(read("t") == read("whole"));
    }
}

#[test]
fn shards_that_do_not_make_a_stage_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    let words = format!("{WORDS} --rules belote");
    let merge = |code: i32, parts: &[&str]| fails(run(root, "merge t"), code, parts);
    fails(run(root, "fit --deals 1000 --out t --shard 1/2"), 2, &["--shard 1/2 without --seed"]);
    merge(2, &["expected the directory of the whole with --out"]);
    run(root, &format!("{words} --out t --shard 1/3")).success();
    merge(1, &["shard 2/3, 3/3 is missing: make it by `arena fit --rules belote", "--out t --shard 2/3`"]);
    run(root, &format!("{words} --out t --shard 3/3")).success();
    run(root, &format!("{words} --out t --shard 2/3")).success();
    let stage = |name: &str| root.join("t.stages/000001").join(name);
    // Killed while it was at work.
    let sums = fs::read(stage("2-of-3/checksums.txt")).unwrap();
    fs::remove_file(stage("2-of-3/checksums.txt")).unwrap();
    merge(1, &["2-of-3 is not finished: repeat its command, `arena fit", "--shard 2/3`"]);
    fs::write(stage("2-of-3/checksums.txt"), sums).unwrap();
    // Damaged.
    for name in ["rows.zst", "part.json", "checksums.txt"] {
        let path = stage("2-of-3").join(name);
        let whole = fs::read(&path).unwrap();
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 4;
        fs::write(&path, flipped).unwrap();
        merge(1, &[name, "is damaged"]);
        fs::write(&path, whole).unwrap();
    }
    // Of another fit, and in the place of another.
    let swap = |with: &str| {
        fs::rename(stage("2-of-3"), root.join("kept")).unwrap();
        fs::create_dir(stage("2-of-3")).unwrap();
        for name in ["rows.zst", "part.json", "checksums.txt"] {
            fs::copy(root.join(with).join(name), stage("2-of-3").join(name)).unwrap();
        }
    };
    let back = || {
        fs::remove_dir_all(stage("2-of-3")).unwrap();
        fs::rename(root.join("kept"), stage("2-of-3")).unwrap();
    };
    let other = words.replace("--seed 1", "--seed 2");
    run(root, &format!("{other} --out u --shard 2/3")).success();
    swap("u.stages/000001/2-of-3");
    merge(1, &["2-of-3 is of another fit or stage: seed: 2 there, 1 now; remove it"]);
    fails(run(root, &format!("{words} --out t --shard 2/3")), 1, &["seed: 2 there, 1 now"]);
    back();
    swap("t.stages/000001/3-of-3");
    merge(1, &["2-of-3 is of another fit or stage: shard: 3/3 there, 2/3 now"]);
    back();
    // Of several divisions the one that is whole.
    run(root, &format!("{words} --out t --shard 1/2")).success();
    fails(run(root, "merge t --out x"), 2, &["leave out --out"]);
    run(root, "merge t").code(12);
    assert!(!stage("1-of-2").exists());
    // Other settings do not go on with it.
    fails(run(root, &format!("{other} --out t --shard 1/2")), 2, &["seed: 1 there, 2 now"]);
    // Another program began it.
    let path = root.join("t.stages/fit.json");
    let text = fs::read_to_string(&path).unwrap();
    let from = text.find("\"commit\":\"").unwrap() + 10;
    fs::write(&path, format!("{}x{}", &text[..from], &text[from + 1..])).unwrap();
    merge(1, &["made by another build of arena: commit: "]);
    fails(run(root, &format!("{words} --out t --shard 1/2")), 2, &["commit: "]);
    fs::write(&path, text.replacen("coinche bidding table", "coinche bidding label", 1)).unwrap();
    run(root, &format!("{words} --out t --shard 1/1")).failure();
}
